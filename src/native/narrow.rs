//! Steps of which part of the choice is somebody else's.
//!
//! Pairs set aside as *room* say what has been chosen elsewhere. A relation may read them, so a pre-image tells from where, and under which
//! choices, a set can be reached; quantifying over the room then asks for all choices, or for some.

use std::collections::{BTreeMap, BTreeSet};

use super::bdd::{Bdd, Level, Relation, Stop, current};
use super::encode::System;
use super::execute::Place;
use super::symbolic::{Env, Value};
use crate::machine::{AgentIx, BodyIx, ExprId, InputIx};

type Res<T> = Result<T, Stop>;

impl System<'_> {
    /// Where a number of the room is this: `bits` of its bits from `first` on.
    pub fn chosen(&self, first: usize, bits: usize, number: usize) -> Res<Bdd> {
        let pairs = self.room.iter().skip(first).take(bits).enumerate();
        self.space.cube(pairs.map(|(i, &p)| (current(p), number >> i & 1 == 1)))
    }

    /// The room, to quantify over.
    pub fn choices(&self) -> Res<Bdd> {
        self.space.variables(self.room.iter().map(|&p| current(p)))
    }

    /// A Boolean input of a body.
    pub fn input(&self, body: BodyIx, input: InputIx) -> Res<Bdd> {
        let place = self.bodies.get(body.0).and_then(|run| run.inputs.get(input.0));
        place.map_or(Ok(self.space.no()), |p| self.place(p)?.truth(&self.space))
    }

    /// A condition over the snapshot before a step.
    pub fn earlier(&self, e: ExprId) -> Res<Bdd> {
        Env::new(&self.space, self.machine, &self.values, Vec::new()).truth(e)
    }

    fn place(&self, place: &Place) -> Res<Value> {
        match place {
            Place::Stored(v) => Value::of_field(&self.space, self.layout.field(*v), true),
            Place::Own(field) => Value::of_field(&self.space, field, false),
        }
    }

    /// The steps of a body with payload that satisfies a condition; what the condition says of the room stays open. One list per agent;
    /// agents whom neither payload nor room concerns are together in one.
    pub fn narrowed(&self, body: BodyIx, condition: &Bdd) -> Res<Vec<Vec<Relation>>> {
        let s = &self.space;
        let Some(run) = self.bodies.get(body.0) else { return Ok(Vec::new()) };
        let own: BTreeSet<Level> = run.own.support();
        let change = s.and(&run.change, condition)?;
        let mut groups: BTreeMap<Option<AgentIx>, BTreeMap<&[u32], Bdd>> = BTreeMap::new();
        for doer in &run.doers {
            let alike = doer.writes.is_empty() && doer.may.support().is_disjoint(&own);
            let key = if alike { None } else { Some(doer.agent) };
            let may = groups.entry(key).or_default().entry(&doer.writes).or_insert_with(|| s.no());
            *may = s.or(may, &doer.may)?;
        }
        let relation = |(writes, may): (&[u32], Bdd)| {
            let bdd = s.and_exists(&change, &may, &run.own)?;
            Ok(s.relation(bdd, run.writes.iter().chain(writes).copied().collect()))
        };
        groups.into_values().map(|g| g.into_iter().map(relation).collect::<Res<Vec<_>>>()).collect()
    }
}
