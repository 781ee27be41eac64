//! The hand-worked cases, executed word for word.

use super::{case, model};
use crate::lang::amber::{Control, Expr};
use crate::testing::amber::literal::{Happened, Literal};
use std::collections::BTreeSet;

#[test]
fn states_and_dead_ends_are_those_worked_out_by_hand() {
    let cases = [
        "blocks",
        "crowded",
        "crowded-bound",
        "cyclic",
        "disabling",
        "garage",
        "joins-splits",
        "loop",
        "mismatch",
        "ten-times",
    ];
    for name in cases {
        let m = model(&case(&format!("{name}/model.amber"))).unwrap_or_else(|e| panic!("{name}:\n{e}"));
        let expected: serde_json::Value = serde_json::from_str(&case(&format!("{name}/expected.json"))).expect("JSON");
        let literal = Literal::new(&m, case(&format!("{name}/p.gsmp")).contains("just("));
        let graph = literal.graph(10_000).unwrap_or_else(|| panic!("{name} has too many states"));
        let crowded = graph.states.iter().any(|s| s.crowded);
        assert_eq!(crowded, expected["refused"].as_bool() == Some(true), "{name} refused");
        assert_eq!(graph.states.iter().any(|s| s.overflow), expected["overflow"].as_bool() == Some(true), "{name}");
        if crowded {
            continue;
        }
        let left_out: Vec<&str> =
            expected["left_out"].as_array().map(|a| a.iter().filter_map(|v| v.as_str()).collect()).unwrap_or_default();
        let kept = |s: usize| {
            let mut s = graph.states[s].clone();
            for (value, cell) in s.data.iter_mut().zip(&m.cells) {
                if left_out.contains(&cell.unit.as_str()) {
                    *value = 0;
                }
            }
            s
        };
        let count = |which: &dyn Fn(usize) -> bool| {
            (0..graph.states.len()).filter(|&s| which(s)).map(kept).collect::<BTreeSet<_>>().len() as u64
        };
        let dead = |s: usize| graph.steps[s].iter().all(|(what, _)| *what == Happened::Nothing);
        let stuck = |s: usize| literal.value(&Expr::Control(Control::Stuck), &graph.states[s]) != 0;
        assert_eq!(Some(count(&|_| true)), expected["states"].as_u64(), "states of {name}");
        assert_eq!(Some(count(&dead)), expected["dead_ends"].as_u64(), "dead ends of {name}");
        assert_eq!(Some(count(&stuck)), expected["stuck"].as_u64(), "stuck states of {name}");
    }
}
