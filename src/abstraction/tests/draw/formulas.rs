//! Random formulas.

use super::Draw;
use crate::logic::{Connected, Fixpoint, Formula, Know, PathFormula};
use crate::machine::{AgentIx, ExprId};
use fastrand::Rng;

impl Draw<'_> {
    pub(super) fn formula(&mut self, depth: usize) -> Formula<ExprId> {
        if depth == 0 || self.rng.u8(..6) == 0 {
            return Formula::Atom(self.condition(1, true, &[]));
        }
        let a = self.formula(depth - 1);
        match self.rng.u8(..17) {
            15 | 16 => {
                // Alternating where the inner one has the other kind: Z stands under an even number of negations.
                let kinds = [Fixpoint::Least, Fixpoint::Greatest];
                let (outer, inner) = (kinds[self.rng.usize(..2)], kinds[self.rng.usize(..2)]);
                let step = |rng: &mut Rng, f| if rng.bool() { Formula::ax(f) } else { Formula::ex(f) };
                let name = format!("Z{depth}");
                let again = step(self.rng, Formula::Var(name.clone()));
                let join = |rng: &mut Rng, parts| if rng.bool() { Formula::all(parts) } else { Formula::any(parts) };
                let body = join(self.rng, vec![a, again]);
                if self.rng.bool() {
                    return Formula::fix(outer, &name, body);
                }
                let own = format!("Y{depth}");
                let mine = step(self.rng, Formula::Var(own.clone()));
                let body = join(self.rng, vec![body, mine]);
                Formula::fix(outer, &name, Formula::fix(inner, &own, body))
            }
            0 => a.not(),
            1 => Formula::all(vec![a, self.formula(depth - 1)]),
            2 => Formula::any(vec![a, self.formula(depth - 1)]),
            3 => a.iff(self.formula(depth - 1)),
            4 => Formula::ax(a),
            5 => Formula::ex(a),
            6 => Formula::af(a),
            7 => Formula::ef(a),
            8 => Formula::ag(a),
            9 => Formula::eg(a),
            10 => Formula::au(a, self.formula(depth - 1)),
            11 => Formula::eu(a, self.formula(depth - 1)),
            _ => {
                let kind = [Know::K, Know::Everybody, Know::Common, Know::Distributed][self.rng.usize(..4)];
                let group =
                    if kind == Know::K { vec![AgentIx(self.rng.usize(..3))] } else { [0, 1].map(AgentIx).to_vec() };
                Formula::know(kind, group, a)
            }
        }
    }

    pub(super) fn path(&mut self, depth: usize) -> PathFormula<ExprId> {
        if depth == 0 || self.rng.u8(..6) == 0 {
            let atom = Formula::Atom(self.condition(1, true, &[]));
            return PathFormula::State(match self.rng.u8(..4) {
                0 => Formula::know(Know::K, vec![AgentIx(self.rng.usize(..2))], atom),
                _ => atom,
            });
        }
        let a = self.path(depth - 1);
        match self.rng.u8(..8) {
            0 => a.not(),
            1 => PathFormula::all(vec![a, self.path(depth - 1)]),
            2 => PathFormula::any(vec![a, self.path(depth - 1)]),
            3 => PathFormula::next(a),
            4 => PathFormula::finally(a),
            5 => PathFormula::globally(a),
            _ => PathFormula::until(a, self.path(depth - 1)),
        }
    }
}
