//! From the machine to Promela text.

use super::SYNTAX;
use super::claim::{Atoms, ClaimText, block};
use super::view::{Choose, Decl, Happens, Line, Model, Offer, Section};
use crate::backend::choice::{Choices, TooMany};
use crate::backend::common::{Payload, action_names, remark, sections, share_inputs};
use crate::backend::linear::initially;
use crate::backend::names::{NameMap, Namer, Target, in_comment};
use crate::backend::text::{Leaves, Printer, Values, interval};
use crate::gsm::{Domain, Idle};
use crate::logic::{Formula, PathFormula};
use crate::machine::{Assign, Body, ExprId, Exprs, Input, InputIx, Rule, Valid, VarId};
use askama::Template;
use rustc_hash::{FxHashMap, FxHashSet};

/// An exported model and how to read what the tool says about it.
pub struct Promela {
    /// The file.
    pub text: String,
    /// The name map.
    pub map: NameMap,
    /// The claims in the order asked for; nothing where the automaton would be too large.
    pub claims: Vec<Option<ClaimText>>,
    /// The claim that somebody can always act; only where idling is forbidden.
    pub alive: Option<String>,
    /// Payload variables, in the order in which steps are printed.
    pub payload: Vec<String>,
    /// Per body and input: how it is exported.
    pub inputs: Vec<Vec<Payload>>,
    /// Bytes of the state, roughly and from above.
    pub vector: usize,
}

/// A claim to export.
pub struct Wanted<'a> {
    /// Its name in GSM terms.
    pub name: &'a str,
    /// The formula as written.
    pub text: &'a str,
    /// What all runs must satisfy.
    pub claim: &'a PathFormula<ExprId>,
}

/// Statements in one `d_step`; SPIN takes about 2000.
const BLOCK: usize = 500;
/// Arguments of one `printf`.
const PRINTED: usize = 16;

/// Exports a machine with claims.
pub fn emit(m: &Valid, wanted: &[Wanted]) -> Result<Promela, TooMany> {
    let mut namer = Namer::new(Target::Promela);
    let values = Values::of(m, &mut namer);
    let vars: Vec<String> = m.vars.iter().map(|v| namer.give('v', "variable", &v.name)).collect();
    let act = namer.give('c', "choice", "action");
    let names = action_names(m, &mut namer);
    let (inputs, shared) = share_inputs(m, &mut namer);
    let payload: Vec<(&'static str, String)> =
        shared.iter().map(|(name, i)| (kind_of(&i.values), name.clone())).collect();
    let e = Emitter { m, values, vars, inputs, act };

    let mut scratch = Scratch::default();
    let happens = e.bodies(&mut scratch);
    let updates = e.all_updates(&mut scratch);
    let offers = e.offers(&names)?;
    let mut atoms = Atoms::default();
    let mut claims = Vec::new();
    for w in wanted {
        let name = namer.give('l', "claim", w.name);
        let text = block(&name, w.claim, &mut atoms);
        let comment = in_comment(&format!("{}: {}", w.name, w.text));
        claims.push(text.map(|text| ClaimText { name, comment, text }));
    }
    let alive = (m.idle == Idle::Never).then(|| ClaimText {
        name: namer.give('l', "claim", "alive"),
        comment: "Somebody can always act".into(),
        text: String::new(),
    });
    let alive = alive.map(|c| ClaimText { text: format!("ltl {} {{ [] !g_stuck }}", c.name), ..c });

    let payload_names: Vec<String> = payload.iter().map(|(_, n)| n.clone()).collect();
    let model = Model {
        version: env!("CARGO_PKG_VERSION"),
        source: in_comment(&m.name),
        values: e.values.list().to_vec(),
        sections: e.sections(),
        atoms: e.atom_decls(&atoms),
        atom_code: blocks(e.atom_code(&atoms)),
        scratch: scratch.names(),
        stuck: m.idle == Idle::Never,
        act: e.act.clone(),
        act_type: kind_of(&[0, m.actions.len() as i64]),
        resets: std::iter::once(&e.act).chain(&payload_names).cloned().collect(),
        prints: e.prints(&payload_names),
        payload,
        offers,
        idle: match m.idle {
            Idle::Always => ":: skip  /* nothing happens */",
            Idle::Terminal => ":: else -> skip  /* nobody can act */",
            Idle::Never => ":: else -> g_stuck = 1  /* nobody can act */",
        },
        happens,
        updates,
        claims: claims.iter().flatten().chain(&alive).cloned().collect(),
    };
    let text = model.render().unwrap_or_default();
    let vector = 64 + 4 * (m.vars.len() + payload_names.len()) + 2 * (claims.len() + atoms.list().count());
    let alive = alive.map(|c| c.name);
    Ok(Promela { text, map: namer.map(&m.name), claims, alive, payload: payload_names, inputs: e.inputs, vector })
}

/// The smallest type that holds some numbers.
fn kind_of(values: &[i64]) -> &'static str {
    let (lo, hi) = (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
    match (lo, hi) {
        (0..=1, 0..=1) => "bool",
        (0.., ..=255) => "byte",
        (-32768.., ..=32767) => "short",
        _ => "int",
    }
}

/// Copies of variables before the step, and names for parts of expressions.
#[derive(Default)]
struct Scratch {
    copies: FxHashSet<VarId>,
    parts: usize,
}

impl Scratch {
    fn names(&self) -> Vec<String> {
        let mut copies: Vec<VarId> = self.copies.iter().copied().collect();
        copies.sort_unstable();
        let copies = copies.into_iter().map(old);
        copies.chain((1..=self.parts).map(part)).collect()
    }
}

fn old(v: VarId) -> String {
    format!("old{}", v.0)
}

fn part(i: usize) -> String {
    format!("part{i}")
}

fn blocks(lines: Vec<Line>) -> Vec<Vec<Line>> {
    let mut all: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match all.last_mut() {
            Some(block) if block.len() < BLOCK => block.push(line),
            _ => all.push(vec![line]),
        }
    }
    all
}

struct Emitter<'a> {
    m: &'a Valid,
    values: Values,
    vars: Vec<String>,
    inputs: Vec<Vec<Payload>>,
    act: String,
}

/// Names in the code of a body: some variables have a copy from before.
struct Moment<'a> {
    vars: &'a [String],
    copied: &'a FxHashSet<VarId>,
    payload: &'a [Payload],
}

impl Leaves for Moment<'_> {
    fn prev(&self, var: VarId) -> String {
        if self.copied.contains(&var) { old(var) } else { self.cur(var) }
    }

    fn cur(&self, var: VarId) -> String {
        self.vars[var.0 as usize].clone()
    }

    fn input(&self, input: InputIx) -> String {
        match self.payload.get(input) {
            Some(Payload::Variable(name)) => name.clone(),
            Some(Payload::Fixed(v)) if *v < 0 => format!("({v})"),
            Some(Payload::Fixed(v)) => v.to_string(),
            None => "0".into(),
        }
    }
}

/// Code being written.
struct Writer<'e, 'a> {
    e: &'e Emitter<'a>,
    inputs: &'a [Input],
    moment: Moment<'e>,
    parts: usize,
    lines: Vec<Line>,
}

impl Writer<'_, '_> {
    fn line(&mut self, code: String, remark: &str) {
        self.lines.push(Line { code, remark: in_comment(remark) });
    }

    fn text(&mut self, e: ExprId, domain: Option<&Domain>) -> String {
        let printer = self.e.printer(&self.e.m.exprs, self.inputs);
        let mut named = FxHashMap::default();
        for shared in printer.shared(e) {
            let text = printer.show_with(shared, &self.moment, None, &named);
            self.parts += 1;
            let name = part(self.parts);
            self.lines.push(Line { code: format!("{name} = {text}"), remark: "used below".into() });
            named.insert(shared, name);
        }
        printer.show_with(e, &self.moment, domain, &named)
    }

    fn assign(&mut self, a: &Assign) {
        let var = self.e.m.var(a.var);
        let mut text = self.text(a.value, Some(&var.domain));
        let ((lo, hi), (low, high)) = (var.domain.bounds(), interval(self.e.m, &self.e.m.exprs, self.inputs, a.value));
        if low < lo || high > hi {
            self.parts += 1;
            let raw = part(self.parts);
            self.line(format!("{raw} = {text}"), "before it is kept in range");
            text = format!("(({raw} < {lo}) -> {lo} : (({raw} > {hi}) -> {hi} : {raw}))");
        }
        self.line(format!("{} = {text}", self.e.vars[a.var.0 as usize]), &var.name);
    }

    fn rule(&mut self, r: &Rule) {
        let fires = [self.text(r.prerequisite, None), self.text(r.antecedent, None)];
        let fires: Vec<&str> = fires.iter().map(String::as_str).filter(|t| *t != "1").collect();
        let fires = if fires.is_empty() { "1".to_string() } else { format!("({})", fires.join(" && ")) };
        let var = &self.e.vars[r.target.0 as usize];
        let code = if r.value { format!("{var} = {var} || {fires}") } else { format!("{var} = {var} && !{fires}") };
        let remark = format!("{}: {} := {}", r.origin.label, self.e.m.var(r.target).name, r.value);
        self.line(code, &remark);
    }
}

impl<'a> Emitter<'a> {
    fn printer<'p>(&'p self, exprs: &'p Exprs, inputs: &'p [Input]) -> Printer<'p> {
        Printer { machine: self.m, exprs, inputs, syntax: &SYNTAX, values: &self.values }
    }

    /// Variables of which a body (or what follows it) needs the value before the step although it writes them.
    fn copied(&self, ix: usize, body: &Body) -> FxHashSet<VarId> {
        let updates = || self.m.actions.iter().filter(|a| a.body == ix).flat_map(|a| &a.updates);
        let assigns = || body.effect.iter().chain(&body.finish).chain(updates());
        let written: FxHashSet<VarId> = assigns().map(|a| a.var).chain(body.rules.iter().map(|r| r.target)).collect();
        let mut read = FxHashSet::default();
        let conditions = body.rules.iter().flat_map(|r| [r.prerequisite, r.antecedent]);
        for e in assigns().map(|a| a.value).chain(conditions) {
            self.m.exprs.leaves(e, &mut |leaf| {
                if let crate::machine::Node::Prev(v) = leaf {
                    read.insert(*v);
                }
            });
        }
        read.retain(|v| written.contains(v));
        read
    }

    fn bodies(&self, scratch: &mut Scratch) -> Vec<Happens> {
        let mut all = Vec::new();
        for (ix, body) in self.m.bodies.iter().enumerate() {
            let copied = self.copied(ix, body);
            let moment = Moment { vars: &self.vars, copied: &copied, payload: &self.inputs[ix] };
            let mut w = Writer { e: self, inputs: &body.inputs, moment, parts: 0, lines: Vec::new() };
            let mut copies: Vec<VarId> = copied.iter().copied().collect();
            copies.sort_unstable();
            copies.iter().for_each(|v| w.line(format!("{} = {}", old(*v), self.vars[v.0 as usize]), "before the step"));
            body.effect.iter().for_each(|a| w.assign(a));
            body.rules.iter().for_each(|r| w.rule(r));
            body.finish.iter().for_each(|a| w.assign(a));
            scratch.parts = scratch.parts.max(w.parts);
            scratch.copies.extend(copies);
            let by = self.m.actions.iter().enumerate().filter(|(_, a)| a.body == ix);
            let tests: Vec<String> = by.map(|(i, _)| format!("{} == {}", self.act, i + 1)).collect();
            if tests.is_empty() || w.lines.is_empty() {
                continue;
            }
            let at = body.target.map_or("no slot", |s| &self.m.slots[s].name);
            let title = in_comment(&format!("{} at {at}", body.event));
            all.push(Happens { title, when: tests.join(" || "), blocks: blocks(w.lines) });
        }
        all
    }

    fn all_updates(&self, scratch: &mut Scratch) -> Vec<Happens> {
        let mut all = Vec::new();
        for (ix, a) in self.m.actions.iter().enumerate().filter(|(_, a)| !a.updates.is_empty()) {
            let body = self.m.body(a);
            let copied = self.copied(a.body, body);
            let moment = Moment { vars: &self.vars, copied: &copied, payload: &self.inputs[a.body] };
            let mut w = Writer { e: self, inputs: &body.inputs, moment, parts: 0, lines: Vec::new() };
            a.updates.iter().for_each(|u| w.assign(u));
            scratch.parts = scratch.parts.max(w.parts);
            let when = format!("{} == {}", self.act, ix + 1);
            all.push(Happens { title: remark(self.m, a), when, blocks: blocks(w.lines) });
        }
        all
    }

    fn offers(&self, names: &[String]) -> Result<Vec<Offer>, TooMany> {
        let mut choices = Choices::of(self.m);
        let nothing = FxHashSet::default();
        let mut offers = Vec::new();
        for (ix, (a, name)) in self.m.actions.iter().zip(names).enumerate() {
            let body = self.m.body(a);
            let payload = &self.inputs[a.body];
            let moment = Moment { vars: &self.vars, copied: &nothing, payload };
            let support = choices.support(ix);
            let mut ways = Vec::new();
            for (chosen, guard) in choices.combinations(self.m, ix)? {
                let guard = self.printer(&choices.exprs, &body.inputs).show(guard, &moment, None);
                let mut sets = vec![format!("{} = {}", self.act, ix + 1)];
                for (i, value) in chosen {
                    if let Payload::Variable(p) = &payload[i] {
                        sets.push(format!("{p} = {value}"));
                    }
                }
                ways.push(Choose { guard, sets: sets.join("; ") });
            }
            let free = payload.iter().enumerate().filter(|(i, _)| !support.contains(i));
            let free = free.filter_map(|(i, p)| match p {
                Payload::Variable(p) => Some((p.clone(), body.inputs[i].values.clone())),
                Payload::Fixed(_) => None,
            });
            offers.push(Offer { remark: format!("{name}: {}", remark(self.m, a)), ways, free: free.collect() });
        }
        Ok(offers)
    }

    fn sections(&self) -> Vec<Section> {
        let decl = |v: VarId| {
            let var = self.m.var(v);
            let (lo, hi) = var.domain.bounds();
            let (ty, init) = (kind_of(&[lo, hi]), var.init.to_string());
            Decl { ty, name: self.vars[v.0 as usize].clone(), init, remark: in_comment(&var.name) }
        };
        let show = |(title, vars): (String, Vec<VarId>)| Section { title, vars: vars.into_iter().map(decl).collect() };
        sections(self.m).into_iter().map(show).collect()
    }

    fn state_text(&self, f: &Formula<ExprId>) -> String {
        let chain = |xs: &[Formula<ExprId>], by: &str, empty: &str| match xs {
            [] => empty.to_string(),
            _ => format!("({})", xs.iter().map(|x| self.state_text(x)).collect::<Vec<_>>().join(by)),
        };
        match f {
            Formula::Atom(e) => {
                let nothing = FxHashSet::default();
                let moment = Moment { vars: &self.vars, copied: &nothing, payload: &[] };
                self.printer(&self.m.exprs, &[]).show(*e, &moment, None)
            }
            Formula::Not(a) => format!("(! {})", self.state_text(a)),
            Formula::And(xs) => chain(xs, " && ", "1"),
            Formula::Or(xs) => chain(xs, " || ", "0"),
            Formula::Implies(a, b) => format!("(! {} || {})", self.state_text(a), self.state_text(b)),
            Formula::Iff(a, b) => format!("({} == {})", self.state_text(a), self.state_text(b)),
            _ => "0".into(),
        }
    }

    fn atom_decls(&self, atoms: &Atoms) -> Vec<Decl> {
        let decl = |(name, f): (String, &Formula<ExprId>)| Decl {
            ty: "bool",
            name,
            init: i32::from(initially(self.m, f)).to_string(),
            remark: in_comment(&self.state_text(f)),
        };
        atoms.list().map(decl).collect()
    }

    fn atom_code(&self, atoms: &Atoms) -> Vec<Line> {
        let line = |(name, f): (String, &Formula<ExprId>)| Line {
            code: format!("{name} = {}", self.state_text(f)),
            remark: "for the claims".into(),
        };
        atoms.list().map(line).collect()
    }

    /// Action, payload and snapshot after a step, as numbers on one line.
    fn prints(&self, payload: &[String]) -> Vec<String> {
        let all: Vec<&String> = std::iter::once(&self.act).chain(payload).chain(&self.vars).collect();
        let chunks: Vec<&[&String]> = all.chunks(PRINTED).collect();
        let mut prints = Vec::new();
        for (i, chunk) in chunks.iter().enumerate() {
            let start = if i == 0 { "@S" } else { "" };
            let end = if i + 1 == chunks.len() { "\\n" } else { "" };
            let names: Vec<&str> = chunk.iter().map(|n| n.as_str()).collect();
            prints.push(format!("printf(\"{start}{}{end}\", {})", " %d".repeat(chunk.len()), names.join(", ")));
        }
        prints
    }
}
