//! What an event does, as a chain of definitions: each names a variable's value after one more assignment or rule.

use super::SYNTAX;
use super::emit::{Emitter, can};
use super::view::Def;
use crate::backend::comment::Comment;
use crate::backend::common::Payload;
use crate::backend::text::Leaves;
use crate::machine::walk::{self, Executor};
use crate::machine::{
    Action, Assign, Body, BodyIx, Domain, ExprId, FALSE, Input, InputIx, Rule, TRUE, Var, VarId, interval,
};
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// The definitions of a body, and the name of every changed variable at their end.
pub(super) struct Chain {
    pub defs: Vec<Def>,
    /// What the variables are called at the end; those that are not here have not changed.
    now: FxHashMap<VarId, String>,
}

impl Chain {
    /// The chain of a body.
    pub fn of(e: &Emitter, ix: BodyIx, body: &Body) -> Chain {
        let scratch = e.m.var_ids().skip(e.m.state_vars().len());
        let now = Names::from(scratch.map(|v| (v, constant(e.m.var(v)))).collect());
        let mut w = Writer { e, ix, prefix: format!("b{}_", ix.0), body, inline: false, now, defs: Vec::new() };
        let Ok(_) = walk::body(body, &mut w);
        Chain { defs: w.defs, now: w.now.own }
    }

    /// State variables that the body writes, with their names at its end.
    pub fn ends(&self, e: &Emitter) -> Vec<(VarId, &String)> {
        let mut ends: Vec<_> = self.now.iter().filter(|(v, _)| !e.m.var(**v).scratch).map(|(v, n)| (*v, n)).collect();
        ends.sort_unstable();
        ends
    }

    /// What the updates of an action make of the private variables, after its body; with the definitions that this takes.
    pub fn updates(&self, e: &Emitter, ix: usize, action: &Action) -> (Vec<Def>, Vec<(VarId, String)>) {
        let (prefix, body, now) = (format!("u{}_", ix + 1), e.m.body(action), Names::after(&self.now));
        let mut w = Writer { e, ix: action.body, prefix, body, inline: true, now, defs: Vec::new() };
        let Ok(()) = walk::updates(&e.m.exprs, action, &mut w);
        let name = |a: &Assign| Some((a.var, w.now.get(a.var)?.clone()));
        let ends = action.updates.iter().filter_map(name).collect();
        (w.defs, ends)
    }
}

/// What variables are called now: by what was set here, or before.
#[derive(Default)]
pub(super) struct Names<'a> {
    own: FxHashMap<VarId, String>,
    before: Option<&'a FxHashMap<VarId, String>>,
}

impl<'a> Names<'a> {
    fn from(own: FxHashMap<VarId, String>) -> Names<'a> {
        Names { own, before: None }
    }

    fn after(before: &'a FxHashMap<VarId, String>) -> Names<'a> {
        Names { own: FxHashMap::default(), before: Some(before) }
    }

    fn get(&self, var: VarId) -> Option<&String> {
        self.own.get(&var).or_else(|| self.before?.get(&var))
    }
}

/// A variable's initial value.
pub(super) fn constant(var: &Var) -> String {
    match var.domain {
        Domain::Bool => SYNTAX.constants[usize::from(var.init == 0)].to_string(),
        _ => var.init.to_string(),
    }
}

/// Names at some moment of a body.
pub(super) struct Moment<'a> {
    pub vars: &'a [String],
    pub now: &'a Names<'a>,
    pub payload: &'a [Payload],
    pub inputs: &'a [Input],
}

impl Leaves for Moment<'_> {
    fn prev(&self, var: VarId) -> String {
        self.vars[var.0 as usize].clone()
    }

    fn cur(&self, var: VarId) -> String {
        self.now.get(var).cloned().unwrap_or_else(|| self.prev(var))
    }

    fn input(&self, input: InputIx) -> String {
        let boolean = self.inputs.get(input.0).is_some_and(|i| i.domain == Domain::Bool);
        match &self.payload[input.0] {
            Payload::Variable(name) => name.clone(),
            Payload::Fixed(v) if boolean => SYNTAX.constants[usize::from(*v == 0)].to_string(),
            Payload::Fixed(v) => v.to_string(),
        }
    }
}

/// A body being written down, or what an action adds to it.
struct Writer<'e, 'a> {
    e: &'e Emitter<'a>,
    ix: BodyIx,
    prefix: String,
    body: &'e Body,
    /// What is set is written where it is used.
    inline: bool,
    now: Names<'e>,
    defs: Vec<Def>,
}

impl Writer<'_, '_> {
    fn fresh(&self) -> String {
        format!("{}{}", self.prefix, self.defs.len() + 1)
    }

    fn define(&mut self, text: String, remark: Comment) -> String {
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
            let name = self.define(text, Comment::of("used below"));
            named.insert(part, name);
        }
        printer.show_with(e, &self.moment(), domain, &named)
    }

    fn moment(&self) -> Moment<'_> {
        let payload = &self.e.inputs[self.ix.0];
        Moment { vars: &self.e.vars, now: &self.now, payload, inputs: &self.body.inputs }
    }

    /// An expression as text, kept in the domain of a variable.
    fn fitting(&mut self, e: ExprId, var: VarId) -> String {
        let var = self.e.m.var(var);
        let text = self.text(e, Some(&var.domain));
        let (lo, hi) = var.domain.bounds();
        let (low, high) = interval(&self.e.m.vars, &self.e.m.exprs, &self.body.inputs, e);
        if var.domain == Domain::Bool || (low >= lo && high <= hi) {
            return text;
        }
        let raw = self.define(text, Comment::of(&format!("{}, before it is kept in range", var.name)));
        format!("({raw} < {lo} ? {lo} : ({raw} > {hi} ? {hi} : {raw}))")
    }
}

impl Executor for Writer<'_, '_> {
    type Value = String;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<String, Infallible> {
        Ok(self.fitting(e, var))
    }

    fn set(&mut self, var: VarId, value: String) -> Result<(), Infallible> {
        let remark = || Comment::of(&format!("{} :=", self.e.m.var(var).name));
        let name = if self.inline { value } else { self.define(value, remark()) };
        self.now.own.insert(var, name);
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Infallible> {
        let text = self.text(condition, None);
        self.defs.push(Def { name: can(self.ix), text, remark: Comment::of("the event is applicable") });
        Ok(true)
    }

    fn rule(&mut self, _: usize, r: &Rule) -> Result<(), Infallible> {
        let fires = [self.text(r.prerequisite, None), self.text(r.antecedent, None)];
        let fires: Vec<&str> = fires.iter().map(String::as_str).filter(|t| *t != "TRUE").collect();
        let value = self.fitting(r.value, r.target);
        let before = self.moment().cur(r.target);
        let text = match (fires.as_slice(), r.value) {
            ([], _) => value.clone(),
            ([one], TRUE) => format!("({before} | {one})"),
            ([one], FALSE) => format!("({before} & !({one}))"),
            ([one], _) => format!("({one} ? {value} : {before})"),
            (all, TRUE) => format!("({before} | ({}))", all.join(" & ")),
            (all, FALSE) => format!("({before} & !({}))", all.join(" & ")),
            (all, _) => format!("(({}) ? {value} : {before})", all.join(" & ")),
        };
        let shown = match r.value {
            TRUE => "true".to_string(),
            FALSE => "false".to_string(),
            _ => value,
        };
        let remark = format!("{}: {} := {shown}", r.origin.label, self.e.m.var(r.target).name);
        let name = self.define(text, Comment::of(&remark));
        self.now.own.insert(r.target, name);
        Ok(())
    }
}
