//! Verdicts on diagrams. What is asked of all snapshots is asked of them at once, without going back from them to the initial one, and
//! instance by instance: sets that are each about one stay small, their intersection need not.

use super::Judge;
use crate::abstraction::check::Refused;
use crate::logic::{Bool, Formula, Path, Temporal};
use crate::machine::ExprId;
use crate::native::bdd::{Bdd, Stop};

type Fml = Formula<ExprId>;

impl Judge<'_, '_> {
    /// The truth of a formula in the initial snapshot; `None` if it is unknown.
    pub fn verdict(&mut self, f: &Fml) -> Result<Option<bool>, Refused> {
        match f {
            Formula::Bool(Bool::Not(a)) => Ok(self.verdict(a)?.map(|v| !v)),
            Formula::Quantified(Path::A, Temporal::Globally(a)) => self.everywhere(a, true),
            Formula::Quantified(Path::E, Temporal::Finally(a)) => self.everywhere(a, false),
            _ => {
                let sys = &self.all.sys;
                for value in [true, false] {
                    if sys.space.meets(&sys.init, &self.side(f, value)?)? {
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            }
        }
    }

    /// `Some(value)` if the formula has this value wherever a run may get, `Some(!value)` if some run surely gets to where it has the other.
    fn everywhere(&mut self, f: &Fml, value: bool) -> Result<Option<bool>, Refused> {
        let all = self.all;
        if self.surely(all.reach.set.clone(), f, value)? {
            return Ok(Some(value));
        }
        if self.somewhere(all.reached()?, f, !value)? {
            return Ok(Some(!value));
        }
        if !self.somewhere(&all.reach.set, f, !value)? {
            return Ok(None);
        }
        // No single must-path gets there; that each concrete snapshot has some path of its own is still possible.
        let goal = self.side(f, !value)?;
        let from = all.each_gets_to(&goal, &all.sys.space.yes())?;
        Ok(all.sys.space.meets(&all.sys.init, &from)?.then_some(!value))
    }

    /// Has a formula this value in all snapshots of a set?
    fn surely(&mut self, within: Bdd, f: &Fml, value: bool) -> Result<bool, Refused> {
        match (f, value) {
            (Formula::Bool(Bool::Not(a)), _) => self.surely(within, a, !value),
            (Formula::Bool(Bool::And(parts)), true) | (Formula::Bool(Bool::Or(parts)), false) => {
                parts.iter().try_fold(true, |all, p| Ok(all && self.surely(within.clone(), p, value)?))
            }
            (Formula::Bool(Bool::Implies(a, b)), true) => {
                let left = self.without(&within, a, false)?;
                self.surely(left, b, true)
            }
            (Formula::Bool(Bool::Implies(a, b)), false) => {
                Ok(self.surely(within.clone(), a, true)? && self.surely(within, b, false)?)
            }
            _ => Ok(self.without(&within, f, value)?.is_false()),
        }
    }

    /// Has it this value in some snapshot of a set?
    fn somewhere(&mut self, within: &Bdd, f: &Fml, value: bool) -> Result<bool, Refused> {
        match (f, value) {
            (Formula::Bool(Bool::Not(a)), _) => self.somewhere(within, a, !value),
            (Formula::Bool(Bool::Or(parts)), true) | (Formula::Bool(Bool::And(parts)), false) => {
                parts.iter().try_fold(false, |any, p| Ok(any || self.somewhere(within, p, value)?))
            }
            (Formula::Bool(Bool::Implies(a, b)), true) => {
                Ok(self.somewhere(within, a, false)? || self.somewhere(within, b, true)?)
            }
            (Formula::Bool(Bool::Implies(a, b)), false) => {
                let left = self.all.sys.space.and(within, &self.side(a, true)?)?;
                Ok(!left.is_false() && self.somewhere(&left, b, false)?)
            }
            _ => {
                let side = self.side(f, value)?;
                self.all.sys.space.meets(within, &side).map_err(Stop::into)
            }
        }
    }

    fn without(&mut self, within: &Bdd, f: &Fml, value: bool) -> Result<Bdd, Refused> {
        let side = self.side(f, value)?;
        Ok(self.all.sys.space.diff(within, &side)?)
    }
}
