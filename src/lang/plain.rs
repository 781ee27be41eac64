//! A drawing for languages that have none: slots as boxes, their variables as chips.

use crate::machine::{Domain, Machine, VarId};
use crate::picture::font::{BODY, HEAD};
use crate::picture::xml::{escape, text};
use crate::picture::{Drawing, Label, Rect, width};
use std::fmt::Write;

const MARGIN: i32 = 16;
const PAD: i32 = 8;
const CHIP: i32 = 22;
const GAP: i32 = 6;

const STYLE: &str = ".plain .chip rect{fill:var(--box);stroke:var(--line)}\
    .plain.painted .chip[data-value=\"true\"] rect{fill:var(--open);stroke:var(--open-line)}\
    .plain .chip.changed rect{stroke:var(--accent);stroke-width:2}";

/// Every slot with its variables, and what belongs to none, in boxes below each other.
pub fn drawing(m: &Machine, most: i32) -> Drawing {
    let mut groups: Vec<(String, Vec<VarId>)> = m.slots.iter().map(|s| (s.name.clone(), s.vars.clone())).collect();
    let rest: Vec<VarId> = m.state_ids().filter(|v| !groups.iter().any(|(_, vars)| vars.contains(v))).collect();
    groups.push((m.name.clone(), rest));
    let mut body = String::new();
    let mut y = MARGIN;
    for (title, vars) in groups.into_iter().filter(|(_, vars)| !vars.is_empty()) {
        y += group(&mut body, m, &title, &vars, Rect { x: MARGIN, y, w: most - 2 * MARGIN, h: 0 }) + MARGIN;
    }
    let label = format!("Variables of {}", m.name);
    Drawing { width: most, height: y, kind: "plain", label, style: STYLE, body }
}

/// A name with the longest value that a page can show beside it.
pub fn widest(name: &str, domain: &Domain) -> String {
    let (lo, hi) = domain.bounds();
    let values = match domain {
        // Room for what most values need.
        _ if domain.is_unbounded() => vec!["1234567890.12".into()],
        Domain::Bool | Domain::Int { .. } => vec![domain.show(lo), domain.show(hi)],
        _ => (lo..=hi).map(|code| domain.show(code)).collect(),
    };
    let longest = values.into_iter().max_by_key(|v| width(v, BODY)).unwrap_or_default();
    format!("{name} = {longest}")
}

/// One box from a height on; gives its height.
pub fn group(out: &mut String, m: &Machine, title: &str, vars: &[VarId], at: Rect) -> i32 {
    let mut chips = String::new();
    let (mut x, mut y) = (at.x + PAD, at.y + 2 * PAD + HEAD.line);
    for v in vars {
        let name = &m.var(*v).name;
        let in_slot = m.var(*v).slot.and_then(|_| name.strip_prefix(title)?.strip_prefix('.'));
        let short = in_slot.unwrap_or(name);
        // True and false are colours here.
        let domain = &m.var(*v).domain;
        let longest = if *domain == Domain::Bool { short.to_string() } else { widest(short, domain) };
        let w = (width(&longest, BODY) + 2 * PAD).min(at.w - 2 * PAD);
        if x > at.x + PAD && x + w > at.x + at.w - PAD {
            (x, y) = (at.x + PAD, y + CHIP + GAP);
        }
        let _ = write!(chips, "<g class=\"chip\" data-var=\"{0}\"><title>{0}</title>", escape(name));
        let _ = write!(chips, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{CHIP}\" rx=\"4\"/>");
        let inner = Rect { x: x + PAD, y: y + 3, w: w - 2 * PAD, h: CHIP - 6 };
        text(&mut chips, &Label { at: inner, lines: vec![short.to_string()] }, BODY, "attr-name", false);
        chips += "</g>\n";
        x += w + GAP;
    }
    let h = y + CHIP + PAD - at.y;
    let _ =
        write!(out, "<rect class=\"type\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{h}\" rx=\"5\"/>", at.x, at.y, at.w);
    let head = Rect { x: at.x + PAD, y: at.y + PAD, w: width(title, HEAD).min(at.w - 2 * PAD), h: HEAD.line };
    text(out, &Label { at: head, lines: vec![title.to_string()] }, HEAD, "head", false);
    out.push('\n');
    *out += &chips;
    h
}
