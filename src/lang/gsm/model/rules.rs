//! The PAC rules of a model, in document order, before grounding.

use super::{Application, EventIx, Guard, MilestoneIx, SentryRef, StageIx, TaskIx, TaskStep, TypeIx};
use crate::source::Span;

/// What happens in a B-step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Occurrence {
    /// An event of the model (creation events included).
    Event(EventIx),
    /// Completion of a task.
    TaskDone(TypeIx, TaskIx),
}

/// All PAC rules of an application at type level, in document order: types, then stages in pre-order; in a stage its guards, then
/// per milestone its conditions, invalidators, PAC-4, PAC-5, then PAC-6 with the nearest ancestor first.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The rules; a [`super::RuleIx`] is a position here and so compares in document order.
    pub list: Vec<RuleDef>,
}

/// A rule of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleDef {
    /// The type.
    pub ty: TypeIx,
    /// Which rule.
    pub kind: RuleKind,
}

/// PAC-1 to PAC-6. PAC-6 is split by cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// PAC-1: a guard (by position) opens its stage.
    Open(StageIx, usize),
    /// PAC-2: an achieving condition (by position) achieves its milestone.
    Achieve(MilestoneIx, usize),
    /// PAC-3: an invalidating condition (by position) invalidates its milestone.
    Invalidate(MilestoneIx, usize),
    /// PAC-4: the opening of its stage invalidates the milestone.
    Reset(MilestoneIx),
    /// PAC-5: the milestone closes its stage.
    Close(MilestoneIx),
    /// PAC-6: a stage closes because an ancestor achieved a milestone.
    CloseWith {
        /// The stage that closes.
        stage: StageIx,
        /// The ancestor.
        ancestor: StageIx,
    },
}

/// The status attribute a rule writes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// A stage.
    Stage(StageIx),
    /// A milestone.
    Milestone(MilestoneIx),
}

impl Rules {
    /// The rules of an application.
    pub fn of(app: &Application) -> Rules {
        let mut list = Vec::new();
        for (ty, t) in TypeIx::each(&app.types) {
            let mut add = |kind| list.push(RuleDef { ty, kind });
            for (s, stage) in StageIx::each(&t.stages) {
                (0..stage.guards.len()).for_each(|g| add(RuleKind::Open(s, g)));
                for &m in &stage.milestones {
                    (0..t.milestones[m].achieving.len()).for_each(|c| add(RuleKind::Achieve(m, c)));
                    (0..t.milestones[m].invalidating.len()).for_each(|c| add(RuleKind::Invalidate(m, c)));
                    add(RuleKind::Reset(m));
                    add(RuleKind::Close(m));
                }
                t.ancestors(s).for_each(|ancestor| add(RuleKind::CloseWith { stage: s, ancestor }));
            }
        }
        Rules { list }
    }
}

impl RuleDef {
    /// 1 to 6.
    pub fn pac(&self) -> u8 {
        match self.kind {
            RuleKind::Open(..) => 1,
            RuleKind::Achieve(..) => 2,
            RuleKind::Invalidate(..) => 3,
            RuleKind::Reset(_) => 4,
            RuleKind::Close(_) => 5,
            RuleKind::CloseWith { .. } => 6,
        }
    }

    /// What it writes, and the value.
    pub fn effect(&self, app: &Application) -> (Status, bool) {
        match self.kind {
            RuleKind::Open(s, _) => (Status::Stage(s), true),
            RuleKind::Achieve(m, _) => (Status::Milestone(m), true),
            RuleKind::Invalidate(m, _) | RuleKind::Reset(m) => (Status::Milestone(m), false),
            RuleKind::Close(m) => (Status::Stage(app.types[self.ty].milestones[m].stage), false),
            RuleKind::CloseWith { stage, .. } => (Status::Stage(stage), false),
        }
    }

    /// The attributes its prerequisite reads, with the value it demands in Σ.
    pub fn prerequisite(&self, app: &Application) -> Vec<(Status, bool)> {
        match self.kind {
            RuleKind::Open(s, _) => vec![(Status::Stage(s), false)],
            RuleKind::Achieve(m, _) | RuleKind::Close(m) => {
                vec![(Status::Stage(app.types[self.ty].milestones[m].stage), true)]
            }
            RuleKind::Invalidate(m, _) | RuleKind::Reset(m) => vec![(Status::Milestone(m), true)],
            RuleKind::CloseWith { stage, ancestor } => {
                vec![(Status::Stage(stage), true), (Status::Stage(ancestor), true)]
            }
        }
    }

    /// The stage it belongs to.
    pub fn stage(&self, app: &Application) -> StageIx {
        match self.kind {
            RuleKind::Open(s, _) | RuleKind::CloseWith { stage: s, .. } => s,
            RuleKind::Achieve(m, _) | RuleKind::Invalidate(m, _) | RuleKind::Reset(m) | RuleKind::Close(m) => {
                app.types[self.ty].milestones[m].stage
            }
        }
    }

    /// Its guard or condition, for PAC-1 to PAC-3.
    pub fn sentry<'a>(&self, app: &'a Application) -> Option<&'a Guard> {
        let t = &app.types[self.ty];
        match self.kind {
            RuleKind::Open(s, g) => t.stages[s].guards.get(g),
            RuleKind::Achieve(m, c) => t.milestones[m].achieving.get(c),
            RuleKind::Invalidate(m, c) => t.milestones[m].invalidating.get(c),
            _ => None,
        }
    }

    /// The same as a reference, for PAC-1 to PAC-3.
    pub fn sentry_ref(&self) -> Option<SentryRef> {
        match self.kind {
            RuleKind::Open(s, g) => Some(SentryRef::Guard(s, g)),
            RuleKind::Achieve(m, c) => Some(SentryRef::Achieving(m, c)),
            RuleKind::Invalidate(m, c) => Some(SentryRef::Invalidating(m, c)),
            _ => None,
        }
    }

    /// `PAC-1 Drafting/Guard1`, `PAC-4 Drafted`, `PAC-5 Drafting/Drafted`, `PAC-6 Child/Ancestor`.
    pub fn label(&self, app: &Application) -> String {
        let t = &app.types[self.ty];
        let stage = |s: StageIx| t.stages[s].id.as_str();
        let sentry = self.sentry(app).map_or("", |g| g.id.as_str());
        match self.kind {
            RuleKind::Open(s, _) => format!("PAC-1 {}/{sentry}", stage(s)),
            RuleKind::Achieve(m, _) => format!("PAC-2 {}/{sentry}", t.milestones[m].id),
            RuleKind::Invalidate(m, _) => format!("PAC-3 {}/{sentry}", t.milestones[m].id),
            RuleKind::Reset(m) => format!("PAC-4 {}", t.milestones[m].id),
            RuleKind::Close(m) => format!("PAC-5 {}/{}", stage(t.milestones[m].stage), t.milestones[m].id),
            RuleKind::CloseWith { stage: s, ancestor } => format!("PAC-6 {}/{}", stage(s), stage(ancestor)),
        }
    }

    /// Where it comes from: the sentry, or the milestone or stage.
    pub fn span(&self, app: &Application) -> Span {
        let t = &app.types[self.ty];
        match (self.sentry(app), self.kind) {
            (Some(guard), _) => guard.sentry.span,
            (None, RuleKind::Reset(m) | RuleKind::Close(m)) => t.milestones[m].span,
            _ => t.stages[self.stage(app)].span,
        }
    }
}

impl Occurrence {
    /// Does the occurrence make `event` occur somewhere? A task's completion that creates a slot counts as the creation event too, and
    /// one that sends a message as that event.
    pub fn includes(self, app: &Application, event: EventIx) -> bool {
        match self {
            Occurrence::Event(e) => e == event,
            Occurrence::TaskDone(ty, task) => app.types[ty].tasks[task].steps.iter().any(|step| match step {
                TaskStep::Create { ty: created, .. } => app.events[event].creates == Some(*created),
                TaskStep::Send { event: sent, .. } => *sent == event,
                _ => false,
            }),
        }
    }

    /// Every occurrence of an application: events in order, then tasks type by type.
    pub fn all(app: &Application) -> Vec<Occurrence> {
        let events = EventIx::each(&app.events).filter(|(_, e)| !e.outgoing).map(|(ix, _)| Occurrence::Event(ix));
        let tasks = TypeIx::each(&app.types).flat_map(|(ty, t)| TaskIx::all(&t.tasks).map(move |k| (ty, k)));
        events.chain(tasks.map(|(ty, k)| Occurrence::TaskDone(ty, k))).collect()
    }

    /// As it appears in traces.
    pub fn name(self, app: &Application) -> String {
        match self {
            Occurrence::Event(e) => app.events[e].id.clone(),
            Occurrence::TaskDone(ty, task) => format!("done {}", app.types[ty].tasks[task].id),
        }
    }
}
