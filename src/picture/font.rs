//! How wide text is, without a font: the widths of Helvetica, which Arial and Liberation Sans share.

/// Thousandths of the font size for the characters from space to tilde.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Lines of one label at most; what is longer ends with an ellipsis, and its whole text is in the tooltip.
const MOST_LINES: usize = 6;

/// A font as far as layout cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Size in tenths of a pixel.
    pub tenths: i32,
    /// Bold text is wider.
    pub bold: bool,
    /// Distance of baselines.
    pub line: i32,
}

/// Names of stages.
pub const TITLE: Face = Face { tenths: 125, bold: true, line: 16 };
/// Names of artifact types.
pub const HEAD: Face = Face { tenths: 145, bold: true, line: 20 };
/// Names of milestones.
pub const BODY: Face = Face { tenths: 115, bold: false, line: 14 };
/// Tasks, attributes.
pub const SMALL: Face = Face { tenths: 110, bold: false, line: 14 };

/// Is the width of this text known exactly?
pub fn known(text: &str) -> bool {
    text.bytes().all(|b| (b' '..=b'~').contains(&b))
}

fn thousandths(c: char) -> i32 {
    match c {
        ' '..='~' => i32::from(WIDTHS[c as usize - 32]),
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' => 0,
        '\u{1100}'..='\u{11ff}' | '\u{2600}'..='\u{27bf}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{fbff}' => 1050,
        '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'.. => 1350,
        _ => 720,
    }
}

/// Width of a text in pixels, rounded up.
pub fn width(text: &str, face: Face) -> i32 {
    let sum: i64 = text.chars().map(|c| i64::from(thousandths(c))).sum();
    let sum = if face.bold { sum * 108 / 100 } else { sum };
    ((sum * i64::from(face.tenths) + 9_999) / 10_000).min(1 << 20) as i32
}

/// A name on lines no wider than `most` where its parts allow it: broken at blanks, after signs, between the humps of a compound
/// name, and anywhere in a part that is too long by itself.
pub fn lines(text: &str, face: Face, most: i32) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(text, face, most) {
        let longer = format!("{line}{piece}");
        if !line.is_empty() && width(longer.trim_end(), face) > most {
            out.push(std::mem::take(&mut line).trim_end().to_string());
            line = piece.trim_start().to_string();
        } else {
            line = longer;
        }
    }
    out.push(line.trim_end().to_string());
    if out.len() > MOST_LINES {
        out.truncate(MOST_LINES);
        if let Some(last) = out.last_mut() {
            last.push('…');
        }
    }
    out
}

/// The parts of a name between which a line may end; joined they are the name with every blank a space.
fn pieces(text: &str, face: Face, most: i32) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut piece = String::new();
    let mut before = ' ';
    for c in text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }).take(600) {
        let hump = c.is_uppercase() && before.is_lowercase();
        let after = matches!(before, ' ' | '_' | '-' | '/' | '.' | ',' | ':');
        let full = !piece.is_empty() && width(&piece, face) + width(c.encode_utf8(&mut [0; 4]), face) > most;
        if (hump || full || (after && c != ' ')) && !piece.is_empty() {
            out.push(std::mem::take(&mut piece));
        }
        piece.push(c);
        before = c;
    }
    out.push(piece);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_break_where_their_parts_meet() {
        let name = "RequesterReadySubmit";
        assert_eq!(lines(name, BODY, 400), [name]);
        assert_eq!(lines(name, BODY, 90), ["RequesterReady", "Submit"]);
        assert_eq!(lines("a long_name here", BODY, 40), ["a long_", "name", "here"]);
        let long = "x".repeat(50);
        assert!(lines(&long, BODY, 60).iter().all(|l| width(l, BODY) <= 60));
        assert_eq!(lines(&long, BODY, 100).concat(), long);
        assert_eq!(lines("", BODY, 60), [""]);
    }
}
