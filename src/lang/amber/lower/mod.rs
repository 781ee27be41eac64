//! From the model to the machine: one transition per event.
//!
//! Variables for every node and kept cell (`vars`), then one body per event: what its parties do to the data (`data`), then where
//! their tokens go (`flow`), all in one step. Only data that something reads is kept (`cone`). Refraining from what is optional is
//! a body of its own. Nothing here knows which engine comes next.

mod atoms;
mod body;
mod cone;
mod data;
mod flow;
mod read;
mod tokens;
mod values;
mod vars;

pub use body::REFRAIN;
pub use vars::{Map, Meaning};

use super::Expr;
use super::model::Model;
use crate::logic::Property;
use crate::machine::{
    Action, AgentIx, Assign, Body, BodyIx, CompareOp, Domain, ExprId, Exprs, Idle, Machine, Valid, Var, VarId, validate,
};
use crate::source::{Diagnostic, codes};

/// A machine and which of its variables stands for what.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The machine, proved well-formed.
    pub machine: Valid,
    /// Its variables.
    pub map: Map,
}

/// Lowers a model with its properties. Fails where a step would have too many tokens.
pub fn lower(model: &Model, properties: &[Property<Expr>], keep_all: bool) -> Result<Lowered, Diagnostic> {
    Relevant::of(model, properties, keep_all).lower(model, properties)
}

/// What of a model matters for some properties. Equal for two lists of properties: their machines differ in the properties alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevant {
    /// Per cell.
    kept: Vec<bool>,
    /// The last event.
    last: bool,
}

impl Relevant {
    /// What matters for these properties.
    pub fn of(model: &Model, properties: &[Property<Expr>], keep_all: bool) -> Relevant {
        Relevant { kept: cone::kept(model, properties, keep_all), last: properties.iter().any(vars::asks_last) }
    }

    /// The machine of what matters, with these properties.
    pub fn lower(&self, model: &Model, properties: &[Property<Expr>]) -> Result<Lowered, Diagnostic> {
        let mut lower = Lower { model, m: empty(model), map: Map::default(), scratch: Vec::new() };
        lower.make_variables(&self.kept, self.last);
        lower.make_agents();
        lower.make_bodies()?;
        lower.make_refraining();
        lower.make_properties(properties);
        lower.m.left_out = cone::left_out(model, &self.kept);
        let Lower { mut m, map, scratch, .. } = lower;
        m.vars.extend(scratch);
        let machine = validate(m).map_err(|f| Diagnostic::placeless(&codes::machine::BAD_MACHINE, f.to_string()))?;
        Ok(Lowered { machine, map })
    }
}

fn empty(model: &Model) -> Machine {
    Machine {
        name: model.name.clone(),
        vars: Vec::new(),
        exprs: Exprs::default(),
        slots: Vec::new(),
        agents: Vec::new(),
        bodies: Vec::new(),
        actions: Vec::new(),
        idle: Idle::Terminal,
        overflow: VarId(0),
        properties: Vec::new(),
        questions: Vec::new(),
        bounds: Vec::new(),
        left_out: Vec::new(),
        cyclic: false,
    }
}

/// A machine under construction.
struct Lower<'a> {
    model: &'a Model,
    m: Machine,
    map: Map,
    /// Scratch variables so far; they come behind all others.
    scratch: Vec<Var>,
}

/// Expressions with more nodes than this, written out, are computed once and kept in a scratch variable.
const LARGE: usize = 40;

impl Lower<'_> {
    /// A scratch variable.
    fn scratch(&mut self, name: String, domain: Domain) -> VarId {
        let id = VarId((self.m.vars.len() + self.scratch.len()) as u32);
        let init = domain.bounds().0;
        let name = format!("{name} #{}", self.scratch.len() + 1);
        self.scratch.push(Var { name, domain, init, scratch: true, slot: None });
        id
    }

    /// An expression, through a scratch variable of this domain if it is large.
    fn shared(&mut self, e: ExprId, name: &str, domain: Domain, effect: &mut Vec<Assign>) -> ExprId {
        if self.written_out(e) <= LARGE { e } else { self.captured(e, name, domain, effect) }
    }

    /// An expression as it is now, kept in a scratch variable.
    fn captured(&mut self, e: ExprId, name: &str, domain: Domain, effect: &mut Vec<Assign>) -> ExprId {
        let var = self.scratch(name.to_string(), domain);
        effect.push(Assign { var, value: e });
        self.m.exprs.cur(var)
    }

    /// Nodes of an expression as a tree, up to a little more than [`LARGE`].
    fn written_out(&self, e: ExprId) -> usize {
        let (mut count, mut open) = (0, vec![e]);
        while let Some(next) = open.pop() {
            count += 1;
            if count > LARGE {
                break;
            }
            open.extend(self.m.exprs.parts(next));
        }
        count
    }

    /// A variable as a number: Booleans as 0 and 1.
    fn as_number(&mut self, var: VarId, read: ExprId) -> ExprId {
        if self.domain(var) != &Domain::Bool {
            return read;
        }
        let (one, zero) = (self.m.exprs.int(1), self.m.exprs.int(0));
        self.m.exprs.ite(read, one, zero)
    }

    fn domain(&self, var: VarId) -> &Domain {
        static BOOL: Domain = Domain::Bool;
        let at = var.0 as usize;
        let all = self.m.vars.get(at).or_else(|| self.scratch.get(at.saturating_sub(self.m.vars.len())));
        all.map_or(&BOOL, |v| &v.domain)
    }

    /// Is a count at least 1?
    fn positive(&mut self, var: VarId, read: ExprId) -> ExprId {
        if self.domain(var) == &Domain::Bool {
            return read;
        }
        let zero = self.m.exprs.int(0);
        self.m.exprs.compare(CompareOp::Gt, read, zero)
    }

    /// `var := value` if `when` holds.
    fn set_if(&mut self, list: &mut Vec<Assign>, when: ExprId, var: VarId, value: ExprId) {
        let old = self.m.exprs.cur(var);
        let value = self.m.exprs.ite(when, value, old);
        if value != old {
            list.push(Assign { var, value });
        }
    }

    fn add(&mut self, body: Body, agent: AgentIx, allowed: ExprId) {
        let ix = BodyIx::next(&self.m.bodies);
        self.m.bodies.push(body);
        self.m.actions.push(Action { agent, body: ix, allowed, updates: Vec::new() });
    }
}
