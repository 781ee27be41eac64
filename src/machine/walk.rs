//! How a step goes, written once: an engine says what a value, an assignment, a condition and a rule are to it.
//!
//! Engines that share the work of a body among the agents who can make it happen walk [`body`] once and [`updates`] for each.

use super::{Action, Assign, Body, ExprId, Exprs, Machine, Node, Rule, VarId};

/// An engine that goes through a step.
pub trait Executor {
    /// What an expression is worth.
    type Value;
    /// Why it cannot go on.
    type Stop;

    /// An expression at this moment, kept in the domain of the variable that it is meant for.
    fn value(&mut self, e: ExprId, var: VarId) -> Result<Self::Value, Self::Stop>;

    /// `var := value`.
    fn set(&mut self, var: VarId, value: Self::Value) -> Result<(), Self::Stop>;

    /// The step exists only where this holds; `false` ends the walk.
    fn require(&mut self, condition: ExprId) -> Result<bool, Self::Stop>;

    /// The turn of a rule.
    fn rule(&mut self, position: usize, rule: &Rule) -> Result<(), Self::Stop>;

    /// All rules have had their turn: this is Σₙ.
    fn ruled(&mut self, _body: &Body) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// A value that reads what is set before the value itself is used.
    fn keep(&mut self, value: Self::Value) -> Result<Self::Value, Self::Stop> {
        Ok(value)
    }
}

/// A whole step; `false` when it does not exist.
pub fn walk<E: Executor>(m: &Machine, action: &Action, e: &mut E) -> Result<bool, E::Stop> {
    let exists = e.require(action.allowed)? && body(m.body(action), e)?;
    if exists {
        updates(&m.exprs, action, e)?;
    }
    Ok(exists)
}

/// What happens, whoever makes it happen; `false` when it cannot.
pub fn body<E: Executor>(body: &Body, e: &mut E) -> Result<bool, E::Stop> {
    in_order(&body.effect, e)?;
    if !e.require(body.applicable)? {
        return Ok(false);
    }
    for (position, rule) in body.rules.iter().enumerate() {
        e.rule(position, rule)?;
    }
    e.ruled(body)?;
    in_order(&body.finish, e)?;
    Ok(true)
}

/// Assignments of which each sees the ones before it.
pub fn in_order<E: Executor>(list: &[Assign], e: &mut E) -> Result<(), E::Stop> {
    for a in list {
        let value = e.value(a.value, a.var)?;
        e.set(a.var, value)?;
    }
    Ok(())
}

/// What becomes of the variables that an action updates, all at once.
pub fn updates<E: Executor>(exprs: &Exprs, action: &Action, e: &mut E) -> Result<(), E::Stop> {
    let list = &action.updates;
    let mut values = Vec::with_capacity(list.len());
    for (i, a) in list.iter().enumerate() {
        let value = e.value(a.value, a.var)?;
        values.push(if reads(exprs, a.value, &list[..i]) { e.keep(value)? } else { value });
    }
    for (a, value) in list.iter().zip(values) {
        e.set(a.var, value)?;
    }
    Ok(())
}

/// Does an expression read what one of these assignments writes?
fn reads(exprs: &Exprs, e: ExprId, written: &[Assign]) -> bool {
    let mut found = false;
    if !written.is_empty() {
        exprs.leaves(e, &mut |leaf| found |= matches!(leaf, Node::Cur(v) if written.iter().any(|a| a.var == *v)));
    }
    found
}
