//! AMBER executed word for word: tokens pushed node by node, every choice tried. It shares the reader with gsmc and nothing else.

use crate::lang::amber::{
    ArrowIx, Condition, Control, Expr, Model, NodeIx, NodeKind, Place, Right, Statement, Step, Type,
};
use crate::machine::ArithOp;
use std::collections::{BTreeMap, VecDeque};

/// Everything that can change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// Occurrences that wait, per node.
    pub triggered: Vec<i64>,
    /// Per node.
    pub executed: Vec<bool>,
    /// Per node.
    pub disabled: Vec<bool>,
    /// Per arrow (into AndJoins).
    pub marks: Vec<i64>,
    /// Per node (OrSplits).
    pub blocked: Vec<bool>,
    /// Per cell.
    pub data: Vec<i64>,
    /// The last event.
    pub last: Option<usize>,
    /// Something was cut or lost.
    pub overflow: bool,
    /// An occurrence was lost, and no bound is named.
    pub crowded: bool,
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happened {
    /// An event of the model.
    Event(usize),
    /// An actor (none: the nameless one) refrained.
    Refrained(Option<usize>),
    /// Nothing was possible.
    Nothing,
}

/// The choices of one step: those made before are made again, the rest are the first ones.
struct Chooser {
    script: Vec<usize>,
    made: Vec<(usize, usize)>,
}

impl Chooser {
    fn choose(&mut self, of: usize) -> usize {
        let choice = self.script.get(self.made.len()).copied().unwrap_or(0);
        self.made.push((choice, of));
        choice
    }

    /// The script of the next combination.
    fn next(mut self) -> Option<Vec<usize>> {
        while let Some((choice, of)) = self.made.pop() {
            if choice + 1 < of {
                let mut script: Vec<usize> = self.made.iter().map(|(c, _)| *c).collect();
                script.push(choice + 1);
                return Some(script);
            }
        }
        None
    }
}

/// A model that is executed.
pub struct Literal<'m> {
    model: &'m Model,
    /// Functional nodes, predecessors first.
    order: Vec<NodeIx>,
    /// Keep the last event in the state?
    keep_last: bool,
}

/// All reachable states with their steps, the initial one first.
pub struct Graph {
    /// States in the order in which they were found.
    pub states: Vec<State>,
    /// Per state: what can happen and where it leads; sorted, each once.
    pub steps: Vec<Vec<(Happened, usize)>>,
}

impl<'m> Literal<'m> {
    /// Ready to run.
    pub fn new(model: &'m Model, keep_last: bool) -> Literal<'m> {
        let functional = |n: NodeIx| !model.nodes[n].kind.happens();
        let mut order: Vec<NodeIx> = Vec::new();
        while let Some(next) = (0..model.nodes.len()).find(|&n| {
            let ready = |a: ArrowIx| !functional(model.arrows[a].from) || order.contains(&model.arrows[a].from);
            functional(n) && !order.contains(&n) && model.incoming(n).all(ready)
        }) {
            order.push(next);
        }
        Literal { model, order, keep_last }
    }

    /// The initial state.
    pub fn initial(&self) -> State {
        let m = self.model;
        let triggered =
            (0..m.nodes.len()).map(|n| i64::from(m.nodes[n].kind.happens() && m.starts_triggered(n))).collect();
        State {
            triggered,
            executed: vec![false; m.nodes.len()],
            disabled: vec![false; m.nodes.len()],
            marks: vec![0; m.arrows.len()],
            blocked: vec![false; m.nodes.len()],
            data: m.cells.iter().map(|c| c.init).collect(),
            last: None,
            overflow: false,
            crowded: false,
        }
    }

    /// Is an event possible?
    pub fn possible(&self, s: &State, event: usize) -> bool {
        self.model.events[event].parties.iter().all(|&p| s.triggered[p] >= 1)
    }

    /// Everything that can happen in a state.
    pub fn steps(&self, s: &State) -> Vec<(Happened, State)> {
        let mut out = Vec::new();
        let possible: Vec<usize> = (0..self.model.events.len()).filter(|&e| self.possible(s, e)).collect();
        for &event in &possible {
            let mut script = Some(Vec::new());
            while let Some(now) = script {
                let mut chooser = Chooser { script: now, made: Vec::new() };
                let next = self.event(s, event, &mut chooser);
                out.push((Happened::Event(event), next));
                script = chooser.next();
            }
        }
        if possible.is_empty() {
            out.push((Happened::Nothing, s.clone()));
        } else if possible.iter().all(|&e| self.model.is_optional(&self.model.events[e])) {
            for &event in &possible {
                for &party in self.model.events[event].parties.iter().filter(|&&p| self.model.nodes[p].optional) {
                    out.push((Happened::Refrained(self.model.actor_of(party)), s.clone()));
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }

    /// Searches up to a number of states; `None` when there are more.
    pub fn graph(&self, most: usize) -> Option<Graph> {
        let mut index = BTreeMap::new();
        let mut graph = Graph { states: Vec::new(), steps: Vec::new() };
        let mut open = VecDeque::new();
        let first = self.initial();
        index.insert(first.clone(), 0);
        graph.states.push(first.clone());
        open.push_back(first);
        while let Some(s) = open.pop_front() {
            let mut steps = Vec::new();
            for (what, next) in self.steps(&s) {
                let new = graph.states.len();
                let to = *index.entry(next.clone()).or_insert(new);
                if to == new {
                    graph.states.push(next.clone());
                    open.push_back(next);
                }
                steps.push((what, to));
            }
            steps.sort();
            steps.dedup();
            graph.steps.push(steps);
            if graph.states.len() > most {
                return None;
            }
        }
        Some(graph)
    }

    fn event(&self, before: &State, event: usize, choose: &mut Chooser) -> State {
        let m = self.model;
        let mut s = before.clone();
        let parties = &m.events[event].parties;
        for &p in parties {
            self.run(&m.nodes[p].fragment, &mut s, choose);
        }
        for &p in parties {
            s.triggered[p] -= 1;
            s.executed[p] = true;
        }
        if self.keep_last {
            s.last = Some(event);
        }
        for d in m.disables.iter().filter(|d| parties.contains(&d.from)) {
            s.triggered[d.to] = 0;
            s.disabled[d.to] = true;
        }
        let mut passed = vec![0i64; m.arrows.len()];
        for &p in parties {
            for a in m.outgoing(p) {
                passed[a] = i64::from(self.holds(a, &s));
            }
        }
        for &n in &self.order {
            self.push(n, before, &mut s, &mut passed, choose);
        }
        for n in (0..m.nodes.len()).filter(|&n| m.nodes[n].kind.happens()) {
            let k: i64 = m.incoming(n).map(|a| passed[a]).sum();
            self.arrive(n, k, &mut s);
        }
        s
    }

    fn lost(&self, s: &mut State) {
        match self.model.bound {
            Some(_) => s.overflow = true,
            None => s.crowded = true,
        }
    }

    fn arrive(&self, n: NodeIx, k: i64, s: &mut State) {
        if k == 0 || s.disabled[n] {
            return;
        }
        if !self.model.nodes[n].repeated {
            if !s.executed[n] {
                s.triggered[n] = 1;
            }
            return;
        }
        s.triggered[n] += k;
        if s.triggered[n] > self.model.room() {
            s.triggered[n] = self.model.room();
            self.lost(s);
        }
    }

    /// The tokens that reached a functional node go on.
    fn push(&self, n: NodeIx, before: &State, s: &mut State, passed: &mut [i64], choose: &mut Chooser) {
        let m = self.model;
        let incoming: Vec<ArrowIx> = m.incoming(n).collect();
        let mut k: i64 = incoming.iter().map(|&a| passed[a]).sum();
        let once = !m.nodes[n].repeated;
        if k == 0 || once && before.executed[n] {
            return;
        }
        if once {
            k = 1;
        }
        match m.nodes[n].kind {
            NodeKind::AndJoin => {
                for &a in &incoming {
                    s.marks[a] += passed[a];
                    if once {
                        s.marks[a] = s.marks[a].min(1);
                    }
                }
                k = incoming.iter().map(|&a| s.marks[a]).min().unwrap_or(0);
                for &a in &incoming {
                    s.marks[a] -= k;
                    if once && k > 0 {
                        s.marks[a] = 0;
                    }
                    if s.marks[a] > m.room() {
                        s.marks[a] = m.room();
                        self.lost(s);
                    }
                }
                if k == 0 {
                    return;
                }
            }
            NodeKind::OrSplit => {
                if before.blocked[n] {
                    return;
                }
                let open: Vec<ArrowIx> = m.outgoing(n).filter(|&a| self.holds(a, s)).collect();
                if open.is_empty() {
                    s.blocked[n] = true;
                    return;
                }
                s.executed[n] = true;
                for _ in 0..k {
                    passed[open[choose.choose(open.len())]] += 1;
                }
                return;
            }
            _ => {}
        }
        s.executed[n] = true;
        for a in m.outgoing(n) {
            if self.holds(a, s) {
                passed[a] = k;
            }
        }
    }

    fn holds(&self, arrow: ArrowIx, s: &State) -> bool {
        match &self.model.arrows[arrow].condition {
            None => true,
            Some(Condition::Holds(e, _)) => self.value(e, s) != 0,
            Some(Condition::Else(_)) => {
                let siblings = self.model.outgoing(self.model.arrows[arrow].from).filter(|&a| a != arrow);
                !siblings.into_iter().any(|a| self.holds(a, s))
            }
        }
    }

    fn run(&self, statements: &[Statement], s: &mut State, choose: &mut Chooser) {
        for statement in statements {
            match statement {
                Statement::If(c, then, other) => {
                    let way = if self.value(c, s) != 0 { then } else { other };
                    self.run(way, s, choose);
                }
                Statement::Assign(list) => {
                    let mut writes = Vec::new();
                    for (place, right) in list {
                        let (at, outside) = self.cell(place, s);
                        let (value, cut) = match right {
                            Right::Any(values) => (values[choose.choose(values.len())], false),
                            Right::Value(e) => (self.value(e, s), self.goes_wrong(e, s)),
                        };
                        writes.push((at, value, outside || cut));
                    }
                    for (at, value, wrong) in writes {
                        let (lo, hi) = self.model.cells[at].ty.bounds();
                        s.overflow |= wrong || value < lo || value > hi;
                        s.data[at] = value.clamp(lo, hi);
                    }
                }
            }
        }
    }

    /// The cell of a place, and whether an index had to be cut or computed wrongly.
    fn cell(&self, place: &Place, s: &State) -> (usize, bool) {
        let var = &self.model.vars[place.var];
        let (mut at, mut ty, mut cut) = (var.first, &var.ty, false);
        for step in &place.steps {
            match (step, ty) {
                (Step::Field(i), Type::Record(fields)) => {
                    at += fields[..*i].iter().map(|(_, t)| t.cells()).sum::<usize>();
                    ty = &fields[*i].1;
                }
                (Step::Index(e), Type::Array(of, n)) => {
                    let wanted = self.value(e, s);
                    let nearest = wanted.clamp(0, *n as i64 - 1);
                    cut |= wanted != nearest || self.goes_wrong(e, s);
                    at += nearest as usize * of.cells();
                    ty = of;
                }
                _ => {}
            }
        }
        (at, cut)
    }

    /// Does computing it divide by zero or pick an element that is not there?
    fn goes_wrong(&self, e: &Expr, s: &State) -> bool {
        match e {
            Expr::Read(place) => self.cell(place, s).1,
            Expr::Arith(ArithOp::Div, _, by) if self.value(by, s) == 0 => true,
            _ => e.parts().into_iter().any(|p| self.goes_wrong(p, s)),
        }
    }

    /// The value of an expression in a state, Booleans as 0 and 1.
    pub fn value(&self, e: &Expr, s: &State) -> i64 {
        match e {
            Expr::Bool(b) => i64::from(*b),
            Expr::Int(n) => *n,
            Expr::Read(place) => s.data[self.cell(place, s).0],
            Expr::Not(a) => 1 - self.value(a, s),
            Expr::And(xs) => i64::from(xs.iter().all(|x| self.value(x, s) != 0)),
            Expr::Or(xs) => i64::from(xs.iter().any(|x| self.value(x, s) != 0)),
            Expr::Iff(a, b) => i64::from(self.value(a, s) == self.value(b, s)),
            Expr::Compare(op, a, b) => i64::from(op.holds(self.value(a, s), self.value(b, s))),
            Expr::Arith(op, a, b) => op.apply(self.value(a, s), self.value(b, s)),
            Expr::Control(c) => self.control(*c, s),
        }
    }

    fn control(&self, c: Control, s: &State) -> i64 {
        let m = self.model;
        let of = |n: NodeIx| (0..m.events.len()).filter(move |&e| m.events[e].parties.contains(&n));
        let with = |r: usize| (0..m.events.len()).filter(move |&e| m.events[e].relation == Some(r));
        i64::from(match c {
            Control::Executed(n) => s.executed[n],
            Control::Triggered(n) => s.triggered[n] > 0,
            Control::Disabled(n) => s.disabled[n],
            Control::Enabled(n) => of(n).any(|e| self.possible(s, e)),
            Control::EnabledRelation(r) => with(r).any(|e| self.possible(s, e)),
            Control::Just(n) => of(n).any(|e| s.last == Some(e)),
            Control::JustRelation(r) => with(r).any(|e| s.last == Some(e)),
            Control::Blocked(n) => s.blocked[n],
            Control::InCounter(n) => return m.incoming(n).filter(|&a| s.marks[a] > 0).count() as i64,
            Control::Ended => self.ended(s),
            Control::Stuck => self.ended(s) && self.waits(s),
            Control::Finished => self.ended(s) && !self.waits(s),
            Control::Overflow => s.overflow,
        })
    }

    fn ended(&self, s: &State) -> bool {
        !(0..self.model.events.len()).any(|e| self.possible(s, e))
    }

    /// Is something left undone?
    fn waits(&self, s: &State) -> bool {
        let m = self.model;
        let half = |n: NodeIx| {
            let marked = m.incoming(n).filter(|&a| s.marks[a] > 0).count();
            m.nodes[n].kind == NodeKind::AndJoin && marked > 0 && marked < m.incoming(n).count()
        };
        let left = |n: NodeIx| s.triggered[n] > 0 && !m.nodes[n].optional || s.blocked[n] || half(n);
        (0..m.nodes.len()).any(left) || !s.executed.contains(&true)
    }
}
