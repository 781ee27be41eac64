//! The rules of all slots, grounded once per occurrence, so that a body looks only at those that can matter in it.
//!
//! What happens at one slot leaves most rules of the others as they were: their conditions read nothing that the body writes, and
//! without an event of their own they are false or always come to the same. Which ones are not, and who reads what, is worked out
//! here for all bodies of an occurrence together.

use super::Lower;
use super::body::{Happening, Known, Trigger};
use crate::lang::gsm::{Occurrence, Order, RuleIx};
use crate::machine::{ExprId, Exprs, FALSE, Node, Origin, SlotIx, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::iter::Peekable;
use std::rc::Rc;
use std::slice::Iter;

/// Position in [`Ground::rules`]: ground rules run in this order.
pub(super) type Turn = usize;

/// All ground rules of an occurrence.
pub(super) struct Ground {
    pub order: Order,
    pub rules: Vec<GroundRule>,
    /// Those that may fire although nothing they read was written.
    awake: Vec<Turn>,
    /// Those of each slot.
    pub of_slot: Vec<Vec<Turn>>,
    /// Those that read a variable, before the step or now.
    readers: FxHashMap<VarId, Vec<Turn>>,
    /// Those of them that belong to other slots than the variable.
    strangers: FxHashMap<VarId, Vec<Turn>>,
    /// Per slot: do its rules read nothing but its own variables?
    alone: Vec<bool>,
    /// What becomes of the rules of slots that are alone while the body does nothing to them, in order.
    undisturbed: Vec<Asked>,
    /// Per slot that is alone: some sentry rule of it is ready while nothing happens to it.
    pub ready_at_rest: Vec<ExprId>,
}

/// A rule at a slot to which the occurrence does not happen.
pub(super) struct GroundRule {
    pub rule: RuleIx,
    pub slot: SlotIx,
    pub origin: Origin,
    pub target: VarId,
    pub prerequisite: ExprId,
    pub antecedent: ExprId,
    /// What rules at dropped edges will write is left as it is read: in another order it may be written before.
    pub late: Vec<VarId>,
}

/// A rule with what it asks at its turn.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub turn: Turn,
    pub prerequisite: ExprId,
    pub antecedent: ExprId,
}

impl Lower<'_> {
    /// The ground rules of an occurrence, made once.
    pub(super) fn ground(&mut self, occurrence: Occurrence) -> Option<Rc<Ground>> {
        if let Some(known) = self.grounds.get(&occurrence) {
            return Some(known.clone());
        }
        let order = self.orders.get(&occurrence)?.clone();
        let mut ground = self.make_ground(order);
        let slots = SlotIx::all(&self.m.slots).filter(|s| ground.alone[s.0]);
        let mut undisturbed: Vec<Asked> = slots.flat_map(|slot| self.left_alone(&ground, slot)).collect();
        undisturbed.sort_unstable_by_key(|a| a.turn);
        ground.undisturbed = undisturbed;
        ground.ready_at_rest = SlotIx::all(&self.m.slots).map(|slot| self.ready_at_rest(&ground, slot)).collect();
        let ground = Rc::new(ground);
        self.grounds.insert(occurrence, ground.clone());
        Some(ground)
    }

    fn make_ground(&mut self, order: Order) -> Ground {
        let elsewhere = Happening::of(self.app, Trigger::at(order.occurrence, None));
        let slots = self.m.slots.len();
        let (of_slot, alone) = (vec![Vec::new(); slots], vec![true; slots]);
        let (rules, awake, readers, strangers, undisturbed, ready_at_rest) = Default::default();
        let mut ground = Ground { order, rules, awake, of_slot, readers, strangers, alone, undisturbed, ready_at_rest };
        for ix in ground.order.sequence.clone() {
            let rule = self.rules.list[ix];
            for slot in self.slots(rule.ty) {
                let late = self.written_late(&ground.order, ix, slot);
                let (prerequisite, antecedent) =
                    (self.prerequisite(&rule, slot), self.antecedent(&rule, slot, &elsewhere));
                let target = self.status(slot, rule.effect(self.app).0);
                let (label, span) = (rule.label(self.app), rule.span(self.app));
                let origin = Origin { label, span, slot: Some(slot), key: ix.0 as u32 };
                self.enter(&mut ground, GroundRule { rule: ix, slot, origin, target, prerequisite, antecedent, late });
            }
        }
        ground
    }

    /// Adds a ground rule to all lists it belongs to.
    fn enter(&mut self, ground: &mut Ground, g: GroundRule) {
        let turn = ground.rules.len();
        ground.of_slot[g.slot.0].push(turn);
        if self.m.slots.len() == 1 {
            // Whatever happens, happens here: a body looks at all rules anyway.
            ground.alone[g.slot.0] = false;
            ground.rules.push(g);
            return;
        }
        let asleep = Known::default().asked(&mut self.m.exprs, turn, &g);
        if asleep.is_some() || !g.late.is_empty() {
            ground.awake.push(turn);
        }
        ground.alone[g.slot.0] &= g.late.is_empty();
        for var in read(&self.m.exprs, [g.prerequisite, g.antecedent]) {
            ground.readers.entry(var).or_default().push(turn);
            if self.m.var(var).slot != Some(g.slot) {
                ground.strangers.entry(var).or_default().push(turn);
                ground.alone[g.slot.0] = false;
            }
        }
        ground.rules.push(g);
    }

    /// Some sentry rule of a slot that is alone holds between steps.
    fn ready_at_rest(&mut self, ground: &Ground, slot: SlotIx) -> ExprId {
        if !ground.alone[slot.0] {
            return FALSE;
        }
        let mut parts = Vec::new();
        for &turn in &ground.of_slot[slot.0] {
            let g = &ground.rules[turn];
            if self.rules.list[g.rule].sentry(self.app).is_some() && !self.settled[g.rule.0] {
                parts.push(self.at_rest(g));
            }
        }
        self.m.exprs.or(parts)
    }

    /// The condition under which a ground rule is ready between steps.
    pub(super) fn at_rest(&mut self, g: &GroundRule) -> ExprId {
        let both = self.m.exprs.and([g.prerequisite, g.antecedent]);
        Known::default().simplify(&mut self.m.exprs, both)
    }

    /// Is what a rule asks at its turn what it would ask between steps, where it is never ready?
    pub(super) fn is_idle(&mut self, asks: &Asked, g: &GroundRule) -> bool {
        self.settled[g.rule.0] && self.m.exprs.and([asks.prerequisite, asks.antecedent]) == self.at_rest(g)
    }

    /// What the rules of a slot that is alone ask while nothing is done to it.
    fn left_alone(&mut self, ground: &Ground, slot: SlotIx) -> Vec<Asked> {
        let (mut known, mut asked) = (Known::default(), Vec::new());
        for &turn in &ground.of_slot[slot.0] {
            let g = &ground.rules[turn];
            if let Some(asks) = known.asked(&mut self.m.exprs, turn, g)
                && !self.is_idle(&asks, g)
            {
                known.written.insert(g.target);
                asked.push(asks);
            }
        }
        asked
    }
}

impl Ground {
    /// Per slot: a body does nothing to it, and its rules know nothing of the others. `of` is the slot of a variable.
    pub fn undisturbed(&self, trigger: Trigger, known: &Known, of: impl Fn(VarId) -> Option<SlotIx>) -> Vec<bool> {
        let mut undisturbed = self.alone.clone();
        let changed = known.written.iter().chain(known.before.keys());
        for slot in changed.filter_map(|v| of(*v)).chain(trigger.target).chain(trigger.sender) {
            undisturbed[slot.0] = false;
        }
        undisturbed
    }
}

impl Known {
    /// What a rule where nothing happens asks at its turn; nothing when it cannot fire.
    pub(super) fn asked(&self, exprs: &mut Exprs, turn: Turn, g: &GroundRule) -> Option<Asked> {
        self.asked_with(exprs, turn, g, g.antecedent)
    }

    /// The same with another antecedent.
    pub(super) fn asked_with(
        &self,
        exprs: &mut Exprs,
        turn: Turn,
        g: &GroundRule,
        antecedent: ExprId,
    ) -> Option<Asked> {
        let prerequisite = self.simplify(exprs, g.prerequisite);
        let antecedent = self.simplify_but(exprs, antecedent, &g.late);
        let possible = exprs.and([prerequisite, antecedent]) != FALSE;
        possible.then_some(Asked { turn, prerequisite, antecedent })
    }
}

/// The variables that conditions read.
fn read(exprs: &Exprs, conditions: [ExprId; 2]) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    for e in conditions {
        exprs.leaves(e, &mut |leaf| {
            if let Node::Prev(v) | Node::Cur(v) = leaf {
                vars.insert(*v);
            }
        });
    }
    vars
}

/// The rules that a body must look at, in their order; what is written adds those that read it.
pub(super) struct Agenda<'g> {
    ground: &'g Ground,
    /// Per slot: nothing is done to it, and its rules know nothing of the others.
    undisturbed: Vec<bool>,
    /// What was written or is known may matter to these.
    touched: BTreeSet<Turn>,
    awake: Peekable<Iter<'g, Turn>>,
    asked: Peekable<Iter<'g, Asked>>,
}

/// What comes next.
pub(super) enum Next {
    /// A rule whose conditions are to be worked out.
    Look(Turn),
    /// A rule whose conditions are known.
    Asked(Asked),
}

impl<'g> Agenda<'g> {
    /// The agenda of a body after its immediate effect; `of` is the slot of a variable.
    pub(super) fn new(
        ground: &'g Ground,
        trigger: Trigger,
        known: &Known,
        of: impl Fn(VarId) -> Option<SlotIx>,
    ) -> Agenda<'g> {
        let undisturbed = ground.undisturbed(trigger, known, of);
        let changed = known.written.iter().chain(known.before.keys());
        let slots = trigger.target.into_iter().chain(trigger.sender);
        let own = slots.filter_map(|t| ground.of_slot.get(t.0)).flatten().copied().collect();
        let (awake, asked) = (ground.awake.iter().peekable(), ground.undisturbed.iter().peekable());
        let mut agenda = Agenda { ground, undisturbed, touched: own, awake, asked };
        changed.for_each(|v| agenda.touch(*v, 0));
        agenda
    }

    /// A rule writes its target: those readers whose turn is still to come must look.
    pub(super) fn written(&mut self, turn: Turn) {
        let g = &self.ground.rules[turn];
        if self.undisturbed[g.slot.0] {
            self.extend(self.ground.strangers.get(&g.target), turn + 1);
        } else {
            self.touch(g.target, turn + 1);
        }
    }

    fn touch(&mut self, var: VarId, from: Turn) {
        self.extend(self.ground.readers.get(&var), from);
    }

    fn extend(&mut self, readers: Option<&'g Vec<Turn>>, from: Turn) {
        let readers = readers.map_or(&[][..], Vec::as_slice);
        self.touched.extend(&readers[readers.partition_point(|t| *t < from)..]);
    }

    /// The next rule.
    pub(super) fn next(&mut self) -> Option<Next> {
        let Agenda { ground, undisturbed, touched, awake, asked } = self;
        let alone = |turn: Turn| undisturbed[ground.rules[turn].slot.0];
        while awake.next_if(|t| alone(**t)).is_some() {}
        while asked.next_if(|a| !alone(a.turn)).is_some() {}
        let look = [touched.first().copied(), awake.peek().map(|t| **t)].into_iter().flatten().min();
        match (look, asked.peek()) {
            (Some(turn), other) if other.is_none_or(|o| turn < o.turn) => {
                touched.remove(&turn);
                awake.next_if(|t| **t == turn);
                Some(Next::Look(turn))
            }
            _ => asked.next().copied().map(Next::Asked),
        }
    }
}
