//! Numbers and texts without given values that are compared with one another or computed with. Those that hang together share what they are
//! compared with; how far they are apart in comparisons is room on top. That is a guess: what it may hide is told beside verdicts.

use super::bags;
use super::flow::{Copy, kind_of};
use super::gather::{Compared, Key, Met, constant};
use crate::lang::gsm::resolve::{Draft, Facets};
use crate::lang::gsm::{AttrIx, DataKind, Decimal, Expr, ExprKind, Guess, Guessed, TypeIx};
use crate::machine::{ArithOp, CompareOp, Ends, arith};
use std::collections::{BTreeMap, BTreeSet};

/// What is compared or computed with one another, and how far apart.
#[derive(Default)]
struct Group {
    keys: BTreeSet<Key>,
    /// Room below and above, comparison by comparison.
    room: BTreeSet<(Vec<Key>, Ends)>,
}

/// Most room for the sake of a product, whose diagrams grow fast.
const MOST_FACTOR: i64 = 64;

/// Most instances that are taken to differ one after the other.
const MOST_IN_A_ROW: i64 = 15;

/// What is known of values.
pub struct Known<'a> {
    /// The model.
    pub draft: &'a Draft,
    /// Ranges that the user gives.
    pub ranges: &'a BTreeMap<Key, Ends>,
    /// Copies made by tasks.
    pub copies: &'a [Copy],
    /// Whole numbers around what numbers with fractions meet.
    pub reals: &'a BTreeMap<Key, Ends>,
}

impl Known<'_> {
    /// Adds to what was met what comparisons need, and gives the data for which that is a guess.
    pub fn settle(&self, compared: &[Compared], met: &mut BTreeMap<Key, Met>) -> BTreeSet<Key> {
        let mut groups: Vec<Group> = Vec::new();
        for c in compared {
            let mut free: Vec<Key> = Vec::new();
            c.sides.iter().for_each(|side| side.walk(&mut |e| free.extend(c.key(&self.draft.app, e))));
            free.retain(|key| self.is_free(*key));
            match free.len() {
                0 => {}
                1 if !self.is_number(free[0]) => {}
                1 => self.alone(c, met),
                _ => join(&mut groups, self.coupled(c, free, met)),
            }
        }
        let keys = |g: &Group| g.keys.clone();
        self.share(&groups, met);
        for g in &groups {
            let (below, above) = g.room.iter().fold((0i64, 0i64), |(lo, hi), (_, (below, above))| {
                (lo.saturating_add(*below), hi.saturating_add(*above))
            });
            for key in &g.keys {
                let points = &mut met.entry(*key).or_default().points;
                let (lo, hi) = ends(points);
                points.extend([lo.saturating_sub(below), hi.saturating_add(above)]);
            }
        }
        self.share(&[], met);
        groups.iter().flat_map(keys).collect()
    }

    /// A number without given ends, or a text.
    fn is_free(&self, key: Key) -> bool {
        match kind_of(&self.draft.app, key) {
            Some(DataKind::Integer) => self.given(key).is_none(),
            Some(DataKind::Text) => true,
            _ => false,
        }
    }

    fn given(&self, key: Key) -> Option<Ends> {
        let app = &self.draft.app;
        let facets: Option<&Facets> = match key {
            Key::Attr(ty, attr) => {
                if let DataKind::Reference(to) = app.types.get(ty.0)?.attrs.get(attr.0)?.kind {
                    return Some((0, i64::from(app.types.get(to.0)?.bound)));
                }
                self.draft.facets.get(ty.0).and_then(|all| all.get(attr.0))
            }
            Key::Field(event, at) => self.draft.field_facets.get(event.0).and_then(|all| all.get(at)),
        };
        let real = self.reals.get(&key).or_else(|| self.ranges.get(&key));
        real.copied().or_else(|| Some((facets?.min?, facets?.max?)))
    }

    /// One number without range among others that have one: what it is compared with, and one value beyond.
    fn alone(&self, c: &Compared, met: &mut BTreeMap<Key, Met>) {
        let [a, b] = c.sides;
        let (side, other) = if self.has_free(c, a) { (a, b) } else { (b, a) };
        let (lo, hi) = self.ends_of(c, other);
        if let Some((key, (lo, hi))) = self.solved(c, side, (lo.saturating_sub(1), hi.saturating_add(1))) {
            met.entry(key).or_default().points.extend([lo, hi]);
        }
    }

    /// Which values the number without range has where an expression has these.
    fn solved(&self, c: &Compared, e: &Expr, (lo, hi): Ends) -> Option<(Key, Ends)> {
        let ExprKind::Arith(op, a, b) = &e.kind else {
            return c.key(&self.draft.app, e).map(|key| (key, (lo, hi)));
        };
        let first = self.has_free(c, a);
        let (inner, other) = if first { (a, b) } else { (b, a) };
        let by = self.ends_of(c, other);
        let far = |(a, b): Ends| a.saturating_abs().max(b.saturating_abs());
        let around = |n: i64| if lo.min(by.0) < 0 { (n.saturating_neg(), n) } else { (0, n) };
        // A number that is multiplied with a fraction, or divided by one, goes as far as the other way round.
        let fraction = constant(other).filter(|d| d.parts() > 1 && *d != Decimal::ZERO);
        let wanted = match (op, first) {
            (ArithOp::Mul, _) if fraction.is_some() => times((lo, hi), fraction, false),
            (ArithOp::Div, true) if fraction.is_some() => times((lo, hi), fraction, true),
            (ArithOp::Add, _) => arith(ArithOp::Sub, (lo, hi), by),
            (ArithOp::Sub, true) => arith(ArithOp::Add, (lo, hi), by),
            (ArithOp::Sub, false) => arith(ArithOp::Sub, by, (lo, hi)),
            (ArithOp::Mul, _) if by.0 == by.1 && by.0 != 0 => {
                let ends = [lo, hi].map(|n| n.checked_div(by.0).unwrap_or(n));
                (ends[0].min(ends[1]).saturating_sub(1), ends[0].max(ends[1]).saturating_add(1))
            }
            (ArithOp::Mul, _) => around(far((lo, hi))),
            (ArithOp::Div | ArithOp::Over, true) => {
                around(far((lo, hi)).saturating_add(1).saturating_mul(far(by).max(1)))
            }
            (ArithOp::Div | ArithOp::Over, false) => around(far(by).saturating_add(1)),
        };
        self.solved(c, inner, wanted)
    }

    fn has_free(&self, c: &Compared, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= c.key(&self.draft.app, e).is_some_and(|key| self.is_free(key)));
        found
    }

    /// How far something goes that has given ends; what is free counts as 0.
    fn ends_of(&self, c: &Compared, e: &Expr) -> Ends {
        let app = &self.draft.app;
        if let Some(n) = constant(e) {
            return (n.floor(), n.ceil());
        }
        let agents = || app.agents.as_deref().unwrap_or_default();
        let bound = |ty: TypeIx| app.types.get(ty.0).map_or(0, |t| i64::from(t.bound));
        match &e.kind {
            ExprKind::Arith(op, a, b) => arith(*op, self.ends_of(c, a), self.ends_of(c, b)),
            ExprKind::Private { agent, var } => {
                let var = agents().get(*agent).and_then(|a| a.vars.get(*var));
                var.map_or((0, 0), |v| v.domain.bounds())
            }
            ExprKind::Id { .. } => (0, app.types.iter().map(|t| i64::from(t.bound)).max().unwrap_or(0)),
            ExprKind::Count { ty, .. } => (0, bound(*ty)),
            ExprKind::Tally { ty, bag, .. } => {
                let regions = app.types.get(ty.0).and_then(|t| t.bags.get(bag.0)).map_or(&[][..], |b| &b.regions);
                let range = |attr: AttrIx| self.ranges.get(&Key::Attr(*ty, attr)).copied().unwrap_or(bags::USUAL);
                regions.iter().fold((0, 0), |sum, r| arith(ArithOp::Add, sum, range(r.counter)))
            }
            _ => c.key(app, e).and_then(|key| self.given(key)).unwrap_or((0, 0)),
        }
    }

    /// Several without range: they meet the ends of the others, and need room for the numbers of the comparison.
    fn coupled(&self, c: &Compared, mut free: Vec<Key>, met: &mut BTreeMap<Key, Met>) -> Group {
        let (mut numbers, mut others, mut products) = (i64::from(c.op != CompareOp::Eq), Vec::new(), 0);
        let mut shifted = true;
        for side in c.sides {
            shifted &= constant(side).is_none();
            side.walk(&mut |e| match &e.kind {
                ExprKind::Int(_) | ExprKind::Decimal(_) => {
                    numbers = numbers.saturating_add(
                        constant(e).map_or(0, |d| d.floor().saturating_abs().max(d.ceil().saturating_abs())),
                    );
                }
                ExprKind::Arith(op, a, b) => {
                    products += usize::from(*op != ArithOp::Add && *op != ArithOp::Sub && constant(b).is_none());
                    shifted &=
                        matches!(op, ArithOp::Add | ArithOp::Sub) && (constant(b).is_some() || constant(a).is_some());
                }
                _ => others.extend(Some(self.ends_of(c, e)).filter(|ends| *ends != (0, 0))),
            });
        }
        numbers = numbers.saturating_mul(self.in_a_row(&free));
        if products > 0 {
            numbers = numbers.min(MOST_FACTOR);
        }
        for key in &free {
            let points = &mut met.entry(*key).or_default().points;
            points.extend(others.iter().flat_map(|(lo, hi)| [lo, hi]));
        }
        free.sort_unstable();
        let keys = free.iter().copied().collect();
        // What is only further on than another one need not be below 0.
        let below = if shifted { 0 } else { numbers };
        Group { keys, room: BTreeSet::from([(free, (below, numbers))]) }
    }

    /// Where numbers of several instances are compared, how many of them may be apart, one after the other.
    fn in_a_row(&self, free: &[Key]) -> i64 {
        let twice = |key: &&Key| free.iter().filter(|other| other == key).count() > 1;
        let bound = |key: &Key| match key {
            Key::Attr(ty, _) => self.draft.app.types.get(ty.0).map(|t| i64::from(t.bound)),
            Key::Field(..) => None,
        };
        let most = free.iter().filter(twice).filter_map(bound).max().unwrap_or(1);
        (most - 1).clamp(1, MOST_IN_A_ROW)
    }

    /// Members of a group meet the same, and what is copied meets what its copy meets.
    fn share(&self, groups: &[Group], met: &mut BTreeMap<Key, Met>) {
        loop {
            let mut changed = false;
            for g in groups {
                let all: Vec<Met> = g.keys.iter().filter_map(|key| met.get(key).cloned()).collect();
                let mut points: Vec<i64> = all.iter().flat_map(|m| m.points.iter().copied()).collect();
                points.extend(g.keys.iter().filter_map(|key| self.initial(*key)));
                let texts: Vec<String> = all.iter().flat_map(|m| m.texts.iter().cloned()).collect();
                g.keys.iter().for_each(|key| changed |= meet(met.entry(*key).or_default(), &points, &texts));
            }
            for Copy { from, to, .. } in self.copies.iter().filter(|c| self.is_number(c.from)) {
                let mut points = met.get(to).map(|m| m.points.clone()).unwrap_or_default();
                points.extend(self.given(*to).into_iter().flat_map(|(lo, hi)| [lo, hi]));
                changed |= self.is_free(*from) && meet(met.entry(*from).or_default(), &points, &[]);
            }
            if !changed {
                return;
            }
        }
    }

    fn is_number(&self, key: Key) -> bool {
        kind_of(&self.draft.app, key) == Some(DataKind::Integer)
    }

    /// The number that something begins with.
    fn initial(&self, key: Key) -> Option<i64> {
        let Key::Attr(ty, attr) = key else { return None };
        self.draft.facets.get(ty.0)?.get(attr.0)?.initial.as_ref()?.text.trim().parse().ok()
    }

    /// What is told about guesses, once domains are settled.
    pub fn told(draft: &Draft, guessed: &BTreeSet<Key>) -> Vec<Guess> {
        let one = |key: &Key| match key {
            Key::Attr(ty, attr) => {
                let t = draft.app.types.get(ty.0)?;
                let a = t.attrs.get(attr.0)?;
                let range = (a.kind == DataKind::Integer).then(|| a.domain.bounds());
                Some(Guess { name: format!("{}.{}", t.id, a.path), range, of: Guessed::Attr(*ty, *attr) })
            }
            Key::Field(ix, at) => {
                let event = draft.app.events.get(ix.0)?;
                let field = event.payload.get(*at)?;
                let range = (field.kind == DataKind::Integer).then(|| field.domain.bounds());
                Some(Guess { name: format!("{} of {}", field.name, event.id), range, of: Guessed::Field(*ix, *at) })
            }
        };
        guessed.iter().filter_map(one).collect()
    }
}

/// Numbers times a fraction or divided by it, and one more on both sides.
fn times((lo, hi): Ends, by: Option<Decimal>, multiplied: bool) -> Ends {
    let parts = by.map_or(1, |d| i128::from(d.parts()));
    let digits = by.and_then(|d| d.in_parts(d.parts())).map_or(1, i128::from);
    let (over, under) = if multiplied { (digits, parts) } else { (parts, digits) };
    let ends = [lo, hi].map(|n| (i128::from(n) * over).checked_div(under).unwrap_or(0));
    let near = |n: i128| i64::try_from(n).unwrap_or(if n < 0 { i64::MIN } else { i64::MAX });
    (near(ends[0].min(ends[1]) - 1), near(ends[0].max(ends[1]) + 1))
}

/// Smallest and largest of some numbers and 0.
fn ends(points: &[i64]) -> Ends {
    points.iter().fold((0, 0), |(lo, hi), n| (lo.min(*n), hi.max(*n)))
}

/// Adds what lies outside of what was met; says whether there was something.
fn meet(met: &mut Met, points: &[i64], texts: &[String]) -> bool {
    let before = (met.points.len(), met.texts.len());
    let ((lo, hi), (first, last)) = (ends(&met.points), ends(points));
    met.points.extend([first].into_iter().filter(|n| *n < lo));
    met.points.extend([last].into_iter().filter(|n| *n > hi));
    texts.iter().for_each(|t| met.text(t));
    before != (met.points.len(), met.texts.len())
}

/// Adds a group; those that it touches become one with it.
fn join(groups: &mut Vec<Group>, mut new: Group) {
    let (touched, others): (Vec<Group>, Vec<Group>) = groups.drain(..).partition(|g| !g.keys.is_disjoint(&new.keys));
    for g in touched {
        new.keys.extend(g.keys);
        new.room.extend(g.room);
    }
    *groups = others;
    groups.push(new);
}
