//! A case in CMMN's own notation: the plan as a folder, stages with cut corners, tasks, milestones, listeners, criteria as diamonds.
//!
//! Shapes lie where the file's diagram has them, if it has all of them and they fit; otherwise from left to right as one waits for
//! the other ([`flow`]).

mod flow;
mod given;
mod icon;
mod svg;
#[cfg(test)]
mod tests;

use super::Cmmn;
use super::model::Case;
use crate::picture::{Drawing, Rect};

/// Side of a criterion's diamond.
const DIAMOND: i32 = 18;
/// Room around the whole.
const MARGIN: i32 = 16;
/// Height of the plan's tab.
const TAB: i32 = 24;

/// Where everything lies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub width: i32,
    pub height: i32,
    /// Per item.
    pub items: Vec<Rect>,
    /// Per criterion: its diamond.
    pub criteria: Vec<Rect>,
}

/// The picture of a case for a width.
pub(super) fn drawing(cmmn: &Cmmn, most: i32) -> Drawing {
    svg::drawing(cmmn, &lay_out(&cmmn.case, most))
}

/// Places everything.
pub(super) fn lay_out(case: &Case, most: i32) -> Placed {
    given::lay_out(case, most).unwrap_or_else(|| flow::lay_out(case, most))
}
