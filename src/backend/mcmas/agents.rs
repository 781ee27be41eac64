//! Who may do what, and what everybody sees.

use super::diagram::Dd;
use super::emit::{Emitter, Mode, choice_words};
use super::view::{Act, AgentView, Offer};
use crate::backend::comment::Comment;
use crate::backend::written::IMPOSSIBLE;
use crate::machine::AgentIx;
use rustc_hash::FxHashMap;

impl Emitter<'_> {
    pub(super) fn members(&self, group: &[AgentIx]) -> String {
        let names: Vec<&str> = group.iter().map(|a| self.agents[a.0].as_str()).collect();
        if names.is_empty() { self.nobody.clone().unwrap_or_else(|| IMPOSSIBLE.into()) } else { names.join(", ") }
    }

    /// The Environment's own actions, and when each is possible; equal conditions share a line.
    pub(super) fn environment(&self) -> (Vec<Act>, Vec<Offer>) {
        let all: Vec<usize> = (0..self.choices.len()).collect();
        (self.acts(&all), self.offers(&all, ""))
    }

    pub(super) fn acts(&self, choices: &[usize]) -> Vec<Act> {
        let act = |c: &usize| Act {
            name: self.choices[*c].clone(),
            remark: Comment::of(&choice_words(self.m, &self.pieces.choices[*c])),
        };
        choices.iter().map(act).collect()
    }

    pub(super) fn offers(&self, choices: &[usize], prefix: &str) -> Vec<Offer> {
        let mut by_guard: Vec<(Dd, Vec<&str>)> = Vec::new();
        let mut at: FxHashMap<Dd, usize> = FxHashMap::default();
        for c in choices {
            let guard = self.pieces.choices[*c].guard;
            let i = *at.entry(guard).or_insert_with(|| {
                by_guard.push((guard, Vec::new()));
                by_guard.len() - 1
            });
            by_guard[i].1.push(&self.choices[*c]);
        }
        let offer =
            |(guard, names): (Dd, Vec<&str>)| Offer { when: self.condition(guard, prefix), actions: names.join(", ") };
        by_guard.into_iter().map(offer).collect()
    }

    /// The scheduler picks an agent that can move. One whose choices are never possible has its action, since steps name it, but
    /// nothing offers it.
    pub(super) fn scheduler(&self) -> (Vec<Act>, Vec<Offer>) {
        let (mut acts, mut offers) = (Vec::new(), Vec::new());
        for (a, name) in AgentIx::all(&self.m.agents).zip(&self.picks) {
            if self.pieces.choices.iter().all(|c| self.m.actions[c.action].agent != a) {
                continue;
            }
            let possible = self.possible(Some(a));
            let offer = |guard: Dd| Offer { when: self.condition(guard, ""), actions: name.clone() };
            offers.extend(possible.into_iter().map(offer));
            acts.push(Act { name: name.clone(), remark: Comment::of(&format!("{} moves", self.m.agent_name(a))) });
        }
        (acts, offers)
    }

    pub(super) fn agent_views(&mut self) -> Vec<AgentView> {
        let mut views: Vec<AgentView> = AgentIx::all(&self.m.agents).map(|a| self.agent_view(a)).collect();
        if self.groups.iter().any(|(g, _)| g.is_empty()) {
            let name = self.namer.give('g', "agent", "nobody");
            self.nobody = Some(name.clone());
            views.push(AgentView {
                name,
                remark: Comment::of("Stands for the group without members"),
                sees: vec![],
                dummy: "x_g".into(),
                acts: vec![],
                none: "n_g".into(),
                offers: vec![],
            });
        }
        views
    }

    pub(super) fn agent_view(&self, a: AgentIx) -> AgentView {
        let mine: Vec<usize> = match self.mode {
            Mode::Plain => vec![],
            Mode::Strategies => {
                let of = |c: &usize| self.m.actions[self.pieces.choices[*c].action].agent == a;
                (0..self.choices.len()).filter(of).collect()
            }
        };
        let sees = match self.mode {
            Mode::Strategies if !mine.is_empty() => self.vars.clone(),
            Mode::Strategies => vec![],
            Mode::Plain => {
                // An agent whose knowledge nobody asks for need not see anything.
                let seen = self.pieces.sees.get(&a).map(Vec::as_slice).unwrap_or_default();
                seen.iter().map(|t| self.name(*t).to_string()).collect()
            }
        };
        AgentView {
            name: self.agents[a.0].clone(),
            remark: Comment::of(self.m.agent_name(a)),
            sees,
            dummy: format!("x_{}", self.agents[a.0]),
            acts: self.acts(&mine),
            none: format!("n_{}", self.agents[a.0]),
            offers: self.offers(&mine, "Environment."),
        }
    }
}
