//! How many instances a true formula needs to stay true.

use super::{Cutoff, Idling, Leaf, Memory, Setting};
use crate::logic::{AgentIx, Bool, Formula, Know, Path, PathFormula, Temporal, TypeNo};

/// Slots to keep, and what for.
#[derive(Clone, Debug, Default)]
struct Price {
    slots: u32,
    why: Vec<String>,
}

/// What an endless run needs while those it is about wait.
const STARVER: &str = "one that acts while the others wait";
/// Where runs may end, endless ones are another matter.
const ENDS: &str = "it speaks of whole runs, and without idling they may end";

/// Why there is no price.
type NoPrice = String;

impl Price {
    fn none() -> Price {
        Price::default()
    }

    fn of(slots: u32, why: impl Into<String>) -> Price {
        Price { slots, why: vec![why.into()] }
    }

    fn and(mut self, other: Price) -> Price {
        self.slots = self.slots.saturating_add(other.slots);
        self.why.extend(other.why);
        self
    }

    fn or(self, other: Price) -> Price {
        if other.slots > self.slots { other } else { self }
    }
}

/// From how many instances on the verdict of a formula is the same, for an independent type in a setting; or why that is not known.
pub fn cutoff(f: &Formula<Leaf>, setting: &Setting) -> Result<Cutoff, String> {
    let found = Pricing { setting, relaxed: false }.verdict(f)?;
    Ok(Cutoff { instances: found.slots.max(1), why: found.why })
}

/// For a formula whose own price is unknown because agents remember what instances did: how many instances decide its relaxed form,
/// in which an agent is taken to know that the instances it thinks about are there. `holds`: the verdict of the relaxed form that
/// then is that of the formula, for any number. Agents may remember only that something has happened, not what came last.
pub fn sandwich(f: &Formula<Leaf>, setting: &Setting) -> Option<(bool, Cutoff)> {
    let p = Pricing { setting, relaxed: true };
    let cutoff = |price: Price| Cutoff { instances: price.slots.max(1), why: price.why };
    let refuted = p.price(f, true).map(|price| (false, cutoff(price)));
    refuted.or_else(|_| p.price(f, false).map(|price| (true, cutoff(price)))).ok()
}

/// Formulas priced in a setting.
pub(super) struct Pricing<'s> {
    pub(super) setting: &'s Setting,
    /// Knowledge is that of [`sandwich`]: it costs nothing, but must be asked for, not denied, and memory not be looked at.
    pub(super) relaxed: bool,
}

impl Pricing<'_> {
    /// The price of the formula or of its negation, whichever is less; else that of all its parts.
    fn verdict(&self, f: &Formula<Leaf>) -> Result<Price, NoPrice> {
        let (yes, no) = match f {
            Formula::Ltl(path) => (Err(String::new()), self.run(path)),
            _ => (self.price(f, true), self.price(f, false)),
        };
        match (yes, no) {
            (Ok(a), Ok(b)) => Ok(if b.slots < a.slots { b } else { a }),
            (Ok(a), _) | (_, Ok(a)) => Ok(a),
            (Err(a), Err(b)) => match f {
                Formula::Bool(b) if !matches!(b, Bool::Quant { .. }) => {
                    b.parts().into_iter().try_fold(Price::none(), |most, part| Ok(most.or(self.verdict(part)?)))
                }
                Formula::Quantified(Path::A, _) | Formula::Ltl(_) => Err(b),
                _ => Err(a),
            },
        }
    }

    /// Slots to keep so that a formula (or its negation) that is true stays true.
    fn price(&self, f: &Formula<Leaf>, positive: bool) -> Result<Price, NoPrice> {
        if self.tracked(f) {
            return Ok(Price::none());
        }
        match f {
            Formula::Atom(leaf) => self.leaf(leaf, positive),
            Formula::Bool(b) => self.bool(b, positive),
            Formula::Quantified(path, t) => self.quantified((*path == Path::E) == positive, t, positive),
            Formula::Know(kind, group, a) if positive => self.knows(*kind, group, a),
            Formula::Know(kind, group, a) => self.is_unsure(*kind, group, a),
            Formula::Can(..) => Err("strategies (<<…>>) are not studied for any number".into()),
            Formula::Fix(..) | Formula::Var(_) => Err("fixpoints (mu, nu) are not studied for any number".into()),
            Formula::Ltl(_) => Err("LTL stands outermost".into()),
        }
    }

    fn leaf(&self, leaf: &Leaf, positive: bool) -> Result<Price, NoPrice> {
        if let Some(odd) = leaf.odd {
            return Err(odd.into());
        }
        if self.relaxed {
            return Err("it looks at memory".into());
        }
        let mut price = Price::none();
        for &m in &leaf.memory {
            let name = self.memory_name(m);
            match self.memory(m) {
                Memory::Apart => {}
                Memory::Blind | Memory::Latch => price = price.and(Price::of(1, format!("who wrote {name}"))),
                Memory::Counting => return Err(format!("{name} can count instances")),
            }
        }
        if leaf.overflow && self.setting.counting_overflow {
            return Err("overflow can depend on how many instances acted".into());
        }
        if leaf.overflow && positive {
            price = price.and(Price::of(1, "who made it overflow"));
        }
        Ok(price)
    }

    fn bool(&self, b: &Bool<Formula<Leaf>>, positive: bool) -> Result<Price, NoPrice> {
        let sum = |parts: &[(&Formula<Leaf>, bool)]| {
            parts.iter().try_fold(Price::none(), |sum, (f, positive)| Ok(sum.and(self.price(f, *positive)?)))
        };
        let most = |parts: &[(&Formula<Leaf>, bool)]| {
            parts.iter().try_fold(Price::none(), |most, (f, positive)| Ok(most.or(self.price(f, *positive)?)))
        };
        match b {
            Bool::Not(a) => self.price(a, !positive),
            Bool::And(xs) | Bool::Or(xs) => {
                let parts: Vec<(&Formula<Leaf>, bool)> = xs.iter().map(|x| (x, positive)).collect();
                if matches!(b, Bool::And(_)) == positive { sum(&parts) } else { most(&parts) }
            }
            Bool::Implies(a, b) if positive => most(&[(a, false), (b, true)]),
            Bool::Implies(a, b) => sum(&[(a, true), (b, false)]),
            Bool::Iff(a, b) => Ok(sum(&[(a, true), (b, positive)])?.or(sum(&[(a, false), (b, !positive)])?)),
            Bool::Quant { exists, ty, body, .. } => {
                self.quantifier(*exists == positive, *ty, self.price(body, positive)?)
            }
        }
    }

    /// Some instance, or all of them, whose part has a price.
    fn quantifier(&self, exists: bool, ty: TypeNo, body: Price) -> Result<Price, NoPrice> {
        if ty == self.setting.ty {
            return match exists {
                true => Ok(Price::of(1, "an instance it speaks of").and(body)),
                false if body.slots == 0 => Ok(body),
                false => Err("it asks of every instance that there be another one".into()),
            };
        }
        let copies = self.setting.bounds.get(ty.0).copied().flatten();
        match (exists, copies) {
            (true, _) => Ok(body),
            (false, _) if body.slots == 0 => Ok(body),
            (false, Some(n)) => {
                let slots = body.slots.saturating_mul(n);
                Ok(Price { slots, why: body.why.iter().map(|w| format!("{w}, {n} times")).collect() })
            }
            (false, None) => Err("it asks of every instance of another type, of which there may be any number".into()),
        }
    }

    /// A temporal operator that asks for a run (`some`), or speaks of all of them; of its parts or of their negations.
    fn quantified(&self, some: bool, t: &Temporal<Formula<Leaf>>, positive: bool) -> Result<Price, NoPrice> {
        match (t, positive) {
            // EF a, and ¬AG a = EF ¬a.
            (Temporal::Finally(a), true) | (Temporal::Globally(a), false) if some => self.price(a, positive),
            // EG a, and ¬AF a = EG ¬a.
            (Temporal::Globally(a), true) | (Temporal::Finally(a), false) if some => self.lasts(a, positive),
            // AG a, and ¬EF a = AG ¬a.
            (Temporal::Globally(a), true) | (Temporal::Finally(a), false) => self.always(a, positive),
            (Temporal::Until(a, b), true) if some => match self.pure(a, true, false) {
                Some(false) => self.price(b, true),
                _ => Err("what holds until then speaks of more than one instance at a time".into()),
            },
            // ¬A(a U b) = EG ¬b ∨ E(¬b U ¬a ∧ ¬b).
            (Temporal::Until(a, b), false) if some => match self.pure(b, false, false) {
                Some(false) => Ok(self.lasts(b, false)?.or(self.price(a, false)?.and(self.price(b, false)?))),
                _ => Err("what holds until then speaks of more than one instance at a time".into()),
            },
            (Temporal::Next(_), _) => Err("it counts steps (X), and another instance may take the next one".into()),
            _ if self.idle_always() => Err("it says what must come, of more than the instances it names".into()),
            _ => Err("it says what must come, and others may act instead for ever".into()),
        }
    }

    /// `AG a`, or `AG ¬a`.
    fn always(&self, a: &Formula<Leaf>, positive: bool) -> Result<Price, NoPrice> {
        match self.pure(a, positive, false) {
            Some(false) => return Ok(Price::none()),
            Some(true) => return Ok(Price::of(1, "one beside those it speaks of")),
            None => {}
        }
        if let Formula::Bool(Bool::Quant { exists, var, ty, body }) = a
            && *exists == positive
            && *ty == self.setting.ty
            && self.tracked(body)
            && !self.speaks_of_others(body, *var)
        {
            return Ok(Price::of(1, "an instance that stays as it is asked for"));
        }
        Err("after a choice it speaks of all runs, and of more than one instance at a time".into())
    }

    /// `EG a`, or `EG ¬a`.
    fn lasts(&self, a: &Formula<Leaf>, positive: bool) -> Result<Price, NoPrice> {
        match self.pure(a, positive, false) {
            Some(false) => match self.setting.idling {
                Idling::Always => Ok(Price::none()),
                Idling::Terminal => Ok(Price::of(1, STARVER)),
                Idling::Never => Err(ENDS.into()),
            },
            _ => Err("it asks for an endless run on which instances are compared".into()),
        }
    }

    /// Knowledge of what is tracked.
    fn knows(&self, kind: Know, group: &[AgentIx], a: &Formula<Leaf>) -> Result<Price, NoPrice> {
        if kind == Know::Common {
            return Err("common knowledge is not studied for any number".into());
        }
        self.views_are_apart(group)?;
        if !self.tracked(a) {
            return Err("it asks what an agent knows about more than the instances it names".into());
        }
        let recorded = self.recorded(group);
        if self.relaxed && recorded.iter().all(|m| self.memory(*m) == Memory::Latch) {
            return Ok(Price::none());
        }
        if let Some(m) = recorded.first() {
            return Err(format!("it asks what an agent knows that remembers {}", self.memory_name(*m)));
        }
        Ok(Price::of(group.len() as u32, "the last instance that is seen"))
    }

    /// An agent that thinks something possible.
    fn is_unsure(&self, kind: Know, group: &[AgentIx], a: &Formula<Leaf>) -> Result<Price, NoPrice> {
        self.views_are_apart(group)?;
        if self.relaxed {
            return Err("it asks what an agent does not know".into());
        }
        let one = |members: &[AgentIx]| -> Result<Price, NoPrice> {
            let mut price = self.price(a, false)?;
            for m in self.recorded(members) {
                let name = self.memory_name(m);
                if self.memory(m) == Memory::Counting {
                    return Err(format!(
                        "it asks what an agent knows that remembers {name}, which can count instances"
                    ));
                }
                price = price.and(Price::of(2, format!("who wrote {name}, in both snapshots that look alike")));
            }
            Ok(price)
        };
        match kind {
            Know::K | Know::Distributed => one(group),
            Know::Everybody => group.iter().try_fold(Price::none(), |most, a| Ok(most.or(one(&[*a])?))),
            Know::Common => Err("common knowledge is not studied for any number".into()),
        }
    }

    pub(super) fn views_are_apart(&self, group: &[AgentIx]) -> Result<(), NoPrice> {
        match group.iter().all(|a| self.setting.sees_apart.get(a.0).copied().unwrap_or(false)) {
            true => Ok(()),
            false => Err("what an agent sees of an instance depends on more than that instance".into()),
        }
    }

    /// Variables that the members of a group remember and that instances write.
    pub(super) fn recorded(&self, group: &[AgentIx]) -> Vec<usize> {
        let all = group.iter().filter_map(|a| self.setting.remembers.get(a.0)).flatten().copied();
        let mut found: Vec<usize> = all.filter(|m| self.memory(*m).is_recorded()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(super) fn idle_always(&self) -> bool {
        self.setting.idling == Idling::Always
    }

    pub(super) fn memory(&self, m: usize) -> Memory {
        self.setting.memory.get(m).copied().unwrap_or(Memory::Counting)
    }

    pub(super) fn memory_name(&self, m: usize) -> &str {
        self.setting.memory_names.get(m).map_or("a private variable", String::as_str)
    }

    /// The price of a run on which a path formula fails.
    fn run(&self, path: &PathFormula<Leaf>) -> Result<Price, NoPrice> {
        let price = self.along(path, false)?;
        match self.setting.idling {
            Idling::Always => Ok(price),
            Idling::Terminal => Ok(price.and(Price::of(1, STARVER))),
            Idling::Never => Err(ENDS.into()),
        }
    }

    /// The price of a path formula, or of its negation, on a run.
    fn along(&self, f: &PathFormula<Leaf>, positive: bool) -> Result<Price, NoPrice> {
        let single = |g: &PathFormula<Leaf>, positive| match g {
            PathFormula::State(s) => self.pure(s, positive, false) == Some(false),
            _ => false,
        };
        let sum = |parts: &[(&PathFormula<Leaf>, bool)]| {
            parts.iter().try_fold(Price::none(), |sum, (g, positive)| Ok(sum.and(self.along(g, *positive)?)))
        };
        let most = |parts: &[(&PathFormula<Leaf>, bool)]| {
            parts.iter().try_fold(Price::none(), |most, (g, positive)| Ok(most.or(self.along(g, *positive)?)))
        };
        match f {
            PathFormula::State(s) => self.price(s, positive),
            PathFormula::Bool(b) => match b {
                Bool::Not(a) => self.along(a, !positive),
                Bool::And(xs) | Bool::Or(xs) => {
                    let parts: Vec<_> = xs.iter().map(|x| (x, positive)).collect();
                    if matches!(b, Bool::And(_)) == positive { sum(&parts) } else { most(&parts) }
                }
                Bool::Implies(a, b) if positive => most(&[(a, false), (b, true)]),
                Bool::Implies(a, b) => sum(&[(a, true), (b, false)]),
                Bool::Iff(a, b) => Ok(sum(&[(a, true), (b, positive)])?.or(sum(&[(a, false), (b, !positive)])?)),
                Bool::Quant { exists, ty, body, .. } => {
                    self.quantifier(*exists == positive, *ty, self.along(body, positive)?)
                }
            },
            PathFormula::Temporal(t) => match (t, positive) {
                (Temporal::Finally(a), true) | (Temporal::Globally(a), false) => self.along(a, positive),
                (Temporal::Globally(a), true) | (Temporal::Finally(a), false) if single(a, positive) => {
                    Ok(Price::none())
                }
                (Temporal::Until(a, b), true) if single(a, true) => self.along(b, true),
                (Temporal::Until(a, b), false) if single(b, false) => self.along(a, false),
                (Temporal::Next(_), _) => Err("it counts steps (X), and another instance may take the next one".into()),
                _ => Err("on the run it asks for, instances are compared again and again".into()),
            },
        }
    }
}
