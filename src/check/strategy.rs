//! Strategies in GSM names.

use crate::answer::StrategyMove;
use crate::interp::Choice;
use crate::machine::Machine;
use crate::native::strategy::{Strategy, StrategyRow};
use crate::trace::{differences, name_choice};

/// The table of a strategy: in which snapshot which member does what.
pub fn named(m: &Machine, strategy: &Strategy) -> Vec<StrategyMove> {
    let initial = m.initial();
    let line = |row: &StrategyRow| StrategyMove {
        snapshot: differences(m, &initial, &row.snapshot),
        agent: m.agent_name(row.agent).to_string(),
        sends: name_choice(m, &Choice::Act { action: row.choice.action, inputs: row.choice.inputs.clone() }),
    };
    strategy.rows.iter().map(line).collect()
}
