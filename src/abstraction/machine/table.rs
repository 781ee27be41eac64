//! Which atoms go together: for all snapshots at once, component by component.
//!
//! Atoms and predicates that share unknowns or payload belong together, and nothing else does. For such a component the solver is asked which
//! truth values its predicates can have, and for each of these which truth values of the atoms each concrete snapshot has. Where
//! predicates mention something finite, or data is pinned, that is asked once per value.

use super::step::Unfit;
use super::{Failed, Frame};
use crate::abstraction::env::{Env, Ground, Snapshot};
use crate::abstraction::linear::{Atom, Leaf};
use crate::abstraction::paths::Post;
use crate::abstraction::question::{Answer, Asker, Question};
use crate::abstraction::system::Wide;
use crate::abstraction::way::Way;
use crate::abstraction::{Stopped, System};
use crate::machine::{BodyIx, ExprId, InputIx, TRUE, VarId};
use crate::smt::{SmtError, Sort};
use std::collections::{BTreeMap, BTreeSet};

/// What belongs together in one body.
#[derive(Clone, Debug)]
pub struct Table {
    /// The inputs that stand for its atoms.
    pub inputs: Vec<InputIx>,
    /// What is possible, by what is known before the step.
    pub rows: Vec<Row>,
    /// Some concrete snapshot has these inputs: over the snapshot before the step and the inputs.
    pub possible: ExprId,
}

/// A part of the snapshots.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which snapshots: over the snapshot before the step.
    pub when: ExprId,
    /// Truth values of the atoms that are possible there.
    pub outcomes: Vec<Vec<bool>>,
    /// Every concrete snapshot has all outcomes of one of these sets.
    pub family: Vec<Vec<usize>>,
}

/// More values of what is finite than this are not told apart.
const MOST_CONTEXTS: usize = 256;

/// Longer tables than this take longer than looking at the snapshots that can be reached.
const MOST_ROWS: usize = 1_000;
const MANY: Unfit = Unfit("comparisons that hang together in too many ways");

/// What predicates say where what is finite has certain values.
struct Part {
    /// Predicates of the component, by position.
    ground: Vec<(usize, Ground)>,
    /// Their atoms.
    distinct: Vec<Atom>,
    /// Truths that the atoms can have together.
    cells: Vec<Vec<bool>>,
    /// The solver knew everything it was asked.
    sure: bool,
    /// Data that is not in use.
    pinned: BTreeSet<VarId>,
}

fn ask(atom: &Atom) -> Post {
    Post::Ask(atom.clone(), true)
}

fn range(system: &System, v: VarId) -> Wide {
    system.wide(v).unwrap_or(Wide { sort: Sort::Int, lo: None, hi: None })
}

/// Unknowns and payload.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Var(VarId),
    Input(InputIx),
}

/// Atoms and predicates that hang together, by position.
#[derive(Default)]
struct Component {
    atoms: Vec<usize>,
    predicates: Vec<usize>,
    keys: BTreeSet<Key>,
}

fn keys(atom: &Atom) -> BTreeSet<Key> {
    let mut found = BTreeSet::new();
    atom.leaves(&mut |l| match l {
        Leaf::Var(v, _) => drop(found.insert(Key::Var(*v))),
        Leaf::Input(i, _) => drop(found.insert(Key::Input(*i))),
        _ => {}
    });
    found
}

impl Frame<'_> {
    /// The tables of a body whose atoms are inputs from `first` on; and whether the solver knew everything.
    pub fn tables(
        &mut self,
        body: BodyIx,
        atoms: &[Atom],
        first: InputIx,
        asker: &mut Asker,
    ) -> Result<(Vec<Table>, bool), Failed> {
        let (mut tables, mut sure) = (Vec::new(), true);
        for component in self.components(atoms) {
            let mut rows = Vec::new();
            let contexts = self.contexts(&component)?;
            let (mut parts, mut many) = (Vec::new(), 0);
            for context in &contexts {
                let part = self.part(&component, context, asker)?;
                many += part.cells.len();
                if many > MOST_ROWS {
                    return Err(MANY.into());
                }
                parts.push(part);
            }
            for of in contexts.iter().zip(&parts) {
                let (more, certain) = self.rows((body, atoms), &component, of, asker)?;
                rows.extend(more);
                sure &= certain;
            }
            let inputs: Vec<InputIx> = component.atoms.iter().map(|a| InputIx(first.0 + a)).collect();
            let mut parts = Vec::new();
            for row in &rows {
                let cubes = row.outcomes.iter().map(|o| self.cube(&inputs, o)).collect::<Vec<_>>();
                let any = self.exprs.or(cubes);
                parts.push(self.exprs.and([row.when, any]));
            }
            let possible = self.exprs.or(parts);
            tables.push(Table { inputs, rows, possible });
        }
        Ok((tables, sure))
    }

    fn cube(&mut self, inputs: &[InputIx], truths: &[bool]) -> ExprId {
        let mut parts = Vec::new();
        for (i, truth) in inputs.iter().zip(truths) {
            let input = self.exprs.input(*i);
            parts.push(if *truth { input } else { self.exprs.not(input) });
        }
        self.exprs.and(parts)
    }

    fn components(&self, atoms: &[Atom]) -> Vec<Component> {
        let wide = |p: &Vec<VarId>| -> BTreeSet<Key> {
            p.iter().filter(|v| self.system.wide(**v).is_some()).map(|v| Key::Var(*v)).collect()
        };
        let predicates: Vec<BTreeSet<Key>> = self.predicates.list.iter().map(|p| wide(&p.vars)).collect();
        let atoms: Vec<BTreeSet<Key>> = atoms.iter().map(keys).collect();
        let mut rest: Vec<usize> = (0..atoms.len()).collect();
        let mut found = Vec::new();
        while !rest.is_empty() {
            let mut one = Component::default();
            one.atoms.push(rest.remove(0));
            one.keys.extend(one.atoms.iter().filter_map(|a| atoms.get(*a)).flatten());
            loop {
                let before = one.keys.len();
                let near = |all: &[BTreeSet<Key>], i: &usize, keys: &BTreeSet<Key>| {
                    all.get(*i).is_some_and(|k| !k.is_disjoint(keys))
                };
                let (more, far): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(|a| near(&atoms, a, &one.keys));
                rest = far;
                one.keys.extend(more.iter().filter_map(|a| atoms.get(*a)).flatten());
                one.atoms.extend(more);
                let new = (0..predicates.len()).filter(|p| !one.predicates.contains(p));
                let new: Vec<usize> = new.filter(|p| near(&predicates, p, &one.keys)).collect();
                one.keys.extend(new.iter().filter_map(|p| predicates.get(*p)).flatten());
                one.predicates.extend(new);
                if one.keys.len() == before {
                    break;
                }
            }
            one.atoms.sort_unstable();
            found.push(one);
        }
        found
    }

    /// All values of what is finite and matters to a component.
    fn contexts(&self, component: &Component) -> Result<Vec<BTreeMap<VarId, i64>>, Unfit> {
        let of = component.predicates.iter().filter_map(|p| self.predicates.list.get(*p));
        let mentioned = of.flat_map(|p| p.vars.iter().copied()).filter(|v| self.system.wide(*v).is_none());
        let pins = self.system.pins.iter().filter(|p| component.keys.contains(&Key::Var(p.var))).map(|p| p.when);
        let vars: BTreeSet<VarId> = mentioned.chain(pins).collect();
        let mut all = vec![BTreeMap::new()];
        for var in vars {
            let (lo, hi) = self.system.machine.var(var).domain.bounds();
            if (hi.abs_diff(lo) as usize).saturating_add(1).saturating_mul(all.len()) > MOST_CONTEXTS {
                return Err(Unfit("predicates about something finite with many values"));
            }
            let with = |context: &BTreeMap<VarId, i64>, c: i64| {
                let mut context = context.clone();
                context.insert(var, c);
                context
            };
            all = all.iter().flat_map(|context| (lo..=hi).map(move |c| with(context, c))).collect();
        }
        Ok(all)
    }

    /// The snapshots with these values of what is finite, by the truths that predicates of a component can have there.
    fn part(&self, component: &Component, context: &BTreeMap<VarId, i64>, asker: &mut Asker) -> Result<Part, Failed> {
        let (system, predicates) = (self.system, self.predicates);
        let mut snapshot = Snapshot { codes: system.machine.initial().to_vec(), truths: Vec::new() };
        for (var, code) in context {
            if let Some(place) = snapshot.codes.get_mut(var.0 as usize) {
                *place = *code;
            }
        }
        let env = Env::bare(system, predicates, &snapshot);
        let mut ground: Vec<(usize, Ground)> = Vec::new();
        for p in &component.predicates {
            let Some(predicate) = predicates.list.get(*p) else { continue };
            let said = env.said(predicate).ok_or(Unfit("a predicate that depends on a condition"))?;
            ground.push((*p, said));
        }
        let mut distinct: Vec<Atom> = Vec::new();
        for (_, said) in &ground {
            if let Ground::Atom(atom, _) = said
                && !distinct.contains(atom)
            {
                distinct.push(atom.clone());
            }
        }
        let posts = distinct.iter().map(ask).collect();
        let way = Way { inputs: BTreeMap::new(), conditions: Vec::new(), class: 0, posts };
        let (cells, sure) = match asker.cells(Question::new(vec![way], &[], &|v| range(system, v))) {
            Err(SmtError::TooMuch(_)) => return Err(MANY.into()),
            cells => cells.map_err(Stopped::from)?,
        };
        let pinned = component.keys.iter().filter_map(|k| match k {
            Key::Var(v) => env.variable(*v).known().map(|_| *v),
            Key::Input(_) => None,
        });
        let pinned = pinned.collect();
        Ok(Part { ground, distinct, cells, sure, pinned })
    }

    fn rows(
        &mut self,
        (body, atoms): (BodyIx, &[Atom]),
        component: &Component,
        (context, part): (&BTreeMap<VarId, i64>, &Part),
        asker: &mut Asker,
    ) -> Result<(Vec<Row>, bool), Failed> {
        let system = self.system;
        // Atoms about pinned data are of no consequence: say they are false.
        let dead = |a: &Atom| keys(a).iter().any(|k| matches!(k, Key::Var(v) if part.pinned.contains(v)));
        let own: Vec<&Atom> = component.atoms.iter().filter_map(|a| atoms.get(*a)).collect();
        let posts: Vec<Post> = own.iter().map(|a| if dead(a) { Post::Known(false) } else { ask(a) }).collect();
        let payload = component.keys.iter().filter_map(|k| match k {
            Key::Input(i) => Some((*i, system.wide_input(body, *i)?)),
            Key::Var(_) => None,
        });
        let way = Way { inputs: payload.collect(), conditions: Vec::new(), class: 0, posts };
        let (mut rows, mut sure) = (Vec::new(), part.sure);
        for cell in &part.cells {
            let known: Vec<(Atom, bool)> = part.distinct.iter().cloned().zip(cell.iter().copied()).collect();
            let question = Question::new(vec![way.clone()], &known, &|v| range(system, v));
            let answer = match asker.ask(question) {
                Err(SmtError::TooMuch(_)) => return Err(MANY.into()),
                answer => answer.map_err(Stopped::from)?,
            };
            sure &= answer.sure;
            let Answer { outcomes, family, .. } = answer;
            let when = self.pattern(context, &part.ground, &known);
            rows.push(Row { when, outcomes: outcomes.into_iter().map(|(_, truths)| truths).collect(), family });
        }
        Ok((rows, sure))
    }

    /// The snapshots with these values of what is finite, and these truths.
    fn pattern(
        &mut self,
        context: &BTreeMap<VarId, i64>,
        ground: &[(usize, Ground)],
        known: &[(Atom, bool)],
    ) -> ExprId {
        let mut parts = vec![TRUE];
        for (var, code) in context {
            let domain = self.system.machine.var(*var).domain.clone();
            if let Ok(new) = self.var(*var) {
                parts.push(self.is(new, &domain, *code, true));
            }
        }
        for (p, said) in ground {
            let truth = match said {
                Ground::Known(b) => *b,
                Ground::Atom(atom, holds) => known.iter().find(|(a, _)| a == atom).is_some_and(|(_, b)| b == holds),
            };
            let Some(var) = self.truths.get(*p).copied() else { continue };
            let e = self.exprs.prev(var);
            parts.push(if truth { e } else { self.exprs.not(e) });
        }
        self.exprs.and(parts)
    }
}
