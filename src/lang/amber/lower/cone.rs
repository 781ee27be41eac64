//! Cone of influence: which data can matter.

use super::vars::own_data;
use crate::lang::amber::model::{Condition, Control, Expr, Model, Place, Right, Statement, Step};
use crate::lang::amber::types::Type;
use crate::logic::{AgentIx, Property};
use crate::machine::ArithOp;

/// Per cell: is it read by a condition or a property, seen by an actor whose knowledge is asked for, or used to compute such
/// data? Where a property asks about `overflow`, also what may overflow.
pub fn kept(model: &Model, properties: &[Property<Expr>], keep_all: bool) -> Vec<bool> {
    let mut cone = Cone { model, kept: vec![keep_all; model.cells.len()], overflow: false };
    for arrow in &model.arrows {
        if let Some(Condition::Holds(e, _)) = &arrow.condition {
            cone.reads(e);
        }
    }
    for formula in properties.iter().flat_map(|p| p.fair.iter().chain([&p.formula])) {
        formula.atoms(&mut |e| cone.reads(e));
        for AgentIx(actor) in formula.knowers() {
            let seen = model.actors.get(actor).map(|a| a.sees.as_slice()).unwrap_or_default();
            for cell in 0..model.cells.len() {
                cone.kept[cell] |= seen.contains(&cell) || own_data(model, actor, cell);
            }
        }
    }
    loop {
        let before = cone.kept.clone();
        model.nodes.iter().for_each(|n| cone.statements(&n.fragment, &mut Vec::new()));
        if cone.kept == before {
            break;
        }
    }
    cone.whole_units();
    cone.kept
}

/// Units that are left out, by name.
pub fn left_out(model: &Model, kept: &[bool]) -> Vec<String> {
    let mut out: Vec<String> =
        model.cells.iter().zip(kept).filter(|(_, kept)| !**kept).map(|(c, _)| c.unit.clone()).collect();
    out.sort();
    out.dedup();
    out
}

struct Cone<'m> {
    model: &'m Model,
    kept: Vec<bool>,
    /// Does a property ask about overflow?
    overflow: bool,
}

impl<'m> Cone<'m> {
    /// Everything an expression reads.
    fn reads(&mut self, e: &Expr) {
        match e {
            Expr::Read(place) => self.keep(place),
            Expr::Control(Control::Overflow) => self.overflow = true,
            _ => {}
        }
        e.parts().into_iter().for_each(|p| self.reads(p));
    }

    fn keep(&mut self, place: &Place) {
        let unit = self.model.unit(place);
        for (kept, cell) in self.kept.iter_mut().zip(&self.model.cells) {
            *kept |= cell.var == place.var && cell.unit == unit;
        }
    }

    fn is_kept(&self, place: &Place) -> bool {
        let unit = self.model.unit(place);
        self.model.cells.iter().zip(&self.kept).any(|(c, kept)| *kept && c.var == place.var && c.unit == unit)
    }

    /// What assignments to kept data read, conditions around them included.
    fn statements(&mut self, list: &'m [Statement], around: &mut Vec<&'m Expr>) {
        for statement in list {
            match statement {
                Statement::If(c, then, other) => {
                    around.push(c);
                    self.statements(then, around);
                    self.statements(other, around);
                    around.pop();
                }
                Statement::Assign(list) => {
                    for (place, right) in list {
                        let matters = self.is_kept(place) || self.overflow && may_overflow(self.model, place, right);
                        if !matters {
                            continue;
                        }
                        self.keep(place);
                        place.indices().into_iter().for_each(|e| self.reads(e));
                        if let Right::Value(e) = right {
                            self.reads(e);
                        }
                        around.iter().for_each(|e| self.reads(e));
                    }
                }
            }
        }
    }

    /// A unit is kept as a whole.
    fn whole_units(&mut self) {
        let units: Vec<&str> =
            self.model.cells.iter().zip(&self.kept).filter(|(_, k)| **k).map(|(c, _)| c.unit.as_str()).collect();
        let all: Vec<bool> = self.model.cells.iter().map(|c| units.contains(&c.unit.as_str())).collect();
        self.kept = all;
    }
}

/// Can an assignment set `overflow`?
fn may_overflow(model: &Model, place: &Place, right: &Right) -> bool {
    let (lo, hi) = place.ty.bounds();
    let outside = match right {
        Right::Any(values) => values.iter().any(|v| !(lo..=hi).contains(v)),
        Right::Value(e) => {
            let (least, most) = interval(e);
            may_go_wrong(model, e) || matches!(place.ty, Type::Int { .. }) && (least < lo || most > hi)
        }
    };
    outside || index_outside(model, place)
}

/// Can an index of a place lie outside?
fn index_outside(model: &Model, place: &Place) -> bool {
    let mut ty = &model.vars[place.var].ty;
    for step in &place.steps {
        match (step, ty) {
            (Step::Field(i), Type::Record(fields)) => ty = &fields[*i].1,
            (Step::Index(e), Type::Array(of, n)) => {
                let (least, most) = interval(e);
                if least < 0 || most >= *n as i64 || may_go_wrong(model, e) {
                    return true;
                }
                ty = of;
            }
            _ => {}
        }
    }
    false
}

/// Can computing it divide by zero or pick an element that is not there?
fn may_go_wrong(model: &Model, e: &Expr) -> bool {
    let here = match e {
        Expr::Read(place) => index_outside(model, place),
        Expr::Arith(ArithOp::Div, _, by) => {
            let (least, most) = interval(by);
            least <= 0 && most >= 0
        }
        _ => false,
    };
    here || e.parts().into_iter().any(|p| may_go_wrong(model, p))
}

/// Smallest and largest value of a number.
fn interval(e: &Expr) -> (i64, i64) {
    match e {
        Expr::Int(n) => (*n, *n),
        Expr::Read(place) => place.ty.bounds(),
        Expr::Arith(op, a, b) => {
            let ((a, b), (c, d)) = (interval(a), interval(b));
            if *op == ArithOp::Div {
                let far = a.saturating_abs().max(b.saturating_abs());
                return (-far, far);
            }
            let ends = [op.apply(a, c), op.apply(a, d), op.apply(b, c), op.apply(b, d)];
            (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0))
        }
        Expr::Control(_) => (0, i64::MAX),
        _ => (0, 1),
    }
}
