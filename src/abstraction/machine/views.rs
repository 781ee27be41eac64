//! What agents see of predicates.
//!
//! Two snapshots *may* look the same to an agent unless it surely sees a difference: in predicates all of whose variables it sees. They
//! *do* look the same if nothing that hangs together with what it sees differs.

use super::Frame;
use super::step::Unfit;
use crate::machine::{ExprId, MachineAgent, VarId, View};
use std::collections::BTreeSet;

impl Frame<'_> {
    /// The agents with what they surely see, and with everything that what they see hangs together with.
    pub fn agents(&mut self) -> Result<(Vec<MachineAgent>, Vec<MachineAgent>), Unfit> {
        let (mut plain, mut keen) = (Vec::new(), Vec::new());
        for agent in &self.system.machine.agents {
            let private: Vec<VarId> = agent.private.iter().filter_map(|v| self.var(*v).ok()).collect();
            let mut visible = Vec::new();
            for view in &agent.views {
                visible.push(self.condition(view.visible)?);
            }
            let of = |views| MachineAgent { private: private.clone(), views, ..agent.clone() };
            let sure = self.sure_views(agent, &visible);
            plain.push(of(sure));
            let views = agent.views.iter().zip(&visible).map(|(view, visible)| {
                let seen = self.connected(&view.seen);
                View { name: view.name.clone(), visible: *visible, seen }
            });
            keen.push(of(views.collect()));
        }
        Ok((plain, keen))
    }

    fn sure_views(&mut self, agent: &MachineAgent, visible: &[ExprId]) -> Vec<View> {
        let mut views: Vec<View> = Vec::new();
        for (view, visible) in agent.views.iter().zip(visible) {
            let seen = view.seen.iter().filter_map(|v| self.var(*v).ok()).collect();
            views.push(View { name: view.name.clone(), visible: *visible, seen });
        }
        for (p, predicate) in self.predicates.list.iter().enumerate() {
            let Some(var) = self.truths.get(p).copied() else { continue };
            let mut needed: Vec<VarId> = predicate.vars.clone();
            needed.retain(|v| !agent.private.contains(v));
            let whole = agent.views.iter().position(|view| needed.iter().all(|v| view.seen.contains(v)));
            if let Some(view) = whole.and_then(|w| views.get_mut(w)) {
                view.seen.push(var);
            }
            // Seen through several windows, or through another one, whenever each variable is.
            let mut conditions = Vec::new();
            for v in &needed {
                let through = agent.views.iter().zip(visible).filter(|(view, _)| view.seen.contains(v));
                let through: Vec<ExprId> = through.map(|(_, e)| *e).collect();
                conditions.push(self.exprs.or(through));
            }
            let seen = self.exprs.and(conditions);
            let covered = whole.and_then(|w| visible.get(w)) == Some(&seen);
            if seen != crate::machine::FALSE && !covered {
                let name = format!("predicate {}", p + 1);
                views.push(View { name, visible: seen, seen: vec![var] });
            }
        }
        views
    }

    /// What is finite among these, the predicates that share abstracted data with them, and so on, and the finite variables that matter to
    /// those.
    fn connected(&self, seen: &[VarId]) -> Vec<VarId> {
        let system = self.system;
        let near = crate::abstraction::know::connected(system, self.predicates, &seen.iter().copied().collect());
        let list = near.iter().filter_map(|p| self.predicates.list.get(*p));
        let mentioned: BTreeSet<VarId> = list.flat_map(|p| p.vars.iter().copied()).collect();
        let pins = system.pins.iter().filter(|p| mentioned.contains(&p.var)).map(|p| p.when);
        let finite: BTreeSet<VarId> = seen.iter().copied().chain(mentioned.iter().copied()).chain(pins).collect();
        let finite = finite.into_iter().filter_map(|v| self.var(v).ok());
        finite.chain(near.iter().filter_map(|p| self.truths.get(*p).copied())).collect()
    }
}
