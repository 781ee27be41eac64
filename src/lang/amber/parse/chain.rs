//! Arrows: chains, groups, conditions.

use super::{Parsed, Reader};
use crate::lang::amber::raw::{RawArrow, RawBranch, RawChain, RawCondition, RawGroup, RawItem, RawTerm};
use crate::lang::syntax::{Dialect, Level, Tok, normalised};
use crate::source::Diagnostic;
use crate::source::codes::amber as codes;

impl Reader<'_, '_> {
    pub(super) fn chain(&mut self) -> Parsed<RawItem> {
        let first = self.term("a declaration or an arrow")?;
        let mut rest = Vec::new();
        while let Some(arrow) = self.arrow()? {
            self.p.go_on();
            let ends = if arrow.disabling {
                self.list(|r| r.term("a node or block"))?
            } else {
                vec![self.term("a node or group")?]
            };
            rest.push((arrow, ends));
        }
        if rest.is_empty() {
            let d = self.p.expected("an arrow (->, =>, -[…]->, -/->)");
            return Err(d.help("a line starts with a keyword, such as action or block, or is a row of arrows: a -> b"));
        }
        Ok(RawItem::Chain(RawChain { first, rest }))
    }

    /// The arrow that comes next, if any.
    fn arrow(&mut self) -> Parsed<Option<RawArrow>> {
        let token = self.p.peek();
        let (mut double, mut disabling, mut condition) = (false, false, None);
        match token.tok {
            Tok::Sym("->") => {
                self.p.bump();
            }
            Tok::Sym("=>") => {
                self.p.bump();
                double = true;
            }
            Tok::Sym("-") => {
                self.p.bump();
                if self.p.eat("/") {
                    disabling = true;
                    self.p.expect("->")?;
                } else {
                    condition = Some(self.condition()?);
                    if self.p.at("=>") {
                        return Err(self.p.expected("'->'").help("a double arrow is written a =[x < 3]=> b"));
                    }
                    self.p.expect("->")?;
                }
            }
            Tok::Sym("=") => {
                self.p.bump();
                double = true;
                condition = Some(self.condition()?);
                self.p.expect("=>")?;
            }
            _ => return Ok(None),
        }
        Ok(Some(RawArrow { double, disabling, condition, span: self.p.since(token.start) }))
    }

    /// `[…]`
    fn condition(&mut self) -> Parsed<RawCondition> {
        self.p.expect("[")?;
        let token = self.p.peek();
        let condition = if self.p.at_word("else") {
            self.p.bump();
            RawCondition::Else(self.p.span(token))
        } else {
            let ast = self.p.expr(Level::LOWEST)?;
            RawCondition::Holds(ast, normalised(self.text, Dialect::Amber, token.start, self.p.last_end()))
        };
        if !self.p.at("]") {
            return Err(self.p.expected("']' or an operator"));
        }
        self.p.bump();
        Ok(condition)
    }

    fn term(&mut self, what: &str) -> Parsed<RawTerm> {
        let token = self.p.peek();
        if self.p.at("(") {
            return self.group(None, token.start).map(RawTerm::Group);
        }
        let mut ahead = self.p.clone();
        ahead.bump();
        if matches!(token.tok, Tok::Word | Tok::Quoted) && ahead.eat(":") && ahead.at("(") {
            let name = self.name(what)?;
            self.p.bump();
            return self.group(Some(name), token.start).map(RawTerm::Group);
        }
        self.path(what).map(RawTerm::Node)
    }

    fn group(&mut self, name: Option<crate::lang::syntax::Name>, start: usize) -> Parsed<RawGroup> {
        self.deeper()?;
        self.p.expect("(")?;
        let mut branches = vec![self.branch()?];
        let mut sign = None;
        while let Tok::Sym(s @ ("&" | "|")) = self.p.peek().tok {
            if sign.is_some_and(|before| before != s) {
                let d = self.p.error(&codes::GROUP, "& and | in one group need parentheses");
                return Err(d.help("write (a & (b | c)) or ((a & b) | c)"));
            }
            sign = Some(s);
            self.p.bump();
            branches.push(self.branch()?);
        }
        if let Tok::Sym(wrong @ ("&&" | "||")) = self.p.peek().tok {
            let d = self.p.error(&codes::GROUP, format!("'{wrong}' joins conditions, not nodes"));
            return Err(d.help(format!("write '{}' between the nodes of a group", &wrong[..1])));
        }
        if !self.p.at(")") {
            return Err(self.p.expected("'&', '|' or ')'"));
        }
        self.p.bump();
        self.depth -= 1;
        let span = self.p.since(start);
        match sign {
            Some(sign) => Ok(RawGroup { name, and: sign == "&", branches, span }),
            None => {
                let d = Diagnostic::new(&codes::GROUP, span, "a group of one node is no split and no join");
                Err(d.help("leave the parentheses out, or declare the node: andsplit, orsplit, andjoin, orjoin"))
            }
        }
    }

    fn branch(&mut self) -> Parsed<RawBranch> {
        let start = self.p.peek().start;
        let (mut double, mut condition) = (false, None);
        loop {
            if !double && self.p.eat("=>") {
                double = true;
            } else if condition.is_none() && self.p.at("[") {
                condition = Some(self.condition()?);
            } else {
                break;
            }
        }
        let term = self.term("a node, a group or a condition")?;
        Ok(RawBranch { double, condition, term, span: self.p.since(start) })
    }
}
