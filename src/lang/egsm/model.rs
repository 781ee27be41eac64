//! An E-GSM model: stages, sentries and who listens to what.

use crate::source::Span;

/// Index into [`Model::stages`].
pub type StageIx = usize;
/// Index into [`Model::sentries`].
pub type SentryIx = usize;
/// Index into [`Model::events`].
pub type EventIx = usize;
/// Index into [`Model::items`].
pub type ItemIx = usize;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The application's name.
    pub name: String,
    /// Id of its only component.
    pub component: String,
    /// Stages in pre-order.
    pub stages: Vec<Stage>,
    /// Sentries in document order: stages in pre-order; in a stage its guards, flow guards, fault loggers, milestones.
    pub sentries: Vec<Sentry>,
    /// Declared events.
    pub events: Vec<Event>,
    /// Data items.
    pub items: Vec<Item>,
}

/// A stage.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The element.
    pub span: Span,
    /// The stage it lies in.
    pub parent: Option<StageIx>,
    /// Direct sub-stages.
    pub children: Vec<StageIx>,
    /// Its sentries, kind by kind.
    pub sentries: Vec<SentryIx>,
    /// Who listens to it, once per mention.
    pub listeners: Vec<SentryIx>,
    /// Other stages that its flow guards name, by themselves or by a milestone: passed over when it opens out of order.
    pub named: Vec<StageIx>,
}

/// What a sentry is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// DataFlowGuard: opens the stage.
    Guard,
    /// ProcessFlowGuard: was it time to open?
    Flow,
    /// FaultLogger: did something go wrong while it was open?
    Fault,
    /// Milestone: closes the stage.
    Milestone,
}

/// A sentry; for a milestone, its conditions together.
#[derive(Clone, Debug)]
pub struct Sentry {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub kind: Kind,
    /// Its stage.
    pub stage: StageIx,
    /// When it holds.
    pub condition: Condition,
    /// The element.
    pub span: Span,
    /// Who listens to it (milestones only), once per mention.
    pub listeners: Vec<SentryIx>,
}

/// An event of the environment.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its id.
    pub id: String,
    /// The element.
    pub span: Span,
    /// Who listens to it, once per mention.
    pub listeners: Vec<SentryIx>,
    /// A stage has the same id: the listeners are then told twice in a row.
    pub twice: bool,
    /// It is raised by the changes of an item only.
    pub of_item: bool,
}

/// A data item with a status.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// Where it is declared.
    pub span: Span,
    /// The texts it is compared with; code 0 is any other, these are 1, 2, ….
    pub values: Vec<String>,
    /// Leaving and entering: events raised by a change, where both are declared.
    pub raises: Option<(EventIx, EventIx)>,
    /// Flow guards that listen to it, once per mention.
    pub listeners: Vec<SentryIx>,
}

/// When a sentry holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always or never.
    Const(bool),
    /// The event is being raised.
    Occurs(EventIx),
    /// An event that nobody declared: evaluation that comes here makes the whole sentry false.
    Undeclared,
    /// The stage is opened.
    Opened(StageIx),
    /// Last value of the milestone.
    Achieved(SentryIx),
    /// The item has (or, with `false`, has not) this value.
    Is(ItemIx, i64, bool),
    /// Negation.
    Not(Box<Condition>),
    /// Left to right, up to the first that does not hold.
    And(Vec<Condition>),
    /// Left to right, up to the first that holds.
    Or(Vec<Condition>),
}

impl Model {
    /// The sentries of a stage that are of a kind.
    pub fn of(&self, stage: StageIx, kind: Kind) -> impl Iterator<Item = SentryIx> + '_ {
        self.stages[stage].sentries.iter().copied().filter(move |s| self.sentries[*s].kind == kind)
    }
}

/// What evaluating a condition from left to right may come to, where it comes to an end.
#[derive(Clone, Copy)]
struct Outcomes {
    yes: bool,
    no: bool,
}

impl Outcomes {
    fn of(value: bool) -> Outcomes {
        Outcomes { yes: value, no: !value }
    }
}

impl Condition {
    /// Calls `f` on this condition and everything inside.
    pub fn walk(&self, f: &mut impl FnMut(&Condition)) {
        f(self);
        match self {
            Condition::Not(a) => a.walk(f),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|p| p.walk(f)),
            _ => {}
        }
    }

    /// Is there no way for it to hold, whatever its events, stages, milestones and items are?
    pub fn never_holds(&self) -> bool {
        !self.outcomes().yes
    }

    fn outcomes(&self) -> Outcomes {
        let all = |parts: &[Condition], stop: bool| {
            let mut found = Outcomes::of(!stop);
            for part in parts {
                let goes_on = if stop { &mut found.no } else { &mut found.yes };
                if std::mem::take(goes_on) {
                    let next = part.outcomes();
                    found.yes |= next.yes;
                    found.no |= next.no;
                }
            }
            found
        };
        match self {
            Condition::Const(b) => Outcomes::of(*b),
            // The whole sentry is false then, whatever stands around it.
            Condition::Undeclared => Outcomes { yes: false, no: false },
            Condition::Not(a) => {
                let Outcomes { yes, no } = a.outcomes();
                Outcomes { yes: no, no: yes }
            }
            Condition::And(parts) => all(parts, false),
            Condition::Or(parts) => all(parts, true),
            Condition::Occurs(_) | Condition::Opened(_) | Condition::Achieved(_) | Condition::Is(..) => {
                Outcomes { yes: true, no: true }
            }
        }
    }

    /// Does it ask for an event that nobody declared?
    pub fn asks_undeclared(&self) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= *part == Condition::Undeclared);
        found
    }
}
