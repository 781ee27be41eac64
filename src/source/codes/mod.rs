//! Every diagnostic code, with the long form that `gsmc explain` prints.
//!
//! Codes are stable: a number is never used again for something else. Ranges: 001–009 files, 010–039 model and XSD,
//! 040–059 expressions, 060–079 agents, 080–099 properties, 100–109 options and `gsmc.toml`, 110–129 order and machine,
//! 130–139 the notation, 180–199 E-GSM, 200–249 AMBER, 250–279 CMMN, 280–289 recorded logs.
//! Errors start with `E`, warnings with `W`.

use super::Severity;

/// A kind of diagnostic.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E012`, `W003`, …
    pub id: &'static str,
    /// One line: what is wrong in general.
    pub title: &'static str,
    /// The long form: what it means, an example.
    pub explanation: &'static str,
    /// What to type instead, where a finding has nothing better to say.
    pub instead: &'static str,
}

impl Code {
    /// By its first letter.
    pub fn severity(&self) -> Severity {
        if self.id.starts_with('W') { Severity::Warning } else { Severity::Error }
    }
}

/// Declares codes: `NAME = "E012", "title", "explanation", "what to type instead";`.
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $text:literal, $instead:literal;)*) => {
        $(#[doc = $title] pub static $name: crate::source::Code =
            crate::source::Code { id: $id, title: $title, explanation: $text, instead: $instead };)*
        /// The codes of this room.
        pub static ALL: &[&crate::source::Code] = &[$(&$name),*];
    };
}

pub mod agents;
pub mod amber;
pub mod cmmn;
pub mod egsm;
pub mod expressions;
pub mod files;
pub mod machine;
pub mod model;
pub mod notation;
pub mod options;
pub mod properties;
pub mod replay;
pub mod typing;

/// All codes, sorted by number.
pub fn all() -> Vec<&'static Code> {
    let rooms = [
        files::ALL,
        model::ALL,
        expressions::ALL,
        typing::ALL,
        agents::ALL,
        properties::ALL,
        options::ALL,
        machine::ALL,
        cmmn::ALL,
        egsm::ALL,
        amber::ALL,
        notation::ALL,
        replay::ALL,
    ];
    let mut all: Vec<&'static Code> = rooms.concat();
    all.sort_by_key(|c| (&c.id[1..], &c.id[..1]));
    all
}

/// The code of that id, in either case.
pub fn find(id: &str) -> Option<&'static Code> {
    all().into_iter().find(|c| c.id.eq_ignore_ascii_case(id))
}
