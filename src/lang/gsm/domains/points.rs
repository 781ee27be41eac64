//! Numbers with fractions within bounds: all constants that each meets are points of it, and so is one number between two neighbours.

use super::flow::{Copy, kind_of};
use super::gather::{Compared, Gatherer, Key, Met};
use super::{Known, reals};
use crate::lang::gsm::resolve::{Draft, Facets};
use crate::lang::gsm::{
    Application, AttrIx, Constant, DataKind, Decimal, ExprKind, Guess, ModelProperty, TaskStep, TypeIx,
};
use crate::machine::{Cut, Domain, Ends, Points};
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A number with fractions, with what is said about its values.
pub struct Number<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Where it is declared.
    pub span: Span,
    /// Its facets.
    pub facets: &'a Facets,
    /// A range that the user gives.
    pub range: Option<Ends>,
}

impl Number<'_> {
    /// Its ends, and whether each of them is no value itself.
    fn ends(&self) -> [(Option<Decimal>, bool); 2] {
        match (self.range, self.facets.ends) {
            (Some((lo, hi)), _) => [(Some(lo.into()), false), (Some(hi.into()), false)],
            (None, ends) => [(ends.lo, ends.open.0), (ends.hi, ends.open.1)],
        }
    }

    /// The number that it begins with, where that is said.
    fn initial(&self) -> Option<Decimal> {
        self.facets.initial.as_ref().and_then(|word| reals::read(&word.text))
    }

    /// Its points, and the code that it begins with.
    pub fn points(&self, met: &Met, unit: i64, diags: &mut Diagnostics) -> (Domain, i64) {
        let ends = self.ends();
        let [(lo, _), (hi, _)] = ends;
        let beyond = |d: &Decimal| lo.is_some_and(|lo| *d < lo) || hi.is_some_and(|hi| *d > hi);
        for (d, span) in met.constants.iter().filter(|(d, _)| beyond(d)) {
            let end = |d: Option<Decimal>| d.map_or(String::new(), |d| d.text());
            let message = format!("{} is outside the range {}..{} of '{}'", d.text(), end(lo), end(hi), self.name);
            diags.push(Diagnostic::new(&typing::OUT_OF_RANGE, *span, message));
        }
        let constants: Option<Vec<i64>> = met.decimals.iter().map(|d| d.in_parts(unit)).collect();
        let cut = |(end, open): (Option<Decimal>, bool)| match end.map(|d| d.in_parts(unit)) {
            None => Some(Cut::default()),
            Some(end) => end.map(|end| Cut { end: Some(end), open }),
        };
        let (Some(constants), Some(lo), Some(hi)) = (constants, cut(ends[0]), cut(ends[1])) else {
            diags.push(reals::too_long(self.name, unit, self.span));
            return (Domain::Int { lo: 0, hi: 1 }, 0);
        };
        let Some(points) = Points::of(unit, constants, lo, hi) else {
            let message = format!("the bounds of '{}' leave no value", self.name);
            diags.push(Diagnostic::new(&model::BAD_FACET, self.span, message));
            return (Domain::Int { lo: 0, hi: 1 }, 0);
        };
        let init = self.initial().unwrap_or(Decimal::ZERO);
        let last = points.list().len() as i64 - 1;
        let above = ends[1].0.is_some_and(|hi| init >= hi);
        let code = points.code_of(&init.number()).unwrap_or(if above { last } else { 0 });
        (Domain::Points(points), code)
    }
}

/// Is it a number with fractions?
pub fn is_real(app: &Application, key: Key) -> bool {
    kind_of(app, key) == Some(DataKind::Integer) && reals::is_real_key(app, key)
}

/// Lets every number with fractions meet its ends and its initial value, and everything that is copied meet the same as its copy.
pub fn share(draft: &Draft, ranges: &BTreeMap<Key, Ends>, copies: &[Copy], met: &mut BTreeMap<Key, Met>) {
    for (key, facets) in all_facets(draft) {
        if !is_real(&draft.app, key) {
            continue;
        }
        let number = Number { name: "", span: Span::NOWHERE, facets, range: ranges.get(&key).copied() };
        let begins = matches!(key, Key::Attr(..)).then(|| number.initial().unwrap_or(Decimal::ZERO));
        let ends = number.ends().into_iter().filter_map(|(end, _)| end);
        met.entry(key).or_default().decimals.extend(ends.chain(begins));
    }
    let is_number = |key: Key| kind_of(&draft.app, key) == Some(DataKind::Integer);
    let copies: Vec<&Copy> = copies.iter().filter(|c| is_number(c.from) && is_number(c.to)).collect();
    let mut grown = true;
    while std::mem::take(&mut grown) {
        for (one, other) in copies.iter().flat_map(|c| [(c.from, c.to), (c.to, c.from)]) {
            let more = met.get(&other).map(|m| m.decimals.clone()).unwrap_or_default();
            let decimals = &mut met.entry(one).or_default().decimals;
            let before = decimals.len();
            decimals.extend(more);
            grown |= decimals.len() > before;
        }
    }
}

fn all_facets(draft: &Draft) -> impl Iterator<Item = (Key, &Facets)> {
    let attrs = draft.facets.iter().enumerate().flat_map(|(ty, all)| {
        all.iter().enumerate().map(move |(at, facets)| (Key::Attr(TypeIx(ty), AttrIx(at)), facets))
    });
    let fields = draft.field_facets.iter().enumerate().flat_map(|(event, all)| {
        all.iter().enumerate().map(move |(at, facets)| (Key::Field(crate::lang::gsm::EventIx(event), at), facets))
    });
    attrs.chain(fields)
}

/// Whole numbers around all constants that each number with fractions meets, with one more on both sides.
pub fn ends(app: &Application, met: &BTreeMap<Key, Met>) -> BTreeMap<Key, Ends> {
    let around =
        |m: &Met| Some((m.decimals.first()?.floor().saturating_sub(1), m.decimals.last()?.ceil().saturating_add(1)));
    met.iter().filter(|(key, _)| is_real(app, **key)).map(|(key, m)| (*key, around(m).unwrap_or((0, 0)))).collect()
}

/// How many parts make 1: so many that all constants are a whole number of them, and so is the middle of two.
pub fn unit(app: &Application, properties: &[ModelProperty], met: &BTreeMap<Key, Met>) -> i64 {
    let mut parts = met.values().flat_map(|m| &m.decimals).map(|d| d.parts()).max().unwrap_or(1);
    Gatherer::expressions(app, properties, &mut |e| {
        e.walk(&mut |part| parts = parts.max(Constant::of(part).map_or(1, |c| c.value.parts())));
    });
    parts.saturating_mul(10)
}

/// The numbers with fractions for whose results the point of their interval stands: what is computed with, compared with other data, or copied
/// where there are no fractions.
pub fn rounded(draft: &Draft, compared: &[Compared], copies: &[Copy]) -> Vec<Guess> {
    let app = &draft.app;
    let mut keys: BTreeSet<Key> = BTreeSet::new();
    for c in compared {
        c.sides.iter().for_each(|side| side.walk(&mut |e| keys.extend(c.key(app, e))));
    }
    for (ty, t) in TypeIx::each(&app.types) {
        let added = t.tasks.iter().flat_map(|t| &t.steps).filter_map(|step| match step {
            TaskStep::Add { target, .. } => Some(Key::Attr(ty, *target)),
            _ => None,
        });
        keys.extend(added);
    }
    keys.extend(copies.iter().filter(|c| !is_real(app, c.to)).map(|c| c.from));
    for agent in app.agents.iter().flatten() {
        for entry in agent.protocol.iter().flatten() {
            for target in &entry.targets {
                target.updates.iter().for_each(|(_, e)| {
                    e.walk(&mut |part| match &part.kind {
                        ExprKind::Attr { ty, attr, .. } => drop(keys.insert(Key::Attr(*ty, *attr))),
                        ExprKind::Field(name) => {
                            keys.extend(super::gather::field_key(app, entry.event, target.ty, name))
                        }
                        _ => {}
                    });
                });
            }
        }
    }
    keys.retain(|key| is_real(app, *key));
    Known::told(draft, &keys)
}
