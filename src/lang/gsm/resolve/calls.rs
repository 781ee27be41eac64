//! GSM operators, quantifiers and the OCL operators on related artifacts.

use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::operators::{OPERATORS, Operator, operator};
use super::{Bound, Place, Resolver};
use crate::lang::gsm::{Expr, ExprKind, MilestoneIs, MilestoneIx, Over, StageIs, StageIx, Subject, TypeIx};
use crate::lang::syntax::{Ast, Name};
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Span};

/// Whose status an operator asks for.
enum Whose {
    /// That slot.
    One(Subject, TypeIx),
    /// Some related slot of the type.
    SomeRelated(TypeIx),
}

/// A stage or milestone of a type, with what is asked.
#[derive(Clone, Copy)]
pub(super) enum Status {
    Stage(StageIx, StageIs),
    Milestone(MilestoneIx, MilestoneIs),
}

impl Resolver<'_> {
    /// `GSM.f(…)`, `Model.GSM.f(…)`, `this.f(…)`, `x.f(…)`.
    pub(super) fn call(&mut self, path: &[Name], args: &[Name], span: Span) -> Option<Typed> {
        let (name, prefix) = path.split_last()?;
        if let Some(found) = self.built_in_call(path, args, span) {
            return found;
        }
        let Some(op) = operator(&name.text) else {
            let message = format!("unknown operator '{}'", name.text);
            let d = Diagnostic::new(&typing::UNKNOWN_OPERATOR, name.span, message);
            let d = match name.text.as_str() {
                word @ ("some" | "all") => {
                    d.help(format!("write {word} Type.milestone; in a property x.{word} Type.milestone"))
                }
                _ => d.nearest(&name.text, OPERATORS.iter().map(|(n, _)| *n)),
            };
            self.report(d);
            return None;
        };
        let variable = match prefix {
            [x] => self.bound_variable(x),
            _ => None,
        };
        if !self.allowed(op, variable.is_some(), name) {
            return None;
        }
        if variable.is_none() && !self.known_prefix(prefix) {
            return None;
        }
        let kind = match op {
            Operator::Event => "an event",
            Operator::Task => "a task",
            Operator::Stage(_) | Operator::RelatedStage(_) => "a stage",
            _ => "a milestone",
        };
        let fits = match args.len() {
            1 => !op.about_related(),
            n => n == 2,
        };
        if !fits {
            self.wrong_arguments(op, name, kind, args.len(), span);
            return None;
        }
        let kind = match op {
            Operator::Event => ExprKind::Occurring(names::event(self.app, self.of_own(args, span)?, self.loud())?),
            Operator::Task => {
                let task = self.of_own(args, span)?;
                ExprKind::TaskCompleted(names::task(self.app, self.own_type()?, task, self.loud())?)
            }
            _ if op.about_related() => return self.related(op, variable, args, span),
            _ => return self.status_call(op, variable, args, span),
        };
        Some(Typed::new(kind, span, Ty::Bool))
    }

    fn known_prefix(&mut self, prefix: &[Name]) -> bool {
        let words: Vec<&str> = prefix.iter().map(|p| p.text.as_str()).collect();
        if matches!(
            words.as_slice(),
            [] | ["GSM"] | ["Model"] | ["Model", "GSM"] | ["this" | "self"] | ["this" | "self", "GSM"]
        ) {
            return true;
        }
        let (text, span) = (words.join("."), prefix[0].span.to(prefix[prefix.len() - 1].span));
        let d = Diagnostic::new(&typing::UNKNOWN_NAME, span, format!("unknown name '{text}' before an operator"));
        let variables: Vec<String> = self.bound.iter().filter_map(|b| b.name.clone()).collect();
        let known = variables.iter().map(String::as_str).chain(["GSM", "this"]);
        self.report(d.nearest(&text, known));
        false
    }

    /// Operators about steps belong into sentries, observers into properties.
    fn allowed(&mut self, op: Operator, subject: bool, name: &Name) -> bool {
        let (sentry, property) = match self.place {
            Place::Sentry { .. } => (true, false),
            Place::Property => (false, true),
            _ => (false, false),
        };
        let why = if op.is_observer() && !property {
            "observers can be asked in properties only"
        } else if op.about_step() && !sentry {
            "it speaks about a step, and here a snapshot is meant"
        } else if op.about_related() && !sentry && !(property && subject) {
            "there is no artifact here to which others could be related"
        } else {
            return true;
        };
        let message = format!("operator '{}' is not allowed here", name.text);
        let d = Diagnostic::new(&typing::NOT_HERE, name.span, message).label(why);
        let related = property && op.about_related() && !op.about_step();
        self.report(if related {
            d.help(format!("name the instance: x.{}(…) with x quantified", name.text))
        } else {
            d
        });
        false
    }

    fn wrong_arguments(&mut self, op: Operator, name: &Name, kind: &str, found: usize, span: Span) {
        let wanted = match op.about_related() {
            true => format!("a type and {kind}"),
            false => format!("{kind}, or a type and {kind}"),
        };
        let message = format!("'{}' takes {wanted}, but has {found} arguments", name.text);
        let message = message.replace("has 1 arguments", "has 1 argument");
        self.report(Diagnostic::new(&typing::ARGUMENTS, span, message));
    }

    /// The last argument of an operator about events or tasks, which are asked of the context slot only.
    fn of_own<'n>(&mut self, args: &'n [Name], span: Span) -> Option<&'n Name> {
        if let [ty, _] = args {
            let ty = names::artifact_type(self.app, ty, self.loud())?;
            if Some(ty) != self.own_type() {
                let message = "events and tasks of other artifacts cannot be asked";
                self.report(Diagnostic::new(&typing::NOT_HERE, span, message));
                return None;
            }
        }
        args.last()
    }

    fn related(&mut self, op: Operator, subject: Option<(u32, TypeIx)>, args: &[Name], span: Span) -> Option<Typed> {
        let [ty, name] = args else { return None };
        let ty = names::artifact_type(self.app, ty, self.loud())?;
        let status = match op {
            Operator::RelatedStage(is) => Status::Stage(names::stage(self.app, ty, name, self.loud())?, is),
            Operator::RelatedMilestone(is) => Status::Milestone(names::milestone(self.app, ty, name, self.loud())?, is),
            _ => Status::Milestone(names::milestone(self.app, ty, name, self.loud())?, MilestoneIs::Achieved),
        };
        let over = subject.map_or(Over::Related, |(var, ty)| Over::RelatedTo { var, ty });
        let kind = self.status_of_related(op == Operator::AllRelatedMilestone, ty, over, status, span);
        Some(Typed::new(kind, span, Ty::Bool))
    }

    /// Some slot that a question ranges over has the status; or all have, and there is one.
    pub(super) fn status_of_related(
        &mut self,
        all: bool,
        ty: TypeIx,
        over: Over,
        status: Status,
        span: Span,
    ) -> ExprKind {
        let has = |var| status.of(Subject::Bound(var), ty);
        if !all {
            return self.over_slots(true, ty, over, span, has).kind;
        }
        let any = self.over_slots(true, ty, over, span, |_| ExprKind::Bool(true));
        ExprKind::And(vec![any, self.over_slots(false, ty, over, span, has)])
    }

    fn over_slots(
        &mut self,
        exists: bool,
        ty: TypeIx,
        over: Over,
        span: Span,
        body: impl FnOnce(u32) -> ExprKind,
    ) -> Expr {
        let var = self.fresh();
        let body = Box::new(Expr { kind: body(var), span });
        Expr { kind: ExprKind::Quant { exists, var, ty, over, body }, span }
    }

    /// Operators about the status of one slot.
    fn status_call(
        &mut self,
        op: Operator,
        variable: Option<(u32, TypeIx)>,
        args: &[Name],
        span: Span,
    ) -> Option<Typed> {
        let name = args.last()?;
        let whose = match (variable, args) {
            (Some((var, ty)), [_]) => Whose::One(Subject::Bound(var), ty),
            (Some((var, ty)), _) => {
                let named = names::artifact_type(self.app, &args[0], self.loud())?;
                if named != ty {
                    let message = format!("the variable is a '{}', not a '{}'", self.app.types[ty].id, args[0].text);
                    self.report(Diagnostic::new(&typing::TYPE_MISMATCH, args[0].span, message));
                    return None;
                }
                Whose::One(Subject::Bound(var), ty)
            }
            (None, [_]) => self.whose_status(op, name)?,
            (None, _) => {
                let ty = names::artifact_type(self.app, &args[0], self.loud())?;
                self.slot_of_type(ty, name)?
            }
        };
        let (Whose::One(_, ty) | Whose::SomeRelated(ty)) = whose;
        let status = match op {
            Operator::Stage(is) => Status::Stage(names::stage(self.app, ty, name, self.loud())?, is),
            Operator::Milestone(is) => Status::Milestone(names::milestone(self.app, ty, name, self.loud())?, is),
            _ => return None,
        };
        let kind = match whose {
            Whose::One(of, ty) => status.of(of, ty),
            Whose::SomeRelated(ty) => {
                self.over_slots(true, ty, Over::Related, span, |var| status.of(Subject::Bound(var), ty)).kind
            }
        };
        Some(Typed::new(kind, span, Ty::Bool))
    }

    /// The slot that a call with a type means.
    fn slot_of_type(&mut self, ty: TypeIx, name: &Name) -> Option<Whose> {
        match (self.own_type(), &self.place) {
            (Some(own), _) if own == ty => Some(Whose::One(Subject::This, ty)),
            (_, Place::Sentry { .. }) => Some(Whose::SomeRelated(ty)),
            (None, _) => Some(Whose::One(Subject::Bound(self.free_variable(ty)), ty)),
            _ => {
                self.lacking.get_or_insert((name.text.clone(), name.span));
                None
            }
        }
    }

    /// The slot that a call without a type means.
    fn whose_status(&mut self, op: Operator, name: &Name) -> Option<Whose> {
        let has = |r: &Self, ty: TypeIx| match op {
            Operator::Stage(_) => names::find_stage(&r.app.types[ty], &name.text) != Found::Nothing,
            _ => names::find_milestone(&r.app.types[ty], &name.text) != Found::Nothing,
        };
        let implicit = self.bound.iter().rev().find(|b| b.name.is_none()).map(|b| (b.var, b.ty));
        if let Some((var, ty)) = implicit.filter(|(_, ty)| has(self, *ty)) {
            return Some(Whose::One(Subject::Bound(var), ty));
        }
        let with: Vec<TypeIx> = TypeIx::all(&self.app.types).filter(|&ty| has(self, ty)).collect();
        if let Some(own) = self.own_type() {
            let elsewhere = !with.is_empty() && !with.contains(&own);
            if elsewhere && !matches!(self.place, Place::Sentry { .. }) {
                self.lacking.get_or_insert((name.text.clone(), name.span));
                return None;
            }
            return Some(Whose::One(Subject::This, own));
        }
        match with.as_slice() {
            [ty] => Some(Whose::One(Subject::Bound(self.free_variable(*ty)), *ty)),
            [] if self.app.types.len() == 1 => {
                Some(Whose::One(Subject::Bound(self.free_variable(TypeIx(0))), TypeIx(0)))
            }
            [] => {
                let (kind, code) = match op {
                    Operator::Stage(_) => ("stage", &model::UNKNOWN_STAGE),
                    _ => ("milestone", &model::UNKNOWN_MILESTONE),
                };
                let ids = self.app.types.iter().flat_map(|t| match op {
                    Operator::Stage(_) => t.stages.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(),
                    _ => t.milestones.iter().map(|m| m.id.as_str()).collect(),
                });
                let d = Diagnostic::new(code, name.span, format!("unknown {kind} '{}'", name.text));
                let d = d.nearest(&name.text, ids);
                self.report(d);
                None
            }
            several => {
                let ids: Vec<String> = several.iter().map(|&t| format!("'{}'", self.app.types[t].id)).collect();
                let d = Diagnostic::new(&model::AMBIGUOUS, name.span, format!("several types have '{}'", name.text));
                self.report(d.help(format!("name the type first: {}", ids.join(" or "))));
                None
            }
        }
    }

    /// `forall x : T (…)` inside an expression.
    pub(super) fn quantifier(&mut self, exists: bool, var: &Name, ty: &Name, body: &Ast, span: Span) -> Option<Expr> {
        if !matches!(self.place, Place::Property) {
            let message = "quantifiers over instances are not allowed here";
            let d = Diagnostic::new(&typing::NOT_HERE, span, message);
            self.report(d.help("in guards and conditions ask related artifacts: Type->exists(x | …)"));
            return None;
        }
        let ty = names::artifact_type(self.app, ty, self.loud())?;
        let number = self.fresh();
        self.bound.push(Bound { name: Some(var.text.clone()), var: number, ty });
        let body = self.boolean(body);
        self.bound.pop();
        let kind = ExprKind::Quant { exists, var: number, ty, over: Over::Created, body: Box::new(body?) };
        Some(Expr { kind, span })
    }
}

impl Status {
    pub(super) fn of(self, of: Subject, ty: TypeIx) -> ExprKind {
        match self {
            Status::Stage(stage, is) => ExprKind::Stage { of, ty, stage, is },
            Status::Milestone(milestone, is) => ExprKind::Milestone { of, ty, milestone, is },
        }
    }
}
