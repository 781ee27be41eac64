//! A GSM application with data that has no bounds, lowered.

use super::domains::{Wider, abstracted};
use super::{
    Application, AttrIx, Conditions, DataKind, Gsm, Instance, Map, ModelProperty, Occurrence, TaskSource, TaskStep,
    TypeIx, given, lowered_unbounded,
};
use crate::lang::unbounded::{Open, Texts};
use crate::machine::calendar::WHEN;
use crate::machine::{BodyIx, Domain, ExprId, InputIx, Node, Unbounded, VarId};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Sources};
use std::sync::Arc;

/// An application with whole domains.
struct Widened {
    open: Open,
    app: Application,
    properties: Vec<ModelProperty>,
    map: Map,
}

impl Gsm {
    /// Lowers the application with whole domains.
    pub(super) fn opened(&self, sources: &Sources, diags: &mut Diagnostics) -> Result<Open, Diagnostic> {
        self.widened(sources, diags).map(|widened| widened.open)
    }

    /// The application with exact values, to take steps.
    pub(super) fn with_exact_values(&self, sources: &Sources, diags: &mut Diagnostics) -> Result<Gsm, Diagnostic> {
        let Widened { open: Open { machine, .. }, app, properties, map } = self.widened(sources, diags)?;
        let machine = machine.stepwise();
        let abstraction = self.abstraction.clone();
        Ok(Gsm { abstraction, origin: Some(Arc::new(self.clone())), ..Gsm::of(app, properties, machine, map) })
    }

    fn widened(&self, sources: &Sources, diags: &mut Diagnostics) -> Result<Widened, Diagnostic> {
        let wanted = &self.abstraction;
        let which = wanted.attributes.clone().unwrap_or_default();
        let conditions = given::read(&self.app, &wanted.predicates, diags);
        let wider = abstracted(&self.app, &which, &self.properties, &conditions, diags);
        let Wider { app, properties, given: conditions, chosen, in_time } = wider;
        let (machine, map, Conditions { given: told, elements }) =
            lowered_unbounded(&app, &properties, &conditions, sources)?;
        let (mut vars, mut flagged, mut buffers) = (Vec::new(), Vec::new(), Vec::new());
        let mut texts = Texts { inputs: sent(&app, &machine, &map), words: app.texts.clone(), ..Texts::default() };
        let mut attributes: Vec<String> = Vec::new();
        let all = chosen.clone();
        for slot in &map.slots {
            let chosen = chosen.get(slot.ty.0).map(Vec::as_slice).unwrap_or_default();
            for ((at, var), _) in slot.attrs.iter().enumerate().zip(chosen).filter(|(_, c)| **c) {
                let Some(var) = var else { continue };
                vars.push(*var);
                let t = app.types.get(slot.ty.0);
                let attr = t.and_then(|t| t.attrs.get(at));
                texts.vars.extend(attr.filter(|a| a.kind == DataKind::Text).map(|_| *var));
                let path = attr.map(|a| a.path.strip_suffix(WHEN).unwrap_or(&a.path));
                let name = t.zip(path).map(|(t, path)| format!("{}.{path}", t.id));
                flagged.extend(is_set(&app, slot, at).map(|set| (set, *var)));
                attributes.extend(name.filter(|n| !attributes.contains(n)));
            }
            for (task, buffer) in slot.buffers.iter().enumerate().flat_map(|(k, all)| all.iter().map(move |b| (k, b))) {
                if let Some(present) = buffer.present
                    && (machine.var(buffer.var).domain.is_unbounded()
                        || fills(&app, &all, slot.ty, task, &buffer.field))
                {
                    vars.push(buffer.var);
                    buffers.push(buffer.var);
                    flagged.push((present, buffer.var));
                    texts.vars.extend(is_text(&app, &buffer.field).then_some(buffer.var));
                }
            }
        }
        for (condition, _) in conditions.iter().zip(&told).filter(|(_, all)| !reads(&machine, &vars, all)) {
            let message = "this predicate is about nothing that is abstracted";
            diags.push(Diagnostic::new(&codes::IDLE_PREDICATE, condition.span, message));
        }
        let given = told.into_iter().flatten().collect();
        fractions(&app, &map, &chosen, diags);
        let real = |v: &VarId| matches!(machine.var(*v).domain, Domain::Real { .. });
        let apart = in_time || vars.iter().any(real);
        let refine = wanted.refine;
        let machine = machine.with_texts(&texts.vars, &texts.inputs, &texts.words);
        let open =
            Open { machine, abstracted: vars, flagged, buffers, texts, attributes, given, elements, refine, apart };
        Ok(Widened { open, app, properties, map })
    }
}

/// Does a task put what it keeps of a field into abstracted data?
fn fills(app: &Application, chosen: &[Vec<bool>], ty: TypeIx, task: usize, field: &str) -> bool {
    let Some(t) = app.types.get(ty.0) else { return false };
    let is = |ty: TypeIx, a: AttrIx| chosen.get(ty.0).and_then(|c| c.get(a.0)) == Some(&true);
    let from = |s: &TaskSource| matches!(s, TaskSource::Field { name, .. } if name == field);
    let chosen_attr = |s: &TaskSource| matches!(s, TaskSource::Attr(a) if is(ty, *a));
    let steps = t.tasks.get(task).map(|k| k.steps.as_slice()).unwrap_or_default();
    steps.iter().any(|step| match step {
        TaskStep::Set { target, source, .. } => from(source) && is(ty, *target),
        TaskStep::Element { fields, .. } => fields.iter().any(|(a, s)| from(s) && is(ty, *a)),
        TaskStep::Create { ty: new, data, .. } => data.iter().any(|(a, s)| from(s) && is(*new, *a)),
        TaskStep::Send { event, to, fields, .. } => fields.iter().any(|(at, s)| {
            let carried = app.events.get(event.0).and_then(|e| e.payload.get(*at)).filter(|f| f.name == field);
            let filled = carried.and_then(|f| app.own_attr(f, to.unwrap_or(ty)));
            carried.is_some() && (chosen_attr(s) || filled.is_some_and(|a| is(to.unwrap_or(ty), a)))
        }),
        TaskStep::Add { .. } | TaskStep::Call { .. } => false,
    })
}

/// The variable that says whether a date is set, beside the one that says when: until it is set, that has its initial value. A date that is set
/// from the beginning loses it for ever.
fn is_set(app: &Application, slot: &Instance, when: usize) -> Option<VarId> {
    let t = app.types.get(slot.ty.0)?;
    let date = t.attr(t.attrs.get(when)?.path.strip_suffix(WHEN)?)?;
    let set = slot.attrs.get(date.0).copied().flatten();
    set.filter(|_| t.attrs[date].init == 0)
}

/// Warns of numbers that are kept although they have fractions.
fn fractions(app: &Application, map: &Map, chosen: &[Vec<bool>], diags: &mut Diagnostics) {
    for slot in map.slots.iter().filter(|s| s.number == 1) {
        let Some(t) = app.types.get(slot.ty.0) else { continue };
        let chosen = chosen.get(slot.ty.0).map(Vec::as_slice).unwrap_or_default();
        let kept = t.attrs.iter().zip(&slot.attrs).zip(chosen).filter(|((_, var), chosen)| var.is_some() && !**chosen);
        for a in kept.map(|((a, _), _)| a).filter(|a| a.wide.is_some_and(|w| w.is_real())) {
            let message =
                format!("'{}.{}' has fractions, of which it keeps those that constants tell apart", t.id, a.path);
            diags.push(Diagnostic::new(&codes::STAYS_FINITE, a.span, message));
        }
    }
}

/// Is a field of that name a text?
fn is_text(app: &Application, field: &str) -> bool {
    let mut fields = app.events.iter().flat_map(|e| &e.payload).filter(|f| f.name == field);
    !app.texts.is_empty() && fields.any(|f| f.kind == DataKind::Text)
}

/// The inputs that are texts without bounds.
fn sent(app: &Application, machine: &Unbounded, map: &Map) -> Vec<(BodyIx, InputIx)> {
    let mut found = Vec::new();
    for (body, b) in BodyIx::each(&machine.bodies) {
        let Some(Occurrence::Event(event)) = map.occurrence(body) else { continue };
        let Some(event) = app.events.get(event.0) else { continue };
        for (input, i) in InputIx::each(&b.inputs).filter(|(_, i)| i.domain.is_unbounded()) {
            let text = event.payload.iter().any(|f| f.name == i.name && f.kind == DataKind::Text);
            found.extend(text.then_some((body, input)));
        }
    }
    found
}

/// Does one of the conditions read an abstracted variable?
fn reads(machine: &Unbounded, vars: &[VarId], conditions: &[ExprId]) -> bool {
    let mut found = false;
    for condition in conditions {
        machine.exprs.leaves(*condition, &mut |leaf| found |= matches!(leaf, Node::Cur(v) if vars.contains(v)));
    }
    found
}
