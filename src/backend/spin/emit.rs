//! From the machine to Promela text.

use super::SYNTAX;
use super::claim::{Atoms, ClaimText, block};
use super::code::{Moment, Scratch, blocks};
use super::view::{Choose, Decl, Line, Model, Offer, Section};
use crate::backend::choice::{Choices, MOST_COMBINATIONS, TooMany};
use crate::backend::comment::Comment;
use crate::backend::common::initially;
use crate::backend::common::{Payload, action_names, made_from, remark, sections, share_inputs};
use crate::backend::names::{NameMap, Namer};
use crate::backend::text::{Printer, Values};
use crate::backend::width::{Width, fits};
use crate::backend::written::{NotWritten, written};
use crate::logic::{Bool, Formula, PathFormula};
use crate::machine::Idle;
use crate::machine::{ExprId, Exprs, Input, InputIx, Ranges, Valid, VarId};
use askama::Template;
use std::collections::BTreeSet;

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
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// Its name in GSM terms.
    pub name: &'a str,
    /// The formula as written.
    pub text: &'a str,
    /// What all runs must satisfy.
    pub claim: &'a PathFormula<ExprId>,
}

/// Numbers are those of C; every value of a payload is written down.
const WIDTH: Width = Width {
    checker: "SPIN",
    values: u64::MAX,
    payload: MOST_COMBINATIONS as u64,
    pairs: u64::MAX,
    ends: (i32::MIN as i64, i32::MAX as i64),
};

/// Arguments of one `printf`.
const PRINTED: usize = 16;

/// Exports a machine with claims.
pub fn emit(m: &Valid, wanted: &[Wanted]) -> Result<Promela, NotWritten> {
    fits(m, &WIDTH)?;
    let mut namer = Namer::new(&super::LANGUAGE);
    let values = Values::of(m, &mut namer);
    let vars: Vec<String> = m.vars.iter().map(|v| namer.give('v', "variable", &v.name)).collect();
    let act = namer.give('c', "choice", "action");
    let names = action_names(m, &mut namer);
    let (inputs, shared) = share_inputs(m, &mut namer);
    let payload: Vec<(&'static str, String)> =
        shared.iter().map(|(name, i)| (kind_of(i.values.ends().unwrap_or((0, 0))), name.clone())).collect();
    let e = Emitter { m, values, vars, inputs, act, actions: names };

    let mut scratch = Scratch::default();
    let kept = e.kept();
    let happens = e.bodies(&mut scratch, &kept);
    let updates = e.all_updates(&mut scratch, &kept);
    let offers = e.offers()?;
    let mut atoms = Atoms::default();
    let mut claims = Vec::new();
    for w in wanted {
        let name = namer.give('l', "claim", w.name);
        let text = block(&name, w.claim, &mut atoms);
        let comment = Comment::of(&format!("{}: {}", w.name, w.text));
        claims.push(text.map(|text| ClaimText { name, comment, text }));
    }
    let alive = (m.idle == Idle::Never).then(|| ClaimText {
        name: namer.give('l', "claim", "alive"),
        comment: Comment::of("Somebody can always act"),
        text: String::new(),
    });
    let alive = alive.map(|c| ClaimText { text: format!("ltl {} {{ [] !g_stuck }}", c.name), ..c });

    let payload_names: Vec<String> = payload.iter().map(|(_, n)| n.clone()).collect();
    let model = Model {
        version: env!("CARGO_PKG_VERSION"),
        source: Comment::of(&m.name),
        made_from: made_from(m),
        values: e.values.list().to_vec(),
        actions: e.actions.iter().zip(1..).map(|(name, code)| (name.clone(), code)).collect(),
        sections: e.sections(),
        atoms: e.atom_decls(&atoms),
        atom_code: blocks(e.atom_code(&atoms)),
        scratch: scratch.names(&e.vars),
        stuck: m.idle == Idle::Never,
        act: e.act.clone(),
        act_type: kind_of((0, m.actions.len() as i64)),
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
    let text = written(model.render())?;
    let vector = 64 + 4 * (m.vars.len() + payload_names.len()) + 2 * (claims.len() + atoms.list().count());
    let alive = alive.map(|c| c.name);
    Ok(Promela { text, map: namer.map(&m.name), claims, alive, payload: payload_names, inputs: e.inputs, vector })
}

/// The smallest type that holds some numbers.
fn kind_of(ends: (i64, i64)) -> &'static str {
    match ends {
        (0..=1, 0..=1) => "bool",
        (0.., ..=255) => "byte",
        (-32768.., ..=32767) => "short",
        _ => "int",
    }
}

pub(super) struct Emitter<'a> {
    pub m: &'a Valid,
    pub values: Values,
    pub vars: Vec<String>,
    pub inputs: Vec<Vec<Payload>>,
    pub act: String,
    pub actions: Vec<String>,
}

impl<'a> Emitter<'a> {
    pub fn printer<'p>(&'p self, exprs: &'p Exprs, inputs: &'p [Input]) -> Printer<'p> {
        Printer { machine: self.m, exprs, inputs, syntax: &SYNTAX, values: &self.values }
    }

    fn offers(&self) -> Result<Vec<Offer>, TooMany> {
        let mut choices = Choices::of(self.m);
        let nothing = BTreeSet::new();
        let mut offers = Vec::new();
        for (ix, (a, name)) in self.m.actions.iter().zip(&self.actions).enumerate() {
            let body = self.m.body(a);
            let payload = &self.inputs[a.body.0];
            let moment = Moment { vars: &self.vars, copied: &nothing, payload };
            let support = choices.support(ix);
            let mut ways = Vec::new();
            for (chosen, guard) in choices.combinations(self.m, ix)? {
                let guard = self.printer(&choices.exprs, &body.inputs).show(guard, &moment, None);
                let mut sets = vec![format!("{} = {name}", self.act)];
                for (i, value) in chosen {
                    if let Payload::Variable(p) = &payload[i.0] {
                        sets.push(format!("{p} = {value}"));
                    }
                }
                ways.push(Choose { guard, sets: sets.join("; ") });
            }
            let free = InputIx::all(&body.inputs).zip(payload).filter(|(i, _)| !support.contains(i));
            let free = free.filter_map(|(i, p)| match p {
                Payload::Variable(p) => Some((p.clone(), &body.inputs[i].values)),
                Payload::Fixed(_) => None,
            });
            let free: Vec<(String, &Ranges)> = free.collect();
            if free.iter().any(|(_, values)| values.len() > MOST_COMBINATIONS as u64) {
                return Err(TooMany);
            }
            let free = free.into_iter().map(|(p, values)| (p, values.iter().collect()));
            offers.push(Offer { remark: remark(self.m, a), ways, free: free.collect() });
        }
        Ok(offers)
    }

    fn sections(&self) -> Vec<Section> {
        let decl = |v: VarId| {
            let var = self.m.var(v);
            let (lo, hi) = var.domain.bounds();
            let (ty, init) = (kind_of((lo, hi)), var.init.to_string());
            Decl { ty, name: self.vars[v.0 as usize].clone(), init, remark: Comment::of(&var.name) }
        };
        let show = |(title, vars): (Comment, Vec<VarId>)| Section { title, vars: vars.into_iter().map(decl).collect() };
        sections(self.m).into_iter().map(show).collect()
    }

    /// A formula about one snapshot. Claims speak of nothing else, so that other operators do not come here.
    fn state_text(&self, f: &Formula<ExprId>) -> Option<String> {
        let chain = |xs: Vec<String>, by: &str, empty: &str| match xs.is_empty() {
            true => empty.to_string(),
            false => format!("({})", xs.join(by)),
        };
        Some(match f {
            Formula::Atom(e) => {
                let nothing = BTreeSet::new();
                let moment = Moment { vars: &self.vars, copied: &nothing, payload: &[] };
                self.printer(&self.m.exprs, &[]).show(*e, &moment, None)
            }
            Formula::Bool(b) => match b.try_map(|f| self.state_text(f).ok_or(())).ok()? {
                Bool::Not(a) => format!("(! {a})"),
                Bool::And(xs) => chain(xs, " && ", "1"),
                Bool::Or(xs) => chain(xs, " || ", "0"),
                Bool::Implies(a, b) => format!("(! {a} || {b})"),
                Bool::Iff(a, b) => format!("({a} == {b})"),
                Bool::Quant { .. } => return None,
            },
            Formula::Quantified(..) | Formula::Can(..) | Formula::Know(..) => return None,
            Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => return None,
        })
    }

    fn atom_decls(&self, atoms: &Atoms) -> Vec<Decl> {
        let decl = |(name, f): (String, &Formula<ExprId>)| {
            let (init, remark) = (f.without_runs(&initially(self.m)), Comment::of(&self.state_text(f)?));
            Some(Decl { ty: "bool", name, init: i32::from(init).to_string(), remark })
        };
        atoms.list().filter_map(decl).collect()
    }

    fn atom_code(&self, atoms: &Atoms) -> Vec<Line> {
        let line = |(name, f): (String, &Formula<ExprId>)| {
            Some(Line { code: format!("{name} = {}", self.state_text(f)?), remark: Comment::default() })
        };
        atoms.list().filter_map(line).collect()
    }

    /// Action, payload and snapshot after a step, as numbers on one line.
    fn prints(&self, payload: &[String]) -> Vec<String> {
        let all: Vec<&String> =
            std::iter::once(&self.act).chain(payload).chain(self.vars.iter().take(self.m.state_vars().len())).collect();
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
