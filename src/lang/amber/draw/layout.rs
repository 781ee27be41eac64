//! Where everything stands.

use super::{AmberPicture, BlockBox, NodeBox, has_own_name};
use crate::lang::amber::{BlockIx, Condition, Model, NodeIx, NodeKind};
use crate::picture::font::{BODY, HEAD, SMALL};
use crate::picture::{Label, Rect, lines, width};

/// Around everything, and inside a block.
const MARGIN: i32 = 20;
/// Between columns, with room for arrows and conditions.
const COLUMN_GAP: i32 = 46;
/// Between rows.
const ROW_GAP: i32 = 24;
/// Diameter of a circle.
const CIRCLE: i32 = 40;
/// Side of a box or diamond.
const SIGN: i32 = 22;
/// Width of a name.
const NAME: i32 = 96;

/// A part of a block: a node or a block inside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Node(NodeIx),
    Block(BlockIx),
}

/// A block laid out by itself, parts relative to its corner.
struct Inner {
    w: i32,
    h: i32,
    blocks: Vec<BlockBox>,
    nodes: Vec<(NodeIx, NodeBox)>,
}

/// Lays out a model. A row wider than `most` goes on below.
pub fn lay_out(model: &Model, most: i32) -> AmberPicture {
    let whole = block(model, 0, most.max(320));
    let mut nodes = vec![NodeBox::default(); model.nodes.len()];
    for (n, b) in whole.nodes {
        if let Some(place) = nodes.get_mut(n) {
            *place = b;
        }
    }
    AmberPicture { width: whole.w, height: whole.h, blocks: whole.blocks, nodes }
}

fn block(model: &Model, b: BlockIx, most: i32) -> Inner {
    let mut inside: Vec<(BlockIx, Inner)> = Vec::new();
    for sub in (0..model.blocks.len()).filter(|&s| model.blocks[s].parent == Some(b)) {
        inside.push((sub, block(model, sub, most - 2 * MARGIN)));
    }
    let gates = |kind: NodeKind| -> Vec<NodeIx> {
        (0..model.nodes.len()).filter(|&n| model.nodes[n].block == b && model.nodes[n].kind == kind).collect()
    };
    let (entries, exits) = (gates(NodeKind::Entry), gates(NodeKind::Exit));
    let gate = |n: &NodeIx| matches!(model.nodes[*n].kind, NodeKind::Entry | NodeKind::Exit);
    let nodes = (0..model.nodes.len()).filter(|n| model.nodes[*n].block == b && !gate(n)).map(Part::Node);
    let parts: Vec<Part> = nodes.chain(inside.iter().map(|(s, _)| Part::Block(*s))).collect();
    let sizes: Vec<(i32, i32)> = parts
        .iter()
        .map(|part| match part {
            Part::Node(n) => node_size(model, *n),
            Part::Block(s) => inside.iter().find(|(i, _)| i == s).map_or((0, 0), |(_, inner)| (inner.w, inner.h)),
        })
        .collect();
    let title = title(model, b);
    let top = if b == 0 { MARGIN } else { MARGIN + title.at.h };
    let gate_width = |list: &[NodeIx]| list.iter().map(|&n| width(&model.nodes[n].name, SMALL) + 8).max().unwrap_or(0);
    let left = MARGIN + gate_width(&entries);
    let right = MARGIN + gate_width(&exits);
    let columns = columns(model, b, &parts);
    let gaps: Vec<i32> = columns.iter().map(|c| gap(model, &parts, c)).collect();
    let (places, mut w, mut h) = place(&columns, &gaps, &sizes, (left, top), most - right);
    w = (w + right).max(title.at.w + 2 * MARGIN);
    h = (h + MARGIN).max(top + MARGIN + 26 * entries.len().max(exits.len()) as i32);
    let mut out = Inner { w, h, blocks: Vec::new(), nodes: Vec::new() };
    for ((part, at), size) in parts.iter().zip(&places).zip(&sizes) {
        match part {
            Part::Node(n) => out.nodes.push((*n, node_box(model, *n, *at, *size))),
            Part::Block(s) => {
                let Some((_, inner)) = inside.iter().find(|(i, _)| i == s) else { continue };
                let frame = Rect { x: at.0, y: at.1, w: inner.w, h: inner.h };
                let mut label = self::title(model, *s);
                (label.at.x, label.at.y) = (at.0 + 12, at.1 + 8);
                out.blocks.push(BlockBox { block: *s, at: frame, title: label });
                let moved = |mut r: Rect| {
                    (r.x, r.y) = (r.x + at.0, r.y + at.1);
                    r
                };
                for b in &inner.blocks {
                    let title = Label { at: moved(b.title.at), lines: b.title.lines.clone() };
                    out.blocks.push(BlockBox { block: b.block, at: moved(b.at), title });
                }
                for (n, b) in &inner.nodes {
                    let label = Label { at: moved(b.label.at), lines: b.label.lines.clone() };
                    out.nodes.push((*n, NodeBox { at: moved(b.at), label }));
                }
            }
        }
    }
    for (list, x, inward) in [(&entries, 0, 1), (&exits, w, -1)] {
        for (i, &n) in list.iter().enumerate() {
            let step = (h - top) / (list.len() as i32 + 1);
            let y = top + step * (i as i32 + 1);
            let name = width(&model.nodes[n].name, SMALL);
            let at = Rect { x: x - 7, y: y - 8, w: 14, h: 16 };
            let label_x = if inward > 0 { x + 12 } else { x - 12 - name };
            let label = Label {
                at: Rect { x: label_x, y: y - 7, w: name, h: SMALL.line },
                lines: vec![model.nodes[n].name.clone()],
            };
            out.nodes.push((n, NodeBox { at, label }));
        }
    }
    out
}

fn title(model: &Model, b: BlockIx) -> Label {
    let block = &model.blocks[b];
    let by = block.actor.and_then(|a| model.actors.get(a)).map_or(String::new(), |a| format!(" · {}", a.name));
    let text = format!("{}{by}", block.name);
    let at = Rect { x: 0, y: 0, w: width(&text, HEAD), h: HEAD.line };
    Label { at, lines: if b == 0 { Vec::new() } else { vec![text] } }
}

fn node_size(model: &Model, n: NodeIx) -> (i32, i32) {
    let node = &model.nodes[n];
    let side = if node.kind.happens() { CIRCLE } else { SIGN };
    if !has_own_name(model, n) {
        return (side, side);
    }
    let name = lines(&node.name, BODY, NAME);
    let wide = name.iter().map(|l| width(l, BODY)).max().unwrap_or(0);
    (side.max(wide), side + 4 + BODY.line * name.len() as i32)
}

fn node_box(model: &Model, n: NodeIx, at: (i32, i32), size: (i32, i32)) -> NodeBox {
    let node = &model.nodes[n];
    let side = if node.kind.happens() { CIRCLE } else { SIGN };
    let shape = Rect { x: at.0 + (size.0 - side) / 2, y: at.1, w: side, h: side };
    let mut label = Label::default();
    if has_own_name(model, n) {
        label.lines = lines(&node.name, BODY, NAME);
        let wide = label.lines.iter().map(|l| width(l, BODY)).max().unwrap_or(0);
        label.at = Rect { x: at.0 + (size.0 - wide) / 2, y: at.1 + side + 4, w: wide, h: size.1 - side - 4 };
    }
    NodeBox { at: shape, label }
}

/// Parts by column: behind everything that they follow, arrows that lead back not counted.
fn columns(model: &Model, b: BlockIx, parts: &[Part]) -> Vec<Vec<usize>> {
    let of = |n: NodeIx| {
        let home = model.nodes[n].block;
        parts.iter().position(|p| match p {
            Part::Node(m) => *m == n,
            Part::Block(s) => model.inside(home, *s),
        })
    };
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (i, a) in model.arrows.iter().enumerate() {
        let inside = model.inside(model.nodes[a.from].block, b) && model.inside(model.nodes[a.to].block, b);
        if !inside || model.is_double(i) {
            continue;
        }
        if let (Some(from), Some(to)) = (of(a.from), of(a.to))
            && from != to
        {
            next[from].push(to);
        }
    }
    let order = finished_last_first(&next);
    let position: Vec<usize> = {
        let mut at = vec![0; parts.len()];
        order.iter().enumerate().for_each(|(i, &p)| at[p] = i);
        at
    };
    let mut rank = vec![0usize; parts.len()];
    for &p in &order {
        for &q in &next[p] {
            if position[q] > position[p] {
                rank[q] = rank[q].max(rank[p] + 1);
            }
        }
    }
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); rank.iter().max().map_or(0, |m| m + 1)];
    (0..parts.len()).for_each(|p| out[rank[p]].push(p));
    in_good_order(&mut out, &next);
    out
}

/// Reverse order of finishing a depth-first walk: sources first, arrows that close a cycle lead backwards.
fn finished_last_first(next: &[Vec<usize>]) -> Vec<usize> {
    let (mut seen, mut done) = (vec![false; next.len()], Vec::new());
    for start in 0..next.len() {
        let mut stack = vec![(start, 0)];
        while let Some((at, way)) = stack.pop() {
            if way == 0 && std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match next[at].get(way) {
                Some(&to) => {
                    stack.push((at, way + 1));
                    if !seen[to] {
                        stack.push((to, 0));
                    }
                }
                None => done.push(at),
            }
        }
    }
    done.reverse();
    done
}

/// In each column, parts stand about as high as what leads to them.
fn in_good_order(columns: &mut [Vec<usize>], next: &[Vec<usize>]) {
    let mut height: Vec<f64> = vec![0.0; next.len()];
    for column in columns {
        let mut wanted: Vec<(f64, usize)> = Vec::new();
        for (row, &p) in column.iter().enumerate() {
            let from: Vec<f64> = (0..next.len()).filter(|&q| next[q].contains(&p)).map(|q| height[q]).collect();
            let mean = if from.is_empty() { row as f64 } else { from.iter().sum::<f64>() / from.len() as f64 };
            wanted.push((mean, p));
        }
        wanted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *column = wanted.into_iter().map(|(_, p)| p).collect();
        column.iter().enumerate().for_each(|(row, &p)| height[p] = row as f64);
    }
}

/// Room behind a column: as much as the conditions of the arrows that leave it need.
fn gap(model: &Model, parts: &[Part], column: &[usize]) -> i32 {
    let leaves = |from: NodeIx| column.iter().any(|&p| parts[p] == Part::Node(from));
    let conditions = model.arrows.iter().filter(|a| leaves(a.from)).filter_map(|a| match &a.condition {
        Some(Condition::Holds(_, text)) => Some(width(text, SMALL) + 28),
        _ => None,
    });
    conditions.max().unwrap_or(0).clamp(COLUMN_GAP, 220)
}

/// Corner of each part, and the right and lower ends of all.
fn place(
    columns: &[Vec<usize>],
    gaps: &[i32],
    sizes: &[(i32, i32)],
    (left, top): (i32, i32),
    most: i32,
) -> (Vec<(i32, i32)>, i32, i32) {
    let mut places = vec![(0, 0); sizes.len()];
    let column_width = |c: &[usize]| c.iter().map(|&p| sizes[p].0).max().unwrap_or(0);
    let column_height = |c: &[usize]| c.iter().map(|&p| sizes[p].1 + ROW_GAP).sum::<i32>() - ROW_GAP;
    let (mut x, mut y, mut right, mut start) = (left, top, left, 0);
    let mut bands: Vec<(usize, usize)> = Vec::new();
    for (i, c) in columns.iter().enumerate() {
        let w = column_width(c);
        if x > left && x + w > most {
            bands.push((start, i));
            (start, x) = (i, left);
        }
        x += w + gaps.get(i).copied().unwrap_or(COLUMN_GAP);
    }
    bands.push((start, columns.len()));
    for (from, to) in bands {
        let band = columns.get(from..to).unwrap_or_default();
        let tall = band.iter().map(|c| column_height(c)).max().unwrap_or(0);
        let mut x = left;
        for (i, c) in band.iter().enumerate() {
            let w = column_width(c);
            let mut at = y + (tall - column_height(c)) / 2;
            for &p in c {
                places[p] = (x + (w - sizes[p].0) / 2, at);
                at += sizes[p].1 + ROW_GAP;
            }
            right = right.max(x + w);
            x += w + gaps.get(from + i).copied().unwrap_or(COLUMN_GAP);
        }
        y += tall + 2 * ROW_GAP;
    }
    (places, right, y - 2 * ROW_GAP)
}
