//! Why not, in words.

use super::model;
use crate::interp::Interp;
use crate::lang::amber::draw::Shown;
use crate::lang::amber::lower::lower;
use crate::lang::amber::why::why_not;

/// What is said about an event after some events; choices are the first ones.
fn after(text: &str, events: &[&str], asked: &str) -> Vec<String> {
    let m = model(text).unwrap_or_else(|e| panic!("{e}"));
    let lowered = lower(&m, &[], true).unwrap_or_else(|d| panic!("{}", d.message));
    let interp = Interp::new(&lowered.machine);
    let mut codes = interp.initial();
    for event in events {
        let choices = interp.choices(&codes);
        let is = |c: &&crate::interp::Choice| match c {
            crate::interp::Choice::Act { action, .. } => {
                lowered.machine.body(&lowered.machine.actions[*action]).event == *event
            }
            crate::interp::Choice::Idle => false,
        };
        let choice = choices.iter().find(is).unwrap_or_else(|| panic!("{event} is not possible"));
        codes = interp.step(&codes, choice).map(|s| s.after).unwrap_or(codes);
    }
    let event = m.events.iter().position(|e| e.name == asked).unwrap_or(usize::MAX);
    why_not(&m, &Shown::of(&lowered.map, &codes), event)
}

#[test]
fn what_is_missing_is_named() {
    let shop = "block x { action a; interaction pay; a -> pay }\nblock y { action b; interaction receive; b -> receive }\n\
                relation money: x.pay, y.receive";
    assert_eq!(
        after(shop, &["x.a"], "money"),
        ["pay waits for its partner receive", "receive does not wait: it waits for b"]
    );
    assert_eq!(after(shop, &["x.a", "y.b"], "money"), Vec::<String>::new());
    assert_eq!(after(shop, &["x.a"], "x.a"), ["a has happened, and happens once"]);

    let split = "var n: 0..3\naction a, b, c, d\na -> s:([n == 1] b | [n == 2] c)\n(b & c) -> d";
    assert_eq!(after(split, &["a"], "b"), ["b does not wait: blocked: no condition of s held"]);
    assert_eq!(after(split, &[], "d"), ["d does not wait: andjoin1 needs all: it waits for b, and it waits for c"]);

    let rivals = "action a, b, c, d\na -/-> b\nb -/-> a\nvar n: 0..3\nc -[n > 1]-> d";
    assert_eq!(after(rivals, &["a"], "b"), ["b is disabled by a"]);
    assert_eq!(after(rivals, &["c"], "d"), ["d does not wait: n > 1 did not hold after c"]);
}
