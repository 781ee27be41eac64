//! Constants of schemas and tasks: from text to code.

use super::flow::{declared, kind_of};
use super::gather::{Key, Met};
use super::{points, reals};
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::resolve::{Constant, Draft};
use crate::lang::gsm::xml::Word;
use crate::lang::gsm::xsd::whole;
use crate::lang::gsm::{Application, AttrIx, DataKind, TaskSource, TaskStep};
use crate::machine::Domain;
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics};
use std::collections::BTreeMap;

/// Lets every attribute meet the constants that the schema and the tasks give it.
pub fn meet(draft: &Draft, met: &mut BTreeMap<Key, Met>, diags: &mut Diagnostics) {
    let assigned = draft.constants.iter().map(|c| (c.target, &c.text));
    let facets = draft.facets.iter().enumerate();
    let defaults = facets.flat_map(|(ty, list)| {
        list.iter().enumerate().map(move |(at, f)| (Key::Attr(TypeIx(ty), AttrIx(at)), &f.initial))
    });
    for (key, word) in assigned.chain(defaults.filter_map(|(key, word)| Some((key, word.as_ref()?)))) {
        let met = met.entry(key).or_default();
        let Some(kind) = kind_of(&draft.app, key) else { continue };
        match kind {
            DataKind::Integer if points::is_real(&draft.app, key) => {
                if let Some(d) = reals::read(&word.text) {
                    met.decimal(d, word.span);
                }
            }
            DataKind::Integer | DataKind::Reference(_) => {
                if let Some((n, exact)) = whole(&word.text) {
                    met.number(n, word.span);
                    if !exact {
                        let message = format!("'{}' is read as {n}", word.text);
                        diags.push(Diagnostic::new(&model::TRUNCATED, word.span, message));
                    }
                }
            }
            DataKind::Text => met.text(unquoted(&word.text)),
            _ => {}
        }
    }
}

/// Puts the codes of constants into the tasks.
pub fn encode(draft: &mut Draft, diags: &mut Diagnostics) {
    for c in &draft.constants {
        let (Some(kind), Some(domain)) = (kind_of(&draft.app, c.target), declared(&draft.app, c.target)) else {
            continue;
        };
        let Some(code) = code(kind, domain, &c.text, diags) else { continue };
        c.put(&mut draft.app, code);
    }
}

impl Constant {
    /// Gives the task its code.
    pub(super) fn put(&self, app: &mut Application, code: i64) {
        let step = app.types[self.ty].tasks.get_mut(self.task.0).and_then(|t| t.steps.get_mut(self.step));
        let source = match (step, self.datum) {
            (Some(TaskStep::Set { source, .. }), None) => Some(source),
            (Some(TaskStep::Create { data, .. }), Some(at)) => data.get_mut(at).map(|(_, source)| source),
            (Some(TaskStep::Element { fields, .. }), Some(at)) => fields.get_mut(at).map(|(_, source)| source),
            (Some(TaskStep::Send { fields, .. }), Some(at)) => fields.get_mut(at).map(|(_, source)| source),
            _ => None,
        };
        if let Some(source) = source {
            *source = TaskSource::Const(code);
        }
    }
}

/// The code of a constant in a domain, or an error. Numbers outside the range were reported where they were met.
pub fn code(kind: DataKind, domain: &Domain, word: &Word, diags: &mut Diagnostics) -> Option<i64> {
    let text = unquoted(&word.text);
    let wrong = |what: &str| Diagnostic::new(&model::BAD_FACET, word.span, format!("'{text}' is not {what}"));
    let d = match kind {
        DataKind::Boolean => match text {
            "true" | "1" => return Some(1),
            "false" | "0" => return Some(0),
            _ => wrong("a Boolean").help("use true or false"),
        },
        // A date is set unless the constant denies it.
        DataKind::Date { .. } => return Some(i64::from(!matches!(text, "" | "false"))),
        DataKind::Integer if matches!(domain, Domain::Points(_)) => match reals::read(text) {
            Some(d) => return domain.read(&d.text()),
            None => wrong("a number"),
        },
        DataKind::Integer | DataKind::Reference(_) => match whole(text) {
            Some((n, _)) => {
                let (lo, hi) = domain.bounds();
                return Some(n).filter(|n| (lo..=hi).contains(n));
            }
            None => wrong("a number"),
        },
        DataKind::Text | DataKind::Enumeration => match (domain.code_of(text), domain) {
            (Some(code), _) => return Some(code),
            (None, Domain::Enum { values, .. }) => {
                let message = format!("'{text}' is not one of the values");
                let d = Diagnostic::new(&typing::NO_SUCH_VALUE, word.span, message);
                d.nearest(text, values.iter().map(String::as_str))
            }
            _ => return None,
        },
    };
    diags.push(d);
    None
}

/// A constant without the quotes around it.
pub(in crate::lang::gsm) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
    inner('\'').or_else(|| inner('"')).unwrap_or(text)
}
