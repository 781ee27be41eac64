//! Which numbers are woven into each other, bit by bit: very wide ones, and those that are added to each other or compared by size,
//! with what is copied from them. One after the other they would make diagrams as large as the numbers; woven, as large as their bits
//! are many.

use std::collections::BTreeSet;

use crate::machine::{Assign, BodyIx, CompareOp, ExprId, InputIx, Machine, Node, VarId};

/// Numbers with at least this many bits are woven in any case.
const WIDE: u32 = 12;
/// Numbers with fewer bits than this are not.
const NARROW: u32 = 4;

/// A number of the snapshot, or one of the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Var(VarId),
    Input(BodyIx, InputIx),
}

/// Numbers that are woven.
#[derive(Clone, Debug, Default)]
pub struct Woven(BTreeSet<Place>);

impl Woven {
    /// Those of a machine.
    pub fn of(m: &Machine) -> Woven {
        let mut ties = Ties { m, seen: BTreeSet::new(), tight: Vec::new(), loose: Vec::new() };
        ties.find();
        let of_vars = m.state_ids().map(Place::Var);
        let of_body = |b: BodyIx| InputIx::each(&m.bodies[b].inputs).map(move |(i, _)| Place::Input(b, i));
        let wide = of_vars.chain(BodyIx::all(&m.bodies).flat_map(of_body)).filter(|p| bits(m, *p) >= WIDE);
        let mut woven: BTreeSet<Place> = ties.tight.into_iter().flatten().chain(wide).collect();
        loop {
            let before = woven.len();
            for tie in ties.loose.iter().filter(|tie| !tie.is_disjoint(&woven)).collect::<Vec<_>>() {
                woven.extend(tie);
            }
            if woven.len() == before {
                return Woven(woven);
            }
        }
    }

    /// Is a variable among them?
    pub fn has(&self, var: VarId) -> bool {
        self.0.contains(&Place::Var(var))
    }

    /// Is an input of a body among them?
    pub fn takes(&self, body: BodyIx, input: InputIx) -> bool {
        self.0.contains(&Place::Input(body, input))
    }
}

fn bits(m: &Machine, place: Place) -> u32 {
    match place {
        Place::Var(v) => m.var(v).domain.bits(),
        Place::Input(b, i) => m.bodies[b].inputs.get(i.0).map_or(0, |i| i.domain.bits()),
    }
}

/// What numbers have to do with each other.
struct Ties<'m> {
    m: &'m Machine,
    seen: BTreeSet<(Option<BodyIx>, ExprId)>,
    /// Sums and comparisons by size.
    tight: Vec<BTreeSet<Place>>,
    /// Copies and comparisons for equality.
    loose: Vec<BTreeSet<Place>>,
}

impl Ties<'_> {
    fn find(&mut self) {
        let m = self.m;
        for (ix, body) in BodyIx::each(&m.bodies) {
            let at = Some(ix);
            let actions = || m.actions.iter().filter(|a| a.body == ix);
            let copies = body.effect.iter().chain(&body.finish).chain(actions().flat_map(|a| &a.updates));
            copies.for_each(|Assign { var, value }| self.copied(at, *var, *value));
            for r in &body.rules {
                self.copied(at, r.target, r.value);
                [r.prerequisite, r.antecedent].into_iter().for_each(|e| self.look(at, e));
            }
            actions().map(|a| a.allowed).chain([body.applicable]).for_each(|e| self.look(at, e));
        }
        for f in m.properties.iter().flat_map(|p| p.fair.iter().chain([&p.formula])) {
            f.atoms(&mut |e| self.look(None, *e));
        }
    }

    fn copied(&mut self, at: Option<BodyIx>, var: VarId, value: ExprId) {
        self.look(at, value);
        let mut tie = self.numbers(at, value);
        tie.extend(Some(Place::Var(var)).filter(|p| bits(self.m, *p) >= NARROW));
        self.loose.push(tie);
    }

    /// Looks for sums and comparisons in an expression.
    fn look(&mut self, at: Option<BodyIx>, e: ExprId) {
        if !self.seen.insert((at, e)) {
            return;
        }
        let tight = match self.m.exprs.node(e) {
            Node::Arith(..) => Some(true),
            Node::Compare(op, ..) => Some(!matches!(op, CompareOp::Eq | CompareOp::Ne)),
            _ => None,
        };
        if let Some(tight) = tight {
            let tie = self.numbers(at, e);
            let into = if tight { &mut self.tight } else { &mut self.loose };
            into.extend(Some(tie).filter(|tie| tie.len() > 1));
        }
        self.m.exprs.parts(e).for_each(|part| self.look(at, part));
    }

    /// The numbers that an expression reads.
    fn numbers(&self, at: Option<BodyIx>, e: ExprId) -> BTreeSet<Place> {
        let mut all = BTreeSet::new();
        self.m.exprs.leaves(e, &mut |leaf| {
            let place = match (leaf, at) {
                (Node::Prev(v) | Node::Cur(v), _) => Some(Place::Var(*v)),
                (Node::Input(i), Some(body)) => Some(Place::Input(body, *i)),
                _ => None,
            };
            all.extend(place.filter(|p| bits(self.m, *p) >= NARROW));
        });
        all
    }
}
