//! Words and symbols, one at a time: nothing is kept, so a huge file costs no more than its text.

use super::Text;

/// Which language a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Guards and conditions of models: JEXL, the OCL subset, E-GSM data terms.
    Sentry,
    /// Agents files.
    Agents,
    /// Property files.
    Property,
    /// AMBER models.
    Amber,
    /// Models in gsmc's own notation.
    Notation,
}

/// Kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// A name or word operator.
    Word,
    /// Digits.
    Int,
    /// Digits with a fraction.
    Decimal,
    /// A quoted text, quotes included.
    Quoted,
    /// An E-GSM data term `{…}`, braces included.
    DataTerm,
    /// An E-GSM value `[…]`, brackets included.
    Value,
    /// A symbol, in its usual spelling.
    Sym(&'static str),
    /// Something that starts (with this) and never ends.
    Unclosed(&'static str),
    /// A character that means nothing here.
    Unknown,
    /// The end of the text, or of the property.
    End,
}

/// A token with its place in the decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub tok: Tok,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line ends between the token before and this one.
    pub gap: Gap,
}

/// What separates two tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Nothing, not even a blank.
    pub none: bool,
    /// A line end.
    pub line: bool,
    /// An empty line.
    pub empty_line: bool,
}

/// Printed symbols of the papers and what one types for them.
#[rustfmt::skip]
const PRINTED: [(&str, &str); 22] = [
    ("¬", "!"), ("∧", "&&"), ("∨", "||"), ("→", "->"), ("⇒", "->"), ("↔", "<->"), ("⇔", "<->"),
    ("≠", "!="), ("≤", "<="), ("≥", ">="), ("\\", "/"),
    ("□", "[]"), ("◻", "[]"), ("◇", "<>"), ("◊", "<>"), ("⋄", "<>"),
    ("⟨⟨", "<<"), ("⟩⟩", ">>"), ("⟪", "<<"), ("⟫", ">>"), ("〈〈", "<<"), ("〉〉", ">>"),
];

/// Printed symbols that are read like words.
const PRINTED_WORDS: [char; 4] = ['∀', '∃', '⊤', '⊥'];

/// Reads tokens from a text.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t Text,
    dialect: Dialect,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// From the start.
    pub fn new(text: &'t Text, dialect: Dialect) -> Lexer<'t> {
        Lexer { text, dialect, at: 0 }
    }

    /// From a byte on.
    pub fn starting_at(text: &'t Text, dialect: Dialect, at: usize) -> Lexer<'t> {
        Lexer { text, dialect, at }
    }

    /// The next token; [`Tok::End`] for ever after the last.
    pub fn token(&mut self) -> Token {
        let before = self.at;
        let mut gap = Gap::default();
        if let Err(start) = self.skip(&mut gap) {
            self.at = self.text.as_str().len();
            return Token { tok: Tok::Unclosed("/*"), start, end: start + 2, gap };
        }
        let start = self.at;
        gap.none = start == before;
        let tok = self.scan();
        Token { tok, start, end: self.at, gap }
    }

    fn rest(&self) -> &'t str {
        self.text.as_str().get(self.at..).unwrap_or("")
    }

    /// Skips blanks and comments. `Err` is the start of an unclosed comment.
    fn skip(&mut self, gap: &mut Gap) -> Result<(), usize> {
        let comments = self.dialect != Dialect::Sentry;
        // Line ends since the last thing that is not a blank; an empty line takes two, or one at the start of the text.
        let mut ends = usize::from(self.at == 0);
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { return Ok(()) };
            if c.is_whitespace() || c == '\u{feff}' {
                ends += usize::from(c == '\n');
                gap.line |= c == '\n';
                gap.empty_line |= ends >= 2;
                self.at += c.len_utf8();
            } else if comments && rest.starts_with("/*") {
                let len = rest.find("*/").ok_or(self.at)?;
                self.at += len + 2;
                ends = 0;
            } else if self.dialect == Dialect::Property && rest.starts_with("\\\n") {
                // A definition goes on in the next line.
                self.at += 2;
            } else if comments && (rest.starts_with("//") || c == '#' && self.comments_with_hash(rest)) {
                self.at += rest.find('\n').unwrap_or(rest.len());
                ends = 0;
            } else {
                return Ok(());
            }
        }
    }

    /// Does a `#` here start a comment? In property files `#define` does not.
    fn comments_with_hash(&self, rest: &str) -> bool {
        match self.dialect {
            Dialect::Agents => false,
            Dialect::Property => !starts_definition(rest),
            _ => true,
        }
    }

    fn scan(&mut self) -> Tok {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Tok::End };
        match c {
            '\'' | '"' | '‘' | '’' | '“' => self.quoted(c),
            '{' if self.dialect == Dialect::Sentry => self.enclosed('}', "{", Tok::DataTerm),
            '[' if self.dialect == Dialect::Sentry => self.enclosed(']', "[", Tok::Value),
            '0'..='9' => self.number(),
            _ if c.is_alphabetic() || c == '_' => {
                let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                self.at += len;
                Tok::Word
            }
            _ if PRINTED_WORDS.contains(&c) => {
                self.at += c.len_utf8();
                Tok::Word
            }
            _ => self.symbol(c),
        }
    }

    fn symbol(&mut self, c: char) -> Tok {
        if let Some((printed, symbol)) = PRINTED.iter().find(|(printed, _)| self.rest().starts_with(printed)) {
            self.at += printed.len();
            return Tok::Sym(symbol);
        }
        match symbol(self.rest(), self.dialect) {
            Some(symbol) => {
                self.at += symbol.len();
                Tok::Sym(symbol)
            }
            None => {
                self.at += c.len_utf8();
                Tok::Unknown
            }
        }
    }

    fn quoted(&mut self, open: char) -> Tok {
        let close: &[char] = match open {
            '‘' | '’' => &['’'],
            '“' => &['”'],
            '"' => &['"'],
            _ => &['\''],
        };
        let mut escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if close.contains(&c) => {
                    self.at += i + c.len_utf8();
                    return Tok::Quoted;
                }
                _ => {}
            }
        }
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += line;
        Tok::Unclosed(if open == '"' || open == '“' { "\"" } else { "'" })
    }

    fn enclosed(&mut self, close: char, open: &'static str, tok: Tok) -> Tok {
        match self.rest().find(close) {
            Some(i) => {
                self.at += i + 1;
                tok
            }
            None => {
                self.at = self.text.as_str().len();
                Tok::Unclosed(open)
            }
        }
    }

    fn number(&mut self) -> Tok {
        let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
        let rest = self.rest();
        let whole = digits(rest);
        self.at += whole;
        match rest.get(whole..).and_then(|r| r.strip_prefix('.')).map(digits) {
            Some(fraction) if fraction > 0 => {
                self.at += 1 + fraction;
                Tok::Decimal
            }
            _ => Tok::Int,
        }
    }
}

/// `#define`, alone or with a blank behind it.
fn starts_definition(text: &str) -> bool {
    let rest = text.strip_prefix("#define");
    rest.is_some_and(|r| r.chars().next().is_none_or(char::is_whitespace))
}

/// A quoted token without its quotes and escapes.
pub fn unquote(raw: &str) -> String {
    let mut chars = raw.chars();
    chars.next();
    chars.next_back();
    let mut out = String::with_capacity(raw.len());
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(next @ ('\\' | '\'' | '"'))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// The longest symbol that a text starts with. `<<`, `>>` and `[]` belong to properties, `=>`, `:=` and `&` to AMBER.
#[rustfmt::skip]
fn symbol(text: &str, dialect: Dialect) -> Option<&'static str> {
    let (property, amber) = (dialect == Dialect::Property, dialect == Dialect::Amber);
    Some(match text.as_bytes() {
        [b'<', b'-', b'>', ..] => "<->",
        [b'&', b'&', ..] => "&&",
        [b'|', b'|', ..] => "||",
        [b'-', b'>', ..] => "->",
        [b'=', b'=', ..] => "==",
        [b'!', b'=', ..] => "!=",
        [b'<', b'=', ..] => "<=",
        [b'>', b'=', ..] => ">=",
        [b'<', b'<', ..] if property => "<<",
        [b'>', b'>', ..] if property => ">>",
        [b'<', b'>', ..] => "<>",
        [b'[', b']', ..] if property => "[]",
        [b'=', b'>', ..] if amber => "=>",
        [b':', b'=', ..] if amber => ":=",
        [b'$', b'$', ..] => "$$",
        [b'.', b'.', ..] => "..",
        [b'!', ..] => "!",
        [b'<', ..] => "<",
        [b'>', ..] => ">",
        [b'=', ..] => "=",
        [b'+', ..] => "+",
        [b'-', ..] => "-",
        [b'*', ..] => "*",
        [b'/', ..] => "/",
        [b'(', ..] => "(",
        [b')', ..] => ")",
        [b'{', ..] => "{",
        [b'}', ..] => "}",
        [b'[', ..] => "[",
        [b']', ..] => "]",
        [b',', ..] => ",",
        [b';', ..] => ";",
        [b':', ..] => ":",
        [b'.', ..] => ".",
        [b'|', ..] => "|",
        [b'&', ..] if amber => "&",
        [b'@', ..] => "@",
        [b'%', ..] => "%",
        [b'?', ..] => "?",
        [b'#', ..] if property => "#",
        _ => return None,
    })
}
