//! Claims about runs against the oracle; replay; names there and back.

use super::claim::{Claimed, Shown};
use super::*;
use crate::interp::testkit::{Kripke, formula, path_formula, property, random};
use crate::interp::{Choice, Explicit, Interp, Limits};
use crate::logic::{Connected, Formula, PathFormula};
use crate::machine::AgentIx;
use crate::machine::{ExprId, VarId, validate};
use fastrand::Rng;

type F = Formula<ExprId>;

/// A random walk, closed to a lasso where it happens to come back; with side runs where somebody is confused.
fn walk(rng: &mut Rng, e: &Explicit, sides: bool) -> RawRun {
    let graph = e.graph();
    let (mut at, mut visited) = (0, vec![0]);
    let mut choices = Vec::new();
    for _ in 0..rng.usize(..9) {
        let edges = graph.edges(at);
        let edge = edges[rng.usize(..edges.len())];
        choices.push(graph.choice(edge.label).clone());
        at = edge.to as usize;
        visited.push(at);
    }
    let mut run = RawRun::of(choices);
    if rng.bool() {
        run.loop_start = visited[..visited.len() - 1].iter().position(|s| *s == at);
    }
    for _ in 0..if sides { rng.usize(..3) } else { 0 } {
        let (position, agent) = (rng.usize(..visited.len()), AgentIx(rng.usize(..3)));
        let look = |s: usize| e.interp().local_state(agent, &graph.codes(s));
        let same: Vec<usize> = (0..graph.len()).filter(|s| look(*s) == look(visited[position])).collect();
        let mut other = graph.path(same[rng.usize(..same.len())]);
        if rng.bool() {
            // One link more, for common knowledge.
            let end = other.steps.len();
            other.sides.push(SideRun { at: end, agents: vec![agent], run: other.clone() });
        }
        run.sides.push(SideRun { at: position, agents: vec![agent], run: other });
    }
    run
}

#[test]
fn what_a_run_shows_is_true() {
    let mut rng = Rng::with_seed(11);
    let mut counts = [0; 3];
    for round in 0..4000 {
        let (m, atoms) = Kripke::random(&mut rng, 5, 9);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let f = match rng.u8(..4) {
            0 => F::ltl(path_formula(&mut rng, &atoms, 2)),
            _ => formula(&mut rng, &atoms, 3),
        };
        let run = replay(e.interp(), &walk(&mut rng, &e, true)).unwrap();
        let claimed = Claimed { interp: e.interp(), run: &run, fair: false };
        let truth = e.satisfying(&property("f", f.clone()));
        let value = rng.bool();
        for (i, shown) in claimed.formula(&f, value).into_iter().enumerate() {
            let real = truth[e.graph().number(&run.snapshots[i]).unwrap()];
            match shown {
                Shown::Yes => {
                    assert_eq!(real, value, "round {round}, position {i}: {f:?}");
                    counts[0] += 1;
                }
                Shown::No => {
                    assert_eq!(real, !value, "round {round}, position {i}: {f:?}");
                    counts[1] += 1;
                }
                Shown::If(rests) if rests.iter().all(|r| !r.aside) => {
                    let holds = |r: &super::claim::Rest| {
                        let set = e.satisfying(&property("r", r.formula.clone()));
                        set[e.graph().number(&run.snapshots[r.at]).unwrap()] == r.value
                    };
                    assert!(!rests.iter().all(holds) || real == value, "round {round}, position {i}: {f:?} {rests:?}");
                    counts[2] += usize::from(rests.iter().all(|r| r.formula != f));
                }
                _ => {}
            }
        }
    }
    assert!(counts.iter().all(|n| *n > 1000), "{counts:?}");
}

fn act(action: usize) -> Choice {
    Choice::Act { action, inputs: vec![] }
}

#[test]
fn shapes_that_a_run_can_show() {
    // 0 → 1 → 2 → 1; 2 → 3, which is a dead end.
    let mut k = Kripke::new(4, &[(0, 0, 1), (0, 1, 2), (0, 2, 1), (0, 2, 3)]);
    let at: Vec<F> = (0..4).map(|s| Formula::Atom(k.one_of(&[s]))).collect();
    let not3 = at[3].clone().not();
    let m = validate(k.machine).unwrap();
    let interp = Interp::new(&m);
    let to = |choices: &[usize]| RawRun::of(choices.iter().map(|c| act(*c)));
    let lasso = RawRun { loop_start: Some(1), ..to(&[0, 1, 2]) };
    let try_it = |f: F, holds: bool, run: &RawRun| certify(&interp, &property("p", f), holds, run);
    let accepted = |f: F, holds: bool, run: &RawRun| {
        let trace = try_it(f, holds, run).unwrap();
        assert!(trace.certified && trace.rests_on.is_empty(), "{:?}", trace.rests_on);
    };
    accepted(F::ef(at[3].clone()), true, &to(&[0, 1, 3]));
    accepted(F::ag(not3.clone()), false, &to(&[0, 1, 3]));
    accepted(F::ex(at[1].clone()), true, &to(&[0]));
    accepted(F::ax(at[0].clone()), false, &to(&[0]));
    accepted(F::eu(not3.clone(), at[2].clone()), true, &to(&[0, 1]));
    accepted(F::au(at[0].clone(), at[3].clone()), false, &to(&[0]));
    accepted(F::eg(not3.clone()), true, &lasso);
    accepted(F::af(at[3].clone()), false, &lasso);
    accepted(F::au(not3.clone(), at[3].clone()), false, &lasso);
    let response = at[1].clone().implies(F::af(at[3].clone()));
    accepted(F::ag(response), false, &lasso);
    let gf = |s: usize| F::ltl(PathFormula::globally(PathFormula::finally(PathFormula::State(at[s].clone()))));
    accepted(gf(3), false, &lasso);
    let never = |s: usize| F::ltl(PathFormula::globally(PathFormula::State(at[s].clone().not())));
    accepted(never(2), false, &to(&[0, 1]));

    // Too short, not a loop, nothing shown, or simply wrong.
    let refused = |f: F, holds: bool, run: &RawRun| {
        assert!(matches!(try_it(f, holds, run), Err(NotCertified::Claim(_))));
    };
    refused(F::ef(at[3].clone()), true, &to(&[0, 1]));
    refused(F::eg(not3.clone()), true, &to(&[0, 1, 2]));
    refused(F::af(at[2].clone()), false, &lasso);
    refused(F::ag(not3.clone()), true, &lasso);
    refused(gf(2), false, &lasso);
    refused(gf(1), false, &to(&[0]));
    refused(F::eu(at[0].clone(), at[2].clone()), true, &to(&[0, 1]));

    // One path shows the way to a snapshot; what holds there for all runs is said, not shown.
    let stuck = F::ag(at[3].clone());
    let trace = try_it(F::ef(stuck), true, &to(&[0, 1, 3])).unwrap();
    assert_eq!(trace.rests_on, ["AG s == 3 holds in snapshot 3, the last"]);

    // Fairness: the loop has to meet every constraint.
    let mut fair = property("p", F::eg(not3));
    fair.fair = vec![at[2].clone()];
    assert!(certify(&interp, &fair, true, &lasso).is_ok());
    fair.fair.push(at[0].clone());
    let problem = certify(&interp, &fair, true, &lasso).unwrap_err().to_string();
    assert_eq!(problem, "the trace does not show the verdict: its loop is not fair: s == 0 never holds in it");
}

#[test]
fn knowledge_that_fails_needs_the_other_run() {
    // 0 → 1, 0 → 3: agent a cannot tell 1 from 3.
    let mut k = Kripke::new(4, &[(0, 0, 1), (0, 0, 3), (0, 0, 2)]);
    let one = Formula::Atom(k.one_of(&[1]));
    let m = validate(k.machine).unwrap();
    let interp = Interp::new(&m);
    let knows = F::know(crate::logic::Know::K, vec![AgentIx(0)], one.clone());
    let p = property("p", F::ag(one.implies(knows)));
    let mut run = RawRun::of([act(0)]);
    let alone = certify(&interp, &p, false, &run).unwrap();
    assert_eq!(alone.rests_on, ["K(a, s == 1) fails in snapshot 1, the last"]);
    run.sides = vec![SideRun { at: 1, agents: vec![AgentIx(0)], run: RawRun::of([act(1)]) }];
    let full = certify(&interp, &p, false, &run).unwrap();
    assert!(full.rests_on.is_empty());
    assert_eq!(serde_json::to_string(&full.sides[0].differs).unwrap(), r#"{"s":3}"#);
    run.sides[0].run = RawRun::of([act(2)]);
    let told_apart = certify(&interp, &p, false, &run).unwrap_err().to_string();
    assert_eq!(told_apart, "the trace does not replay: a can tell the two snapshots apart");
}

#[test]
fn a_run_that_was_tampered_with_does_not_replay() {
    let mut rng = Rng::with_seed(12);
    let mut caught = 0;
    for seed in 0..300 {
        let m = random(seed);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let mut run = walk(&mut rng, &e, false);
        let good = replay(e.interp(), &run).unwrap();
        if run.steps.is_empty() {
            continue;
        }
        let i = rng.usize(..run.steps.len());
        let after = &good.snapshots[i + 1];
        run.steps[i] = RawStep::to(after);
        let by_snapshot = replay(e.interp(), &run).unwrap();
        assert_eq!(by_snapshot.snapshots, good.snapshots, "a snapshot is enough to find the step");
        run.steps[i].choice = Some(good.steps[i].choice.clone());
        let mut wrong = after.clone();
        wrong[VarId(1)] = 1 - wrong[VarId(1)];
        run.steps[i].after = Some(wrong.iter().copied().map(Some).collect());
        let error = replay(e.interp(), &run).unwrap_err();
        assert!(matches!(error, NotCertified::Step(n, _) if n == i + 1), "{error}");
        caught += 1;
    }
    assert!(caught > 150);
}

#[test]
fn names_there_and_back() {
    let mut rng = Rng::with_seed(13);
    let mut sided = 0;
    for seed in 0..300 {
        let m = random(seed);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let replayed = replay(e.interp(), &walk(&mut rng, &e, true)).unwrap();
        let trace = replayed.named(&m, Kind::Run);
        let json = serde_json::to_string(&trace).unwrap();
        let back: Trace = serde_json::from_str(&json).unwrap();
        assert_eq!(back, trace);
        let again = replay(e.interp(), &back.locate(e.interp()).unwrap()).unwrap();
        assert_eq!(again.snapshots, replayed.snapshots);
        assert_eq!(again.named(&m, Kind::Run).sides, trace.sides);
        sided += trace.sides.len();
    }
    assert!(sided > 50);
}

#[test]
fn itf_there_and_back() {
    let mut rng = Rng::with_seed(14);
    let mut loops = 0;
    for seed in 0..300 {
        let m = random(seed);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let replayed = replay(e.interp(), &walk(&mut rng, &e, false)).unwrap();
        let written = itf::write(&replayed.named(&m, Kind::Run), itf::About::default());
        let text = serde_json::to_string(&written).unwrap();
        let itf: serde_json::Value = serde_json::from_str(&text).unwrap();
        well_formed(&itf, &m);
        let again = replay(e.interp(), &itf::read(e.interp(), &itf).unwrap()).unwrap();
        assert_eq!((again.snapshots, again.loop_start), (replayed.snapshots, replayed.loop_start));
        loops += usize::from(replayed.loop_start.is_some());
    }
    assert!(loops > 50, "{loops}");
}

/// What readers of the format ask for.
fn well_formed(itf: &serde_json::Value, m: &crate::machine::Machine) {
    let names: Vec<&str> = m.state_vars().iter().map(|v| v.name.as_str()).collect();
    assert_eq!(itf["vars"], serde_json::json!(names));
    let strings = |meta: &serde_json::Value, but: &[&str]| {
        let all = meta.as_object().unwrap();
        assert!(all.iter().all(|(k, v)| v.is_string() || but.contains(&k.as_str())), "{all:?}");
    };
    strings(&itf["#meta"], &["varTypes"]);
    let states = itf["states"].as_array().unwrap();
    for (i, state) in states.iter().enumerate() {
        strings(&state["#meta"], &["index"]);
        assert_eq!(state["#meta"]["index"], i);
        for var in m.state_vars() {
            let (value, kind) = (&state[&var.name], &itf["#meta"]["varTypes"][&var.name]);
            let fits = match kind.as_str().unwrap() {
                "Bool" => value.is_boolean(),
                "Int" => value["#bigint"].as_str().is_some_and(|d| d.parse::<i64>().is_ok()),
                "Str" => value.is_string(),
                _ => false,
            };
            assert!(fits, "{} is {value}, not {kind}", var.name);
        }
    }
    assert!(itf.get("loop").is_none_or(|l| (l.as_u64().unwrap() as usize) < states.len()));
}

#[test]
fn renderings() {
    use crate::interp::testkit::{act, body, empty, flag, rule, var};
    use crate::machine::Domain;
    use crate::machine::*;
    let mut m = empty();
    let open = flag(&mut m, "T[1].S");
    let values = vec!["say \"hi\"".to_string(), "b\\ü".to_string()];
    let kind = var(&mut m, "T[1].kind", Domain::Enum { values: values.clone(), bottom: true });
    m.agents[0].name = Some("ann".into());
    let mut start = body("Start");
    let domain = Domain::Enum { values, bottom: true };
    start.inputs = vec![Input { name: "kind".into(), domain, values: vec![1, 2].into() }];
    let given = m.exprs.input(InputIx(0));
    start.effect = vec![Assign { var: kind, value: given }];
    let closed = {
        let before = m.exprs.prev(open);
        m.exprs.not(before)
    };
    start.rules = vec![rule("PAC-1 S/g", closed, TRUE, open, true)];
    act(&mut m, start, closed);
    let mut stop = body("Stop");
    let was_open = m.exprs.prev(open);
    stop.rules = vec![rule("PAC-5 S/m", was_open, TRUE, open, false)];
    act(&mut m, stop, was_open);
    let m = validate(m).unwrap();
    let interp = Interp::new(&m);
    let go = |action, inputs: &[i64]| Choice::Act { action, inputs: inputs.to_vec() };
    let run = RawRun::of([go(0, &[1]), go(1, &[]), go(0, &[2]), go(1, &[]), go(0, &[2])]);
    let run = RawRun { loop_start: Some(3), ..run };
    let trace = replay(&interp, &run).unwrap().named(&m, Kind::Counterexample);
    insta::assert_snapshot!(text::render(&trace, false), @r##"
    counterexample, 5 steps
      1. ann: Start (kind = say "hi")
           fired    PAC-1 S/g
           changed  +T[1].S  T[1].kind ⊥ -> say "hi"
      2. ann: Stop
           fired    PAC-5 S/m
           changed  -T[1].S
      3. ann: Start (kind = b\ü)
           fired    PAC-1 S/g
           changed  +T[1].S  T[1].kind say "hi" -> b\ü
      -- from here on again and again --
      4. ann: Stop
           fired    PAC-5 S/m
           changed  -T[1].S
      5. ann: Start (kind = b\ü)
           fired    PAC-1 S/g
           changed  +T[1].S
      -- back to the snapshot after step 3 --
    "##);
    insta::assert_snapshot!(text::render(&trace, true), @r##"
    counterexample, 5 steps
      0. start
           overflow = false
           T[1].S = false
           T[1].kind = ⊥
      1. ann: Start (kind = say "hi")
           fired    PAC-1 S/g
           overflow = false
           T[1].S = true
           T[1].kind = say "hi"
      2. ann: Stop
           fired    PAC-5 S/m
           overflow = false
           T[1].S = false
           T[1].kind = say "hi"
      3. ann: Start (kind = b\ü)
           fired    PAC-1 S/g
           overflow = false
           T[1].S = true
           T[1].kind = b\ü
      -- from here on again and again --
      4. ann: Stop
           fired    PAC-5 S/m
           overflow = false
           T[1].S = false
           T[1].kind = b\ü
      5. ann: Start (kind = b\ü)
           fired    PAC-1 S/g
           overflow = false
           T[1].S = true
           T[1].kind = b\ü
      -- back to the snapshot after step 3 --
    "##);
    insta::assert_snapshot!(dot::render(&trace), @r##"
    digraph trace {
      node [shape=box, fontname="Helvetica", fontsize=10];
      edge [fontname="Helvetica", fontsize=9];
      s0 [label="start", style=rounded];
      s1 [label="+T[1].S\lT[1].kind &#8869; -> say &#34;hi&#34;\l"];
      s0 -> s1 [label="ann: Start (kind = say &#34;hi&#34;)\l"];
      s2 [label="-T[1].S\l"];
      s1 -> s2 [label="ann: Stop\l"];
      s3 [label="+T[1].S\lT[1].kind say &#34;hi&#34; -> b&#92;&#252;\l"];
      s2 -> s3 [label="ann: Start (kind = b&#92;&#252;)\l"];
      s4 [label="-T[1].S\l"];
      s3 -> s4 [label="ann: Stop\l"];
      s4 -> s3 [label="ann: Start (kind = b&#92;&#252;)\l+T[1].S\l"];
    }
    "##);
    insta::assert_snapshot!(serde_json::to_string_pretty(&trace.steps[0]).unwrap(), @r##"
    {
      "agent": "ann",
      "event": "Start",
      "target": null,
      "payload": {
        "kind": "say \"hi\""
      },
      "rules": [
        "PAC-1 S/g"
      ],
      "changes": {
        "T[1].S": true,
        "T[1].kind": "say \"hi\""
      }
    }
    "##);
    well_formed(&itf::write(&trace, itf::About::default()), &m);
}
