//! Elements of bags: every value a field can have, every element that can go.

use super::{Reference, World};
use crate::lang::gsm::{
    AttrIx, Bag, BagIx, Change, DataKind, Datum, Decimal, Region, TaskIx, TaskSource, TypeIx, Wide,
};
use crate::machine::{BOTTOM, Domain, number};
use num_traits::ToPrimitive;

/// What can be chosen freely, with its values.
pub(super) type Choice = (String, DataKind, Domain);

impl Reference<'_> {
    /// What is free when an element comes or goes.
    pub(super) fn free(&self, ty: TypeIx, bag: BagIx, change: Change, fields: &[(AttrIx, TaskSource)]) -> Vec<Choice> {
        let t = &self.app.types[ty];
        let bag = &t.bags[bag];
        if bag.regions.is_empty() {
            return Vec::new();
        }
        let values = |a: AttrIx| (t.attrs[a].path.clone(), t.attrs[a].kind, t.attrs[a].domain.clone());
        match change {
            Change::Add => unmapped(bag, fields).into_iter().map(values).collect(),
            Change::Clear => Vec::new(),
            Change::Replace => bag.regions.iter().map(|r| values(r.counter)).collect(),
            // The region that loses an element, or none.
            Change::Remove => {
                let domain = Domain::Int { lo: 0, hi: bag.regions.len() as i64 };
                vec![(bag.path.clone(), DataKind::Integer, domain)]
            }
        }
    }

    /// Changes a bag; false if what was chosen cannot be.
    pub(super) fn bag_changes<'p>(
        &self,
        (bag, change, fields): (BagIx, Change, &[(AttrIx, TaskSource)]),
        (slot, task): (usize, TaskIx),
        now: &mut World,
        answers: &mut impl Iterator<Item = &'p (String, i64, Domain)>,
    ) -> bool {
        let ty = self.slots[slot].0;
        let bag = &self.app.types[ty].bags[bag];
        // Nothing asks for it, so that nobody counts.
        if bag.regions.is_empty() {
            return true;
        }
        let counters: Vec<AttrIx> = bag.regions.iter().map(|r| r.counter).collect();
        match change {
            Change::Clear => counters.iter().for_each(|c| now.slots[slot].data[c.0] = 0),
            Change::Replace => counters.iter().zip(answers).for_each(|(c, a)| now.slots[slot].data[c.0] = a.1),
            Change::Add => {
                let free: Vec<AttrIx> = unmapped(bag, fields);
                let chosen: Vec<(AttrIx, String)> =
                    free.into_iter().zip(answers).map(|(f, (_, code, domain))| (f, domain.show(*code))).collect();
                let (mut element, mut beyond): (Vec<(AttrIx, Datum)>, bool) = (Vec::new(), false);
                for (field, text) in chosen {
                    element.push((field, self.datum(ty, field, &text)));
                }
                for (field, source) in fields.iter().filter(|(f, _)| bag.tests.iter().any(|t| t.field == *f)) {
                    let Some(text) = self.text_of(source, (ty, *field), slot, task, now) else { return true };
                    let value = self.datum(ty, *field, &text);
                    let fitting = self.within(ty, *field, &value);
                    beyond |= fitting != value;
                    element.push((*field, fitting));
                }
                now.overflow |= beyond;
                let value = |f: AttrIx| &element.iter().find(|(g, _)| *g == f).expect("a value").1;
                let holds: Vec<bool> = bag.tests.iter().map(|t| t.holds(value(t.field))).collect();
                let region = bag.regions.iter().find(|r| r.holds == holds).expect("a region");
                let (_, hi) = self.app.types[ty].attrs[region.counter].domain.bounds();
                let n = &mut now.slots[slot].data[region.counter.0];
                now.overflow |= *n == hi;
                *n = (*n + 1).min(hi);
            }
            Change::Remove => {
                let Some((_, chosen, _)) = answers.next() else { return false };
                let all_constant = fields.iter().all(|(_, s)| matches!(s, TaskSource::Const(_)));
                let agrees = |r: &Region| {
                    fields.iter().all(|(field, source)| {
                        let TaskSource::Const(code) = source else { return true };
                        let text = self.app.types[ty].attrs[*field].domain.show(*code);
                        let value = self.datum(ty, *field, &text);
                        let own = bag.tests.iter().zip(&r.holds).filter(|(t, _)| t.field == *field);
                        own.into_iter().all(|(t, h)| t.holds(&value) == *h)
                    })
                };
                let there = |r: &Region| agrees(r) && now.slots[slot].data[r.counter.0] > 0;
                match bag.regions.get(*chosen as usize) {
                    Some(r) if there(r) => now.slots[slot].data[r.counter.0] -= 1,
                    Some(_) => return false,
                    None => return !all_constant || !bag.regions.iter().any(there),
                }
            }
        }
        true
    }

    /// A value as people read it; `None` if the field is absent.
    fn text_of(
        &self,
        source: &TaskSource,
        (ty, field): (TypeIx, AttrIx),
        slot: usize,
        task: TaskIx,
        now: &World,
    ) -> Option<String> {
        let t = &self.app.types[ty];
        match source {
            TaskSource::Const(code) => Some(t.attrs[field].domain.show(*code)),
            TaskSource::Attr(from) => Some(t.attrs[*from].domain.show(now.slots[slot].data[from.0])),
            TaskSource::Field { name, events } => {
                let at = super::kept::sources(t, task).iter().position(|s| *s == (name, events))?;
                now.slots[slot].buffers[task.0][at].clone()
            }
        }
    }

    /// A number that goes into a field with ends becomes the nearest one.
    fn within(&self, ty: TypeIx, field: AttrIx, value: &Datum) -> Datum {
        match (value, self.app.types[ty].attrs[field].wide) {
            (Datum::Number(n), Some(Wide::Whole { lo, hi })) => {
                Datum::Number(hi.map_or(*n, |hi| hi.min(*n)).max(lo.unwrap_or(i64::MIN)))
            }
            (Datum::Exact(d), Some(Wide::Real { lo, hi, .. })) => {
                let most = hi.map_or(*d, |hi| hi.min(*d));
                Datum::Exact(lo.map_or(most, |lo| lo.max(most)))
            }
            _ => value.clone(),
        }
    }

    fn datum(&self, ty: TypeIx, field: AttrIx, text: &str) -> Datum {
        let attr = &self.app.types[ty].attrs[field];
        match attr.kind {
            DataKind::Integer if matches!(attr.domain, Domain::Points(_)) => {
                Datum::Exact(Decimal::read(text).expect("a number"))
            }
            // A number with a fraction is cut to a whole one.
            DataKind::Integer if text.contains('.') => {
                Datum::Number(number::read(text).and_then(|n| n.to_integer().to_i64()).expect("a number"))
            }
            DataKind::Integer | DataKind::Reference(_) => Datum::Number(text.parse().expect("a number")),
            DataKind::Boolean | DataKind::Date { .. } => Datum::Truth(text == "true"),
            DataKind::Text | DataKind::Enumeration => Datum::Text(Some(text.to_string()).filter(|t| t != BOTTOM)),
        }
    }
}

/// The fields that something asks for and no mapping gives.
fn unmapped(bag: &Bag, fields: &[(AttrIx, TaskSource)]) -> Vec<AttrIx> {
    let asked = |f: &&AttrIx| bag.tests.iter().any(|t| t.field == **f) && fields.iter().all(|(g, _)| g != *f);
    bag.fields.iter().filter(asked).copied().collect()
}
