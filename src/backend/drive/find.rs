//! Where the checkers are, and whether they are ones we know.
//!
//! Looked for in this order: the path given by the user, the environment variable, `$GSMC_TOOLS/bin`, and `PATH`. A path that was given
//! but leads nowhere is an error, not a reason to look further. The current folder is never searched, whatever `PATH` says: it may be
//! a stranger's, and so may the folders above it.

use super::{Ended, Finished, Limits, RunFolder, run};
use regex::Regex;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A checker that was found.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The program.
    pub path: PathBuf,
    /// Its name and version as it says itself, like `NuSMV 2.5.4`.
    pub version: String,
}

/// Why there is no checker to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// It is nowhere, and nobody named it.
    Missing(String),
    /// What was named is no program, or what was found does not say what it is, or is of a version that is not known to work.
    Strange(String),
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ToolError::Missing(why) | ToolError::Strange(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ToolError {}

/// What there is to know about a checker or a solver.
pub struct Known {
    /// Names of its program.
    pub programs: &'static [&'static str],
    /// Environment variable with its path.
    pub variable: &'static str,
    /// Command-line flag with its path, if there is one.
    pub flag: Option<&'static str>,
    /// Arguments that make it say its version.
    pub ask: &'static [&'static str],
    /// The version in what it says: name, major, minor.
    pub says: &'static str,
    /// Is this version (its name, major, minor) one that the generated files and the parsers are made for?
    pub supports: fn(&str, u32, u32) -> bool,
    /// What to type or to do to get it, for somebody who has gsmc alone.
    pub get: &'static str,
}

impl Known {
    /// How to name its program.
    pub fn named_by(&self) -> String {
        let flag = self.flag.map(|flag| format!("{flag} PATH or ")).unwrap_or_default();
        format!("{flag}{}=PATH", self.variable)
    }

    /// Why it is not there, where nobody named a program and none was found.
    pub fn absent(&self, given: Option<&Path>) -> Option<String> {
        match locate(self, given) {
            Err(ToolError::Missing(why)) => Some(why),
            _ => None,
        }
    }
}

/// Finds a program by what is known of it.
pub fn find_known(known: &Known, given: Option<&Path>) -> Result<Tool, ToolError> {
    // Checkers run in folders of their own.
    let path = locate(known, given)?;
    let path = std::path::absolute(&path).unwrap_or(path);
    let version = version(known, &path)?;
    Ok(Tool { path, version })
}

fn locate(known: &Known, given: Option<&Path>) -> Result<PathBuf, ToolError> {
    let named = |path: &Path, by: &str| match is_program(path) {
        true => Ok(path.to_path_buf()),
        false => Err(ToolError::Strange(format!("{by} names {}, which is not a program", path.display()))),
    };
    if let Some(path) = given {
        return named(path, known.flag.unwrap_or(known.programs[0]));
    }
    if let Some(path) = std::env::var_os(known.variable).filter(|v| !v.is_empty()) {
        return named(Path::new(&path), known.variable);
    }
    let folders = tools_folder().into_iter().chain(path_folders());
    let candidates = folders.flat_map(|f| known.programs.iter().map(move |p| f.join(p)));
    candidates.into_iter().find(|p| is_program(p)).ok_or_else(|| {
        let (program, get) = (known.programs[0], known.get);
        ToolError::Missing(format!("{program} was not found; {get}, or name it with {}", known.named_by()))
    })
}

fn tools_folder() -> Option<PathBuf> {
    std::env::var_os("GSMC_TOOLS").filter(|v| !v.is_empty()).map(|root| PathBuf::from(root).join("bin"))
}

fn path_folders() -> Vec<PathBuf> {
    std::env::var_os("PATH").map(|path| folders_of(&path)).unwrap_or_default()
}

/// The folders of a `PATH`. One that is empty or relative depends on the current folder.
fn folders_of(path: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect()
}

/// The first program of that name on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    path_folders().into_iter().map(|f| f.join(name)).find(|p| is_program(p))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

fn version(known: &Known, path: &Path) -> Result<String, ToolError> {
    let strange = |why: String| ToolError::Strange(format!("{} {why}", path.display()));
    let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
    let folder = RunFolder::new(None, "version").map_err(|e| strange(format!("cannot be asked: {e}")))?;
    let args: Vec<_> = known.ask.iter().map(Into::into).collect();
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let done =
        run(&folder, "version", &absolute, &args, &limits).map_err(|e| strange(format!("does not start: {e}")))?;
    named(known, &done).map_err(strange)
}

/// The version in what a program says about itself; else what is strange about it.
fn named(known: &Known, done: &Finished) -> Result<String, String> {
    let said = format!("{}\n{}", done.stdout, done.stderr);
    let pattern = Regex::new(known.says).map_err(|e| e.to_string())?;
    let Some(found) = pattern.captures(&said) else {
        return Err(match done.ended {
            Ended::Time => format!("did not say within {} s what it is", done.elapsed.as_secs()),
            _ => format!("does not say that it is {}", known.programs[0]),
        });
    };
    let number = |i: usize| found[i].parse::<u32>().unwrap_or(0);
    let version = format!("{} {}", &found[1], &found[2]);
    if !(known.supports)(&found[1], number(3), number(4)) {
        return Err(format!("is {version}, which gsmc does not know; {}", known.get));
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that hangs is not called another one.
    #[test]
    fn one_that_hangs_is_told_from_one_that_is_something_else() {
        let known = Known {
            programs: &["z3"],
            variable: "GSMC_Z3",
            flag: None,
            ask: &["--version"],
            says: r"(Z3) version ((\d+)\.(\d+))",
            supports: |_, _, _| true,
            get: "get it",
        };
        let done = |ended: Ended, said: &str| Finished {
            ended,
            stdout: said.into(),
            stderr: String::new(),
            elapsed: Duration::from_secs(10),
        };
        let hangs = named(&known, &done(Ended::Time, ""));
        assert_eq!(hangs, Err("did not say within 10 s what it is".into()));
        assert_eq!(named(&known, &done(Ended::Itself(Some(0)), "hello")), Err("does not say that it is z3".into()));
        assert_eq!(named(&known, &done(Ended::Itself(Some(0)), "Z3 version 4.8")), Ok("Z3 4.8".into()));
    }

    #[test]
    fn the_current_folder_is_not_searched() {
        let all = folders_of(OsStr::new(":.:bin:/usr/bin::../x:/opt/z3/bin:"));
        assert_eq!(all, [Path::new("/usr/bin"), Path::new("/opt/z3/bin")]);
    }
}
