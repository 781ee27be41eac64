//! From the machine to SMV text.

use super::chain::{Chain, Moment, Names, constant};
use super::formula::{Spec, SpecKind, branching, specification};
use super::view::{BodyDefs, Decl, Def, Line, Model, Next, Section};
use super::{Ask, SYNTAX};
use crate::backend::choice::{Choices, TooMany};
use crate::backend::comment::Comment;
use crate::backend::common::{Payload, action_names, event_in_words, made_from, remark, sections, share_inputs};
use crate::backend::names::{NameMap, Namer};
use crate::backend::text::{Printer, Values};
use crate::backend::width::fits;
use crate::backend::written::{NotWritten, written};
use crate::logic::Formula;
use crate::machine::{BodyIx, ExprId, Exprs, Input, Ranges, Valid, VarId};
use crate::machine::{Domain, Idle};
use askama::Template;
use rustc_hash::FxHashMap;

/// An exported model and how to read what the tool says about it.
pub struct Smv {
    /// The file.
    pub text: String,
    /// The name map.
    pub map: NameMap,
    /// The specifications asked for, in that order.
    pub specs: Vec<Spec>,
    /// Name of every variable, by handle.
    pub vars: Vec<String>,
    /// Name of the input that holds the action.
    pub act: String,
    /// Name of every action.
    pub actions: Vec<String>,
    /// The action that does nothing.
    pub idle: String,
    /// Per body and input: how it is exported.
    pub inputs: Vec<Vec<Payload>>,
    /// Says that somebody can always act; only where idling is forbidden.
    pub alive: Option<Spec>,
    /// With fairness: true exactly when no fair run starts in the initial snapshot.
    pub unfair: Option<Spec>,
    /// Says that `overflow` stays false; only where it is asked for.
    pub bounded: Option<Spec>,
}

/// Exports a machine with some of its properties, which must share their fairness constraints and be expressible. With `bounded`, a specification about `overflow` is added. `file` is the name the file will have.
pub fn emit(m: &Valid, asks: &[Ask], bounded: bool, file: &str) -> Result<Smv, NotWritten> {
    fits(m, &super::WIDTH)?;
    let mut namer = Namer::new(&super::LANGUAGE);
    let values = Values::of(m, &mut namer);
    let vars: Vec<String> = m.state_vars().iter().map(|v| namer.give('v', "variable", &v.name)).collect();
    let act = namer.give('c', "choice", "action");
    let actions = action_names(m, &mut namer);
    let idle = namer.give('a', "action", "idle");
    let (inputs, shared) = share_inputs(m, &mut namer);
    let e = Emitter { m, values, vars, inputs };

    let bodies: Vec<Chain> = BodyIx::each(&m.bodies).map(|(i, b)| Chain::of(&e, i, b)).collect();
    let (guards, mut allowed) = e.guards(&actions);
    let stuck = if m.idle == Idle::Always { vec![] } else { e.stuck()? };
    let idles = if m.idle == Idle::Always { "TRUE" } else { STUCK };
    allowed.push((idle.clone(), idles.to_string()));

    let refused = |a: &Ask| NotWritten::formula(&m.properties[a.property].name);
    let specs: Result<Vec<Spec>, NotWritten> =
        asks.iter().map(|a| e.spec(a, &mut namer).ok_or_else(|| refused(a))).collect();
    let specs = specs?;
    let fair = asks.first().map(|a| m.properties[a.property].fair.as_slice()).unwrap_or_default();
    let mut extra = |kind, name: &str, text: String, comment: &str| Spec {
        name: namer.give('q', "check", name),
        kind,
        text,
        comment: Comment::of(comment),
    };
    let alive = (m.idle == Idle::Never)
        .then(|| extra(SpecKind::Invariant, "alive", format!("!{STUCK}"), "Somebody can always act"));
    let unfair = (!fair.is_empty())
        .then(|| extra(SpecKind::Ctl, "unfair", "FALSE".into(), "Holds only when no fair run starts initially"));
    let overflow = e.vars[m.overflow.0 as usize].clone();
    let bounded =
        bounded.then(|| extra(SpecKind::Invariant, "bounded", format!("!{overflow}"), "The bounds are never exceeded"));

    let (nexts, updates) = e.nexts(&bodies, &act, &actions);
    let fairness: Result<Vec<Line>, NotWritten> =
        fair.iter().map(|f| e.fairness(f).ok_or_else(|| NotWritten::formula("a fairness constraint"))).collect();
    let all_specs = specs.iter().chain(&alive).chain(&unfair).chain(&bounded);
    let model = Model {
        version: env!("CARGO_PKG_VERSION"),
        source: Comment::of(&m.name),
        made_from: made_from(m),
        file: file.to_string(),
        values: e.values.list().to_vec(),
        constants: e.constants(),
        actions: actions.iter().zip(&m.actions).map(|(n, a)| (n.clone(), remark(m, a))).collect(),
        idle: idle.clone(),
        idle_remark: if m.idle == Idle::Always { "nothing happens" } else { "nobody can act" },
        inputs: shared.iter().map(|(name, i)| input_decl(name, i)).collect(),
        sections: e.sections(),
        nexts,
        updates,
        bodies: e.bodies(bodies, &act, &actions),
        guards,
        stuck,
        allowed,
        fairness: fairness?,
        specs: all_specs.map(spec_line).collect(),
        act: act.clone(),
    };
    let text = written(model.render())?;
    let (vars, inputs) = (e.vars, e.inputs);
    Ok(Smv { text, map: namer.map(&m.name), specs, vars, act, actions, idle, inputs, alive, unfair, bounded })
}

/// The definition that says that nobody can act.
const STUCK: &str = "g_stuck";

fn spec_line(s: &Spec) -> Line {
    Line { remark: s.comment.clone(), text: format!("{} NAME {} := {};", s.kind.keyword(), s.name, s.text) }
}

fn input_decl(name: &str, input: &Input) -> Decl {
    let ty = match &input.domain {
        Domain::Bool => "boolean".to_string(),
        _ => set_of(&input.values),
    };
    let shown: Vec<String> = input.values.iter().take(8).map(|v| input.domain.show(v)).collect();
    let more = if input.values.len() > 8 { ", ..." } else { "" };
    Decl { name: name.to_string(), ty, remark: Comment::of(&format!("{}: {}{more}", input.name, shown.join(", "))) }
}

/// Numbers as a type: a range where they have no gap.
fn set_of(values: &Ranges) -> String {
    match values.list() {
        [(lo, hi)] => format!("{lo}..{hi}"),
        _ => format!("{{{}}}", values.iter().map(|v| v.to_string()).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) struct Emitter<'a> {
    pub m: &'a Valid,
    pub values: Values,
    pub vars: Vec<String>,
    pub inputs: Vec<Vec<Payload>>,
}

impl<'a> Emitter<'a> {
    pub fn printer<'p>(&'p self, exprs: &'p Exprs, inputs: &'p [Input]) -> Printer<'p> {
        Printer { machine: self.m, exprs, inputs, syntax: &SYNTAX, values: &self.values }
    }

    fn bodies(&self, chains: Vec<Chain>, act: &str, actions: &[String]) -> Vec<BodyDefs> {
        let mut views = Vec::new();
        for ((ix, body), chain) in BodyIx::each(&self.m.bodies).zip(chains) {
            let by = self.m.actions.iter().zip(actions).filter(|(a, _)| a.body == ix);
            let tests: Vec<String> = by.map(|(_, name)| format!("{act} = {name}")).collect();
            let when = if tests.is_empty() { "FALSE".to_string() } else { tests.join(" | ") };
            let title = Comment::of(&event_in_words(self.m, body));
            views.push(BodyDefs { title, happens: happens(ix), when, defs: chain.defs });
        }
        views
    }

    /// The definitions of all guards, and which belongs to which action.
    fn guards(&self, actions: &[String]) -> (Vec<Def>, Vec<(String, String)>) {
        let (mut defs, mut allowed) = (Vec::new(), Vec::new());
        for (ix, (a, name)) in self.m.actions.iter().zip(actions).enumerate() {
            let body = self.m.body(a);
            let empty = Names::default();
            let now = Moment { vars: &self.vars, now: &empty, payload: &self.inputs[a.body.0], inputs: &body.inputs };
            let text = self.printer(&self.m.exprs, &body.inputs).show(a.allowed, &now, None);
            let text = if text == "TRUE" { can(a.body) } else { format!("({text} & {})", can(a.body)) };
            let guard = format!("g{}", ix + 1);
            defs.push(Def { name: guard.clone(), text, remark: remark(self.m, a) });
            allowed.push((name.clone(), guard));
        }
        (defs, allowed)
    }

    /// Definitions that end in [`STUCK`].
    fn stuck(&self) -> Result<Vec<Def>, TooMany> {
        let mut choices = Choices::of(self.m);
        let mut possible = Vec::new();
        for ix in 0..self.m.actions.len() {
            possible.push(choices.possible(self.m, ix)?);
        }
        possible.sort_unstable();
        possible.dedup();
        let empty = Names::default();
        let now = Moment { vars: &self.vars, now: &empty, payload: &[], inputs: &[] };
        let mut defs: Vec<Def> = Vec::new();
        let mut some = Vec::new();
        for (i, e) in possible.into_iter().enumerate() {
            let printer = self.printer(&choices.exprs, &[]);
            let mut named = FxHashMap::default();
            for part in printer.shared(e) {
                let text = printer.show_with(part, &now, None, &named);
                let name = format!("g_part{}", defs.len() + 1);
                defs.push(Def { name: name.clone(), text, remark: Comment::of("used below") });
                named.insert(part, name);
            }
            let text = printer.show_with(e, &now, None, &named);
            let name = format!("g_some{}", i + 1);
            defs.push(Def { name: name.clone(), text, remark: Comment::of("some payload makes an event possible") });
            some.push(name);
        }
        let text = if some.is_empty() { "TRUE".into() } else { format!("!({})", some.join(" | ")) };
        defs.push(Def { name: STUCK.into(), text, remark: Comment::of("nobody can act") });
        Ok(defs)
    }

    /// The next value of every variable, and definitions that updates of private variables take.
    fn nexts(&self, chains: &[Chain], act: &str, actions: &[String]) -> (Vec<Next>, Vec<Def>) {
        let (mut nexts, mut defs): (Vec<Next>, Vec<Def>) = Default::default();
        for (var, name) in self.m.state_vars().iter().zip(&self.vars) {
            let init = constant(var);
            nexts.push(Next { var: name.clone(), init, cases: Vec::new() });
        }
        for (ix, (a, name)) in self.m.actions.iter().zip(actions).enumerate() {
            let (more, ends) = chains[a.body.0].updates(self, ix, a);
            defs.extend(more);
            for (var, value) in ends {
                nexts[var.0 as usize].cases.push((format!("{act} = {name}"), value));
            }
        }
        for (ix, chain) in BodyIx::all(&self.m.bodies).zip(chains) {
            for (var, end) in chain.ends(self) {
                nexts[var.0 as usize].cases.push((happens(ix), end.clone()));
            }
        }
        let mut variable = self.m.vars.iter().map(|v| v.domain.size() > 1);
        nexts.retain(|_| variable.next().unwrap_or(true));
        (nexts, defs)
    }

    fn sections(&self) -> Vec<Section> {
        let decl = |v: VarId| {
            let var = self.m.var(v);
            let ty = match &var.domain {
                Domain::Bool => "boolean".to_string(),
                d => format!("{}..{}", d.bounds().0, d.bounds().1),
            };
            Decl { name: self.vars[v.0 as usize].clone(), ty, remark: Comment::of(&var.name) }
        };
        let varies = |v: &VarId| self.m.var(*v).domain.size() > 1;
        let show = |(title, vars): (Comment, Vec<VarId>)| Section {
            title,
            vars: vars.into_iter().filter(varies).map(decl).collect(),
        };
        sections(self.m).into_iter().map(show).filter(|s| !s.vars.is_empty()).collect()
    }

    /// Variables with one value only: NuSMV refuses to assign to them.
    fn constants(&self) -> Vec<(String, i64)> {
        let all = self.m.vars.iter().zip(&self.vars).filter(|(v, _)| v.domain.size() == 1);
        all.map(|(v, name)| (name.clone(), v.init)).collect()
    }

    fn atom(&self, e: ExprId) -> String {
        let empty = Names::default();
        let now = Moment { vars: &self.vars, now: &empty, payload: &[], inputs: &[] };
        self.printer(&self.m.exprs, &[]).show(e, &now, None)
    }

    fn spec(&self, ask: &Ask, namer: &mut Namer) -> Option<Spec> {
        let p = self.m.properties.get(ask.property)?;
        let (kind, text) = specification(p, ask.negated, &|e| self.atom(e))?;
        let name = namer.give('q', "property", &p.name);
        let no = if ask.negated { " (its negation, for a witness)" } else { "" };
        Some(Spec { name, kind, text, comment: Comment::of(&format!("{}{no}: {}", p.name, p.text)) })
    }

    fn fairness(&self, f: &Formula<ExprId>) -> Option<Line> {
        let text = branching(f, &|e| self.atom(e))?;
        Some(Line {
            remark: Comment::of("Holds again and again on every run that counts"),
            text: format!("FAIRNESS {text};"),
        })
    }
}

pub(super) fn can(body: BodyIx) -> String {
    format!("b{}_can", body.0)
}

fn happens(body: BodyIx) -> String {
    format!("b{}_happens", body.0)
}
