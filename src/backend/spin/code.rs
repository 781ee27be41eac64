//! What an event does, as straight-line code in `d_step`: in place, with copies of what must still be known from before.

use super::emit::Emitter;
use super::view::{Happens, Line};
use crate::backend::comment::Comment;
use crate::backend::common::{Payload, event_in_words, remark};
use crate::backend::text::Leaves;
use crate::backend::written::IMPOSSIBLE;
use crate::machine::walk::{self, Executor};
use crate::machine::{Body, BodyIx, Domain, ExprId, FALSE, Input, InputIx, Node, Rule, TRUE, VarId, interval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// Statements in one `d_step`; SPIN takes about 2000.
const BLOCK: usize = 500;

/// Scratch variables, copies of variables before the step, and names for parts of expressions.
#[derive(Default)]
pub(super) struct Scratch {
    own: BTreeSet<VarId>,
    copies: BTreeSet<VarId>,
    parts: usize,
}

impl Scratch {
    pub fn names(&self, vars: &[String]) -> Vec<String> {
        let own = self.own.iter().map(|v| vars[v.0 as usize].clone());
        let copies = self.copies.iter().map(|v| old(vars, *v));
        own.chain(copies).chain((1..=self.parts).map(part)).collect()
    }
}

/// What must be known while a body's code runs.
pub(super) struct Kept {
    /// Variables of which it (or what follows it) needs the value before the step although it writes them.
    copies: BTreeSet<VarId>,
    /// Its scratch variables.
    scratch: BTreeSet<VarId>,
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
    pub copied: &'a BTreeSet<VarId>,
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
        match self.payload.get(input.0) {
            Some(Payload::Variable(name)) => name.clone(),
            Some(Payload::Fixed(v)) if *v < 0 => format!("({v})"),
            Some(Payload::Fixed(v)) => v.to_string(),
            None => IMPOSSIBLE.into(),
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
        self.lines.push(Line { code, remark: Comment::of(remark) });
    }

    fn text(&mut self, e: ExprId, domain: Option<&Domain>) -> String {
        let printer = self.e.printer(&self.e.m.exprs, self.inputs);
        let mut named = FxHashMap::default();
        for shared in printer.shared(e) {
            let text = printer.show_with(shared, &self.moment, None, &named);
            self.parts += 1;
            let name = part(self.parts);
            self.lines.push(Line { code: format!("{name} = {text}"), remark: Comment::of("used below") });
            named.insert(shared, name);
        }
        printer.show_with(e, &self.moment, domain, &named)
    }

    fn fresh(&mut self, text: String, remark: &str) -> String {
        self.parts += 1;
        let name = part(self.parts);
        self.line(format!("{name} = {text}"), remark);
        name
    }

    fn name(&self, var: VarId) -> &str {
        &self.e.vars[var.0 as usize]
    }
}

impl Executor for Writer<'_, '_> {
    type Value = String;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<String, Infallible> {
        let var = self.e.m.var(var);
        let text = self.text(e, Some(&var.domain));
        let ((lo, hi), (low, high)) = (var.domain.bounds(), interval(&self.e.m.vars, &self.e.m.exprs, self.inputs, e));
        if low >= lo && high <= hi {
            return Ok(text);
        }
        let raw = self.fresh(text, "before it is kept in range");
        Ok(format!("(({raw} < {lo}) -> {lo} : (({raw} > {hi}) -> {hi} : {raw}))"))
    }

    fn keep(&mut self, value: String) -> Result<String, Infallible> {
        Ok(self.fresh(value, "before another update changes what it reads"))
    }

    fn set(&mut self, var: VarId, value: String) -> Result<(), Infallible> {
        let remark = self.e.m.var(var).name.clone();
        self.line(format!("{} = {value}", self.name(var)), &remark);
        Ok(())
    }

    /// Asked before the choice is made.
    fn require(&mut self, _: ExprId) -> Result<bool, Infallible> {
        Ok(true)
    }

    fn rule(&mut self, _: usize, r: &Rule) -> Result<(), Infallible> {
        let fires = [self.text(r.prerequisite, None), self.text(r.antecedent, None)];
        let fires: Vec<&str> = fires.iter().map(String::as_str).filter(|t| *t != "1").collect();
        let value = self.value(r.value, r.target)?;
        let var = self.name(r.target);
        let code = match (fires.as_slice(), r.value) {
            ([], _) => format!("{var} = {value}"),
            ([one], TRUE) => format!("{var} = {var} || {one}"),
            ([one], FALSE) => format!("{var} = {var} && !({one})"),
            ([one], _) => format!("{var} = ({one} -> {value} : {var})"),
            (all, TRUE) => format!("{var} = {var} || ({})", all.join(" && ")),
            (all, FALSE) => format!("{var} = {var} && !({})", all.join(" && ")),
            (all, _) => format!("{var} = (({}) -> {value} : {var})", all.join(" && ")),
        };
        let shown = match r.value {
            TRUE => "true".to_string(),
            FALSE => "false".to_string(),
            _ => value,
        };
        let remark = format!("{}: {} := {shown}", r.origin.label, self.e.m.var(r.target).name);
        self.line(code, &remark);
        Ok(())
    }
}

impl Emitter<'_> {
    /// What every body must keep.
    pub fn kept(&self) -> Vec<Kept> {
        BodyIx::each(&self.m.bodies).map(|(ix, body)| self.kept_by(ix, body)).collect()
    }

    fn kept_by(&self, ix: BodyIx, body: &Body) -> Kept {
        let updates = || self.m.actions.iter().filter(|a| a.body == ix).flat_map(|a| &a.updates);
        let assigns = || body.effect.iter().chain(&body.finish).chain(updates());
        let written: FxHashSet<VarId> = assigns().map(|a| a.var).chain(body.rules.iter().map(|r| r.target)).collect();
        let (mut copies, mut scratch) = (BTreeSet::new(), BTreeSet::new());
        let conditions = body.rules.iter().flat_map(|r| [r.prerequisite, r.antecedent, r.value]);
        for e in assigns().map(|a| a.value).chain(conditions) {
            self.m.exprs.leaves(e, &mut |leaf| match leaf {
                Node::Prev(v) if written.contains(v) => drop(copies.insert(*v)),
                Node::Cur(v) => drop(scratch.insert(*v)),
                _ => {}
            });
        }
        scratch.extend(written);
        scratch.retain(|v| self.m.var(*v).scratch);
        Kept { copies, scratch }
    }

    /// What happens, event by event.
    pub fn bodies(&self, scratch: &mut Scratch, kept: &[Kept]) -> Vec<Happens> {
        let mut all = Vec::new();
        for ((ix, body), Kept { copies: copied, scratch: own }) in BodyIx::each(&self.m.bodies).zip(kept) {
            let moment = Moment { vars: &self.vars, copied, payload: &self.inputs[ix.0] };
            let mut w = Writer { e: self, inputs: &body.inputs, moment, parts: 0, lines: Vec::new() };
            own.iter().for_each(|v| w.line(format!("{} = {}", self.vars[v.0 as usize], self.m.var(*v).init), ""));
            copied.iter().for_each(|v| w.line(format!("{} = {}", old(&self.vars, *v), self.vars[v.0 as usize]), ""));
            let Ok(_) = walk::body(body, &mut w);
            scratch.parts = scratch.parts.max(w.parts);
            scratch.own.extend(own);
            scratch.copies.extend(copied);
            let by = self.m.actions.iter().enumerate().filter(|(_, a)| a.body == ix);
            let tests: Vec<String> = by.map(|(i, _)| format!("{} == {}", self.act, self.actions[i])).collect();
            if tests.is_empty() || w.lines.is_empty() {
                continue;
            }
            let title = Comment::of(&event_in_words(self.m, body));
            all.push(Happens { title, when: tests.join(" || "), blocks: blocks(w.lines) });
        }
        all
    }

    /// What becomes of the senders' private variables.
    pub fn all_updates(&self, scratch: &mut Scratch, kept: &[Kept]) -> Vec<Happens> {
        let mut all = Vec::new();
        for (ix, a) in self.m.actions.iter().enumerate().filter(|(_, a)| !a.updates.is_empty()) {
            let body = self.m.body(a);
            let Some(Kept { copies: copied, .. }) = kept.get(a.body.0) else { continue };
            let moment = Moment { vars: &self.vars, copied, payload: &self.inputs[a.body.0] };
            let mut w = Writer { e: self, inputs: &body.inputs, moment, parts: 0, lines: Vec::new() };
            let Ok(()) = walk::updates(&self.m.exprs, a, &mut w);
            scratch.parts = scratch.parts.max(w.parts);
            let when = format!("{} == {}", self.act, self.actions[ix]);
            all.push(Happens { title: remark(self.m, a), when, blocks: blocks(w.lines) });
        }
        all
    }
}
