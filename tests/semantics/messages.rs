//! One-way messages, worked out by hand: what is under way, who gets it, and what it writes there.

use crate::common::{load, number, search};
use crate::reference::agree_on;
use gsmc::interp::{Explicit, Interp, Limits, Work};
use gsmc::lang::gsm::Gsm;
use gsmc::lang::load::{Request, load as load_files};
use gsmc::testing::{Limits as RandomLimits, Project, random_app_with};

/// A model in the notation.
fn project(model: &str) -> Project {
    let file = |name: &str, text: &str| (name.to_string(), text.to_string());
    Project { files: vec![file("gsmc.toml", "model = \"model.gsm\"\n"), file("model.gsm", model)] }
}

/// A walk through a model, step by step.
struct Walk {
    gsm: Gsm,
    now: Vec<i64>,
}

impl Walk {
    /// Starts in the initial snapshot; the two readings of the semantics agree on all that can be reached.
    fn start(model: &str) -> Walk {
        let gsm = load(&project(model), true);
        agree_on(&gsm, model);
        let now = Interp::new(&gsm.machine).initial().to_vec();
        Walk { gsm, now }
    }

    /// The snapshots after an event at a slot, with this payload.
    fn after(&self, event: &str, slot: &str, payload: &[i64]) -> Vec<Vec<i64>> {
        let (machine, mut found) = (&self.gsm.machine, Vec::new());
        Interp::new(machine).each_step(&self.now, &mut Work::default(), &mut |seen| {
            let Some(body) = seen.action.map(|a| machine.body(&machine.actions[a])) else { return };
            let target = body.target.map(|s| machine.slots[s].name.clone()).unwrap_or_default();
            if body.event == event && target == slot && seen.inputs == payload {
                found.push(seen.after.to_vec());
            }
        });
        found.dedup();
        found
    }

    fn take(&mut self, event: &str, slot: &str, payload: &[i64]) {
        let mut after = self.after(event, slot, payload);
        assert_eq!(after.len(), 1, "{event} at {slot} with {payload:?}");
        self.now = after.remove(0);
    }

    fn can(&self, event: &str, slot: &str) -> bool {
        !self.after(event, slot, &[]).is_empty()
    }

    fn is(&self, name: &str, value: i64) {
        let at = self.gsm.machine.vars.iter().position(|v| v.name == name).expect(name);
        assert_eq!(self.now[at], value, "{name}");
    }
}

/// `S` sends `n` in a message of its own, and opens again with it.
const ITSELF: &str = "application Itself
event Go { n: T.n }
event Stop, Arm
event Note { x: T.n }
type T {
  n: int 0..5
  x: int 0..3
  stage S {
    guard on Go
    guard again on Note when Loose
    task t: send Note { x = n }
    milestone Stopped on Stop
    milestone Sent when done(t) && !Loose
  }
  stage Ears { guard on Arm; milestone Heard on Note when x == 2 }
  stage Tie { guard on create; milestone Loose on Arm }
}
";

#[test]
fn a_message_is_under_way_until_it_is_delivered() {
    let mut w = Walk::start(ITSELF);
    w.take("Create_T", "T[1]", &[]);
    assert!(!w.can("Note from T[1].t", "T[1]"));
    w.take("Go", "T[1]", &[2]);
    w.is("T[1].t.pending", 1);
    // Nobody listens: it is delivered all the same.
    w.take("Note from T[1].t", "T[1]", &[]);
    w.is("T[1].x", 2);
    w.is("T[1].Sent", 1);
    w.is("T[1].S", 0);
    w.is("T[1].t.pending", 0);
    w.is("T[1].Heard", 0);
    w.is("overflow", 0);
    assert!(!w.can("Note from T[1].t", "T[1]"));
}

#[test]
fn what_does_not_fit_is_cut_where_it_arrives() {
    let mut w = Walk::start(ITSELF);
    w.take("Create_T", "T[1]", &[]);
    w.take("Go", "T[1]", &[5]);
    w.is("overflow", 0);
    w.take("Note from T[1].t", "T[1]", &[]);
    w.is("T[1].x", 3);
    w.is("overflow", 1);
}

#[test]
fn a_message_is_not_taken_back_and_no_second_is_sent() {
    let mut w = Walk::start(ITSELF);
    w.take("Create_T", "T[1]", &[]);
    w.take("Go", "T[1]", &[1]);
    w.take("Stop", "T[1]", &[]);
    w.is("T[1].S", 0);
    w.is("T[1].t.pending", 1);
    w.take("Go", "T[1]", &[2]);
    w.is("overflow", 1);
    w.is("T[1].t.pending", 1);
    // The first one arrives, with what it took along.
    w.take("Note from T[1].t", "T[1]", &[]);
    w.is("T[1].x", 1);
    w.is("T[1].n", 2);
    w.is("T[1].t.pending", 0);
}

/// The stage opens by the message that it has sent itself: that one is consumed and another one sent.
#[test]
fn delivery_may_open_the_stage_again() {
    let mut w = Walk::start(ITSELF);
    w.take("Create_T", "T[1]", &[]);
    w.take("Go", "T[1]", &[2]);
    w.take("Stop", "T[1]", &[]);
    w.take("Arm", "T[1]", &[]);
    w.is("T[1].Loose", 1);
    w.is("T[1].Ears", 1);
    w.take("Note from T[1].t", "T[1]", &[]);
    w.is("T[1].Heard", 1);
    w.is("T[1].S", 1);
    w.is("T[1].t.pending", 1);
    w.is("overflow", 0);
    w.take("Note from T[1].t", "T[1]", &[]);
    w.is("T[1].t.pending", 0);
}

/// One message and several instances that are related to its sender, or not.
const OTHERS: &str = "application Others
event Ping { n: R.n }
event Go
type T {
  stage S { guard on Go; task t: send Ping to R { n = 4 }; milestone Sent when done(t) }
}
type R {
  owner: ref T
  n: int 0..9
  created by Create_R { owner }
  stage Q { guard on Ping when n == 4; milestone Q1 when some +T.Sent }
  stage Told { guard on Ping when some +T.Sent }
}
instances { T = 1, R = 3 }
";

#[test]
fn a_message_goes_to_one_related_instance() {
    let mut w = Walk::start(OTHERS);
    w.take("Create_T", "T[1]", &[]);
    w.take("Go", "T[1]", &[]);
    let to = |w: &Walk| ["R[1]", "R[2]", "R[3]"].map(|r| w.can("Ping from T[1].t", r));
    // Without a receiver it waits.
    assert_eq!(to(&w), [false, false, false]);
    w.is("T[1].t.pending", 1);
    w.take("Create_R", "R[1]", &[1]);
    w.take("Create_R", "R[2]", &[1]);
    w.take("Create_R", "R[3]", &[0]);
    assert_eq!(to(&w), [true, true, false]);
    // Nobody else sends it.
    assert!(["R[1]", "R[2]", "R[3]"].iter().all(|r| (0..=9).all(|n| w.after("Ping", r, &[n]).is_empty())));
    w.take("Ping from T[1].t", "R[2]", &[]);
    for (name, value) in
        [("R[1].n", 0), ("R[2].n", 4), ("R[1].Q", 0), ("R[2].Q", 1), ("T[1].Sent", 1), ("R[1].Told", 0)]
    {
        w.is(name, value);
    }
    // Its sentries see in the same step that the task is completed at the sender.
    w.is("R[2].Told", 1);
    assert_eq!(to(&w), [false, false, false]);
}

#[test]
fn a_message_to_instances_of_its_own_type_never_goes_to_the_sender() {
    let model = "application Peers
event Go, Ping
type T { stage S { guard on Go; task t: send Ping to T }; stage Q { guard on Ping } }
instances { T = 2 }
";
    let mut w = Walk::start(model);
    w.take("Create_T", "T[1]", &[]);
    w.take("Go", "T[1]", &[]);
    assert!(!w.can("Ping from T[1].t", "T[1]") && !w.can("Ping from T[1].t", "T[2]"));
    w.take("Create_T", "T[2]", &[]);
    w.take("Go", "T[2]", &[]);
    // Two messages under way, told apart by their senders.
    assert!(w.can("Ping from T[1].t", "T[2]") && w.can("Ping from T[2].t", "T[1]"));
    assert!(!w.can("Ping from T[1].t", "T[1]") && !w.can("Ping from T[2].t", "T[2]"));
    w.take("Ping from T[2].t", "T[1]", &[]);
    w.is("T[1].Q", 1);
    w.is("T[1].t.pending", 1);
    w.is("T[2].t.pending", 0);
}

/// A field of the event that opened the stage is carried on; an event without it leaves what is there.
#[test]
fn payload_is_carried_on() {
    let model = "application Chain
event In { v: bool }
event Bare
event Out { b: T.b }
event Last { c: T.c }
type T {
  b: bool = false
  c: bool = false
  stage A { guard on In; guard g2 on Bare; task t: send Out { b = payload(In).v }; milestone Done when done(t) }
  stage B { guard on Out; task u: send Last { c = payload(Out).b }; milestone Done2 when done(u) }
}
";
    let mut w = Walk::start(model);
    w.take("Create_T", "T[1]", &[]);
    w.take("In", "T[1]", &[1]);
    w.take("Out from T[1].t", "T[1]", &[]);
    // A mapping reads the field, so it is not written.
    w.is("T[1].b", 0);
    w.take("Last from T[1].u", "T[1]", &[]);
    w.is("T[1].c", 1);
    w.take("Bare", "T[1]", &[]);
    w.take("Out from T[1].t", "T[1]", &[]);
    w.take("Last from T[1].u", "T[1]", &[]);
    w.is("T[1].c", 1);
    w.take("In", "T[1]", &[0]);
    w.take("Out from T[1].t", "T[1]", &[]);
    w.take("Last from T[1].u", "T[1]", &[]);
    w.is("T[1].c", 0);
}

/// An event that a task sends is there for agents whose protocol lists it.
#[test]
fn protocols_may_list_what_tasks_send() {
    let model = |protocol: &str| {
        format!(
            "application Listed
event Go, Ping
type T {{ stage S {{ guard on Go; task t: send Ping }}; stage Q {{ guard on Ping }} }}
agents {{ role R {{ instantiation: T; }}; agent a {{ role: R; {protocol} }}; }}
"
        )
    };
    let sends = |w: &Walk| {
        let mut w = Walk { gsm: w.gsm.clone(), now: w.now.clone() };
        w.take("Create_T", "T[1]", &[]);
        w.can("Ping", "T[1]")
    };
    assert!(!sends(&Walk::start(&model(""))));
    assert!(sends(&Walk::start(&model("protocol: Create_T: true -> , Go: true -> , Ping: true -> ;"))));
}

/// Created; under way and open; under way and closed, once by `m`, once by `c`; delivered; worked out on paper: six snapshots.
#[test]
fn the_snapshots_of_a_message_that_is_not_taken_back() {
    let model = "application Back
event E1, E2, E3
type T {
  stage S {
    guard on E1 when !completed(S)
    task T1: send E3
    milestone m when done(T1)
    milestone c on E2
  }
  stage W { guard on E3 }
}
agents {
  role R { instantiation: T; };
  agent a {
    role: R;
    vars: bool made = false;
    protocol: Create_T: !made -> made = true, E1: true -> , E2: true -> ;
  };
}
properties {
  p1: EF exists x : T (x.c && !x.W && EF x.W);
  p2: AG forall x : T (x.m -> x.W);
  p3: EF exists x : T (x.m && x.c);
  p4: AF exists x : T (x.W);
}
";
    let gsm = load(&project(model), false);
    let explicit = Explicit::build(&gsm.machine, Limits::default()).expect("a small model");
    assert_eq!(explicit.states(), 6);
    let holds: Vec<bool> = gsm.machine.properties.iter().map(|p| explicit.check(p)).collect();
    assert_eq!(holds, [true, true, false, true]);
}

/// What is wrong with messages, by its code and words.
#[test]
fn mistakes_in_messages() {
    let model = |task: &str| {
        let stage = format!("stage S {{ guard on Go; task t: {task}; milestone Sent when done(t) }}");
        format!("application Wrong\nevent Go\nevent Ping {{ n: T.n }}\ntype T {{\n  n: int 0..3\n  {stage}\n}}\n")
    };
    for (task, code, words) in [
        ("send Ping, add n", "E097", "does nothing else"),
        ("add n, send Ping { n = 1 }", "E097", "does nothing else"),
        ("send Ping { n = 1, n = 2 }", "E097", "given twice"),
        ("send Create_T", "E097", "cannot be sent"),
        ("call Ping -> n", "E097", "sent and not called"),
        ("send Pong", "E014", "unknown event 'Pong'"),
        ("send Ping to U", "E016", "unknown artifact type 'U'"),
        ("send Ping { m = 1 }", "E028", "no field 'm'"),
        ("send Ping { n = self }", "E133", "'self' can only"),
        ("send Ping { n = 7 }", "E052", "outside the range"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        project(&model(task)).write_to(folder.path()).expect("files");
        let loaded = load_files(&Request { dir: Some(folder.path().to_path_buf()), ..Request::default() });
        let found: Vec<String> = loaded.diagnostics.iter().map(|d| format!("{} {}", d.code.id, d.message)).collect();
        assert!(loaded.app.is_none(), "{task}");
        assert!(found.iter().any(|f| f.starts_with(code) && f.contains(words)), "{task}: {found:#?}");
    }
}

/// Random models send messages to themselves and to others, carry values, and find their stages opened again too early; the two readings
/// of the semantics agree on all of it.
#[test]
fn random_messages() {
    let limits = RandomLimits { properties: 1, ..RandomLimits::default() };
    let (mut to_itself, mut to_others, mut carried, mut too_early) = (0, 0, 0, 0);
    for seed in 2000..2000 + number("GSMC_RANDOM_MESSAGES", 500) {
        let project = random_app_with(seed, &limits);
        if !project.file("model.xml").is_some_and(|m| ["E1", "E2", "E3", "F1", "F2", "F3"].iter().any(|e| sends(m, e)))
        {
            continue;
        }
        let gsm = load(&project, true);
        agree_on(&gsm, &format!("seed {seed}\n{project}"));
        let machine = &gsm.machine;
        search(&Interp::new(machine), 120, &mut |before, steps| {
            for step in steps {
                let Some(action) = step.action else { continue };
                let body = machine.body(&machine.actions[action]);
                let Some((_, sender)) = body.event.rsplit_once(" from ") else { continue };
                let own = body.target.is_some_and(|t| sender.starts_with(&machine.slots[t].name));
                *if own { &mut to_itself } else { &mut to_others } += 1;
                carried += usize::from(body.effect.iter().any(|a| a.var != machine.overflow));
                let flag = machine.overflow.0 as usize;
                let sets = body.finish.iter().any(|a| a.var == machine.overflow);
                too_early += usize::from(sets && before[flag] == 0 && step.after[flag] != 0);
            }
        });
    }
    println!("{to_itself} to itself, {to_others} to others, {carried} with values, {too_early} too early");
    assert!(
        to_itself > 100 && to_others > 100 && carried > 50 && too_early > 5,
        "{to_itself} {to_others} {carried} {too_early}"
    );
}

fn sends(model: &str, event: &str) -> bool {
    model.contains(&format!("serviceDefinitionId=\"{event}\""))
}
