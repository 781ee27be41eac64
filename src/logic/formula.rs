//! The core: formulas about snapshots and about runs, over any kind of atom.
//!
//! Both kinds share their connectives ([`Bool`]); branching time, strategies and linear time share their operators
//! ([`Temporal`]). What can be said with these is not in the core but in [`super::sugar`].

/// Path quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// On all paths.
    A,
    /// On some path.
    E,
}

/// Kinds of group knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Know {
    /// One agent knows.
    K,
    /// Everybody in the group knows.
    Everybody,
    /// Common knowledge.
    Common,
    /// Distributed knowledge.
    Distributed,
}

/// Kinds of fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixpoint {
    /// `mu`: the smallest set that satisfies its equation.
    Least,
    /// `nu`: the largest.
    Greatest,
}

/// The number of a type in the language that the formula speaks of; means nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeNo(pub usize);

/// Index of an agent in the application's (and the machine's) list of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentIx(pub usize);

/// A connective over parts `F`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bool<F> {
    /// Negation.
    Not(Box<F>),
    /// Conjunction; the empty one is true.
    And(Vec<F>),
    /// Disjunction; the empty one is false.
    Or(Vec<F>),
    /// Implication.
    Implies(Box<F>, Box<F>),
    /// Equivalence.
    Iff(Box<F>, Box<F>),
    /// Quantifier over created slots of a type, tested where it stands; gone after lowering.
    Quant {
        /// `exists` if true, `forall` otherwise.
        exists: bool,
        /// The variable's number, as atoms use it.
        var: u32,
        /// The type.
        ty: TypeNo,
        /// What must hold.
        body: Box<F>,
    },
}

/// A statement about one run, over parts `F`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Temporal<F> {
    /// `X`: in the next snapshot.
    Next(Box<F>),
    /// `F`: now or later.
    Finally(Box<F>),
    /// `G`: now and for ever.
    Globally(Box<F>),
    /// `U`: the first until the second, which comes.
    Until(Box<F>, Box<F>),
}

/// A formula over atoms `A`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula<A> {
    /// A statement about one snapshot.
    Atom(A),
    /// Parts under a connective.
    Bool(Bool<Formula<A>>),
    /// CTL: on all paths, or on some.
    Quantified(Path, Temporal<Formula<A>>),
    /// ATL: a group can see to it.
    Can(Vec<AgentIx>, Temporal<Formula<A>>),
    /// Knowledge of a group (one agent for [`Know::K`]).
    Know(Know, Vec<AgentIx>, Box<Formula<A>>),
    /// µ-calculus: the fixpoint of what the body makes of the variable. A name is bound once on the way to a place.
    Fix(Fixpoint, String, Box<Formula<A>>),
    /// The variable of a fixpoint around.
    Var(String),
    /// `LTL ψ`: the path formula holds on all runs. Stands outermost only.
    Ltl(Box<PathFormula<A>>),
}

/// A linear-time formula. Its state parts are formulas without temporal operators (Booleans and knowledge).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathFormula<A> {
    /// A state formula: atoms, connectives, knowledge; no temporal operator outside knowledge.
    State(Formula<A>),
    /// Parts under a connective.
    Bool(Bool<PathFormula<A>>),
    /// A temporal operator.
    Temporal(Temporal<PathFormula<A>>),
}

/// Formulas that have the connectives: about snapshots or about runs.
pub trait Connected: Sized {
    /// Parts under a connective.
    fn of(connective: Bool<Self>) -> Self;

    /// Negation.
    fn not(self) -> Self {
        Self::of(Bool::Not(Box::new(self)))
    }

    /// Conjunction.
    fn all(parts: Vec<Self>) -> Self {
        Self::of(Bool::And(parts))
    }

    /// Disjunction.
    fn any(parts: Vec<Self>) -> Self {
        Self::of(Bool::Or(parts))
    }

    /// Implication.
    fn implies(self, then: Self) -> Self {
        Self::of(Bool::Implies(Box::new(self), Box::new(then)))
    }

    /// Equivalence.
    fn iff(self, other: Self) -> Self {
        Self::of(Bool::Iff(Box::new(self), Box::new(other)))
    }

    /// True or false.
    fn constant(value: bool) -> Self {
        if value { Self::all(Vec::new()) } else { Self::any(Vec::new()) }
    }

    /// A quantifier over created slots of a type.
    fn quant(exists: bool, var: u32, ty: TypeNo, body: Self) -> Self {
        Self::of(Bool::Quant { exists, var, ty, body: Box::new(body) })
    }

    /// A quantifier spelled out: what is said of each slot, with whether the slot is there.
    fn spelled_out(exists: bool, slots: Vec<(Self, Self)>) -> Self {
        match exists {
            true => Self::any(slots.into_iter().map(|(there, holds)| Self::all(vec![there, holds])).collect()),
            false => Self::all(slots.into_iter().map(|(there, holds)| there.implies(holds)).collect()),
        }
    }
}

impl<A> Connected for Formula<A> {
    fn of(connective: Bool<Self>) -> Self {
        Formula::Bool(connective)
    }
}

impl<A> Connected for PathFormula<A> {
    fn of(connective: Bool<Self>) -> Self {
        PathFormula::Bool(connective)
    }
}

impl<F> Temporal<F> {
    /// `X a`.
    pub fn next(a: F) -> Temporal<F> {
        Temporal::Next(Box::new(a))
    }

    /// `F a`.
    pub fn finally(a: F) -> Temporal<F> {
        Temporal::Finally(Box::new(a))
    }

    /// `G a`.
    pub fn globally(a: F) -> Temporal<F> {
        Temporal::Globally(Box::new(a))
    }

    /// `a U b`.
    pub fn until(a: F, b: F) -> Temporal<F> {
        Temporal::Until(Box::new(a), Box::new(b))
    }
}

impl<A> Formula<A> {
    /// `AX a`.
    pub fn ax(a: Self) -> Self {
        Formula::Quantified(Path::A, Temporal::next(a))
    }

    /// `EX a`.
    pub fn ex(a: Self) -> Self {
        Formula::Quantified(Path::E, Temporal::next(a))
    }

    /// `AF a`.
    pub fn af(a: Self) -> Self {
        Formula::Quantified(Path::A, Temporal::finally(a))
    }

    /// `EF a`.
    pub fn ef(a: Self) -> Self {
        Formula::Quantified(Path::E, Temporal::finally(a))
    }

    /// `AG a`.
    pub fn ag(a: Self) -> Self {
        Formula::Quantified(Path::A, Temporal::globally(a))
    }

    /// `EG a`.
    pub fn eg(a: Self) -> Self {
        Formula::Quantified(Path::E, Temporal::globally(a))
    }

    /// `A(a U b)`.
    pub fn au(a: Self, b: Self) -> Self {
        Formula::Quantified(Path::A, Temporal::until(a, b))
    }

    /// `E(a U b)`.
    pub fn eu(a: Self, b: Self) -> Self {
        Formula::Quantified(Path::E, Temporal::until(a, b))
    }

    /// Knowledge of a group.
    pub fn know(kind: Know, group: Vec<AgentIx>, a: Self) -> Self {
        Formula::Know(kind, group, Box::new(a))
    }

    /// A fixpoint.
    pub fn fix(kind: Fixpoint, name: &str, body: Self) -> Self {
        Formula::Fix(kind, name.to_string(), Box::new(body))
    }

    /// `LTL path`.
    pub fn ltl(path: PathFormula<A>) -> Self {
        Formula::Ltl(Box::new(path))
    }
}

impl<A> PathFormula<A> {
    /// `X a`.
    pub fn next(a: Self) -> Self {
        PathFormula::Temporal(Temporal::next(a))
    }

    /// `F a`.
    pub fn finally(a: Self) -> Self {
        PathFormula::Temporal(Temporal::finally(a))
    }

    /// `G a`.
    pub fn globally(a: Self) -> Self {
        PathFormula::Temporal(Temporal::globally(a))
    }

    /// `a U b`.
    pub fn until(a: Self, b: Self) -> Self {
        PathFormula::Temporal(Temporal::until(a, b))
    }
}

impl Path {
    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            Path::A => 'A',
            Path::E => 'E',
        }
    }

    /// The other one.
    pub const fn other(self) -> Path {
        match self {
            Path::A => Path::E,
            Path::E => Path::A,
        }
    }
}

impl Fixpoint {
    /// Its spelling in property files.
    pub const fn symbol(self) -> &'static str {
        match self {
            Fixpoint::Least => "mu",
            Fixpoint::Greatest => "nu",
        }
    }
}

impl Know {
    /// Its spelling in property files.
    pub const fn symbol(self) -> &'static str {
        match self {
            Know::K => "K",
            Know::Everybody => "EK",
            Know::Common => "CK",
            Know::Distributed => "DK",
        }
    }
}
