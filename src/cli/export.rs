//! `gsmc export`: the model in the languages of other checkers.

use super::args::{ALL, ModelArgs, names_and_all};
use super::asking::part;
use super::output::{print, say};
use super::project;
use super::{BAD_INPUT, OK};
use crate::backend::{self, Language, export_part};
use crate::check::partition::Part;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// What to export where.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// The language; several with commas
    #[arg(long, value_parser = languages(), default_value = ALL, value_delimiter = ',')]
    to: Vec<String>,
    /// The folder for the files
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// Take one part of the properties, as 2/5, the same as everybody takes it
    #[arg(long, value_name = "K/N", value_parser = part)]
    partition: Option<Part>,
}

/// The choices of `--to`.
fn languages() -> PossibleValuesParser {
    let names = backend::languages().into_iter().map(|l| (l.name, format!("For {}", l.readers)));
    names_and_all(names.collect(), "All of them")
}

pub fn run(args: &Args) -> u8 {
    let project = match project::open(&args.model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let wants = |language: &&Language| args.to.iter().any(|to| to == language.name || to == ALL);
    for language in backend::languages().into_iter().filter(wants) {
        let machine = project.machine();
        let chosen = |properties: &[usize]| match args.partition {
            Some(part) => part.of_properties(machine, properties),
            None => properties.to_vec(),
        };
        match export_part(language, machine, &chosen, &args.output) {
            Err(e) => {
                say(&format!("error: cannot export to '{}': {e}", args.output.display()));
                return BAD_INPUT;
            }
            Ok(done) => {
                let names: String = done.files.iter().map(|f| format!("{}\n", f.display())).collect();
                if let Err(code) = print(&names) {
                    return code;
                }
                for (property, why) in done.left_out {
                    say(&format!("note: {property} is not in the {} export: {why}", language.name));
                }
            }
        }
    }
    OK
}
