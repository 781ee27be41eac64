//! Expressions as text in a target language, and how far numbers in them can go.

use super::names::Namer;
use crate::machine::{ArithOp, CompareOp, Domain};
use crate::machine::{ExprId, Exprs, Input, InputIx, Machine, Node, VarId, interval};
use rustc_hash::FxHashMap;

/// How a language spells expressions. Everything is parenthesised, so precedence never matters.
pub struct Syntax {
    /// true and false.
    pub constants: [&'static str; 2],
    /// Negation, put in front.
    pub not: &'static str,
    /// Conjunction, with blanks.
    pub and: &'static str,
    /// Disjunction, with blanks.
    pub or: &'static str,
    /// Equivalence of Booleans, with blanks.
    pub iff: &'static str,
    /// Equality of numbers, with blanks.
    pub eq: &'static str,
    /// What stands between condition and first branch of a conditional, with blanks.
    pub then: &'static str,
}

/// Names for enumerated values, so that exported conditions read `v_Status = k_Paid`. Equal texts with equal codes share one.
#[derive(Default)]
pub struct Values {
    names: FxHashMap<(String, i64), String>,
    list: Vec<(String, i64)>,
}

impl Values {
    /// Names every enumerated value of a machine's variables and inputs.
    pub fn of(m: &Machine, namer: &mut Namer) -> Values {
        let mut values = Values::default();
        let inputs = m.bodies.iter().flat_map(|b| &b.inputs).map(|i| &i.domain);
        for domain in m.vars.iter().map(|v| &v.domain).chain(inputs) {
            if let Domain::Enum { .. } = domain {
                let (lo, hi) = domain.bounds();
                (lo..=hi).for_each(|code| values.add(domain, code, namer));
            }
        }
        values
    }

    fn add(&mut self, domain: &Domain, code: i64, namer: &mut Namer) {
        let text = domain.show(code);
        if !self.names.contains_key(&(text.clone(), code)) {
            let shown = if text == crate::machine::BOTTOM { "none" } else { &text };
            let name = namer.give('k', "value", shown);
            self.list.push((name.clone(), code));
            self.names.insert((text, code), name);
        }
    }

    /// Names and codes, in the order in which they were met.
    pub fn list(&self) -> &[(String, i64)] {
        &self.list
    }

    /// The name of a value, if its domain is enumerated.
    pub fn name(&self, domain: &Domain, code: i64) -> Option<&str> {
        match domain {
            Domain::Enum { .. } => self.names.get(&(domain.show(code), code)).map(String::as_str),
            _ => None,
        }
    }
}

/// What the leaves of an expression are called at some moment of a step.
pub trait Leaves {
    /// A variable before the step.
    fn prev(&self, var: VarId) -> String;
    /// A variable now.
    fn cur(&self, var: VarId) -> String;
    /// A payload input.
    fn input(&self, input: InputIx) -> String;
}

/// Divisors that are spelled out.
const FEW_DIVISORS: i64 = 64;

/// Prints expressions.
pub struct Printer<'a> {
    /// The machine whose variables are meant.
    pub machine: &'a Machine,
    /// The arena, which may have more expressions than the machine's own.
    pub exprs: &'a Exprs,
    /// The inputs in scope.
    pub inputs: &'a [Input],
    /// The language.
    pub syntax: &'a Syntax,
    /// Names of enumerated values.
    pub values: &'a Values,
}

impl Printer<'_> {
    /// An expression as text; `domain` is that of the variable it is meant for, if any.
    pub fn show(&self, e: ExprId, leaves: &dyn Leaves, domain: Option<&Domain>) -> String {
        self.show_with(e, leaves, domain, &FxHashMap::default())
    }

    /// The same, with some sub-expressions replaced by names.
    pub fn show_with(
        &self,
        e: ExprId,
        leaves: &dyn Leaves,
        domain: Option<&Domain>,
        named: &FxHashMap<ExprId, String>,
    ) -> String {
        if let Some(name) = named.get(&e) {
            return name.clone();
        }
        let show = |x: ExprId| self.show_with(x, leaves, None, named);
        let join = |xs: &[ExprId], by: &str| {
            let parts: Vec<String> = xs.iter().map(|x| show(*x)).collect();
            format!("({})", parts.join(by))
        };
        match self.exprs.node(e) {
            Node::Bool(b) => self.syntax.constants[usize::from(!*b)].to_string(),
            Node::Int(i) => match domain.and_then(|d| self.values.name(d, *i)) {
                Some(name) => name.to_string(),
                None if *i < 0 => format!("({i})"),
                None => i.to_string(),
            },
            Node::Prev(v) => leaves.prev(*v),
            Node::Cur(v) => leaves.cur(*v),
            Node::Input(i) => leaves.input(*i),
            Node::Not(a) => format!("{}{}", self.syntax.not, show(*a)),
            Node::And(xs) => join(xs, self.syntax.and),
            Node::Or(xs) => join(xs, self.syntax.or),
            Node::Iff(a, b) => format!("({}{}{})", show(*a), self.syntax.iff, show(*b)),
            Node::Ite(c, t, f) => {
                let (t, f) = (self.show_with(*t, leaves, domain, named), self.show_with(*f, leaves, domain, named));
                format!("({}{}{t} : {f})", show(*c), self.syntax.then)
            }
            Node::Compare(op, a, b) => {
                let hint = self.domain(*a).or_else(|| self.domain(*b));
                let (a, b) = (self.show_with(*a, leaves, hint, named), self.show_with(*b, leaves, hint, named));
                format!("({a}{}{b})", self.compare(*op))
            }
            Node::Arith(ArithOp::Div, a, b) => match self.exprs.node(*b) {
                Node::Int(d) if *d != 0 => format!("({} / ({d}))", show(*a)),
                _ => {
                    let divisors = interval(&self.machine.vars, self.exprs, self.inputs, *b);
                    self.division(&show(*a), &show(*b), divisors)
                }
            },
            Node::Arith(op, a, b) => format!("({} {} {})", show(*a), arith(*op), show(*b)),
        }
    }

    /// Division by zero is zero. NuSMV moves operators into conditionals before it looks at conditions and then divides by the zero
    /// that was guarded against, so divisors are spelled out one by one where they are few.
    fn division(&self, a: &str, b: &str, (lo, hi): (i64, i64)) -> String {
        let (eq, then) = (self.syntax.eq, self.syntax.then);
        if hi.saturating_sub(lo) < FEW_DIVISORS {
            let by = |rest: String, d: i64| format!("(({b}{eq}({d})){then}({a} / ({d})) : {rest})");
            return (lo..=hi).filter(|d| *d != 0).fold("0".to_string(), by);
        }
        let zero = format!("({b}{eq}0)");
        format!("({zero}{then}0 : ({a} / ({zero}{then}1 : {b})))")
    }

    fn compare(&self, op: CompareOp) -> &'static str {
        match op {
            CompareOp::Eq => self.syntax.eq,
            CompareOp::Ne => " != ",
            CompareOp::Lt => " < ",
            CompareOp::Le => " <= ",
            CompareOp::Gt => " > ",
            CompareOp::Ge => " >= ",
        }
    }

    /// The domain of a leaf.
    fn domain(&self, e: ExprId) -> Option<&Domain> {
        match self.exprs.node(e) {
            Node::Prev(v) | Node::Cur(v) => Some(&self.machine.var(*v).domain),
            Node::Input(i) => self.inputs.get(i.0).map(|i| &i.domain),
            _ => None,
        }
    }

    /// Sub-expressions that should get a name of their own, parts before wholes: used twice or more in an expression whose text
    /// would otherwise outgrow its graph.
    pub fn shared(&self, e: ExprId) -> Vec<ExprId> {
        let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        self.count(e, &mut uses, &mut order);
        let mut size: FxHashMap<ExprId, u64> = FxHashMap::default();
        for x in &order {
            let parts = self.exprs.parts(*x);
            let sum = parts.fold(1u64, |s, p| s.saturating_add(size.get(&p).copied().unwrap_or(1)));
            size.insert(*x, sum);
        }
        let of = |x: &ExprId| size.get(x).copied().unwrap_or(1);
        if of(&e) <= 4 * order.len() as u64 {
            return vec![];
        }
        order.retain(|x| *x != e && uses.get(x).is_some_and(|n| *n > 1) && of(x) > 3);
        order
    }

    fn count(&self, e: ExprId, uses: &mut FxHashMap<ExprId, u32>, order: &mut Vec<ExprId>) {
        let n = uses.entry(e).or_insert(0);
        *n += 1;
        if *n == 1 {
            self.exprs.parts(e).for_each(|p| self.count(p, uses, order));
            order.push(e);
        }
    }
}

const fn arith(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div | ArithOp::Over => "/",
    }
}
