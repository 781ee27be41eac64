//! What an event does, as a chain of definitions: each names a variable's value after one more assignment or rule.

use super::SYNTAX;
use super::emit::{Emitter, can};
use super::view::Def;
use crate::backend::common::Payload;
use crate::backend::names::in_comment;
use crate::backend::text::{Leaves, interval};
use crate::machine::Domain;
use crate::machine::{Assign, Body, ExprId, Input, InputIx, Rule, VarId};
use rustc_hash::FxHashMap;

/// The definitions of a body, and the name of every changed variable at their end.
pub(super) struct Chain {
    pub defs: Vec<Def>,
    pub ends: Vec<(VarId, String)>,
}

impl Chain {
    /// The chain of a body: effect, rules in their order, finish.
    pub fn of(e: &Emitter, ix: usize, body: &Body) -> Chain {
        let mut w = Writer { e, ix, body, now: FxHashMap::default(), defs: Vec::new() };
        body.effect.iter().for_each(|a| w.assign(a));
        let applicable = w.text(body.applicable, None);
        w.defs.push(Def { name: can(ix), text: applicable, remark: "the event is applicable".into() });
        body.rules.iter().for_each(|r| w.rule(r));
        body.finish.iter().for_each(|a| w.assign(a));
        let mut ends: Vec<(VarId, String)> = w.now.into_iter().collect();
        ends.sort_unstable();
        Chain { defs: w.defs, ends }
    }
}

/// Names at some moment of a body.
pub(super) struct Moment<'a> {
    pub vars: &'a [String],
    pub now: &'a FxHashMap<VarId, String>,
    pub payload: &'a [Payload],
    pub inputs: &'a [Input],
}

impl Leaves for Moment<'_> {
    fn prev(&self, var: VarId) -> String {
        self.vars[var.0 as usize].clone()
    }

    fn cur(&self, var: VarId) -> String {
        self.now.get(&var).cloned().unwrap_or_else(|| self.prev(var))
    }

    fn input(&self, input: InputIx) -> String {
        let boolean = self.inputs.get(input).is_some_and(|i| i.domain == Domain::Bool);
        match &self.payload[input] {
            Payload::Variable(name) => name.clone(),
            Payload::Fixed(v) if boolean => SYNTAX.constants[usize::from(*v == 0)].to_string(),
            Payload::Fixed(v) => v.to_string(),
        }
    }
}

/// A body being written down.
struct Writer<'e, 'a> {
    e: &'e Emitter<'a>,
    ix: usize,
    body: &'e Body,
    now: FxHashMap<VarId, String>,
    defs: Vec<Def>,
}

impl Writer<'_, '_> {
    fn fresh(&self) -> String {
        format!("b{}_{}", self.ix, self.defs.len() + 1)
    }

    fn define(&mut self, text: String, remark: String) -> String {
        let name = self.fresh();
        self.defs.push(Def { name: name.clone(), text, remark });
        name
    }

    /// An expression as text; what it uses often becomes definitions of its own.
    fn text(&mut self, e: ExprId, domain: Option<&Domain>) -> String {
        let printer = self.e.printer(&self.e.m.exprs, &self.body.inputs);
        let mut named = FxHashMap::default();
        for part in printer.shared(e) {
            let text = printer.show_with(part, &self.moment(), None, &named);
            let name = self.define(text, "used below".into());
            named.insert(part, name);
        }
        printer.show_with(e, &self.moment(), domain, &named)
    }

    fn moment(&self) -> Moment<'_> {
        let payload = &self.e.inputs[self.ix];
        Moment { vars: &self.e.vars, now: &self.now, payload, inputs: &self.body.inputs }
    }

    fn assign(&mut self, a: &Assign) {
        let var = self.e.m.var(a.var);
        let mut text = self.text(a.value, Some(&var.domain));
        let (lo, hi) = var.domain.bounds();
        let (low, high) = interval(self.e.m, &self.e.m.exprs, &self.body.inputs, a.value);
        if var.domain != Domain::Bool && (low < lo || high > hi) {
            let raw = self.define(text, format!("{}, before it is kept in range", in_comment(&var.name)));
            text = format!("({raw} < {lo} ? {lo} : ({raw} > {hi} ? {hi} : {raw}))");
        }
        let name = self.define(text, in_comment(&format!("{} :=", var.name)));
        self.now.insert(a.var, name);
    }

    fn rule(&mut self, r: &Rule) {
        let fires = [self.text(r.prerequisite, None), self.text(r.antecedent, None)];
        let fires: Vec<&str> = fires.iter().map(String::as_str).filter(|t| *t != "TRUE").collect();
        let before = self.moment().cur(r.target);
        let text = match (fires.as_slice(), r.value) {
            ([], value) => SYNTAX.constants[usize::from(!value)].to_string(),
            ([one], true) => format!("({before} | {one})"),
            ([one], false) => format!("({before} & !({one}))"),
            (all, true) => format!("({before} | ({}))", all.join(" & ")),
            (all, false) => format!("({before} & !({}))", all.join(" & ")),
        };
        let remark = format!("{}: {} := {}", r.origin.label, self.e.m.var(r.target).name, r.value);
        let name = self.define(text, in_comment(&remark));
        self.now.insert(r.target, name);
    }
}
