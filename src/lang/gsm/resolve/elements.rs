//! Mappings that add elements to bags, take them out, and empty bags.

use super::names::{self, Found};
use super::tasks::{TaskReader, steps_of};
use crate::lang::gsm::domains::Key;
use crate::lang::gsm::xml::RawMapping;
use crate::lang::gsm::{AttrIx, BagIx, Change, TaskSource, TaskStep, TypeIx};
use crate::source::codes::model;
use crate::source::{Diagnostic, Span};

/// A step that later mappings of the same `Assign` add fields to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    bag: BagIx,
    change: Change,
    group: Span,
    step: usize,
}

impl TaskReader<'_> {
    /// The bag that a mapping is about, and the field of its element.
    pub(super) fn bag_target(&self, raw: &RawMapping, ty: TypeIx) -> Option<(BagIx, Option<AttrIx>)> {
        let end = raw.target.as_ref()?;
        let path = end.path.as_ref().or(end.expression.as_ref())?;
        let (t, steps) = (&self.app.types[ty], steps_of(&path.text));
        if let Found::One(attr) = names::find_attr_loosely(t, &steps) {
            return t.bags.iter().position(|b| b.fields.contains(&attr)).map(|bag| (BagIx(bag), Some(attr)));
        }
        (0..steps.len()).find_map(|skip| t.bag(&steps[skip..].join("."))).map(|bag| (bag, None))
    }

    /// A mapping whose target is a bag, or a field of its elements.
    pub(super) fn element(&mut self, raw: &RawMapping, bag: BagIx, field: Option<AttrIx>) {
        let kind = raw.kind.as_ref().map_or("set", |k| k.text.as_str());
        let change = match Change::named(kind) {
            Some(change) => change,
            None if matches!(kind, "set" | "") => return self.replaced(raw, bag),
            None => {
                let span = raw.kind.as_ref().map_or(raw.span, |k| k.span);
                let d = Diagnostic::new(&model::BAD_MAPPING, span, format!("unknown mapping type '{kind}'"));
                return self.diags.push(d.nearest(kind, ["add", "remove", "clear"]));
            }
        };
        let group = raw.group.unwrap_or(raw.span);
        let same = |o: &&Open| (o.bag, o.change, o.group) == (bag, change, group);
        let step = match self.open.iter().find(same) {
            Some(open) => open.step,
            None => {
                self.open.push(Open { bag, change, group, step: self.steps.len() });
                self.steps.push(TaskStep::Element { bag, change, fields: Vec::new(), span: raw.span });
                self.steps.len() - 1
            }
        };
        let constant = match &raw.source {
            Some(end) if field.is_none() && change != Change::Clear => self.ref_type(end) == Some("constant"),
            _ => false,
        };
        if constant {
            let path = &self.app.types[self.ty].bags[bag].path;
            let message = format!("elements of '{path}' are records, so that a single value is none");
            let d = Diagnostic::new(&model::BAD_MAPPING, raw.span, message);
            return self.diags.push(d.help("say which field it is for"));
        }
        let (Some(field), true, true) = (field, raw.source.is_some(), change != Change::Clear) else { return };
        let Some(source) = self.source(raw, &self.attribute_of(self.ty, field)) else { return };
        let given = match self.steps.get(step) {
            Some(TaskStep::Element { fields, .. }) => fields.len(),
            _ => return,
        };
        let source = self.settled_at(source, Key::Attr(self.ty, field), step, Some(given));
        if let Some(TaskStep::Element { fields, .. }) = self.steps.get_mut(step) {
            fields.push((field, source));
        }
    }

    /// A bag that is set as a whole: from a message, to anything; from elsewhere it cannot be.
    fn replaced(&mut self, raw: &RawMapping, bag: BagIx) {
        let app = self.app;
        let path = &app.types[self.ty].bags[bag].path;
        if let Some(end) = raw.source.as_ref().filter(|end| self.ref_type(end) == Some("serviceRequest")) {
            let sent = end.path.as_ref().or(end.expression.as_ref()).map_or("", |w| w.text.as_str());
            let name = steps_of(sent).last().copied().unwrap_or(path).to_string();
            let events = end.ids.iter().filter_map(|id| match names::find_event(self.app, &id.text) {
                Found::One(event) => Some(event),
                _ => None,
            });
            let source = TaskSource::Field { name, events: events.collect() };
            let first = self.app.types[self.ty].bags[bag].fields.first();
            let fields = first.map(|f| (*f, source)).into_iter().collect();
            return self.steps.push(TaskStep::Element { bag, change: Change::Replace, fields, span: raw.span });
        }
        let d =
            Diagnostic::new(&model::BAD_MAPPING, raw.span, format!("'{path}' is a bag, which cannot be copied into"));
        self.diags.push(d.help("use type=\"add\", \"remove\" or \"clear\""));
    }
}
