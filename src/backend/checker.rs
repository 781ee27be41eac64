//! What there is to know about an external checker: one descriptor each, all of them in one table.

use super::drive::{Known, Tool, ToolError, find_known};
use super::{Answer, NotWritten, Options, mcmas, nusmv, spin};
use crate::answer::Engine;
use crate::logic::Fragment;
use crate::machine::Valid;
use std::path::Path;

/// All external checkers, in the order of columns. A new one is a folder beside this file and a line here.
pub const CHECKERS: [&Checker; 3] = [&nusmv::CHECKER, &spin::CHECKER, &mcmas::CHECKER];

/// An external checker.
pub struct Checker {
    /// Its name on the command line and in results.
    pub engine: Engine,
    /// Its name for people.
    pub title: &'static str,
    /// How to find it, to ask for its version, and to get it.
    pub known: Known,
    /// What it decides.
    pub fragment: Fragment,
    /// The language it reads.
    pub language: &'static Language,
    /// The files for people of some properties, given by their positions: as few as the language allows.
    pub export: fn(&Valid, &[usize]) -> Result<Exports, NotWritten>,
    /// Properties in groups such that each can be asked in one run.
    pub groups: fn(&Valid, &[usize], &Options) -> Vec<Vec<usize>>,
    /// Asks for a group, reads the output, gives an answer per property.
    pub check: fn(&Valid, &[usize], &Tool, &Options) -> Vec<Answer>,
    /// The number of reachable snapshots as the checker counts them, in its own digits.
    pub count: fn(&Valid, &Tool, &Options) -> Result<String, String>,
}

/// A language that models are exported to; several checkers may read one.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who reads it, for people.
    pub readers: &'static str,
    /// Words that names must not be, a line each.
    pub reserved: &'static str,
}

/// What an export comes to.
#[derive(Default)]
pub struct Exports {
    /// The files.
    pub files: Vec<Written>,
    /// Properties, by position, that are in none of them, with the reason.
    pub left_out: Vec<(usize, String)>,
}

/// A file to be written: name, text, name map.
pub struct Written {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What its names stand for.
    pub map: String,
}

impl Checker {
    /// Why it is not there, where nobody named a program and none was found.
    pub fn absent(&self, given: Option<&Path>) -> Option<String> {
        self.known.absent(given)
    }

    /// Finds its program and asks for its version. `given` is a path from the command line.
    pub fn find(&self, given: Option<&Path>) -> Result<Tool, ToolError> {
        find_known(&self.known, given)
    }
}

/// The checker of an engine; the native engine has none.
pub fn checker(engine: Engine) -> Option<&'static Checker> {
    CHECKERS.into_iter().find(|c| c.engine == engine)
}

/// All engines, in the order of columns: the native one first.
pub fn engines() -> impl Iterator<Item = Engine> + Clone {
    std::iter::once(Engine::NATIVE).chain(CHECKERS.into_iter().map(|c| c.engine))
}

/// The engine of a name.
pub fn engine(name: &str) -> Option<Engine> {
    engines().find(|e| e.name() == name)
}

/// Where an engine's column stands.
pub fn column(engine: Engine) -> usize {
    engines().position(|e| e == engine).unwrap_or(usize::MAX)
}

/// All languages, each once.
pub fn languages() -> Vec<&'static Language> {
    let mut all: Vec<&Language> = Vec::new();
    for c in CHECKERS {
        if !all.contains(&c.language) {
            all.push(c.language);
        }
    }
    all
}

/// Why an engine cannot decide a property; `None` when it can.
pub fn unsupported(engine: Engine, p: &crate::logic::Property<crate::machine::ExprId>) -> Option<String> {
    checker(engine).and_then(|c| c.fragment.refuses(p))
}

/// Finds the program of an engine.
pub fn find(engine: Engine, given: Option<&Path>) -> Result<Tool, ToolError> {
    match checker(engine) {
        Some(checker) => checker.find(given),
        None => Err(ToolError::Missing(format!("{engine} is no external checker"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_say_where_a_program_is() {
        for (i, c) in CHECKERS.into_iter().enumerate() {
            let name = c.engine.name();
            assert!(CHECKERS[..i].iter().all(|d| d.engine != c.engine) && name == name.to_lowercase());
            assert_eq!(c.known.flag, Some(format!("--{name}").as_str()));
            assert_eq!(c.known.variable, format!("GSMC_{}", name.to_uppercase()));
            assert_eq!((engine(name), column(c.engine)), (Some(c.engine), i + 1));
        }
        assert_eq!((engine("native"), column(Engine::NATIVE)), (Some(Engine::NATIVE), 0));
        assert!(find(Engine::NATIVE, None).is_err() && engine("nobody").is_none());
    }
}
