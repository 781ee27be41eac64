//! Small hand-built applications for the tests of this room, which need no reader.

use super::*;
use crate::machine::CompareOp;
use crate::source::{FileId, Span};

/// A condition by names; see [`Model::expr`] for how names are resolved.
#[derive(Clone)]
pub(super) enum F {
    Const(bool),
    Active(&'static str),
    Completed(&'static str),
    Opened(&'static str),
    Closed(&'static str),
    Achieved(&'static str),
    JustAchieved(&'static str),
    JustInvalidated(&'static str),
    Occurring(&'static str),
    Done(&'static str),
    Not(Box<F>),
    And(Vec<F>),
    Or(Vec<F>),
    Implies(Box<F>, Box<F>),
    Compare(CompareOp, i64, i64),
    /// Some related slot of the type.
    Related(&'static str, Box<F>),
}

pub(super) fn not(f: F) -> F {
    F::Not(Box::new(f))
}

pub(super) fn related(ty: &'static str, f: F) -> F {
    F::Related(ty, Box::new(f))
}

/// Always.
pub(super) const TRUE: F = F::Const(true);

/// An application under construction. Stages and milestones are declared before the sentries that name them; guards and conditions
/// get the ids `S.1`, `S.2`, `m.1`, … and invalidators `m-1`, ….
pub(super) struct Model {
    pub app: Application,
    offset: usize,
}

impl Model {
    /// A model with these events, its stages to be declared type by type.
    pub fn new(events: &[&str]) -> Model {
        let span = Span::NOWHERE;
        let event = |id: &&str| Event {
            id: id.to_string(),
            name: id.to_string(),
            description: None,
            span,
            creates: None,
            declared: true,
            outgoing: false,
            payload: Vec::new(),
            bags: Vec::new(),
        };
        let app = Application {
            name: "test".into(),
            types: Vec::new(),
            events: events.iter().map(event).collect(),
            roles: Vec::new(),
            agents: None,
            options: Options::default(),
            texts: Vec::new(),
            parts: 0,
            unit: 10,
            seconds: false,
            guesses: Vec::new(),
            rounded: Vec::new(),
            constants: Vec::new(),
        };
        Model { app, offset: 0 }
    }

    /// Every place is another one, in the order of declaration.
    fn span(&mut self) -> Span {
        self.offset += 1;
        Span::new(FileId(0), self.offset, self.offset + 1)
    }

    /// Starts a type, with its creation event.
    pub fn ty(&mut self, id: &str) -> &mut Model {
        let span = self.span();
        let event = Event {
            id: format!("Create_{id}"),
            name: format!("Create_{id}"),
            description: None,
            span,
            creates: Some(TypeIx(self.app.types.len())),
            declared: false,
            outgoing: false,
            payload: Vec::new(),
            bags: Vec::new(),
        };
        self.app.events.push(event);
        self.app.types.push(ArtifactType {
            id: id.into(),
            name: id.into(),
            description: None,
            span,
            bound: 1,
            attrs: Vec::new(),
            bags: Vec::new(),
            stages: Vec::new(),
            milestones: Vec::new(),
            tasks: Vec::new(),
        });
        self
    }

    /// Adds a stage to the last type; call in pre-order. `path` is `Outer/Inner` or a top-level id.
    pub fn stage(&mut self, path: &str, milestones: &[&str]) -> &mut Model {
        let span = self.span();
        let t = self.app.types.last_mut().expect("a type");
        let stage = StageIx::next(&t.stages);
        let (parent, id) = match path.rsplit_once('/') {
            Some((outer, id)) => (t.stages.iter().position(|s| s.id == outer).map(StageIx), id),
            None => (None, path),
        };
        assert!(parent.is_some() || !path.contains('/'), "unknown parent in {path}");
        if let Some(p) = parent {
            t.stages[p].children.push(stage);
        }
        let first = t.milestones.len();
        t.stages.push(Stage {
            id: id.into(),
            name: id.into(),
            description: None,
            span,
            parent,
            children: Vec::new(),
            guards: Vec::new(),
            milestones: (first..first + milestones.len()).map(MilestoneIx).collect(),
            task: None,
            flow_guards: Vec::new(),
            fault_loggers: Vec::new(),
        });
        for m in milestones {
            let (id, name) = (m.to_string(), m.to_string());
            t.milestones.push(Milestone {
                id,
                name,
                description: None,
                span,
                stage,
                achieving: Vec::new(),
                invalidating: Vec::new(),
            });
        }
        self
    }

    /// Gives a stage a task that creates instances of the given types.
    pub fn task(&mut self, stage: &str, id: &str, creates: &[&str]) -> &mut Model {
        let span = self.span();
        let (ty, stage) = self.find_stage(stage);
        let step = |id: &&str| TaskStep::Create {
            ty: self.app.types.iter().position(|t| t.id == *id).map(TypeIx).expect("a type"),
            references: Vec::new(),
            data: Vec::new(),
            span,
        };
        let steps = creates.iter().map(step).collect();
        let t = &mut self.app.types[ty];
        t.stages[stage].task = Some(TaskIx::next(&t.tasks));
        t.tasks.push(Task { id: id.into(), name: id.into(), description: None, span, stage, steps });
        self
    }

    /// Adds a guard.
    pub fn guard(&mut self, stage: &str, events: &[&str], f: F) -> &mut Model {
        let (ty, s) = self.find_stage(stage);
        let id = format!("{stage}.{}", self.app.types[ty].stages[s].guards.len() + 1);
        let guard = self.sentry(ty, id, events, f);
        self.app.types[ty].stages[s].guards.push(guard);
        self
    }

    /// Adds an achieving condition.
    pub fn achieve(&mut self, milestone: &str, events: &[&str], f: F) -> &mut Model {
        let (ty, m) = self.find_milestone(milestone);
        let id = format!("{milestone}.{}", self.app.types[ty].milestones[m].achieving.len() + 1);
        let guard = self.sentry(ty, id, events, f);
        self.app.types[ty].milestones[m].achieving.push(guard);
        self
    }

    /// Adds an invalidating condition.
    pub fn invalidate(&mut self, milestone: &str, events: &[&str], f: F) -> &mut Model {
        let (ty, m) = self.find_milestone(milestone);
        let id = format!("{milestone}-{}", self.app.types[ty].milestones[m].invalidating.len() + 1);
        let guard = self.sentry(ty, id, events, f);
        self.app.types[ty].milestones[m].invalidating.push(guard);
        self
    }

    /// The rules and the order for an event, or for a task's completion (`done T1`).
    pub fn order(&self, occurrence: &str) -> Order {
        let all = Occurrence::all(&self.app);
        let named = all.into_iter().find(|o| o.name(&self.app) == occurrence).expect("an occurrence");
        order(&self.app, &Rules::of(&self.app), named)
    }

    /// The labels of an order's rules, as they run.
    pub fn sequence(&self, occurrence: &str) -> Vec<String> {
        let rules = Rules::of(&self.app);
        self.order(occurrence).sequence.iter().map(|&r| rules.list[r].label(&self.app)).collect()
    }

    /// The edges that satisfy a filter, as `from -> to`.
    pub fn edges(&self, occurrence: &str, filter: impl Fn(&Edge) -> bool) -> Vec<String> {
        let rules = Rules::of(&self.app);
        let label = |r: RuleIx| rules.list[r].label(&self.app);
        let order = self.order(occurrence);
        order.edges.iter().filter(|e| filter(e)).map(|e| format!("{} -> {}", label(e.from), label(e.to))).collect()
    }

    fn find_stage(&self, id: &str) -> (TypeIx, StageIx) {
        let all = TypeIx::each(&self.app.types);
        let mut found = all.filter_map(|(ty, t)| t.stages.iter().position(|s| s.id == id).map(|s| (ty, StageIx(s))));
        found.next().expect("a stage")
    }

    fn find_milestone(&self, id: &str) -> (TypeIx, MilestoneIx) {
        let all = TypeIx::each(&self.app.types);
        let mut found =
            all.filter_map(|(ty, t)| t.milestones.iter().position(|s| s.id == id).map(|m| (ty, MilestoneIx(m))));
        found.next().expect("a milestone")
    }

    fn find_event(&self, id: &str) -> EventIx {
        EventIx(self.app.events.iter().position(|e| e.id == id).expect("an event"))
    }

    fn sentry(&mut self, ty: TypeIx, id: String, events: &[&str], f: F) -> Guard {
        let span = self.span();
        let expr = self.expr(ty, Subject::This, span, &f);
        let events = events.iter().map(|e| self.find_event(e)).collect();
        Guard { name: id.clone(), id, sentry: Sentry { span, events, expr } }
    }

    /// Names are unique over all types; `of` says whose attributes are meant.
    fn expr(&self, ty: TypeIx, of: Subject, span: Span, f: &F) -> Expr {
        let part = |f: &F| Box::new(self.expr(ty, of, span, f));
        let parts = |fs: &[F]| fs.iter().map(|f| self.expr(ty, of, span, f)).collect();
        let stage = |id: &str, is| {
            let (ty, stage) = self.find_stage(id);
            ExprKind::Stage { of, ty, stage, is }
        };
        let milestone = |id: &str, is| {
            let (ty, milestone) = self.find_milestone(id);
            ExprKind::Milestone { of, ty, milestone, is }
        };
        let int = |i: i64| Box::new(Expr { kind: ExprKind::Int(i), span });
        let kind = match f {
            F::Const(b) => ExprKind::Bool(*b),
            F::Active(id) => stage(id, StageIs::Active),
            F::Completed(id) => stage(id, StageIs::Completed),
            F::Opened(id) => stage(id, StageIs::Opened),
            F::Closed(id) => stage(id, StageIs::Closed),
            F::Achieved(id) => milestone(id, MilestoneIs::Achieved),
            F::JustAchieved(id) => milestone(id, MilestoneIs::JustAchieved),
            F::JustInvalidated(id) => milestone(id, MilestoneIs::JustInvalidated),
            F::Occurring(id) => ExprKind::Occurring(self.find_event(id)),
            F::Done(id) => ExprKind::TaskCompleted(TaskIx(
                self.app.types[ty].tasks.iter().position(|t| t.id == *id).expect("a task of this type"),
            )),
            F::Not(a) => ExprKind::Not(part(a)),
            F::And(fs) => ExprKind::And(parts(fs)),
            F::Or(fs) => ExprKind::Or(parts(fs)),
            F::Implies(a, b) => ExprKind::Implies(part(a), part(b)),
            F::Compare(op, a, b) => ExprKind::Compare(*op, int(*a), int(*b)),
            F::Related(id, body) => {
                let ty = self.app.types.iter().position(|t| t.id == *id).map(TypeIx).expect("a type");
                let body = Box::new(self.expr(ty, Subject::Bound(0), span, body));
                ExprKind::Quant { exists: true, var: 0, ty, over: Over::Related, body }
            }
        };
        Expr { kind, span }
    }
}
