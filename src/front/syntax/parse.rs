//! The parser: a cursor over tokens, and operator precedence by climbing.

use super::lex::{Dialect, Gap, Lexer, Tok, Token, unquote};
use super::{Ast, AstKind, Linear, Name, Text};
use crate::gsm::{ArithOp, CompareOp};
use crate::source::codes::expressions as codes;
use crate::source::{Code, Diagnostic, Span};

/// How deep expressions may be nested.
pub const MAX_DEPTH: usize = 200;

/// How tightly an operator binds; the larger, the tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Takes every operator.
    pub const LOWEST: Level = Level(0);
    /// `<->`
    pub const IFF: Level = Level(1);
    /// `->`
    pub const IMPLIES: Level = Level(2);
    /// `xor`: everything but `->` and `<->`.
    pub const XOR: Level = Level(3);
    /// `||`
    pub const OR: Level = Level(4);
    /// `&&`
    pub const AND: Level = Level(5);
    /// `U W R`
    pub const UNTIL: Level = Level(6);
    /// What `!`, `AG`, `K`, `forall` … stand before.
    pub const PREFIX: Level = Level(7);
    /// `== < …`
    pub const COMPARE: Level = Level(8);
    /// `+ -`
    pub const SUM: Level = Level(9);
    /// `* /`
    pub const PRODUCT: Level = Level(10);
    /// Unary `-`.
    pub const OPERAND: Level = Level(11);

    fn tighter(self) -> Level {
        Level(self.0 + 1)
    }
}

/// An infix operator.
#[derive(Clone, Copy)]
enum Infix {
    Iff,
    Implies,
    Xor,
    Or,
    And,
    Linear(Linear),
    Compare(CompareOp),
    Arith(ArithOp),
    /// OCL `->op(…)`.
    Arrow,
}

impl Infix {
    fn level(self) -> Level {
        match self {
            Infix::Iff => Level::IFF,
            Infix::Implies => Level::IMPLIES,
            Infix::Xor => Level::XOR,
            Infix::Or => Level::OR,
            Infix::And => Level::AND,
            Infix::Linear(_) => Level::UNTIL,
            Infix::Compare(_) => Level::COMPARE,
            Infix::Arith(ArithOp::Add | ArithOp::Sub) => Level::SUM,
            Infix::Arith(_) => Level::PRODUCT,
            Infix::Arrow => Level::OPERAND,
        }
    }
}

/// Reads expressions and the pieces of the files around them, token by token.
#[derive(Clone, Debug)]
pub struct Parser<'t> {
    pub(super) text: &'t Text,
    pub(super) dialect: Dialect,
    lexer: Lexer<'t>,
    next: Token,
    /// End of the last token taken.
    last: usize,
    /// Open parentheses, brackets and braces.
    open: usize,
    depth: usize,
    /// Does a line end outside parentheses end the text?
    one_line: bool,
    /// Inside `LTL`: are `G F X U W R` operators?
    pub(super) linear: bool,
}

type Parsed<T> = Result<T, Diagnostic>;

impl<'t> Parser<'t> {
    /// At the start of a text.
    pub fn new(text: &'t Text, dialect: Dialect) -> Parser<'t> {
        let mut lexer = Lexer::new(text, dialect);
        let next = lexer.token();
        Parser { text, dialect, lexer, next, last: 0, open: 0, depth: 0, one_line: false, linear: false }
    }

    /// The next token, not taken. In property files an empty line outside parentheses reads as the end.
    pub fn peek(&self) -> Token {
        let Gap { line, empty_line, .. } = self.next.gap;
        let stops = self.open == 0 && self.dialect == Dialect::Property && (empty_line || line && self.one_line);
        if stops { Token { tok: Tok::End, end: self.next.start, ..self.next } } else { self.next }
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
        (self.open, self.depth, self.linear, self.one_line) = (0, 0, false, false);
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

    /// Takes the next token.
    pub fn bump(&mut self) -> Token {
        let token = self.next;
        match token.tok {
            Tok::Sym("(" | "[" | "{") => self.open += 1,
            Tok::Sym(")" | "]" | "}") => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.last = token.end;
        self.next = self.lexer.token();
        token
    }

    /// The decoded text of a token.
    pub fn word(&self, token: Token) -> &'t str {
        self.text.slice(token.start, token.end)
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
            Tok::End if self.dialect == Dialect::Property => "the end of the line".into(),
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
    pub(super) fn node(&self, kind: AstKind, start: usize) -> Parsed<Ast> {
        let ast = Ast::new(kind, self.since(start));
        if ast.depth() > MAX_DEPTH { Err(self.too_deep()) } else { Ok(ast) }
    }

    fn too_deep(&self) -> Diagnostic {
        self.error(&codes::TOO_DEEP, format!("expression is nested more than {MAX_DEPTH} levels deep"))
    }

    /// An expression whose operators outside parentheses bind at least as tightly as `min`.
    pub fn expr(&mut self, min: Level) -> Parsed<Ast> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        let start = self.peek().start;
        let mut left = self.prefix()?;
        while let Some(op) = self.infix().filter(|op| op.level() >= min) {
            left = self.binary(op, left, start)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn binary(&mut self, op: Infix, left: Ast, start: usize) -> Parsed<Ast> {
        let level = op.level();
        self.bump();
        let kind = match op {
            Infix::Arrow => return self.arrow(left, start),
            Infix::And | Infix::Or => {
                let mut all = vec![left, self.expr(level.tighter())?];
                while self.infix().is_some_and(|next| next.level() == level) {
                    self.bump();
                    all.push(self.expr(level.tighter())?);
                }
                if matches!(op, Infix::And) { AstKind::And(all) } else { AstKind::Or(all) }
            }
            Infix::Implies => AstKind::Implies(Box::new(left), Box::new(self.expr(level)?)),
            Infix::Linear(linear) => AstKind::LtlBinary(linear, Box::new(left), Box::new(self.expr(level)?)),
            Infix::Iff => AstKind::Iff(Box::new(left), Box::new(self.expr(level.tighter())?)),
            Infix::Xor => AstKind::Xor(Box::new(left), Box::new(self.expr(level.tighter())?)),
            Infix::Arith(arith) => AstKind::Arith(arith, Box::new(left), Box::new(self.expr(level.tighter())?)),
            Infix::Compare(compare) => {
                let right = self.expr(level.tighter())?;
                if self.infix().is_some_and(|next| next.level() == level) {
                    let d = self.error(&codes::CHAINED, "comparisons cannot be chained");
                    return Err(d.help("join two comparisons with '&&', or put one in parentheses"));
                }
                AstKind::Compare(compare, Box::new(left), Box::new(right))
            }
        };
        self.node(kind, start)
    }

    /// The infix operator that comes next, if any.
    fn infix(&self) -> Option<Infix> {
        let token = self.peek();
        Some(match token.tok {
            Tok::Sym("<->") => Infix::Iff,
            Tok::Sym("->") if self.at_arrow() => Infix::Arrow,
            Tok::Sym("->") => Infix::Implies,
            Tok::Sym("||") => Infix::Or,
            Tok::Sym("&&") => Infix::And,
            Tok::Sym("==" | "=") => Infix::Compare(CompareOp::Eq),
            Tok::Sym("!=" | "<>") => Infix::Compare(CompareOp::Ne),
            Tok::Sym("<") => Infix::Compare(CompareOp::Lt),
            Tok::Sym("<=") => Infix::Compare(CompareOp::Le),
            Tok::Sym(">") => Infix::Compare(CompareOp::Gt),
            Tok::Sym(">=") => Infix::Compare(CompareOp::Ge),
            Tok::Sym("+") => Infix::Arith(ArithOp::Add),
            Tok::Sym("-") => Infix::Arith(ArithOp::Sub),
            Tok::Sym("*") => Infix::Arith(ArithOp::Mul),
            Tok::Sym("/") => Infix::Arith(ArithOp::Div),
            Tok::Word => match self.word(token) {
                "iff" | "IFF" => Infix::Iff,
                "implies" | "IMPLIES" => Infix::Implies,
                "xor" | "XOR" => Infix::Xor,
                "or" | "OR" => Infix::Or,
                "and" | "AND" => Infix::And,
                "eq" => Infix::Compare(CompareOp::Eq),
                "ne" => Infix::Compare(CompareOp::Ne),
                "lt" => Infix::Compare(CompareOp::Lt),
                "le" => Infix::Compare(CompareOp::Le),
                "gt" => Infix::Compare(CompareOp::Gt),
                "ge" => Infix::Compare(CompareOp::Ge),
                "U" | "UNTIL" if self.linear => Infix::Linear(Linear::Until),
                "W" if self.linear => Infix::Linear(Linear::WeakUntil),
                "R" if self.linear => Infix::Linear(Linear::Release),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// In sentries `->` before `exists(`, `size(`, … asks something of a set.
    fn at_arrow(&self) -> bool {
        let mut ahead = self.lexer.clone();
        let (word, paren) = (ahead.token(), ahead.token());
        const OPERATIONS: [&str; 12] = [
            "exists", "forAll", "size", "isEmpty", "notEmpty", "select", "reject", "includes", "excludes", "collect",
            "any", "one",
        ];
        self.dialect == Dialect::Sentry && OPERATIONS.contains(&self.word(word)) && paren.tok == Tok::Sym("(")
    }

    fn arrow(&mut self, set: Ast, start: usize) -> Parsed<Ast> {
        let op = self.name("a set operation")?;
        self.expect("(")?;
        let (mut var, mut body) = (None, None);
        if !self.at(")") {
            if self.peek().tok == Tok::Word && self.peek_second().tok == Tok::Sym("|") {
                var = Some(self.name("a variable")?);
                self.expect("|")?;
            }
            body = Some(Box::new(self.expr(Level::LOWEST)?));
        }
        self.expect(")")?;
        self.node(AstKind::Arrow { set: Box::new(set), op, var, body }, start)
    }

    fn prefix(&mut self) -> Parsed<Ast> {
        let token = self.peek();
        match token.tok {
            Tok::Sym("!") => self.not(),
            Tok::Word if matches!(self.word(token), "not" | "NOT") && self.starts_operand(self.peek_second()) => {
                self.not()
            }
            Tok::Sym("-") => self.minus(),
            _ => match self.dialect {
                Dialect::Property => self.temporal(),
                _ => self.primary(),
            },
        }
    }

    fn not(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let inner = self.expr(Level::PREFIX)?;
        self.node(AstKind::Not(Box::new(inner)), start)
    }

    fn minus(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let zero = Ast::new(AstKind::Int(0), self.since(start));
        let inner = self.expr(Level::OPERAND)?;
        let kind = match inner.kind {
            AstKind::Int(n) => AstKind::Int(-n),
            AstKind::Decimal(text) => AstKind::Decimal(format!("-{text}")),
            _ => AstKind::Arith(ArithOp::Sub, Box::new(zero), Box::new(inner)),
        };
        self.node(kind, start)
    }

    /// Can an operand start with this token?
    pub(super) fn starts_operand(&self, token: Token) -> bool {
        match token.tok {
            Tok::Word => {
                const INFIX: [&str; 12] =
                    ["and", "or", "xor", "implies", "iff", "eq", "ne", "lt", "le", "gt", "ge", "UNTIL"];
                !INFIX.contains(&self.word(token))
            }
            Tok::Int | Tok::Decimal | Tok::Quoted | Tok::DataTerm | Tok::Value => true,
            Tok::Sym(s) => matches!(s, "(" | "!" | "-" | "$$" | "[]" | "<>" | "<<"),
            Tok::Unclosed(_) | Tok::Unknown | Tok::End => false,
        }
    }

    /// Does a word before this token name something, although it could be a prefix operator?
    pub(super) fn follows_name(&self, token: Token) -> bool {
        match token.tok {
            Tok::Sym(s) => {
                matches!(
                    s,
                    "==" | "!=" | "<" | "<=" | ">" | ">=" | "=" | "+" | "*" | "/" | "." | "&&" | "||" | "->" | "<->"
                )
            }
            Tok::Word => !self.starts_operand(token),
            _ => false,
        }
    }

    /// Constants, names, calls, parentheses.
    pub(super) fn primary(&mut self) -> Parsed<Ast> {
        let token = self.peek();
        let raw = self.word(token);
        let kind = match token.tok {
            Tok::Sym("(") => {
                self.bump();
                let inner = self.expr(Level::LOWEST)?;
                if !self.at(")") {
                    return Err(self.expected("')' or an operator"));
                }
                self.bump();
                return Ok(inner);
            }
            Tok::Sym("$$") => AstKind::SelfId,
            Tok::Int => match raw.parse() {
                Ok(n) => AstKind::Int(n),
                Err(_) => return Err(self.error(&codes::NUMBER, format!("the number {raw} is too large"))),
            },
            Tok::Decimal => AstKind::Decimal(raw.to_string()),
            Tok::Quoted => AstKind::Text(unquote(raw)),
            Tok::Value => AstKind::Text(raw.trim_matches(['[', ']']).trim().to_string()),
            Tok::DataTerm => self.data_term(token),
            Tok::Word if matches!(raw, "true" | "TRUE") => AstKind::Bool(true),
            Tok::Word if matches!(raw, "false" | "FALSE") => AstKind::Bool(false),
            Tok::Word if self.starts_operand(token) => return self.path(),
            _ => return Err(self.expected("an operand (a name, a value, '!' or '(')")),
        };
        self.bump();
        self.node(kind, token.start)
    }

    fn data_term(&self, token: Token) -> AstKind {
        let inner = self.text.slice(token.start + 1, token.end - 1);
        let mut at = token.start + 1;
        let mut names = Vec::new();
        for piece in inner.split('/') {
            let text = piece.trim().trim_end_matches('.');
            let lead = piece.len() - piece.trim_start().len();
            let span = self.text.span(at + lead, at + lead + text.len());
            names.push(Name { text: text.to_string(), span, quoted: false });
            at += piece.len() + 1;
        }
        let item = if inner.contains('/') { Some(names.remove(0)) } else { None };
        names.retain(|n| !n.text.is_empty());
        AstKind::DataTerm { item: item.filter(|n| !n.text.is_empty()), steps: names }
    }

    fn path(&mut self) -> Parsed<Ast> {
        let start = self.peek().start;
        let mut path = vec![self.step()?];
        while self.at(".") {
            self.bump();
            path.push(self.step()?);
        }
        if !self.at("(") {
            return self.node(AstKind::Path(path), start);
        }
        self.bump();
        let mut args = Vec::new();
        while !self.at(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.argument()?);
        }
        self.bump();
        self.node(AstKind::Call { path, args }, start)
    }

    fn step(&mut self) -> Parsed<Name> {
        let token = self.peek();
        match token.tok {
            Tok::Word | Tok::Int => {
                self.bump();
                Ok(Name { text: self.word(token).to_string(), span: self.span(token), quoted: false })
            }
            _ => self.name("a name"),
        }
    }

    /// An argument of a call: a quoted text, or whatever stands before the next comma or closing parenthesis.
    fn argument(&mut self) -> Parsed<Name> {
        let first = self.peek();
        if first.tok == Tok::Quoted {
            return self.name("a name");
        }
        let mut inner = 0usize;
        loop {
            match self.peek().tok {
                Tok::Sym("," | ")") if inner == 0 => break,
                Tok::Sym("(") => inner += 1,
                Tok::Sym(")") => inner -= 1,
                Tok::End | Tok::Unclosed(_) | Tok::Sym(";") => return Err(self.expected("')'")),
                _ => {}
            }
            self.bump();
        }
        if self.peek().start == first.start {
            return Err(self.expected("a name"));
        }
        let text = self.text.slice(first.start, self.last).to_string();
        Ok(Name { text, span: self.since(first.start), quoted: false })
    }
}
