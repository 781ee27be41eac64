//! `mu Z. φ` and `nu Z. φ`: variables in scope, bound once, under no odd number of negations.

use super::Atoms;
use super::resolve::{F, Resolve};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::logic::{Fixpoint, Formula};
use crate::source::codes::properties as codes;
use crate::source::{Diagnostic, Span};

/// Under how many negations something stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// An even number.
    #[default]
    Even,
    /// An odd number.
    Odd,
    /// Both at once, as under an equivalence.
    Both,
}

impl Sign {
    /// The sign of something within something.
    pub fn of(self, inner: Sign) -> Sign {
        match (self, inner) {
            (Sign::Both, _) | (_, Sign::Both) => Sign::Both,
            (outer, inner) if outer == inner => Sign::Even,
            _ => Sign::Odd,
        }
    }
}

/// The fixpoint variables of a formula.
#[derive(Clone, Debug, Default)]
pub struct Fixpoints {
    /// Bound anywhere in the formula: name, where, and how often.
    all: Vec<(String, Span, usize)>,
    /// Bound around the present place, with the sign of the fixpoint.
    scope: Vec<(String, Sign)>,
    sign: Sign,
    /// Variables of the quantifiers around the present place.
    pub quantified: Vec<String>,
}

impl Fixpoints {
    /// All that a formula binds.
    pub fn of(ast: &Ast) -> Fixpoints {
        let mut all: Vec<(String, Span, usize)> = Vec::new();
        ast.walk(&mut |part| {
            if let AstKind::Fix(_, name, _) = &part.kind {
                match all.iter_mut().find(|(n, ..)| *n == name.text) {
                    Some((_, _, times)) => *times += 1,
                    None => all.push((name.text.clone(), name.span, 1)),
                }
            }
        });
        Fixpoints { all, ..Fixpoints::default() }
    }

    /// Is this the name of a fixpoint variable, in scope or not?
    pub fn named(&self, ast: &Ast) -> bool {
        bare(ast).is_some_and(|name| self.all.iter().any(|(n, ..)| *n == name.text))
    }
}

/// A name that stands alone.
fn bare(ast: &Ast) -> Option<&Name> {
    match &ast.kind {
        AstKind::Path(steps) => match steps.as_slice() {
            [name] if !name.quoted => Some(name),
            _ => None,
        },
        _ => None,
    }
}

impl<L: Atoms> Resolve<'_, L> {
    /// What stands under a sign of its own.
    pub(super) fn signed<T>(&mut self, sign: Sign, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.fixpoints.sign;
        self.fixpoints.sign = outside.of(sign);
        let result = inside(self);
        self.fixpoints.sign = outside;
        result
    }

    /// Whether a formula may stand under `@fair`: it has no fixpoint. Otherwise that is reported.
    pub(super) fn may_be_fair(&mut self, ast: &Ast) -> bool {
        let mut first = None;
        ast.walk(&mut |part| {
            if matches!(part.kind, AstKind::Fix(..)) {
                first = first.or(Some(part.span));
            }
        });
        if let Some(span) = first {
            let d = Diagnostic::new(&codes::FIX_FAIR, span, "a fixpoint cannot stand under @fair");
            self.diags.push(d.help("use EF, EG, AF, AG, A(… U …), E(… U …), or leave @fair out"));
        }
        first.is_none()
    }

    pub(super) fn fixpoint(&mut self, kind: Fixpoint, name: &Name, body: &Ast) -> Option<F<L>> {
        let again = self.fixpoints.all.iter().find(|(n, first, times)| {
            *n == name.text && (*times > 1 && *first != name.span || self.fixpoints.scope.iter().any(|(s, _)| s == n))
        });
        if again.is_some() {
            let message = format!("the fixpoint variable '{}' is bound twice", name.text);
            return self
                .error(Diagnostic::new(&codes::FIX_TWICE, name.span, message).help("give each mu and nu its own"));
        }
        if self.fixpoints.quantified.contains(&name.text) {
            let message = format!("'{}' is the variable of a quantifier already", name.text);
            return self.error(Diagnostic::new(&codes::FIX_TWICE, name.span, message).help("choose another name"));
        }
        // Under an equivalence the fixpoint itself has both signs; what counts inside is how the variable stands to it.
        let outside = self.fixpoints.sign;
        self.fixpoints.sign = Sign::Even;
        self.fixpoints.scope.push((name.text.clone(), outside));
        let body = self.formula(body);
        self.fixpoints.scope.pop();
        self.fixpoints.sign = outside;
        Some(Formula::fix(kind, &name.text, body?))
    }

    pub(super) fn fixpoint_variable(&mut self, ast: &Ast) -> Option<F<L>> {
        let name = bare(ast)?.text.clone();
        let Some(at) = self.fixpoints.scope.iter().rposition(|(n, _)| *n == name) else {
            let message = format!("the fixpoint variable '{name}' stands outside its fixpoint");
            let d = Diagnostic::new(&codes::FIX_UNBOUND, ast.span, message);
            return self
                .error(d.help(format!("mu {name}. and nu {name}. reach as far as AG does: write mu {name}. (…)")));
        };
        // From the variable out to its fixpoint, through the fixpoints in between.
        let between = self.fixpoints.scope.iter().skip(at + 1).map(|(_, sign)| *sign);
        let (under, help) = match between.fold(self.fixpoints.sign, Sign::of) {
            Sign::Even => return Some(Formula::Var(name)),
            Sign::Odd => ("a negation", "move negations inwards: !EX becomes AX !, !AX becomes EX !, mu becomes nu"),
            Sign::Both => ("<-> or xor", "write both directions out, with the variable under no negation"),
        };
        let message = format!("the fixpoint variable '{name}' stands under {under}");
        self.error(Diagnostic::new(&codes::FIX_NEGATED, ast.span, message).help(help))
    }
}
