//! A machine some of whose variables are abstracted.
//!
//! An integer domain that reaches to an end of `i64` has no bound on that side: such a variable can only be abstracted. Variables with
//! both bounds may be abstracted too; that changes no verdict.

use crate::machine::{BOTTOM, Body, BodyIx, Domain, ExprId, Exprs, InputIx, Machine, Node, VarId};
use crate::smt::{Ratio, Sort};
use num_traits::ToPrimitive;

/// What is known of the values of something abstracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wide {
    /// Whole numbers or exact ones.
    pub sort: Sort,
    /// Smallest value.
    pub lo: Option<i64>,
    /// Largest value.
    pub hi: Option<i64>,
}

impl Wide {
    /// The values of a domain of numbers; those with fractions in parts.
    pub fn of(domain: &Domain) -> Wide {
        let (lo, hi) = domain.bounds();
        let sort = if matches!(domain, Domain::Real { .. }) { Sort::Real } else { Sort::Int };
        Wide { sort, lo: (lo != i64::MIN).then_some(lo), hi: (hi != i64::MAX).then_some(hi) }
    }
}

/// While a finite variable has a certain value, an abstracted one has its initial value: the data of a slot that is not in use, the
/// buffered value of a task that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The finite variable.
    pub when: VarId,
    /// Its value.
    pub code: i64,
    /// The abstracted variable.
    pub var: VarId,
}

/// Texts, which are numbers here: 0 is ⊥, the first ones are known, and there is always another one.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The variables that are texts.
    pub vars: Vec<VarId>,
    /// The inputs that are texts.
    pub inputs: Vec<(BodyIx, InputIx)>,
    /// What the numbers from 1 on read.
    pub words: Vec<String>,
}

impl Texts {
    /// A number as people read it.
    pub fn show(&self, number: &Ratio) -> String {
        let at = number.to_integer().to_usize().unwrap_or(usize::MAX);
        match (at, self.words.get(at.wrapping_sub(1))) {
            (0, _) => BOTTOM.to_string(),
            (_, Some(word)) => word.clone(),
            _ => format!("another text {}", number - Ratio::from_integer(self.words.len().into())),
        }
    }
}

/// What an expression reads: steps are executed so often that looking at its leaves each time would take most of the time.
#[derive(Clone, Copy, Debug, Default)]
struct Reads {
    wide: bool,
    inputs: InputSet,
}

/// Inputs of a body, up to a number; those beyond it are all the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputSet(u64);

impl InputSet {
    /// The number from which on inputs are the same.
    const MANY: usize = 63;

    /// With an input. One that cannot be told from others is left out.
    pub fn insert(&mut self, input: InputIx) {
        if input.0 < InputSet::MANY {
            self.0 |= 1 << input.0;
        }
    }

    /// Are some of these not in the other set?
    pub fn exceeds(self, other: InputSet) -> bool {
        self.0 & !other.0 != 0
    }
}

impl Reads {
    fn all(machine: &Machine, wide: &[Option<Wide>]) -> Vec<Reads> {
        let exprs = &machine.exprs;
        let mut all: Vec<Reads> = Vec::with_capacity(exprs.len());
        for (at, node) in exprs.nodes().iter().enumerate() {
            let own = match node {
                Node::Prev(v) | Node::Cur(v) => {
                    Reads { wide: wide.get(v.0 as usize).is_some_and(Option::is_some), ..Reads::default() }
                }
                Node::Input(i) => Reads { wide: false, inputs: InputSet(1 << i.0.min(InputSet::MANY)) },
                _ => {
                    let parts = exprs.parts(ExprId(at as u32)).filter_map(|p| all.get(p.0 as usize));
                    parts.fold(Reads::default(), |one, part| Reads {
                        wide: one.wide || part.wide,
                        inputs: InputSet(one.inputs.0 | part.inputs.0),
                    })
                }
            };
            all.push(own);
        }
        all
    }
}

/// A machine with the variables that are abstracted.
#[derive(Clone, Debug)]
pub struct System<'m> {
    /// The machine.
    pub machine: &'m Machine,
    wide: Vec<Option<Wide>>,
    /// Per expression, what it reads.
    reads: Vec<Reads>,
    /// Per body, what makes it happen.
    actions: Vec<Vec<usize>>,
    inputs: Vec<Vec<Option<Wide>>>,
    /// When abstracted variables are at their initial values.
    pub pins: Vec<Pin>,
    /// What of it is text.
    pub texts: Texts,
    /// The abstracted variables that keep a value for a task until it is done.
    pub buffers: Vec<VarId>,
}

impl<'m> System<'m> {
    /// A machine with these variables abstracted; they must be numbers.
    pub fn new(machine: &'m Machine, abstracted: &[VarId], pins: Vec<Pin>) -> System<'m> {
        let wide: Vec<Option<Wide>> = machine
            .var_ids()
            .map(|v| {
                let domain = &machine.var(v).domain;
                (abstracted.contains(&v) && is_number(domain)).then(|| Wide::of(domain))
            })
            .collect();
        let (reads, inputs, texts, buffers) = (Reads::all(machine, &wide), Vec::new(), Texts::default(), Vec::new());
        let mut actions = vec![Vec::new(); machine.bodies.len()];
        for (at, action) in machine.actions.iter().enumerate() {
            actions.get_mut(action.body.0).into_iter().for_each(|own: &mut Vec<usize>| own.push(at));
        }
        let mut system = System { machine, wide, reads, actions, inputs, pins, texts, buffers };
        system.inputs = BodyIx::all(&machine.bodies).map(|b| system.wide_inputs(b)).collect();
        system
    }

    /// A machine with these variables abstracted, where the data of slots that are not in use is initial.
    pub fn with_slots(machine: &'m Machine, abstracted: &[VarId]) -> System<'m> {
        let mut pins = Vec::new();
        for slot in &machine.slots {
            if let Some(when) = slot.exists {
                let inside = slot.vars.iter().filter(|v| abstracted.contains(v));
                pins.extend(inside.map(|v| Pin { when, code: 0, var: *v }));
            }
        }
        System::new(machine, abstracted, pins)
    }

    /// What is known of an abstracted variable; `None` if it is finite.
    pub fn wide(&self, var: VarId) -> Option<Wide> {
        self.wide.get(var.0 as usize).copied().flatten()
    }

    /// What is known of an input that is not enumerated.
    pub fn wide_input(&self, body: BodyIx, input: InputIx) -> Option<Wide> {
        self.inputs.get(body.0)?.get(input.0).copied().flatten()
    }

    /// The abstracted variables.
    pub fn abstracted(&self) -> impl Iterator<Item = VarId> + '_ {
        self.machine.var_ids().filter(|v| self.wide(*v).is_some())
    }

    /// Does an expression read abstracted data (inputs aside)?
    pub fn reads_wide(&self, e: ExprId) -> bool {
        self.reads.get(e.0 as usize).is_some_and(|r| r.wide)
    }

    /// The inputs that an expression reads.
    pub fn inputs_of(&self, e: ExprId) -> InputSet {
        self.reads.get(e.0 as usize).map(|r| r.inputs).unwrap_or_default()
    }

    /// What makes a body happen: positions of actions.
    pub fn actions_of(&self, body: BodyIx) -> &[usize] {
        self.actions.get(body.0).map(Vec::as_slice).unwrap_or_default()
    }

    /// Does a body, or an action that makes it happen, have to do with abstracted data, or with variables that predicates mention?
    pub fn concerns(&self, body: BodyIx, mentioned: &dyn Fn(VarId) -> bool) -> bool {
        let Some(b) = self.machine.bodies.get(body.0) else { return false };
        let mut written = b.writes().map(|(v, _)| v);
        let wide = |v: VarId| self.wide(v).is_some() || mentioned(v);
        let inputs = InputIx::all(&b.inputs).any(|i| self.wide_input(body, i).is_some());
        inputs || written.any(wide) || self.expressions(body, b).into_iter().any(|e| self.reads_wide(e))
    }

    /// Numbers that meet abstracted data, or have no bounds, are not enumerated.
    fn wide_inputs(&self, body: BodyIx) -> Vec<Option<Wide>> {
        let Some(b) = self.machine.bodies.get(body.0) else { return Vec::new() };
        let mut meets = vec![false; b.inputs.len()];
        let exprs = &self.machine.exprs;
        let mut mark = |e: ExprId| {
            exprs.leaves(e, &mut |leaf| {
                if let Node::Input(i) = leaf
                    && let Some(m) = meets.get_mut(i.0)
                {
                    *m = true;
                }
            });
        };
        b.writes().filter(|(var, _)| self.wide(*var).is_some()).for_each(|(_, value)| mark(value));
        for e in self.expressions(body, b) {
            comparisons(exprs, e, &mut |compare| {
                if self.reads_wide(compare) {
                    mark(compare);
                }
            });
        }
        b.inputs.iter().zip(meets).map(|(input, meets)| wide_input(input, meets)).collect()
    }

    fn expressions(&self, body: BodyIx, b: &'m Body) -> Vec<ExprId> {
        let actions = self.machine.actions.iter().filter(|a| a.body == body);
        let assigned = b.effect.iter().chain(&b.finish).map(|a| a.value);
        let asked = b.rules.iter().flat_map(|r| [r.prerequisite, r.antecedent, r.value]).chain([b.applicable]);
        let sent = actions.flat_map(|a| a.updates.iter().map(|u| u.value).chain([a.allowed]));
        assigned.chain(asked).chain(sent).collect()
    }
}

/// Can what has these values be abstracted?
fn is_number(domain: &Domain) -> bool {
    matches!(domain, Domain::Int { .. } | Domain::Real { .. } | Domain::Date { .. } | Domain::Text { .. })
}

fn wide_input(input: &crate::machine::Input, meets: bool) -> Option<Wide> {
    let domain = &input.domain;
    if !is_number(domain) {
        return None;
    }
    match input.values.list() {
        _ if domain.is_unbounded() => Some(Wide::of(domain)),
        [(lo, hi)] => meets.then_some(Wide { sort: Sort::Int, lo: Some(*lo), hi: Some(*hi) }),
        _ => None,
    }
}

/// Calls `f` on every comparison inside an expression, each once.
pub fn comparisons(exprs: &Exprs, e: ExprId, f: &mut impl FnMut(ExprId)) {
    let mut seen = std::collections::BTreeSet::new();
    let mut todo = vec![e];
    while let Some(next) = todo.pop() {
        if seen.insert(next) {
            if matches!(exprs.node(next), Node::Compare(..)) {
                f(next);
            }
            todo.extend(exprs.parts(next));
        }
    }
}
