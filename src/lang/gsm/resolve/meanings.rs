//! Words that mean something by themselves and may be names of the model as well: nothing is guessed.

use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::paths::Hit;
use super::{Place, Resolver};
use crate::lang::gsm::{AttrIx, ExprKind, Subject, TypeIx};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::source::codes::{expressions as codes, typing};
use crate::source::{Diagnostic, Span};

impl Resolver<'_> {
    pub(super) fn two_meanings(&mut self, word: &str, either: [String; 2], help: String, span: Span) {
        let message = format!("'{word}' has two meanings here: {}", either.join(", and "));
        self.report(Diagnostic::new(&codes::TWO_MEANINGS, span, message).help(help));
    }

    /// What a type calls by this name: `a stage`.
    pub(super) fn called(&self, ty: TypeIx, name: &str) -> Option<&'static str> {
        let t = self.app.types.get(ty.0)?;
        let hits = [
            (names::find_stage(t, name) != Found::Nothing, "the stage"),
            (names::find_milestone(t, name) != Found::Nothing, "the milestone"),
            (names::find_attr(t, name) != Found::Nothing, "the attribute"),
        ];
        hits.into_iter().find(|(hit, _)| *hit).map(|(_, what)| what)
    }

    /// `created` and `id` of an instance. An attribute `id` is what `x.id` means: the number is `x` alone.
    pub(super) fn built_in(
        &self,
        of: Subject,
        ty: TypeIx,
        word: &str,
        attr: &Found<AttrIx>,
        span: Span,
    ) -> Option<Typed> {
        let property = matches!(self.place, Place::Property);
        match word {
            "created" => Some(self.exists(of, ty, span)),
            "id" if property && *attr == Found::Nothing => Some(Typed::new(ExprKind::Id { of }, span, Ty::Int)),
            _ => None,
        }
    }

    fn exists(&self, of: Subject, ty: TypeIx, span: Span) -> Typed {
        let created = match self.place {
            Place::Property => ExprKind::Created { of, ty },
            _ => ExprKind::Bool(true),
        };
        Typed::new(created, span, Ty::Bool)
    }

    pub(super) fn variable_name(&self, of: Subject) -> String {
        let bound = self.bound.iter().find(|b| matches!(of, Subject::Bound(var) if b.var == var));
        bound.and_then(|b| b.name.clone()).unwrap_or_else(|| "x".into())
    }

    /// The flag `overflow`, unless some type calls something so.
    pub(super) fn overflow(&mut self, span: Span) -> Hit {
        let bearer = TypeIx::all(&self.app.types).find_map(|ty| Some((ty, self.called(ty, "overflow")?)));
        let Some((ty, what)) = bearer else {
            return Hit::Value(Typed::new(ExprKind::Overflow, span, Ty::Bool));
        };
        let id = &self.app.types[ty].id;
        let either = ["a place that was too small".to_string(), format!("{what} of '{id}'")];
        let help = format!("write overflow() for the flag, exists x : {id} (x.overflow) for {what}");
        self.two_meanings("overflow", either, help, span);
        Hit::Wrong
    }

    /// `created(x)` and `overflow()`, which no name of the model can mean. `None`: it is neither.
    pub(super) fn built_in_call(&mut self, path: &[Name], args: &[Name], span: Span) -> Option<Option<Typed>> {
        let property = matches!(self.place, Place::Property);
        let word = match path {
            [word] => word,
            [gsm, word] if gsm.text == "GSM" => word,
            _ => return None,
        };
        let message = match (word.text.as_str(), args) {
            ("overflow", []) if property => return Some(Some(Typed::new(ExprKind::Overflow, span, Ty::Bool))),
            ("created", [x]) => match self.bound_variable(x) {
                Some((var, ty)) => return Some(Some(self.exists(Subject::Bound(var), ty, span))),
                None => format!("'{}' is not a quantified instance", x.text),
            },
            ("created", _) => "'created' takes an instance".to_string(),
            ("overflow", _) if property => "'overflow' takes nothing".to_string(),
            _ => return None,
        };
        self.report(
            Diagnostic::new(&typing::ARGUMENTS, span, message).help("write created(x) with x quantified, overflow()"),
        );
        Some(None)
    }

    /// Is a bare word on one side both a value of the other side (or the id of an agent) and a name? Then it is reported.
    pub(super) fn value_or_name(&mut self, ast: &Ast, word: &Typed, other: &Typed) -> bool {
        let AstKind::Path(steps) = &ast.kind else { return false };
        let ([name], false) = (steps.as_slice(), matches!(word.expr.kind, ExprKind::Text(_))) else { return false };
        let value = self.enumerated(&other.expr).is_some_and(|values| values.contains(&name.text));
        let in_agents = matches!(self.place, Place::Window { .. } | Place::Protocol { .. });
        let agent = in_agents && other.ty == Ty::Text && self.agent_names.contains(&name.text);
        if name.quoted || !(value || agent) {
            return false;
        }
        let (text, named) = (&name.text, if value { "a value" } else { "an agent" });
        let (what, form) = match (&word.expr.kind, self.place) {
            (ExprKind::Private { .. }, _) => ("a private variable", "give the variable another name".to_string()),
            (ExprKind::Field(_), _) => ("a payload field", "give the field another name".to_string()),
            (ExprKind::Id { .. }, _) => ("an instance", "give the variable another name".to_string()),
            (_, Place::Property) => {
                ("a name of the model", format!("quantify for what the model calls so: exists x : Type (x.{text})"))
            }
            (_, Place::Sentry { notation: true, .. }) => ("a name of the type", format!("self.{text} for the other")),
            _ => ("a name of the type", format!("this.{text} for the other")),
        };
        let help = format!("write '{text}' in quotes for {named}, {form}").replace(", give", "; else give");
        self.two_meanings(
            text,
            [named.to_string(), what.to_string()],
            help.replace(", quantify", "; quantify"),
            ast.span,
        );
        true
    }
}
