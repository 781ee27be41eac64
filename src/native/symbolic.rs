//! Expressions of the machine evaluated on diagrams, or on the wires of a circuit: every value is a function of the bits of a snapshot and
//! of the payload.

use rustc_hash::FxHashMap;

use super::bdd::{Bdd, Space, Stop, current, next};
use super::gates::Gates;
use super::layout::Field;
use super::number::Number;
use crate::machine::{CompareOp, Domain};
use crate::machine::{ExprId, Exprs, Machine, Node, VarId};

type Res<T> = Result<T, Stop>;

/// A value that depends on the snapshot and the payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<B = Bdd> {
    /// A truth value.
    Bool(B),
    /// A number or an enumerated value's code.
    Number(Number<B>),
}

impl Value {
    /// What a field holds: in its current bits, or in its next bits.
    pub fn of_field(s: &Space, field: &Field, is_next: bool) -> Res<Value> {
        let level = |p: &u32| if is_next { next(*p) } else { current(*p) };
        let bits = field.pairs.iter().rev().map(|p| s.literal(level(p), true)).collect::<Res<Vec<_>>>()?;
        Value::of_bits(s, field, bits)
    }

    /// What a field holds now in some snapshots; elsewhere all bits are 0.
    pub fn among(s: &Space, field: &Field, snapshots: &Bdd) -> Res<Value> {
        let bit = |p: &u32| s.and(&s.literal(current(*p), true)?, snapshots);
        Value::of_bits(s, field, field.pairs.iter().rev().map(bit).collect::<Res<Vec<_>>>()?)
    }

    /// The condition under which a field's next bits hold this value.
    pub fn stored_in(&self, s: &Space, field: &Field) -> Res<Bdd> {
        let bits = self.code_bits(s, field)?;
        let mut all = s.yes();
        for (bit, &pair) in bits.iter().zip(&field.pairs).rev() {
            all = s.and(&all, &s.iff(&s.literal(next(pair), true)?, bit)?)?;
        }
        Ok(all)
    }
}

impl<B: Clone + PartialEq> Value<B> {
    /// What some bits mean in a field, the least significant first.
    pub fn of_bits(s: &impl Gates<Bit = B>, field: &Field, bits: Vec<B>) -> Res<Value<B>> {
        match bits.first() {
            Some(bit) if field.boolean => Ok(Value::Bool(bit.clone())),
            None if field.boolean => Ok(Value::Bool(s.constant(field.lo != 0))),
            _ => {
                let code = Number::unsigned(s, bits);
                let below = Number::constant(s, field.lo.checked_neg().unwrap_or(i64::MAX));
                Ok(Value::Number(code.minus(s, &below)?))
            }
        }
    }

    /// A value of a domain.
    pub fn constant(s: &impl Gates<Bit = B>, domain: &Domain, value: i64) -> Value<B> {
        match domain {
            Domain::Bool => Value::Bool(s.constant(value != 0)),
            _ => Value::Number(Number::constant(s, value)),
        }
    }

    /// As a truth value; a number is true when it is not 0.
    pub fn truth(&self, s: &impl Gates<Bit = B>) -> Res<B> {
        match self {
            Value::Bool(b) => Ok(b.clone()),
            Value::Number(n) => Number::compare(s, CompareOp::Ne, n, &Number::constant(s, 0)),
        }
    }

    /// As a number; truth values are 0 and 1.
    pub fn number(&self, s: &impl Gates<Bit = B>) -> Number<B> {
        match self {
            Value::Bool(b) => Number::unsigned(s, vec![b.clone()]),
            Value::Number(n) => n.clone(),
        }
    }

    /// `if c then a else b`.
    pub fn ite(s: &impl Gates<Bit = B>, c: &B, a: &Value<B>, b: &Value<B>) -> Res<Value<B>> {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(s.ite(c, a, b)?)),
            _ => Ok(Value::Number(Number::ite(s, c, &a.number(s), &b.number(s))?)),
        }
    }

    /// Where two values are the same.
    pub fn equal(s: &impl Gates<Bit = B>, a: &Value<B>, b: &Value<B>) -> Res<B> {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => s.iff(a, b),
            _ => Number::compare(s, CompareOp::Eq, &a.number(s), &b.number(s)),
        }
    }

    /// The value kept in a domain: beyond it, its nearest end.
    pub fn within(self, s: &impl Gates<Bit = B>, domain: &Domain) -> Res<Value<B>> {
        match self {
            Value::Number(n) if *domain != Domain::Bool => Ok(Value::Number(n.clamp(s, domain.bounds())?)),
            other => Ok(other),
        }
    }

    /// The bits that code this value in a field, most significant first.
    pub fn code_bits(&self, s: &impl Gates<Bit = B>, field: &Field) -> Res<Vec<B>> {
        if let (Value::Bool(b), true) = (self, field.boolean) {
            return Ok(vec![b.clone()]);
        }
        let code = self.number(s).minus(s, &Number::constant(s, field.lo))?;
        Ok((0..field.bits() as usize).rev().map(|i| code.bit(i).clone()).collect())
    }
}

/// A step under way: the snapshot before it, the pre-snapshot now, the payload.
pub struct Env<'a, G: Gates = Space> {
    space: &'a G,
    exprs: &'a Exprs,
    prev: &'a [Value<G::Bit>],
    cur: Vec<Value<G::Bit>>,
    inputs: Vec<Value<G::Bit>>,
    /// Known values that stay, and those that an assignment may change.
    fixed: FxHashMap<ExprId, Value<G::Bit>>,
    moving: FxHashMap<ExprId, Value<G::Bit>>,
}

impl<G: Gates> Clone for Env<'_, G> {
    fn clone(&self) -> Self {
        let Env { space, exprs, prev, cur, inputs, fixed, moving } = self;
        let (cur, inputs) = (cur.clone(), inputs.clone());
        Env { space, exprs, prev, cur, inputs, fixed: fixed.clone(), moving: moving.clone() }
    }
}

impl<'a, G: Gates> Env<'a, G> {
    /// At the beginning of a step: now is before, scratch variables have their initial values.
    pub fn new(
        space: &'a G,
        machine: &'a Machine,
        prev: &'a [Value<G::Bit>],
        inputs: Vec<Value<G::Bit>>,
    ) -> Env<'a, G> {
        let (fixed, moving) = Default::default();
        let scratch = machine.scratch_vars().iter().map(|v| Value::constant(space, &v.domain, v.init));
        let cur = prev.iter().cloned().chain(scratch).collect();
        Env { space, exprs: &machine.exprs, prev, cur, inputs, fixed, moving }
    }

    /// Where its values are put together.
    pub fn space(&self) -> &'a G {
        self.space
    }

    /// The value of a variable now.
    pub fn now(&self, var: VarId) -> &Value<G::Bit> {
        &self.cur[var.0 as usize]
    }

    /// Whether a variable has another value now than before the step.
    pub fn changed(&self, var: VarId) -> bool {
        self.now(var) != &self.prev[var.0 as usize]
    }

    /// The whole pre-snapshot, to come back to.
    pub fn snapshot(&self) -> Vec<Value<G::Bit>> {
        self.cur.clone()
    }

    /// Puts back a pre-snapshot.
    pub fn restore(&mut self, cur: Vec<Value<G::Bit>>) {
        self.cur = cur;
        self.moving.clear();
    }

    /// `var := value`.
    pub fn assign(&mut self, var: VarId, value: Value<G::Bit>) {
        let place = &mut self.cur[var.0 as usize];
        if *place != value {
            *place = value;
            self.moving.clear();
        }
    }

    /// A Boolean expression.
    pub fn truth(&mut self, id: ExprId) -> Res<G::Bit> {
        let space = self.space;
        self.eval(id)?.0.truth(space)
    }

    /// Any expression.
    pub fn value(&mut self, id: ExprId) -> Res<Value<G::Bit>> {
        Ok(self.eval(id)?.0)
    }

    /// The value, and whether it reads the pre-snapshot.
    fn eval(&mut self, id: ExprId) -> Res<(Value<G::Bit>, bool)> {
        if let Some(v) = self.fixed.get(&id) {
            return Ok((v.clone(), false));
        }
        if let Some(v) = self.moving.get(&id) {
            return Ok((v.clone(), true));
        }
        let (value, moves) = self.compute(id)?;
        let memo = if moves { &mut self.moving } else { &mut self.fixed };
        memo.insert(id, value.clone());
        Ok((value, moves))
    }

    fn compute(&mut self, id: ExprId) -> Res<(Value<G::Bit>, bool)> {
        let (s, exprs) = (self.space, self.exprs);
        Ok(match exprs.node(id) {
            Node::Bool(b) => (Value::Bool(s.constant(*b)), false),
            Node::Int(i) => (Value::Number(Number::constant(s, *i)), false),
            Node::Prev(v) => (self.prev[v.0 as usize].clone(), false),
            Node::Cur(v) => (self.cur[v.0 as usize].clone(), true),
            Node::Input(i) => (self.inputs[i.0].clone(), false),
            Node::Not(a) => {
                let (a, m) = self.eval(*a)?;
                (Value::Bool(s.not(&a.truth(s)?)), m)
            }
            Node::And(parts) => self.chain(parts, true)?,
            Node::Or(parts) => self.chain(parts, false)?,
            Node::Iff(a, b) => {
                let ((a, m), (b, n)) = (self.eval(*a)?, self.eval(*b)?);
                (Value::Bool(s.iff(&a.truth(s)?, &b.truth(s)?)?), m || n)
            }
            Node::Ite(c, t, e) => {
                let ((c, k), (t, m), (e, n)) = (self.eval(*c)?, self.eval(*t)?, self.eval(*e)?);
                (Value::ite(s, &c.truth(s)?, &t, &e)?, k || m || n)
            }
            Node::Compare(op, a, b) => {
                let ((a, m), (b, n)) = (self.eval(*a)?, self.eval(*b)?);
                (Value::Bool(Number::compare(s, *op, &a.number(s), &b.number(s))?), m || n)
            }
            Node::Arith(op, a, b) => {
                let ((a, m), (b, n)) = (self.eval(*a)?, self.eval(*b)?);
                (Value::Number(Number::arith(s, *op, &a.number(s), &b.number(s))?), m || n)
            }
        })
    }

    fn chain(&mut self, parts: &[ExprId], conjunction: bool) -> Res<(Value<G::Bit>, bool)> {
        let s = self.space;
        let (mut all, mut moves) = (s.constant(conjunction), false);
        for &part in parts {
            let (value, m) = self.eval(part)?;
            let value = value.truth(s)?;
            all = if conjunction { s.and(&all, &value)? } else { s.or(&all, &value)? };
            moves |= m;
        }
        Ok((Value::Bool(all), moves))
    }
}
