//! Small signs: what kind of task or listener it is, and its decorators.

use crate::lang::cmmn::model::{Case, ItemIx, Kind, NEVER};
use crate::picture::Rect;
use crate::picture::xml::escape;
use std::fmt::Write;

/// Side of a sign.
const SIDE: i32 = 12;

/// The sign of a task's or listener's kind, as a path in a square of 12.
fn kind_path(case: &Case, ix: ItemIx) -> Option<&'static str> {
    let element = &case.items[ix].element;
    Some(match element.as_str() {
        "humanTask" | "userEventListener" | "userEvent" => {
            "M6 1a2.4 2.4 0 1 1 0 5a2.4 2.4 0 1 1 0-5M1.5 12c0-3 2-5 4.5-5s4.5 2 4.5 5"
        }
        "caseTask" => "M1 11V2h4l1 2h5v7z",
        "processTask" => "M1 2h6l4 4-4 4H1l3-4z",
        "decisionTask" => "M1 2h10v8H1zM1 5h10M4 5v5M1 7.5h10",
        "timerEventListener" | "timerEvent" => "M6 1a5 5 0 1 1 0 10a5 5 0 1 1 0-10M6 3v3l2 2",
        _ => return None,
    })
}

/// Draws the sign of a kind with its upper left corner there.
pub fn kind(out: &mut String, case: &Case, ix: ItemIx, x: i32, y: i32) {
    if let Some(path) = kind_path(case, ix) {
        let _ = write!(out, "<path class=\"sign\" transform=\"translate({x} {y})\" d=\"{path}\"/>");
    }
}

/// Decorators in the middle of the lower border: autoComplete, started by hand, required, repeats.
pub fn decorators(out: &mut String, case: &Case, ix: ItemIx, at: Rect) {
    let item = &case.items[ix];
    let all = [
        (
            item.auto_complete != NEVER,
            "<path class=\"sign full\" d=\"M1 1h10v10H1z\"/>",
            "completes by itself (autoComplete)",
        ),
        (item.manual != NEVER, "<path class=\"sign\" d=\"M2 1l8 5-8 5z\"/>", "started by hand"),
        (item.required != NEVER, "<path class=\"sign full\" d=\"M5 0h2v8H5zM5 10h2v2H5z\"/>", "required"),
        (item.repetition.is_some(), "<path class=\"sign\" d=\"M4 1v10M8 1v10M1 4h10M1 8h10\"/>", "repeats"),
    ];
    let shown: Vec<_> = all.into_iter().filter(|(on, ..)| *on).collect();
    let wide = shown.len() as i32 * (SIDE + 4) - 4;
    let above = if matches!(item.kind, Kind::Plan) { 6 } else { 4 };
    let (mut x, y) = (at.x + (at.w - wide) / 2, at.y + at.h - SIDE - above);
    for (_, sign, title) in shown {
        let _ = write!(
            out,
            "<g class=\"decorator\" transform=\"translate({x} {y})\"><title>{}</title>{sign}</g>",
            escape(title)
        );
        x += SIDE + 4;
    }
}
