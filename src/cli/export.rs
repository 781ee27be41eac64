//! `gsmc export`: the model in the languages of other checkers.

use super::args::{ALL, ModelArgs, names_and_all};
use super::asking::{part, refused, without_bounds};
use super::output::{print, say};
use super::progress::Watcher;
use super::project::{self, Project};
use super::{BAD_INPUT, INCONCLUSIVE, OK};
use crate::abstraction::Sides;
use crate::any::Failed;
use crate::backend::{self, Language, export_part};
use crate::check::Plan;
use crate::check::abstracted::{Effort, both_sides};
use crate::check::partition::Part;
use crate::machine::Valid;
use crate::smt::{SolverKind, Which};
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};

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
    /// Data without bounds: what may and what must happen, over predicates, in two folders; needs an SMT solver
    #[arg(long = "abstract")]
    unbounded: bool,
}

/// The choices of `--to`.
fn languages() -> PossibleValuesParser {
    let names = backend::languages().into_iter().map(|l| (l.name, format!("For {}", l.readers)));
    names_and_all(names.collect(), "All of them")
}

pub fn run(args: &Args) -> u8 {
    let model = ModelArgs { unbounded: args.unbounded, ..args.model.clone() };
    let done = project::open(&model).and_then(|project| match args.unbounded {
        false => write(args, project.machine(), &args.output),
        true => {
            let Sides { may, must, .. } = sides(&project)?;
            write(args, &may, &args.output.join("may"))?;
            write(args, &must, &args.output.join("must"))
        }
    });
    done.err().unwrap_or(OK)
}

/// The two sides of a model with data without bounds. What is wrong goes to stderr; the exit code is returned.
fn sides(project: &Project) -> Result<Sides, u8> {
    let open = without_bounds(project).map_err(|failure| failure.tell())?;
    let effort = Effort { refine: None, runs: false, smt: Which::Only(SolverKind::Z3).into() };
    let watcher = Watcher::start(None);
    let plan = Plan { interrupt: watcher.interrupt(), ..Plan::default() };
    let sides = both_sides(&open, &plan, &effort);
    watcher.finish();
    sides.map_err(|why| refused(Failed::Solver(why), project).tell())?.map_err(|why| {
        say(&format!("error: {why}"));
        INCONCLUSIVE
    })
}

/// Writes a machine into a folder, in the languages that are asked for.
fn write(args: &Args, machine: &Valid, folder: &Path) -> Result<(), u8> {
    let wants = |language: &&Language| args.to.iter().any(|to| to == language.name || to == ALL);
    for language in backend::languages().into_iter().filter(wants) {
        let chosen = |properties: &[usize]| match args.partition {
            Some(part) => part.of_properties(machine, properties),
            None => properties.to_vec(),
        };
        match export_part(language, machine, &chosen, folder) {
            Err(e) => {
                say(&format!("error: cannot export to '{}': {e}", folder.display()));
                return Err(BAD_INPUT);
            }
            Ok(done) => {
                let names: String = done.files.iter().map(|f| format!("{}\n", f.display())).collect();
                print(&names)?;
                for (property, why) in done.left_out {
                    say(&format!("note: {property} is not in the {} export: {why}", language.name));
                }
            }
        }
    }
    Ok(())
}
