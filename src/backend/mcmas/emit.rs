//! From the pieces to ISPL text.

use super::build::{Pieces, Target, TooLarge, WIDTH};
use super::diagram::Dd;
use super::formula::{Names, branching, line};
use super::symbolic::Now;
use super::view::{Change, Decl, Line, Model, Section};
use crate::answer::Choice;
use crate::backend::comment::Comment;
use crate::backend::common::{in_words, initially, made_from, sections};
use crate::backend::names::{NameMap, Namer};
use crate::backend::text::Values;
use crate::backend::width::fits;
use crate::backend::written::{NotWritten, written};
use crate::logic::Formula;
use crate::machine::{AgentIx, Domain, Idle};
use crate::machine::{ExprId, Machine, Node, Valid, VarId};
use askama::Template;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The Environment chooses, agents observe.
    Plain,
    /// Agents own their events.
    Strategies,
}

/// An exported model and how to read what the tool says about it.
pub struct Ispl {
    /// The file.
    pub text: String,
    /// The name map.
    pub map: NameMap,
    /// Number of formulas in the file.
    pub formulas: usize,
    /// Number (from 1) of each property's formula, in the order asked for; nothing where it cannot be expressed.
    pub asked: Vec<Option<usize>>,
    /// Number of the formula that says that somebody can always act; only where idling is forbidden.
    pub alive: Option<usize>,
    /// With fairness: number of the formula that holds exactly when no fair run starts in the initial snapshot.
    pub unfair: Option<usize>,
    /// Number of the formula that says that `overflow` stays false.
    pub bounded: Option<usize>,
    /// Name of every variable, by handle.
    pub vars: Vec<String>,
    /// Per variable the names of its values.
    pub values: Vec<Vec<(String, i64)>>,
    /// The Environment's actions by name (plain export).
    pub choices: FxHashMap<String, Choice>,
}

/// Exports a machine with some of its properties, which must share their fairness constraints.
pub fn emit(m: &Valid, asked: &[usize], mode: Mode, bounded: bool, file: &str) -> Result<Ispl, NotWritten> {
    fits(m, &WIDTH)?;
    let mut knowers: Vec<AgentIx> = asked.iter().flat_map(|p| m.properties[*p].formula.knowers()).collect();
    knowers.sort_unstable();
    knowers.dedup();
    if mode == Mode::Strategies {
        knowers.clear();
    }
    let pieces = Pieces::of(m, &knowers)?;
    if !pieces.fits() {
        return Err(TooLarge("its conditions").into());
    }
    Emitter::new(m, pieces, mode).write(asked, bounded, file)
}

pub(super) struct Emitter<'m> {
    pub m: &'m Valid,
    pub pieces: Pieces<'m>,
    pub mode: Mode,
    pub namer: Namer,
    pub values: Values,
    pub vars: Vec<String>,
    pub masks: Vec<String>,
    pub agents: Vec<String>,
    /// Name of every choice.
    pub choices: Vec<String>,
    pub idle: String,
    /// In the export for strategies: the scheduler's action for every agent.
    pub picks: Vec<String>,
    pub nobody: Option<String>,
    pub atoms: FxHashMap<ExprId, String>,
    pub propositions: Vec<Line>,
    pub constants: [Option<String>; 2],
    pub groups: Vec<(Vec<AgentIx>, String)>,
    /// The properties come with fairness constraints.
    fair: bool,
}

impl Names for Emitter<'_> {
    fn atom(&mut self, e: ExprId) -> String {
        if let Some(name) = self.atoms.get(&e) {
            return name.clone();
        }
        let condition = self.pieces.sym.condition(e, &Now::default(), None);
        let long = self.pieces.sym.dds.written(condition, &mut FxHashMap::default()) > LONG;
        let text = match self.m.exprs.node(e).clone() {
            // What is about many slots is short in parts only.
            Node::And(parts) if long => self.parts(&parts, " and "),
            Node::Or(parts) if long => self.parts(&parts, " or "),
            Node::Not(part) if long => format!("(!{})", self.atom(part)),
            _ => self.proposition(condition, ""),
        };
        self.atoms.insert(e, text.clone());
        text
    }

    fn agent(&mut self, agent: AgentIx) -> String {
        self.agents[agent.0].clone()
    }

    fn group(&mut self, group: &[AgentIx]) -> String {
        let mut members = group.to_vec();
        members.sort_unstable();
        members.dedup();
        if let Some((_, name)) = self.groups.iter().find(|(g, _)| *g == members) {
            return name.clone();
        }
        let words: Vec<&str> = members.iter().map(|a| self.m.agent_name(*a)).collect();
        let name = self.namer.give('t', "group", &words.join(" "));
        self.groups.push((members, name.clone()));
        name
    }

    fn constant(&mut self, value: bool) -> String {
        if let Some(name) = &self.constants[usize::from(value)] {
            return name.clone();
        }
        let name = self.proposition(if value { Dd::TRUE } else { Dd::FALSE }, "a constant");
        self.constants[usize::from(value)] = Some(name.clone());
        name
    }

    fn fair(&self) -> bool {
        self.fair
    }
}

/// Comparisons in one proposition before it is split.
const LONG: u64 = 40;

impl<'m> Emitter<'m> {
    fn parts(&mut self, parts: &[ExprId], by: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|p| self.atom(*p)).collect();
        format!("({})", parts.join(by))
    }

    fn new(m: &'m Valid, pieces: Pieces<'m>, mode: Mode) -> Emitter<'m> {
        let mut namer = Namer::new(&super::LANGUAGE);
        let values = Values::of(m, &mut namer);
        let vars: Vec<String> = m.state_vars().iter().map(|v| namer.give('v', "variable", &v.name)).collect();
        let agents: Vec<String> = AgentIx::all(&m.agents).map(|a| namer.give('g', "agent", m.agent_name(a))).collect();
        let masks = pieces.masks.iter().map(|k| namer.give('m', "view", &mask_words(m, k))).collect();
        let choices = pieces.choices.iter().map(|c| namer.give('a', "action", &choice_words(m, c))).collect();
        let idle = namer.give('a', "action", "idle");
        let picks = match mode {
            Mode::Plain => vec![],
            Mode::Strategies => AgentIx::all(&m.agents).map(|a| namer.give('s', "turn", m.agent_name(a))).collect(),
        };
        Emitter {
            m,
            pieces,
            mode,
            namer,
            values,
            vars,
            masks,
            agents,
            choices,
            idle,
            picks,
            nobody: None,
            atoms: FxHashMap::default(),
            propositions: Vec::new(),
            constants: [None, None],
            groups: Vec::new(),
            fair: false,
        }
    }

    fn write(mut self, asked: &[usize], bounded: bool, file: &str) -> Result<Ispl, NotWritten> {
        let m = self.m;
        let fairness = self.fairness(asked)?;
        self.fair = !fairness.is_empty();
        let mut formulas: Vec<Line> = Vec::new();
        let mut numbers = Vec::new();
        for p in asked {
            let p = &m.properties[*p];
            let text = line(&p.formula, &mut self);
            numbers.push(text.map(|text| add(&mut formulas, text, &format!("{}: {}", p.name, p.text))));
        }
        let unfair = self.fair.then(|| {
            let never = self.constant(false);
            add(&mut formulas, format!("({never} and {never})"), "Holds only when no fair run starts initially")
        });
        let alive = (m.idle == Idle::Never).then(|| {
            let possible = self.possible(None).into_iter();
            let names: Vec<String> = possible.map(|guard| self.proposition(guard, "somebody can act")).collect();
            let some = if names.is_empty() { self.constant(false) } else { names.join(" or ") };
            add(&mut formulas, format!("(AG ({some}))"), "Somebody can always act")
        });
        let bounded = bounded.then(|| {
            let overflow = self.variable(m.overflow);
            let name = self.proposition(overflow, "overflow");
            add(&mut formulas, format!("(AG (!{name}))"), "The bounds are never exceeded")
        });
        if formulas.is_empty() {
            let always = self.constant(true);
            add(&mut formulas, format!("(AG {always})"), "A file needs a formula");
        }
        let count = formulas.len();
        let text = written(self.model(formulas, fairness, file).render())?;
        let values = m.state_vars().iter().map(|v| self.value_names(&v.domain)).collect();
        let choices = self.choices.iter().zip(&self.pieces.choices);
        let act = |c: &super::build::Choice| Choice::Act { action: c.action, inputs: c.inputs.clone() };
        let mut choices: FxHashMap<String, Choice> = choices.map(|(n, c)| (n.clone(), act(c))).collect();
        choices.insert(self.idle.clone(), Choice::Idle);
        let map = self.namer.map(&m.name);
        Ok(Ispl {
            text,
            map,
            formulas: count,
            asked: numbers,
            alive,
            unfair,
            bounded,
            vars: self.vars,
            values,
            choices,
        })
    }

    /// The fairness constraints that the properties share, in propositions of their own: those that MCMAS has seen in one of them also hold,
    /// for it, in states where no fair path starts.
    fn fairness(&mut self, asked: &[usize]) -> Result<Vec<String>, NotWritten> {
        let m = self.m;
        let fair = asked.first().map(|p| m.properties[*p].fair.as_slice()).unwrap_or_default();
        let text = |f| branching(f, self).ok_or_else(|| NotWritten::formula("a fairness constraint"));
        let all = fair.iter().map(text).collect();
        self.atoms.clear();
        self.constants = [None, None];
        all
    }

    /// The condition that a Boolean variable is true.
    fn variable(&mut self, v: VarId) -> Dd {
        let before = self.pieces.sym.before(v);
        self.pieces.sym.truth(&before)
    }

    /// The conditions, each once, under which a choice (of an agent, or of anybody) is possible.
    pub(super) fn possible(&self, agent: Option<AgentIx>) -> Vec<Dd> {
        let mut guards: Vec<Dd> = Vec::new();
        let mut known: FxHashSet<Dd> = FxHashSet::default();
        for c in &self.pieces.choices {
            let asked = agent.is_none_or(|a| self.m.actions[c.action].agent == a);
            if asked && c.guard != Dd::FALSE && known.insert(c.guard) {
                guards.push(c.guard);
            }
        }
        guards
    }

    fn proposition(&mut self, condition: Dd, what: &str) -> String {
        let name = format!("p{}", self.propositions.len() + 1);
        let text = format!("{name} if {}", self.condition(condition, "Environment."));
        self.propositions.push(Line { text, remark: Comment::of(what) });
        name
    }

    pub(super) fn name(&self, target: Target) -> &str {
        match target {
            Target::Var(v) => &self.vars[v.0 as usize],
            Target::Mask(i) => &self.masks[i],
        }
    }

    fn model(&mut self, formulas: Vec<Line>, fairness: Vec<String>, file: &str) -> Model {
        let m = self.m;
        let decl = |v: VarId| Decl {
            name: self.vars[v.0 as usize].clone(),
            ty: self.kind(&m.var(v).domain),
            remark: Comment::of(&m.var(v).name),
        };
        let section =
            |(title, vars): (Comment, Vec<VarId>)| Section { title, vars: vars.into_iter().map(decl).collect() };
        let sections = sections(m).into_iter().map(section).collect();
        let mask = |(i, k): (usize, &super::build::Mask)| Decl {
            name: self.masks[i].clone(),
            ty: self.kind(self.pieces.domain(m, Target::Mask(i))),
            remark: Comment::of(&mask_words(m, k)),
        };
        let seen = self.pieces.masks.iter().enumerate().map(mask).collect();
        let plain = self.mode == Mode::Plain;
        let (acts, offers) = if plain { self.environment() } else { self.scheduler() };
        let agents = self.agent_views();
        let init = self.init();
        let groups = self.groups.iter().map(|(members, name)| (name.clone(), self.members(members))).collect();
        Model {
            version: env!("CARGO_PKG_VERSION"),
            source: Comment::of(&m.name),
            made_from: made_from(m),
            file: file.to_string(),
            flags: if plain { "" } else { "-atlk 1 " },
            encoding: match self.mode {
                Mode::Plain => "The Environment makes every choice; agents only observe.",
                Mode::Strategies => {
                    "The Environment picks who moves (s_ actions); the picked agent's own action counts."
                }
            },
            sections,
            seen,
            acts,
            idle: self.idle.clone(),
            idle_always: (m.idle == Idle::Always).then(|| self.condition(Dd::TRUE, "")),
            offers,
            changes: self.changes(),
            agents,
            propositions: std::mem::take(&mut self.propositions),
            init,
            groups,
            fairness,
            formulas,
        }
    }

    fn changes(&self) -> Vec<Change> {
        let mut all: Vec<Change> = Vec::new();
        let mut last = None;
        for ((target, value, condition), choices) in &self.pieces.changes {
            if last != Some(*target) {
                let remark = match target {
                    Target::Var(v) => Comment::of(&self.m.var(*v).name),
                    Target::Mask(i) => Comment::of(&mask_words(self.m, &self.pieces.masks[*i])),
                };
                all.push(Change { remark, lines: Vec::new() });
                last = Some(*target);
            }
            let set = format!("{}={}", self.name(*target), self.value(self.pieces.domain(self.m, *target), *value));
            let tests: Vec<String> = choices.iter().map(|c| self.happens(*c)).collect();
            let happens = if tests.len() == 1 { tests.concat() } else { format!("({})", tests.join(" or ")) };
            let when = match *condition {
                Dd::TRUE => happens,
                d => format!("{happens} and {}", self.condition(d, "")),
            };
            if let Some(change) = all.last_mut() {
                change.lines.push((set, when));
            }
        }
        if all.is_empty() {
            // An Environment must have some evolution.
            let overflow = &self.vars[self.m.overflow.0 as usize];
            let lines = vec![(format!("{overflow}=false"), format!("Action={} and {overflow}=false", self.idle))];
            all.push(Change { remark: Comment::of("nothing ever changes"), lines });
        }
        all
    }

    fn happens(&self, choice: usize) -> String {
        let name = &self.choices[choice];
        match self.mode {
            Mode::Plain => format!("Action={name}"),
            Mode::Strategies => {
                let agent = self.m.actions[self.pieces.choices[choice].action].agent;
                format!("(Action={} and {}.Action={name})", self.picks[agent.0], self.agents[agent.0])
            }
        }
    }

    fn init(&mut self) -> Vec<String> {
        let m: &Machine = self.m;
        let mut all = Vec::new();
        for (v, name) in m.state_vars().iter().zip(&self.vars) {
            all.push(format!("Environment.{name}={}", self.value(&v.domain, v.init)));
        }
        for i in 0..self.masks.len() {
            let mask = self.pieces.masks[i];
            let visible = initially(m)(&mask.window);
            let (domain, value) = match mask.var {
                None => (&Domain::Bool, i64::from(visible)),
                Some(v) => (&m.var(v).domain, if visible { m.var(v).init } else { m.var(v).domain.bounds().0 }),
            };
            all.push(format!("Environment.{}={}", self.masks[i], self.value(domain, value)));
        }
        all.extend(self.agents.iter().map(|a| format!("{a}.x_{a}=false")));
        all.extend(self.nobody.iter().map(|nobody| format!("{nobody}.x_g=false")));
        all
    }
}

fn add(formulas: &mut Vec<Line>, text: String, what: &str) -> usize {
    formulas.push(Line { text, remark: Comment::of(what) });
    formulas.len()
}

fn mask_words(m: &Machine, mask: &super::build::Mask) -> String {
    let slot = AgentIx::each(&m.agents).find_map(|(a, agent)| {
        let view = agent.views.iter().find(|v| v.visible == mask.window)?;
        Some(format!("{} sees {}", m.agent_name(a), view.name))
    });
    let slot = slot.unwrap_or_else(|| "visible".into());
    match mask.var {
        None => slot,
        Some(v) => format!("{} where {slot}", m.var(v).name),
    }
}

pub(super) fn choice_words(m: &Machine, c: &super::build::Choice) -> String {
    let action = &m.actions[c.action];
    let inputs = &m.body(action).inputs;
    let payload: Vec<String> =
        inputs.iter().zip(&c.inputs).map(|(i, v)| format!("{}={}", i.name, i.domain.show(*v))).collect();
    match payload.is_empty() {
        true => in_words(m, action),
        false => format!("{} ({})", in_words(m, action), payload.join(", ")),
    }
}

/// Is there anything in a formula that needs the export for strategies?
pub fn mode_of(f: &Formula<ExprId>) -> Mode {
    if f.uses().strategies { Mode::Strategies } else { Mode::Plain }
}
