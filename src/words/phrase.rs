//! Variables, values and formulas as parts of a sentence.

use crate::lang::Lens;
use crate::lang::lens::Said;
use crate::lang::page::VariableKind;
use crate::logic::{Bool, Formula, Know, Property, Temporal};
use crate::machine::{AgentIx, BOTTOM, BodyIx, CompareOp, Domain, ExprId, Input, Machine, Node, VarId, show};
use std::collections::BTreeSet;

/// Longer formulas are not spelt out in words.
const LONGEST: usize = 160;

/// Who speaks: a model in its own names.
#[derive(Clone, Copy)]
pub struct Speaker<'a> {
    /// The model.
    pub lens: &'a dyn Lens,
    /// Its machine, or one that differs from it in the ranges of data.
    pub m: &'a Machine,
    /// The property that is spoken of; all of them, where it is a standard question.
    pub properties: &'a [Property<ExprId>],
    /// The standard questions whose answer is no.
    pub no: &'a BTreeSet<String>,
    /// What the event brings that is spoken of.
    pub inputs: &'a [Input],
}

impl<'a> Speaker<'a> {
    /// The variable of that name as the lens knows it.
    fn known(&self, var: VarId) -> Option<VarId> {
        if self.is_own() { Some(var) } else { self.lens.machine().find(&self.m.var(var).name) }
    }

    /// Is it the model's own machine?
    pub fn is_own(&self) -> bool {
        let own: &Machine = self.lens.machine();
        std::ptr::eq(self.m, own)
    }

    fn kind(&self, var: VarId) -> VariableKind {
        self.known(var).map_or_else(|| VariableKind::plain(self.m, var), |v| self.lens.kind(v))
    }

    /// Does a variable hold data, not the state of a process?
    pub fn is_data(&self, var: VarId) -> bool {
        self.kind(var) == VariableKind::Data
    }

    fn says(&self, var: VarId, value: i64) -> Option<Said> {
        self.lens.says(self.known(var)?, value)
    }

    /// `Closing`; with several slots of its kind, `Closing of Loan[2]`.
    pub fn name(&self, var: VarId) -> String {
        let v = self.m.var(var);
        let Some(slot) = self.m.slot_of(var) else { return v.name.clone() };
        let short = v.name.strip_prefix(&slot.name).and_then(|r| r.strip_prefix('.')).unwrap_or(&v.name);
        if self.alone(slot.family) { short.to_string() } else { format!("{short} of {}", slot.name) }
    }

    /// Is there one slot of a kind?
    fn alone(&self, family: usize) -> bool {
        self.m.slots.iter().filter(|s| s.family == family).count() == 1
    }

    /// `Loan[2]`, or nothing where there is only one.
    pub fn at(&self, target: Option<&str>) -> String {
        let slot = target.and_then(|t| self.m.slots.iter().find(|s| s.name == t));
        slot.filter(|s| !self.alone(s.family)).map(|s| format!(" at {}", s.name)).unwrap_or_default()
    }

    fn slot(&self, var: VarId) -> String {
        self.m.slot_of(var).map_or_else(|| self.m.var(var).name.clone(), |s| s.name.clone())
    }

    /// What a variable is: `Closing is open`.
    pub fn is(&self, var: VarId, value: i64) -> String {
        self.with(var, value, "is")
    }

    /// What it was: `Closing was open`.
    pub fn was(&self, var: VarId, value: i64) -> String {
        self.with(var, value, "was")
    }

    fn with(&self, var: VarId, value: i64, verb: &str) -> String {
        let (name, yes) = (self.name(var), value != 0);
        if let Some(said) = self.says(var, value) {
            return if verb == "was" { said.was } else { said.is };
        }
        match (self.kind(var), &self.m.var(var).domain) {
            (VariableKind::Created, _) if yes => format!("{} exists", self.slot(var)),
            (VariableKind::Created, _) => format!("{} does not exist", self.slot(var)),
            (VariableKind::Stage, Domain::Bool) => format!("{name} {verb} {}", if yes { "open" } else { "closed" }),
            (VariableKind::Milestone, Domain::Bool) => {
                format!("{name} {verb} {}", if yes { "achieved" } else { "not achieved" })
            }
            (VariableKind::Overflow, _) if yes => "something no longer fits within the bounds".into(),
            (VariableKind::Task, Domain::Bool) => {
                let task = name.strip_suffix(".pending").unwrap_or(&name);
                format!("task {task} {verb} {}", if yes { "running" } else { "not running" })
            }
            (_, Domain::Bool) => format!("{name} {verb} {yes}"),
            (_, domain) => match domain.show(value) {
                text if text == BOTTOM => format!("{name} has no value"),
                text if matches!(domain, Domain::Enum { .. } | Domain::Text { .. }) => {
                    format!("{name} {verb} '{text}'")
                }
                text => format!("{name} {verb} {text}"),
            },
        }
    }

    /// That it never becomes so: `Closing never opens`; later in a run, `Closing can never open any more`.
    pub fn never(&self, var: VarId, value: i64, later: bool) -> String {
        let (name, yes) = (self.name(var), value != 0);
        let own = self.says(var, value).and_then(|said| if later { said.no_more } else { said.never });
        if let Some(own) = own {
            return own;
        }
        let say = |does: &str, what: &str| match later {
            true => format!("{name} can never {what} any more"),
            false => format!("{name} never {does}"),
        };
        match (self.kind(var), &self.m.var(var).domain) {
            (VariableKind::Created, _) if yes => format!("{} is never created", self.slot(var)),
            (VariableKind::Stage, Domain::Bool) if yes => say("opens", "open"),
            (VariableKind::Stage, Domain::Bool) => say("closes", "close"),
            (VariableKind::Milestone, Domain::Bool) if yes => {
                let said = say("is achieved", "be achieved");
                said.replace("never is", "is never")
            }
            (VariableKind::Created, _) if later => format!("{} exists already", self.slot(var)),
            _ => {
                let is = self.is(var, value);
                let never = self.with(var, value, if later { "can never be" } else { "is never" });
                match later {
                    // Not everything is said with a verb that can be exchanged.
                    true if never == is => format!("it can never be any more that {is}"),
                    false if never == is => format!("it is never so that {is}"),
                    true => format!("{never} any more"),
                    false => never,
                }
            }
        }
    }

    /// A formula about one snapshot, in words as far as it is short.
    pub fn formula(&self, f: &Formula<ExprId>) -> String {
        self.formula_is(f, true)
    }

    /// That it holds, or that it does not.
    pub fn formula_is(&self, f: &Formula<ExprId>, value: bool) -> String {
        let text = self.spell(f, value);
        let short = text.chars().count() <= LONGEST;
        if short { text } else { format!("{} {}", self.code(f), if value { "holds" } else { "does not hold" }) }
    }

    /// A formula in the spelling of property files.
    pub fn code(&self, f: &Formula<ExprId>) -> String {
        let text = show::formula(self.m, f);
        if text.chars().count() <= 2 * LONGEST { format!("`{text}`") } else { "what is asked".into() }
    }

    fn spell(&self, f: &Formula<ExprId>, value: bool) -> String {
        match (f, value) {
            (Formula::Atom(e), _) => self.expression(*e, value),
            (Formula::Bool(Bool::Not(a)), _) => self.spell(a, !value),
            (Formula::Bool(Bool::And(list)), true) | (Formula::Bool(Bool::Or(list)), false) => {
                joined(list.iter().map(|p| self.spell(p, value)).collect(), "and")
            }
            (Formula::Bool(Bool::Or(list)), true) | (Formula::Bool(Bool::And(list)), false) => {
                joined(list.iter().map(|p| self.spell(p, value)).collect(), "or")
            }
            (Formula::Know(how, group, inner), _) => {
                format!("{} that {}", self.knows(*how, group, value), self.spell(inner, true))
            }
            (Formula::Can(group, Temporal::Finally(inner)), _) => {
                let can = if value { "can bring it about" } else { "cannot bring it about" };
                format!("{} {can} that {}", self.agents(group, "and"), self.spell(inner, true))
            }
            (_, true) => format!("{} holds", self.code(f)),
            (_, false) => format!("{} does not hold", self.code(f)),
        }
    }

    /// The names of some agents.
    pub fn agents(&self, group: &[AgentIx], word: &str) -> String {
        joined(group.iter().map(|a| self.m.agent_name(*a).to_string()).collect(), word)
    }

    /// `Rita knows`, `it is not common knowledge among Rita and Desk`.
    fn knows(&self, how: Know, group: &[AgentIx], value: bool) -> String {
        let (all, some) = (self.agents(group, "and"), self.agents(group, "or"));
        match (how, value) {
            _ if group.len() == 1 => format!("{all} {}", if value { "knows" } else { "does not know" }),
            (Know::K | Know::Everybody, true) => format!("{all} know"),
            (Know::K | Know::Everybody, false) => format!("{some} does not know"),
            (Know::Common, true) => format!("it is common knowledge among {all}"),
            (Know::Common, false) => format!("it is not common knowledge among {all}"),
            (Know::Distributed, true) => format!("{all} together know"),
            (Know::Distributed, false) => format!("{all} together do not know"),
        }
    }

    /// An expression that has a value, in words.
    pub fn expression(&self, e: ExprId, value: bool) -> String {
        let all = |list: &[ExprId], word: &str| {
            let mut said: Vec<ExprId> = list.iter().copied().filter(|p| !self.goes_without_saying(*p)).collect();
            if said.is_empty() {
                said = list.to_vec();
            }
            joined(said.into_iter().map(|p| self.inside(p, value)).collect(), word)
        };
        match (self.m.exprs.node(e), value) {
            (Node::Bool(b), _) => (*b == value).to_string(),
            (Node::Cur(v), _) => self.is(*v, i64::from(value)),
            (Node::Prev(v), _) => self.is(*v, i64::from(value)),
            (Node::Not(a), _) => self.expression(*a, !value),
            (Node::And(list), true) | (Node::Or(list), false) => all(list, "and"),
            (Node::Or(list), true) | (Node::And(list), false) => all(list, "or"),
            (Node::Compare(CompareOp::Eq, a, b), _) => match (self.m.exprs.node(*a), self.m.exprs.node(*b)) {
                (Node::Cur(v) | Node::Prev(v), Node::Int(i)) | (Node::Int(i), Node::Cur(v) | Node::Prev(v)) => {
                    let is = self.is(*v, *i);
                    if value {
                        is
                    } else if self.says(*v, *i).is_some() && !is.contains(" is ") {
                        format!("it is not so that {is}")
                    } else {
                        is.replacen(" is ", " is not ", 1).replacen(" has no ", " has a ", 1)
                    }
                }
                _ => self.quoted(e, value),
            },
            _ => self.quoted(e, value),
        }
    }

    /// A part of a list: in parentheses if it is a list itself.
    fn inside(&self, e: ExprId, value: bool) -> String {
        let text = self.expression(e, value);
        let list = matches!(self.m.exprs.node(e), Node::And(_) | Node::Or(_))
            && text.contains(" and ") | text.contains(" or ");
        if list { format!("({text})") } else { text }
    }

    fn quoted(&self, e: ExprId, value: bool) -> String {
        let text = without_before(&show::expression_with(self.m, self.inputs, e));
        if value { format!("`{text}`") } else { format!("not `{text}`") }
    }

    /// That something exists of which more is said.
    fn goes_without_saying(&self, e: ExprId) -> bool {
        match self.m.exprs.node(e) {
            Node::Cur(v) | Node::Prev(v) => self.m.is_existence(*v),
            Node::Not(a) => self.goes_without_saying(*a),
            _ => false,
        }
    }

    fn event_names(&self, bodies: &[BodyIx]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for body in bodies.iter().filter_map(|b| self.m.bodies.get(b.0)) {
            if !names.contains(&body.event) {
                names.push(body.event.clone());
            }
        }
        names
    }

    /// The first event of some bodies, if they are of several events.
    pub fn several(&self, bodies: &[BodyIx]) -> Option<String> {
        let names = self.event_names(bodies);
        if names.len() > 1 { names.into_iter().next() } else { None }
    }

    /// The events of some bodies, each once: `Pay or Return`.
    pub fn events(&self, bodies: &[BodyIx]) -> String {
        let names = self.event_names(bodies);
        match names.len() {
            0..=3 => joined(names, "or"),
            n => format!("any of {n} events"),
        }
    }

    /// The same, if they are few.
    pub fn few_events(&self, bodies: &[BodyIx]) -> Option<String> {
        let all = self.events(bodies);
        (!all.starts_with("any of ")).then_some(all)
    }
}

/// `before(x)` is `x` where a sentence is about the time before a step anyway.
fn without_before(text: &str) -> String {
    let mut parts = text.split("before(");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        plain += name;
        plain += rest;
    }
    plain
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(mut list: Vec<String>, word: &str) -> String {
    match list.pop() {
        None => String::new(),
        Some(last) if list.is_empty() => last,
        Some(last) => format!("{} {word} {last}", list.join(", ")),
    }
}

/// A sentence with its capital letter and full stop.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
