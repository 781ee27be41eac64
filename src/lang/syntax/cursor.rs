//! A cursor over tokens: what is next, what was expected, names.

use super::lex::{Dialect, Gap, Lexer, Tok, Token, unquote};
use super::{Ast, AstKind, Definition, Definitions, Name, Text};
use crate::source::codes::expressions as codes;
use crate::source::{Code, Diagnostic, Span};
use std::rc::Rc;

/// How deep expressions may be nested.
pub const MAX_DEPTH: usize = 100;

/// How many names and nodes a text may hold.
pub const MAX_NODES: usize = 1_000_000;

/// Reads expressions and the pieces of the files around them, token by token.
#[derive(Clone, Debug)]
pub struct Parser<'t> {
    pub(super) text: &'t Text,
    pub(super) dialect: Dialect,
    pub(super) lexer: Lexer<'t>,
    next: Token,
    /// End of the last token taken.
    pub(super) last: usize,
    /// Open parentheses, brackets and braces.
    open: usize,
    /// The braces among them.
    braces: usize,
    pub(super) depth: usize,
    /// Names and nodes made so far.
    pub(super) nodes: usize,
    /// Does a line end outside parentheses end the text?
    one_line: bool,
    /// Inside `LTL`: are `G F X U W R` operators?
    pub(super) linear: bool,
    /// Have `[]` or `<>` been read as operators of linear time?
    pub(super) boxes: bool,
    /// Fixpoints around the present place: inside, `[]` and `<>` are single steps.
    pub(super) fixpoints: usize,
    /// Names that stand for formulas and groups.
    pub(super) definitions: Rc<Definitions>,
}

pub(super) type Parsed<T> = Result<T, Diagnostic>;

impl<'t> Parser<'t> {
    /// At the start of a text.
    pub fn new(text: &'t Text, dialect: Dialect) -> Parser<'t> {
        let mut lexer = Lexer::new(text, dialect);
        let next = lexer.token();
        Parser {
            text,
            dialect,
            lexer,
            next,
            last: 0,
            open: 0,
            braces: 0,
            depth: 0,
            nodes: 0,
            one_line: false,
            linear: false,
            boxes: false,
            fixpoints: 0,
            definitions: Rc::default(),
        }
    }

    /// The next token, not taken. In property files an empty line outside parentheses reads as the end, in AMBER models every
    /// line end does, and in the notation too, unless the next line goes on with `&&` or `||`.
    pub fn peek(&self) -> Token {
        let Gap { line, empty_line, .. } = self.next.gap;
        let stops = match self.dialect {
            Dialect::Property => empty_line || line && self.one_line,
            Dialect::Notation => line && self.one_line && !self.goes_on(),
            Dialect::Amber => line,
            Dialect::Sentry | Dialect::Agents => false,
        };
        if stops && self.open == 0 { Token { tok: Tok::End, end: self.next.start, ..self.next } } else { self.next }
    }

    fn goes_on(&self) -> bool {
        match self.next.tok {
            Tok::Sym(s) => matches!(s, "&&" | "||"),
            Tok::Word => matches!(self.word(self.next), "and" | "or") && self.peek_second().tok != Tok::Sym(":"),
            _ => false,
        }
    }

    /// The token after the next one.
    pub fn peek_second(&self) -> Token {
        self.lexer.clone().token()
    }

    /// Is everything read?
    pub fn at_end_of_text(&self) -> bool {
        self.next.tok == Tok::End
    }

    /// Steps over line ends and forgets what is open: a new property starts here.
    pub fn start_afresh(&mut self) {
        self.next.gap = Gap::default();
        (self.open, self.braces, self.depth, self.linear, self.one_line) = (0, 0, 0, false, false);
        (self.boxes, self.fixpoints) = (false, 0);
    }

    /// Steps over line ends; the statement that starts here ends with its line.
    pub fn start_line(&mut self) {
        self.start_afresh();
        self.one_line = true;
    }

    /// Does the next token start a line?
    pub fn next_line(&self) -> bool {
        self.next.gap.line
    }

    /// What stands before the next token: blanks, line ends and comments.
    pub fn gap_text(&self) -> &'t str {
        self.text.slice(self.last, self.next.start)
    }

    /// The comment lines right above the next token that begin with one of `marks`, as one text. What stands behind the last token on its own
    /// line is no such line.
    pub fn comment_above(&self, marks: &[&str]) -> String {
        let gap = self.gap_text();
        let above = if self.last == 0 { gap } else { gap.split_once('\n').map_or("", |(_, rest)| rest) };
        let lines: Vec<&str> = above.split('\n').map(str::trim).collect();
        // The last piece is what stands before the token on its own line.
        let lines = lines.split_last().map_or(&[][..], |(_, rest)| rest);
        let comment = |l: &&'t str| marks.iter().find_map(|mark| l.strip_prefix(mark));
        let mut found: Vec<&str> = lines.iter().rev().map_while(comment).collect();
        found.reverse();
        let words = found.iter().flat_map(|l| l.trim_start_matches('/').split_whitespace());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Takes a block `{ … }` written in another language and gives the text between the braces. The next token is its `{`.
    pub fn foreign_block(&mut self, dialect: Dialect) -> Parsed<Text> {
        let open = self.expect("{")?;
        let mut lexer = Lexer::starting_at(self.text, dialect, open.end);
        let mut depth = 0usize;
        loop {
            let token = lexer.token();
            match token.tok {
                Tok::Sym("{") => depth += 1,
                Tok::Sym("}") if depth == 0 => {
                    self.lexer = Lexer::starting_at(self.text, self.dialect, token.end);
                    (self.last, self.next) = (token.end, self.lexer.token());
                    (self.open, self.braces) = (self.open.saturating_sub(1), self.braces.saturating_sub(1));
                    return Ok(self.text.part(open.end, token.start));
                }
                Tok::Sym("}") => depth -= 1,
                Tok::End => {
                    (self.lexer, self.next) = (lexer, token);
                    let d = Diagnostic::new(&codes::UNCLOSED, self.span(open), "'{' is not closed");
                    return Err(d.label("opened here").help("add '}' where this block ends"));
                }
                _ => {}
            }
        }
    }

    /// Steps over a line end: what was begun goes on there.
    pub fn go_on(&mut self) {
        self.next.gap = Gap::default();
    }

    /// Is no bracket open?
    pub fn outside_brackets(&self) -> bool {
        self.open == 0
    }

    /// The brace just opened holds lines of its own, which end where they end.
    pub fn lines_inside(&mut self) {
        self.open = 0;
    }

    /// From now on a line end outside parentheses reads as the end.
    pub fn only_this_line(&mut self) {
        self.one_line = true;
    }

    /// Goes behind the next `;`, or before what follows an empty line, in parentheses or not.
    pub fn skip_property(&mut self) {
        while self.next.tok != Tok::End && !self.next.gap.empty_line {
            if self.bump().tok == Tok::Sym(";") {
                return;
            }
        }
    }

    /// Goes to the end of a statement that could not be read: before the next line outside the braces it opened, or before the
    /// brace that closes the block around it.
    pub fn skip_statement(&mut self) {
        loop {
            match self.next.tok {
                Tok::End => return,
                Tok::Sym("}") if self.braces == 0 => return,
                _ if self.braces == 0 && self.next.gap.line => return,
                Tok::Sym(";") if self.braces == 0 => return,
                _ => self.bump(),
            };
        }
    }

    /// Takes the next token.
    pub fn bump(&mut self) -> Token {
        let token = self.next;
        match token.tok {
            Tok::Sym("{") => self.braces += 1,
            Tok::Sym("}") => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        match token.tok {
            Tok::Sym("(" | "[" | "{") => self.open += 1,
            Tok::Sym(")" | "]" | "}") => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.last = token.end;
        self.next = self.lexer.token();
        if self.dialect == Dialect::Notation && leaves_open(token.tok) {
            self.next.gap = Gap::default();
        }
        token
    }

    /// Takes the first bytes of the next token; what is left of it is next.
    pub(super) fn split(&mut self, len: usize) {
        self.last = self.next.start + len;
        self.next = Token { start: self.last, gap: Gap::default(), ..self.next };
        if self.next.start == self.next.end {
            self.next = self.lexer.token();
        }
    }

    /// From now on this name stands for something; false if it does already.
    pub fn define(&mut self, name: &str, meaning: Definition) -> bool {
        Rc::make_mut(&mut self.definitions).insert(name.to_string(), meaning).is_none()
    }

    /// Reads what comes as a formula of linear time.
    pub fn read_linear(&mut self) {
        self.linear = true;
    }

    /// Have `[]` or `<>` been read as operators of linear time?
    pub fn has_boxes(&self) -> bool {
        self.boxes
    }

    /// The decoded text of a token.
    pub fn word(&self, token: Token) -> &'t str {
        self.text.slice(token.start, token.end)
    }

    /// The decoded text between two offsets.
    pub fn text_between(&self, start: usize, end: usize) -> &'t str {
        self.text.slice(start, end)
    }

    /// Where a token stands in the file.
    pub fn span(&self, token: Token) -> Span {
        self.text.span(token.start, token.end)
    }

    /// Where the text from `start` to the last token taken stands.
    pub fn since(&self, start: usize) -> Span {
        self.text.span(start, self.last.max(start))
    }

    /// Offset of the end of the last token taken.
    pub fn last_end(&self) -> usize {
        self.last
    }

    /// Is the next token this symbol?
    pub fn at(&self, symbol: &str) -> bool {
        matches!(self.peek().tok, Tok::Sym(s) if s == symbol)
    }

    /// Is the next token this word?
    pub fn at_word(&self, word: &str) -> bool {
        self.peek().tok == Tok::Word && self.word(self.next) == word
    }

    /// Takes this symbol if it is next.
    pub fn eat(&mut self, symbol: &str) -> bool {
        let here = self.at(symbol);
        if here {
            self.bump();
        }
        here
    }

    /// Takes this symbol or says that it was expected.
    pub fn expect(&mut self, symbol: &str) -> Parsed<Token> {
        if self.at(symbol) { Ok(self.bump()) } else { Err(self.expected(&format!("'{symbol}'"))) }
    }

    /// What the next token is, for people.
    pub fn found(&self) -> String {
        match self.peek().tok {
            Tok::End if self.next.tok == Tok::End && self.dialect != Dialect::Sentry => "the end of the file".into(),
            Tok::End if self.next.gap.empty_line => "an empty line".into(),
            Tok::End if self.dialect != Dialect::Sentry => "the end of the line".into(),
            Tok::End => "the end".into(),
            Tok::Word | Tok::Sym(_) => format!("'{}'", self.word(self.next)),
            _ => self.word(self.next).to_string(),
        }
    }

    /// An error at the next token: `what` was expected.
    pub fn expected(&self, what: &str) -> Diagnostic {
        match self.peek().tok {
            Tok::Unclosed(open) => {
                let message =
                    if open == "/*" { "comment is not closed".into() } else { format!("{open} is not closed") };
                self.error(&codes::UNCLOSED, message).label("opened here")
            }
            Tok::Unknown => {
                let c = self.word(self.next);
                let d = self.error(&codes::CHARACTER, format!("'{c}' has no meaning here"));
                match c {
                    "&" => d.help("'and' is written '&&'"),
                    _ => d.label(format!("expected {what}")),
                }
            }
            _ => self
                .error(&codes::SYNTAX, format!("expected {what}, found {}", self.found()))
                .label(format!("expected {what}")),
        }
    }

    /// An error at the next token.
    pub fn error(&self, code: &'static Code, message: impl Into<String>) -> Diagnostic {
        let token = self.peek();
        // What is missing at the end belongs behind the last token, not on a later line.
        let (start, end) = if token.tok == Tok::End { (self.last, self.last) } else { (token.start, token.end) };
        let d = Diagnostic::new(code, self.text.span(start, end), message);
        match self.dialect {
            Dialect::Sentry => d.note(format!("column {} of the expression", self.text.column(start))),
            _ => d,
        }
    }

    /// A name: a quoted text, or a word; words, numbers and `-` without blanks between them make one name (`Buyer-2`).
    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        self.spend()?;
        let first = self.peek();
        match first.tok {
            Tok::Quoted => {
                self.bump();
                Ok(Name { text: unquote(self.word(first)), span: self.span(first), quoted: true })
            }
            Tok::Word | Tok::Int | Tok::Decimal => {
                self.bump();
                while self.next.start == self.last && self.continues_name() {
                    self.bump();
                }
                let text = self.text.slice(first.start, self.last).to_string();
                Ok(Name { text, span: self.since(first.start), quoted: false })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn continues_name(&self) -> bool {
        match self.next.tok {
            Tok::Word | Tok::Int => true,
            Tok::Sym("-") => {
                let second = self.peek_second();
                second.start == self.next.end && matches!(second.tok, Tok::Word | Tok::Int)
            }
            _ => false,
        }
    }

    /// A node, or an error when it is too deep.
    pub(super) fn node(&mut self, kind: AstKind, start: usize) -> Parsed<Ast> {
        self.spend()?;
        let ast = Ast::new(kind, self.since(start));
        if ast.depth() > MAX_DEPTH { Err(self.too_deep()) } else { Ok(ast) }
    }

    /// Counts what is made, so that a huge file cannot take all memory.
    pub(super) fn spend(&mut self) -> Parsed<()> {
        self.nodes += 1;
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        Err(self.error(&codes::TOO_DEEP, format!("more than {MAX_NODES} names and operators in one text")))
    }

    pub(super) fn too_deep(&self) -> Diagnostic {
        self.error(&codes::TOO_DEEP, format!("expression is nested more than {MAX_DEPTH} levels deep"))
    }
}

/// Does a line that ends with this symbol go on with the next one?
fn leaves_open(tok: Tok) -> bool {
    const OPEN: [&str; 18] =
        ["&&", "||", "!", "->", "<->", "==", "!=", "<", "<=", ">", ">=", "=", "+", "-", "*", "/", ",", ":"];
    matches!(tok, Tok::Sym(s) if OPEN.contains(&s))
}
