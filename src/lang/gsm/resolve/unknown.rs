//! Names that mean nothing: what is told, and what to write instead.

use super::names::{self, Found};
use super::paths::joined;
use super::{Place, Resolver};
use crate::lang::gsm::{Expr, ExprKind, TypeIx};
use crate::lang::syntax::Name;
use crate::source::codes::typing;
use crate::source::{Diagnostic, Span};

impl Resolver<'_> {
    /// Reports a path that leads nowhere.
    pub(super) fn unknown(&mut self, steps: &[Name], span: Span) {
        let path = joined(steps);
        let mut known: Vec<String> = Vec::new();
        let mut hint = None;
        let variable = steps.split_first().and_then(|(first, rest)| {
            self.bound_variable(first).filter(|_| !rest.is_empty()).map(|(_, ty)| (ty, joined(rest)))
        });
        let bare = self.own_type().map_or(path.clone(), |ty| joined(self.without_prefix(ty, steps)));
        let (types, wanted) = match &variable {
            Some((ty, rest)) => (vec![*ty], rest.as_str()),
            None => {
                (self.own_type().map_or_else(|| TypeIx::all(&self.app.types).collect(), |t| vec![t]), bare.as_str())
            }
        };
        for ty in types {
            let t = &self.app.types[ty];
            known.extend(t.attrs.iter().flat_map(|a| [a.path.clone(), names::last_step(&a.path).to_string()]));
            if variable.is_some() || matches!(self.place, Place::Property) || self.in_notation() {
                known.extend(t.stages.iter().map(|s| s.id.clone()).chain(t.milestones.iter().map(|m| m.id.clone())));
            } else if names::find_stage(t, wanted) != Found::Nothing {
                hint = Some(format!("a stage is asked with GSM.isStageActive('{wanted}')"));
            } else if names::find_milestone(t, wanted) != Found::Nothing {
                hint = Some(format!("a milestone is asked with GSM.isMilestoneAchieved('{wanted}')"));
            }
        }
        if let Place::Protocol { vars, event, .. } = &self.place {
            known.extend(vars.iter().map(|v| v.name.clone()));
            known.extend(self.app.events.get(event.0).into_iter().flat_map(|e| &e.payload).map(|f| f.name.clone()));
        }
        let several = self.app.types.len() > 1 && !matches!(self.place, Place::Sentry { .. });
        let message = match (&variable, self.own_type()) {
            (None, Some(_)) if several => format!("no artifact type has an attribute '{bare}'"),
            (Some((ty, rest)), _) => {
                hint = self.of_others(steps);
                format!("'{}' has no attribute, stage or milestone '{rest}'", self.app.types[*ty].id)
            }
            (None, Some(ty)) if self.in_notation() => {
                format!("'{}' has no attribute, stage or milestone '{bare}'", self.app.types[ty].id)
            }
            (None, Some(ty)) => format!("'{}' has no attribute '{bare}'", self.app.types[ty].id),
            (None, None) => match self.unbound(steps) {
                Some((name, help)) => {
                    hint = Some(help);
                    format!("nothing is called '{name}' here")
                }
                None => format!("unknown name '{path}'"),
            },
        };
        let d = Diagnostic::new(&typing::UNKNOWN_NAME, span, message);
        let d = match hint {
            Some(hint) => d.help(hint),
            None => d.nearest(wanted, known.iter().map(String::as_str)),
        };
        if steps.len() == 1 && self.app.events.iter().any(|e| e.id == path) {
            let instead = format!("'{path}' is an event: write 'on {path}' or occurs({path}) in a sentry");
            return self.report(Diagnostic { help: None, ..d }.help(instead));
        }
        let text = steps.len() == 1 && path.len() > 1 && d.help.is_none() && variable.is_none();
        self.report(if text { d.help(format!("a text stands in quotes: '{path}'")) } else { d });
    }

    /// `g.Paid` in a property where no `g` is bound: its name, and how to bind it.
    fn unbound(&self, steps: &[Name]) -> Option<(String, String)> {
        let (first, rest) = steps.split_first().filter(|(_, rest)| !rest.is_empty())?;
        let agents = self.app.agents.iter().flatten().any(|a| a.name == first.text);
        if !matches!(self.place, Place::Property) || agents || names::find_type(self.app, &first.text) != Found::Nothing
        {
            return None;
        }
        let status = |t: &crate::lang::gsm::ArtifactType| {
            names::find_stage(t, &first.text) != Found::Nothing
                || names::find_milestone(t, &first.text) != Found::Nothing
        };
        if self.app.types.iter().any(status) {
            return None;
        }
        let what = joined(rest);
        let knows = |t: &&crate::lang::gsm::ArtifactType| {
            names::find_stage(t, &what) != Found::Nothing
                || names::find_milestone(t, &what) != Found::Nothing
                || names::find_attr(t, &what) != Found::Nothing
        };
        let ty = self.app.types.iter().find(knows).or(self.app.types.first())?;
        let bind = format!("bind it: forall {} : {} ({}.{what})", first.text, ty.id, first.text);
        let bound = self.bound.iter().filter_map(|b| b.name.as_ref()).next_back();
        let help = bound.map_or(bind.clone(), |x| format!("write {x}.{what}, or {bind}"));
        Some((first.text.clone(), help))
    }

    /// An expression for messages.
    pub(super) fn describe(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Attr { ty, attr, .. } => {
                let t = &self.app.types[*ty];
                format!("'{}.{}'", t.id, t.attrs[*attr].path)
            }
            ExprKind::Field(name) => format!("field '{name}'"),
            ExprKind::Private { agent, var } => {
                self.private(*agent, *var).map_or_else(String::new, |v| format!("'{}'", v.name))
            }
            _ => "this".to_string(),
        }
    }

    /// `x.Fine.Paid`, where others are related to x: how to ask them.
    fn of_others(&self, steps: &[Name]) -> Option<String> {
        let [x, ty, status @ ..] = steps else { return None };
        let Found::One(found) = names::find_type(self.app, &ty.text) else { return None };
        let id = &self.app.types[found].id;
        let (x, status) = (&x.text, joined(status));
        let status = if status.is_empty() { "…".to_string() } else { status };
        Some(format!("of the related instances, some or all: {x}.some {id}.{status}, {x}.all {id}.{status}"))
    }
}
