//! Machine expressions as flat code with jumps: what the interpreter runs instead of walking the arena.
//!
//! An accumulator machine. `And` and `Or` leave early by jumps; numbers inside comparisons are small pieces of their own.

use crate::machine::code;
use crate::machine::{ArithOp, CompareOp, Domain};
use crate::machine::{ExprId, Exprs, Node};
use rustc_hash::FxHashMap;

/// Compiled expressions.
#[derive(Clone, Debug, Default)]
pub struct Program {
    ops: Vec<Op>,
    known: FxHashMap<ExprId, Code>,
}

/// Entry point of a compiled expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(u32);

/// What code reads: the snapshot before, the snapshot now, the payload.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// Σ.
    pub prev: &'a [i64],
    /// Σᵢ.
    pub cur: &'a [i64],
    /// Codes of the payload inputs.
    pub inputs: &'a [i64],
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Const(i64),
    Prev(u32),
    Cur(u32),
    Input(u32),
    Not,
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    Jump(u32),
    Equal(Code, Code),
    Compare(CompareOp, Code, Code),
    Arith(ArithOp, Code, Code),
    Clamp(i64, i64),
    Return,
}

impl Program {
    /// Compiles an expression (once) and gives its entry point.
    pub fn compile(&mut self, exprs: &Exprs, id: ExprId) -> Code {
        if let Some(&code) = self.known.get(&id) {
            return code;
        }
        // Parts that are called come first, so that this expression's own code is one stretch.
        self.compile_calls(exprs, id);
        let code = Code(self.ops.len() as u32);
        self.emit(exprs, id);
        self.ops.push(Op::Return);
        self.known.insert(id, code);
        code
    }

    /// The same, with the value kept between two ends.
    pub fn compile_within(&mut self, exprs: &Exprs, id: ExprId, (lo, hi): (i64, i64)) -> Code {
        self.compile_calls(exprs, id);
        let code = Code(self.ops.len() as u32);
        self.emit(exprs, id);
        self.ops.extend([Op::Clamp(lo, hi), Op::Return]);
        code
    }

    fn compile_calls(&mut self, exprs: &Exprs, id: ExprId) {
        match exprs.node(id) {
            Node::Iff(a, b) | Node::Compare(_, a, b) | Node::Arith(_, a, b) => {
                self.compile(exprs, *a);
                self.compile(exprs, *b);
            }
            _ => exprs.parts(id).for_each(|p| self.compile_calls(exprs, p)),
        }
    }

    fn emit(&mut self, exprs: &Exprs, id: ExprId) {
        match exprs.node(id) {
            Node::Bool(b) => self.ops.push(Op::Const(i64::from(*b))),
            Node::Int(i) => self.ops.push(Op::Const(code::of_int(*i))),
            Node::Prev(v) => self.ops.push(Op::Prev(v.0)),
            Node::Cur(v) => self.ops.push(Op::Cur(v.0)),
            Node::Input(i) => self.ops.push(Op::Input(i.0 as u32)),
            Node::Not(a) => {
                self.emit(exprs, *a);
                self.ops.push(Op::Not);
            }
            Node::And(parts) => self.emit_chain(exprs, parts, Op::JumpIfFalse),
            Node::Or(parts) => self.emit_chain(exprs, parts, Op::JumpIfTrue),
            Node::Ite(c, t, e) => {
                self.emit(exprs, *c);
                let to_else = self.hole();
                self.emit(exprs, *t);
                let to_end = self.hole();
                self.ops[to_else] = Op::JumpIfFalse(self.here());
                self.emit(exprs, *e);
                self.ops[to_end] = Op::Jump(self.here());
            }
            Node::Iff(a, b) => self.emit_call(exprs, *a, *b, Op::Equal),
            Node::Compare(op, a, b) => self.emit_call(exprs, *a, *b, |x, y| Op::Compare(*op, x, y)),
            Node::Arith(op, a, b) => self.emit_call(exprs, *a, *b, |x, y| Op::Arith(*op, x, y)),
        }
    }

    fn emit_chain(&mut self, exprs: &Exprs, parts: &[ExprId], leave: fn(u32) -> Op) {
        let mut holes = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                holes.push(self.hole());
            }
            self.emit(exprs, *part);
        }
        for hole in holes {
            self.ops[hole] = leave(self.here());
        }
    }

    fn emit_call(&mut self, exprs: &Exprs, a: ExprId, b: ExprId, op: impl Fn(Code, Code) -> Op) {
        let (x, y) = (self.compile(exprs, a), self.compile(exprs, b));
        self.ops.push(op(x, y));
    }

    fn hole(&mut self) -> usize {
        self.ops.push(Op::Return);
        self.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Value of compiled code; Booleans as 0 and 1.
    pub fn value(&self, code: Code, env: Env) -> i64 {
        let mut at = code.0 as usize;
        let mut acc = 0;
        loop {
            match self.ops[at] {
                Op::Const(c) => acc = c,
                Op::Prev(v) => acc = env.prev[v as usize],
                Op::Cur(v) => acc = env.cur[v as usize],
                Op::Input(i) => acc = env.inputs[i as usize],
                Op::Not => acc = 1 - acc,
                Op::JumpIfFalse(to) if acc == 0 => {
                    at = to as usize;
                    continue;
                }
                Op::JumpIfTrue(to) if acc != 0 => {
                    at = to as usize;
                    continue;
                }
                Op::JumpIfFalse(_) | Op::JumpIfTrue(_) => {}
                Op::Jump(to) => {
                    at = to as usize;
                    continue;
                }
                Op::Equal(a, b) => acc = i64::from(self.value(a, env) == self.value(b, env)),
                Op::Compare(op, a, b) => acc = i64::from(op.of_codes(self.value(a, env), self.value(b, env))),
                Op::Arith(op, a, b) => acc = op.of_codes(self.value(a, env), self.value(b, env)),
                Op::Clamp(lo, hi) => acc = Domain::Int { lo, hi }.nearest(acc),
                Op::Return => return acc,
            }
            at += 1;
        }
    }

    /// Does compiled Boolean code hold?
    pub fn holds(&self, code: Code, env: Env) -> bool {
        self.value(code, env) != 0
    }
}
