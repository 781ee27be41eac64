//! Explanations say what the machine did: rule by rule, on random applications.

use crate::common::{load, search};
use gsmc::explain::{Explainer, Explanation};
use gsmc::interp::{Choice, Interp};
use gsmc::source::Sources;
use gsmc::testing::{Limits, random_app_with};

/// The values before, with all changes that the explanation tells of, in its order.
fn told(e: &Explanation) -> serde_json::Map<String, serde_json::Value> {
    let mut values = e.before.clone();
    for change in &e.immediate {
        values.insert(change.name.clone(), change.new.clone());
    }
    for card in e.rules.iter().filter(|c| c.fired) {
        assert_eq!(values[&card.target] != card.value, card.changed, "{}", card.label);
        values.insert(card.target.clone(), card.value.clone());
    }
    for change in &e.finish {
        assert_eq!(values[&change.name], change.old, "{}", change.name);
        values.insert(change.name.clone(), change.new.clone());
    }
    values
}

fn agree(seed: u64, limits: &Limits, counts: &mut [usize; 3]) {
    let project = random_app_with(seed, limits);
    let gsm = load(&project, false);
    let machine = &gsm.machine;
    let (interp, sources) = (Interp::new(machine), Sources::new());
    let explainer = Explainer::new(&gsm, &interp, &sources);
    search(&interp, 40, &mut |snapshot, steps| {
        for step in steps {
            let Some(action) = step.action else { continue };
            let choice = Choice::Act { action, inputs: step.inputs.clone() };
            let e = explainer.explain(&snapshot.into(), &choice).expect("the step is possible");
            let body = machine.body(&machine.actions[action]);
            let fired = e.rules.iter().filter(|c| c.fired).map(|c| (c.slot.clone(), c.label.clone()));
            let expected = step.fired.iter().map(|f| &body.rules[*f].origin);
            let expected = expected.map(|o| (machine.slots[o.slot.expect("a slot")].name.clone(), o.label.clone()));
            assert!(fired.eq(expected), "seed {seed}: {choice:?}\n{project}");
            for card in &e.rules {
                let decided = card.prerequisite.holds() && card.antecedent.holds();
                assert_eq!(decided, card.fired, "seed {seed}: {card:#?}\n{project}");
                assert_eq!(card.refused.is_some(), !card.fired);
                assert!(card.turn.is_some() || !card.fired);
                if let Some(refused) = &card.refused {
                    assert!(!refused.part.holds(), "{refused:?}");
                    counts[1] += 1;
                }
                counts[0] += usize::from(card.fired);
            }
            assert_eq!(told(&e), e.after, "seed {seed}\n{project}");
            counts[2] += e.order_dependent.len();
        }
    });
}

#[test]
fn what_is_told_is_what_happened() {
    let mut counts = [0; 3];
    let plain = Limits { data: false, properties: 1, ..Limits::default() };
    let rich = Limits { properties: 1, ..Limits::default() };
    (0..80).for_each(|seed| agree(seed, &plain, &mut counts));
    (1000..1120).for_each(|seed| agree(seed, &rich, &mut counts));
    assert!(counts[0] > 3000 && counts[1] > 10_000, "fired, refused, order-dependent: {counts:?}");
}
