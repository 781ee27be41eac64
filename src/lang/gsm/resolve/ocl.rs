//! What OCL and JEXL have beside connectives and comparisons: `let`, choices, remainders, `null`, `True`, `empty(x)`.

use super::expr::{Ty, Typed};
use super::paths::Hit;
use super::{Bound, Place, Resolver, bags};
use crate::lang::gsm::{DataKind, Expr, ExprKind, TypeIx};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::machine::{ArithOp, CompareOp};
use crate::source::codes::{expressions, typing};
use crate::source::{Diagnostic, Span};

/// Names of one `let` may be used so often: each use is read again.
const MOST_USES: usize = 500;

/// Choices inside of one comparison: each doubles it.
const MOST_CHOICES: usize = 5;

/// A name that `let` gives, with what was in scope there.
#[derive(Clone, Debug)]
pub(super) struct Let {
    name: String,
    value: Ast,
    bound: Vec<Bound>,
    element: Option<bags::Element>,
    free: Vec<(TypeIx, u32)>,
    /// Names of `let` around it.
    outer: usize,
}

impl Resolver<'_> {
    /// `let x = e in φ`.
    pub(super) fn let_in(&mut self, name: &Name, value: &Ast, body: &Ast) -> Option<Typed> {
        // An instance can have a second name; everything else is a value, and read once for its mistakes.
        let instance = matches!(&value.kind, AstKind::Path(p) if p.len() == 1 && self.bound_variable(&p[0]).is_some());
        if !instance {
            self.value(value)?;
        }
        let (bound, element, free) = (self.bound.clone(), self.element.clone(), self.free.clone());
        let outer = self.lets.len();
        self.lets.push(Let { name: name.text.clone(), value: value.clone(), bound, element, free, outer });
        let result = self.value(body);
        self.lets.truncate(outer);
        result
    }

    /// What a path means whose first step `let` names.
    pub(super) fn let_path(&mut self, steps: &[Name], span: Span) -> Option<Hit> {
        let (first, rest) = steps.split_first()?;
        let given = self.lets.iter().rev().find(|l| l.name == first.text && !first.quoted)?.clone();
        self.uses += 1;
        if self.uses > MOST_USES {
            let d = Diagnostic::new(&expressions::TOO_DEEP, span, "names of let are used too often");
            self.report(d.help("split the expression into several"));
            return Some(Hit::Wrong);
        }
        let value = match (&given.value.kind, rest) {
            (_, []) => given.value,
            (AstKind::Path(path), rest) => Ast::new(AstKind::Path(path.iter().chain(rest).cloned().collect()), span),
            _ => {
                let d = Diagnostic::new(&typing::UNKNOWN_NAME, span, format!("'{}' is a value", first.text));
                self.report(d.label("it has no parts"));
                return Some(Hit::Wrong);
            }
        };
        let lets = self.lets.split_off(given.outer);
        let bound = std::mem::replace(&mut self.bound, given.bound);
        let element = std::mem::replace(&mut self.element, given.element);
        let free = std::mem::replace(&mut self.free, given.free);
        let typed = self.value(&value);
        self.lets.extend(lets);
        (self.bound, self.element, self.free) = (bound, element, free);
        Some(typed.map_or(Hit::Wrong, Hit::Value))
    }

    /// A choice between truths.
    pub(super) fn choice(&mut self, c: &Ast, a: &Ast, b: &Ast, span: Span) -> Option<Expr> {
        let (c, a, b) = (self.boolean(c), self.boolean(a), self.boolean(b));
        Some(either(c?, a?, b?, span))
    }

    /// A comparison with a choice between values inside: a choice between comparisons. `None`: there is none.
    pub(super) fn choice_compared(&mut self, op: CompareOp, a: &Ast, b: &Ast, span: Span) -> Option<Option<Expr>> {
        let (found, left) = match (first_choice(a), first_choice(b)) {
            (Some(found), _) => (found, true),
            (None, Some(found)) => (found, false),
            (None, None) => return None,
        };
        let mut choices = 0;
        let mut count = |part: &Ast| choices += usize::from(matches!(part.kind, AstKind::If(..)));
        a.walk(&mut count);
        b.walk(&mut count);
        if choices > MOST_CHOICES {
            let d = Diagnostic::new(&expressions::TOO_DEEP, span, "too many choices in one comparison");
            self.report(d.help("write the comparisons out, joined with &&"));
            return Some(None);
        }
        let AstKind::If(c, yes, no) = &found.kind else { return None };
        let with = |by: &Ast| match left {
            true => (replaced(a, found.span, by), b.clone()),
            false => (a.clone(), replaced(b, found.span, by)),
        };
        let c = self.boolean(c);
        let ((a1, b1), (a2, b2)) = (with(yes), with(no));
        let then = self.compare(op, &a1, &b1, span);
        let (c, then) = (c?, then?);
        Some(self.compare(op, &a2, &b2, span).map(|no| either(c, then, no, span)))
    }

    /// `a % b`, which is what division leaves: it has the sign of `a`, and by zero it is `a`.
    pub(super) fn remainder(&mut self, a: &Ast, b: &Ast, span: Span) -> Option<Typed> {
        let (a, b) = (self.value(a), self.value(b));
        let a = a.and_then(|a| self.expect(a, Ty::Int));
        let b = b.and_then(|b| self.expect(b, Ty::Int));
        let (a, b) = (a?, b?);
        if let Some(part) = [&a, &b].into_iter().find(|e| self.has_fraction(e)) {
            let d = Diagnostic::new(&typing::TYPE_MISMATCH, part.span, "'%' is for whole numbers");
            self.report(d.help("declare the number as int, or compare it"));
            return None;
        }
        let of =
            |op, x: &Expr, y: &Expr| Expr { kind: ExprKind::Arith(op, Box::new(x.clone()), Box::new(y.clone())), span };
        let whole = of(ArithOp::Mul, &of(ArithOp::Div, &a, &b), &b);
        Some(Typed { expr: of(ArithOp::Sub, &a, &whole), ty: Ty::Int })
    }

    fn has_fraction(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |part| {
            found |= match &part.kind {
                ExprKind::Decimal(d) => d.parts() > 1,
                ExprKind::Attr { ty, attr, .. } => {
                    let attr = self.app.types.get(ty.0).and_then(|t| t.attrs.get(attr.0));
                    attr.is_some_and(|a| a.wide.as_ref().is_some_and(|w| w.is_real()))
                }
                _ => false,
            };
        });
        found
    }

    /// `True` and `False`, where nothing is called so.
    pub(super) fn capital_truth(&mut self, steps: &[Name]) -> Option<bool> {
        let [word] = steps else { return None };
        let truth = match word.text.as_str() {
            "True" => true,
            "False" => false,
            _ => return None,
        };
        (!word.quoted && self.means_nothing(word)).then_some(truth)
    }

    /// Is a side of a comparison the word `null`?
    pub(super) fn is_null(&mut self, ast: &Ast) -> bool {
        match &ast.kind {
            AstKind::Path(steps) => match steps.as_slice() {
                [word] => word.text == "null" && !word.quoted && self.means_nothing(word),
                _ => false,
            },
            _ => false,
        }
    }

    /// `x == null`, `x != null`.
    pub(super) fn compared_with_null(&mut self, op: CompareOp, other: &Ast, span: Span) -> Option<Expr> {
        let unset = self.unset(other, "null", span)?;
        match op {
            CompareOp::Eq => Some(unset),
            CompareOp::Ne => Some(Expr { kind: ExprKind::Not(Box::new(unset)), span }),
            _ => {
                let d = Diagnostic::new(&typing::TEXT_ORDER, span, format!("'{}' does not work on null", op.symbol()));
                self.report(d.help("use '==' or '!='"));
                None
            }
        }
    }

    /// `empty(x)` of something that is no set: it is not set. `None`: a set, perhaps.
    pub(super) fn empty_value(&mut self, of: &Ast, span: Span) -> Option<Option<Typed>> {
        let AstKind::Path(_) = &of.kind else { return None };
        let quiet = std::mem::replace(&mut self.quiet, true);
        let (next, lacking, free) = (self.next, self.lacking.clone(), self.free.clone());
        let is_set = self.bag_of(of).is_some();
        let value = if is_set { None } else { self.value(of) };
        (self.quiet, self.next, self.lacking, self.free) = (quiet, next, lacking, free);
        value?;
        Some(self.unset(of, "empty", span).map(|expr| Typed { expr, ty: Ty::Bool }))
    }

    /// Has something no value?
    fn unset(&mut self, of: &Ast, word: &str, span: Span) -> Option<Expr> {
        let value = self.value(of)?;
        let kind = match &value.expr.kind {
            ExprKind::Attr { ty, attr, .. } => {
                self.app.types.get(ty.0).and_then(|t| t.attrs.get(attr.0)).map(|a| a.kind)
            }
            _ => None,
        };
        let at = |kind| Expr { kind, span };
        let (what, help) = match kind {
            Some(DataKind::Date { .. }) => return Some(at(ExprKind::Not(Box::new(value.expr)))),
            Some(DataKind::Reference(_)) => {
                let none = Box::new(at(ExprKind::Int(0)));
                return Some(at(ExprKind::Compare(CompareOp::Eq, Box::new(value.expr), none)));
            }
            Some(DataKind::Enumeration) => {
                let values = self.enumerated(&value.expr).unwrap_or_default();
                let differs = |v: String| {
                    let text = Box::new(at(ExprKind::Text(v)));
                    at(ExprKind::Compare(CompareOp::Ne, Box::new(value.expr.clone()), text))
                };
                return Some(at(ExprKind::And(values.into_iter().map(differs).collect())));
            }
            Some(DataKind::Text) => (
                "a text that is not set and one that the model does not name are not told apart",
                "compare it with the texts that matter: x != 'a' && x != 'b'",
            ),
            _ => ("numbers and Booleans always have a value", "compare it with a value"),
        };
        let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, format!("this cannot be {word}: {what}"));
        self.report(d.help(help));
        None
    }

    /// `Boolean = 1`: the number as a truth.
    pub(super) fn truth_as_number(&self, left: &mut Typed, right: &mut Typed) {
        let read = |truth: &Typed, number: &mut Typed| {
            if let (Ty::Bool, ExprKind::Int(n @ (0 | 1))) = (truth.ty, number.expr.kind.clone())
                && !self.is_date(&truth.expr)
            {
                (number.expr.kind, number.ty) = (ExprKind::Bool(n == 1), Ty::Bool);
            }
        };
        read(left, right);
        read(right, left);
    }

    /// Is a bare word the id of an agent, beside a text of a property?
    pub(super) fn names_agent(&self, word: &str) -> bool {
        matches!(self.place, Place::Property) && self.app.agents.iter().flatten().any(|a| a.name == word)
    }
}

fn either(c: Expr, a: Expr, b: Expr, span: Span) -> Expr {
    let at = |kind| Expr { kind, span };
    let not = at(ExprKind::Not(Box::new(c.clone())));
    at(ExprKind::Or(vec![at(ExprKind::And(vec![c, a])), at(ExprKind::And(vec![not, b]))]))
}

/// The first choice that a value is computed from.
fn first_choice(ast: &Ast) -> Option<&Ast> {
    match &ast.kind {
        AstKind::If(..) => Some(ast),
        AstKind::Arith(_, a, b) | AstKind::Rem(a, b) => first_choice(a).or_else(|| first_choice(b)),
        _ => None,
    }
}

/// A value with something else where the choice at a place stands.
fn replaced(ast: &Ast, at: Span, by: &Ast) -> Ast {
    let inner = |part: &Ast| Box::new(replaced(part, at, by));
    match &ast.kind {
        AstKind::If(..) if ast.span == at => by.clone(),
        AstKind::Arith(op, a, b) => Ast::new(AstKind::Arith(*op, inner(a), inner(b)), ast.span),
        AstKind::Rem(a, b) => Ast::new(AstKind::Rem(inner(a), inner(b)), ast.span),
        _ => ast.clone(),
    }
}
