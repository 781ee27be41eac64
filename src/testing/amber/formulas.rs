//! Random properties of random AMBER models.

use super::super::Choices;
use super::random::{Known, Limits};

pub(super) fn properties(c: &mut Choices, limits: &Limits, known: &mut Known) -> String {
    let mut text = String::new();
    for i in 0..limits.properties {
        while c.chance(15) {
            let x = c.pick(&known.happening).cloned().unwrap_or_default();
            let fair = if c.chance(30) { format!("!enabled('{x}') || just('{x}')") } else { state(c, known) };
            text += &format!("@fair {fair};\n");
        }
        let formula = formula(c, known);
        text += &format!("q{i}: {formula};\n");
    }
    text
}

fn atom(c: &mut Choices, known: &Known) -> String {
    let Some(x) = c.pick(&known.happening).cloned() else { return "ended".into() };
    match c.below(17) {
        0..3 => format!("executed('{x}')"),
        3 => format!("triggered('{x}')"),
        4 => format!("enabled('{x}')"),
        5 => format!("just('{x}')"),
        6 => format!("disabled('{x}')"),
        7 => c.pick(&known.or_splits).map_or("ended".into(), |s| format!("blocked('{s}')")),
        8 => {
            let count = c.one_of(["== 1", "> 0", "!= 2"]);
            c.pick(&known.and_joins).map_or("stuck".into(), |j| format!("in_counter('{j}') {count}"))
        }
        9 => "stuck".into(),
        10 => "finished".into(),
        11 => "overflow".into(),
        12 => c.pick(&known.exits).map_or(format!("executed('{x}')"), |e| format!("executed('{e}')")),
        13 => {
            let asked = c.one_of(["enabled", "just"]);
            c.pick(&known.relations).map_or(format!("{asked}('{x}')"), |r| format!("{asked}('{r}')"))
        }
        14 => x.rsplit('.').next().filter(|n| !n.contains(' ')).unwrap_or("ended").to_string(),
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
    match c.below(28) {
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
        17 => format!("response({p}, {q})"),
        18 => format!("EF (E(({p}) U ({q})) && !({q}))"),
        19 => format!("AG A(({p}) U AX ({q}))"),
        20 => format!("LTL (G F ({p})) -> (G F ({q}))"),
        n => about_actors(c, known, n - 21, &p, &q),
    }
}

/// Knowledge and strategies, where there is somebody.
fn about_actors(c: &mut Choices, known: &Known, which: usize, p: &str, q: &str) -> String {
    let (Some(a), Some(b)) = (c.pick(&known.actors).cloned(), c.pick(&known.actors).cloned()) else {
        return format!("EF (({p}) && ({q}))");
    };
    match which {
        0 => format!("AG (({p}) -> K({a}, {q}))"),
        1 => format!("EF K({a}, {p})"),
        2 => format!("<<{a}>> F ({p})"),
        3 => format!("AG (({q}) -> <<{a}>> G ({p}))"),
        4 => format!("<<{a}, {b}>> (({p}) U ({q}))"),
        5 => format!("AG (({p}) -> {}({{Ann, Bob}}, {q}))", c.one_of(["EK", "DK", "CK"])),
        _ => format!("EF (K({a}, {p}) && !K({b}, {p}))"),
    }
}
