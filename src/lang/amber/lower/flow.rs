//! Where the tokens of a step go: through functional nodes, predecessors first, to the actions they trigger.

use super::Lower;
use super::body::Step;
use super::tokens::Tokens;
use crate::lang::amber::model::{ArrowIx, Condition, Event, NodeIx, NodeKind};
use crate::machine::{ArithOp, CompareOp, Domain, ExprId, FALSE, TRUE, VarId};
use crate::source::Diagnostic;
use crate::source::codes::amber as codes;

/// Most tokens on an arrow in one step.
const MOST_TOKENS: i64 = 64;
/// Most choices in one step.
const MOST_CHOICES: usize = 24;

/// The tokens of one step.
struct Flow {
    /// Per arrow: how many pass.
    passed: Vec<Tokens>,
    /// Per arrow: the way from the party to it, for people.
    way: Vec<String>,
}

impl Lower<'_> {
    pub(super) fn make_flow(&mut self, event: &Event, step: &mut Step) -> Result<(), Diagnostic> {
        let arrows = self.model.arrows.len();
        let mut flow = Flow { passed: vec![Tokens::NONE; arrows], way: vec![String::new(); arrows] };
        for &p in &event.parties {
            let model = self.model;
            for a in model.outgoing(p) {
                flow.passed[a] = Tokens::one_if(self.holds(a));
                flow.way[a] = model.nodes[p].name.clone();
            }
        }
        for n in self.order() {
            self.node(n, &mut flow, step)?;
        }
        for n in (0..self.model.nodes.len()).filter(|&n| self.model.nodes[n].kind.happens()) {
            self.arrival(n, event, &flow, step);
        }
        Ok(())
    }

    /// Functional nodes, predecessors first.
    fn order(&self) -> Vec<NodeIx> {
        let model = self.model;
        let functional = |n: NodeIx| !model.nodes[n].kind.happens();
        let mut waits: Vec<usize> = (0..model.nodes.len())
            .map(|n| model.incoming(n).filter(|&a| functional(model.arrows[a].from)).count())
            .collect();
        let mut open: Vec<NodeIx> = (0..model.nodes.len()).rev().filter(|&n| functional(n) && waits[n] == 0).collect();
        let mut order = Vec::new();
        while let Some(n) = open.pop() {
            order.push(n);
            for a in model.outgoing(n) {
                let to = model.arrows[a].to;
                waits[to] = waits[to].saturating_sub(1);
                if waits[to] == 0 && functional(to) {
                    open.push(to);
                }
            }
        }
        order
    }

    /// Does the condition of an arrow hold on the data of the step?
    fn holds(&mut self, arrow: ArrowIx) -> ExprId {
        let model = self.model;
        match &model.arrows[arrow].condition {
            None => TRUE,
            Some(Condition::Holds(e, _)) => self.expr(e),
            Some(Condition::Else(_)) => {
                let siblings: Vec<ArrowIx> = model.outgoing(model.arrows[arrow].from).filter(|&a| a != arrow).collect();
                let others: Vec<ExprId> = siblings.into_iter().map(|a| self.holds(a)).collect();
                let other = self.m.exprs.or(others);
                self.m.exprs.not(other)
            }
        }
    }

    fn node(&mut self, n: NodeIx, flow: &mut Flow, step: &mut Step) -> Result<(), Diagnostic> {
        let model = self.model;
        let node = &model.nodes[n];
        let incoming: Vec<ArrowIx> = model.incoming(n).collect();
        let tokens: Vec<Tokens> = incoming.iter().map(|&a| flow.passed[a]).collect();
        let mut k = self.sum(&tokens);
        if k.most == 0 {
            return Ok(());
        }
        let too_many = |count: String| {
            let d = Diagnostic::new(&codes::TOO_MANY, node.span, format!("{count} at '{}'", node.path));
            Err(d.help("put an action between the splits and joins before it"))
        };
        if k.most > MOST_TOKENS {
            return too_many(format!("up to {} tokens in one step", k.most));
        }
        let executed = self.map.executed[n];
        if !node.repeated {
            // What has happened once ignores its tokens, and more than one count as one.
            let before = self.m.exprs.prev(executed);
            let first = self.m.exprs.not(before);
            let some = self.some(k);
            k = Tokens::one_if(self.m.exprs.and([some, first]));
        }
        k = self.shared_tokens(k, &node.path, step);
        let came = incoming.iter().copied().find(|&a| flow.passed[a].most > 0);
        let way = came.map_or(String::new(), |a| format!("{} → {}", flow.way[a], node.name));
        let fired = match node.kind {
            NodeKind::AndJoin if node.repeated => self.repeated_join(n, &incoming, flow, step),
            NodeKind::AndJoin => self.join(n, k, &incoming, flow, step),
            NodeKind::OrSplit => self.split(n, k, flow, step),
            _ => k,
        };
        let some = self.some(fired);
        self.set_if(&mut step.finish, some, executed, TRUE);
        for a in model.outgoing(n) {
            flow.way[a] = way.clone();
            if node.kind != NodeKind::OrSplit {
                let holds = self.holds(a);
                flow.passed[a] = self.only_if(holds, fired);
            }
        }
        if step.inputs.len() > MOST_CHOICES {
            return too_many("too many choices in one step".into());
        }
        Ok(())
    }

    fn shared_tokens(&mut self, t: Tokens, name: &str, step: &mut Step) -> Tokens {
        let domain = if t.most <= 1 { Domain::Bool } else { Domain::Int { lo: 0, hi: t.most } };
        let count = self.shared(t.count, &format!("tokens({name})"), domain, &mut step.effect);
        Tokens { most: t.most, count }
    }

    /// A join that fires once: marks are Booleans and gone when it has fired.
    fn join(&mut self, n: NodeIx, k: Tokens, incoming: &[ArrowIx], flow: &Flow, step: &mut Step) -> Tokens {
        let (mut all, mut marks) = (vec![k.count], Vec::new());
        for &a in incoming {
            let Some(mark) = self.map.marks[a] else { continue };
            let some = self.some(flow.passed[a]);
            let gets = self.m.exprs.and([k.count, some]);
            let before = self.m.exprs.prev(mark);
            all.push(self.m.exprs.or([before, gets]));
            marks.push(mark);
            let node = &self.model.nodes[n];
            step.rule(format!("{} → {}", flow.way[a], node.name), self.model.arrows[a].span, a, gets, mark, TRUE);
        }
        let fires = self.m.exprs.and(all);
        let fires = self.shared_tokens(Tokens::one_if(fires), &self.model.nodes[n].path, step);
        for mark in marks {
            self.set_if(&mut step.finish, fires.count, mark, FALSE);
        }
        fires
    }

    /// A join that fires as often as all its arrows are marked.
    fn repeated_join(&mut self, n: NodeIx, incoming: &[ArrowIx], flow: &Flow, step: &mut Step) -> Tokens {
        let (model, room) = (self.model, self.model.room());
        let mut marks: Vec<(ArrowIx, VarId, ExprId)> = Vec::new();
        let mut most = i64::MAX;
        for &a in incoming {
            let Some(mark) = self.map.marks[a] else { continue };
            let before = self.m.exprs.prev(mark);
            let (before, new) = (self.as_number(mark, before), self.number(flow.passed[a]));
            marks.push((a, mark, self.m.exprs.arith(ArithOp::Add, before, new)));
            most = most.min(room + flow.passed[a].most);
        }
        let mut least: Option<ExprId> = None;
        for &(_, _, count) in &marks {
            least = Some(match least {
                None => count,
                Some(other) => {
                    let domain = Domain::Int { lo: 0, hi: room + MOST_TOKENS };
                    let other = self.shared(other, "least", domain, &mut step.effect);
                    let smaller = self.m.exprs.compare(CompareOp::Lt, count, other);
                    self.m.exprs.ite(smaller, count, other)
                }
            });
        }
        let Some(least) = least else { return Tokens::NONE };
        let domain = Domain::Int { lo: 0, hi: room + MOST_TOKENS };
        let count = self.shared(least, &format!("tokens({})", model.nodes[n].path), domain, &mut step.effect);
        // Tokens with a most of 1 are Booleans.
        let fired = match most {
            1 => {
                let one = self.m.exprs.int(1);
                Tokens::one_if(self.m.exprs.compare(CompareOp::Ge, count, one))
            }
            _ => Tokens { most, count },
        };
        let some = self.some(fired);
        for (a, mark, marked) in marks {
            let comes = self.some(flow.passed[a]);
            let changes = self.m.exprs.or([comes, some]);
            let left = self.m.exprs.arith(ArithOp::Sub, marked, count);
            let way = if flow.passed[a].most > 0 {
                format!("{} → {}", flow.way[a], model.nodes[n].name)
            } else {
                format!("{} fires", model.nodes[n].name)
            };
            self.fill_room(way, a, changes, mark, left, step);
        }
        fired
    }

    /// `var := number` where there is room for so many; what is too much is lost.
    fn fill_room(&mut self, way: String, a: ArrowIx, when: ExprId, var: VarId, number: ExprId, step: &mut Step) {
        let span = self.model.arrows[a].span;
        let room = self.m.exprs.int(self.model.room());
        let beyond = self.m.exprs.compare(CompareOp::Gt, number, room);
        let lost = self.m.exprs.and([when, beyond]);
        let key = self.model.arrows.len() + a;
        step.rule(format!("{way}: no room"), span, key, lost, self.lost(), TRUE);
        let value = match self.domain(var) {
            Domain::Bool => {
                let one = self.m.exprs.int(1);
                self.m.exprs.compare(CompareOp::Ge, number, one)
            }
            _ => number,
        };
        step.rule(way, span, a, when, var, value);
    }

    /// The flag of an occurrence that finds no room.
    fn lost(&self) -> VarId {
        self.map.crowded.unwrap_or(self.m.overflow)
    }

    /// A split that goes one way per token.
    fn split(&mut self, n: NodeIx, k: Tokens, flow: &mut Flow, step: &mut Step) -> Tokens {
        let model = self.model;
        let arrows: Vec<ArrowIx> = model.outgoing(n).collect();
        let mut live = k;
        if let Some(blocked) = self.map.blocked[n] {
            let before = self.m.exprs.prev(blocked);
            let free = self.m.exprs.not(before);
            live = self.only_if(free, k);
        }
        let ways: Vec<(ArrowIx, ExprId)> = arrows.iter().map(|&a| (a, self.holds(a))).collect();
        let open = self.m.exprs.or(ways.iter().map(|(_, h)| *h).collect::<Vec<_>>());
        if let Some(blocked) = self.map.blocked[n] {
            let some = self.some(live);
            let closed = self.m.exprs.not(open);
            let blocks = self.m.exprs.and([some, closed]);
            self.set_if(&mut step.finish, blocks, blocked, TRUE);
        }
        let live = self.only_if(open, live);
        if let [(only, _)] = ways.as_slice() {
            flow.passed[*only] = live;
            return live;
        }
        let names: Vec<String> = self.way_names(&arrows);
        let domain = Domain::Enum { values: names, bottom: false };
        let mut chosen: Vec<Vec<Tokens>> = vec![Vec::new(); ways.len()];
        for token in 1..=live.most {
            let there = self.at_least(live, token);
            let codes: Vec<i64> = (0..ways.len() as i64).collect();
            let input = step.input(model.nodes[n].path.clone(), domain.clone(), codes);
            let input = self.m.exprs.input(input);
            let mut fits = Vec::new();
            for (code, (_, holds)) in ways.iter().enumerate() {
                let is = self.is_code(input, &domain, code as i64);
                fits.push(self.m.exprs.and([is, *holds]));
                chosen[code].push(Tokens::one_if(self.m.exprs.and([there, is])));
            }
            let fits = self.m.exprs.or(fits);
            let unused = self.is_code(input, &domain, 0);
            let pin = self.m.exprs.ite(there, fits, unused);
            step.pins.push(pin);
        }
        for ((a, _), tokens) in ways.iter().zip(chosen) {
            flow.passed[*a] = self.sum(&tokens);
        }
        live
    }

    /// What the arrows of a split lead to, each with a name of its own.
    fn way_names(&self, arrows: &[ArrowIx]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for &a in arrows {
            let target = self.model.nodes[self.model.arrows[a].to].name.clone();
            let mut name = target.clone();
            let mut number = 2;
            while names.contains(&name) {
                name = format!("{target} {number}");
                number += 1;
            }
            names.push(name);
        }
        names
    }

    /// Tokens reach an action or interaction.
    fn arrival(&mut self, n: NodeIx, event: &Event, flow: &Flow, step: &mut Step) {
        let model = self.model;
        let node = &model.nodes[n];
        let Some(triggered) = self.map.triggered[n] else { return };
        if self.disabled_by(event).contains(&n) || !node.repeated && event.parties.contains(&n) {
            return;
        }
        let mut free = Vec::new();
        if let Some(disabled) = self.map.disabled[n] {
            let before = self.m.exprs.prev(disabled);
            free.push(self.m.exprs.not(before));
        }
        if !node.repeated {
            let before = self.m.exprs.prev(self.map.executed[n]);
            free.push(self.m.exprs.not(before));
        }
        let free = self.m.exprs.and(free);
        for a in model.incoming(n).filter(|&a| flow.passed[a].most > 0) {
            let some = self.some(flow.passed[a]);
            let when = self.m.exprs.and([some, free]);
            let way = format!("{} → {}", flow.way[a], node.name);
            if !node.repeated {
                step.rule(way, model.arrows[a].span, a, when, triggered, TRUE);
                continue;
            }
            let now = self.m.exprs.cur(triggered);
            let (now, more) = (self.as_number(triggered, now), self.number(flow.passed[a]));
            let total = self.m.exprs.arith(ArithOp::Add, now, more);
            self.fill_room(way, a, when, triggered, total, step);
        }
    }
}
