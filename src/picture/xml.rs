//! Text for SVG.

use super::font::{self, Face};
use super::{Label, Rect};
use crate::source::is_unprintable;
use std::fmt::Write;

/// Text inside XML, in elements and attributes; characters that XML forbids, or that should not be shown, become a question mark.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' => out += "&#10;",
            '\t' => out.push(' '),
            c if is_unprintable(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// The lines of a label. Text of known width is held to it, so that another font changes the letters but not the layout.
pub fn text(out: &mut String, label: &Label, face: Face, class: &str, end: bool) {
    let Rect { x, y, w, .. } = label.at;
    let (x, anchor) = if end { (x + w, " text-anchor=\"end\"") } else { (x, "") };
    for (i, line) in label.lines.iter().enumerate() {
        let base = y + face.line * i as i32 + face.line * 3 / 4;
        let fixed = match font::known(line) && line.len() > 2 {
            true => format!(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", font::width(line, face)),
            false => String::new(),
        };
        let _ = write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{base}\"{anchor}{fixed}>{}</text>", escape(line));
    }
}
