//! The pieces of an ISPL model: actions with their payload, guards, changes, and what agents see.

use super::diagram::{Dd, Diagrams};
use super::symbolic::{Now, Stepped, Symbolic, Value};
use crate::backend::NotWritten;
use crate::backend::width::Width;
use crate::machine::Domain;
use crate::machine::{Action, AgentIx, ExprId, Machine, Node, TRUE, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The model gets too large to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub &'static str);

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the ISPL model gets too large: {}", self.0)
    }
}

impl std::error::Error for TooLarge {}

impl From<TooLarge> for NotWritten {
    fn from(why: TooLarge) -> NotWritten {
        NotWritten::Unsupported(why.to_string())
    }
}

/// Actions with payload that one file may have.
const MOST_ACTIONS: usize = 20_000;
/// Conditions, counted in comparisons, that one file may have.
const MOST_TEXT: u64 = 3_000_000;
/// Every value has a name of its own, every pair of values that an operation meets a condition.
pub const WIDTH: Width =
    Width { checker: "MCMAS", values: 4096, payload: 4096, pairs: 1 << 20, ends: (i64::MIN, i64::MAX) };

/// An action with its payload fixed.
pub struct Choice {
    /// Index of the action.
    pub action: usize,
    /// Payload, input by input.
    pub inputs: Vec<i64>,
    /// It can be taken.
    pub guard: Dd,
}

/// What an agent may see of a slot through its window: whether the slot is visible, or the masked value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The slot is visible.
    pub window: ExprId,
    /// The variable; none for visibility itself.
    pub var: Option<VarId>,
}

/// What changes: a variable or a masked copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A variable.
    Var(VarId),
    /// A masked copy, by number.
    Mask(usize),
}

/// All pieces of a model.
pub struct Pieces<'m> {
    /// Conditions.
    pub sym: Symbolic<'m>,
    /// All choices.
    pub choices: Vec<Choice>,
    /// Masked copies.
    pub masks: Vec<Mask>,
    /// Per target, new value and condition: the choices that do it.
    pub changes: BTreeMap<(Target, i64, Dd), Vec<usize>>,
    /// Per knower: the variables and masks it sees.
    pub sees: BTreeMap<AgentIx, Vec<Target>>,
}

impl<'m> Pieces<'m> {
    /// Runs every action on conditions; `knowers` are the agents whose observations matter.
    pub fn of(m: &'m Machine, knowers: &[AgentIx]) -> Result<Pieces<'m>, NotWritten> {
        let mut sym = Symbolic::new(m);
        let mut steps = Vec::new();
        for a in &m.actions {
            steps.push(sym.run(a)?);
        }
        if sym.too_hard() {
            return Err(TooLarge("its conditions").into());
        }
        if sym.lost {
            return Err(NotWritten::Wrong("a condition reads a payload that is not there".into()));
        }
        let mut p = Pieces { sym, choices: vec![], masks: vec![], changes: BTreeMap::new(), sees: BTreeMap::new() };
        p.observe(m, knowers, &steps);
        for (ix, (a, step)) in m.actions.iter().zip(&steps).enumerate() {
            p.action(m, ix, a, step)?;
        }
        Ok(p)
    }

    /// Decides what each knower sees.
    fn observe(&mut self, m: &Machine, knowers: &[AgentIx], steps: &[Stepped]) {
        let mut frozen: FxHashMap<VarId, bool> = FxHashMap::default();
        for &agent in knowers {
            let Some(a) = m.agents.get(agent.0) else { continue };
            let mut sees: Vec<Target> = if a.sees_all {
                m.state_ids().map(Target::Var).collect()
            } else {
                a.private.iter().copied().map(Target::Var).collect()
            };
            for view in a.views.iter().filter(|_| !a.sees_all) {
                // Seen while one flag is set, and nothing happens to it before: then it can be seen as it is.
                let flag = match m.exprs.node(view.visible) {
                    Node::Cur(v)
                        if m.var(*v).slot.is_some() && view.seen.iter().all(|s| m.var(*s).slot == m.var(*v).slot) =>
                    {
                        Some(*v)
                    }
                    _ => None,
                };
                let is_frozen = flag.is_some_and(|v| *frozen.entry(v).or_insert_with(|| self.is_frozen(m, v, steps)));
                if view.visible == TRUE || is_frozen {
                    sees.extend(view.seen.iter().copied().map(Target::Var));
                    sees.extend(flag.map(Target::Var));
                } else {
                    sees.push(self.mask(Mask { window: view.visible, var: None }));
                    for v in &view.seen {
                        sees.push(self.mask(Mask { window: view.visible, var: Some(*v) }));
                    }
                }
            }
            sees.sort_unstable();
            sees.dedup();
            self.sees.insert(agent, sees);
        }
    }

    fn mask(&mut self, mask: Mask) -> Target {
        let at = self.masks.iter().position(|m| *m == mask).unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        });
        Target::Mask(at)
    }

    /// Do the variables of a slot keep their initial values until this flag of it is set? Then their raw values say nothing before.
    fn is_frozen(&mut self, m: &Machine, flag: VarId, steps: &[Stepped]) -> bool {
        let before = self.untouched(m, flag, &Now::default());
        for step in steps {
            let after = self.untouched(m, flag, &step.after);
            let lost = self.sym.dds.not(after);
            let may = self.sym.dds.and(step.guard, before);
            if self.sym.dds.and(may, lost) != Dd::FALSE {
                return false;
            }
        }
        true
    }

    /// The flag is set, or everything in its slot is as in the beginning.
    fn untouched(&mut self, m: &Machine, flag: VarId, now: &Now) -> Dd {
        let mut all = Dd::TRUE;
        for v in m.state_ids().filter(|v| m.var(*v).slot == m.var(flag).slot) {
            let value = match now.get(&v) {
                Some(value) => value.clone(),
                None => self.sym.before(v),
            };
            let same = when(&value, m.var(v).init, &mut self.sym.dds);
            all = self.sym.dds.and(all, same);
        }
        let set = match now.get(&flag) {
            Some(value) => self.sym.truth(value),
            None => {
                let before = self.sym.before(flag);
                self.sym.truth(&before)
            }
        };
        self.sym.dds.or(set, all)
    }

    /// All choices of an action with what they change.
    fn action(&mut self, m: &Machine, ix: usize, action: &Action, step: &Stepped) -> Result<(), TooLarge> {
        let inputs = &m.body(action).inputs;
        let mut after: Vec<(Target, Value, Value)> = Vec::new();
        for (v, value) in &step.after {
            let before = self.sym.before(*v);
            after.push((Target::Var(*v), before, value.clone()));
        }
        for i in 0..self.masks.len() {
            let mask = self.masks[i];
            if self.concerns(m, mask, &step.after) {
                let (before, now) = (self.masked(m, mask, &Now::default()), self.masked(m, mask, &step.after));
                after.push((Target::Mask(i), before, now));
            }
        }
        after.sort_by_key(|(t, ..)| *t);
        let mut combos: Vec<(Vec<i64>, Dd)> = vec![(vec![], step.guard)];
        for (i, input) in inputs.iter().enumerate() {
            let (lo, level) = (input.domain.bounds().0, Symbolic::input_level(i));
            let mut next = Vec::new();
            for (chosen, guard) in combos {
                for v in input.values.iter() {
                    let left = self.sym.dds.given(guard, level, (v - lo) as usize);
                    if left != Dd::FALSE {
                        next.push(([chosen.as_slice(), &[v]].concat(), left));
                    }
                }
            }
            combos = next;
            if combos.len() + self.choices.len() > MOST_ACTIONS {
                return Err(TooLarge("too many combinations of payload"));
            }
        }
        for (chosen, guard) in combos {
            let choice = self.choices.len();
            for (target, before, value) in &after {
                self.change(m, *target, before, value, &chosen, inputs, choice);
            }
            self.choices.push(Choice { action: ix, inputs: chosen, guard });
        }
        if self.sym.too_hard() { Err(TooLarge("its conditions")) } else { Ok(()) }
    }

    /// Does a step that changes `after` concern a mask?
    fn concerns(&self, m: &Machine, mask: Mask, after: &Now) -> bool {
        let mut touched = mask.var.is_some_and(|v| after.contains_key(&v));
        m.exprs.leaves(mask.window, &mut |leaf| {
            if let Node::Cur(v) = leaf {
                touched |= after.contains_key(v);
            }
        });
        touched
    }

    /// A mask's value: the variable's while the slot is visible, its smallest one otherwise.
    pub fn masked(&mut self, m: &Machine, mask: Mask, now: &Now) -> Value {
        let visible = self.sym.condition(mask.window, now, None);
        let Some(var) = mask.var else { return Value::Bool(visible) };
        let value = match now.get(&var) {
            Some(value) => value.clone(),
            None => self.sym.before(var),
        };
        let hidden = match m.var(var).domain {
            Domain::Bool => Value::Bool(Dd::FALSE),
            _ => Value::Num(vec![(m.var(var).domain.bounds().0, Dd::TRUE)]),
        };
        self.sym.choose(visible, value, hidden)
    }

    /// Notes under which conditions a choice gives a target a new value. The condition may say anything where the value is already
    /// the new one, as long as it is right; the shorter of two such conditions is taken.
    #[allow(clippy::too_many_arguments)]
    fn change(
        &mut self,
        m: &Machine,
        target: Target,
        before: &Value,
        value: &Value,
        chosen: &[i64],
        inputs: &[crate::machine::Input],
        choice: usize,
    ) {
        let domain = self.domain(m, target);
        let (lo, hi) = domain.bounds();
        for x in lo..=hi {
            let mut becomes = when(value, x, &mut self.sym.dds);
            for (i, (v, input)) in chosen.iter().zip(inputs).enumerate() {
                let position = (v - input.domain.bounds().0) as usize;
                becomes = self.sym.dds.given(becomes, Symbolic::input_level(i), position);
            }
            let is = when(before, x, &mut self.sym.dds);
            let is_not = self.sym.dds.not(is);
            let changes = self.sym.dds.and(becomes, is_not);
            if changes == Dd::FALSE {
                continue;
            }
            let mut memo = FxHashMap::default();
            let shorter = self.sym.dds.written(becomes, &mut memo) <= self.sym.dds.written(changes, &mut memo);
            let condition = if shorter { becomes } else { changes };
            self.changes.entry((target, x, condition)).or_default().push(choice);
        }
    }

    /// The domain of a target.
    pub fn domain<'a>(&self, m: &'a Machine, target: Target) -> &'a Domain {
        match target {
            Target::Var(v) => &m.var(v).domain,
            Target::Mask(i) => self.masks[i].var.map_or(&Domain::Bool, |v| &m.var(v).domain),
        }
    }

    /// Is everything together short enough to be written down?
    pub fn fits(&self) -> bool {
        let mut memo = FxHashMap::default();
        let mut total = 0u64;
        for d in self.changes.keys().map(|k| k.2).chain(self.choices.iter().map(|c| c.guard)) {
            total = total.saturating_add(self.sym.dds.written(d, &mut memo));
        }
        total < MOST_TEXT
    }
}

/// The condition under which a value is `x` (Booleans as 0 and 1).
pub fn when(value: &Value, x: i64, dds: &mut Diagrams) -> Dd {
    match value {
        Value::Bool(d) if x != 0 => *d,
        Value::Bool(d) => dds.not(*d),
        Value::Num(cases) => cases.iter().find(|(y, _)| *y == x).map_or(Dd::FALSE, |(_, d)| *d),
    }
}
