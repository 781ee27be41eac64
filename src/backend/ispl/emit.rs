//! From the pieces to ISPL text.

use super::build::{Pieces, Target, TooLarge};
use super::diagram::{Dd, Diagrams};
use super::formula::{Names, branching, line};
use super::symbolic::{Now, Symbolic};
use super::view::{Act, AgentView, Change, Decl, Line, Model, Offer, Section};
use crate::backend::common::{in_words, remark, sections};
use crate::backend::names::{NameMap, Namer, Target as Language, in_comment};
use crate::backend::text::Values;
use crate::gsm::{Domain, Idle};
use crate::interp::Choice;
use crate::logic::Formula;
use crate::machine::{ExprId, Machine, Valid, VarId};
use askama::Template;
use rustc_hash::FxHashMap;

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
pub fn emit(m: &Valid, asked: &[usize], mode: Mode, bounded: bool, file: &str) -> Result<Ispl, TooLarge> {
    let mut knowers: Vec<usize> = asked.iter().flat_map(|p| m.properties[*p].formula.knowers()).collect();
    knowers.sort_unstable();
    knowers.dedup();
    if mode == Mode::Strategies {
        knowers.clear();
    }
    let pieces = Pieces::of(m, &knowers)?;
    if !pieces.fits() {
        return Err(TooLarge("its conditions"));
    }
    Emitter::new(m, pieces, mode).write(asked, bounded, file)
}

struct Emitter<'m> {
    m: &'m Valid,
    pieces: Pieces<'m>,
    mode: Mode,
    namer: Namer,
    values: Values,
    vars: Vec<String>,
    masks: Vec<String>,
    agents: Vec<String>,
    /// Name of every choice.
    choices: Vec<String>,
    idle: String,
    /// In the export for strategies: the scheduler's action for every agent.
    picks: Vec<String>,
    nobody: Option<String>,
    atoms: FxHashMap<ExprId, String>,
    propositions: Vec<Line>,
    constants: [Option<String>; 2],
    groups: Vec<(Vec<usize>, String)>,
}

impl Names for Emitter<'_> {
    fn atom(&mut self, e: ExprId) -> String {
        if let Some(name) = self.atoms.get(&e) {
            return name.clone();
        }
        let condition = self.pieces.sym.condition(e, &Now::default(), None);
        let name = self.proposition(condition, "part of a property");
        self.atoms.insert(e, name.clone());
        name
    }

    fn agent(&mut self, agent: usize) -> String {
        self.agents[agent].clone()
    }

    fn group(&mut self, group: &[usize]) -> String {
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
}

impl<'m> Emitter<'m> {
    fn new(m: &'m Valid, pieces: Pieces<'m>, mode: Mode) -> Emitter<'m> {
        let mut namer = Namer::new(Language::Ispl);
        let values = Values::of(m, &mut namer);
        let vars: Vec<String> = m.vars.iter().map(|v| namer.give('v', "variable", &v.name)).collect();
        let agents: Vec<String> = (0..m.agents.len()).map(|a| namer.give('g', "agent", m.agent_name(a))).collect();
        let masks = pieces.masks.iter().map(|k| namer.give('m', "view", &mask_words(m, k))).collect();
        let choices = pieces.choices.iter().map(|c| namer.give('a', "action", &choice_words(m, c))).collect();
        let idle = namer.give('a', "action", "idle");
        let picks = match mode {
            Mode::Plain => vec![],
            Mode::Strategies => (0..m.agents.len()).map(|a| namer.give('s', "turn", m.agent_name(a))).collect(),
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
        }
    }

    fn write(mut self, asked: &[usize], bounded: bool, file: &str) -> Result<Ispl, TooLarge> {
        let m = self.m;
        let mut formulas: Vec<Line> = Vec::new();
        let mut numbers = Vec::new();
        for p in asked {
            let p = &m.properties[*p];
            let text = line(&p.formula, &mut self);
            numbers.push(text.map(|text| add(&mut formulas, text, &format!("{}: {}", p.name, p.text))));
        }
        let fair = asked.first().map(|p| m.properties[*p].fair.as_slice()).unwrap_or_default();
        let fairness: Vec<String> = fair.iter().filter_map(|f| branching(f, &mut self)).collect();
        let unfair = (!fair.is_empty()).then(|| {
            let never = self.constant(false);
            add(&mut formulas, format!("({never} and {never})"), "Holds only when no fair run starts initially")
        });
        let alive = (m.idle == Idle::Never).then(|| {
            let possible = self.possible(None);
            let name = self.proposition(possible, "somebody can act");
            add(&mut formulas, format!("(AG {name})"), "Somebody can always act")
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
        let text = self.model(formulas, fairness, file).render().unwrap_or_default();
        let values = m.vars.iter().map(|v| self.value_names(&v.domain)).collect();
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

    /// The condition that a Boolean variable is true.
    fn variable(&mut self, v: VarId) -> Dd {
        super::symbolic::truth(&self.pieces.sym.before(v))
    }

    /// Some choice (of an agent, or of anybody) is possible.
    fn possible(&mut self, agent: Option<usize>) -> Dd {
        let mut any = Dd::FALSE;
        for c in &self.pieces.choices {
            if agent.is_none_or(|a| self.m.actions[c.action].agent == a) {
                any = self.pieces.sym.dds.or(any, c.guard);
            }
        }
        any
    }

    fn proposition(&mut self, condition: Dd, what: &str) -> String {
        let name = format!("p{}", self.propositions.len() + 1);
        let text = format!("{name} if {}", self.condition(condition, "Environment."));
        self.propositions.push(Line { text, remark: what.to_string() });
        name
    }

    fn condition(&self, d: Dd, prefix: &str) -> String {
        let overflow = &self.vars[self.m.overflow.0 as usize];
        match d {
            Dd::TRUE => format!("({prefix}{overflow}=true or {prefix}{overflow}=false)"),
            Dd::FALSE => format!("({prefix}{overflow}=true and {prefix}{overflow}=false)"),
            _ => self.written(&self.pieces.sym.dds, d, prefix, &mut FxHashMap::default()),
        }
    }

    /// A diagram as nested conditions; children that are constants leave no trace.
    fn written(&self, dds: &Diagrams, d: Dd, prefix: &str, memo: &mut FxHashMap<Dd, String>) -> String {
        if let Some(text) = memo.get(&d) {
            return text.clone();
        }
        let Some((level, children)) = dds.node(d) else { return String::new() };
        let var = Symbolic::var_of(level);
        let mut parts = Vec::new();
        let mut seen: Vec<Dd> = Vec::new();
        for child in children {
            if *child == Dd::FALSE || seen.contains(child) {
                continue;
            }
            seen.push(*child);
            let positions: Vec<usize> = (0..children.len()).filter(|i| children[*i] == *child).collect();
            let test = self.is_one_of(var, &positions, children.len(), prefix);
            parts.push(match *child {
                Dd::TRUE => test,
                _ => format!("({test} and {})", self.written(dds, *child, prefix, memo)),
            });
        }
        let text = if parts.len() == 1 { parts.swap_remove(0) } else { format!("({})", parts.join(" or ")) };
        memo.insert(d, text.clone());
        text
    }

    fn is_one_of(&self, var: VarId, positions: &[usize], size: usize, prefix: &str) -> String {
        let name = format!("{prefix}{}", self.vars[var.0 as usize]);
        let domain = &self.m.var(var).domain;
        let lo = domain.bounds().0;
        let equal = |i: &usize| format!("{name}={}", self.value(domain, lo + *i as i64));
        let any = |list: &[usize]| match list {
            [one] => equal(one),
            _ => format!("({})", list.iter().map(equal).collect::<Vec<_>>().join(" or ")),
        };
        if positions.len() * 2 <= size {
            return any(positions);
        }
        let others: Vec<usize> = (0..size).filter(|i| !positions.contains(i)).collect();
        format!("!({})", any(&others))
    }

    /// A value; numbers are spelled as identifiers, since an integer type wastes codes and lets MCMAS miscount.
    fn value(&self, domain: &Domain, code: i64) -> String {
        match domain {
            Domain::Bool => if code == 0 { "false" } else { "true" }.to_string(),
            Domain::Int { .. } if code < 0 => format!("im{}", code.unsigned_abs()),
            Domain::Int { .. } => format!("i{code}"),
            Domain::Enum { .. } => self.values.name(domain, code).unwrap_or("k").to_string(),
        }
    }

    fn value_names(&self, domain: &Domain) -> Vec<(String, i64)> {
        let (lo, hi) = domain.bounds();
        (lo..=hi).map(|c| (self.value(domain, c), c)).collect()
    }

    fn kind(&self, domain: &Domain) -> String {
        match domain {
            Domain::Bool => "boolean".into(),
            _ => {
                let names: Vec<String> = self.value_names(domain).into_iter().map(|(n, _)| n).collect();
                format!("{{{}}}", names.join(", "))
            }
        }
    }

    fn name(&self, target: Target) -> &str {
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
            remark: in_comment(&m.var(v).name),
        };
        let section =
            |(title, vars): (String, Vec<VarId>)| Section { title, vars: vars.into_iter().map(decl).collect() };
        let sections = sections(m).into_iter().map(section).collect();
        let mask = |(i, k): (usize, &super::build::Mask)| Decl {
            name: self.masks[i].clone(),
            ty: self.kind(self.pieces.domain(m, Target::Mask(i))),
            remark: in_comment(&mask_words(m, k)),
        };
        let seen = self.pieces.masks.iter().enumerate().map(mask).collect();
        let plain = self.mode == Mode::Plain;
        let (acts, offers) = if plain { self.environment() } else { self.scheduler() };
        let init = self.init();
        let agents = self.agent_views();
        let groups = self.groups.iter().map(|(members, name)| (name.clone(), self.members(members))).collect();
        Model {
            version: env!("CARGO_PKG_VERSION"),
            source: in_comment(&m.name),
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

    fn members(&self, group: &[usize]) -> String {
        let names: Vec<&str> = group.iter().map(|a| self.agents[*a].as_str()).collect();
        if names.is_empty() { self.nobody.clone().unwrap_or_default() } else { names.join(", ") }
    }

    /// The Environment's own actions, and when each is possible; equal conditions share a line.
    fn environment(&self) -> (Vec<Act>, Vec<Offer>) {
        let all: Vec<usize> = (0..self.choices.len()).collect();
        (self.acts(&all), self.offers(&all, ""))
    }

    fn acts(&self, choices: &[usize]) -> Vec<Act> {
        let act = |c: &usize| Act {
            name: self.choices[*c].clone(),
            remark: in_comment(&choice_words(self.m, &self.pieces.choices[*c])),
        };
        choices.iter().map(act).collect()
    }

    fn offers(&self, choices: &[usize], prefix: &str) -> Vec<Offer> {
        let mut by_guard: Vec<(Dd, Vec<&str>)> = Vec::new();
        let mut at: FxHashMap<Dd, usize> = FxHashMap::default();
        for c in choices {
            let guard = self.pieces.choices[*c].guard;
            let i = *at.entry(guard).or_insert_with(|| {
                by_guard.push((guard, Vec::new()));
                by_guard.len() - 1
            });
            by_guard[i].1.push(&self.choices[*c]);
        }
        let offer =
            |(guard, names): (Dd, Vec<&str>)| Offer { when: self.condition(guard, prefix), actions: names.join(", ") };
        by_guard.into_iter().map(offer).collect()
    }

    /// The scheduler picks an agent that can move.
    fn scheduler(&mut self) -> (Vec<Act>, Vec<Offer>) {
        let (mut acts, mut offers) = (Vec::new(), Vec::new());
        for a in 0..self.m.agents.len() {
            let possible = self.possible(Some(a));
            if possible == Dd::FALSE {
                continue;
            }
            let name = self.picks[a].clone();
            offers.push(Offer { when: self.condition(possible, ""), actions: name.clone() });
            acts.push(Act { name, remark: in_comment(&format!("{} moves", self.m.agent_name(a))) });
        }
        (acts, offers)
    }

    fn changes(&self) -> Vec<Change> {
        let mut all: Vec<Change> = Vec::new();
        let mut last = None;
        for ((target, value, condition), choices) in &self.pieces.changes {
            if last != Some(*target) {
                let remark = match target {
                    Target::Var(v) => in_comment(&self.m.var(*v).name),
                    Target::Mask(i) => in_comment(&mask_words(self.m, &self.pieces.masks[*i])),
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
            all.push(Change { remark: "nothing ever changes".into(), lines });
        }
        all
    }

    fn happens(&self, choice: usize) -> String {
        let name = &self.choices[choice];
        match self.mode {
            Mode::Plain => format!("Action={name}"),
            Mode::Strategies => {
                let agent = self.m.actions[self.pieces.choices[choice].action].agent;
                format!("(Action={} and {}.Action={name})", self.picks[agent], self.agents[agent])
            }
        }
    }

    fn agent_views(&mut self) -> Vec<AgentView> {
        let mut views: Vec<AgentView> = (0..self.m.agents.len()).map(|a| self.agent_view(a)).collect();
        if self.groups.iter().any(|(g, _)| g.is_empty()) {
            let name = self.namer.give('g', "agent", "nobody");
            self.nobody = Some(name.clone());
            views.push(AgentView {
                name,
                remark: "Stands for the group without members".into(),
                sees: vec![],
                dummy: "x_g".into(),
                acts: vec![],
                none: "n_g".into(),
                offers: vec![],
            });
        }
        views
    }

    fn agent_view(&self, a: usize) -> AgentView {
        let mine: Vec<usize> = match self.mode {
            Mode::Plain => vec![],
            Mode::Strategies => {
                let of = |c: &usize| self.m.actions[self.pieces.choices[*c].action].agent == a;
                (0..self.choices.len()).filter(of).collect()
            }
        };
        let sees = match self.mode {
            Mode::Strategies if !mine.is_empty() => self.vars.clone(),
            Mode::Strategies => vec![],
            Mode::Plain => {
                let seen = self.pieces.sees.get(&a).map(Vec::as_slice).unwrap_or_default();
                seen.iter().map(|t| self.name(*t).to_string()).collect()
            }
        };
        AgentView {
            name: self.agents[a].clone(),
            remark: in_comment(self.m.agent_name(a)),
            sees,
            dummy: format!("x_{}", self.agents[a]),
            acts: self.acts(&mine),
            none: format!("n_{}", self.agents[a]),
            offers: self.offers(&mine, "Environment."),
        }
    }

    fn init(&mut self) -> Vec<String> {
        let m: &Machine = self.m;
        let mut all = Vec::new();
        for (v, name) in m.vars.iter().zip(&self.vars) {
            all.push(format!("Environment.{name}={}", self.value(&v.domain, v.init)));
        }
        for i in 0..self.masks.len() {
            let mask = self.pieces.masks[i];
            let leaf = |n: &crate::machine::Node| match n {
                crate::machine::Node::Prev(v) | crate::machine::Node::Cur(v) => m.var(*v).init,
                _ => 0,
            };
            let visible = m.exprs.eval(mask.window, &leaf) != 0;
            let (domain, value) = match mask.var {
                None => (&Domain::Bool, i64::from(visible)),
                Some(v) => (&m.var(v).domain, if visible { m.var(v).init } else { m.var(v).domain.bounds().0 }),
            };
            all.push(format!("Environment.{}={}", self.masks[i], self.value(domain, value)));
        }
        all.extend(self.agents.iter().map(|a| format!("{a}.x_{a}=false")));
        if self.groups.iter().any(|(g, _)| g.is_empty()) {
            all.push("g_nobody.x_g=false".into());
        }
        all
    }
}

fn add(formulas: &mut Vec<Line>, text: String, what: &str) -> usize {
    formulas.push(Line { text, remark: in_comment(what) });
    formulas.len()
}

fn mask_words(m: &Machine, mask: &super::build::Mask) -> String {
    let slot = m.agents.iter().enumerate().find_map(|(a, agent)| {
        let at = agent.views.iter().position(|v| v.visible == mask.window)?;
        Some(format!("{} sees {}", m.agent_name(a), m.slots[at].name))
    });
    let slot = slot.unwrap_or_else(|| "visible".into());
    match mask.var {
        None => slot,
        Some(v) => format!("{} where {slot}", m.var(v).name),
    }
}

fn choice_words(m: &Machine, c: &super::build::Choice) -> String {
    let action = &m.actions[c.action];
    let inputs = &m.body(action).inputs;
    let payload: Vec<String> =
        inputs.iter().zip(&c.inputs).map(|(i, v)| format!("{}={}", i.name, i.domain.show(*v))).collect();
    match payload.is_empty() {
        true => remark(m, action),
        false => format!("{} ({})", in_words(m, action), payload.join(", ")),
    }
}

/// Is there anything in a formula that needs the export for strategies?
pub fn mode_of(f: &Formula<ExprId>) -> Mode {
    let mut mode = Mode::Plain;
    f.walk(&mut |g| {
        if matches!(
            g,
            Formula::CanNext(..) | Formula::CanFinally(..) | Formula::CanGlobally(..) | Formula::CanUntil(..)
        ) {
            mode = Mode::Strategies;
        }
    });
    mode
}
