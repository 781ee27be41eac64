//! Fenced blocks of Markdown pages.

/// A fenced block: its info string and its lines, with the line numbers of its fences.
pub struct Block {
    pub info: String,
    pub open: usize,
    pub close: usize,
}

/// The fenced blocks of a page.
pub fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<usize> = None;
    for (i, line) in lines.iter().enumerate() {
        match (open, line.strip_prefix("```")) {
            (None, Some(_)) => open = Some(i),
            (Some(start), Some("")) => {
                found.push(Block { info: lines[start][3..].to_string(), open: start, close: i });
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// The value of `key=value` in an info string.
pub fn option<'a>(info: &'a str, key: &str) -> Option<&'a str> {
    info.split_whitespace().find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
}
