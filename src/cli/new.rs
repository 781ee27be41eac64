//! `gsmc new`: a small project to start from.

use super::BAD_INPUT;
use super::output::{done, print, say, write_file};
use crate::source::shell_word;
use std::path::PathBuf;

/// The model; `NAME` is replaced.
const MODEL: &str = include_str!("../../templates/new.gsm");

/// What to make.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder to make
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

pub fn run(args: &Args) -> u8 {
    let folder = &args.name;
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    if folder.exists() || name.is_empty() {
        say(&format!("error: '{}' is there already", folder.display()));
        return BAD_INPUT;
    }
    if let Err(e) = std::fs::create_dir_all(folder) {
        say(&format!("error: cannot make the folder '{}': {e}", folder.display()));
        return BAD_INPUT;
    }
    let shown = shell_word(&folder.to_string_lossy());
    let quoted = format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"));
    let model = MODEL.replace("NAME", &quoted).replace("FOLDER", &shown);
    let files = [("gsmc.toml", "model = \"model.gsm\"\n".to_string()), ("model.gsm", model)];
    for (file, text) in files {
        if let Err(code) = write_file(&folder.join(file), text) {
            return code;
        }
    }
    done(print(&format!(
        "{shown}/model.gsm is a small process with its agents and properties. Now try\n  gsmc check {shown}"
    )))
}
