//! Reader of property files, shared by all languages.
//!
//! Names, comments, `@expect`, `@fair`, temporal, strategic and knowledge operators, patterns and the rules about which may stand
//! where are read here. A language brings [`Atoms`]: what a part without such operators means, and who its agents are. It can make
//! them expressions of its model (as GSM does, to expand quantifiers later) or expressions of a machine under construction:
//!
//! ```text
//! struct Mine<'m> { model: &'m Model, exprs: &'m mut Exprs }
//!
//! impl Atoms for Mine<'_> {
//!     type Atom = ExprId;
//!     fn atom(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<ExprId> {
//!         match &ast.kind { AstKind::Call { path, args } => …, AstKind::And(parts) => …, … }
//!     }
//!     fn agents(&self) -> Vec<Option<String>> { … }
//! }
//!
//! let properties = properties::read(&texts, &mut Mine { model, exprs }, diags);
//! ```

mod define;
mod doubt;
mod fixpoint;
mod raw;
mod resolve;
#[cfg(test)]
mod tests;

pub use raw::{RawProperty, read as parse};

use crate::lang::syntax::{Ast, Name, Text};
use crate::logic::{Property, TypeNo};
use crate::source::codes::properties as codes;
use crate::source::{Diagnostic, Diagnostics, Sources, Span, render_all};

/// The one formula that somebody typed, read by a language. What is wrong with it is told for people.
pub fn typed<A>(
    text: &str,
    sources: &mut Sources,
    read: impl FnOnce(&[Text], &mut Diagnostics) -> Vec<Property<A>>,
) -> Result<Property<A>, String> {
    let mut diags = Diagnostics::new();
    let file = sources.add(TYPED, text);
    let mut found = read(&[Text::of(file, sources)], &mut diags);
    if diags.has_errors() {
        return Err(render_all(&diags, sources, false));
    }
    match found.pop().filter(|_| found.is_empty()) {
        Some(one) => Ok(Property { name: TYPED.into(), ..one }),
        None => Err("one formula at a time".into()),
    }
}

/// What a formula that somebody typed is called.
const TYPED: &str = "your formula";

/// What a language knows of its own properties.
pub trait Atoms {
    /// What an atom becomes.
    type Atom: Clone;

    /// A part without temporal, strategic or knowledge operators, connectives included, however large. What is wrong with it is
    /// reported; then there is none.
    fn atom(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<Self::Atom>;

    /// The names of the machine's agents, in its order; `None` for a nameless one.
    fn agents(&self) -> Vec<Option<String>>;

    /// Advice for a formula that names an unknown agent, instead of the nearest names.
    fn about_agents(&self) -> Option<&'static str> {
        None
    }

    /// Called before each property.
    fn begin(&mut self) {}

    /// Enters `forall var : ty`; gives the variable's number and that of its type.
    fn bind(&mut self, var: &Name, _ty: &Name, diags: &mut Diagnostics) -> Option<(u32, TypeNo)> {
        diags.push(Diagnostic::new(&codes::NO_QUANTIFIERS, var.span, "there is nothing to quantify over here"));
        None
    }

    /// Leaves the innermost quantifier.
    fn unbind(&mut self) {}
}

/// Reads properties. Positions, and so the names of unnamed properties, count through all texts.
pub fn read<L: Atoms>(texts: &[Text], atoms: &mut L, diags: &mut Diagnostics) -> Vec<Property<L::Atom>> {
    let mut raw = Vec::new();
    for text in texts {
        let before = raw.len();
        raw::read(text, &mut raw, diags);
        if raw.len() == before && !diags.iter().any(|d| d.span.is_some_and(|s| s.file == text.file())) {
            diags.push(Diagnostic::new(&codes::NO_PROPERTIES, text.span(0, 0), "no property in this file"));
        }
    }
    name_all(&mut raw, texts, diags);
    let mut wrong = 0;
    let mut all = Vec::new();
    for property in raw {
        let text = |span: Span| {
            let whole = texts.iter().find(|t| t.file() == span.file).map(|t| t.at(span));
            whole.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        match resolve::property(property, atoms, &text, diags) {
            Some(property) => all.push(property),
            None => wrong += 1,
        }
        if wrong >= raw::MOST_ERRORS {
            break;
        }
    }
    all
}

/// Without a model at least the grammar can be checked.
pub fn check_syntax(texts: &[Text], diags: &mut Diagnostics) {
    texts.iter().for_each(|text| raw::read(text, &mut Vec::new(), diags));
}

/// Adds standard properties to those of the user, each under a name of its own.
pub fn add_standard<A>(list: &mut Vec<Property<A>>, standard: Vec<Property<A>>) {
    for property in standard {
        let name = standard_name(property.name, list);
        list.push(Property { name, ..property });
    }
}

/// What a standard property or question is called beside those of the user, who may have called one the same. No name that a user
/// can write has parentheses.
pub fn standard_name<A>(name: String, list: &[Property<A>]) -> String {
    if list.iter().any(|p| p.name == name) { format!("standard({name})") } else { name }
}

/// Names unnamed properties by position and reports names used twice.
fn name_all(raw: &mut [RawProperty], texts: &[Text], diags: &mut Diagnostics) {
    let mut seen: std::collections::BTreeMap<String, Span> = std::collections::BTreeMap::new();
    for (i, property) in raw.iter_mut().enumerate() {
        let given = property.name.is_some();
        let name = property.name.get_or_insert_with(|| format!("p{}", i + 1));
        if let Some(first) = seen.get(name) {
            let d = Diagnostic::new(
                &codes::DUPLICATE_PROPERTY,
                property.name_span,
                format!("two properties are called '{name}'"),
            )
            .note(format!("the first is {}", line(texts, *first, property.name_span)));
            diags.push(if given {
                d.help("give one of them another name")
            } else {
                d.help("this one has no name and is called by its position: give it a name")
            });
        } else {
            seen.insert(name.clone(), property.name_span);
        }
    }
}

/// Where something stands, for a note beside something later.
fn line(texts: &[Text], first: Span, then: Span) -> String {
    let text = texts.iter().find(|t| t.file() == first.file);
    match text.and_then(|t| t.line(first)) {
        Some(line) if texts.len() == 1 => return format!("in line {line}"),
        Some(line) => return format!("in line {line} of its file"),
        None => {}
    }
    let between = text.filter(|_| first.file == then.file).map(|t| t.at(Span { end: then.start, ..first }));
    match between.map_or(0, |b| b.matches('\n').count()) {
        0 => "above".into(),
        1 => "in the line above".into(),
        n => format!("{n} lines above"),
    }
}
