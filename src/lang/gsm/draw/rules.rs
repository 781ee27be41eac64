//! The rule graph of an event as SVG: rules in layers, each below the rules that decide before it.

use crate::lang::gsm::{Application, Edge, Order, RuleIx, Rules};
use crate::picture::font::{BODY, SMALL, lines, width};
use crate::picture::xml::{escape, text};
use crate::picture::{Label, Rect, STYLE, palette};
use std::collections::BTreeMap;
use std::fmt::Write;

const MARGIN: i32 = 16;
const ACROSS: i32 = 18;
const DOWN: i32 = 46;
const PAD: i32 = 8;
/// Longest line of a rule's name.
const NAME: i32 = 170;

struct Node {
    rule: RuleIx,
    at: Rect,
    name: Vec<String>,
    cyclic: bool,
}

/// The rule graphs of some events, one below the other.
pub fn file(app: &Application, rules: &Rules, orders: &[&Order]) -> String {
    let mut body = String::new();
    let (mut w, mut h) = (200, MARGIN);
    for order in orders {
        let (part, size) = graph(app, rules, order, h);
        body += &part;
        w = w.max(size.w);
        h += size.h + MARGIN;
    }
    let style = palette::resolved(&[STYLE, include_str!("../../../../templates/page/rules.css")].concat());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawn rules\" \
         width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"Rule graph of {}\">\
         <style>{style}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0L8 4L0 8Z\"/></marker></defs>\n{body}</svg>\n",
        escape(&app.name)
    )
}

/// One graph from a height on.
fn graph(app: &Application, rules: &Rules, order: &Order, top: i32) -> (String, Rect) {
    let title = format!("Rules on {}", order.occurrence.name(app));
    let layers = layers(order);
    let (nodes, size) = place(app, rules, order, &layers, top + 30);
    let mut out = format!("<g class=\"graph\" data-event=\"{}\">", escape(&order.occurrence.name(app)));
    let head = Label {
        at: Rect { x: MARGIN, y: top, w: width(&title, crate::picture::font::HEAD), h: 20 },
        lines: vec![title],
    };
    text(&mut out, &head, crate::picture::font::HEAD, "head", false);
    out.push('\n');
    order.edges.iter().filter_map(|e| edge(&nodes, e)).for_each(|path| out += &path);
    for node in nodes.values() {
        let Rect { x, y, w, h } = node.at;
        let label = format!("{}: {}", app.types[rules.list[node.rule].ty].id, rules.list[node.rule].label(app));
        let class = if node.cyclic { "rule cyclic" } else { "rule" };
        let _ = write!(out, "<g class=\"{class}\" data-rule=\"{0}\"><title>{0}</title>", escape(&label));
        let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"6\"/>");
        let name = Label { at: Rect { x: x + PAD, y: y + 4, w: w - 2 * PAD, h: h - 8 }, lines: node.name.clone() };
        text(&mut out, &name, BODY, "rule-name", false);
        out += "</g>\n";
    }
    out += "</g>\n";
    (out, Rect { w: size.w, h: size.h + 30, x: 0, y: top })
}

/// Rules layer by layer: the layer after the deepest rule that must decide before. Dropped edges do not count. Rules that have
/// nothing to do with any other come last.
fn layers(order: &Order) -> Vec<Vec<RuleIx>> {
    let mut depth: BTreeMap<RuleIx, usize> = BTreeMap::new();
    for rule in &order.sequence {
        let before = order.edges.iter().filter(|e| !e.dropped && e.to == *rule && e.from != *rule);
        let deepest = before.filter_map(|e| depth.get(&e.from)).max().map_or(0, |d| d + 1);
        depth.insert(*rule, deepest);
    }
    let joined = |r: &RuleIx| order.edges.iter().any(|e| e.from == *r || e.to == *r);
    let (graph, alone): (Vec<RuleIx>, Vec<RuleIx>) = order.sequence.iter().copied().partition(joined);
    let mut out: Vec<Vec<RuleIx>> = Vec::new();
    for rule in &graph {
        let d = depth.get(rule).copied().unwrap_or(0);
        out.resize_with(out.len().max(d + 1), Vec::new);
        out[d].push(*rule);
    }
    out.extend((!alone.is_empty()).then_some(alone));
    out
}

/// Boxes in rows as wide as a screen; a layer that is wider takes several rows. In a layer, rules stand below what they wait for.
fn place(
    app: &Application,
    rules: &Rules,
    order: &Order,
    layers: &[Vec<RuleIx>],
    top: i32,
) -> (BTreeMap<RuleIx, Node>, Rect) {
    let mut nodes: BTreeMap<RuleIx, Node> = BTreeMap::new();
    let number: BTreeMap<RuleIx, usize> = order.sequence.iter().enumerate().map(|(i, r)| (*r, i + 1)).collect();
    let (mut y, mut widest) = (top, 0);
    for layer in layers {
        let mut members = layer.clone();
        let centre = |r: &RuleIx| {
            let above = order.edges.iter().filter(|e| !e.dropped && e.to == *r).filter_map(|e| nodes.get(&e.from));
            let xs: Vec<i32> = above.map(|n| n.at.x + n.at.w / 2).collect();
            (xs.iter().sum::<i32>() / (xs.len().max(1) as i32), number.get(r).copied())
        };
        members.sort_by_cached_key(centre);
        let (mut x, mut high) = (MARGIN, 0);
        for rule in members {
            let several = app.types.len() > 1;
            let owner = if several { format!("{}: ", app.types[rules.list[rule].ty].id) } else { String::new() };
            let place = number.get(&rule).copied().unwrap_or(0);
            let name = lines(&format!("{place}. {owner}{}", rules.list[rule].label(app)), BODY, NAME);
            let w = name.iter().map(|l| width(l, BODY)).max().unwrap_or(0) + 2 * PAD;
            let h = name.len() as i32 * BODY.line + 8;
            if x > MARGIN && x + w > crate::picture::SCREEN - MARGIN {
                y += high + ACROSS;
                (x, high) = (MARGIN, 0);
            }
            let cyclic = order.cycles.iter().any(|c| c.contains(&rule));
            nodes.insert(rule, Node { rule, at: Rect { x, y, w, h }, name, cyclic });
            x += w + ACROSS;
            high = high.max(h);
            widest = widest.max(x);
        }
        y += high + DOWN;
    }
    let h = (y - DOWN - top).max(SMALL.line);
    (nodes, Rect { x: 0, y: top, w: widest + MARGIN, h })
}

/// A curve from the bottom of one box to the top of another.
fn edge(nodes: &BTreeMap<RuleIx, Node>, e: &Edge) -> Option<String> {
    let (a, b) = (nodes.get(&e.from)?.at, nodes.get(&e.to)?.at);
    if e.from == e.to {
        let (x, y) = (a.x + a.w, a.y + a.h / 2);
        return Some(format!("<path class=\"dropped\" d=\"M{x} {y}c14 -14 14 14 0 6\" marker-end=\"url(#tip)\"/>\n"));
    }
    let down = b.y > a.y;
    let (y1, y2) = if down { (a.y + a.h, b.y) } else { (a.y, b.y + b.h) };
    let (x1, x2) = (a.x + a.w / 2, b.x + b.w / 2);
    let bend = if down { 22 } else { -22 };
    let class = match (e.dropped, e.reversed) {
        (true, _) => "dropped",
        (_, true) => "reversed",
        _ => "before",
    };
    let note = if e.related { "<title>other instances</title>" } else { "" };
    Some(format!(
        "<path class=\"{class}\" d=\"M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}\" marker-end=\"url(#tip)\">{note}</path>\n",
        y1 + bend,
        y2 - bend
    ))
}
