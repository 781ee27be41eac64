//! What an event does, as straight-line code in `d_step`: in place, with copies of what must still be known from before.

use super::emit::Emitter;
use super::view::{Happens, Line};
use crate::backend::common::{Payload, remark};
use crate::backend::names::in_comment;
use crate::backend::text::{Leaves, interval};
use crate::machine::Domain;
use crate::machine::{Assign, Body, ExprId, Input, InputIx, Rule, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Statements in one `d_step`; SPIN takes about 2000.
const BLOCK: usize = 500;
/// Copies of variables before the step, and names for parts of expressions.
#[derive(Default)]
pub(super) struct Scratch {
    copies: FxHashSet<VarId>,
    parts: usize,
}

impl Scratch {
    pub fn names(&self, vars: &[String]) -> Vec<String> {
        let mut copies: Vec<VarId> = self.copies.iter().copied().collect();
        copies.sort_unstable();
        let copies = copies.into_iter().map(|v| old(vars, v));
        copies.chain((1..=self.parts).map(part)).collect()
    }
}

/// The copy of a variable from before the step.
fn old(vars: &[String], v: VarId) -> String {
    format!("old_{}", vars[v.0 as usize])
}

fn part(i: usize) -> String {
    format!("part{i}")
}

pub(super) fn blocks(lines: Vec<Line>) -> Vec<Vec<Line>> {
    let mut all: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match all.last_mut() {
            Some(block) if block.len() < BLOCK => block.push(line),
            _ => all.push(vec![line]),
        }
    }
    all
}

/// Names in the code of a body: some variables have a copy from before.
pub(super) struct Moment<'a> {
    pub vars: &'a [String],
    pub copied: &'a FxHashSet<VarId>,
    pub payload: &'a [Payload],
}

impl Leaves for Moment<'_> {
    fn prev(&self, var: VarId) -> String {
        if self.copied.contains(&var) { old(self.vars, var) } else { self.cur(var) }
    }

    fn cur(&self, var: VarId) -> String {
        self.vars[var.0 as usize].clone()
    }

    fn input(&self, input: InputIx) -> String {
        match self.payload.get(input) {
            Some(Payload::Variable(name)) => name.clone(),
            Some(Payload::Fixed(v)) if *v < 0 => format!("({v})"),
            Some(Payload::Fixed(v)) => v.to_string(),
            None => "0".into(),
        }
    }
}

/// Code being written.
struct Writer<'e, 'a> {
    e: &'e Emitter<'a>,
    inputs: &'a [Input],
    moment: Moment<'e>,
    parts: usize,
    lines: Vec<Line>,
}

impl Writer<'_, '_> {
    fn line(&mut self, code: String, remark: &str) {
        self.lines.push(Line { code, remark: in_comment(remark) });
    }

    fn text(&mut self, e: ExprId, domain: Option<&Domain>) -> String {
        let printer = self.e.printer(&self.e.m.exprs, self.inputs);
        let mut named = FxHashMap::default();
        for shared in printer.shared(e) {
            let text = printer.show_with(shared, &self.moment, None, &named);
            self.parts += 1;
            let name = part(self.parts);
            self.lines.push(Line { code: format!("{name} = {text}"), remark: "used below".into() });
            named.insert(shared, name);
        }
        printer.show_with(e, &self.moment, domain, &named)
    }

    fn assign(&mut self, a: &Assign) {
        let var = self.e.m.var(a.var);
        let mut text = self.text(a.value, Some(&var.domain));
        let ((lo, hi), (low, high)) = (var.domain.bounds(), interval(self.e.m, &self.e.m.exprs, self.inputs, a.value));
        if low < lo || high > hi {
            self.parts += 1;
            let raw = part(self.parts);
            self.line(format!("{raw} = {text}"), "before it is kept in range");
            text = format!("(({raw} < {lo}) -> {lo} : (({raw} > {hi}) -> {hi} : {raw}))");
        }
        self.line(format!("{} = {text}", self.e.vars[a.var.0 as usize]), &var.name);
    }

    fn rule(&mut self, r: &Rule) {
        let fires = [self.text(r.prerequisite, None), self.text(r.antecedent, None)];
        let fires: Vec<&str> = fires.iter().map(String::as_str).filter(|t| *t != "1").collect();
        let var = &self.e.vars[r.target.0 as usize];
        let code = match (fires.as_slice(), r.value) {
            ([], value) => format!("{var} = {}", u8::from(value)),
            ([one], true) => format!("{var} = {var} || {one}"),
            ([one], false) => format!("{var} = {var} && !({one})"),
            (all, true) => format!("{var} = {var} || ({})", all.join(" && ")),
            (all, false) => format!("{var} = {var} && !({})", all.join(" && ")),
        };
        let remark = format!("{}: {} := {}", r.origin.label, self.e.m.var(r.target).name, r.value);
        self.line(code, &remark);
    }
}

impl Emitter<'_> {
    /// Variables of which a body (or what follows it) needs the value before the step although it writes them.
    fn copied(&self, ix: usize, body: &Body) -> FxHashSet<VarId> {
        let updates = || self.m.actions.iter().filter(|a| a.body == ix).flat_map(|a| &a.updates);
        let assigns = || body.effect.iter().chain(&body.finish).chain(updates());
        let written: FxHashSet<VarId> = assigns().map(|a| a.var).chain(body.rules.iter().map(|r| r.target)).collect();
        let mut read = FxHashSet::default();
        let conditions = body.rules.iter().flat_map(|r| [r.prerequisite, r.antecedent]);
        for e in assigns().map(|a| a.value).chain(conditions) {
            self.m.exprs.leaves(e, &mut |leaf| {
                if let crate::machine::Node::Prev(v) = leaf {
                    read.insert(*v);
                }
            });
        }
        read.retain(|v| written.contains(v));
        read
    }

    /// What happens, event by event.
    pub fn bodies(&self, scratch: &mut Scratch) -> Vec<Happens> {
        let mut all = Vec::new();
        for (ix, body) in self.m.bodies.iter().enumerate() {
            let copied = self.copied(ix, body);
            let moment = Moment { vars: &self.vars, copied: &copied, payload: &self.inputs[ix] };
            let mut w = Writer { e: self, inputs: &body.inputs, moment, parts: 0, lines: Vec::new() };
            let mut copies: Vec<VarId> = copied.iter().copied().collect();
            copies.sort_unstable();
            copies.iter().for_each(|v| w.line(format!("{} = {}", old(&self.vars, *v), self.vars[v.0 as usize]), ""));
            body.effect.iter().for_each(|a| w.assign(a));
            body.rules.iter().for_each(|r| w.rule(r));
            body.finish.iter().for_each(|a| w.assign(a));
            scratch.parts = scratch.parts.max(w.parts);
            scratch.copies.extend(copies);
            let by = self.m.actions.iter().enumerate().filter(|(_, a)| a.body == ix);
            let tests: Vec<String> = by.map(|(i, _)| format!("{} == {}", self.act, self.actions[i])).collect();
            if tests.is_empty() || w.lines.is_empty() {
                continue;
            }
            let at = body.target.map_or("no slot", |s| &self.m.slots[s].name);
            let title = in_comment(&format!("{} at {at}", body.event));
            all.push(Happens { title, when: tests.join(" || "), blocks: blocks(w.lines) });
        }
        all
    }

    /// What becomes of the senders' private variables.
    pub fn all_updates(&self, scratch: &mut Scratch) -> Vec<Happens> {
        let mut all = Vec::new();
        for (ix, a) in self.m.actions.iter().enumerate().filter(|(_, a)| !a.updates.is_empty()) {
            let body = self.m.body(a);
            let copied = self.copied(a.body, body);
            let moment = Moment { vars: &self.vars, copied: &copied, payload: &self.inputs[a.body] };
            let mut w = Writer { e: self, inputs: &body.inputs, moment, parts: 0, lines: Vec::new() };
            a.updates.iter().for_each(|u| w.assign(u));
            scratch.parts = scratch.parts.max(w.parts);
            let when = format!("{} == {}", self.act, self.actions[ix]);
            all.push(Happens { title: remark(self.m, a), when, blocks: blocks(w.lines) });
        }
        all
    }
}
