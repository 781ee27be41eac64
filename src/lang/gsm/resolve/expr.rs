//! Untyped expressions to typed ones: connectives, comparisons, arithmetic.

use super::sets::Asked;
use super::{Place, Resolver};
use crate::lang::gsm::{DataKind, Decimal, Expr, ExprKind, Over, Subject, TypeIx};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::machine::calendar::Moment;
use crate::machine::{ArithOp, CompareOp, Domain};
use crate::source::codes::typing;
use crate::source::{Diagnostic, Span};

/// Types of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Booleans, and dates ("has been set").
    Bool,
    /// Numbers and references.
    Int,
    /// Texts and enumerated values.
    Text,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The expression.
    pub expr: Expr,
    /// Its type.
    pub ty: Ty,
}

impl Ty {
    /// The type of values of a declared kind.
    pub fn of(kind: DataKind) -> Ty {
        match kind {
            DataKind::Boolean | DataKind::Date { .. } => Ty::Bool,
            DataKind::Integer | DataKind::Reference(_) => Ty::Int,
            DataKind::Enumeration | DataKind::Text => Ty::Text,
        }
    }

    /// The type of a variable with these values.
    pub fn of_domain(domain: &Domain) -> Ty {
        match domain {
            Domain::Bool => Ty::Bool,
            Domain::Int { .. } | Domain::Real { .. } | Domain::Points(_) | Domain::Date { .. } => Ty::Int,
            Domain::Enum { .. } | Domain::Text { .. } => Ty::Text,
        }
    }

    /// For messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Ty::Bool => "a Boolean",
            Ty::Int => "a number",
            Ty::Text => "a text",
        }
    }
}

impl Typed {
    pub(super) fn new(kind: ExprKind, span: Span, ty: Ty) -> Typed {
        Typed { expr: Expr { kind, span }, ty }
    }
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl Resolver<'_> {
    /// An expression that must be Boolean. All mistakes inside are reported, also when the result is `None`.
    pub fn boolean(&mut self, ast: &Ast) -> Option<Expr> {
        let span = ast.span;
        let kind = match &ast.kind {
            AstKind::Bool(b) => ExprKind::Bool(*b),
            AstKind::Not(a) => ExprKind::Not(Box::new(self.boolean(a)?)),
            AstKind::And(parts) => ExprKind::And(self.booleans(parts)?),
            AstKind::Or(parts) => ExprKind::Or(self.booleans(parts)?),
            AstKind::Implies(a, b) => {
                let (a, b) = self.both(a, b)?;
                ExprKind::Implies(a, b)
            }
            AstKind::Iff(a, b) => {
                let (a, b) = self.both(a, b)?;
                ExprKind::Iff(a, b)
            }
            AstKind::Xor(a, b) => {
                let (a, b) = self.both(a, b)?;
                ExprKind::Not(Box::new(expr(ExprKind::Iff(a, b), span)))
            }
            AstKind::Compare(op, a, b) => return self.atom(span, |r| r.compare(*op, a, b, span)),
            AstKind::If(c, a, b) => return self.choice(c, a, b, span),
            AstKind::Let(name, value, body) => {
                return self.atom(span, |r| r.let_in(name, value, body).and_then(|v| r.expect(v, Ty::Bool)));
            }
            AstKind::Quant { exists, var, ty, body } => return self.quantifier(*exists, var, ty, body, span),
            AstKind::Text(text) if self.in_notation() => return self.quoted_name(text, span),
            AstKind::Related(related) => return self.related_to(related, span),
            AstKind::Path(_)
            | AstKind::DataTerm { .. }
            | AstKind::Call { .. }
            | AstKind::Arrow { .. }
            | AstKind::Changed { .. } => {
                return self.atom(span, |r| r.value(ast).and_then(|v| r.expect(v, Ty::Bool)));
            }
            AstKind::Int(_)
            | AstKind::Decimal(_)
            | AstKind::Text(_)
            | AstKind::SelfId
            | AstKind::Arith(..)
            | AstKind::Rem(..) => {
                let value = self.value(ast)?;
                return self.expect(value, Ty::Bool);
            }
            AstKind::Element { .. } => {
                let message = "attributes have no elements to be picked by number";
                self.report(Diagnostic::new(&typing::NOT_HERE, span, message).help("quantify: exists x : Type (…)"));
                return None;
            }
            _ => {
                let message = "temporal and knowledge operators are not allowed here";
                self.report(Diagnostic::new(&typing::NOT_HERE, span, message));
                return None;
            }
        };
        Some(expr(kind, span))
    }

    fn booleans(&mut self, parts: &[Ast]) -> Option<Vec<Expr>> {
        let all: Vec<Option<Expr>> = parts.iter().map(|p| self.boolean(p)).collect();
        all.into_iter().collect()
    }

    fn both(&mut self, a: &Ast, b: &Ast) -> Option<(Box<Expr>, Box<Expr>)> {
        let (a, b) = (self.boolean(a), self.boolean(b));
        Some((Box::new(a?), Box::new(b?)))
    }

    /// Resolves one atom. In a property, types named without an instance mean some created instance, one per atom.
    fn atom(&mut self, span: Span, resolve: impl FnOnce(&mut Self) -> Option<Expr>) -> Option<Expr> {
        let outer = std::mem::take(&mut self.free);
        let body = resolve(self);
        let free = std::mem::replace(&mut self.free, outer);
        let wrap = |body, (ty, var)| {
            expr(ExprKind::Quant { exists: true, var, ty, over: Over::Created, body: Box::new(body) }, span)
        };
        Some(free.into_iter().rev().fold(body?, wrap))
    }

    /// A value of any type.
    pub(super) fn value(&mut self, ast: &Ast) -> Option<Typed> {
        let span = ast.span;
        match &ast.kind {
            AstKind::Int(n) => Some(Typed::new(ExprKind::Int(*n), span, Ty::Int)),
            AstKind::Decimal(text) => Some(Typed::new(ExprKind::Decimal(self.decimal(text, span)?), span, Ty::Int)),
            AstKind::Text(text) => Some(Typed::new(ExprKind::Text(text.clone()), span, Ty::Text)),
            AstKind::SelfId => self.self_id(span),
            AstKind::Path(steps) => match self.capital_truth(steps) {
                Some(truth) => Some(Typed::new(ExprKind::Bool(truth), span, Ty::Bool)),
                None => self.path(steps, span),
            },
            AstKind::DataTerm { item, steps } => self.data_term(item.as_ref(), steps, span),
            AstKind::Call { path, args } => self.call(path, args, span),
            AstKind::Changed { up, path } => self.changed(*up, path, span),
            AstKind::Arrow { set, op, var, ty, body } => {
                let asked = Asked { op, var: var.as_ref(), ty: ty.as_ref(), body: body.as_deref() };
                self.arrow(set, asked, span)
            }
            AstKind::Rem(a, b) => self.remainder(a, b, span),
            AstKind::Let(name, value, body) => self.let_in(name, value, body),
            AstKind::Arith(op, a, b) => self.arith(*op, a, b, span),
            _ => Some(Typed { expr: self.boolean(ast)?, ty: Ty::Bool }),
        }
    }

    fn decimal(&mut self, text: &str, span: Span) -> Option<Decimal> {
        let number = Decimal::read(text);
        if number.is_none() {
            let message = format!("'{text}' is not a number that fits");
            self.report(Diagnostic::new(&typing::TYPE_MISMATCH, span, message));
        }
        number
    }

    fn self_id(&mut self, span: Span) -> Option<Typed> {
        if matches!(self.place, Place::Window { .. } | Place::Protocol { .. }) {
            return Some(Typed::new(ExprKind::SelfId, span, Ty::Text));
        }
        let message = "'$$' stands for an agent's id, but no agent is meant here";
        self.report(Diagnostic::new(&typing::SELF_ID, span, message));
        None
    }

    fn arith(&mut self, op: ArithOp, a: &Ast, b: &Ast, span: Span) -> Option<Typed> {
        let (a, b) = (self.value(a), self.value(b));
        let a = a.and_then(|a| self.expect(a, Ty::Int));
        let b = b.and_then(|b| self.expect(b, Ty::Int));
        Some(Typed::new(ExprKind::Arith(op, Box::new(a?), Box::new(b?)), span, Ty::Int))
    }

    /// A value that must be of a type.
    pub(super) fn expect(&mut self, value: Typed, ty: Ty) -> Option<Expr> {
        if value.ty == ty {
            return Some(value.expr);
        }
        if let ExprKind::Id { of: Subject::Bound(var) } = value.expr.kind {
            self.instance_alone(var, value.expr.span);
            return None;
        }
        let message = format!("expected {}, found {}", ty.noun(), value.ty.noun());
        self.report(Diagnostic::new(&typing::TYPE_MISMATCH, value.expr.span, message));
        None
    }

    pub(super) fn compare(&mut self, op: CompareOp, a: &Ast, b: &Ast, span: Span) -> Option<Expr> {
        if let Some(choice) = self.choice_compared(op, a, b, span) {
            return choice;
        }
        if self.is_null(a) || self.is_null(b) {
            let other = if self.is_null(a) { b } else { a };
            return self.compared_with_null(op, other, span);
        }
        let (left, right) = match (self.is_bare_word(a), self.is_bare_word(b)) {
            (Some(word), None) => {
                let right = self.value(b);
                (self.word_beside(word, a, right.as_ref()), right)
            }
            (None, Some(word)) => {
                let left = self.value(a);
                let right = self.word_beside(word, b, left.as_ref());
                (left, right)
            }
            _ => (self.value(a), self.value(b)),
        };
        let (mut left, mut right) = self.egsm_numbers(left?, right?);
        self.truth_as_number(&mut left, &mut right);
        if self.value_or_name(a, &left, &right) || self.value_or_name(b, &right, &left) {
            return None;
        }
        if let (Some(a), Some(b)) = (self.instance_of(a, &left.expr), self.instance_of(b, &right.expr))
            && a != b
        {
            let [a, b] = [a, b].map(|t| self.app.types[t].id.clone());
            let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, format!("an instance of {a} is never one of {b}"));
            self.report(d.label(format!("{a} on the left, {b} on the right")).help("compare instances of one type"));
            return None;
        }
        if let Some(said) = self.points(op, &left, &right, span) {
            return said.then(|| expr(ExprKind::Compare(op, Box::new(left.expr), Box::new(right.expr)), span));
        }
        let meant = [&left, &right].into_iter().find_map(|v| self.quoted_attribute(&v.expr));
        let constants = [&left, &right].into_iter().all(|v| matches!(v.expr.kind, ExprKind::Text(_)));
        if let Some(name) = meant.filter(|_| left.ty != right.ty || constants) {
            let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, format!("'{name}' in quotes is a text here"));
            self.report(d.help(format!(
                "the attribute of that name is self.'{name}', of an instance x in a property x.'{name}'"
            )));
            return None;
        }
        if left.ty != right.ty {
            let message = format!("{} is compared with {}", left.ty.noun(), right.ty.noun());
            let label = format!("{} on the left, {} on the right", left.ty.noun(), right.ty.noun());
            let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, message).label(label);
            let date = [&left, &right].into_iter().any(|v| self.is_date(&v.expr));
            self.report(if date {
                d.help("a date is a Boolean: it has been set or not; --abstract compares dates")
            } else {
                d
            });
            return None;
        }
        if left.ty != Ty::Int && !matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let message = format!("'{}' does not work on {}s", op.symbol(), left.ty.noun().trim_start_matches("a "));
            let d = Diagnostic::new(&typing::TEXT_ORDER, span, message);
            let dates = self.is_date(&left.expr) && self.is_date(&right.expr);
            self.report(d.help(if dates { "dates are compared with --abstract" } else { "use '==' or '!='" }));
            return None;
        }
        let known = self.check_value(&left, &right) & self.check_value(&right, &left);
        known.then(|| expr(ExprKind::Compare(op, Box::new(left.expr), Box::new(right.expr)), span))
    }

    /// The name of an attribute, written as if it were a text.
    fn quoted_attribute(&self, e: &Expr) -> Option<String> {
        let ExprKind::Text(text) = &e.kind else { return None };
        self.app.types.iter().any(|t| t.attr(text).is_some()).then(|| text.clone())
    }

    /// The type of the instance that a value stands for: of a variable, or of a reference. `x.id` is a number.
    fn instance_of(&self, ast: &Ast, e: &Expr) -> Option<TypeIx> {
        let number = |steps: &[Name]| steps.len() > 1 && steps.last().is_some_and(|s| s.text == "id");
        match &e.kind {
            _ if matches!(&ast.kind, AstKind::Path(steps) if number(steps)) => None,
            ExprKind::Id { of: Subject::Bound(var) } => self.bound.iter().find(|b| b.var == *var).map(|b| b.ty),
            ExprKind::Attr { ty, attr, .. } => match self.app.types.get(ty.0)?.attrs.get(attr.0)?.kind {
                DataKind::Reference(ty) => Some(ty),
                _ => None,
            },
            _ => None,
        }
    }

    /// Are points of time compared, and rightly so? `None`: something else is.
    fn points(&mut self, op: CompareOp, left: &Typed, right: &Typed, span: Span) -> Option<bool> {
        let dates = [left, right].map(|v| self.is_date(&v.expr));
        if !self.app.options.unbounded || dates == [false, false] {
            return None;
        }
        let texts = [left, right].into_iter().zip(dates).filter(|(_, date)| !date).map(|(v, _)| &v.expr);
        for e in texts {
            let ExprKind::Text(text) = &e.kind else {
                // Whether it has been set can be compared with a Boolean, and no more.
                return (!matches!(op, CompareOp::Eq | CompareOp::Ne)).then(|| self.odd_point(span)).map(|()| false);
            };
            if Moment::read(text).is_none() {
                let d = Diagnostic::new(&typing::TYPE_MISMATCH, e.span, format!("'{text}' is no date"));
                self.report(d.help("write '2026-11-16' or '2026-11-16T08:30:00'"));
                return Some(false);
            }
        }
        Some(true)
    }

    fn odd_point(&mut self, span: Span) {
        let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, "a date comes before or after a date only");
        self.report(d.help("compare it with another date, or write '2026-11-16'"));
    }

    pub(super) fn is_date(&self, e: &Expr) -> bool {
        let kind = match &e.kind {
            // Elements of bags are only asked whether they are set.
            ExprKind::Attr { ty, attr, .. } => {
                let attr = self.app.types.get(ty.0).and_then(|t| t.attrs.get(attr.0));
                attr.filter(|a| !a.set).map(|a| a.kind)
            }
            ExprKind::Field(name) => self.kind_of_field(name),
            _ => None,
        };
        matches!(kind, Some(DataKind::Date { .. }))
    }

    /// The kind of a payload field.
    fn kind_of_field(&self, name: &str) -> Option<DataKind> {
        let Place::Protocol { ty, event, .. } = &self.place else { return None };
        let field = self.app.events.get(event.0)?.payload.iter().find(|f| f.name == name)?;
        Some(self.field_kind(*ty, field))
    }

    /// In E-GSM every constant stands in brackets; beside a number or Boolean it is one.
    fn egsm_numbers(&self, mut left: Typed, mut right: Typed) -> (Typed, Typed) {
        if matches!(self.place, Place::Sentry { egsm: true, .. }) {
            let (lt, rt) = (left.ty, right.ty);
            retype(&mut left, rt);
            retype(&mut right, lt);
        }
        (left, right)
    }

    /// Is the text that `value` holds among the values that `other` can have? Reports it if not.
    fn check_value(&mut self, value: &Typed, other: &Typed) -> bool {
        let ExprKind::Text(text) = &value.expr.kind else { return true };
        let Some(values) = self.enumerated(&other.expr) else { return true };
        if values.iter().any(|v| v == text) {
            return true;
        }
        let message = format!("'{text}' is not one of the values of {}", self.describe(&other.expr));
        let d = Diagnostic::new(&typing::NO_SUCH_VALUE, value.expr.span, message);
        let d = d.note(list_values(&values)).nearest(text, values.iter().map(String::as_str));
        self.report(d);
        false
    }

    /// The values of an expression that has a declared list of them.
    pub(super) fn enumerated(&self, e: &Expr) -> Option<Vec<String>> {
        let domain = match &e.kind {
            ExprKind::Attr { ty, attr, .. } => {
                let a = self.app.types.get(ty.0)?.attrs.get(attr.0)?;
                (a.kind == DataKind::Enumeration).then_some(&a.domain)?
            }
            ExprKind::Field(name) => return self.field_values(name),
            ExprKind::Private { agent, var } => self.private(*agent, *var).map(|v| &v.domain)?,
            _ => return None,
        };
        match domain {
            Domain::Enum { values, .. } => Some(values.clone()),
            _ => None,
        }
    }

    /// A single unquoted name that means nothing by itself.
    fn is_bare_word<'n>(&mut self, ast: &'n Ast) -> Option<&'n Name> {
        let AstKind::Path(steps) = &ast.kind else { return None };
        match steps.as_slice() {
            [word] if !word.quoted && self.means_nothing(word) => Some(word),
            _ => None,
        }
    }

    /// A bare word beside something with declared values, or in an agents file the id of an agent: a text without its quotes.
    fn word_beside(&mut self, word: &Name, ast: &Ast, other: Option<&Typed>) -> Option<Typed> {
        // Without the other side nothing can be said about the word; what is wrong there was reported.
        other?;
        let values = other.and_then(|o| self.enumerated(&o.expr)).unwrap_or_default();
        let in_agents = matches!(self.place, Place::Window { .. } | Place::Protocol { .. });
        let text = other.is_some_and(|o| o.ty == Ty::Text);
        let agent = in_agents && self.agent_names.contains(&word.text) || self.names_agent(&word.text);
        if values.contains(&word.text) || text && agent {
            return Some(Typed::new(ExprKind::Text(word.text.clone()), word.span, Ty::Text));
        }
        self.value(ast)
    }
}

/// A text that spells a value of another type becomes that value.
fn retype(value: &mut Typed, wanted: Ty) {
    let ExprKind::Text(text) = &value.expr.kind else { return };
    let kind = match wanted {
        Ty::Int => text.trim().parse().ok().map(ExprKind::Int),
        Ty::Bool => text.trim().parse().ok().map(ExprKind::Bool),
        Ty::Text => None,
    };
    if let Some(kind) = kind {
        (value.expr.kind, value.ty) = (kind, wanted);
    }
}

/// "its values are 'a', 'b'", shortened when there are many.
pub(super) fn list_values(values: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = values.iter().take(SHOWN).map(|v| format!("'{v}'")).collect();
    if values.len() > SHOWN {
        shown.push("…".to_string());
    }
    format!("its values are {}", shown.join(", "))
}
