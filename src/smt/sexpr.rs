//! S-expressions, as solvers answer them.

/// A word or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A symbol, a number or a text (with its quotes).
    Word(String),
    /// `( … )`
    List(Vec<Sexpr>),
}

impl std::fmt::Display for Sexpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sexpr::Word(word) => f.write_str(word),
            Sexpr::List(items) => {
                let items: Vec<String> = items.iter().map(Sexpr::to_string).collect();
                write!(f, "({})", items.join(" "))
            }
        }
    }
}

/// How many lists are open in a text that comes in pieces, without reading all of it again for every piece.
#[derive(Clone, Copy, Debug, Default)]
pub struct Balance {
    open: usize,
    quote: Option<char>,
}

impl Balance {
    /// Goes on with the next piece.
    pub fn add(&mut self, piece: &str) {
        for c in piece.chars() {
            match (self.quote, c) {
                (Some(quote), _) if c == quote => self.quote = None,
                (Some(_), _) => {}
                (None, '"' | '|') => self.quote = Some(c),
                (None, '(') => self.open += 1,
                (None, ')') => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Is more to come?
    pub fn is_open(&self) -> bool {
        self.open > 0 || self.quote.is_some()
    }
}

/// Deeper lists than this are no answer.
const MAX_DEPTH: usize = 1000;

impl Sexpr {
    /// Reads one expression; `None` if it is not complete yet.
    ///
    /// # Errors
    /// When no continuation could make it one.
    pub fn read(text: &str) -> Result<Option<Sexpr>, String> {
        let mut open: Vec<Vec<Sexpr>> = Vec::new();
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let done = match c {
                c if c.is_whitespace() => continue,
                '(' => {
                    open.push(Vec::new());
                    if open.len() > MAX_DEPTH {
                        return Err("lists too deep".into());
                    }
                    continue;
                }
                ')' => Sexpr::List(open.pop().ok_or("a list ends that never began")?),
                '"' | '|' => {
                    let rest = &text[at + 1..];
                    let Some(length) = rest.find(c) else { return Ok(None) };
                    while chars.peek().is_some_and(|(i, _)| *i <= at + 1 + length) {
                        chars.next();
                    }
                    Sexpr::Word(text[at..at + 2 + length].to_string())
                }
                _ => {
                    let end = |c: char| c.is_whitespace() || c == '(' || c == ')';
                    let length = text[at..].find(end).unwrap_or(text.len() - at);
                    while chars.peek().is_some_and(|(i, _)| *i < at + length) {
                        chars.next();
                    }
                    Sexpr::Word(text[at..at + length].to_string())
                }
            };
            match open.last_mut() {
                Some(list) => list.push(done),
                None if chars.all(|(_, c)| c.is_whitespace()) => return Ok(Some(done)),
                None => return Err("more than one answer".into()),
            }
        }
        Ok(None)
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Sexpr::Word(w) => Some(w),
            Sexpr::List(_) => None,
        }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(l) => Some(l),
            Sexpr::Word(_) => None,
        }
    }
}
