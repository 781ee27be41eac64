//! Formulas: CTL, knowledge, ATL and LTL over any kind of atom.
//!
//! A language reads its own atoms; lowering expands quantifiers over slots and gives `Formula<machine::ExprId>`, which is what every
//! engine reads.

use crate::source::Span;

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

/// A formula over atoms `A`. Agents are indices into the application's (and the machine's) agent list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula<A> {
    /// A statement about one snapshot.
    Atom(A),
    /// Negation.
    Not(Box<Formula<A>>),
    /// Conjunction; the empty one is true.
    And(Vec<Formula<A>>),
    /// Disjunction; the empty one is false.
    Or(Vec<Formula<A>>),
    /// Implication.
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// Equivalence.
    Iff(Box<Formula<A>>, Box<Formula<A>>),
    /// Quantifier over created slots of a type; gone after lowering.
    Quant {
        /// `exists` if true, `forall` otherwise.
        exists: bool,
        /// The variable's number, as atoms name it.
        var: u32,
        /// The type.
        ty: usize,
        /// What must hold.
        body: Box<Formula<A>>,
    },
    /// CTL `EX AX`.
    Next(Path, Box<Formula<A>>),
    /// CTL `EF AF`.
    Finally(Path, Box<Formula<A>>),
    /// CTL `EG AG`.
    Globally(Path, Box<Formula<A>>),
    /// CTL `E(· U ·)`, `A(· U ·)`.
    Until(Path, Box<Formula<A>>, Box<Formula<A>>),
    /// Knowledge of a group (one agent for [`Know::K`]).
    Know(Know, Vec<usize>, Box<Formula<A>>),
    /// ATL `<<group>> X`.
    CanNext(Vec<usize>, Box<Formula<A>>),
    /// ATL `<<group>> F`.
    CanFinally(Vec<usize>, Box<Formula<A>>),
    /// ATL `<<group>> G`.
    CanGlobally(Vec<usize>, Box<Formula<A>>),
    /// ATL `<<group>> (· U ·)`.
    CanUntil(Vec<usize>, Box<Formula<A>>, Box<Formula<A>>),
    /// `LTL ψ`: the path formula holds on all runs. Stands outermost only.
    Ltl(Box<PathFormula<A>>),
}

/// A linear-time formula. Its state parts are formulas without temporal operators (Booleans and knowledge).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathFormula<A> {
    /// A state formula: atoms, connectives, knowledge; no temporal operator outside knowledge.
    State(Formula<A>),
    /// Negation.
    Not(Box<PathFormula<A>>),
    /// Conjunction.
    And(Vec<PathFormula<A>>),
    /// Disjunction.
    Or(Vec<PathFormula<A>>),
    /// Implication.
    Implies(Box<PathFormula<A>>, Box<PathFormula<A>>),
    /// Equivalence.
    Iff(Box<PathFormula<A>>, Box<PathFormula<A>>),
    /// Quantifier over created slots, tested where it stands; gone after lowering.
    Quant {
        /// `exists` if true, `forall` otherwise.
        exists: bool,
        /// The variable's number.
        var: u32,
        /// The type.
        ty: usize,
        /// What must hold.
        body: Box<PathFormula<A>>,
    },
    /// `X`.
    Next(Box<PathFormula<A>>),
    /// `F`, `<>`.
    Finally(Box<PathFormula<A>>),
    /// `G`, `[]`.
    Globally(Box<PathFormula<A>>),
    /// `U`.
    Until(Box<PathFormula<A>>, Box<PathFormula<A>>),
    /// `W`: until, or for ever.
    WeakUntil(Box<PathFormula<A>>, Box<PathFormula<A>>),
    /// `R`: release.
    Release(Box<PathFormula<A>>, Box<PathFormula<A>>),
}

/// Which logic a property belongs to: the smallest that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// Computation tree logic.
    Ctl,
    /// CTL with knowledge.
    Ctlk,
    /// Linear-time logic.
    Ltl,
    /// LTL with knowledge atoms.
    Ltlk,
    /// Alternating-time logic.
    Atl,
    /// ATL with knowledge.
    Atlk,
}

impl Logic {
    /// Its name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Logic::Ctl => "ctl",
            Logic::Ctlk => "ctlk",
            Logic::Ltl => "ltl",
            Logic::Ltlk => "ltlk",
            Logic::Atl => "atl",
            Logic::Atlk => "atlk",
        }
    }
}

/// A property as written, over atoms `A`.
#[derive(Clone, Debug)]
pub struct Property<A> {
    /// Its name (`p1`, `p2`, … by position where none is given).
    pub name: String,
    /// The formula as written, blanks normalised.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What the author expects.
    pub expect: bool,
    /// Fairness constraints: sets of snapshots to be visited infinitely often.
    pub fair: Vec<Formula<A>>,
    /// The formula.
    pub formula: Formula<A>,
}

pub mod automaton;
mod walk;
