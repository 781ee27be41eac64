//! Abstract runs that would show a verdict, on diagrams: the snapshots multiplied with the automaton of what the run must satisfy.

use super::ltl::accepting;
use super::{Judge, Symbolic};
use crate::abstraction::check::Refused;
use crate::abstraction::claim::Claim;
use crate::abstraction::ground::{DETOUR, Guide, Lasso};
use crate::logic::Formula;
use crate::logic::automaton::Automaton;
use crate::machine::ExprId;
use crate::native::bdd::Stop;
use crate::native::graph::{Graph, Sets};

type Res<T> = Result<T, Stop>;

impl<'a> Judge<'a, '_> {
    /// The way to runs that show a claim; `None` if its automaton is too large. `ends`: a beginning may be enough.
    pub fn guide(&mut self, claim: &Claim<ExprId>, ends: bool) -> Result<Option<Guide<'a>>, Refused> {
        let Some(automaton) = Automaton::new(&claim.path, true) else { return Ok(None) };
        let truths = claim.atoms.iter().map(|f| self.decide(f)).collect::<Result<Vec<_>, _>>()?;
        let all: &'a Symbolic<'_> = self.all;
        let s = &all.sys.space;
        let own = |f: &Formula<usize>| match f {
            Formula::Atom(at) => truths.get(*at).cloned(),
            _ => None,
        };
        let Some(atoms) = automaton.atoms.iter().map(own).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let labels = self.labels(&automaton, &atoms, true)?;
        let goal = |(q, label): (usize, &_)| if ends && automaton.ends(q) { Clone::clone(label) } else { s.no() };
        let goals: Sets = labels.iter().enumerate().map(goal).collect();
        let rings = all.rings(&automaton, &labels, goals)?;
        let (edges, initial) = (automaton.edges.clone(), automaton.initial.clone());
        Ok(Some(Guide {
            edges,
            initial,
            distance: Box::new(move |q, snapshot| {
                rings.iter().position(|ring| ring.get(q).is_some_and(|set| all.contains(set, snapshot)))
            }),
            sure: Box::new(move |atom, value, snapshot| {
                let side = truths.get(atom).map(|t| if value { &t.yes } else { &t.no });
                side.is_some_and(|set| all.contains(set, snapshot))
            }),
            lasso: Box::new(move || Ok(all.lasso(&automaton, &labels)?)),
        }))
    }
}

impl Symbolic<'_> {
    /// Nodes by their distance from the goals, as far as it matters to the initial snapshot.
    fn rings<F>(&self, automaton: &Automaton<F>, labels: &Sets, goals: Sets) -> Res<Vec<Sets>> {
        let s = &self.sys.space;
        let (mut seen, mut detour) = (goals.clone(), None);
        let mut rings = vec![goals];
        while detour != Some(0) {
            let first = automaton.initial.iter().filter_map(|q| seen.get(*q));
            let there = first.into_iter().try_fold(false, |any, set| Res::Ok(any || s.meets(&self.sys.init, set)?))?;
            if detour.is_none() && there {
                detour = Some(DETOUR);
            }
            let mut next = Sets::new();
            for ((label, known), edges) in labels.iter().zip(&seen).zip(&automaton.edges) {
                let after = s.any(edges.iter().filter_map(|t| seen.get(*t)))?;
                let open = s.diff(label, known)?;
                let nothing = after.is_false() || open.is_false();
                next.push(if nothing { s.no() } else { s.and(&open, &self.may_before(&after)?)? });
            }
            if next.iter().all(|set| set.is_false()) {
                break;
            }
            seen = seen.iter().zip(&next).map(|(a, b)| s.or(a, b)).collect::<Res<Sets>>()?;
            rings.push(next);
            detour = detour.map(|d| d - 1);
        }
        Ok(rings)
    }

    /// A may-path that an automaton accepts, as a lasso.
    fn lasso<F>(&self, automaton: &Automaton<F>, labels: &Sets) -> Res<Option<Lasso>> {
        let s = &self.sys.space;
        let mut start = vec![s.no(); labels.len()];
        for q in &automaton.initial {
            if let (Some(place), Some(label)) = (start.get_mut(*q), labels.get(*q)) {
                *place = s.and(&self.sys.init, label)?;
            }
        }
        let whole = |labels: Sets| Graph {
            sys: &self.sys,
            reach: &self.reach,
            labels,
            edges: automaton.edges.clone(),
            inside: false,
        };
        let graph = whole(whole(labels.clone()).reachable(&start)?);
        let fair = accepting(automaton, &graph.labels, &s.no());
        let graph = whole(graph.fair(&fair)?);
        for q in &automaton.initial {
            let Some(label) = graph.labels.get(*q) else { continue };
            if s.meets(&self.sys.init, label)? {
                let found = graph.lasso((*q, self.made.machine.initial()), &fair)?;
                return Ok(found.map(|(path, again)| {
                    let snapshots = path.iter().map(|(_, codes)| self.made.snapshot(codes)).collect();
                    Lasso { snapshots, again }
                }));
            }
        }
        Ok(None)
    }
}
