//! Who may make what happen.

use super::Lower;
use super::body::Trigger;
use super::expr::Scope;
use crate::lang::gsm::{Agent, Creation, EventIx, Events, Occurrence, ProtocolTarget, TaskIx, TypeIx};
use crate::machine::{Action, AgentIx, Assign, ExprId, FALSE, SlotIx, TRUE};

impl Lower<'_> {
    /// All actions: agents in order, their events in order, slots ascending; then the AutoAgent's completions.
    pub(super) fn make_actions(&mut self) {
        let app = self.app;
        let mut creatable = vec![false; app.types.len()];
        match &app.agents {
            None => self.default_agent(&mut creatable),
            Some(agents) => {
                for (a, agent) in agents.iter().enumerate() {
                    match &agent.protocol {
                        Some(entries) => {
                            for entry in entries {
                                for target in &entry.targets {
                                    self.agent_sends(a, agent, entry.event, target.ty, Some(target), &mut creatable);
                                }
                            }
                        }
                        None => self.without_protocol(a, agent, &mut creatable),
                    }
                }
            }
        }
        self.auto_agent();
        let named = app.types.iter().zip(creatable).filter(|(_, c)| *c);
        self.m.bounds = named.map(|(t, _)| (t.id.clone(), t.bound)).collect();
    }

    /// The default agent sends anything, but creates no type that some task creates and sends no event that some task sends.
    fn default_agent(&mut self, creatable: &mut [bool]) {
        for e in EventIx::all(&self.app.events) {
            match self.app.events[e].creates {
                _ if self.app.events[e].outgoing || self.app.sent_by_task(e) => {}
                Some(ty) if self.app.created_by_task(ty) => {}
                Some(ty) => {
                    creatable[ty.0] = true;
                    for target in self.creation_targets(ty) {
                        self.add_action(0, Trigger::at(Occurrence::Event(e), target), TRUE, Vec::new());
                    }
                }
                None => {
                    for ty in TypeIx::all(&self.app.types) {
                        self.each_slot(ty, e, |l, slot| {
                            l.add_action(0, Trigger::at(Occurrence::Event(e), Some(slot)), TRUE, Vec::new())
                        });
                    }
                }
            }
        }
    }

    /// An agent without protocol sends all events of its role but those that some task sends, and creates what its role instantiates.
    fn without_protocol(&mut self, a: usize, agent: &Agent, creatable: &mut [bool]) {
        let app = self.app;
        for e in EventIx::all(&app.events) {
            match app.events[e].creates {
                _ if app.sent_by_task(e) => {}
                Some(ty) => self.agent_sends(a, agent, e, ty, None, creatable),
                None => TypeIx::all(&app.types).for_each(|ty| self.agent_sends(a, agent, e, ty, None, creatable)),
            }
        }
    }

    fn agent_sends(
        &mut self,
        a: usize,
        agent: &Agent,
        e: EventIx,
        ty: TypeIx,
        entry: Option<&ProtocolTarget>,
        creatable: &mut [bool],
    ) {
        let app = self.app;
        let role = &app.roles[agent.role].types[ty.0];
        if app.events[e].outgoing {
            return;
        }
        if app.events[e].creates == Some(ty) {
            if role.instantiates {
                creatable[ty.0] = true;
                for target in self.creation_targets(ty) {
                    self.entry_action(a, agent, e, target, TRUE, entry);
                }
            }
        } else if app.events[e].creates.is_none() && role.events.contains(&e) {
            self.each_slot(ty, e, |l, slot| {
                let window = l.window(a, slot);
                let window = l.before(window);
                l.entry_action(a, agent, e, Some(slot), window, entry);
            });
        }
    }

    /// Adds the action of a protocol entry (or of none) at a slot.
    fn entry_action(
        &mut self,
        a: usize,
        agent: &Agent,
        e: EventIx,
        slot: Option<SlotIx>,
        window: ExprId,
        entry: Option<&ProtocolTarget>,
    ) {
        let trigger = Trigger::at(Occurrence::Event(e), slot);
        let body = self.body(trigger);
        let inputs = self.m.bodies[body].inputs.clone();
        let scope = Scope { this: slot, me: Some(&agent.name), inputs: &inputs, ..Scope::default() };
        let (mut allowed, mut updates) = (window, Vec::new());
        if let Some(entry) = entry {
            let condition = self.boolean(&entry.condition, &scope);
            let condition = self.before(condition);
            allowed = self.m.exprs.and([window, condition]);
            // A creation that finds no slot changes nothing, the sender included.
            if slot.is_some() {
                updates = self.updates(a, entry, &scope);
            }
        }
        self.add_action(a, trigger, allowed, updates);
    }

    /// Updates of private variables, which all read the snapshot before the step, and what they add to `overflow`.
    fn updates(&mut self, a: usize, entry: &ProtocolTarget, scope: &Scope) -> Vec<Assign> {
        let mut list = Vec::new();
        for (var, e) in &entry.updates {
            let Some(id) = self.map.private(AgentIx(a), *var) else { continue };
            let zero = self.divides_by_zero(e, scope);
            self.set_overflow(&mut list, zero);
            let value = self.value(e, scope);
            self.assign(&mut list, TRUE, id, value, scope.inputs);
        }
        let old = self.m.exprs.cur(self.m.overflow);
        let (mut updates, mut overflow): (Vec<Assign>, Vec<ExprId>) = (Vec::new(), Vec::new());
        for Assign { var, value } in list {
            let value = self.before(value);
            match updates.iter_mut().find(|u| u.var == var) {
                _ if var == self.m.overflow => overflow.push(value),
                Some(same) => same.value = value,
                None => updates.push(Assign { var, value }),
            }
        }
        if !overflow.is_empty() {
            // The flag may have been set earlier in this very step.
            let value = self.m.exprs.or(std::iter::once(old).chain(overflow));
            updates.insert(0, Assign { var: self.m.overflow, value });
        }
        updates
    }

    fn auto_agent(&mut self) {
        let auto = self.app.auto_agent();
        for (ty, t) in TypeIx::each(&self.app.types) {
            for task in TaskIx::all(&t.tasks) {
                for slot in self.slots(ty) {
                    for trigger in self.completions(ty, task, slot) {
                        self.add_action(auto, trigger, TRUE, Vec::new());
                    }
                }
            }
        }
    }

    /// Slots a creation can go to, and `None` for the one that finds none when the options say so.
    fn creation_targets(&self, ty: TypeIx) -> Vec<Option<SlotIx>> {
        let mut targets: Vec<Option<SlotIx>> = self.slots(ty).into_iter().map(Some).collect();
        if self.app.options.creation == Creation::Overflow {
            targets.push(None);
        }
        targets
    }

    /// Calls `f` for every slot of a type that an event goes to.
    fn each_slot(&mut self, ty: TypeIx, e: EventIx, mut f: impl FnMut(&mut Self, SlotIx)) {
        if self.receivers[e.0].contains(&ty) {
            for slot in self.slots(ty) {
                f(self, slot);
            }
        }
    }

    /// Adds an action; one that can never happen is left out, alternatives with the same updates become one.
    fn add_action(&mut self, agent: usize, trigger: Trigger, allowed: ExprId, updates: Vec<Assign>) {
        let (agent, body) = (AgentIx(agent), self.body(trigger));
        let allowed = match trigger.occurrence {
            Occurrence::Event(e) if self.app.options.events == Events::Any && self.app.events[e].creates.is_none() => {
                let changes = self.changes(body, &updates);
                self.m.exprs.and([allowed, changes])
            }
            _ => allowed,
        };
        let possible = self.m.exprs.and([allowed, self.m.bodies[body].applicable]);
        if possible == FALSE {
            return;
        }
        let alike = self.alike.entry((agent, body)).or_default();
        match alike.iter().copied().find(|at| self.m.actions[*at].updates == updates) {
            Some(at) => {
                let either = self.m.exprs.or([self.m.actions[at].allowed, allowed]);
                self.m.actions[at].allowed = either;
            }
            None => {
                alike.push(self.m.actions.len());
                self.m.actions.push(Action { agent, body, allowed, updates });
            }
        }
    }
}
