//! The may side and the must side as ordinary machines, for engines that know nothing of abstraction.
//!
//! The may side does whatever some concrete snapshot can do. The must side does only what every concrete snapshot can do, and at any time a
//! run of it may end in a *sink*, where formulas are made to say nothing: so a snapshot without successor has one. A universal formula that holds on the may side
//! is true, one that fails on the must side is false; an existential one that holds on the must side is true, one that fails on the may
//! side is false. Nothing else follows.

use super::machine::{Abstract, Failed, Row};
use super::{Asker, Predicates, System};
use crate::logic::{Bool, Connected, Formula, Path, PathFormula};
use crate::machine::{Action, AgentIx, Assign, Body, BodyIx, ExprId, Idle, Machine, TRUE, Valid, validate};

/// The two machines.
#[derive(Clone, Debug)]
pub struct Sides {
    /// What may happen.
    pub may: Valid,
    /// What must be possible. Its properties have the positions of those of the other side.
    pub must: Valid,
    /// Per property of the machines: its position in the system, and whether it speaks of all runs (or of some).
    pub asked: Vec<(usize, bool)>,
}

impl Sides {
    /// Both sides over these predicates, with those of the properties that speak of all runs or of some.
    ///
    /// # Errors
    /// When the steps cannot be said over predicates, or the solver fails.
    pub fn new(
        system: &System,
        predicates: &Predicates,
        properties: &[usize],
        asker: &mut Asker,
    ) -> Result<Option<Sides>, Failed> {
        let kind = |p: &usize| {
            let property = system.machine.properties.get(*p).filter(|p| p.fair.is_empty())?;
            let formula = &property.formula;
            let fits = |all: &bool| tamed(formula, true, *all, &|f, _| f).is_some();
            [true, false].into_iter().find(fits).map(|all| (*p, all))
        };
        let asked: Vec<(usize, bool)> = properties.iter().filter_map(kind).collect();
        let chosen: Vec<usize> = asked.iter().map(|(p, _)| *p).collect();
        let made = Abstract::with_sink(system, predicates, &chosen, asker)?;
        let may = validate(may(&made));
        let must = must(&made, &asked).and_then(|m| validate(m).ok());
        Ok(may.ok().zip(must).map(|(may, must)| Sides { may, must, asked }))
    }
}

fn may(made: &Abstract) -> Machine {
    let mut m = Machine::clone(&made.machine);
    // Whether nobody can act is not always decided; then doing nothing may be possible.
    if m.idle == Idle::Terminal && made.tables.iter().any(|t| !t.is_empty()) {
        m.idle = Idle::Always;
    }
    m
}

fn must(made: &Abstract, asked: &[(usize, bool)]) -> Option<Machine> {
    let (mut m, sink) = (Machine::clone(&made.machine), made.sink?);
    for (body, tables) in m.bodies.iter_mut().zip(&made.tables) {
        let mut all = vec![body.applicable];
        for table in tables {
            let mut ways = Vec::new();
            for row in &table.rows {
                let mut cubes = Vec::new();
                for outcome in sure(row) {
                    let mut parts = vec![row.when];
                    for (input, truth) in table.inputs.iter().zip(outcome) {
                        let e = m.exprs.input(*input);
                        parts.push(if *truth { e } else { m.exprs.not(e) });
                    }
                    cubes.push(m.exprs.and(parts));
                }
                ways.push(m.exprs.or(cubes));
            }
            all.push(m.exprs.or(ways));
        }
        body.applicable = m.exprs.and(all);
    }
    if m.idle == Idle::Terminal {
        m.idle = Idle::Never;
    }
    let (body, agent) = (BodyIx::next(&m.bodies), AgentIx(m.agents.len().checked_sub(1)?));
    m.bodies.push(Body {
        event: "nothing is sure".into(),
        target: None,
        inputs: Vec::new(),
        effect: vec![Assign { var: sink, value: TRUE }],
        applicable: TRUE,
        rules: Vec::new(),
        finish: Vec::new(),
        components: Vec::new(),
    });
    m.actions.push(Action { agent, body, allowed: TRUE, updates: Vec::new() });
    let sunk = Formula::Atom(m.exprs.cur(sink));
    for (property, (_, all)) in m.properties.iter_mut().zip(asked) {
        let silent = |f: Formula<ExprId>, weaker: bool| match weaker {
            true => Formula::any(vec![f, sunk.clone()]),
            false => Formula::all(vec![f, sunk.clone().not()]),
        };
        property.formula = tamed(&property.formula, true, *all, &silent)?;
    }
    Some(m)
}

/// The outcomes that every concrete snapshot has.
fn sure(row: &Row) -> impl Iterator<Item = &Vec<bool>> {
    let always = |o: &usize| !row.family.is_empty() && row.family.iter().all(|set| set.contains(o));
    row.outcomes.iter().enumerate().filter(move |(o, _)| always(o)).map(|(_, outcome)| outcome)
}

/// What to make of a condition on one snapshot, given whether it is to be weaker or stronger.
type Silence<'a> = &'a dyn Fn(Formula<ExprId>, bool) -> Formula<ExprId>;

/// A formula that speaks of all runs only (or of some only), with its conditions changed; `None` if it speaks of others, or of more than runs.
fn tamed(f: &Formula<ExprId>, positive: bool, all: bool, silent: Silence) -> Option<Formula<ExprId>> {
    if f.is_state() {
        return Some(silent(f.clone(), positive == all));
    }
    match f {
        Formula::Bool(b) => Some(Formula::of(connective(b, positive, &|f, positive| tamed(f, positive, all, silent))?)),
        Formula::Quantified(path, t) if ((*path == Path::A) == positive) == all => {
            let t = t.try_map(|f| tamed(f, positive, all, silent).ok_or(()));
            Some(Formula::Quantified(*path, t.ok()?))
        }
        Formula::Ltl(path) if positive && all => Some(Formula::Ltl(Box::new(along(path, true, silent)?))),
        _ => None,
    }
}

fn along(f: &PathFormula<ExprId>, positive: bool, silent: Silence) -> Option<PathFormula<ExprId>> {
    match f {
        PathFormula::State(s) => s.is_state().then(|| PathFormula::State(silent(s.clone(), positive))),
        PathFormula::Bool(b) => {
            Some(PathFormula::of(connective(b, positive, &|f, positive| along(f, positive, silent))?))
        }
        PathFormula::Temporal(t) => {
            Some(PathFormula::Temporal(t.try_map(|f| along(f, positive, silent).ok_or(())).ok()?))
        }
    }
}

fn connective<F>(b: &Bool<F>, positive: bool, part: &dyn Fn(&F, bool) -> Option<F>) -> Option<Bool<F>> {
    let one = |f: &F, positive: bool| part(f, positive).map(Box::new);
    let many = |fs: &[F]| fs.iter().map(|f| part(f, positive)).collect::<Option<Vec<F>>>();
    Some(match b {
        Bool::Not(a) => Bool::Not(one(a, !positive)?),
        Bool::And(fs) => Bool::And(many(fs)?),
        Bool::Or(fs) => Bool::Or(many(fs)?),
        Bool::Implies(a, b) => Bool::Implies(one(a, !positive)?, one(b, positive)?),
        Bool::Iff(..) | Bool::Quant { .. } => return None,
    })
}
