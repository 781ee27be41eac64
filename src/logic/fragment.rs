//! Which engine can decide which property, before anything runs: what a property uses, and what each engine refuses.

use super::linear::Claims;
use super::{Formula, Logic, Property};

/// The operators that a formula uses beyond connectives and branching time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Knowledge.
    pub knowledge: bool,
    /// Strategies of groups.
    pub strategies: bool,
    /// Fixpoints.
    pub fixpoints: bool,
    /// Linear time.
    pub runs: bool,
}

impl<A> Formula<A> {
    /// The operators inside.
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::default();
        self.walk(&mut |part| match part {
            Formula::Know(..) => uses.knowledge = true,
            Formula::Can(..) => uses.strategies = true,
            Formula::Fix(..) | Formula::Var(_) => uses.fixpoints = true,
            Formula::Ltl(_) => uses.runs = true,
            Formula::Atom(_) | Formula::Bool(_) | Formula::Quantified(..) => {}
        });
        uses
    }

    /// The smallest logic that holds the formula.
    pub fn logic(&self) -> Logic {
        let uses = self.uses();
        let (plain, with_knowledge) = match uses {
            Uses { runs: true, .. } => (Logic::Ltl, Logic::Ltlk),
            Uses { fixpoints: true, .. } => (Logic::Mu, Logic::Muk),
            Uses { strategies: true, .. } => (Logic::Atl, Logic::Atlk),
            _ => (Logic::Ctl, Logic::Ctlk),
        };
        if uses.knowledge { with_knowledge } else { plain }
    }
}

/// How a property's fairness constraints look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// There are none.
    None,
    /// Each speaks of single snapshots.
    OfSnapshots,
    /// One has a temporal, strategic or knowledge operator.
    Other,
}

/// Something an engine does not decide.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// Whether it applies to a property.
    pub when: fn(Uses, Fairness) -> bool,
    /// Why.
    pub why: &'static str,
}

/// What an engine decides.
#[derive(Clone, Copy, Debug)]
pub struct Fragment {
    /// In words, for people.
    pub covers: &'static str,
    /// What it refuses; the first that applies is the reason.
    pub refuses: &'static [Refusal],
    /// It knows runs only: branching formulas must be equivalent to claims about them. Its name, for the reason.
    pub claims: Option<&'static str>,
}

impl Fragment {
    /// Why the property is not in the fragment; `None` when it is.
    pub fn refuses<A: Clone>(&self, p: &Property<A>) -> Option<String> {
        let (uses, fair) = (p.formula.uses(), p.fairness());
        if let Some(refusal) = self.refuses.iter().find(|r| (r.when)(uses, fair)) {
            return Some(refusal.why.to_string());
        }
        let name = self.claims?;
        Claims::of(p, &|_| false).err().map(|why| format!("{name} checks claims about runs; {why}"))
    }
}

/// Fairness that speaks of more than single snapshots.
pub const ODD_FAIRNESS: Refusal =
    Refusal { when: |_, fair| fair == Fairness::Other, why: "fairness must speak of single snapshots" };

impl<A> Property<A> {
    /// The logic of the formula.
    pub fn logic(&self) -> Logic {
        self.formula.logic()
    }

    /// How its fairness constraints look.
    pub fn fairness(&self) -> Fairness {
        match self.fair.iter().all(Formula::is_state) {
            _ if self.fair.is_empty() => Fairness::None,
            true => Fairness::OfSnapshots,
            false => Fairness::Other,
        }
    }
}
