//! Random properties of random AMBER models.

use super::super::Choices;
use super::random::{Known, Limits};

pub(super) fn properties(c: &mut Choices, limits: &Limits, known: &mut Known) -> String {
    let mut text = String::new();
    for i in 0..limits.properties {
        if c.chance(10) {
            let x = atom(c, known);
            text += &format!("@fair {x};\n");
        }
        let formula = formula(c, known);
        text += &format!("q{i}: {formula};\n");
    }
    text
}

fn atom(c: &mut Choices, known: &Known) -> String {
    let Some(x) = c.pick(&known.happening).cloned() else { return "ended".into() };
    match c.below(14) {
        0..3 => format!("executed('{x}')"),
        3 => format!("triggered('{x}')"),
        4 => format!("enabled('{x}')"),
        5 => format!("just('{x}')"),
        6 => format!("disabled('{x}')"),
        7 => c.pick(&known.or_splits).map_or("ended".into(), |s| format!("blocked('{s}')")),
        8 => c.pick(&known.and_joins).map_or("stuck".into(), |j| format!("in_counter('{j}') == 1")),
        9 => "stuck".into(),
        10 => "finished".into(),
        11 => "overflow".into(),
        _ => c.pick(&known.conditions).map_or("ended".into(), |p| format!("({p})")),
    }
}

fn state(c: &mut Choices, known: &Known) -> String {
    let p = atom(c, known);
    match c.below(5) {
        0 | 1 => p,
        2 => format!("!({p})"),
        3 => format!("({p} && {})", atom(c, known)),
        _ => format!("({p} || {})", atom(c, known)),
    }
}

fn formula(c: &mut Choices, known: &Known) -> String {
    let (p, q) = (state(c, known), state(c, known));
    match c.below(22) {
        0 => format!("EF ({p})"),
        1 => format!("AG !({p})"),
        2 => format!("AF ({p})"),
        3 => format!("EG ({p})"),
        4 => format!("AG (({p}) -> EF ({q}))"),
        5 => format!("AG (({p}) -> AF ({q}))"),
        6 => format!("A(!({p}) U ({q}))"),
        7 => format!("EX (({p}) && AX ({q}))"),
        8 => format!("precedence({p}, {q})"),
        9 => format!("exclusion({p}, {q})"),
        10 => format!("sequence({p}, {q})"),
        11 => format!("LTL G (({p}) -> F ({q}))"),
        12 => format!("LTL F G ({p})"),
        13 => format!("LTL ({p}) U ({q})"),
        14 => format!("LTL G (({p}) -> X ({q}))"),
        15 => format!("LTL [] ((!({p})) W ({q}))"),
        16 => format!("AG EF ({p})"),
        n => match (c.pick(&known.actors).cloned(), n) {
            (Some(a), 17) => format!("AG (({p}) -> K({a}, {q}))"),
            (Some(a), 18) => format!("EF K({a}, {p})"),
            (Some(a), 19) => format!("<<{a}>> F ({p})"),
            (Some(a), 20) => format!("AG (({q}) -> <<{a}>> G ({p}))"),
            (Some(_), _) => format!("EF CK({{Ann, Bob}}, {p})"),
            (None, _) => format!("EF (({p}) && ({q}))"),
        },
    }
}
