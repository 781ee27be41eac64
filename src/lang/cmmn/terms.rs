//! What pages call the parts of a case, and what the signs of its picture mean.

use super::model::Case;
use crate::lang::terms::{CHANGED, Sign, Terms};

/// Signs of a picture in CMMN's notation: shapes, diamonds and decorators, then the colours of states.
const LEGEND: &[Sign] = &[
    Sign::new("sign plan-sign", "case"),
    Sign::new("sign stage-sign", "stage"),
    Sign::new("sign task-sign", "task"),
    Sign::new("sign milestone-sign", "milestone"),
    Sign::new("circle twice", "listener"),
    Sign::new("sign planned-sign", "discretionary item"),
    Sign::new("diamond", "entry criterion"),
    Sign::new("diamond exit-sign", "exit criterion"),
    Sign::new("link-sign waits-sign", "what a criterion waits for"),
    Sign::new("decorator-sign", "required").with("!"),
    Sign::new("decorator-sign", "repeats").with("#"),
    Sign::new("decorator-sign", "started by hand").with("▷"),
    Sign::new("decorator-sign", "autoComplete").with("■"),
    Sign::new("circle", "one of several instances"),
    Sign::new("sign none-sign", "does not exist").live(),
    Sign::new("sign task-sign", "available or unavailable").live(),
    Sign::new("sign enabled-sign", "enabled").live(),
    Sign::new("sign open-sign", "active").live(),
    Sign::new("sign completed-sign", "completed").live(),
    Sign::new("sign ended-sign", "terminated or disabled").live(),
    Sign::new("sign failed-sign", "failed").live(),
    CHANGED,
];

/// The words of a case.
pub(super) fn of(case: &Case) -> Terms {
    let formula = match case.items.get(1) {
        Some(item) => format!("EF '{}'.completed", item.name),
        None => "EF case.completed".into(),
    };
    Terms { picture: "Items of the case", part: "item", formula, legend: LEGEND, ..Terms::plain() }
}
