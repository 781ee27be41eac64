//! Are the external checkers there, and do they work?

use super::by_checkers;
use crate::answer::{Engine, Verdict};
use crate::backend::drive::{Tool, ToolError};
use crate::backend::{CHECKERS, Checker, Options};
use crate::logic::{Connected, Formula, Property};
use crate::machine::{
    Action, AgentIx, Assign, Body, BodyIx, ExprId, Exprs, Fault, Machine, MachineAgent, TRUE, Valid, Var, VarId,
    validate,
};
use crate::machine::{Domain, Idle};
use crate::source::Span;

/// The state of one engine.
#[derive(Clone, Debug)]
pub struct Health {
    /// The engine.
    pub engine: Engine,
    /// Where it is and what it says it is, or why there is none.
    pub tool: Result<Tool, ToolError>,
    /// Did it decide a machine of two states as it should? Nothing when there is no tool.
    pub self_test: Option<Result<(), String>>,
    /// The logics it covers.
    pub covers: &'static str,
    /// What to do to get it.
    pub get: &'static str,
    /// How to name its program.
    pub named_by: String,
}

impl Health {
    /// Is it ready for work?
    pub fn is_well(&self) -> bool {
        self.tool.is_ok() && matches!(self.self_test, Some(Ok(())))
    }
}

/// Looks at every external engine.
pub fn doctor(o: &Options) -> Vec<Health> {
    let look = |c: &Checker| {
        let tool = c.find(o.program(c.engine));
        let self_test = tool.is_ok().then(|| self_test(c.engine, o));
        let (get, named_by) = (c.known.get, c.known.named_by());
        Health { engine: c.engine, tool, self_test, covers: c.fragment.covers, get, named_by }
    };
    CHECKERS.into_iter().map(look).collect()
}

fn self_test(engine: Engine, o: &Options) -> Result<(), String> {
    let machine = lamp().map_err(|e| e.to_string())?;
    for (answer, expected) in by_checkers(&[engine], &machine, &[0, 1], o).iter().zip([Verdict::True, Verdict::False]) {
        let name = &answer.property;
        if answer.verdict != expected {
            let why = answer.reason.clone().unwrap_or_default();
            return Err(format!("{name} should be {}, not {}: {why}", expected.name(), answer.verdict.name()));
        }
        if !answer.trace.as_ref().is_some_and(|t| t.certified && t.steps.len() == 1) {
            let why = answer.reason.clone().unwrap_or_else(|| "there is none".into());
            return Err(format!("the run for {name} is not the one it should be: {why}"));
        }
    }
    Ok(())
}

/// A lamp that can be switched on: two states, `EF on` holds and `AG !on` does not.
pub(crate) fn lamp() -> Result<Valid, Fault> {
    let mut exprs = Exprs::default();
    let (on, overflow) = (VarId(0), VarId(1));
    let (now, before) = (exprs.cur(on), exprs.prev(on));
    let off = exprs.not(before);
    let var = |name: &str| Var { name: name.into(), domain: Domain::Bool, init: 0, scratch: false, slot: None };
    let property = |name: &str, formula: Formula<ExprId>| Property::new(name, formula, Span::NOWHERE);
    let atom = || Formula::Atom(now);
    validate(Machine {
        name: "lamp".into(),
        vars: vec![var("on"), var("overflow")],
        slots: vec![],
        agents: vec![MachineAgent { name: None, private: vec![], sees_all: true, views: vec![] }],
        bodies: vec![Body {
            event: "switch".into(),
            target: None,
            inputs: vec![],
            effect: vec![Assign { var: on, value: TRUE }],
            applicable: off,
            rules: vec![],
            finish: vec![],
            components: vec![],
        }],
        actions: vec![Action { agent: AgentIx(0), body: BodyIx(0), allowed: TRUE, updates: vec![] }],
        idle: Idle::Terminal,
        overflow,
        questions: vec![],
        properties: vec![property("EF on", Formula::ef(atom())), property("AG !on", Formula::ag(atom().not()))],
        bounds: vec![],
        left_out: vec![],
        cyclic: false,
        exprs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_works_and_what_is_missing_is_explained() {
        for health in doctor(&Options::default()) {
            match &health.tool {
                Ok(_) => assert!(health.is_well(), "{}: {:?}", health.engine, health.self_test),
                Err(why) => assert!(why.to_string().contains(health.get), "{why}"),
            }
        }
        let nowhere =
            Options { programs: vec![(crate::backend::nusmv::ENGINE, "/nowhere/NuSMV".into())], ..Options::default() };
        let health = doctor(&nowhere).swap_remove(0);
        assert!(matches!(health.tool, Err(ToolError::Strange(_))) && !health.is_well());
    }
}
