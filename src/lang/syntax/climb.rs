//! Operator precedence, by climbing.

use super::cursor::Parsed;
use super::lex::{Dialect, Tok};
use super::{Ast, AstKind, Linear, MAX_DEPTH, Name, Parser};
use crate::machine::{ArithOp, CompareOp};
use crate::source::codes::expressions as codes;

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

    /// The next one that binds more tightly.
    pub fn tighter(self) -> Level {
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
    Remainder,
    /// `?` before two choices.
    Question,
    /// OCL `->op(…)`.
    Arrow,
}

impl Infix {
    fn level(self) -> Level {
        match self {
            Infix::Question => Level::LOWEST,
            Infix::Iff => Level::IFF,
            Infix::Implies => Level::IMPLIES,
            Infix::Xor => Level::XOR,
            Infix::Or => Level::OR,
            Infix::And => Level::AND,
            Infix::Linear(_) => Level::UNTIL,
            Infix::Compare(_) => Level::COMPARE,
            Infix::Arith(ArithOp::Add | ArithOp::Sub) => Level::SUM,
            Infix::Arith(_) | Infix::Remainder => Level::PRODUCT,
            Infix::Arrow => Level::OPERAND,
        }
    }
}

impl Parser<'_> {
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
            Infix::Question => return self.question(left, start),
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
            Infix::Remainder => {
                let right = self.expr(level.tighter())?;
                self.remainder(left, right)?
            }
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
            Tok::Sym("%") => Infix::Remainder,
            Tok::Sym("?") => Infix::Question,
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

    /// `->` before `exists(`, `size(`, … asks something of a set.
    fn at_arrow(&self) -> bool {
        let mut ahead = self.lexer.clone();
        let (word, paren) = (ahead.token(), ahead.token());
        const OPERATIONS: [&str; 24] = [
            "exists",
            "forAll",
            "count",
            "size",
            "isEmpty",
            "notEmpty",
            "select",
            "reject",
            "includes",
            "excludes",
            "collect",
            "any",
            "one",
            "isUnique",
            "iterate",
            "closure",
            "union",
            "intersection",
            "including",
            "asSet",
            "sum",
            "sortedBy",
            "first",
            "last",
        ];
        matches!(self.dialect, Dialect::Sentry | Dialect::Notation | Dialect::Property)
            && OPERATIONS.contains(&self.word(word))
            && paren.tok == Tok::Sym("(")
    }

    fn arrow(&mut self, set: Ast, start: usize) -> Parsed<Ast> {
        let op = self.name("a set operation")?;
        self.of_set(set, op, start)
    }

    /// What stands in parentheses behind an operation on a set.
    pub(super) fn of_set(&mut self, set: Ast, op: Name, start: usize) -> Parsed<Ast> {
        self.expect("(")?;
        let (mut var, mut ty, mut body) = (None, None, None);
        if !self.at(")") {
            if self.peek().tok == Tok::Word && matches!(self.peek_second().tok, Tok::Sym("|" | ":")) {
                var = Some(self.name("a variable")?);
                if self.eat(":") {
                    ty = Some(self.name("a type")?);
                }
                self.expect("|")?;
            }
            body = Some(Box::new(self.expr(Level::LOWEST)?));
        }
        self.expect(")")?;
        self.node(AstKind::Arrow { set: Box::new(set), op, var, ty, body }, start)
    }
}
