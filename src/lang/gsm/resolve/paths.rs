//! Attribute paths: whose attribute, and which.

use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::{Place, Resolver};
use crate::lang::gsm::{
    AttrIx, DataKind, ExprKind, Field, MilestoneIs, MilestoneIx, PrivateVar, StageIs, Subject, TypeIx,
};
use crate::lang::syntax::Name;
use crate::machine::Domain;
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Span};

/// What a path leads to.
pub(super) enum Hit {
    Value(Typed),
    /// Reported already.
    Wrong,
    Nothing,
}

impl Resolver<'_> {
    /// `a`, `a.b`, `x.attr`, `this.attr`, `Agent.var`, …
    pub(super) fn path(&mut self, steps: &[Name], span: Span) -> Option<Typed> {
        match self.lead(steps, span) {
            Hit::Value(typed) => Some(typed),
            Hit::Wrong => None,
            Hit::Nothing => {
                self.unknown(steps, span);
                None
            }
        }
    }

    /// An E-GSM data term: the first steps may name the data item and the root element.
    pub(super) fn data_term(&mut self, _item: Option<&Name>, steps: &[Name], span: Span) -> Option<Typed> {
        let Some(ty) = self.own_type() else { return self.path(steps, span) };
        let words: Vec<&str> = steps.iter().map(|s| s.text.as_str()).collect();
        let found = names::find_attr_loosely(&self.app.types[ty], &words);
        match self.attr_hit(found, Subject::This, ty, span) {
            Hit::Value(typed) => Some(typed),
            Hit::Wrong => None,
            Hit::Nothing => {
                // The first step is the root element, which is not part of any attribute's path.
                self.unknown(if steps.len() > 1 { &steps[1..] } else { steps }, span);
                None
            }
        }
    }

    /// Does a bare word mean nothing at this place? Asks without reporting.
    pub(super) fn means_nothing(&mut self, word: &Name) -> bool {
        let (quiet, next) = (std::mem::replace(&mut self.quiet, true), self.next);
        let (lacking, free) = (self.lacking.clone(), self.free.clone());
        let nothing = matches!(self.lead(std::slice::from_ref(word), word.span), Hit::Nothing);
        (self.quiet, self.next, self.lacking, self.free) = (quiet, next, lacking, free);
        nothing
    }

    fn lead(&mut self, steps: &[Name], span: Span) -> Hit {
        let Some((first, rest)) = steps.split_first() else { return Hit::Nothing };
        if let Some(hit) = self.let_path(steps, span) {
            return hit;
        }
        if let Some(hit) = self.element_path(steps, span) {
            return hit;
        }
        if let Some((var, ty)) = self.bound_variable(first) {
            return match rest {
                [] if matches!(self.place, Place::Property) => {
                    Hit::Value(Typed::new(ExprKind::Id { of: Subject::Bound(var) }, span, Ty::Int))
                }
                [] => {
                    self.instance_alone(var, first.span);
                    Hit::Wrong
                }
                _ => self.member(Subject::Bound(var), ty, rest, span),
            };
        }
        match self.place {
            Place::Property => self.property_path(steps, span),
            Place::Protocol { .. } => match self.protocol_name(steps, span) {
                Hit::Nothing => self.own_attribute(steps, span),
                hit => hit,
            },
            _ => self.own_attribute(steps, span),
        }
    }

    /// Reports an instance that stands where a value is expected.
    pub(super) fn instance_alone(&mut self, var: u32, span: Span) {
        let name = self.bound.iter().find(|b| b.var == var).and_then(|b| b.name.clone()).unwrap_or_default();
        let d = Diagnostic::new(&typing::TYPE_MISMATCH, span, format!("'{name}' is an instance, not a value"));
        self.report(d.help(format!("ask for something of it, such as '{name}.attribute'")));
    }

    pub(super) fn bound_variable(&self, name: &Name) -> Option<(u32, TypeIx)> {
        let hit = self.bound.iter().rev().find(|b| b.name.as_deref() == Some(name.text.as_str()))?;
        Some((hit.var, hit.ty))
    }

    /// An attribute of the context slot, or of the element of an OCL operator without a named variable.
    fn own_attribute(&mut self, steps: &[Name], span: Span) -> Hit {
        let Some(ty) = self.own_type() else { return Hit::Nothing };
        let implicit = self.bound.iter().rev().find(|b| b.name.is_none()).map(|b| (b.var, b.ty));
        if let Some((var, element)) = implicit {
            match self.member(Subject::Bound(var), element, steps, span) {
                Hit::Nothing => {}
                hit => return hit,
            }
        }
        if self.in_notation() {
            return self.own_name(ty, steps, span);
        }
        let inner = self.without_prefix(ty, steps);
        let attr = names::find_attr(&self.app.types[ty], &joined(inner));
        if attr == Found::Nothing {
            // In OCL self has stages and milestones as it has attributes.
            if steps[0].text == "self" && inner.len() < steps.len() {
                return self.member(Subject::This, ty, inner, span);
            }
            if let Some(milestone) = self.milestone_of_stage(ty, inner) {
                let is = MilestoneIs::Achieved;
                let kind = ExprKind::Milestone { of: Subject::This, ty, milestone, is };
                return Hit::Value(Typed::new(kind, span, Ty::Bool));
            }
        }
        let steps = inner;
        match self.attr_hit(attr, Subject::This, ty, span) {
            Hit::Nothing if self.another_type_has(ty, steps) => self.lack(&joined(steps), span),
            hit => hit,
        }
    }

    /// Drops `this`, the type's name and the names of its data item and root element in front of a path.
    pub(super) fn without_prefix<'n>(&self, ty: TypeIx, mut steps: &'n [Name]) -> &'n [Name] {
        let t = &self.app.types[ty];
        if steps.len() > 1 && matches!(steps[0].text.as_str(), "this" | "self") {
            steps = &steps[1..];
        }
        if steps.len() > 1 && names::find_attr(t, &joined(steps)) == Found::Nothing {
            let first = &steps[0].text;
            let aliases: &[String] = match &self.place {
                Place::Sentry { aliases, .. } => aliases,
                _ => &[],
            };
            if *first == t.id || *first == t.name || aliases.contains(first) {
                steps = &steps[1..];
            }
        }
        steps
    }

    fn another_type_has(&self, own: TypeIx, steps: &[Name]) -> bool {
        if !matches!(self.place, Place::Window { .. } | Place::Protocol { .. }) {
            return false;
        }
        let path = joined(steps);
        let named = |t: &crate::lang::gsm::ArtifactType| {
            let rest = steps
                .split_first()
                .filter(|(first, rest)| !rest.is_empty() && (first.text == t.id || first.text == t.name));
            matches!(names::find_attr(t, &path), Found::One(_))
                || rest.is_some_and(|(_, rest)| matches!(names::find_attr(t, &joined(rest)), Found::One(_)))
        };
        TypeIx::each(&self.app.types).any(|(ty, t)| ty != own && named(t))
    }

    /// Notes that this type lacks something that the window or protocol line speaks about, which makes it false.
    fn lack(&mut self, what: &str, span: Span) -> Hit {
        self.lacking.get_or_insert((what.to_string(), span));
        Hit::Wrong
    }

    /// Private variables, then payload fields.
    fn protocol_name(&mut self, steps: &[Name], span: Span) -> Hit {
        let Place::Protocol { ty, agent, vars, event } = &self.place else { return Hit::Nothing };
        let (ty, agent, event) = (*ty, *agent, *event);
        let path = joined(steps);
        if let Some(var) = vars.iter().position(|v| v.name == path) {
            let of = Ty::of_domain(&vars[var].domain);
            return Hit::Value(Typed::new(ExprKind::Private { agent, var }, span, of));
        }
        let Some(e) = self.app.events.get(event.0) else { return Hit::Nothing };
        if let Some(field) = e.payload.iter().find(|f| f.name == path) {
            let kind = self.field_kind(ty, field);
            return Hit::Value(Typed::new(ExprKind::Field(path), span, Ty::of(kind)));
        }
        if e.creates == Some(ty) && e.payload.is_empty() {
            // Without a declared message, the attributes that protocols name are the payload.
            let found = names::find_attr(&self.app.types[ty], &joined(self.without_prefix(ty, steps)));
            if let Found::One(attr) = found {
                let a = &self.app.types[ty].attrs[attr];
                if a.set {
                    return self.set_valued(&a.path.clone(), span);
                }
                return Hit::Value(Typed::new(ExprKind::Field(a.path.clone()), span, Ty::of(a.kind)));
            }
        }
        Hit::Nothing
    }

    /// A field's kind: that of the attribute it is named like, if the target has one.
    pub(super) fn field_kind(&self, ty: TypeIx, field: &Field) -> DataKind {
        let attr = self.app.types[ty].attrs.iter().find(|a| a.path == field.name);
        attr.map_or(field.kind, |a| a.kind)
    }

    /// Declared values of a payload field.
    pub(super) fn field_values(&self, name: &str) -> Option<Vec<String>> {
        let Place::Protocol { ty, event, .. } = &self.place else { return None };
        let attr = self.app.types[*ty].attrs.iter().find(|a| a.path == name).map(|a| (a.kind, &a.domain));
        let field = self.app.events.get(event.0)?.payload.iter().find(|f| f.name == name).map(|f| (f.kind, &f.domain));
        match attr.or(field)? {
            (DataKind::Enumeration, Domain::Enum { values, .. }) => Some(values.clone()),
            _ => None,
        }
    }

    /// A private variable: of the agent whose protocol this is, or of any agent.
    pub(super) fn private(&self, agent: usize, var: usize) -> Option<&PrivateVar> {
        match &self.place {
            Place::Protocol { vars, .. } => vars.get(var),
            _ => self.app.agents.as_ref()?.get(agent)?.vars.get(var),
        }
    }

    /// `overflow`, `Agent.var`, `Type.attr`, or a bare attribute that only one type has.
    fn property_path(&mut self, steps: &[Name], span: Span) -> Hit {
        let (first, rest) = (&steps[0], &steps[1..]);
        if rest.is_empty() && first.text == "overflow" && !first.quoted {
            return self.overflow(span);
        }
        if let Some(hit) = self.agent_variable(first, rest, span) {
            return hit;
        }
        if let (Found::One(ty), false) = (names::find_type(self.app, &first.text), rest.is_empty()) {
            let var = self.free_variable(ty);
            return self.member(Subject::Bound(var), ty, rest, span);
        }
        let path = joined(steps);
        let status = |t: &crate::lang::gsm::ArtifactType| {
            rest.is_empty()
                && (matches!(names::find_stage(t, &path), Found::One(_))
                    || matches!(names::find_milestone(t, &path), Found::One(_)))
        };
        let has = |t: &crate::lang::gsm::ArtifactType| names::find_attr(t, &path) != Found::Nothing || status(t);
        let types = TypeIx::all(&self.app.types)
            .filter(|&t| has(&self.app.types[t]) || self.milestone_of_stage(t, steps).is_some());
        let types: Vec<TypeIx> = types.collect();
        match types.as_slice() {
            [] => Hit::Nothing,
            [ty] => {
                let var = self.free_variable(*ty);
                self.member(Subject::Bound(var), *ty, steps, span)
            }
            several => {
                let ids: Vec<String> = several.iter().map(|&t| format!("'{}'", self.app.types[t].id)).collect();
                let message = format!("several types have '{path}'");
                let d = Diagnostic::new(&model::AMBIGUOUS, span, message);
                self.report(d.note(format!("it is in {}", ids.join(", "))).help("quantify: exists x : Type (x.…)"));
                Hit::Wrong
            }
        }
    }

    fn agent_variable(&mut self, first: &Name, rest: &[Name], span: Span) -> Option<Hit> {
        let agents = self.app.agents.as_ref()?;
        let agent = agents.iter().position(|a| a.name == first.text)?;
        let [name] = rest else { return None };
        let vars = &agents[agent].vars;
        if let Found::One(ty) = names::find_type(self.app, &first.text)
            && let Some(what) = self.called(ty, &name.text)
        {
            vars.iter().find(|v| v.name == name.text)?;
            let (ty, name) = (&self.app.types[ty].id, &name.text);
            let either = [format!("a private variable of agent '{ty}'"), format!("{what} of type '{ty}'")];
            let help = format!("write exists x : {ty} (x.{name}) for the type; the agent needs another name");
            self.two_meanings(&format!("{}.{name}", first.text), either, help, span);
            return Some(Hit::Wrong);
        }
        Some(match vars.iter().position(|v| v.name == name.text) {
            Some(var) => {
                let ty = Ty::of_domain(&vars[var].domain);
                Hit::Value(Typed::new(ExprKind::Private { agent, var }, span, ty))
            }
            None => {
                let message = format!("agent '{}' has no private variable '{}'", first.text, name.text);
                let d = Diagnostic::new(&typing::UNKNOWN_NAME, name.span, message);
                self.report(d.nearest(&name.text, vars.iter().map(|v| v.name.as_str())));
                Hit::Wrong
            }
        })
    }

    /// The variable that stands for "some created instance" of a type in the current atom.
    pub(super) fn free_variable(&mut self, ty: TypeIx) -> u32 {
        if let Some((_, var)) = self.free.iter().find(|(t, _)| *t == ty) {
            return *var;
        }
        let var = self.fresh();
        self.free.push((ty, var));
        var
    }

    /// Attribute, stage, milestone or `created` of an instance.
    fn member(&mut self, of: Subject, ty: TypeIx, steps: &[Name], span: Span) -> Hit {
        let (t, path) = (&self.app.types[ty], joined(steps));
        let attr = names::find_attr(t, &path);
        if let Some(built_in) = self.built_in(of, ty, &path, &attr, span) {
            let quoted = steps.iter().all(|s| s.quoted);
            match self.called(ty, &path) {
                None => return Hit::Value(built_in),
                Some(_) if quoted => {}
                Some(what) => {
                    let x = self.variable_name(of);
                    let (meaning, form) = match path.as_str() {
                        "id" => ("the instance's number", x.clone()),
                        _ => ("whether the instance exists", format!("created({x})")),
                    };
                    let help = format!("write {form} for {meaning}, {x}.'{path}' for {what}");
                    self.two_meanings(&path, [meaning.into(), format!("{what} of '{}'", t.id)], help, span);
                    return Hit::Wrong;
                }
            }
        }
        if let [this, inner @ ..] = steps
            && this.text == "self"
            && attr == Found::Nothing
            && !inner.is_empty()
        {
            return self.attr_hit(names::find_attr(t, &joined(inner)), of, ty, span);
        }
        let stage = names::find_stage(t, &path);
        let milestone = names::find_milestone(t, &path);
        let hits = [attr != Found::Nothing, stage != Found::Nothing, milestone != Found::Nothing];
        if hits.into_iter().filter(|hit| *hit).count() > 1 {
            let message = format!("'{path}' is more than one thing in '{}'", t.id);
            let d = Diagnostic::new(&model::AMBIGUOUS, span, message);
            let forms = [("self.'", "'"), ("isStageActive('", "')"), ("isMilestoneAchieved('", "')")];
            let ways = forms.iter().zip(hits).filter(|(_, hit)| *hit);
            let ways: Vec<String> = ways.map(|((before, behind), _)| format!("{before}{path}{behind}")).collect();
            self.report(d.help(format!("write after the dot {}", ways.join(" or "))));
            return Hit::Wrong;
        }
        match (stage, milestone) {
            (Found::One(stage), _) => {
                Hit::Value(Typed::new(ExprKind::Stage { of, ty, stage, is: StageIs::Active }, span, Ty::Bool))
            }
            (_, Found::One(milestone)) => {
                let is = MilestoneIs::Achieved;
                Hit::Value(Typed::new(ExprKind::Milestone { of, ty, milestone, is }, span, Ty::Bool))
            }
            (Found::Many(ids), _) | (_, Found::Many(ids)) => self.several(&path, &ids, span),
            _ if attr == Found::Nothing && self.milestone_of_stage(ty, steps).is_some() => {
                match self.milestone_of_stage(ty, steps) {
                    Some(milestone) => {
                        let is = MilestoneIs::Achieved;
                        Hit::Value(Typed::new(ExprKind::Milestone { of, ty, milestone, is }, span, Ty::Bool))
                    }
                    None => Hit::Nothing,
                }
            }
            _ => self.attr_hit(attr, of, ty, span),
        }
    }

    /// `Stage.Milestone`: the milestone of that stage.
    fn milestone_of_stage(&self, ty: TypeIx, steps: &[Name]) -> Option<MilestoneIx> {
        let [stage, milestone] = steps else { return None };
        let t = self.app.types.get(ty.0)?;
        let Found::One(stage) = names::find_stage(t, &stage.text) else { return None };
        let own = || MilestoneIx::each(&t.milestones).filter(|(_, m)| m.stage == stage);
        let by_id = own().find(|(_, m)| m.id == milestone.text);
        by_id.or_else(|| own().find(|(_, m)| m.name == milestone.text)).map(|(ix, _)| ix)
    }

    pub(super) fn several(&mut self, name: &str, ids: &[String], span: Span) -> Hit {
        let ids: Vec<String> = ids.iter().map(|id| format!("'{id}'")).collect();
        let d = Diagnostic::new(&model::AMBIGUOUS, span, format!("'{name}' is ambiguous"));
        self.report(d.help(format!("use one of {}", ids.join(", "))));
        Hit::Wrong
    }

    pub(super) fn attr_hit(&mut self, found: Found<AttrIx>, of: Subject, ty: TypeIx, span: Span) -> Hit {
        let attr = match found {
            Found::One(attr) => attr,
            Found::Many(paths) => {
                let last = names::last_step(&paths[0]).to_string();
                return self.several(&last, &paths, span);
            }
            Found::Nothing => return Hit::Nothing,
        };
        let a = &self.app.types[ty].attrs[attr];
        if a.set {
            return self.set_valued(&a.path.clone(), span);
        }
        Hit::Value(Typed::new(ExprKind::Attr { of, ty, attr }, span, Ty::of(a.kind)))
    }

    fn set_valued(&mut self, path: &str, span: Span) -> Hit {
        let message = format!("attribute '{path}' is a set, which has no single value");
        let d = Diagnostic::new(&typing::SET_ATTRIBUTE, span, message).label("it may occur more than once");
        let (bag, field) = path.rsplit_once('.').unwrap_or((path, "self"));
        self.report(d.help(format!("ask its elements: {bag}.exists({field} == …), {bag}.size() > 1")));
        Hit::Wrong
    }
}

pub(super) fn joined(steps: &[Name]) -> String {
    steps.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join(".")
}
