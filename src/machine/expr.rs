//! Hash-consed expressions over a step: the only language engines have to speak.
//!
//! Two sorts: Boolean and number. Enumerated values are numbers (their codes). Leaves read a variable in the snapshot before
//! the step ([`Node::Prev`], Σ), in the current pre-snapshot ([`Node::Cur`], Σᵢ), or a payload input of the step. Expressions
//! about a single snapshot (windows, atoms of formulas) use `Cur` only.
//!
//! Constructors simplify: constants fold, `x && x` is `x`, and so on, so that an expression that cannot matter is a constant.

use super::{ArithOp, CompareOp, InputIx, VarId, code};
use rustc_hash::{FxHashMap, FxHashSet};

/// Handle of an expression in [`Exprs`]. Parts always have smaller handles than the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// An expression's outermost form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A Boolean constant.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A variable before the step.
    Prev(VarId),
    /// A variable now.
    Cur(VarId),
    /// A payload input of the body the expression belongs to.
    Input(InputIx),
    /// Negation.
    Not(ExprId),
    /// Conjunction of two or more.
    And(Box<[ExprId]>),
    /// Disjunction of two or more.
    Or(Box<[ExprId]>),
    /// Equivalence of two Booleans.
    Iff(ExprId, ExprId),
    /// If-then-else; both branches have the same sort.
    Ite(ExprId, ExprId, ExprId),
    /// Comparison of two numbers.
    Compare(CompareOp, ExprId, ExprId),
    /// Arithmetic on two numbers; division truncates and gives 0 by zero.
    Arith(ArithOp, ExprId, ExprId),
}

/// What an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A variable before the step.
    Prev(VarId),
    /// A variable now.
    Cur(VarId),
    /// A payload input of the body the expression belongs to.
    Input(InputIx),
}

/// The arena.
#[derive(Clone, Debug)]
pub struct Exprs {
    nodes: Vec<Node>,
    index: FxHashMap<Node, ExprId>,
}

/// `false`, in every arena.
pub const FALSE: ExprId = ExprId(0);
/// `true`, in every arena.
pub const TRUE: ExprId = ExprId(1);

impl Default for Exprs {
    fn default() -> Exprs {
        let mut new = Exprs { nodes: Vec::new(), index: FxHashMap::default() };
        new.intern(Node::Bool(false));
        new.intern(Node::Bool(true));
        new
    }
}

impl Exprs {
    /// The form of an expression.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Number of expressions; handles are `0..len`.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in handle order, parts before wholes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn intern(&mut self, node: Node) -> ExprId {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// A Boolean constant.
    pub fn bool(&mut self, value: bool) -> ExprId {
        if value { TRUE } else { FALSE }
    }

    /// A number.
    pub fn int(&mut self, value: i64) -> ExprId {
        self.intern(Node::Int(value))
    }

    /// A variable before the step.
    pub fn prev(&mut self, var: VarId) -> ExprId {
        self.intern(Node::Prev(var))
    }

    /// A variable now.
    pub fn cur(&mut self, var: VarId) -> ExprId {
        self.intern(Node::Cur(var))
    }

    /// A payload input.
    pub fn input(&mut self, input: InputIx) -> ExprId {
        self.intern(Node::Input(input))
    }

    /// Something that is read.
    pub fn leaf(&mut self, leaf: Leaf) -> ExprId {
        match leaf {
            Leaf::Prev(var) => self.prev(var),
            Leaf::Cur(var) => self.cur(var),
            Leaf::Input(input) => self.input(input),
        }
    }

    /// Negation.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Bool(b) => ExprId(u32::from(!*b)),
            Node::Not(x) => *x,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.chain(parts, true)
    }

    /// Disjunction.
    pub fn or(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.chain(parts, false)
    }

    /// Conjunction (`unit` true) or disjunction: flat, without repetition, in the order given.
    fn chain(&mut self, parts: impl IntoIterator<Item = ExprId>, unit: bool) -> ExprId {
        let (neutral, absorbing) = if unit { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat = Distinct::default();
        for part in parts {
            let inner: &[ExprId] = match (self.node(part), unit) {
                (Node::And(xs), true) | (Node::Or(xs), false) => xs,
                _ => &[part],
            };
            for &x in inner {
                if x == absorbing {
                    return absorbing;
                }
                if x != neutral {
                    flat.push(x);
                }
            }
        }
        let clash = |x: &ExprId| matches!(self.node(*x), Node::Not(y) if flat.contains(*y));
        if flat.list.iter().any(clash) {
            return absorbing;
        }
        let flat = flat.list;
        match flat.as_slice() {
            [] => neutral,
            [one] => *one,
            _ if unit => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let na = self.not(a);
        self.or([na, b])
    }

    /// Equivalence.
    pub fn iff(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (a, b) {
            _ if a == b => TRUE,
            (TRUE, x) | (x, TRUE) => x,
            (FALSE, x) | (x, FALSE) => self.not(x),
            _ => {
                let (x, y) = (a.min(b), a.max(b));
                self.intern(Node::Iff(x, y))
            }
        }
    }

    /// If-then-else.
    pub fn ite(&mut self, c: ExprId, t: ExprId, e: ExprId) -> ExprId {
        if c == TRUE || t == e {
            return t;
        }
        if c == FALSE {
            return e;
        }
        match (t, e) {
            (TRUE, FALSE) => c,
            (FALSE, TRUE) => self.not(c),
            (TRUE, _) => self.or([c, e]),
            (FALSE, _) => {
                let nc = self.not(c);
                self.and([nc, e])
            }
            (_, FALSE) => self.and([c, t]),
            (_, TRUE) => self.implies(c, t),
            _ => self.intern(Node::Ite(c, t, e)),
        }
    }

    /// Comparison of two numbers.
    pub fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Node::Int(x), Node::Int(y)) = (self.node(a), self.node(b)) {
            let holds = op.holds(*x, *y);
            return self.bool(holds);
        }
        if a == b {
            return self.bool(op.holds(0, 0));
        }
        match op {
            CompareOp::Ne => {
                let eq = self.compare(CompareOp::Eq, a, b);
                self.not(eq)
            }
            _ => self.intern(Node::Compare(op, a, b)),
        }
    }

    /// Arithmetic on two numbers.
    pub fn arith(&mut self, op: ArithOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Node::Int(x), Node::Int(y)) = (self.node(a), self.node(b))
            && let Some(value) = op.exact(*x, *y)
        {
            return self.int(value);
        }
        self.intern(Node::Arith(op, a, b))
    }

    /// The direct parts of an expression.
    pub fn parts(&self, id: ExprId) -> impl DoubleEndedIterator<Item = ExprId> + '_ {
        let (many, few): (&[ExprId], [Option<ExprId>; 3]) = match self.node(id) {
            Node::Not(a) => (&[], [Some(*a), None, None]),
            Node::And(xs) | Node::Or(xs) => (xs, [None; 3]),
            Node::Iff(a, b) | Node::Compare(_, a, b) | Node::Arith(_, a, b) => (&[], [Some(*a), Some(*b), None]),
            Node::Ite(a, b, c) => (&[], [Some(*a), Some(*b), Some(*c)]),
            Node::Bool(_) | Node::Int(_) | Node::Prev(_) | Node::Cur(_) | Node::Input(_) => (&[], [None; 3]),
        };
        many.iter().copied().chain(few.into_iter().flatten())
    }

    /// Value of an expression: Booleans as 0/1. `leaf` gives the value of what is read.
    pub fn eval(&self, id: ExprId, leaf: &impl Fn(Leaf) -> i64) -> i64 {
        match self.node(id) {
            Node::Bool(b) => i64::from(*b),
            Node::Int(i) => code::of_int(*i),
            Node::Prev(v) => leaf(Leaf::Prev(*v)),
            Node::Cur(v) => leaf(Leaf::Cur(*v)),
            Node::Input(i) => leaf(Leaf::Input(*i)),
            Node::Not(a) => 1 - self.eval(*a, leaf),
            Node::And(xs) => i64::from(xs.iter().all(|x| self.eval(*x, leaf) != 0)),
            Node::Or(xs) => i64::from(xs.iter().any(|x| self.eval(*x, leaf) != 0)),
            Node::Iff(a, b) => i64::from(self.eval(*a, leaf) == self.eval(*b, leaf)),
            Node::Ite(c, t, e) => self.eval(if self.eval(*c, leaf) != 0 { *t } else { *e }, leaf),
            Node::Compare(op, a, b) => i64::from(op.of_codes(self.eval(*a, leaf), self.eval(*b, leaf))),
            Node::Arith(op, a, b) => op.of_codes(self.eval(*a, leaf), self.eval(*b, leaf)),
        }
    }

    /// Calls `f` on every leaf (`Prev`, `Cur`, `Input`) of an expression, each node once.
    pub fn leaves(&self, id: ExprId, f: &mut impl FnMut(&Node)) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![id];
        while let Some(next) = todo.pop() {
            if seen.insert(next) {
                match self.node(next) {
                    n @ (Node::Prev(_) | Node::Cur(_) | Node::Input(_)) => f(n),
                    _ => todo.extend(self.parts(next)),
                }
            }
        }
    }

    /// Rebuilds an expression with its leaves replaced; `leaf` may use the arena.
    pub fn map_leaves(&mut self, id: ExprId, leaf: &mut impl FnMut(&mut Exprs, Leaf) -> ExprId) -> ExprId {
        let mut memo = FxHashMap::with_capacity_and_hasher(16, Default::default());
        for part in self.inside_out(id, &memo) {
            let is_leaf = matches!(self.node(part), Node::Prev(_) | Node::Cur(_) | Node::Input(_));
            let new = if !is_leaf && self.parts(part).all(|p| memo[&p] == p) {
                part
            } else {
                let node = self.node(part).clone();
                self.rebuild(&node, leaf, &memo)
            };
            memo.insert(part, new);
        }
        memo[&id]
    }

    /// The same expression about the snapshot before the step.
    pub fn before(&mut self, id: ExprId) -> ExprId {
        self.map_leaves(id, &mut |exprs, leaf| match leaf {
            Leaf::Cur(var) => exprs.prev(var),
            Leaf::Prev(_) | Leaf::Input(_) => exprs.leaf(leaf),
        })
    }

    /// An expression of another arena, with its leaves replaced; `memo` remembers what was brought over already with the same `leaf`.
    pub fn import(
        &mut self,
        from: &Exprs,
        id: ExprId,
        memo: &mut FxHashMap<ExprId, ExprId>,
        leaf: &mut impl FnMut(&mut Exprs, Leaf) -> ExprId,
    ) -> ExprId {
        for part in from.inside_out(id, memo) {
            let new = self.rebuild(from.node(part), leaf, memo);
            memo.insert(part, new);
        }
        memo[&id]
    }

    /// An expression's parts that are not known yet and the expression itself: parts before wholes, first parts first; without
    /// recursion, since expressions may be deep.
    fn inside_out(&self, id: ExprId, known: &FxHashMap<ExprId, ExprId>) -> Vec<ExprId> {
        let mut order = Distinct::default();
        let mut todo = vec![(id, false)];
        while let Some((next, parts_done)) = todo.pop() {
            if order.contains(next) || known.contains_key(&next) {
                continue;
            }
            let before = todo.len();
            if !parts_done {
                todo.push((next, true));
                todo.extend(self.parts(next).rev().map(|p| (p, false)));
            }
            if todo.len() <= before + 1 {
                todo.truncate(before);
                order.push(next);
            }
        }
        order.list
    }

    /// A node whose parts are rebuilt.
    fn rebuild(
        &mut self,
        node: &Node,
        leaf: &mut impl FnMut(&mut Exprs, Leaf) -> ExprId,
        memo: &FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        let of = |p: &ExprId| memo[p];
        match node {
            Node::Bool(b) => self.bool(*b),
            Node::Int(i) => self.int(*i),
            Node::Prev(v) => leaf(self, Leaf::Prev(*v)),
            Node::Cur(v) => leaf(self, Leaf::Cur(*v)),
            Node::Input(i) => leaf(self, Leaf::Input(*i)),
            Node::Not(a) => self.not(of(a)),
            Node::And(xs) => self.and(xs.iter().map(of)),
            Node::Or(xs) => self.or(xs.iter().map(of)),
            Node::Iff(a, b) => self.iff(of(a), of(b)),
            Node::Ite(c, t, e) => self.ite(of(c), of(t), of(e)),
            Node::Compare(op, a, b) => self.compare(*op, of(a), of(b)),
            Node::Arith(op, a, b) => self.arith(*op, of(a), of(b)),
        }
    }
}

/// Expressions in the order in which they came, each once.
#[derive(Default)]
struct Distinct {
    list: Vec<ExprId>,
    /// The same as a set, once the list is long.
    known: FxHashSet<ExprId>,
}

impl Distinct {
    /// Up to this length a list is searched faster than a set.
    const SHORT: usize = 16;

    fn contains(&self, x: ExprId) -> bool {
        if self.known.is_empty() { self.list.contains(&x) } else { self.known.contains(&x) }
    }

    fn push(&mut self, x: ExprId) {
        if self.contains(x) {
            return;
        }
        self.list.push(x);
        if self.list.len() == Self::SHORT {
            self.known.extend(self.list.iter().copied());
        } else if self.list.len() > Self::SHORT {
            self.known.insert(x);
        }
    }
}
