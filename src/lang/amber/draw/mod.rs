//! AMBER models as the literature draws them: circles for actions, half circles for interactions, boxes for joins, diamonds for
//! splits, rounded rectangles for blocks with triangles for their entries and exits.
//!
//! Every block is laid out by itself, from the inside out: what follows stands to the right of what it follows, and a row that becomes
//! too long goes on below. [`svg`] draws it.

mod layout;
mod route;
pub mod svg;
#[cfg(test)]
mod tests;

pub use layout::lay_out;

use crate::lang::amber::lower::Map;
use crate::lang::amber::{BlockIx, Model, NodeIx};
use crate::machine::VarId;
use crate::picture::{Label, Rect};

/// A model, laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmberPicture {
    /// Width of the whole.
    pub width: i32,
    /// Height of the whole.
    pub height: i32,
    /// Blocks, outer before inner, without the whole model.
    pub blocks: Vec<BlockBox>,
    /// Per node of the model.
    pub nodes: Vec<NodeBox>,
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockBox {
    /// Which.
    pub block: BlockIx,
    /// Where.
    pub at: Rect,
    /// Its name and who performs it.
    pub title: Label,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeBox {
    /// Its shape.
    pub at: Rect,
    /// Its name; empty for joins and splits that have none of their own.
    pub label: Label,
}

/// What of a snapshot is drawn.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Per node: occurrences that wait.
    pub triggered: Vec<i64>,
    /// Per node.
    pub executed: Vec<bool>,
    /// Per node.
    pub disabled: Vec<bool>,
    /// Per node.
    pub blocked: Vec<bool>,
    /// Per arrow: tokens before an AndJoin.
    pub marks: Vec<i64>,
}

impl Shown {
    /// The parts of a snapshot of the machine.
    pub fn of(map: &Map, codes: &[i64]) -> Shown {
        let code = |v: &Option<VarId>| v.and_then(|v| codes.get(v.0 as usize).copied()).unwrap_or(0);
        let set = |list: &[Option<VarId>]| list.iter().map(|v| code(v) != 0).collect();
        Shown {
            triggered: map.triggered.iter().map(code).collect(),
            executed: map.executed.iter().map(|v| code(&Some(*v)) != 0).collect(),
            disabled: set(&map.disabled),
            blocked: set(&map.blocked),
            marks: map.marks.iter().map(code).collect(),
        }
    }

    /// What is true of a node, as classes.
    pub fn classes(&self, n: NodeIx) -> String {
        let mut out = String::new();
        let is = |list: &[bool]| list.get(n).copied().unwrap_or(false);
        if self.triggered.get(n).is_some_and(|t| *t > 0) {
            out += " triggered";
        }
        for (name, list) in [("executed", &self.executed), ("disabled", &self.disabled), ("blocked", &self.blocked)] {
            if is(list) {
                out.push(' ');
                out += name;
            }
        }
        out
    }
}

/// Does a node have a name of its own, not one made from its kind?
fn has_own_name(model: &Model, n: NodeIx) -> bool {
    let node = &model.nodes[n];
    let made = node.name.strip_prefix(node.kind.word()).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    node.kind.happens() || !made
}
