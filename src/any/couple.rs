//! How the instances of a type touch each other, read off the machine with at least two slots of it.

use crate::logic::cutoff::Memory;
use crate::machine::{Action, Assign, Body, ExprId, Machine, Node, Rule, TRUE, VarId};
use crate::source::Span;
use std::collections::BTreeSet;

/// Why instances are not independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// In words.
    pub text: String,
    /// Where, if that is known.
    pub span: Option<Span>,
    /// Instances meet only in what agents remember, or wait for each other's steps: steps themselves keep to one instance.
    pub at_a_distance: bool,
}

/// What the machine says about one type.
#[derive(Clone, Debug, Default)]
pub struct Coupling {
    /// What couples instances, whatever can be reached.
    pub obstacles: Vec<Obstacle>,
    /// Rules of other slots than the one a step happens to, as (body, rule): if one can fire, instances wait for each other's steps.
    pub foreign: Vec<(usize, usize)>,
    /// Some of these rules look at more than their own slot, or make events happen.
    pub tangled: bool,
    /// Finishing assignments to other slots' variables, as (body, position): if one changes something, the same.
    pub finishing: Vec<(usize, usize)>,
    /// Per private variable, in the order of agents: how it is written.
    pub memory: Vec<Memory>,
    /// The private variables' names.
    pub memory_names: Vec<String>,
    /// Overflow can be set by what reads memory.
    pub counting_overflow: bool,
    /// Per agent: the private variables that it sees.
    pub remembers: Vec<Vec<usize>>,
    /// Per agent: what it sees of an instance depends on that instance alone.
    pub sees_apart: Vec<bool>,
    /// While there is room, somebody may create an instance.
    pub always_created: bool,
}

/// Looks at the slots of a family.
pub fn couple(m: &Machine, family: usize) -> Coupling {
    let look = Look { m, family, private: m.agents.iter().flat_map(|a| a.private.iter().copied()).collect() };
    let mut found =
        Coupling { memory_names: look.private.iter().map(|v| m.var(*v).name.clone()).collect(), ..Coupling::default() };
    for (b, body) in m.bodies.iter().enumerate() {
        look.body(b, body, &mut found);
    }
    let written = look.written();
    for action in &m.actions {
        look.action(action, &written, &mut found);
    }
    found.memory = look.memory();
    found.counting_overflow =
        look.updates_of(m.overflow).any(|(_, e)| look.reads(e).iter().any(|v| written.contains(v)));
    look.views(&written, &mut found);
    found.always_created = m.actions.iter().any(|a| look.creates_freely(a));
    found.obstacles.dedup();
    found
}

struct Look<'m> {
    m: &'m Machine,
    family: usize,
    private: Vec<VarId>,
}

impl Look<'_> {
    fn reads(&self, e: ExprId) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        self.m.exprs.leaves(e, &mut |leaf| {
            if let Node::Prev(v) | Node::Cur(v) = leaf {
                found.insert(*v);
            }
        });
        found
    }

    /// Is it a variable of an instance of the type?
    fn is_ours(&self, v: VarId) -> bool {
        self.m.slot_of(v).is_some_and(|s| s.family == self.family)
    }

    /// Does a step happen to an instance of the type, or fail to make one?
    fn happens_to_us(&self, body: &Body) -> bool {
        body.target.and_then(|t| self.m.slots.get(t.0)).is_some_and(|s| s.family == self.family)
    }

    fn is_apart(&self, v: VarId, body: &Body) -> bool {
        if self.m.var(v).scratch || v == self.m.overflow {
            return true;
        }
        match body.target {
            Some(t) if self.happens_to_us(body) => self.m.var(v).slot == Some(t),
            _ => !self.is_ours(v),
        }
    }

    /// Reads and writes of a body, without rules of other slots, which are told apart.
    fn body(&self, b: usize, body: &Body, found: &mut Coupling) {
        let mut obstacles = Vec::new();
        let mut say = |what: &str, v: VarId, span: Option<Span>| {
            let (event, name) = (&body.event, &self.m.var(v).name);
            let at = self.m.target_name(body).map_or(String::new(), |t| format!(" at {t}"));
            obstacles.push(Obstacle { text: format!("{event}{at} {what} {name}"), span, at_a_distance: false });
        };
        let allowed = |v: &VarId| self.is_apart(*v, body) || self.looks_for_room(*v, body);
        if self.waits_for_others(body) {
            found.tangled = true;
        } else {
            self.reads(body.applicable).into_iter().filter(|v| !allowed(v)).for_each(|v| say("looks at", v, None));
        }
        for (f, a) in body.finish.iter().enumerate() {
            if self.keeps_to_itself(a, body) {
                found.finishing.push((b, f));
            }
        }
        let others = body.finish.iter().filter(|a| !self.keeps_to_itself(a, body));
        for a in body.effect.iter().chain(others) {
            if !self.is_apart(a.var, body) {
                say("changes", a.var, None);
            }
            self.reads(a.value).into_iter().filter(|v| !self.is_apart(*v, body)).for_each(|v| say("looks at", v, None));
        }
        for (r, rule) in body.rules.iter().enumerate() {
            let span = Some(rule.origin.span);
            if self.is_foreign(rule, body) {
                found.foreign.push((b, r));
                let reads = [rule.prerequisite, rule.antecedent, rule.value].into_iter().flat_map(|e| self.reads(e));
                let own = |v: &VarId| self.m.var(*v).scratch || self.m.var(*v).slot == rule.origin.slot;
                found.tangled |= !reads.chain([rule.target]).all(|v| own(&v));
                continue;
            }
            if !self.is_apart(rule.target, body) {
                say("changes", rule.target, span);
            }
            for e in [rule.prerequisite, rule.antecedent, rule.value] {
                self.reads(e).into_iter().filter(|v| !self.is_apart(*v, body)).for_each(|v| say("looks at", v, span));
            }
        }
        found.obstacles.extend(obstacles);
    }

    /// Does the event happen also when a rule of another instance is ready? If one ever is, data is sent that could not be sent alone.
    fn waits_for_others(&self, body: &Body) -> bool {
        let asked = self.reads(body.applicable);
        body.rules.iter().filter(|rule| self.is_foreign(rule, body)).any(|rule| {
            let reads = [rule.prerequisite, rule.antecedent].into_iter().flat_map(|e| self.reads(e));
            reads.into_iter().any(|v| asked.contains(&v) && !self.is_apart(v, body))
        })
    }

    /// The lowest free slot is taken, so creating looks at which are free.
    fn looks_for_room(&self, v: VarId, body: &Body) -> bool {
        let creates = body.effect.iter().any(|a| self.m.is_existence(a.var) && self.m.var(a.var).slot == body.target);
        creates && self.m.is_existence(v) && self.is_ours(v) && self.happens_to_us(body)
    }

    /// Is it an action that creates an instance of the type, whatever has happened?
    fn creates_freely(&self, action: &Action) -> bool {
        let body = self.m.body(action);
        let mut free = action.allowed == TRUE;
        self.m.exprs.leaves(body.applicable, &mut |leaf| {
            free &= matches!(leaf, Node::Prev(v) | Node::Cur(v) if self.looks_for_room(*v, body));
        });
        free && self.happens_to_us(body) && body.effect.iter().any(|a| self.m.is_existence(a.var))
    }

    /// A finishing assignment to another slot, about that slot alone.
    fn keeps_to_itself(&self, a: &Assign, body: &Body) -> bool {
        let slot = self.m.var(a.var).slot;
        let foreign = slot.is_some() && slot != body.target && (self.is_ours(a.var) || self.happens_to_us(body));
        foreign && self.reads(a.value).into_iter().all(|v| self.m.var(v).slot == slot)
    }

    /// A rule of an instance in a step of something else, or the other way round.
    fn is_foreign(&self, rule: &Rule, body: &Body) -> bool {
        let ours = rule.origin.slot.and_then(|s| self.m.slots.get(s.0)).is_some_and(|s| s.family == self.family);
        rule.origin.slot.is_some() && rule.origin.slot != body.target && (ours || self.happens_to_us(body))
    }

    /// Private variables that somebody writes.
    fn written(&self) -> BTreeSet<VarId> {
        self.m.actions.iter().flat_map(|a| &a.updates).map(|u| u.var).filter(|v| self.private.contains(v)).collect()
    }

    /// Who may act must not depend on what others did.
    fn action(&self, action: &Action, written: &BTreeSet<VarId>, found: &mut Coupling) {
        let body = self.m.body(action);
        let ours = self.happens_to_us(body);
        for v in action.updates.iter().flat_map(|u| self.reads(u.value)) {
            if !self.is_apart(v, body) && !self.private.contains(&v) && (ours || self.is_ours(v)) {
                let text = format!("what is remembered of {} depends on {}", body.event, self.m.var(v).name);
                found.obstacles.push(Obstacle { text, span: None, at_a_distance: false });
            }
        }
        for v in self.reads(action.allowed) {
            let coupled = !self.is_apart(v, body) && !self.looks_for_room(v, body) && (ours || self.is_ours(v));
            let coupled = coupled && !self.private.contains(&v);
            if coupled || (ours && written.contains(&v)) || (!ours && self.is_recorded(v)) {
                let who = self.m.agents.get(action.agent.0).and_then(|a| a.name.as_deref()).unwrap_or("somebody");
                let text = format!("whether {who} may send {} depends on {}", body.event, self.m.var(v).name);
                found.obstacles.push(Obstacle { text, span: None, at_a_distance: self.private.contains(&v) });
            }
        }
    }

    fn updates_of(&self, var: VarId) -> impl Iterator<Item = (&Action, ExprId)> {
        let of = move |a| move |u: &Assign| (u.var == var).then_some((a, u.value));
        self.m.actions.iter().flat_map(move |a| a.updates.iter().filter_map(of(a)))
    }

    /// Do steps of the type's instances write it?
    fn is_recorded(&self, v: VarId) -> bool {
        self.updates_of(v).any(|(a, _)| self.happens_to_us(self.m.body(a)))
    }

    fn memory(&self) -> Vec<Memory> {
        let written = self.written();
        let class = |v: VarId| {
            let reads_memory = self.updates_of(v).any(|(_, e)| self.reads(e).iter().any(|r| written.contains(r)));
            let mut values = self.updates_of(v).map(|(_, e)| e);
            let first = values.next();
            match () {
                _ if first.is_none() => Memory::Apart,
                _ if !self.is_recorded(v) && !self.reads_recorded(v) => Memory::Apart,
                _ if reads_memory => Memory::Counting,
                _ if first.is_some_and(|e| self.is_constant(e)) && values.all(|e| Some(e) == first) => Memory::Latch,
                _ => Memory::Blind,
            }
        };
        self.private.iter().map(|v| class(*v)).collect()
    }

    fn is_constant(&self, e: ExprId) -> bool {
        matches!(self.m.exprs.node(e), Node::Bool(_) | Node::Int(_))
    }

    /// Does what is written to a variable depend, over however many others, on what instances write?
    fn reads_recorded(&self, v: VarId) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([v]), vec![v]);
        while let Some(v) = open.pop() {
            if self.is_recorded(v) {
                return true;
            }
            let read: Vec<VarId> = self.updates_of(v).flat_map(|(_, e)| self.reads(e)).collect();
            open.extend(read.into_iter().filter(|r| seen.insert(*r)));
        }
        false
    }

    fn views(&self, written: &BTreeSet<VarId>, found: &mut Coupling) {
        for agent in &self.m.agents {
            let number = |v: &VarId| self.private.iter().position(|p| p == v);
            let sees: Vec<usize> = match agent.sees_all {
                true => (0..self.private.len()).collect(),
                false => agent.private.iter().filter_map(number).collect(),
            };
            found.remembers.push(sees);
            let flag = agent.sees_all && self.updates_of(self.m.overflow).next().is_some();
            let apart = !flag
                && agent.views.iter().all(|view| {
                    let of = view.seen.iter().find_map(|v| self.m.var(*v).slot);
                    let all = self.reads(view.visible);
                    let mut slots = all.iter().chain(&view.seen).map(|v| self.m.var(*v).slot);
                    slots.all(|s| s.is_some() && (s == of || of.is_none()))
                        && all.iter().all(|v| !written.contains(v))
                        && all.iter().filter_map(|v| self.m.var(*v).slot).collect::<BTreeSet<_>>().len() <= 1
                });
            found.sees_apart.push(apart);
        }
    }
}
