//! The table of languages: whose file a model is, and who reads it.
//!
//! A language is one folder beside this one and one line of [`FORMATS`].

#[cfg(test)]
mod limits;
#[cfg(test)]
pub(crate) mod mutations;
#[cfg(test)]
mod tests;

pub use crate::lang::gsm::load::{Loaded, load};
pub use crate::lang::project::{Opened, Request};

use crate::lang::config::GivenAbstraction;
use crate::lang::project::{Files, gather};
use crate::lang::{amber, cmmn, egsm, gsm};
use crate::source::codes::options::NOT_FOR_LANGUAGE;
use crate::source::{Diagnostic, Span};
use std::io::Read;
use std::path::Path;

/// A kind of model file.
pub struct Format {
    /// The language.
    pub language: &'static str,
    /// Endings of its files, without the dot.
    pub endings: &'static [&'static str],
    /// Does a text look like one, whatever the file is called? Asked before endings are looked at; the project may decide, too.
    pub recognise: fn(&str, &Files) -> bool,
    /// Reads and lowers the model with all that belongs to it, and reports everything that is wrong.
    pub open: fn(Files) -> Opened,
}

/// All kinds of model files. The first that recognises a text reads it, then the first with its ending, then the last.
pub const FORMATS: &[Format] = &[
    // New languages come before GSM, which takes what is left.
    Format {
        language: "amber",
        endings: &["amber"],
        recognise: |text, _| amber::open::recognise(text),
        open: amber::open::open,
    },
    Format {
        language: "cmmn",
        endings: &["cmmn"],
        recognise: |text, _| cmmn::open::recognise(text),
        open: cmmn::open::open,
    },
    // The same files as GSM, another meaning.
    Format { language: "egsm", endings: &[], recognise: egsm::open::recognise, open: egsm::open::open },
    Format { language: "gsm", endings: &["xml", "gsm", "xmi"], recognise: |_, _| false, open: gsm::load::open },
];

/// Reads and lowers what a request names, in whatever language it is.
pub fn open(request: &Request) -> Opened {
    let mut files = gather(request, &is_model);
    let text = files.text.and_then(|file| files.sources.file(file)).map_or("", |f| f.text.as_str());
    let by_text = || FORMATS.iter().find(|f| (f.recognise)(text, &files));
    let by_name = || files.model.as_ref().and_then(|(path, _)| by_ending(path));
    let Some(format) = by_text().or_else(by_name).or(FORMATS.last()) else { return files.opened(None) };
    not_for(format.language, &mut files);
    (format.open)(files)
}

/// Settings for other languages are mistakes.
fn not_for(language: &str, files: &mut Files) {
    let given = [&files.project.options, &files.overrides.options];
    let mut told: Vec<String> = Vec::new();
    for (what, of) in given.into_iter().flat_map(|o| o.strange_to(language)) {
        if !told.contains(&what) {
            let others = of.iter().map(|o| o.to_uppercase()).collect::<Vec<_>>().join(" and ");
            let message = format!("'{what}' is for {others} models, and the model's language is {language}");
            files.diags.push(Diagnostic::placeless(&NOT_FOR_LANGUAGE, message));
            told.push(what);
        }
    }
    elsewhere(language, files);
    if language == "cmmn" {
        return;
    }
    for (what, span) in files.project.case.mentions().into_iter().chain(files.overrides.case.mentions()) {
        let message = format!("'{what}' is for CMMN cases, and the model's language is {language}");
        files.diags.push(Diagnostic::new(&NOT_FOR_LANGUAGE, span, message));
    }
}

/// Tables and keys that only GSM reads, or only what comes as XML with schemas.
fn elsewhere(language: &str, files: &mut Files) {
    let mut wrong: Vec<(&str, Option<Span>)> = Vec::new();
    for config in [&files.project, &files.overrides] {
        let given = &config.abstraction;
        let named = given.predicates.first().map(|p| p.span);
        if language != "gsm" && *given != GivenAbstraction::default() {
            wrong.push(("abstraction", named));
        }
        if language != "gsm" {
            wrong.extend(config.any.iter().map(|name| ("any number of instances", Some(name.span))));
        }
        if matches!(language, "amber" | "cmmn") {
            wrong.extend(config.schemas.iter().map(|name| ("schemas", Some(name.span))));
        }
    }
    for (what, span) in wrong {
        let message = format!("'{what}' means nothing where the model's language is {language}");
        let d = Diagnostic { span, ..Diagnostic::placeless(&NOT_FOR_LANGUAGE, message) };
        files.diags.push(d);
    }
}

fn by_ending(path: &Path) -> Option<&'static Format> {
    let ending = path.extension()?.to_string_lossy().to_lowercase();
    FORMATS.iter().find(|f| f.endings.contains(&ending.as_str()))
}

/// Characters of a file that tell its language.
const BEGINNING: u64 = 1 << 16;

/// Is this file a model, by its ending or its beginning?
fn is_model(path: &Path) -> bool {
    if by_ending(path).is_some() {
        return true;
    }
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|f| f.take(BEGINNING).read_to_end(&mut bytes));
    let files = gather(&Request::default(), &|_| false);
    read.is_ok() && FORMATS.iter().any(|f| (f.recognise)(&String::from_utf8_lossy(&bytes), &files))
}
