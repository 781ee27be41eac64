//! Shell completions and manual pages, made from the command-line definition itself.

use super::output::{Reader, done, print, told, write_file};
use std::path::{Path, PathBuf};

/// For which shell.
#[derive(Debug, clap::Args)]
pub struct CompletionArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// Where to write.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Write gsmc.1 and one page per command into this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub fn completions(args: &CompletionArgs, mut command: clap::Command) -> u8 {
    let mut buffer = Vec::new();
    clap_complete::generate(args.shell, &mut command, "gsmc", &mut buffer);
    done(print(&String::from_utf8_lossy(&buffer)))
}

pub fn man(args: &ManArgs, command: clap::Command) -> u8 {
    done(match &args.output {
        None => page(&clap_mangen::Man::new(command)).and_then(|text| print(&text)),
        Some(dir) => {
            let mut command = command.disable_help_subcommand(true);
            command.build();
            told(std::fs::create_dir_all(dir), &format!("to the folder '{}'", dir.display()))
                .and_then(|_| pages(command, dir))
        }
    })
}

/// The page of a command and those of the commands in it.
fn pages(command: clap::Command, dir: &Path) -> Result<Reader, u8> {
    for inner in command.get_subcommands().filter(|c| !c.is_hide_set()).cloned() {
        pages(inner, dir)?;
    }
    let man = clap_mangen::Man::new(command);
    write_file(&dir.join(man.get_filename()), &page(&man)?)
}

fn page(man: &clap_mangen::Man) -> Result<String, u8> {
    let mut buffer = Vec::new();
    told(man.render(&mut buffer), "the manual")?;
    Ok(String::from_utf8_lossy(&buffer).into_owned())
}
