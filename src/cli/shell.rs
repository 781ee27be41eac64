//! Shell completions and manual pages, made from the command-line definition itself.

use super::output::{print, say};
use super::{BAD_INPUT, OK};
use std::path::PathBuf;

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
    print(&String::from_utf8_lossy(&buffer))
}

pub fn man(args: &ManArgs, command: clap::Command) -> u8 {
    let Some(dir) = &args.output else {
        let mut buffer = Vec::new();
        return match clap_mangen::Man::new(command).render(&mut buffer) {
            Ok(()) => print(&String::from_utf8_lossy(&buffer)),
            Err(e) => failed(&e),
        };
    };
    match std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir)) {
        Ok(_) => OK,
        Err(e) => failed(&e),
    }
}

fn failed(e: &std::io::Error) -> u8 {
    say(&format!("error: cannot write the manual: {e}"));
    BAD_INPUT
}
