//! `gsmc export`: the model in the languages of other checkers.

use super::args::ModelArgs;
use super::output::{print, say};
use super::project::Project;
use super::{BAD_INPUT, OK};
use crate::backend::export;
use crate::backend::names::Target;
use clap::ValueEnum;
use std::path::PathBuf;

/// What to export where.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// The language; several with commas
    #[arg(long, value_enum, default_value = "all", value_delimiter = ',')]
    to: Vec<Language>,
    /// The folder for the files
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

/// Languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// For MCMAS
    Ispl,
    /// For NuSMV and nuXmv
    Smv,
    /// For SPIN
    Promela,
    /// All of them
    All,
}

pub fn run(args: &Args) -> u8 {
    let project = match Project::open(&args.model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let wants = |language: Language| args.to.contains(&language) || args.to.contains(&Language::All);
    let targets = [(Language::Smv, Target::Smv), (Language::Promela, Target::Promela), (Language::Ispl, Target::Ispl)];
    for (_, target) in targets.into_iter().filter(|(l, _)| wants(*l)) {
        match export(target, project.machine(), &args.output) {
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
                    say(&format!("note: {property} is not in the {} export: {why}", target.name()));
                }
            }
        }
    }
    OK
}
