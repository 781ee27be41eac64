//! Random agents files: roles with views, windows and transformations; agents with private variables and protocols.

use super::sentries::compare;
use super::sketch::{Kind, NUMBERS, Sentry, Sketch, Type, WORDS};
use super::{Choices, Limits};

/// An agent as properties need to know it.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub name: String,
    /// Private variables; enumerated ones are [`Kind::Enum`] over [`WORDS`].
    pub vars: Vec<(String, Kind)>,
}

/// Draws an agents file; gives its text and the agents.
pub(super) fn agents(c: &mut Choices, limits: &Limits, sketch: &Sketch) -> (String, Vec<Agent>) {
    let (mut text, most) = (String::new(), limits.agents);
    let number = 1 + c.below(most);
    let roles: Vec<Role> = (0..1 + c.below(number)).map(|i| role(c, i, limits, sketch)).collect();
    roles.iter().for_each(|r| text.push_str(&r.text));
    let mut all: Vec<Agent> = Vec::new();
    for i in 0..number {
        let name = ["ann", "bob", "cyd", "dan"].get(i).map_or_else(|| format!("agent{i}"), |n| n.to_string());
        // Every role is taken by somebody.
        let role = if i < roles.len() { &roles[i] } else { &roles[c.below(roles.len())] };
        let vars = variables(c);
        let many = number < most && c.chance(15);
        let range = if many { format!("[{}]", most - number + 1) } else { String::new() };
        text.push_str(&format!("agent {name}{range} {{ role: {};", role.name));
        text.push_str(&declare(&vars));
        text.push_str(&protocol(c, sketch, role, &vars));
        text.push_str(" };\n");
        match many {
            true => {
                all.extend((1..=most - number + 1).map(|k| Agent { name: format!("{name}{k}"), vars: vars.clone() }))
            }
            false => all.push(Agent { name, vars }),
        }
        if many {
            break;
        }
    }
    // A range stands for all agents that would have come after it; their roles must still be taken.
    let taken = |r: &Role| text.contains(&format!("role: {};", r.name));
    let unused: Vec<String> = roles.iter().filter(|r| !taken(r)).map(|r| r.text.clone()).collect();
    for role in unused {
        text = text.replace(&role, "");
    }
    (text, all)
}

struct Role {
    name: String,
    text: String,
    /// Events its agents may send, creation included.
    events: Vec<String>,
}

fn role(c: &mut Choices, index: usize, limits: &Limits, sketch: &Sketch) -> Role {
    let name = format!("Role{index}");
    let mut fields = Vec::new();
    let attrs: Vec<String> = sketch.types.iter().flat_map(|t| t.attrs.iter().map(|a| a.name.clone())).collect();
    let view = c.some_of(&attrs, 60);
    if !view.is_empty() {
        fields.push(format!("view: {};", view.join(", ")));
    }
    if let Some(window) = window(c, sketch) {
        fields.push(format!("window: {window};"));
    }
    // The first role can create everything that agents create, so that something happens.
    let types = sketch.types.iter().take(if limits.children { 1 } else { usize::MAX });
    let types: Vec<&Type> = types.filter(|_| index == 0 || c.chance(50)).collect();
    if !types.is_empty() {
        let ids: Vec<&str> = types.iter().map(|t| t.id.as_str()).collect();
        fields.push(format!("instantiation: {};", ids.join(", ")));
    }
    let mut delegated = Vec::new();
    let hidden: Vec<String> =
        (0..c.one_of([0, 0, 1, 2])).filter_map(|_| transformation(c, sketch, &mut delegated)).collect();
    if !hidden.is_empty() {
        fields.push(format!("transformation: {};", hidden.join(", ")));
    }
    let sentries = sketch.types.iter().flat_map(sentries).filter(|s| !delegated.contains(&s.id));
    let mut events: Vec<String> =
        sentries.flat_map(|s| s.named.clone()).filter(|e| !e.starts_with("Create_")).collect();
    events.extend(types.iter().map(|t| format!("Create_{}", t.id)));
    events.sort();
    events.dedup();
    Role { text: format!("role {name} {{ {} }};\n", fields.join(" ")), name, events }
}

fn sentries(t: &Type) -> impl Iterator<Item = &Sentry> {
    t.stages.iter().flat_map(stage_sentries)
}

fn stage_sentries(s: &super::sketch::Stage) -> impl Iterator<Item = &Sentry> {
    s.guards.iter().chain(s.milestones.iter().flat_map(|m| m.achieving.iter().chain(&m.invalidating)))
}

fn window(c: &mut Choices, sketch: &Sketch) -> Option<String> {
    let t = c.pick(&sketch.types)?;
    match c.below(6) {
        0..2 => None,
        2 => Some("true".to_string()),
        3 => {
            let stage = &c.pick(&t.stages)?.id;
            let not = c.one_of(["", "!"]);
            Some(format!("{not}GSM.isStageActive('{}', '{stage}')", t.id))
        }
        _ => {
            let attr = c.pick(&t.attrs)?;
            match attr.kind {
                Kind::Text => Some(format!("{} {} $$", attr.name, c.one_of(["==", "!="]))),
                _ => compare(c, &attr.name, &attr.kind, attr.bounds()),
            }
        }
    }
}

/// Hides something; notes the ids of sentries that are taken away with it.
fn transformation(c: &mut Choices, sketch: &Sketch, delegated: &mut Vec<String>) -> Option<String> {
    let t = c.pick(&sketch.types)?;
    let stage = c.below(t.stages.len());
    let id = &t.stages[stage].id;
    let mut take = |stages: &mut dyn Iterator<Item = usize>| {
        stages.for_each(|s| delegated.extend(stage_sentries(&t.stages[s]).map(|g| g.id.clone())));
    };
    Some(match c.below(5) {
        0 => format!("hide_stage_status({}, '{id}')", t.id),
        1 => {
            let milestones = t.milestones();
            format!("hide_milestone({}, '{}')", t.id, c.pick(&milestones)?)
        }
        2 => {
            let all: Vec<&Sentry> = sentries(t).collect();
            let sentry = &c.pick(&all)?.id;
            delegated.push(sentry.clone());
            format!("delegate_sentry({}, '{sentry}')", t.id)
        }
        3 => {
            take(&mut (0..t.stages.len()).filter(|&s| t.inside(s, stage)));
            format!("condense_stage({}, '{id}')", t.id)
        }
        _ => {
            take(&mut (0..t.stages.len()).filter(|&s| s == stage || t.inside(s, stage)));
            format!("eliminate_stage({}, '{id}')", t.id)
        }
    })
}

/// Private variables that an agent may have. Several of a kind, so that updates can read each other.
const PRIVATE: [(&str, Kind); 7] = [
    ("done", Kind::Bool),
    ("seen", Kind::Bool),
    ("count", Kind::Int),
    ("debt", Kind::Int),
    ("left", Kind::Int),
    ("mood", Kind::Enum),
    ("hue", Kind::Enum),
];

/// The range of a private number: some can fall below zero, one is narrow.
pub(super) fn range_of(private: &str) -> (i64, i64) {
    match private {
        "debt" => (-1, 1),
        "left" => (0, 1),
        _ => NUMBERS,
    }
}

fn variables(c: &mut Choices) -> Vec<(String, Kind)> {
    let number = c.one_of([0, 1, 1, 2, 3, 4]);
    let drawn: Vec<usize> = (0..number).map(|_| c.below(PRIVATE.len())).collect();
    let kept = PRIVATE.iter().enumerate().filter(|(i, _)| drawn.contains(i));
    kept.map(|(_, (name, kind))| (name.to_string(), kind.clone())).collect()
}

fn declare(vars: &[(String, Kind)]) -> String {
    let one = |(name, kind): &(String, Kind)| match kind {
        Kind::Bool => format!("bool {name} = false"),
        Kind::Int => format!("{}..{} {name} = 0", range_of(name).0, range_of(name).1),
        _ => format!("{{{}}} {name} = {}", WORDS.join(", "), WORDS[0]),
    };
    let declared: Vec<String> = vars.iter().map(one).collect();
    if declared.is_empty() { String::new() } else { format!(" vars: {};", declared.join(", ")) }
}

fn protocol(c: &mut Choices, sketch: &Sketch, role: &Role, vars: &[(String, Kind)]) -> String {
    if role.events.is_empty() || c.chance(10) {
        return String::new();
    }
    let mut entries = Vec::new();
    for event in &role.events {
        let creates = event.starts_with("Create_");
        for _ in 0..if c.chance(if creates { 95 } else { 85 }) { 1 + usize::from(c.chance(10)) } else { 0 } {
            let names = in_scope(sketch, event, vars);
            let condition = condition(c, sketch, event, &names);
            let updates: Vec<String> = c.some_of(vars, 60).iter().map(|v| update(c, v, &names)).collect();
            entries.push(format!("{event}: {condition} -> {}", updates.join(", ")));
        }
    }
    if entries.is_empty() {
        entries.push(format!("{}: true -> ", role.events[0]));
    }
    format!(" protocol: {};", entries.join(", "))
}

/// What conditions and updates of an event may read: its payload, the attributes of its target, private variables.
fn in_scope(sketch: &Sketch, event: &str, vars: &[(String, Kind)]) -> Vec<(String, Kind)> {
    let mut names: Vec<(String, Kind)> = Vec::new();
    if let Some(sent) = sketch.events.iter().find(|e| e.id == event) {
        // A declared message is all that a creation carries.
        if !sent.creates || sent.fields.is_empty() {
            names.extend(sketch.types[sent.ty].attrs.iter().map(|a| (a.name.clone(), a.kind.clone())));
        }
        let more = sent.fields.iter().filter(|(n, _)| !names.iter().any(|(m, _)| m == n));
        names.extend(more.cloned().collect::<Vec<_>>());
    }
    names.extend(vars.iter().cloned());
    names
}

fn condition(c: &mut Choices, sketch: &Sketch, event: &str, names: &[(String, Kind)]) -> String {
    let Some(sent) = sketch.events.iter().find(|e| e.id == event) else { return "true".into() };
    let known = |name: &str| sketch.types[sent.ty].attrs.iter().find(|a| a.name == name);
    let bounds = |name: &str| known(name).map_or_else(|| range_of(name), |a| a.bounds());
    let mut parts = Vec::new();
    for _ in 0..c.one_of([0, 1, 1, 2]) {
        let Some((name, kind)) = c.pick(names) else { continue };
        let part = match kind {
            Kind::Text if c.chance(70) => Some(format!("{name} == $$")),
            _ => compare(c, name, kind, bounds(name)),
        };
        parts.extend(part.map(|p| format!("({p})")));
    }
    if parts.is_empty() { "true".to_string() } else { parts.join(c.one_of([" && ", " || "])) }
}

/// `name = value`: often what the others are, so that the order of updates would show.
fn update(c: &mut Choices, (name, kind): &(String, Kind), names: &[(String, Kind)]) -> String {
    let (a, b) = (other(c, Kind::Int, names), other(c, Kind::Int, names));
    let value = match (kind, a, b) {
        (Kind::Bool, Some(a), Some(b)) if c.chance(40) => format!("{a} {} {b}", c.one_of(["==", "<", ">="])),
        (Kind::Bool, ..) => match other(c, Kind::Bool, names) {
            Some(other) => {
                c.one_of(["true", "false", &format!("!{name}"), other, &format!("!{other} || {name}")]).into()
            }
            None => c.one_of(["true", "false"]).to_string(),
        },
        (Kind::Int, ..) => number(c, names),
        _ => format!("'{}'", c.one_of(WORDS)),
    };
    format!("{name} = {value}")
}

/// A name of a kind.
fn other<'n>(c: &mut Choices, kind: Kind, names: &'n [(String, Kind)]) -> Option<&'n str> {
    let all: Vec<&(String, Kind)> = names.iter().filter(|(_, k)| k.fits(&kind)).collect();
    c.pick(&all).map(|(n, _)| n.as_str())
}

/// Arithmetic over what is in scope; it may leave every range, on both sides.
fn number(c: &mut Choices, names: &[(String, Kind)]) -> String {
    let one = |c: &mut Choices| match other(c, Kind::Int, names) {
        Some(other) if c.chance(70) => other.to_string(),
        // Both are in every range.
        _ => c.one_of(["0", "1"]).to_string(),
    };
    let (a, b) = (one(c), one(c));
    match c.below(8) {
        0 => a,
        1 | 2 => format!("{a} + 1"),
        3 => format!("{a} - {b}"),
        4 => format!("{a} + {b}"),
        5 => format!("{a} * {b}"),
        6 => format!("{a} / {b}"),
        _ => format!("({a} - 1) * 2 + {b}"),
    }
}
