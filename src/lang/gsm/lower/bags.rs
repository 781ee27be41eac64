//! Bags: how many elements there are, and elements that come and go.

use super::Lower;
use super::body::{Happening, sendable};
use super::expr::Value;
use crate::lang::gsm::{
    AttrIx, Attribute, Bag, BagIx, Change, Datum, Decimal, Region, TaskIx, TaskSource, Test, TypeIx, Wide,
};
use crate::machine::{ArithOp, Assign, CompareOp, Domain, ExprId, FALSE, Input, InputIx, Leaf, Ranges, SlotIx};
use crate::machine::{TRUE, VarId};
use crate::source::Span;

/// What happens to a bag when a task of a slot is done.
#[derive(Clone, Copy)]
pub(super) struct Of {
    pub ty: TypeIx,
    pub task: TaskIx,
    pub slot: SlotIx,
    pub bag: BagIx,
}

impl Lower<'_> {
    /// The sum of some counters.
    pub(super) fn tally(&mut self, slot: Option<SlotIx>, counters: &[AttrIx]) -> ExprId {
        let mut sum = self.m.exprs.int(0);
        for &counter in counters {
            if let Some(var) = slot.and_then(|s| self.map.slots[s].attrs[counter.0]) {
                let n = self.m.exprs.cur(var);
                let first = self.m.exprs.int(0) == sum;
                sum = if first { n } else { self.m.exprs.arith(ArithOp::Add, sum, n) };
            }
        }
        sum
    }

    /// An element comes, or goes, or all do.
    pub(super) fn element(
        &mut self,
        body: &mut Happening,
        effect: &mut Vec<Assign>,
        of: Of,
        change: Change,
        fields: &[(AttrIx, TaskSource)],
    ) {
        let bag = &self.app.types[of.ty].bags[of.bag];
        let vars = bag.regions.iter().map(|r| self.map.slots[of.slot].attrs[r.counter.0]);
        // Nothing asks for the bag, so that nobody counts.
        let Some(counters) = vars.collect::<Option<Vec<VarId>>>().filter(|v| !v.is_empty()) else { return };
        match change {
            Change::Add => self.added(body, effect, of, bag, &counters, fields),
            Change::Remove => self.removed(body, effect, of, bag, &counters, fields),
            Change::Clear => {
                let zero = self.m.exprs.int(0);
                effect.extend(counters.into_iter().map(|var| Assign { var, value: zero }));
            }
            Change::Replace => {
                for (var, region) in counters.into_iter().zip(&bag.regions) {
                    let attr = &self.app.types[of.ty].attrs[region.counter];
                    let value = self.chosen(body, &attr.path, &attr.domain, sendable(attr.kind, &attr.domain));
                    effect.push(Assign { var, value });
                }
            }
        }
    }

    /// A new input, to be chosen freely.
    fn chosen(&mut self, body: &mut Happening, name: &str, domain: &Domain, values: Ranges) -> ExprId {
        let input = self.m.exprs.input(InputIx::next(&body.inputs));
        body.inputs.push(Input { name: name.to_string(), domain: domain.clone(), values });
        input
    }

    /// One more element, of the region that its fields make it belong to. A field that nothing gives is arbitrary; where a source has no
    /// value, because the event that opened the stage does not carry it, no element comes.
    fn added(
        &mut self,
        body: &mut Happening,
        effect: &mut Vec<Assign>,
        of: Of,
        bag: &Bag,
        counters: &[VarId],
        fields: &[(AttrIx, TaskSource)],
    ) {
        let (mut there, mut beyond): (Vec<ExprId>, Vec<ExprId>) = (Vec::new(), Vec::new());
        let mut holds = vec![TRUE; bag.tests.len()];
        for &field in &bag.fields {
            if bag.tests.iter().all(|t| t.field != field) {
                continue;
            }
            let attr = &self.app.types[of.ty].attrs[field];
            let given = fields.iter().find(|(f, _)| *f == field).map(|(_, s)| s);
            let values: Vec<Value> = match given {
                Some(source) => {
                    let (present, _) = self.source(of.ty, of.task, of.slot, source, &attr.domain);
                    there.push(present);
                    let mut values = Vec::new();
                    for _ in bag.tests.iter().filter(|t| t.field == field) {
                        let value = self.source(of.ty, of.task, of.slot, source, &attr.domain).1;
                        let (value, outside) = self.fit_field(value, attr, &body.inputs);
                        beyond.push(outside);
                        values.push(value);
                    }
                    values
                }
                None => {
                    let free = self.chosen(body, &attr.path, &attr.domain, sendable(attr.kind, &attr.domain));
                    let tests = bag.tests.iter().filter(|t| t.field == field);
                    tests.map(|_| Value::of(free, &attr.domain)).collect()
                }
            };
            let own = bag.tests.iter().enumerate().filter(|(_, t)| t.field == field);
            for ((at, test), value) in own.zip(values) {
                holds[at] = self.tested(test, value);
                self.elements.push(holds[at]);
            }
        }
        let present = self.m.exprs.and(there);
        let beyond = self.m.exprs.or(beyond);
        let cut = self.m.exprs.and([present, beyond]);
        self.set_overflow(effect, cut);
        for (region, &var) in bag.regions.iter().zip(counters) {
            let here = self.in_region(region, &holds);
            let when = self.m.exprs.and([present, here]);
            self.count_by(effect, when, var, 1, &body.inputs);
        }
    }

    /// A value made to fit a field, and when it had to be cut. Numbers have the ends that somebody gave, no guessed ones.
    fn fit_field(&mut self, value: Value, field: &Attribute, inputs: &[Input]) -> (Value, ExprId) {
        let parts = self.app.parts;
        let end = |end: Option<Decimal>| end.and_then(|d| d.in_parts(parts));
        match (value, field.wide, &field.domain) {
            (value @ (Value::Num(_) | Value::Real(_) | Value::Point(..)), _, Domain::Points(points)) => {
                let (code, outside) = self.point_of(value, points);
                (Value::Point(code, points.clone()), outside)
            }
            (value @ (Value::Num(_) | Value::Real(_) | Value::Point(..)), Some(Wide::Real { lo, hi, .. }), _) => {
                let n = self.in_parts(value);
                let (lo, hi) = (end(lo).unwrap_or(i64::MIN), end(hi).unwrap_or(i64::MAX));
                let (n, outside) = self.saturate(n, lo, hi, inputs);
                (Value::Real(n), outside)
            }
            (value, Some(Wide::Whole { lo, hi }), _) => {
                let n = match value {
                    Value::Num(n) => n,
                    Value::Real(_) | Value::Point(..) if parts == 0 => self.whole_part(value),
                    other => return (other, FALSE),
                };
                let (n, outside) = self.saturate(n, lo.unwrap_or(i64::MIN), hi.unwrap_or(i64::MAX), inputs);
                (Value::Num(n), outside)
            }
            (other, ..) => (other, FALSE),
        }
    }

    fn tested(&mut self, test: &Test, value: Value) -> ExprId {
        let op = if test.less { CompareOp::Lt } else { CompareOp::Eq };
        if matches!(value, Value::Real(_) | Value::Point(..)) && test.than.fraction().is_none() {
            self.refuse("a number with fractions goes into a bag, whose elements have whole numbers");
            return FALSE;
        }
        let than = match &test.than {
            Datum::Number(n) => Value::Num(self.m.exprs.int(*n)),
            Datum::Exact(d) => self.decimal(*d, Span::NOWHERE),
            Datum::Text(t) => Value::Text(t.clone().unwrap_or_default()),
            Datum::Truth(b) => Value::Bool(self.m.exprs.bool(*b)),
        };
        self.compare(op, value, than, Span::NOWHERE)
    }

    fn in_region(&mut self, region: &Region, holds: &[ExprId]) -> ExprId {
        let mut parts = Vec::new();
        for (holds, wanted) in holds.iter().zip(&region.holds) {
            parts.push(if *wanted { *holds } else { self.m.exprs.not(*holds) });
        }
        self.m.exprs.and(parts)
    }

    fn count_by(&mut self, effect: &mut Vec<Assign>, when: ExprId, var: VarId, by: i64, inputs: &[Input]) {
        let (old, by) = (self.m.exprs.cur(var), self.m.exprs.int(by));
        let sum = self.m.exprs.arith(ArithOp::Add, old, by);
        self.assign(effect, when, var, Value::Num(sum), inputs);
    }

    /// One element less. Constants say which: one of them is taken if there is one. Of a value that is not a constant no region tells
    /// whether an element has it, so that any element may go, or none. The choice is an input; a region that is empty passes
    /// it on to the next.
    fn removed(
        &mut self,
        body: &mut Happening,
        effect: &mut Vec<Assign>,
        of: Of,
        bag: &Bag,
        counters: &[VarId],
        fields: &[(AttrIx, TaskSource)],
    ) {
        let surely = fields.iter().all(|(_, s)| matches!(s, TaskSource::Const(_)));
        let may = |r: &Region| fields.iter().all(|given| self.may_agree(of.ty, bag, r, given));
        let vars: Vec<VarId> = bag.regions.iter().zip(counters).filter(|(r, _)| may(r)).map(|(_, v)| *v).collect();
        let none = i64::from(!surely);
        let last = vars.len() as i64 - 1 + none;
        let choice = match last {
            ..=0 => self.m.exprs.int(0),
            _ => {
                let domain = Domain::Int { lo: 0, hi: last };
                self.chosen(body, &format!("which of {}", bag.path), &domain, Ranges::range(0, last))
            }
        };
        let zero = self.m.exprs.int(0);
        let full: Vec<ExprId> = vars
            .iter()
            .map(|v| {
                let n = self.m.exprs.cur(*v);
                self.m.exprs.compare(CompareOp::Gt, n, zero)
            })
            .collect();
        let mut taken = Vec::new();
        for at in 0..vars.len() {
            let mut ways = Vec::new();
            for start in 0..vars.len() {
                let meant = self.code_is(choice, start as i64 + none);
                // From the one that was chosen up to this one, round and round, all others are empty.
                let between = (0..vars.len()).map(|k| (start + k) % vars.len()).take_while(|k| *k != at);
                let empty: Vec<ExprId> = between.map(|k| self.m.exprs.not(full[k])).collect();
                let passed = if surely || start == at { self.m.exprs.and(empty) } else { FALSE };
                ways.push(self.m.exprs.and([meant, passed, full[at]]));
            }
            taken.push(self.m.exprs.or(ways));
        }
        // All at once: who goes is decided by what is there before anybody goes.
        let mut values = Vec::new();
        for (var, when) in vars.iter().zip(taken) {
            let (old, one) = (self.m.exprs.cur(*var), self.m.exprs.int(1));
            let less = self.m.exprs.arith(ArithOp::Sub, old, one);
            let value = self.m.exprs.ite(when, less, old);
            values.push(self.as_before(value, effect));
        }
        effect.extend(vars.into_iter().zip(values).map(|(var, value)| Assign { var, value }));
    }

    /// An expression about what some assignments leave behind, as one about the snapshot before them.
    fn as_before(&mut self, mut e: ExprId, effect: &[Assign]) -> ExprId {
        for a in effect.iter().rev() {
            e = self.m.exprs.map_leaves(e, &mut |exprs, leaf| match leaf {
                Leaf::Cur(v) if v == a.var => a.value,
                _ => exprs.leaf(leaf),
            });
        }
        self.before(e)
    }

    /// Can an element of the region have this value?
    fn may_agree(&self, ty: TypeIx, bag: &Bag, region: &Region, (field, source): &(AttrIx, TaskSource)) -> bool {
        let TaskSource::Const(code) = source else { return true };
        let value = match &self.app.types[ty].attrs[*field].domain {
            Domain::Bool => Datum::Truth(*code != 0),
            Domain::Real { parts, .. } => Datum::Exact(Decimal::of_parts(*code, *parts)),
            Domain::Points(points) => {
                let point = usize::try_from(*code).ok().and_then(|at| points.list().get(at));
                Datum::Exact(Decimal::of_parts(point.map_or(0, |p| p.value), points.parts()))
            }
            Domain::Int { .. } if bag.exact.contains(field) => Datum::Exact(Decimal::from(*code)),
            Domain::Int { .. } => Datum::Number(*code),
            domain => Datum::Text(Some(domain.show(*code))),
        };
        let mut own = bag.tests.iter().zip(&region.holds).filter(|(t, _)| t.field == *field);
        own.all(|(test, holds)| test.holds(&value) == *holds)
    }
}
