//! Sentries of E-GSM: three questions, comparisons of an item's status, word connectives.

use super::model::{Condition, Kind, Model, Sentry};
use super::read::tell;
use crate::lang::gsm::xml::{RawEvents, RawExpression, RawSentry};
use crate::lang::syntax::{Ast, AstKind, Dialect, Name, expression};
use crate::machine::CompareOp;
use crate::source::codes::{egsm as codes, expressions, model};
use crate::source::{Diagnostic, Diagnostics, Span};

/// An id that a sentry mentions: argument of a call, or item of a data term.
pub(super) struct Mention {
    /// The id.
    pub id: String,
}

/// What names can mean, and what was found on the way.
pub(super) struct Names<'a> {
    /// The model as far as it is declared; values of items are added.
    pub model: &'a mut Model,
    /// Every mention, in order.
    pub mentions: &'a mut Vec<Mention>,
    /// Findings.
    pub diags: &'a mut Diagnostics,
}

/// The condition of a guard, flow guard, fault logger, or of one `Condition` of a milestone. `on E when φ` of the notation asks whether
/// E occurs, then φ; `eventIds` in XML plays no part.
pub(super) fn condition(raw: &RawSentry, names: &mut Names) -> Condition {
    let occurs = match &raw.events {
        Some(RawEvents::Named(events)) => names.some_occurs(events),
        _ => None,
    };
    let read = match &raw.expression {
        Some(RawExpression::Text(text)) if !text.is_blank() => expression(text, Dialect::Sentry),
        Some(RawExpression::Read(ast)) => Ok(ast.clone()),
        _ => {
            names.check_unasked(raw);
            return occurs.unwrap_or(Condition::Const(true));
        }
    };
    if let Some(language) = &raw.language
        && !["", "JEXL", "OCL"].iter().any(|l| l.eq_ignore_ascii_case(&language.text))
    {
        let message = format!("unknown expression language '{}'", language.text);
        names.diags.push(Diagnostic::new(&model::UNKNOWN_LANGUAGE, language.span, message).help("use JEXL or OCL"));
    }
    let ast = match read {
        Ok(ast) => ast,
        Err(d) => {
            let d = Diagnostic { message: format!("{} of '{}'", d.message, raw.id.text), ..d };
            names.diags.push(d);
            return Condition::Const(false);
        }
    };
    let condition = names.condition(&ast);
    names.check_event_ids(raw, &ast);
    match occurs {
        Some(occurs) => Condition::And(vec![occurs, condition]),
        None => condition,
    }
}

/// The words of an `eventIds`.
pub(super) fn listed(events: Option<&RawEvents>) -> Vec<&str> {
    match events {
        Some(RawEvents::Listed(text)) => {
            text.as_str().split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect()
        }
        _ => Vec::new(),
    }
}

impl Names<'_> {
    fn condition(&mut self, ast: &Ast) -> Condition {
        match &ast.kind {
            AstKind::Bool(b) => Condition::Const(*b),
            AstKind::Not(a) => Condition::Not(Box::new(self.condition(a))),
            AstKind::And(parts) => Condition::And(parts.iter().map(|p| self.condition(p)).collect()),
            AstKind::Or(parts) => Condition::Or(parts.iter().map(|p| self.condition(p)).collect()),
            AstKind::Call { path, args } => self.call(path, args, ast.span),
            AstKind::Path(steps) if steps.len() == 1 => self.named(&steps[0]),
            AstKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b) => {
                let equal = *op == CompareOp::Eq;
                match (item_of(a), text_of(b), item_of(b), text_of(a)) {
                    (Some(item), Some(text), ..) | (.., Some(item), Some(text)) => self.is(item, text, equal),
                    _ => self.foreign(ast.span, "this comparison"),
                }
            }
            _ => self.foreign(ast.span, "this expression"),
        }
    }

    fn call(&mut self, path: &[Name], args: &[Name], span: Span) -> Condition {
        let operator = path.last().map(|n| n.text.to_lowercase()).unwrap_or_default();
        let [id] = args else { return self.foreign(span, "a call without exactly one argument") };
        self.mentions.push(Mention { id: id.text.clone() });
        match operator.strip_prefix("is").unwrap_or(&operator) {
            "eventoccurring" => self.occurs(id),
            "milestoneachieved" => {
                let milestones = || self.model.sentries.iter().enumerate().filter(|(_, s)| s.kind == Kind::Milestone);
                match milestones().find(|(_, s)| s.id == id.text) {
                    Some((m, _)) => Condition::Achieved(m),
                    None => {
                        let known: Vec<String> = milestones().map(|(_, s)| s.id.clone()).collect();
                        self.unknown("milestone", id, &known)
                    }
                }
            }
            "stageactive" => match self.model.stages.iter().position(|s| s.id == id.text) {
                Some(s) => Condition::Opened(s),
                None => {
                    let known: Vec<String> = self.model.stages.iter().map(|s| s.id.clone()).collect();
                    self.unknown("stage", id, &known)
                }
            },
            _ => self.foreign(span, "this operator"),
        }
    }

    fn occurs(&mut self, event: &Name) -> Condition {
        let known = self.model.events.iter().map(|e| e.id.as_str());
        match known.clone().position(|id| id == event.text) {
            Some(e) => Condition::Occurs(e),
            None => {
                let message = format!("event '{}' is not declared: a sentry that asks for it is false", event.text);
                let d = Diagnostic::new(&codes::UNDECLARED_EVENT, event.span, message);
                self.diags.push(d.nearest(&event.text, known));
                Condition::Undeclared
            }
        }
    }

    /// `on E, F`.
    fn some_occurs(&mut self, events: &[Name]) -> Option<Condition> {
        let created = format!("Create_{}", self.model.component);
        let mut parts = Vec::new();
        for event in events {
            if event.text == created && self.model.events.iter().all(|e| e.id != created) {
                let d = Diagnostic::new(&codes::NOT_IN_EGSM, event.span, "nothing is created in an E-GSM model");
                self.diags.push(d.help("its one instance is there from the start: a guard 'when true' holds there"));
                continue;
            }
            self.mentions.push(Mention { id: event.text.clone() });
            parts.push(self.occurs(event));
        }
        if parts.len() > 1 { Some(Condition::Or(parts)) } else { parts.pop() }
    }

    /// A name alone, as the notation has it: the milestone is achieved, or the stage is open.
    fn named(&mut self, name: &Name) -> Condition {
        self.mentions.push(Mention { id: name.text.clone() });
        let milestone = |s: &Sentry| s.kind == Kind::Milestone && s.id == name.text;
        let milestone = self.model.sentries.iter().position(milestone);
        let stage = self.model.stages.iter().position(|s| s.id == name.text);
        match (milestone, stage) {
            (Some(m), None) => return Condition::Achieved(m),
            (None, Some(s)) => return Condition::Opened(s),
            (Some(_), Some(_)) => {
                let text = &name.text;
                let message = format!("'{text}' has two meanings here: a stage, and a milestone");
                let d = Diagnostic::new(&expressions::TWO_MEANINGS, name.span, message);
                self.diags.push(d.help(format!("say which: 'stage {text}' or 'milestone {text}'")));
                return Condition::Const(false);
            }
            (None, None) => {}
        }
        let milestones = self.model.sentries.iter().filter(|s| s.kind == Kind::Milestone).map(|s| s.id.clone());
        let known: Vec<String> = milestones.chain(self.model.stages.iter().map(|s| s.id.clone())).collect();
        self.unknown("stage or milestone", name, &known)
    }

    fn is(&mut self, item: &Name, text: &str, equal: bool) -> Condition {
        self.mentions.push(Mention { id: item.text.clone() });
        let Some(i) = self.model.items.iter().position(|i| i.id == item.text) else {
            let known: Vec<String> = self.model.items.iter().map(|i| i.id.clone()).collect();
            return self.unknown("item", item, &known);
        };
        if text.is_empty() {
            return Condition::Is(i, 0, equal);
        }
        let values = &mut self.model.items[i].values;
        let at = values.iter().position(|v| v == text).unwrap_or_else(|| {
            values.push(text.to_string());
            values.len() - 1
        });
        Condition::Is(i, at as i64 + 1, equal)
    }

    fn unknown(&mut self, what: &str, name: &Name, known: &[String]) -> Condition {
        let message = format!("unknown {what} '{}'", name.text);
        let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, message);
        self.diags.push(d.nearest(&name.text, known.iter().map(String::as_str)));
        Condition::Const(false)
    }

    fn foreign(&mut self, span: Span, what: &str) -> Condition {
        let d = Diagnostic::new(&codes::NOT_IN_EGSM, span, format!("{what} does not exist in E-GSM"));
        let help = "sentries are made of isEventOccurring, isMilestoneAchieved, isStageActive, == and !=";
        self.diags.push(d.help(help));
        Condition::Const(false)
    }

    /// `eventIds` without an expression: the sentry always holds, which nobody means.
    fn check_unasked(&mut self, raw: &RawSentry) {
        let listed = listed(raw.events.as_ref());
        let Some(first) = listed.first() else { return };
        let message = format!("eventIds of '{}' is ignored, and without an expression it always holds", raw.id.text);
        let d = Diagnostic::new(&codes::EVENT_IDS, raw.span, message);
        self.diags.push(d.help(format!("write expression=\"GSM.isEventOccurring({first})\"")));
    }

    /// `eventIds` plays no part; where it says something else than the expression, somebody should look.
    fn check_event_ids(&mut self, raw: &RawSentry, ast: &Ast) {
        let listed = listed(raw.events.as_ref());
        if listed.is_empty() {
            return;
        }
        let (mut asked, mut events) = (Vec::new(), Vec::new());
        ast.walk(&mut |part| {
            if let AstKind::Call { path, args } = &part.kind {
                let names = args.iter().map(|a| a.text.as_str());
                asked.extend(names.clone());
                let is_event = path.last().is_some_and(|n| n.text.to_lowercase().ends_with("eventoccurring"));
                events.extend(names.filter(|_| is_event));
            }
        });
        let id = &raw.id.text;
        let mut differ = |names: Vec<&str>, how: &dyn Fn(String) -> String| {
            if !names.is_empty() {
                tell(self.diags, &codes::EVENT_IDS, raw.span, how(names.join("', '")));
            }
        };
        events.retain(|e| !listed.contains(e));
        events.dedup();
        let other = listed.iter().copied().filter(|w| !asked.contains(w)).collect();
        differ(other, &|names| format!("eventIds of '{id}' lists '{names}', which its expression does not ask for"));
        differ(events, &|names| format!("the expression of '{id}' asks for '{names}', which eventIds does not list"));
    }
}

/// The item of `{infoModel./infoModel/Truck/status}` or `Truck.status`.
fn item_of(ast: &Ast) -> Option<&Name> {
    let steps = match &ast.kind {
        AstKind::DataTerm { steps, .. } => steps,
        AstKind::Path(steps) => steps,
        _ => return None,
    };
    match steps.as_slice() {
        [.., item, field] if field.text == "status" => Some(item),
        _ => None,
    }
}

fn text_of(ast: &Ast) -> Option<&str> {
    match &ast.kind {
        AstKind::Text(text) => Some(text.trim()),
        _ => None,
    }
}
