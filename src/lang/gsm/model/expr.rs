//! Typed expressions of sentries, windows, protocols and properties.

use super::{AttrIx, BagIx, Decimal, EventIx, MilestoneIx, StageIx, TaskIx, TypeIx};
use crate::machine::{ArithOp, CompareOp};
use crate::source::Span;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands. Expressions that gsmc made up carry the place of what they stand for.
    pub span: Span,
}

/// Whose attribute is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The slot in whose context the expression stands (the sentry's own artifact, a window's instance, an event's target).
    This,
    /// A quantified variable, by its number; numbers are unique within one expression or property.
    Bound(u32),
    /// The element of a bag that a condition is about.
    Element,
}

/// Kinds of expression. Those of Boolean type: `Bool`, every status read, events, connectives, comparisons, quantifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `true`, `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a fraction; without `--abstract` the fraction is cut off.
    Decimal(Decimal),
    /// A text: an enumerated value or string constant. Compared by text with enumerated and text attributes.
    Text(String),
    /// `$$`: the id of the agent in whose role or protocol the expression stands.
    SelfId,
    /// A data attribute.
    Attr {
        /// Whose.
        of: Subject,
        /// Its type.
        ty: TypeIx,
        /// Which.
        attr: AttrIx,
    },
    /// A payload field of the occurring event (protocol conditions and updates).
    Field(String),
    /// A private variable: index into [`super::Application::agents`] and [`super::Agent::vars`].
    Private {
        /// The agent.
        agent: usize,
        /// The variable.
        var: usize,
    },
    /// The sticky overflow flag (properties).
    Overflow,
    /// The id of an instance: its number in the type.
    Id {
        /// Whose.
        of: Subject,
    },
    /// `created` of a slot (properties).
    Created {
        /// Whose.
        of: Subject,
        /// Its type.
        ty: TypeIx,
    },
    /// Something about a stage.
    Stage {
        /// Whose.
        of: Subject,
        /// Its type.
        ty: TypeIx,
        /// Which.
        stage: StageIx,
        /// What is asked.
        is: StageIs,
    },
    /// Something about a milestone.
    Milestone {
        /// Whose.
        of: Subject,
        /// Its type.
        ty: TypeIx,
        /// Which.
        milestone: MilestoneIx,
        /// What is asked.
        is: MilestoneIs,
    },
    /// The step's event is this one and its target is the context slot.
    Occurring(EventIx),
    /// The step is the completion of this task at the context slot.
    TaskCompleted(TaskIx),
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction; the empty one is true.
    And(Vec<Expr>),
    /// Disjunction; the empty one is false.
    Or(Vec<Expr>),
    /// Implication.
    Implies(Box<Expr>, Box<Expr>),
    /// Equivalence of two Booleans.
    Iff(Box<Expr>, Box<Expr>),
    /// Comparison of two values of one type. On texts and Booleans only `Eq` and `Ne`.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Arithmetic; division of whole numbers truncates, by zero it gives 0.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// A quantifier over slots.
    Quant {
        /// `exists` if true, `forall` otherwise.
        exists: bool,
        /// The variable's number.
        var: u32,
        /// The type whose slots it ranges over.
        ty: TypeIx,
        /// Which slots.
        over: Over,
        /// What must hold of them.
        body: Box<Expr>,
    },
    /// The number of slots of a type (`->size()`).
    Count {
        /// The type.
        ty: TypeIx,
        /// Which slots.
        over: Over,
        /// A variable, and what must hold of it; all slots without it.
        which: Option<(u32, Box<Expr>)>,
    },
    /// How many elements of a bag there are.
    Tally {
        /// Whose bag.
        of: Subject,
        /// Its type.
        ty: TypeIx,
        /// Which.
        bag: BagIx,
        /// Which elements: comparisons of their fields with constants; all without it.
        which: Option<Box<Expr>>,
    },
}

/// Which slots a quantifier ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// Slots related to the one that a variable stands for.
    RelatedTo {
        /// The variable.
        var: u32,
        /// Its type.
        ty: TypeIx,
    },
    /// Created slots related to the context slot.
    Related,
    /// All created slots.
    Created,
}

/// Questions about a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageIs {
    /// Open now.
    Active,
    /// Some milestone of it achieved now.
    Completed,
    /// Opened in this B-step.
    Opened,
    /// Closed in this B-step.
    Closed,
    /// E-GSM observer (properties).
    OutOfOrder,
    /// E-GSM observer (properties).
    Skipped,
    /// E-GSM observer (properties).
    Faulty,
}

/// Questions about a milestone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MilestoneIs {
    /// Achieved now.
    Achieved,
    /// Achieved in this B-step.
    JustAchieved,
    /// Invalidated in this B-step.
    JustInvalidated,
}

impl Expr {
    /// `true` at a place.
    pub fn truth(span: Span) -> Expr {
        Expr { kind: ExprKind::Bool(true), span }
    }

    /// The direct parts.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Not(a) => vec![a],
            ExprKind::And(xs) | ExprKind::Or(xs) => xs.iter().collect(),
            ExprKind::Implies(a, b) | ExprKind::Iff(a, b) => vec![a, b],
            ExprKind::Compare(_, a, b) | ExprKind::Arith(_, a, b) => vec![a, b],
            ExprKind::Quant { body, .. } | ExprKind::Count { which: Some((_, body)), .. } => vec![body],
            ExprKind::Tally { which, .. } => which.as_deref().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Calls `f` on this expression and everything inside, outside first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        for part in self.parts() {
            part.walk(f);
        }
    }
}
