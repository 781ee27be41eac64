//! Structures with answers known from textbooks.

use super::kripke::*;
use crate::logic::{Connected, Formula, Know, PathFormula, Temporal};
use crate::machine::{AgentIx, Idle};
use crate::native::check::Fml;

fn one(k: &Kripke, f: Fml, fair: &[Fml]) -> Vec<i64> {
    k.answers(&k.build(), &[f], fair).unwrap().remove(0)
}

fn p(k: &Kripke, i: usize) -> Fml {
    Formula::Atom(k.build().props[i])
}

/// 0 → 1 → 2 ⟲, 1 → 0; p in 1, q in 2.
fn line() -> Kripke {
    Kripke::new(3, &[(0, 1), (1, 0), (1, 2), (2, 2)], &[&[1], &[2]])
}

#[test]
fn every_operator_on_a_small_structure() {
    let k = line();
    let (a, b) = (p(&k, 0), p(&k, 1));
    let answer = |f| one(&k, f, &[]);
    assert_eq!(answer(ex(a.clone())), [0]);
    assert_eq!(answer(ax(a.clone())), [0]);
    assert_eq!(answer(ex(b.clone())), [1, 2]);
    assert_eq!(answer(ax(b.clone())), [2]);
    assert_eq!(answer(ef(b.clone())), [0, 1, 2]);
    assert_eq!(answer(af(b.clone())), [2]);
    assert_eq!(answer(eg(not(b.clone()))), [0, 1]);
    assert_eq!(answer(ag(b.clone())), [2]);
    assert_eq!(answer(ag(ef(b.clone()))), [0, 1, 2]);
    assert_eq!(answer(eu(not(a.clone()), a.clone())), [0, 1]);
    assert_eq!(answer(au(not(b.clone()), a.clone())), [0, 1]);
    assert_eq!(answer(au(not(b.clone()), b.clone())), [2]);
}

#[test]
fn fairness_forces_progress() {
    let k = line();
    let b = p(&k, 1);
    assert_eq!(one(&k, af(b.clone()), std::slice::from_ref(&b)), [0, 1, 2]);
    assert_eq!(one(&k, eg(not(b.clone())), std::slice::from_ref(&b)), Vec::<i64>::new());
    // No run visits state 1 for ever and ends in 2: with that constraint 2 starts no fair run, so A holds and E fails there.
    let a = p(&k, 0);
    assert_eq!(one(&k, ex(Formula::all(vec![])), std::slice::from_ref(&a)), [0, 1]);
    assert_eq!(one(&k, ax(Formula::any(vec![])), std::slice::from_ref(&a)), [2]);
    assert_eq!(one(&k, ef(b.clone()), std::slice::from_ref(&a)), Vec::<i64>::new());
}

#[test]
fn idling_changes_what_must_happen() {
    let mut k = Kripke::new(2, &[(0, 1)], &[&[1]]);
    let goal = p(&k, 0);
    k.idle = Idle::Terminal;
    assert_eq!(one(&k, af(goal.clone()), &[]), [0, 1]);
    k.idle = Idle::Always;
    assert_eq!(one(&k, af(goal.clone()), &[]), [1]);
    assert_eq!(one(&k, af(goal.clone()), std::slice::from_ref(&goal)), [0, 1]);
}

/// `F G p` is not `AF AG p`: staying in 0 for ever satisfies the first, but at every moment one may still leave.
#[test]
fn linear_and_branching_time_differ() {
    let k = Kripke::new(3, &[(0, 0), (0, 1), (1, 2), (2, 2)], &[&[0, 2]]);
    let a = p(&k, 0);
    let path = |f: Fml| PathFormula::State(f);
    let fg = PathFormula::finally(PathFormula::globally(path(a.clone())));
    assert!(one(&k, ltl(fg), &[]).contains(&0));
    assert!(!one(&k, af(ag(a.clone())), &[]).contains(&0));
    // And the other way round: AG EF q holds where no linear formula can ask for it; G F q fails.
    let q = Kripke::new(2, &[(0, 0), (0, 1), (1, 0)], &[&[1]]);
    let b = p(&q, 0);
    let gf = PathFormula::globally(PathFormula::finally(path(b.clone())));
    assert!(one(&q, ag(ef(b.clone())), &[]).contains(&0));
    assert!(!one(&q, ltl(gf.clone()), &[]).contains(&0));
    assert!(one(&q, ltl(gf), std::slice::from_ref(&b)).contains(&0));
}

/// Sender and receiver of a bit over a lossy channel: after the acknowledgement the sender knows that the receiver knows the
/// bit, but the receiver never knows that it knows that, and nothing ever becomes common knowledge.
#[test]
fn bit_transmission() {
    // Number of messages delivered so far: 0 start, 1 bit 0 chosen, 2 bit 1 chosen; 3/4 received; 5/6 acknowledged.
    let edges = [(0, 1), (0, 2), (1, 1), (2, 2), (1, 3), (2, 4), (3, 3), (4, 4), (3, 5), (4, 6), (5, 5), (6, 6)];
    let mut k = Kripke::new(7, &edges, &[&[1, 3, 5], &[3, 4, 5, 6], &[5, 6]]);
    // The sender sees the bit and the acknowledgement; the receiver sees the bit once it got it.
    k.colours = vec![vec![0, 1, 2, 1, 2, 3, 4], vec![0, 0, 0, 1, 2, 1, 2]];
    k.idle = Idle::Terminal;
    let (zero, received, acknowledged) = (p(&k, 0), p(&k, 1), p(&k, 2));
    let receiver_knows =
        Formula::any(vec![knows(Know::K, &[1], zero.clone()), knows(Know::K, &[1], not(zero.clone()))]);
    assert_eq!(one(&k, receiver_knows.clone(), &[]), [3, 4, 5, 6]);
    assert_eq!(one(&k, knows(Know::K, &[0], receiver_knows.clone()), &[]), [5, 6]);
    let twice = knows(Know::K, &[1], knows(Know::K, &[0], receiver_knows.clone()));
    assert_eq!(one(&k, twice, &[]), Vec::<i64>::new());
    assert_eq!(one(&k, knows(Know::Common, &[0, 1], receiver_knows), &[]), Vec::<i64>::new());
    assert_eq!(one(&k, knows(Know::Distributed, &[0, 1], acknowledged), &[]), [5, 6]);
    assert_eq!(one(&k, knows(Know::Distributed, &[0, 1], received), &[]), [3, 4, 5, 6]);
}

/// Three children, the father's announcement, rounds of silence: with m muddy foreheads they know after m − 1 silent rounds.
#[test]
fn muddy_children() {
    // State 1 + 8 * round + foreheads; 0 is the start. Only rounds that are consistent with silence continue.
    let children = 3usize;
    let worlds = 1i64..8;
    let muddy = |w: i64| w.count_ones() as i64;
    let at = |round: i64, w: i64| 1 + 8 * round + w;
    let mut edges = Vec::new();
    for w in worlds.clone() {
        edges.push((0, at(0, w), 0));
        for round in 0..2 {
            if muddy(w) > round + 1 {
                edges.push((at(round, w), at(round + 1, w), 0));
            }
        }
    }
    let states = at(2, 7) + 1;
    let dirty = |i: usize| (0..3).flat_map(|r| (1..8).map(move |w| (r, w))).filter(move |(_, w)| w >> i & 1 == 1);
    let labels = (0..children).map(|i| dirty(i).map(|(r, w)| at(r, w)).collect()).collect();
    let sees = |i: usize| {
        let mut colours = vec![0; states as usize];
        for (r, w) in (0..3).flat_map(|r| (1..8i64).map(move |w| (r, w))) {
            colours[at(r, w) as usize] = at(r, w & !(1 << i));
        }
        colours
    };
    let colours = (0..children).map(sees).collect();
    let k = Kripke { states, edges, labels, colours, idle: Idle::Terminal };
    for i in 0..children {
        let own = p(&k, i);
        let knows_own = one(&k, knows(Know::K, &[i], own), &[]);
        for w in worlds.clone().filter(|w| w >> i & 1 == 1) {
            for round in 0..muddy(w) {
                assert_eq!(
                    knows_own.contains(&at(round, w)),
                    round == muddy(w) - 1,
                    "child {i} round {round} world {w}"
                );
            }
        }
    }
}

/// Two switches: agent 0 can turn the light on, agent 1 can turn it off, both may also pass.
#[test]
fn strategies_need_the_right_coalition() {
    let mut k = Kripke::new(2, &[], &[&[1]]);
    k.edges = vec![(0, 1, 0), (0, 0, 0), (1, 0, 1), (1, 1, 1)];
    k.colours = vec![vec![0, 0], vec![0, 0]];
    let on = p(&k, 0);
    let can_finally = |g: &[usize]| {
        one(&k, Formula::Can(g.iter().copied().map(AgentIx).collect(), Temporal::finally(on.clone())), &[])
    };
    let can_globally = |g: &[usize]| {
        one(&k, Formula::Can(g.iter().copied().map(AgentIx).collect(), Temporal::globally(on.clone())), &[])
    };
    assert_eq!(can_finally(&[0]), [0, 1]);
    assert_eq!(can_finally(&[1]), [1]);
    assert_eq!(can_globally(&[0]), Vec::<i64>::new());
    assert_eq!(can_globally(&[1]), [1]);
    assert_eq!(can_finally(&[]), [1]);
    let next = |g: &[usize]| {
        one(&k, Formula::Can(g.iter().copied().map(AgentIx).collect(), Temporal::next(not(on.clone()))), &[])
    };
    assert_eq!(next(&[1]), [1]);
    assert_eq!(next(&[0]), [0]);
    assert_eq!(next(&[0, 1]), [0, 1]);
    // The scheduler may idle for ever: then nobody can force anything new.
    let mut lazy = k.clone();
    lazy.idle = Idle::Always;
    assert_eq!(one(&lazy, Formula::Can([0, 1].map(AgentIx).to_vec(), Temporal::finally(on)), &[]), [1]);
}
