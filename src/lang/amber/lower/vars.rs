//! Variables and who sees them.

use super::Lower;
use super::values::few_values;
use crate::lang::amber::Expr;
use crate::lang::amber::model::{ArrowIx, Cell, Condition, Control, Model, NodeIx, NodeKind};
use crate::logic::Property;
use crate::machine::{AgentIx, Domain, MachineAgent, TRUE, Var, VarId, View};

/// Which variable stands for what.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Per node: occurrences that wait (actions and interactions).
    pub triggered: Vec<Option<VarId>>,
    /// Per node.
    pub executed: Vec<VarId>,
    /// Per node: targets of disabling arrows.
    pub disabled: Vec<Option<VarId>>,
    /// Per node: OrSplits that may find no way.
    pub blocked: Vec<Option<VarId>>,
    /// Per arrow: those into AndJoins.
    pub marks: Vec<Option<VarId>>,
    /// Per cell: those that are kept.
    pub cells: Vec<Option<VarId>>,
    /// Per cell: its few values, where the variable holds positions in that list.
    pub values: Vec<Option<Vec<i64>>>,
    /// The last event, if a property asks: 0 for none, else its number plus 1.
    pub last: Option<VarId>,
    /// Something was cut or lost.
    pub overflow: Option<VarId>,
    /// An occurrence was lost and no bound is named.
    pub crowded: Option<VarId>,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Occurrences of an (inter)action that wait.
    Triggered(NodeIx),
    /// A node has happened.
    Executed(NodeIx),
    /// An (inter)action will not happen any more.
    Disabled(NodeIx),
    /// An OrSplit found no way.
    Blocked(NodeIx),
    /// Tokens on an arrow into an AndJoin.
    Mark(ArrowIx),
    /// Data.
    Cell(usize),
    /// The last event.
    Last,
    /// The overflow flag.
    Overflow,
    /// The flag of a lost occurrence.
    Crowded,
}

impl Map {
    /// How a cell is stored, and what it starts with.
    fn stored(&self, c: usize, cell: &Cell) -> (Domain, i64) {
        match self.values.get(c).and_then(Option::as_ref) {
            Some(values) => {
                let init = values.iter().position(|v| *v == cell.init).unwrap_or(0);
                let values = values.iter().map(i64::to_string).collect();
                (Domain::Enum { values, bottom: false }, init as i64)
            }
            None => (cell.ty.domain(), cell.init),
        }
    }

    /// The code that stands for a value of a cell.
    pub fn code(&self, cell: usize, value: i64) -> i64 {
        let few = self.values.get(cell).and_then(Option::as_ref);
        few.map_or(value, |few| few.iter().position(|v| *v == value).map_or(-1, |p| p as i64))
    }

    /// What a variable stands for; nothing for scratch variables.
    pub fn meaning(&self, var: VarId) -> Option<Meaning> {
        let at = |list: &[Option<VarId>]| list.iter().position(|v| *v == Some(var));
        None.or_else(|| at(&self.triggered).map(Meaning::Triggered))
            .or_else(|| self.executed.iter().position(|v| *v == var).map(Meaning::Executed))
            .or_else(|| at(&self.disabled).map(Meaning::Disabled))
            .or_else(|| at(&self.blocked).map(Meaning::Blocked))
            .or_else(|| at(&self.marks).map(Meaning::Mark))
            .or_else(|| at(&self.cells).map(Meaning::Cell))
            .or_else(|| (self.last == Some(var)).then_some(Meaning::Last))
            .or_else(|| (self.overflow == Some(var)).then_some(Meaning::Overflow))
            .or_else(|| (self.crowded == Some(var)).then_some(Meaning::Crowded))
    }
}

impl Lower<'_> {
    fn var(&mut self, name: String, domain: Domain, init: i64) -> VarId {
        self.m.vars.push(Var { name, domain, init, scratch: false, slot: None });
        VarId(self.m.vars.len() as u32 - 1)
    }

    pub(super) fn make_variables(&mut self, kept: &[bool], last: bool) {
        let model = self.model;
        self.map.marks = vec![None; model.arrows.len()];
        for (n, node) in model.nodes.iter().enumerate() {
            let mut triggered = None;
            if node.kind.happens() {
                let start = i64::from(model.starts_triggered(n));
                triggered = Some(self.var(format!("triggered({})", node.path), count(node.repeated, model), start));
            }
            self.map.triggered.push(triggered);
            let executed = self.var(format!("executed({})", node.path), Domain::Bool, 0);
            self.map.executed.push(executed);
            let target = model.disables.iter().any(|d| d.to == n);
            let disabled = target.then(|| self.var(format!("disabled({})", node.path), Domain::Bool, 0));
            self.map.disabled.push(disabled);
            let blocked = may_block(model, n).then(|| self.var(format!("blocked({})", node.path), Domain::Bool, 0));
            self.map.blocked.push(blocked);
            if node.kind == NodeKind::AndJoin {
                self.make_marks(n);
            }
        }
        self.map.values = few_values(model);
        for (c, cell) in model.cells.iter().enumerate() {
            let (domain, init) = self.map.stored(c, cell);
            let var = kept.get(c).copied().unwrap_or(false).then(|| self.var(cell.name.clone(), domain, init));
            self.map.cells.push(var);
        }
        if last {
            let values = model.events.iter().map(|e| e.name.clone()).collect();
            self.map.last = Some(self.var("last".into(), Domain::Enum { values, bottom: true }, 0));
        }
        if model.bound.is_none() && model.nodes.iter().any(|n| n.repeated) {
            self.map.crowded = Some(self.var("crowded".into(), Domain::Bool, 0));
        }
        self.m.overflow = self.var("overflow".into(), Domain::Bool, 0);
        self.map.overflow = Some(self.m.overflow);
    }

    fn make_marks(&mut self, join: NodeIx) {
        let model = self.model;
        let node = &model.nodes[join];
        let mut names: Vec<&str> = Vec::new();
        for a in model.incoming(join) {
            let from = model.nodes[model.arrows[a].from].path.as_str();
            let before = names.iter().filter(|n| **n == from).count();
            names.push(from);
            let number = if before > 0 { format!(" {}", before + 1) } else { String::new() };
            let name = format!("mark({}, {from}{number})", node.path);
            self.map.marks[a] = Some(self.var(name, count(node.repeated, model), 0));
        }
    }

    /// The actors in order, then the nameless agent where it is needed.
    pub(super) fn make_agents(&mut self) {
        let model = self.model;
        for (i, actor) in model.actors.iter().enumerate() {
            let mut seen: Vec<VarId> = Vec::new();
            for n in (0..model.nodes.len()).filter(|&n| model.actor_of(n) == Some(i)) {
                seen.extend(self.map.triggered[n]);
                seen.push(self.map.executed[n]);
                seen.extend(self.map.disabled[n]);
                seen.extend(self.map.blocked[n]);
                seen.extend(model.incoming(n).filter_map(|a| self.map.marks[a]));
            }
            let own = (0..model.cells.len()).filter(|&c| own_data(model, i, c) || actor.sees.contains(&c));
            seen.extend(own.filter_map(|c| self.map.cells[c]));
            seen.sort_unstable();
            seen.dedup();
            let view = View { name: actor.name.clone(), visible: TRUE, seen };
            self.m.agents.push(MachineAgent {
                name: Some(actor.name.clone()),
                private: Vec::new(),
                sees_all: false,
                views: vec![view],
            });
        }
        if model.has_nameless_agent() {
            self.m.agents.push(MachineAgent { name: None, private: Vec::new(), sees_all: true, views: Vec::new() });
        }
    }

    /// The agent of an actor, or the nameless one.
    pub(super) fn agent(&self, actor: Option<usize>) -> AgentIx {
        AgentIx(actor.unwrap_or(self.m.agents.len().saturating_sub(1)))
    }
}

/// Is a cell declared in a block of an actor?
pub(super) fn own_data(model: &Model, actor: usize, cell: usize) -> bool {
    let var = &model.vars[model.cells[cell].var];
    model.blocks[var.block].actor == Some(actor)
}

/// How many may wait: one, or as many as the model has room for.
fn count(repeated: bool, model: &Model) -> Domain {
    match model.room() {
        room if repeated && room > 1 => Domain::Int { lo: 0, hi: room },
        _ => Domain::Bool,
    }
}

/// Can an OrSplit find that no condition holds?
pub(super) fn may_block(model: &Model, n: NodeIx) -> bool {
    model.nodes[n].kind == NodeKind::OrSplit
        && model.outgoing(n).all(|a| matches!(model.arrows[a].condition, Some(Condition::Holds(..))))
}

/// Does a property ask what happened last?
pub(super) fn asks_last(property: &Property<Expr>) -> bool {
    let mut asks = false;
    let mut look = |e: &Expr| {
        e.walk(&mut |part| asks |= matches!(part, Expr::Control(Control::Just(_) | Control::JustRelation(_))));
    };
    property.fair.iter().chain([&property.formula]).for_each(|f| f.atoms(&mut look));
    asks
}
