//! Names and changes in conditions of the notation: a bare name may be an attribute, a stage or a milestone.

use super::calls::Status;
use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::paths::{Hit, joined};
use super::{Place, Resolver};
use crate::lang::gsm::{Expr, ExprKind, MilestoneIs, Over, StageIs, Subject, TypeIx};
use crate::lang::syntax::{Name, Related};
use crate::machine::ArithOp;
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Span};

impl Resolver<'_> {
    /// Is this a condition in the notation?
    pub(super) fn in_notation(&self) -> bool {
        matches!(self.place, Place::Sentry { notation: true, .. })
    }

    /// A name of the context slot. After `self.` an attribute comes first.
    pub(super) fn own_name(&mut self, ty: TypeIx, steps: &[Name], span: Span) -> Hit {
        let inner = self.without_prefix(ty, steps);
        let (t, path) = (&self.app.types[ty], joined(inner));
        let attr = names::find_attr(t, &path);
        if inner.len() < steps.len() && attr != Found::Nothing {
            return self.attr_hit(attr, Subject::This, ty, span);
        }
        let status = self.status_of(ty, &path, None);
        match (attr, status) {
            (attr, Ok(None)) => self.attr_hit(attr, Subject::This, ty, span),
            (Found::Nothing, Ok(Some(status))) => Hit::Value(Typed::new(status.of(Subject::This, ty), span, Ty::Bool)),
            (attr, status) => {
                self.more_than_one(&path, attr != Found::Nothing, status.is_err(), "", span);
                Hit::Wrong
            }
        }
    }

    /// A quoted name where a Boolean is expected.
    pub(super) fn quoted_name(&mut self, text: &str, span: Span) -> Option<Expr> {
        let name = Name { text: text.to_string(), span, quoted: true };
        let value = self.path(std::slice::from_ref(&name), span)?;
        self.expect(value, Ty::Bool)
    }

    /// The stage or milestone of a name, with what is asked of it; an error when both exist.
    fn status_of(&self, ty: TypeIx, name: &str, change: Option<bool>) -> Result<Option<Status>, ()> {
        let t = &self.app.types[ty];
        let is_stage = match change {
            None => StageIs::Active,
            Some(true) => StageIs::Opened,
            Some(false) => StageIs::Closed,
        };
        let is_milestone = match change {
            None => MilestoneIs::Achieved,
            Some(true) => MilestoneIs::JustAchieved,
            Some(false) => MilestoneIs::JustInvalidated,
        };
        match (names::find_stage(t, name), names::find_milestone(t, name)) {
            (Found::One(stage), Found::Nothing) => Ok(Some(Status::Stage(stage, is_stage))),
            (Found::Nothing, Found::One(milestone)) => Ok(Some(Status::Milestone(milestone, is_milestone))),
            (Found::Nothing, Found::Nothing) => Ok(None),
            _ => Err(()),
        }
    }

    fn more_than_one(&mut self, path: &str, attr: bool, statuses: bool, sign: &str, span: Span) {
        let mut ways = Vec::new();
        if attr {
            ways.push(format!("'self.{path}'"));
        }
        if statuses || !attr {
            ways.push(format!("'{sign}stage {path}'"));
        }
        ways.push(format!("'{sign}milestone {path}'"));
        let d = Diagnostic::new(&model::AMBIGUOUS, span, format!("'{path}' is more than one thing here"));
        self.report(d.help(format!("say which: {}", ways.join(" or "))));
    }

    /// `+m`, `-S`; or `-n` for a number.
    pub(super) fn changed(&mut self, up: bool, path: &[Name], span: Span) -> Option<Typed> {
        let own = self.own_type()?;
        let (of, ty, rest) = match path.split_first() {
            Some((first, rest)) if !rest.is_empty() && self.bound_variable(first).is_some() => {
                let (var, ty) = self.bound_variable(first)?;
                (Subject::Bound(var), ty, rest)
            }
            _ => (Subject::This, own, self.without_prefix(own, path)),
        };
        let (name, sign) = (joined(rest), if up { "+" } else { "-" });
        match self.status_of(ty, &name, Some(up)) {
            Ok(Some(status)) => Some(Typed::new(status.of(of, ty), span, Ty::Bool)),
            Err(()) => {
                self.more_than_one(&name, false, true, sign, span);
                None
            }
            Ok(None) if !up && names::find_attr(&self.app.types[ty], &name) != Found::Nothing => {
                let value = self.path(path, span)?;
                let value = self.expect(value, Ty::Int)?;
                let zero = Expr { kind: ExprKind::Int(0), span };
                Some(Typed::new(ExprKind::Arith(ArithOp::Sub, Box::new(zero), Box::new(value)), span, Ty::Int))
            }
            Ok(None) => {
                let t = &self.app.types[ty];
                let message = format!("'{}' has no stage or milestone '{name}'", t.id);
                let known = t.stages.iter().map(|s| s.id.as_str()).chain(t.milestones.iter().map(|m| m.id.as_str()));
                let d = Diagnostic::new(&typing::UNKNOWN_NAME, span, message).nearest(&name, known);
                self.report(d.note(format!("'{sign}' asks whether a stage or milestone has just changed")));
                None
            }
        }
    }

    /// `some R.m`, `all R.m`, `x.some R.m`.
    pub(super) fn related_to(&mut self, related: &Related, span: Span) -> Option<Expr> {
        let over = match (&related.subject, self.place) {
            (None, Place::Sentry { .. }) => Over::Related,
            (Some(subject), _) => match self.bound_variable(subject) {
                Some((var, ty)) => Over::RelatedTo { var, ty },
                None => {
                    let message = format!("'{}' is not a quantified instance", subject.text);
                    let d = Diagnostic::new(&typing::UNKNOWN_NAME, subject.span, message);
                    self.report(d.help(format!("quantify it: forall {} : Type (…)", subject.text)));
                    return None;
                }
            },
            (None, _) => {
                let message = "there is no artifact here to which others could be related";
                let d = Diagnostic::new(&typing::NOT_HERE, span, message);
                self.report(d.help("name an instance before it: x.some Type.Milestone with x quantified"));
                return None;
            }
        };
        let ty = names::artifact_type(self.app, &related.ty, self.loud())?;
        let (name, sign) = (&related.status, if related.change == Some(false) { "-" } else { "+" });
        let status = match self.status_of(ty, &name.text, related.change) {
            Ok(Some(status)) => status,
            Ok(None) => {
                let t = &self.app.types[ty];
                let message = format!("'{}' has no stage or milestone '{}'", t.id, name.text);
                let known = t.stages.iter().map(|s| s.id.as_str()).chain(t.milestones.iter().map(|m| m.id.as_str()));
                let d = Diagnostic::new(&typing::UNKNOWN_NAME, name.span, message).nearest(&name.text, known);
                self.report(d);
                return None;
            }
            Err(()) => {
                let message = format!("'{}' is both a stage and a milestone of '{}'", name.text, related.ty.text);
                let help = "write isRelatedArtifactStageActive(Type, Stage) or hasRelatedArtifactMilestoneBeenAchieved(Type, \
                            Milestone)";
                self.report(Diagnostic::new(&model::AMBIGUOUS, name.span, message).help(help));
                return None;
            }
        };
        if related.change.is_some() && matches!(self.place, Place::Property) {
            let message = format!("'{sign}' speaks about a step, and here a snapshot is meant");
            self.report(Diagnostic::new(&typing::NOT_HERE, span, message));
            return None;
        }
        Some(Expr { kind: self.status_of_related(related.all, ty, over, status, span), span })
    }
}
