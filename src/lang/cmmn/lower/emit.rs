//! A body under construction: guarded assignments one after another, and what can be known about them.
//!
//! Two things keep bodies small. Every variable has the set of values it *may* have at this point: a test that must come out one
//! way is a constant, and what it guards is gone or unconditional. And the snapshot before a step is stable, so a rule can
//! fire only if something has happened since it was last asked with which it can hold ([`Emit::ask`]).

mod branch;
mod news;

use news::{Block, Known};

use super::{Does, Lower};
use crate::lang::cmmn::model::{Event, InstIx, State};
use crate::machine::{ArithOp, Assign, CompareOp, Domain, ExprId, FALSE, Input, InputIx, Rule, TRUE, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Sets of codes; domains that do not fit are not tracked.
pub(super) type Mask = u64;

/// Rules that are asked again in every round, by what they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Latch(usize, usize, usize),
    PlanExit(usize),
    Exit(usize, usize),
    Entry(usize),
    Overflow(usize),
    Reach(usize),
    Listener(usize),
    Orphan(usize),
    Stage(usize),
}

/// What is chosen freely in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Choice {
    /// A value that the event (item 0) or a task writes.
    Data(usize, usize),
    /// A free condition.
    Free(usize),
    /// The size of a collection.
    Size(usize),
}

/// A body under construction.
pub(super) struct Emit<'l, 'c> {
    pub l: &'l mut Lower<'c>,
    pub effect: Vec<Assign>,
    pub rules: Vec<Rule>,
    pub inputs: Vec<Input>,
    choices: BTreeMap<Choice, InputIx>,
    /// Values each variable may have now.
    pub may: Vec<Mask>,
    /// What has happened so far.
    blocks: Vec<Block>,
    /// Variables that were cleared for the next round.
    cleared: BTreeSet<VarId>,
    /// What the block under way has written.
    writes: Vec<VarId>,
    /// Per variable: when a block wrote it last.
    last_write: Vec<u32>,
    known: Known,
    /// Whose block is under way, and what must have come before it.
    turn: (Option<Key>, BTreeSet<Key>),
    round_began: u32,
    now: u32,
    /// A guard is built only to see whether it can hold.
    pub supposing: bool,
    /// When each rule was last asked, and whether it was put off.
    asked: BTreeMap<Key, (u32, bool)>,
    /// Containers whose completion is being asked.
    pub asking: Vec<InstIx>,
    /// What the guard under construction reads.
    reading: Vec<VarId>,
    reads_choice: bool,
    /// What holds where rules are emitted now.
    context: ExprId,
    depth: usize,
    /// Writes of what ends the case make no rule worth asking again.
    pub last_act: bool,
    /// The bank that operations record events in.
    pub bank: usize,
    /// The event's own operations are over.
    pub in_rounds: bool,
    /// New instances are to be told from those that existed when the round began.
    pub in_round: bool,
    /// Only ask whether something would happen.
    pub probing: bool,
    /// How many things could happen in rounds so far.
    pub acts: usize,
    /// The case file event of this round.
    pub file: Option<(usize, Event)>,
    /// Rules that a question may ask about.
    pub marks: Vec<(Does, usize)>,
}

impl<'l, 'c> Emit<'l, 'c> {
    pub fn new(l: &'l mut Lower<'c>) -> Self {
        let may: Vec<Mask> = l.m.vars.iter().map(|v| if v.scratch { 1 } else { full(&v.domain) }).collect();
        let last_write = vec![0; may.len()];
        Emit {
            l,
            effect: Vec::new(),
            rules: Vec::new(),
            inputs: Vec::new(),
            choices: BTreeMap::new(),
            may,
            blocks: Vec::new(),
            cleared: BTreeSet::new(),
            writes: Vec::new(),
            last_write,
            known: Known::none(),
            turn: (None, BTreeSet::new()),
            round_began: 0,
            now: 0,
            supposing: false,
            asked: BTreeMap::new(),
            asking: Vec::new(),
            reading: Vec::new(),
            reads_choice: false,
            context: TRUE,
            depth: 0,
            last_act: false,
            bank: 0,
            in_rounds: false,
            in_round: false,
            probing: false,
            acts: 0,
            file: None,
            marks: Vec::new(),
        }
    }

    // Expressions.

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.l.m.exprs.not(a)
    }

    pub fn and(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.l.m.exprs.and(parts)
    }

    pub fn or(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.l.m.exprs.or(parts)
    }

    /// The variable has one of these codes.
    pub fn among(&mut self, var: VarId, codes: Mask) -> ExprId {
        self.reading.push(var);
        let may = self.may[var.0 as usize];
        let (yes, no) = (may & codes, may & !codes);
        if yes == 0 {
            return FALSE;
        }
        if no == 0 {
            return TRUE;
        }
        if self.l.m.vars[var.0 as usize].domain == Domain::Bool {
            let cur = self.l.m.exprs.cur(var);
            return if yes == 2 { cur } else { self.not(cur) };
        }
        let positive = yes.count_ones() <= no.count_ones();
        let cur = self.l.m.exprs.cur(var);
        let mut parts = Vec::new();
        for code in (0..64).filter(|c| (if positive { yes } else { no }) >> c & 1 == 1) {
            let value = self.l.m.exprs.int(code);
            parts.push(self.l.m.exprs.compare(CompareOp::Eq, cur, value));
        }
        let any = self.or(parts);
        if positive { any } else { self.not(any) }
    }

    /// A Boolean variable.
    pub fn holds(&mut self, var: VarId) -> ExprId {
        self.among(var, 2)
    }

    /// An instance is in one of these states.
    pub fn in_states(&mut self, i: InstIx, wanted: &dyn Fn(State) -> bool) -> ExprId {
        let codes = self.l.map.codes[i].iter().enumerate().filter(|(_, s)| wanted(**s));
        let mask = codes.fold(0, |mask, (c, _)| mask | 1 << c);
        self.among(self.l.map.states[i], mask)
    }

    pub fn is(&mut self, i: InstIx, state: State) -> ExprId {
        self.in_states(i, &|s| s == state)
    }

    /// A free choice of this step.
    pub fn choice(&mut self, what: Choice, name: impl FnOnce() -> String, domain: Domain) -> ExprId {
        self.reads_choice = true;
        let next = InputIx::next(&self.inputs);
        let ix = *self.choices.entry(what).or_insert(next);
        if ix == next {
            let (lo, hi) = domain.bounds();
            self.inputs.push(Input { name: name(), domain, values: crate::machine::Ranges::range(lo, hi) });
        }
        self.l.m.exprs.input(ix)
    }

    /// What is asked depends on a free choice, though its guard does not read it.
    pub fn depends_on_choice(&mut self) {
        self.reads_choice = true;
    }

    /// Is this the case file event of the round?
    pub fn file_event(&mut self, file: usize, event: Event) -> ExprId {
        self.reads_choice = true;
        self.l.m.exprs.bool(self.file == Some((file, event)))
    }

    // Rules.

    /// A Boolean of the round before is forgotten. No rule waits for that.
    pub fn clear(&mut self, var: VarId) {
        self.assign(Does::Nothing, var, 0);
        self.cleared.insert(var);
    }

    fn rule(&mut self, does: Does, antecedent: ExprId, target: VarId, value: ExprId) {
        let origin = self.l.origin(does);
        self.rules.push(Rule { origin, prerequisite: TRUE, antecedent, target, value });
        self.writes.push(target);
        self.last_write[target.0 as usize] = self.now + 1;
    }

    /// A variable has been written by the event itself.
    pub fn note_written(&mut self, var: VarId) {
        self.writes.push(var);
    }

    /// Something small happens: a variable gets a value where the guard holds.
    pub fn note(&mut self, does: Does, guard: ExprId, var: VarId) {
        let before = self.may.clone();
        self.writes.clear();
        self.recall(guard);
        self.assume(guard);
        let known = std::mem::replace(&mut self.may, before.clone());
        self.assign_if(does, guard, var, 1);
        let after = std::mem::replace(&mut self.may, known);
        self.may[var.0 as usize] = 2;
        self.end_block(&before, false, false);
        self.may = after;
    }

    /// `var := code` where the context and `when` hold.
    pub fn assign_if(&mut self, does: Does, when: ExprId, var: VarId, code: i64) {
        let antecedent = self.and([self.context, when]);
        let bit = 1 << code;
        let may = self.may[var.0 as usize];
        if antecedent == FALSE || may == bit {
            return;
        }
        let value = match self.l.m.vars[var.0 as usize].domain {
            Domain::Bool => self.l.m.exprs.bool(code == 1),
            _ => self.l.m.exprs.int(code),
        };
        self.rule(does, antecedent, var, value);
        self.may[var.0 as usize] = if when == TRUE { bit } else { may | bit };
    }

    /// `var := code` where it has one of some codes.
    pub fn assign_from(&mut self, does: Does, from: Mask, var: VarId, code: i64) {
        let when = self.among(var, from);
        self.assign_if(does, when, var, code);
        if when != FALSE {
            let may = &mut self.may[var.0 as usize];
            *may = (*may & !from) | 1 << code;
        }
    }

    /// `var := code` where the context holds.
    pub fn assign(&mut self, does: Does, var: VarId, code: i64) {
        self.assign_if(does, TRUE, var, code);
    }

    /// `var := expression`, any value of its domain.
    pub fn assign_any(&mut self, does: Does, var: VarId, value: ExprId) {
        let context = self.context;
        let all = full(&self.l.m.vars[var.0 as usize].domain);
        self.rule(does, context, var, value);
        self.may[var.0 as usize] = all;
    }

    /// A number goes up by one, to the end of its domain.
    pub fn count_up(&mut self, var: VarId) {
        let (cur, one) = (self.l.m.exprs.cur(var), self.l.m.exprs.int(1));
        let value = self.l.m.exprs.arith(ArithOp::Add, cur, one);
        let top = full(&self.l.m.vars[var.0 as usize].domain);
        let may = self.may[var.0 as usize];
        let context = self.context;
        let codes = ((may << 1) | (may & (top ^ (top >> 1)))) & top;
        self.rule(Does::Nothing, context, var, value);
        self.may[var.0 as usize] = codes;
    }

    /// Records an event, where `when` holds, if somebody listens.
    pub fn record(&mut self, i: InstIx, event: Event, by: Option<usize>, when: ExprId) {
        for by in [None, by].into_iter().take(1 + usize::from(by.is_some())) {
            if let Some(banks) = self.l.heard.get(&(i, event, by)).copied() {
                self.assign_if(Does::Nothing, when, banks[self.bank], 1);
            }
        }
    }
}

/// All codes of a domain.
pub(super) fn full(domain: &Domain) -> Mask {
    let (lo, hi) = domain.bounds();
    if lo == 0 && hi < 63 { (1 << (hi + 1)) - 1 } else { Mask::MAX }
}
