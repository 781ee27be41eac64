//! Positions from the diagram in the file.

use super::{DIAMOND, MARGIN, Placed, TAB};
use crate::lang::cmmn::model::Case;
use crate::picture::Rect;

/// Diagrams are made smaller down to this; narrower ones are laid out anew.
const SMALLEST: f64 = 0.75;

/// The file's own layout, if every item and criterion has a place in it and it fits the width.
pub fn lay_out(case: &Case, most: i32) -> Option<Placed> {
    let shape = |id: &str| case.shapes.get(id).copied();
    let mut items = case.items.iter().map(|i| shape(&i.id)).collect::<Option<Vec<Rect>>>()?;
    let mut criteria = case.criteria.iter().map(|c| shape(&c.id)).collect::<Option<Vec<Rect>>>()?;
    let all = || items.iter().chain(&criteria);
    let (left, top) = (all().map(|r| r.x).min()?, all().map(|r| r.y).min()?);
    let (right, bottom) = (all().map(|r| r.x + r.w).max()?, all().map(|r| r.y + r.h).max()?);
    let scale = (f64::from(most - 2 * MARGIN) / f64::from((right - left).max(1))).min(1.0);
    if scale < SMALLEST || !is_tidy(case, &items) {
        return None;
    }
    let by = |n: i32| (f64::from(n) * scale).round() as i32;
    for r in items.iter_mut().chain(&mut criteria) {
        *r = Rect { x: by(r.x - left) + MARGIN, y: by(r.y - top) + MARGIN + TAB, w: by(r.w), h: by(r.h) };
    }
    for (r, c) in criteria.iter_mut().zip(&case.criteria) {
        let centre = (r.x + r.w / 2, r.y + r.h / 2);
        *r = Rect { x: centre.0 - DIAMOND / 2, y: centre.1 - DIAMOND / 2, w: DIAMOND, h: DIAMOND };
        debug_assert!(c.item < items.len());
    }
    Some(Placed { width: by(right - left) + 2 * MARGIN, height: by(bottom - top) + 2 * MARGIN + TAB, items, criteria })
}

/// Shapes large enough to be seen, each in its container.
fn is_tidy(case: &Case, items: &[Rect]) -> bool {
    let fits = |(ix, r): (usize, &Rect)| {
        let inside = case.items[ix].parent.is_none_or(|p| items[p].holds(r));
        r.w >= 20 && r.h >= 20 && r.w < 10_000 && r.h < 10_000 && inside
    };
    items.iter().enumerate().all(fits)
}
