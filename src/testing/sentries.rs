//! Random guards and conditions, over every operator of sentries.

use super::sketch::{FRACTIONS, Kind, Sentry, Sketch, WORDS};
use super::{Choices, Limits};

/// Fills in the guards and conditions of a skeleton.
pub(super) fn fill(c: &mut Choices, limits: &Limits, sketch: &mut Sketch) {
    for ty in 0..sketch.types.len() {
        for stage in 0..sketch.types[ty].stages.len() {
            let s = sketch.types[ty].stages[stage].clone();
            let mut pen = Pen { c, limits, sketch, ty };
            let guards = (0..1 + usize::from(pen.c.chance(25))).map(|k| pen.guard(stage, k)).collect();
            let mut milestones = s.milestones;
            for m in &mut milestones {
                m.events = if pen.c.chance(15) { vec![pen.event()] } else { Vec::new() };
                let number = 1 + usize::from(pen.c.chance(15));
                m.achieving = (0..number).map(|k| pen.condition(&m.id, k, &m.events)).collect();
                let number = usize::from(pen.c.chance(20));
                m.invalidating = (0..number).map(|k| pen.sentry(format!("{}-i{k}", m.id), 50)).collect();
            }
            sketch.types[ty].stages[stage].guards = guards;
            sketch.types[ty].stages[stage].milestones = milestones;
        }
    }
}

struct Pen<'a> {
    c: &'a mut Choices,
    limits: &'a Limits,
    sketch: &'a Sketch,
    ty: usize,
}

/// Drawn conditions name events; each is remembered.
#[derive(Default)]
struct Named(Vec<String>);

impl Pen<'_> {
    /// An event meant for this type; rarely one for the other.
    fn event(&mut self) -> String {
        let other = self.c.chance(5);
        let of = |ty| self.sketch.events.iter().filter(|e| e.ty == ty && !e.creates).map(|e| e.id.clone()).collect();
        let (own, foreign): (Vec<String>, Vec<String>) = (of(self.ty), of(1 - self.ty));
        let from = if other && !foreign.is_empty() { foreign } else { own };
        self.c.pick(&from).cloned().unwrap_or_default()
    }

    fn guard(&mut self, stage: usize, k: usize) -> Sentry {
        let s = &self.sketch.types[self.ty].stages[stage];
        let id = format!("{}g{stage}{k}", self.sketch.types[self.ty].id);
        // Some top-level stages open with their instance.
        if s.parent.is_none() && self.c.chance(25) {
            let creation = format!("Create_{}", self.sketch.types[self.ty].id);
            return Sentry { id, events: vec![creation.clone()], text: String::new(), named: vec![creation] };
        }
        self.sentry(id, if s.parent.is_none() { 60 } else { 40 })
    }

    fn condition(&mut self, milestone: &str, k: usize, inherited: &[String]) -> Sentry {
        let own = if inherited.is_empty() { 55 } else { 10 };
        let mut sentry = self.sentry(format!("{milestone}-c{k}"), own);
        if sentry.events.is_empty() {
            sentry.named.extend_from_slice(inherited);
        }
        sentry
    }

    fn sentry(&mut self, id: String, with_event: usize) -> Sentry {
        let mut events = Vec::new();
        if self.c.chance(with_event) {
            events.push(self.event());
            if self.c.chance(15) {
                events.push(self.event());
            }
            events.dedup();
        }
        let mut named = Named(events.clone());
        // Without an event, a bare `true` opens at every step.
        let bare = if events.is_empty() { 15 } else { 50 };
        let depth = self.c.one_of([0, 1, 1, 2]);
        let text = if self.c.chance(100 - bare) { self.formula(depth, &mut named) } else { String::new() };
        Sentry { id, events, text, named: named.0 }
    }

    fn formula(&mut self, depth: usize, named: &mut Named) -> String {
        if depth == 0 {
            return self.atom(named);
        }
        let a = self.formula(depth - 1, named);
        match self.c.below(8) {
            0 | 1 => a,
            2 => format!("!({a})"),
            3 => format!("not ({a})"),
            4 | 5 => format!("({a}) {} ({})", self.c.one_of(["&&", "and"]), self.formula(depth - 1, named)),
            6 => format!("({a}) {} ({})", self.c.one_of(["||", "or"]), self.formula(depth - 1, named)),
            _ => format!("({a}) {} ({})", self.c.one_of(["implies", "xor"]), self.formula(depth - 1, named)),
        }
    }

    fn atom(&mut self, named: &mut Named) -> String {
        let positive = match self.c.below(20) {
            0..4 => self.milestone_atom(),
            4..8 => self.stage_atom(),
            8..13 => self.data_atom("", self.ty),
            13..16 => self.related_atom(),
            16..18 => {
                let event = self.event();
                named.0.push(event.clone());
                Some(format!("{}('{event}')", self.call("isEventOccurring")))
            }
            18 => {
                let tasks = self.sketch.types[self.ty].tasks();
                self.c.pick(&tasks).copied().map(|t| format!("{}('{t}')", self.call("hasTaskCompleted")))
            }
            _ => Some(self.c.one_of(["true", "false"]).to_string()),
        };
        let positive = positive.or_else(|| self.stage_atom()).unwrap_or_else(|| "true".to_string());
        if self.c.chance(25) { format!("!({positive})") } else { positive }
    }

    /// A call in one of its spellings.
    fn call(&mut self, operator: &str) -> String {
        let prefix = self.c.one_of(["GSM.", "GSM.", "GSM.", "GSM.", "Model.GSM.", "this."]);
        if self.c.chance(5)
            && let Some(short) = operator.strip_prefix("is")
        {
            return format!("{prefix}{short}");
        }
        format!("{prefix}{operator}")
    }

    fn stage_atom(&mut self) -> Option<String> {
        let t = &self.sketch.types[self.ty];
        let stage = self.c.pick(&t.stages)?.id.clone();
        let operators = ["isStageActive", "isStageCompleted", "stageActivatedOnEvent", "stageClosedOnEvent"];
        let operator = self.c.one_of(operators);
        let own = if self.c.chance(5) { format!("'{}', ", t.id) } else { String::new() };
        Some(format!("{}({own}'{stage}')", self.call(operator)))
    }

    fn milestone_atom(&mut self) -> Option<String> {
        let all = self.sketch.types[self.ty].milestones();
        let m = *self.c.pick(&all)?;
        let operators = ["isMilestoneAchieved", "milestoneAchievedOnEvent", "milestoneInvalidatedOnEvent"];
        let operator = self.c.one_of(operators);
        Some(format!("{}('{m}')", self.call(operator)))
    }

    /// Related artifacts: of the other type, or of this one where it has two slots.
    fn related_atom(&mut self) -> Option<String> {
        if !self.limits.related {
            return None;
        }
        let crowds: Vec<usize> =
            (0..self.sketch.types.len()).filter(|&ty| ty != self.ty || self.sketch.types[ty].bound > 1).collect();
        let ty = *self.c.pick(&crowds)?;
        let t = &self.sketch.types[ty];
        let (stages, milestones) = (t.stages.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), t.milestones());
        let id = &t.id;
        let stage = *self.c.pick(&stages)?;
        let by_milestone = [
            "hasRelatedArtifactMilestoneBeenAchieved",
            "hasGroupOfAnyRelatedArtifactsMilestoneBeenAchieved",
            "hasGroupOfAllRelatedArtifactsMilestoneBeenAchieved",
            "RelatedArtifactMilestoneAchievedOnEvent",
        ];
        match self.c.below(10) {
            0..5 if !milestones.is_empty() => {
                let m = *self.c.pick(&milestones)?;
                let operator = self.c.one_of(by_milestone);
                Some(format!("{}('{id}', '{m}')", self.call(operator)))
            }
            0..7 => Some(format!("{}('{id}', '{stage}')", self.call("isRelatedArtifactStageActive"))),
            7 => Some(format!("{id}->{}()", self.c.one_of(["notEmpty", "isEmpty"]))),
            8 => Some(format!("{id}->size() {} {}", self.c.one_of(["<", ">=", "=="]), self.c.below(3))),
            _ => {
                let quantifier = self.c.one_of(["exists", "forAll"]);
                let body = match self.data_atom("x.", ty) {
                    Some(data) if self.c.chance(60) => data,
                    _ => format!("x.isStageActive('{stage}')"),
                };
                Some(format!("{id}->{quantifier}(x | {body})"))
            }
        }
    }

    fn data_atom(&mut self, whose: &str, ty: usize) -> Option<String> {
        let attr = self.c.pick(&self.sketch.types[ty].attrs)?;
        compare(self.c, &format!("{whose}{}", attr.name), &attr.kind, attr.bounds())
    }
}

/// A comparison of something of a kind with a constant (a number within bounds); `None` where there is nothing to compare.
pub(super) fn compare(c: &mut Choices, name: &str, kind: &Kind, (lo, hi): (i64, i64)) -> Option<String> {
    let equal = c.one_of(["==", "!="]);
    Some(match kind {
        Kind::Bool => match c.below(3) {
            0 => name.to_string(),
            1 => format!("!{name}"),
            _ => format!("{name} {equal} {}", c.one_of(["true", "false"])),
        },
        Kind::Int => {
            let operator = c.one_of(["==", ">", "<", ">=", "<=", "!="]);
            let left =
                if c.chance(15) { format!("{name} {} 1", c.one_of(["+", "-", "*", "/"])) } else { name.to_string() };
            let n = lo + c.below((hi - lo + 1) as usize) as i64;
            match c.below(8) {
                // Half-way to the next whole number.
                6 => format!("{left} {operator} {}", n as f64 + 0.5),
                7 => format!("{left} + 0.5 {operator} {n}"),
                _ => format!("{left} {operator} {n}"),
            }
        }
        Kind::Real => {
            let operator = c.one_of(["==", ">", "<", ">=", "<=", "!="]);
            let left = match c.below(8) {
                4 => format!("{name} + 0.25"),
                5 => format!("0.75 + {name} - 1"),
                6 => format!("{name} {} {}", c.one_of(["*", "/"]), c.one_of(["0.3", "3", "1.5"])),
                7 => format!("{name} * {name} - {name}"),
                _ => name.to_string(),
            };
            format!("{left} {operator} {}", c.one_of(FRACTIONS))
        }
        Kind::Enum | Kind::Text => format!("{name} {equal} '{}'", c.one_of(WORDS)),
        Kind::Reference(_) => format!("{name} {equal} {}", c.below(2)),
        Kind::Date => return None,
    })
}
