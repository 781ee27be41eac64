//! Expressions and formulas as written: names are not yet looked up, types not yet checked.

use crate::logic::{Fixpoint, Know, Path, Pattern};
use crate::machine::{ArithOp, CompareOp};
use crate::source::Span;

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Without quotes.
    pub text: String,
    /// Where it stands, quotes included.
    pub span: Span,
    /// Was it quoted?
    pub quoted: bool,
}

/// An expression or formula as written.
#[derive(Clone, Debug)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Where it stands.
    pub span: Span,
    depth: usize,
}

/// `X F G`, in any logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modal {
    /// `X`
    Next,
    /// `F`, `<>`
    Finally,
    /// `G`, `[]`
    Globally,
}

/// Binary operators of LTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linear {
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
}

/// Kinds of expression and formula.
#[derive(Clone, Debug)]
pub enum AstKind {
    /// `true`, `false`.
    Bool(bool),
    /// An integer, sign included.
    Int(i64),
    /// A number with a fraction, as written.
    Decimal(String),
    /// A quoted text, or an E-GSM value `[…]`.
    Text(String),
    /// `$$`.
    SelfId,
    /// `a`, `a.b`, `a.'b c'`: at least one step.
    Path(Vec<Name>),
    /// `file[i]`, `file[i].status`: an element of an array, and the steps behind it.
    Element {
        /// The array.
        of: Box<Ast>,
        /// Which element.
        index: Box<Ast>,
        /// What of it.
        steps: Vec<Name>,
    },
    /// An E-GSM data term: `{infoModel./infoModel/Truck/status}` has the steps `infoModel`, `Truck`, `status` (what stands before
    /// the first `/` is the data item).
    DataTerm {
        /// The data item, where one is named.
        item: Option<Name>,
        /// The steps of the path.
        steps: Vec<Name>,
    },
    /// `GSM.f(a, 'b')`, `x.f('S')`: arguments are names, bare or quoted.
    Call {
        /// `GSM`, `f`; at least one step.
        path: Vec<Name>,
        /// The arguments.
        args: Vec<Name>,
    },
    /// `+m`, `-S`: has just come to hold, or has just stopped holding. `-n` may also be a number.
    Changed {
        /// `+`?
        up: bool,
        /// The stage or milestone, or the number.
        path: Vec<Name>,
    },
    /// `some R.m`, `all R.m`, `some +R.m`, `x.some R.m`: about artifacts related to this one, or to `x`.
    Related(Box<Related>),
    /// OCL `set->op(x | body)`, `set->op(body)`, `set->op()`.
    Arrow {
        /// The set.
        set: Box<Ast>,
        /// `exists`, `forAll`, `size`, `isEmpty`, `notEmpty`, or another word.
        op: Name,
        /// The variable.
        var: Option<Name>,
        /// The type that is written behind the variable.
        ty: Option<Name>,
        /// What is asked of the elements.
        body: Option<Box<Ast>>,
    },
    /// Negation.
    Not(Box<Ast>),
    /// Conjunction of two or more.
    And(Vec<Ast>),
    /// Disjunction of two or more.
    Or(Vec<Ast>),
    /// Exclusive or.
    Xor(Box<Ast>, Box<Ast>),
    /// Implication.
    Implies(Box<Ast>, Box<Ast>),
    /// Equivalence.
    Iff(Box<Ast>, Box<Ast>),
    /// Comparison.
    Compare(CompareOp, Box<Ast>, Box<Ast>),
    /// Arithmetic; `-a` is `0 - a`.
    Arith(ArithOp, Box<Ast>, Box<Ast>),
    /// `a % b`: what is left of `a`, with its sign.
    Rem(Box<Ast>, Box<Ast>),
    /// `a ? b : c`, `if a then b else c endif`
    If(Box<Ast>, Box<Ast>, Box<Ast>),
    /// `let x = e in φ`
    Let(Name, Box<Ast>, Box<Ast>),
    /// `AX EF …`
    Ctl(Path, Modal, Box<Ast>),
    /// `A(a U b)`, `E(a UNTIL b)`.
    CtlUntil(Path, Box<Ast>, Box<Ast>),
    /// `G F X [] <>` after `LTL`.
    Ltl(Modal, Box<Ast>),
    /// `U W R` after `LTL`.
    LtlBinary(Linear, Box<Ast>, Box<Ast>),
    /// `LTL φ`.
    OnAllRuns(Box<Ast>),
    /// `K(a, φ)`, `EK({a, b}, φ)`, …
    Know(Know, Vec<Name>, Box<Ast>),
    /// `<<a, b>> F φ`
    Can(Vec<Name>, Modal, Box<Ast>),
    /// `<<a, b>> (φ U ψ)`
    CanUntil(Vec<Name>, Box<Ast>, Box<Ast>),
    /// `mu Z. φ`, `nu Z. φ`
    Fix(Fixpoint, Name, Box<Ast>),
    /// `forall x : T φ`
    Quant {
        /// `exists` if true, `forall` otherwise.
        exists: bool,
        /// The variable.
        var: Name,
        /// The type.
        ty: Name,
        /// What must hold.
        body: Box<Ast>,
    },
    /// `never(p)`, …
    Pattern(Pattern, Vec<Ast>),
}

/// A question about related artifacts.
#[derive(Clone, Debug)]
pub struct Related {
    /// All of them (and at least one), or some?
    pub all: bool,
    /// `+` and `-` before the type: has it just changed?
    pub change: Option<bool>,
    /// Related to whom; `None`: to the artifact whose sentry this is.
    pub subject: Option<Name>,
    /// Their type.
    pub ty: Name,
    /// The stage or milestone.
    pub status: Name,
}

impl Ast {
    /// A node; its depth is one more than that of its deepest part.
    pub fn new(kind: AstKind, span: Span) -> Ast {
        let depth = 1 + parts(&kind).iter().map(|p| p.depth).max().unwrap_or(0);
        Ast { kind, span, depth }
    }

    /// Nodes on the longest way down. The parser keeps it below [`super::MAX_DEPTH`], so recursion over an `Ast` is safe.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The direct parts, in order.
    pub fn parts(&self) -> Vec<&Ast> {
        parts(&self.kind)
    }

    /// Calls `f` on this node and everything inside, outside first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Ast)) {
        f(self);
        for part in self.parts() {
            part.walk(f);
        }
    }
}

fn parts(kind: &AstKind) -> Vec<&Ast> {
    use AstKind::*;
    match kind {
        Bool(_)
        | Int(_)
        | Decimal(_)
        | Text(_)
        | SelfId
        | Path(_)
        | DataTerm { .. }
        | Call { .. }
        | Changed { .. }
        | Related(_) => vec![],
        Not(a) | Ctl(_, _, a) | Ltl(_, a) | OnAllRuns(a) | Know(_, _, a) | Can(_, _, a) | Fix(_, _, a) => vec![a],
        Quant { body, .. } => vec![body],
        Element { of, index, .. } => vec![of, index],
        Arrow { set, body, .. } => std::iter::once(&**set).chain(body.as_deref()).collect(),
        And(xs) | Or(xs) | Pattern(_, xs) => xs.iter().collect(),
        Xor(a, b) | Implies(a, b) | Iff(a, b) | Compare(_, a, b) | Arith(_, a, b) => vec![a, b],
        Rem(a, b) | Let(_, a, b) => vec![a, b],
        If(a, b, c) => vec![a, b, c],
        CtlUntil(_, a, b) | LtlBinary(_, a, b) | CanUntil(_, a, b) => vec![a, b],
    }
}
