//! Cards from the machine alone, for languages without words of their own.

use super::{At, Card, Eval, Refusal, Taken, Val, together};
use crate::answer::to_json;
use crate::machine::{Domain, ExprId, Leaf, Machine, Node, Rule, show};

/// Larger conditions are not spelt out.
const LARGEST: usize = 60;

/// A card for every rule of the body that writes the snapshot; `now` (scratch variables included) runs along, from Σ₁ to Σₙ.
pub fn plain(step: &Taken, now: &mut [i64]) -> Vec<Card> {
    let m = step.machine;
    let mut cards = Vec::new();
    for (turn, rule) in step.body().rules.iter().enumerate() {
        let fired = step.fired.binary_search(&turn).is_ok();
        let target = m.var(rule.target);
        let value = target.domain.nearest(read(step, now, rule.value));
        let old = now.get(rule.target.0 as usize).copied().unwrap_or(target.init);
        if !target.scratch {
            cards.push(card(step, now, (turn, rule), (old, value), fired));
        }
        if let (true, Some(place)) = (fired, now.get_mut(rule.target.0 as usize)) {
            *place = value;
        }
    }
    cards
}

fn card(step: &Taken, now: &[i64], (turn, rule): (usize, &Rule), (old, value): (i64, i64), fired: bool) -> Card {
    let m = step.machine;
    let target = m.var(rule.target);
    let sides = [rule.prerequisite, rule.antecedent].map(|e| condition(step, now, e));
    let refused = if fired { None } else { Refusal::of(&sides[0], &sides[1]) };
    let [prerequisite, antecedent] = sides;
    Card {
        // What is only noted has no name of its own.
        label: match rule.origin.label.as_str() {
            "" => format!("noted: {}", target.name),
            label => label.to_string(),
        },
        slot: rule.origin.slot.and_then(|s| m.slots.get(s.0)).map(|s| s.name.clone()).unwrap_or_default(),
        pac: None,
        place: step.sources.place(rule.origin.span),
        turn: Some(turn),
        target: target.name.clone(),
        value: to_json(&target.domain, value),
        old: to_json(&target.domain, old),
        fired,
        changed: fired && old != value,
        prerequisite,
        antecedent,
        refused,
    }
}

fn read(step: &Taken, now: &[i64], e: ExprId) -> i64 {
    let at = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(0);
    step.machine.exprs.eval(e, &|leaf| match leaf {
        Leaf::Prev(v) => at(step.before, v.0 as usize),
        Leaf::Cur(v) => at(now, v.0 as usize),
        Leaf::Input(i) => at(step.inputs, i.0),
    })
}

/// A condition of the machine with the values of its parts.
pub fn condition(step: &Taken, now: &[i64], e: ExprId) -> Eval {
    let m = step.machine;
    let value = read(step, now, e);
    if size(m, e, LARGEST) > LARGEST {
        return Eval::truth("its condition".into(), value != 0, At::Parts);
    }
    let parts = |list: &[ExprId]| list.iter().map(|p| condition(step, now, *p)).collect::<Vec<_>>();
    match m.exprs.node(e) {
        Node::Bool(b) => Eval::truth(b.to_string(), *b, At::Fixed),
        Node::And(list) => together(parts(list), Eval::all),
        Node::Or(list) => together(parts(list), Eval::any),
        Node::Not(a) if matches!(m.exprs.node(*a), Node::And(_) | Node::Or(_)) => {
            Eval::other(words(m, e), Val::Bool(value != 0), parts(&[*a]))
        }
        Node::Prev(v) if m.var(*v).domain == Domain::Bool => Eval::truth(words(m, e), value != 0, At::Before),
        Node::Cur(v) if m.var(*v).domain == Domain::Bool => Eval::truth(words(m, e), value != 0, At::Now),
        Node::Compare(..) => Eval::other(words(m, e), Val::Bool(value != 0), leaves(step, now, e)),
        _ => Eval::truth(words(m, e), value != 0, moment(m, e)),
    }
}

/// The variables that a comparison reads, with their values.
fn leaves(step: &Taken, now: &[i64], e: ExprId) -> Vec<Eval> {
    let m = step.machine;
    let mut found: Vec<Eval> = Vec::new();
    m.exprs.leaves(e, &mut |leaf| {
        let (var, list, at) = match leaf {
            Node::Prev(v) => (*v, step.before, At::Before),
            Node::Cur(v) => (*v, now, At::Now),
            _ => return,
        };
        let code = list.get(var.0 as usize).copied().unwrap_or(0);
        found.push(Eval::leaf(m.var(var).name.clone(), Val::of(&m.var(var).domain, code), at));
    });
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found
}

fn words(m: &Machine, e: ExprId) -> String {
    show::expression(m, e).replace("before(", "(")
}

/// The snapshot that an expression reads, if it is one.
fn moment(m: &Machine, e: ExprId) -> At {
    let (mut before, mut now) = (false, false);
    m.exprs.leaves(e, &mut |leaf| match leaf {
        Node::Prev(_) => before = true,
        Node::Cur(_) => now = true,
        _ => {}
    });
    match (before, now) {
        (true, true) => At::Change,
        (true, false) => At::Before,
        (false, true) => At::Now,
        (false, false) => At::Fixed,
    }
}

/// Nodes of an expression written out, counted up to a limit.
fn size(m: &Machine, e: ExprId, most: usize) -> usize {
    let (mut count, mut todo) = (0, vec![e]);
    while let Some(next) = todo.pop() {
        count += 1;
        if count > most {
            break;
        }
        todo.extend(m.exprs.parts(next));
    }
    count
}
