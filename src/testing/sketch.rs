//! The skeleton of a random application: types, data, stages, events and tasks, before any condition is written.

use super::{Choices, Limits};

/// An application, as far as its conditions need to know it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    pub types: Vec<Type>,
    pub events: Vec<Event>,
}

#[derive(Clone, Debug)]
pub(super) struct Type {
    pub id: String,
    pub name: String,
    pub bound: usize,
    pub attrs: Vec<Attr>,
    pub stages: Vec<Stage>,
}

#[derive(Clone, Debug)]
pub(super) struct Attr {
    pub name: String,
    pub kind: Kind,
    /// In `gsmc.toml`.
    pub range: Option<(i64, i64)>,
    /// In the schema: facets of a number with fractions.
    pub facets: &'static str,
    pub default: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    /// A number with fractions.
    Real,
    Enum,
    Text,
    Date,
    /// To a type, by index.
    Reference(usize),
}

impl Kind {
    /// Can it be copied there? Numbers go where numbers are.
    pub fn fits(&self, to: &Kind) -> bool {
        let number = |kind: &Kind| matches!(kind, Kind::Int | Kind::Real);
        self == to || (number(self) && number(to))
    }
}

/// Values of every enumeration; every text meets these constants.
pub(super) const WORDS: [&str; 2] = ["red", "blue"];
/// What numbers with fractions meet.
pub(super) const FRACTIONS: [&str; 3] = ["1", "0.5", "1.5"];
/// Facets that leave room for all of these.
const FACETS: [&str; 4] = [
    "",
    "<xs:minInclusive value=\"0\"/>",
    "<xs:minExclusive value=\"0\"/><xs:maxInclusive value=\"1.5\"/>",
    "<xs:minInclusive value=\"-0.5\"/><xs:maxExclusive value=\"2.25\"/>",
];

#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub id: String,
    pub name: String,
    pub parent: Option<usize>,
    pub guards: Vec<Sentry>,
    pub milestones: Vec<Milestone>,
    pub task: Option<Task>,
}

#[derive(Clone, Debug)]
pub(super) struct Milestone {
    pub id: String,
    /// Events for the conditions that have none themselves.
    pub events: Vec<String>,
    pub achieving: Vec<Sentry>,
    pub invalidating: Vec<Sentry>,
}

#[derive(Clone, Debug)]
pub(super) struct Sentry {
    pub id: String,
    pub events: Vec<String>,
    /// Empty for `true`.
    pub text: String,
    /// Every event that event ids or condition name.
    pub named: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Task {
    pub id: String,
    pub steps: Vec<Step>,
}

/// What a task's completion does; attributes by name.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Constant(String, String),
    Copy {
        from: String,
        to: String,
    },
    Field {
        event: Option<String>,
        field: String,
        to: String,
    },
    Add(String),
    Create(usize, Vec<(String, String)>),
    Call(Vec<String>),
    /// Event, receiver if that is another instance, fields with their values.
    Send(String, Option<usize>, Vec<(String, Sent)>),
}

/// What a message carries in a field.
#[derive(Clone, Debug)]
pub(super) enum Sent {
    Constant(String),
    Copy(String),
    Field(Option<String>, String),
}

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub id: String,
    /// The type it is meant for.
    pub ty: usize,
    pub creates: bool,
    /// Payload fields; none: no message. A field that is no attribute is for tasks.
    pub fields: Vec<(String, Kind)>,
    /// Written into the model (creation events need not be).
    pub declared: bool,
}

/// Numbers to compare with where no range is given.
pub(super) const NUMBERS: (i64, i64) = (0, 2);

impl Attr {
    /// Numbers it can be compared with.
    pub fn bounds(&self) -> (i64, i64) {
        self.range.unwrap_or(NUMBERS)
    }
}

impl Type {
    /// Is stage `inner` strictly inside stage `outer`?
    pub fn inside(&self, inner: usize, outer: usize) -> bool {
        std::iter::successors(self.stages[inner].parent, |&s| self.stages[s].parent).any(|a| a == outer)
    }

    pub fn atomic(&self, stage: usize) -> bool {
        !self.stages.iter().any(|s| s.parent == Some(stage))
    }

    pub fn milestones(&self) -> Vec<&str> {
        self.stages.iter().flat_map(|s| &s.milestones).map(|m| m.id.as_str()).collect()
    }

    pub fn tasks(&self) -> Vec<&str> {
        self.stages.iter().filter_map(|s| s.task.as_ref()).map(|t| t.id.as_str()).collect()
    }
}

/// Draws a skeleton.
pub(super) fn sketch(c: &mut Choices, limits: &Limits) -> Sketch {
    let mut out = Sketch::default();
    let stages = 1 + c.below(limits.stages);
    let types = if limits.children || (limits.types > 1 && c.chance(40)) { 2 } else { 1 };
    for ty in 0..types {
        let id = ["T", "R"][ty].to_string();
        let name = if c.chance(10) { format!("Type {id}") } else { id.clone() };
        let share = if types == 1 { stages } else { (stages / 2).max(1) };
        let crowded = share * types > 3;
        let bound = if limits.slots > 1 && c.chance(if crowded { 10 } else { 40 }) { 2 } else { 1 };
        let attrs = if limits.data { attributes(c, ty) } else { Vec::new() };
        out.types.push(Type { id, name, bound, attrs, stages: Vec::new() });
        lifecycle(c, share, &mut out.types[ty]);
    }
    if types == 2 && limits.data && c.chance(60) {
        let parent = Attr { name: "ParentT".into(), kind: Kind::Reference(0), range: None, facets: "", default: None };
        out.types[1].attrs.push(parent);
    }
    for ty in 0..types {
        events(c, ty, &mut out);
    }
    if limits.tasks {
        tasks(c, &mut out);
    }
    out
}

/// Attribute names differ between types, so that a bare name has one meaning.
fn attributes(c: &mut Choices, ty: usize) -> Vec<Attr> {
    let number = c.one_of([0, 1, 1, 1, 2, 2]);
    let mut attrs = Vec::new();
    for i in 0..number {
        let kind = match c.below(12) {
            0..4 => Kind::Bool,
            4..7 => Kind::Int,
            7 => Kind::Real,
            8..10 => Kind::Enum,
            10 => Kind::Text,
            _ => Kind::Date,
        };
        let letter = match kind {
            Kind::Bool => 'b',
            Kind::Int => 'n',
            Kind::Real => 'r',
            Kind::Enum => 'e',
            Kind::Text => 's',
            _ => 'd',
        };
        let range = (kind == Kind::Int && c.chance(50)).then(|| c.one_of([(0, 1), (0, 2), (-1, 1), (1, 2)]));
        let range = range.or((kind == Kind::Real && c.chance(20)).then(|| c.one_of([(0, 2), (-1, 2)])));
        let facets = if kind == Kind::Real { c.one_of(FACETS) } else { "" };
        let default = match kind {
            Kind::Bool if c.chance(20) => Some("true".to_string()),
            Kind::Int if range.is_none() && c.chance(20) => Some("1".to_string()),
            Kind::Real if c.chance(30) => Some(c.one_of(FRACTIONS).to_string()),
            Kind::Enum if c.chance(20) => Some(WORDS[0].to_string()),
            _ => None,
        };
        attrs.push(Attr { name: format!("{letter}{ty}{i}"), kind, range, facets, default });
    }
    attrs
}

/// Stages in pre-order, each with up to two milestones.
fn lifecycle(c: &mut Choices, number: usize, t: &mut Type) {
    for i in 0..number {
        // In pre-order the parent is the stage before or one of its ancestors.
        let mut parent = None;
        if i > 0 && c.chance(60) {
            parent = Some(i - 1);
            while c.chance(30) {
                parent = parent.and_then(|p: usize| t.stages[p].parent);
            }
        }
        let odd = c.chance(6);
        let id = if odd { format!("{}-s {i}", t.id) } else { format!("{}S{i}", t.id) };
        let name = if c.chance(6) { format!("Stage {i} of {}", t.id) } else { id.clone() };
        let milestones = match c.below(10) {
            0..2 => 0,
            2..8 => 1,
            _ => 2,
        };
        let milestone = |k: usize| Milestone {
            id: format!("{}m{i}{}", t.id, ["a", "b"][k]),
            events: Vec::new(),
            achieving: Vec::new(),
            invalidating: Vec::new(),
        };
        let milestones = (0..milestones).map(milestone).collect();
        t.stages.push(Stage { id, name, parent, guards: Vec::new(), milestones, task: None });
    }
}

fn events(c: &mut Choices, ty: usize, out: &mut Sketch) {
    let attrs: Vec<(String, Kind)> = out.types[ty].attrs.iter().map(|a| (a.name.clone(), a.kind.clone())).collect();
    let id = out.types[ty].id.clone();
    for i in 0..1 + c.below(3) {
        let mut fields = if c.chance(35) { c.some_of(&attrs, 60) } else { Vec::new() };
        if c.chance(10) {
            fields.push((
                format!("f{ty}{i}"),
                c.pick(&[Kind::Bool, Kind::Int, Kind::Real]).cloned().unwrap_or(Kind::Bool),
            ));
        }
        fields.truncate(2);
        let id = format!("{}{}", ["E", "F"][ty], i + 1);
        out.events.push(Event { id, ty, creates: false, fields, declared: true });
    }
    let declared = c.chance(25);
    let fields = if declared { c.some_of(&attrs, 50) } else { Vec::new() };
    out.events.push(Event { id: format!("Create_{id}"), ty, creates: true, fields, declared });
}

fn tasks(c: &mut Choices, out: &mut Sketch) {
    let types = out.types.len();
    for ty in 0..types {
        for stage in 0..out.types[ty].stages.len() {
            if out.types[ty].atomic(stage) && c.chance(25) {
                let number = c.below(3);
                let steps = (0..number).filter_map(|_| step(c, ty, out)).collect();
                let id = format!("{}task{stage}", out.types[ty].id);
                out.types[ty].stages[stage].task = Some(Task { id, steps });
            }
        }
    }
}

/// A stage of the first type that opens with its instance and creates one of the second type, or two. Other tasks may create more.
pub(super) fn children(c: &mut Choices, out: &mut Sketch) {
    let event = format!("Create_{}", out.types[0].id);
    let (events, named) = (vec![event.clone()], vec![event]);
    let guard = Sentry { id: "nest-g".into(), events, text: String::new(), named };
    let steps = (0..1 + c.below(2)).map(|_| Step::Create(1, Vec::new())).collect();
    let task = Some(Task { id: "nesting".into(), steps });
    let (id, name) = ("nest".to_string(), "nest".to_string());
    out.types[0].stages.push(Stage { id, name, parent: None, guards: vec![guard], milestones: Vec::new(), task });
}

/// Some tasks send events instead, to their own instance or to others; stages without a task may get such a one.
pub(super) fn messages(c: &mut Choices, out: &mut Sketch) {
    for ty in 0..out.types.len() {
        for stage in (0..out.types[ty].stages.len()).filter(|s| out.types[ty].atomic(*s)).collect::<Vec<_>>() {
            let creates = out.types[ty].stages[stage].task.iter().flat_map(|t| &t.steps);
            // What a task creates, nobody else does.
            if creates.clone().any(|s| matches!(s, Step::Create(..))) || !c.chance(40) {
                continue;
            }
            let Some(send) = message(c, ty, out) else { continue };
            let t = &mut out.types[ty];
            let id = format!("{}task{stage}", t.id);
            let id = t.stages[stage].task.take().map_or(id, |task| task.id);
            t.stages[stage].task = Some(Task { id, steps: vec![send] });
        }
    }
}

fn message(c: &mut Choices, ty: usize, out: &Sketch) -> Option<Step> {
    let to = c.chance(50).then(|| c.below(out.types.len()));
    let receiver = to.unwrap_or(ty);
    let events: Vec<&Event> = out.events.iter().filter(|e| !e.creates).collect();
    let meant: Vec<&Event> = events.iter().copied().filter(|e| e.ty == receiver).collect();
    let from = if c.chance(80) { &meant } else { &events };
    let carrying: Vec<&Event> = from.iter().copied().filter(|e| !e.fields.is_empty()).collect();
    let from = if c.chance(60) && !carrying.is_empty() { &carrying } else { from };
    let event = *c.pick(from)?;
    let group = |kind: &Kind| match kind {
        Kind::Bool | Kind::Date => 0,
        Kind::Int | Kind::Real | Kind::Reference(_) => 1,
        Kind::Enum | Kind::Text => 2,
    };
    let mut fields = Vec::new();
    for (name, kind) in event.fields.iter().filter(|_| c.chance(85)).collect::<Vec<_>>() {
        let own = out.types[receiver].attrs.iter().find(|a| a.name == *name);
        let kind = own.map_or(kind, |a| &a.kind);
        let copies: Vec<Sent> = out.types[ty]
            .attrs
            .iter()
            .filter(|a| group(&a.kind) == group(kind))
            .map(|a| Sent::Copy(a.name.clone()))
            .collect();
        let sent = out.events.iter().filter(|e| e.ty == ty);
        let of = |e: &Event, (f, k): &(String, Kind)| (group(k) == group(kind)).then(|| (e.id.clone(), f.clone()));
        let carried: Vec<(String, String)> = sent.flat_map(|e| e.fields.iter().filter_map(move |f| of(e, f))).collect();
        let source = match c.below(3) {
            0 => {
                let attr = Attr { name: name.clone(), kind: kind.clone(), range: None, facets: "", default: None };
                constant(c, own.unwrap_or(&attr)).map(Sent::Constant)
            }
            1 => c.pick(&copies).cloned(),
            _ => {
                let named = c.chance(50);
                c.pick(&carried).map(|(e, f)| Sent::Field(named.then(|| e.clone()), f.clone()))
            }
        };
        fields.extend(source.map(|s| (name.clone(), s)));
    }
    Some(Step::Send(event.id.clone(), to, fields))
}

fn step(c: &mut Choices, ty: usize, out: &Sketch) -> Option<Step> {
    let attrs: Vec<&Attr> =
        out.types[ty].attrs.iter().filter(|a| !matches!(a.kind, Kind::Reference(_) | Kind::Date)).collect();
    if c.chance(30) {
        let created = c.below(out.types.len());
        let created = if out.types.len() == 2 && c.chance(70) { 1 - ty } else { created };
        let targets = out.types[created].attrs.iter();
        let data = targets.filter_map(|a| constant(c, a).filter(|_| c.chance(30)).map(|v| (a.name.clone(), v)));
        return Some(Step::Create(created, data.collect()));
    }
    let to = *c.pick(&attrs)?;
    Some(match c.below(5) {
        0 => Step::Constant(to.name.clone(), constant(c, to)?),
        1 if matches!(to.kind, Kind::Int | Kind::Real) => Step::Add(to.name.clone()),
        1 | 2 => {
            let fits = |(_, kind): &&(String, Kind)| kind.fits(&to.kind);
            let sent = out.events.iter().filter(|e| e.ty == ty && !e.creates);
            let fields: Vec<(&Event, &String)> =
                sent.flat_map(|e| e.fields.iter().filter(fits).map(move |(f, _)| (e, f))).collect();
            let (event, field) = c.pick(&fields)?;
            let event = c.chance(50).then(|| event.id.clone());
            Step::Field { event, field: field.to_string(), to: to.name.clone() }
        }
        3 => {
            let like: Vec<&&Attr> = attrs.iter().filter(|a| a.kind.fits(&to.kind) && a.name != to.name).collect();
            Step::Copy { from: c.pick(&like)?.name.clone(), to: to.name.clone() }
        }
        _ => Step::Call(vec![to.name.clone()]),
    })
}

/// A value of an attribute, as text.
fn constant(c: &mut Choices, a: &Attr) -> Option<String> {
    let (lo, hi) = a.bounds();
    Some(match a.kind {
        Kind::Bool => c.one_of(["true", "false"]).to_string(),
        Kind::Int => (lo + c.below((hi - lo + 1) as usize) as i64).to_string(),
        Kind::Real => c.one_of(FRACTIONS).to_string(),
        Kind::Enum | Kind::Text => c.one_of(WORDS).to_string(),
        _ => return None,
    })
}
