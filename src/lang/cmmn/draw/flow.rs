//! A layout from left to right: what waits for something stands behind it, columns wrap where the width ends.

use super::{DIAMOND, MARGIN, Placed, TAB};
use crate::lang::cmmn::model::{Case, ItemIx, Kind, Source};
use crate::picture::font::{BODY, TITLE};
use crate::picture::{Rect, lines, width};

const PAD: i32 = 18;
const ACROSS: i32 = 44;
const DOWN: i32 = 20;
/// Widest text of a task.
const TEXT: i32 = 120;

/// Places everything within a width, as far as names allow.
pub fn lay_out(case: &Case, most: i32) -> Placed {
    let mut flow = Flow { case, items: vec![Rect::default(); case.items.len()] };
    let (w, h) = flow.container(0, most - 2 * MARGIN);
    flow.items[0] = Rect { x: 0, y: 0, w, h };
    flow.shift(0, MARGIN, MARGIN + TAB);
    let criteria = diamonds(case, &flow.items);
    Placed { width: w + 2 * MARGIN, height: h + 2 * MARGIN + TAB, items: flow.items, criteria }
}

struct Flow<'c> {
    case: &'c Case,
    /// Within their container, until they are shifted.
    items: Vec<Rect>,
}

impl Flow<'_> {
    /// Moves a shape and all inside it.
    fn shift(&mut self, ix: ItemIx, x: i32, y: i32) {
        self.items[ix].x += x;
        self.items[ix].y += y;
        for child in self.case.items[ix].children.clone() {
            self.shift(child, x, y);
        }
    }

    /// Places what is in a container at its origin; says how large it is.
    fn container(&mut self, ix: ItemIx, most: i32) -> (i32, i32) {
        let case = self.case;
        let title = width(&case.items[ix].label, TITLE).min(most - 2 * PAD);
        let head = if ix == 0 { PAD } else { PAD + TITLE.line };
        let (mut x, mut top, mut bottom, mut right) = (PAD, head, head, PAD + title);
        for column in columns(case, ix) {
            let sizes: Vec<(i32, i32)> = column.iter().map(|c| self.size(*c, most - 2 * PAD)).collect();
            let wide = sizes.iter().map(|s| s.0).max().unwrap_or(0);
            if x > PAD && x + wide > most - PAD {
                (x, top) = (PAD, bottom + DOWN + 8);
            }
            let mut y = top;
            for (child, (w, h)) in column.iter().zip(sizes) {
                self.items[*child].w = w;
                self.items[*child].h = h;
                self.shift(*child, x + (wide - w) / 2, y);
                y += h + DOWN;
                bottom = bottom.max(y - DOWN);
            }
            right = right.max(x + wide);
            x += wide + ACROSS;
        }
        let marks = 22;
        (right + PAD, bottom.max(head + 24) + marks)
    }

    fn size(&mut self, ix: ItemIx, most: i32) -> (i32, i32) {
        let item = &self.case.items[ix];
        let text = |most: i32| {
            let rows = lines(&item.label, BODY, most.max(40));
            let wide = rows.iter().map(|l| width(l, BODY)).max().unwrap_or(0);
            (wide, rows.len() as i32 * BODY.line)
        };
        let room = TEXT.min(most - 40);
        match item.kind {
            Kind::Plan | Kind::Stage => self.container(ix, most),
            Kind::Task(_) => {
                let (w, h) = text(room);
                ((w + 28).max(92), (h + 44).max(60))
            }
            Kind::Milestone(_) => {
                let (w, h) = text(room);
                ((w + 36).max(92), h + 20)
            }
            Kind::Listener { .. } => {
                let (w, h) = text(room);
                (w.max(44), 48 + h)
            }
        }
    }
}

/// The children of a container by how many others they wait for, one behind the other.
fn columns(case: &Case, container: ItemIx) -> Vec<Vec<ItemIx>> {
    let children = &case.items[container].children;
    let mut rank = vec![0_usize; case.items.len()];
    // The child of this container in which an item stands.
    let home = |ix: ItemIx| std::iter::once(ix).chain(case.containers(ix)).find(|a| children.contains(a));
    for _ in 0..children.len() {
        for criterion in &case.criteria {
            let Some(to) = home(criterion.item) else { continue };
            for part in &criterion.on {
                let Source::Items(sources) = &part.source else { continue };
                for from in sources.iter().filter_map(|s| home(*s)).filter(|from| *from != to) {
                    rank[to] = rank[to].max(rank[from] + 1).min(children.len().saturating_sub(1));
                }
            }
        }
    }
    let mut all: Vec<Vec<ItemIx>> = vec![Vec::new(); children.len()];
    children.iter().for_each(|c| all[rank[*c]].push(*c));
    all.retain(|column| !column.is_empty());
    all
}

/// Entry criteria on the left border, exit criteria on the right.
fn diamonds(case: &Case, items: &[Rect]) -> Vec<Rect> {
    let mut all = vec![Rect::default(); case.criteria.len()];
    for (ix, item) in case.items.iter().enumerate() {
        for (list, right) in [(&item.entry, false), (&item.exit, true)] {
            let n = list.len() as i32 + 1;
            for (k, c) in list.iter().enumerate() {
                let shape = shape_of(case, ix, items[ix]);
                let x = if right { shape.x + shape.w } else { shape.x };
                let y = shape.y + shape.h * (k as i32 + 1) / n;
                all[*c] = Rect { x: x - DIAMOND / 2, y: y - DIAMOND / 2, w: DIAMOND, h: DIAMOND };
            }
        }
    }
    all
}

/// The part of an item's place that its shape takes: a listener's circle stands above its name.
pub fn shape_of(case: &Case, ix: ItemIx, at: Rect) -> Rect {
    match case.items[ix].kind {
        Kind::Listener { .. } => {
            let side = at.w.min(at.h).min(40);
            Rect { x: at.x + (at.w - side) / 2, y: at.y, w: side, h: side }
        }
        _ => at,
    }
}
