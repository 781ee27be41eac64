//! How text looks on a terminal: colours, and lines that end where the window ends.

/// How to print. The default: plain, changed values only, as wide as it gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Use colours.
    pub colour: bool,
    /// Show whole snapshots, not only what changed.
    pub full: bool,
    /// Columns of the window, if lines are to be broken.
    pub width: Option<usize>,
}

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// As it should be; became true.
    Good,
    /// Not as it should be.
    Bad,
    /// Became false.
    Gone,
    /// Open; another value.
    Open,
    /// What the eye should find.
    Strong,
    /// What it may pass over.
    Faint,
}

impl Look {
    /// A text in colour, if colours are used.
    pub fn paint(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Good => "32",
            Ink::Bad => "31;1",
            Ink::Gone => "31",
            Ink::Open => "33",
            Ink::Strong => "1",
            Ink::Faint => "2",
        };
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Items one after the other behind a label, on as many lines as they need; later lines stand below the first item.
    pub fn list(&self, label: &str, items: &[String], between: &str, paint: &dyn Fn(&str) -> String) -> String {
        let indent = columns(label);
        let mut out = label.to_string();
        let mut used = indent;
        for (i, item) in items.iter().enumerate() {
            let last = i + 1 == items.len();
            let needed = columns(item) + if last { 0 } else { columns(between.trim_end()) };
            if i > 0 && self.width.is_some_and(|w| used + columns(between) + needed > w) {
                out += between.trim_end();
                out += "\n";
                out += &" ".repeat(indent);
                used = indent;
            } else if i > 0 {
                out += between;
                used += columns(between);
            }
            out += &paint(item);
            used += columns(item);
        }
        out + "\n"
    }

    /// A formula or a sentence, broken between words where it is nested least; later lines stand two columns further in.
    pub fn wrapped(&self, indent: usize, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let (mut rest, mut margin) = (text.trim(), indent);
        while let Some(at) = self.width.and_then(|w| cut(rest, w.saturating_sub(margin).max(20))) {
            let (line, more) = rest.split_at(at);
            lines.push(format!("{}{}", " ".repeat(margin), line.trim_end()));
            rest = more.trim_start();
            margin = indent + 2;
        }
        lines.push(format!("{}{rest}", " ".repeat(margin)));
        lines
    }
}

/// Columns that a text takes (one per character).
pub fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Where to break a text that does not fit: at the blank in the later two thirds of the line that is nested least, a connective
/// preferred; if there is none, at the first blank after it. `None`: it fits, or has no blank.
fn cut(text: &str, width: usize) -> Option<usize> {
    if columns(text) <= width {
        return None;
    }
    let (mut depth, mut quoted) = (0_usize, false);
    let mut best: Option<(usize, usize)> = None;
    for (column, (at, c)) in text.char_indices().enumerate() {
        match c {
            '\'' | '"' => quoted = !quoted,
            '(' | '{' if !quoted => depth += 1,
            ')' | '}' if !quoted => depth = depth.saturating_sub(1),
            ' ' if !quoted && column <= width => {
                let word = text[at..].trim_start().split(' ').next().unwrap_or_default();
                let joins = ["->", "<->", "&&", "||", "and", "or", "implies", "iff", "U", "UNTIL"].contains(&word);
                let cost = depth * 2 + usize::from(!joins);
                if column * 3 >= width && best.is_none_or(|(least, _)| cost <= least) {
                    best = Some((cost, at));
                }
            }
            ' ' if !quoted && best.is_none() => return Some(at),
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(width: usize) -> Look {
        Look { width: Some(width), ..Look::default() }
    }

    #[test]
    fn formulas_break_where_they_are_nested_least() {
        let text = "AG ((Order.Paid && Order.Packed && !Order.Cancelled) -> AF (Order.Shipped || Order.Refunded))";
        let lines = at(60).wrapped(2, text);
        assert_eq!(
            lines,
            ["  AG ((Order.Paid && Order.Packed && !Order.Cancelled)", "    -> AF (Order.Shipped || Order.Refunded))"]
        );
        assert_eq!(Look::default().wrapped(2, text).len(), 1);
        let back: String = lines.iter().map(|l| l.trim()).collect::<Vec<_>>().join(" ");
        assert_eq!(back, text, "nothing is lost");
    }

    #[test]
    fn one_long_word_stays_whole() {
        let name = "x".repeat(70);
        assert_eq!(at(40).wrapped(0, &format!("AG {name} && b")), [format!("AG {name}"), "  && b".to_string()]);
        assert_eq!(at(40).wrapped(0, "'a quoted  text with blanks that is longer than a line'").len(), 1);
    }

    #[test]
    fn lists_continue_below_their_first_item() {
        let items: Vec<String> = ["+alpha", "-beta", "gamma 0 -> 1"].map(String::from).to_vec();
        let plain = |s: &str| s.to_string();
        assert_eq!(
            at(28).list("    changed  ", &items, "  ", &plain),
            concat!("    changed  +alpha  -beta\n", "             gamma 0 -> 1\n")
        );
        assert_eq!(at(26).list("  fired ", &items, ", ", &plain), "  fired +alpha, -beta,\n        gamma 0 -> 1\n");
        assert_eq!(Look::default().list("a ", &items, ", ", &plain), "a +alpha, -beta, gamma 0 -> 1\n");
    }

    #[test]
    fn colours_only_when_asked_for() {
        assert_eq!(at(80).paint(Ink::Bad, "x"), "x");
        assert_eq!(Look { colour: true, ..at(80) }.paint(Ink::Bad, "x"), "\u{1b}[31;1mx\u{1b}[0m");
    }
}
