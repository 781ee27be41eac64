//! `gsmc convert`: a model from XML to the notation and back.

use super::args::ModelArgs;
use super::output::{Inputs, done, ready, say};
use super::project;
use super::{BAD_INPUT, OK};
use crate::lang::gsm::convert::{Whole, open, to_barcelona, to_notation};
use crate::source::shell_word;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// What to convert into what.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Project folder, or a model file (.xml, .gsm)
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Model file, instead of the folder's
    #[arg(short, long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// What to write; by default the other way of writing the model
    #[arg(long, value_enum)]
    to: Option<Side>,
    /// Put agents, properties and settings into the .gsm file too
    #[arg(long)]
    one_file: bool,
    /// The .gsm file, or the folder for XML and its schemas (- for stdout)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// The two ways of writing a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    /// One .gsm file
    Notation,
    /// model.xml, schemas, agents, properties and gsmc.toml
    Barcelona,
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

/// A new file without an ending gets the notation's: by it the model is known again.
fn with_ending(path: &Path) -> PathBuf {
    let plain = path.extension().is_none() && path != Path::new("-") && !path.exists();
    if plain { path.with_extension("gsm") } else { path.to_path_buf() }
}

pub fn run(args: &Args) -> u8 {
    // An XML file may be named like a folder here.
    let xml = args.path.as_ref().filter(|p| is(p, "xml"));
    let model = ModelArgs {
        dir: args.path.clone().filter(|_| xml.is_none()),
        model: args.model.clone().or(xml.cloned()),
        ..ModelArgs::default()
    };
    let project = match project::read_as_written(&model) {
        Ok(project) => project,
        Err(refused) => return project::tell(&refused),
    };
    let language = project.lens().language();
    if language != "gsm" {
        let name = language.to_uppercase();
        say(&format!("error: {name} has one way of writing a model; convert is for GSM (.gsm, .xml)"));
        return BAD_INPUT;
    }
    let Some(whole) = open(&model.request()) else {
        say("error: the model cannot be read again");
        return BAD_INPUT;
    };
    let inputs = Inputs::of(&project.sources);
    // One file, or a file of that name, can only be the notation.
    let one = args.one_file || args.output.as_ref().is_some_and(|f| is(f, "gsm"));
    let other = if is(&project.model_path, "gsm") && !one { Side::Barcelona } else { Side::Notation };
    match args.to.unwrap_or(other) {
        Side::Barcelona if one => {
            say("error: XML and its schemas are several files: name a folder with -o DIR, and leave --one-file out");
            BAD_INPUT
        }
        Side::Notation => {
            if let Err(code) = ready(args.output.as_deref()) {
                return code;
            }
            let text = to_notation(&whole, args.one_file);
            tell_lost(&whole);
            let output = args.output.as_deref().map(with_ending);
            let written = inputs.deliver(text, output.as_deref());
            if let (Ok(_), Some(file)) = (&written, output.as_deref().filter(|f| *f != Path::new("-"))) {
                say(&format!("The model is in {}. Now try\n  gsmc validate {}", file.display(), shown(file)));
            }
            done(written)
        }
        Side::Barcelona => barcelona(&whole, args.output.as_deref(), &inputs),
    }
}

/// Writes the files into a folder.
fn barcelona(whole: &Whole, folder: Option<&Path>, inputs: &Inputs) -> u8 {
    let Some(folder) = folder else {
        say("error: XML and its schemas are several files: name a folder with -o DIR");
        return BAD_INPUT;
    };
    let files = to_barcelona(whole);
    // Beside the model that was read lie the settings and properties of its project.
    if let Some((name, _)) = files.iter().find(|(name, _)| inputs.lie_in(folder) && folder.join(name).exists()) {
        let there = folder.display();
        say(&format!("error: '{there}' is the folder of the model, and its {name} would be lost: name another folder"));
        return BAD_INPUT;
    }
    if let Err(e) = std::fs::create_dir_all(folder) {
        say(&format!("error: cannot make the folder '{}': {e}", folder.display()));
        return BAD_INPUT;
    }
    for (name, text) in &files {
        if let Err(code) = inputs.write_own(&folder.join(name), text) {
            return code;
        }
    }
    tell_lost(whole);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let there = folder.display();
    say(&format!("In {there}: {}. Now try\n  gsmc validate {}", names.join(", "), shown(folder)));
    OK
}

fn shown(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

fn tell_lost(whole: &Whole) {
    if !whole.lost.is_empty() {
        say(&format!("not carried over:\n  {}", whole.lost.join("\n  ")));
    }
}
