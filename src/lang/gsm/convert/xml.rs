//! A project as Barcelona XML: model, schemas, agents, properties and `gsmc.toml`.

use super::data;
use super::expr::{Printer, Spelling};
use super::open::Whole;
use super::tasks::constant;
use super::toml::{as_toml, toml_key};
use super::xsd::schema;
use crate::lang::gsm::xml::{Dialect, NAMESPACE};
use crate::lang::gsm::{
    AttrIx, BagIx, Change, DataKind, EventIx, ExprKind, Guard, StageIx, TaskIx, TaskSource, TaskStep, TypeIx,
};
use crate::lang::xml::escape;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Text in a double-quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    escape(text).replace("&#39;", "'")
}

/// Name and text of every file, `gsmc.toml` first.
pub fn write(whole: &Whole) -> Vec<(String, String)> {
    let app = &whole.draft.app;
    let writer = Writer { whole, files: schema_names(whole) };
    let mut files = vec![("gsmc.toml".to_string(), options(whole)), ("model.xml".to_string(), writer.model())];
    for (ty, t) in TypeIx::each(&app.types).filter(|(_, t)| !t.attrs.is_empty()) {
        let items = data::grouped(data::attributes(app, ty.0, &whole.draft.facets[ty.0]));
        files.push((writer.files[ty.0].clone(), schema(&[(t.id.clone(), items)])));
    }
    let messages: Vec<_> = EventIx::all(&app.events)
        .filter(|&e| writer.has_message(e))
        .map(|e| {
            let fields = data::fields(&whole.draft.messages[e.0]);
            (format!("{}Msg", app.events[e].id), data::grouped(fields))
        })
        .collect();
    if !messages.is_empty() {
        files.push(("messages.xsd".to_string(), schema(&messages)));
    }
    files.extend(whole.agents.iter().map(|text| ("agents.gsma".to_string(), text.clone())));
    if !whole.properties.is_empty() {
        files.push(("properties.gsmp".to_string(), whole.properties.join("\n")));
    }
    files
}

/// A schema file per type; names differ also where case does not count.
fn schema_names(whole: &Whole) -> Vec<String> {
    let mut taken = BTreeSet::from(["messages.xsd".to_string()]);
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let mut names = Vec::new();
    for t in &whole.draft.app.types {
        let base: String = t.id.chars().map(safe).collect();
        let mut all = std::iter::once(format!("{base}.xsd")).chain((2..).map(|n| format!("{base}{n}.xsd")));
        names.push(all.find(|n| taken.insert(n.to_lowercase())).unwrap_or_default());
    }
    names
}

fn options(whole: &Whole) -> String {
    let app = &whole.draft.app;
    let mut out = String::from("model = \"model.xml\"\n");
    if whole.agents.is_some() {
        out.push_str("agents = \"agents.gsma\"\n");
    }
    if !whole.properties.is_empty() {
        out.push_str("properties = [\"properties.gsmp\"]\n");
    }
    whole.blocks.iter().filter(|b| b.name != "relations").for_each(|b| out += &as_toml(b));
    let mut relations = String::new();
    for t in &app.types {
        for a in &t.attrs {
            if let DataKind::Reference(to) = a.kind {
                let key = toml_key(&format!("{}.{}", t.id, a.path));
                let _ = writeln!(relations, "{key} = {}", toml::Value::String(app.types[to].id.clone()));
            }
        }
    }
    if !relations.is_empty() {
        let _ = write!(out, "\n[relations]\n{relations}");
    }
    out
}

struct Writer<'a> {
    whole: &'a Whole,
    /// Schema files, type by type.
    files: Vec<String>,
}

/// ` key="value"`
fn attr(key: &str, value: &str) -> String {
    format!(" {key}=\"{}\"", escaped(value))
}

fn head(id: &str, name: &str, description: Option<&String>) -> String {
    let text = description.map_or(String::new(), |d| attr("description", d));
    format!("{}{}{text}", attr("id", id), attr("name", name))
}

impl Writer<'_> {
    fn egsm(&self) -> bool {
        self.whole.raw.dialect == Dialect::EGsm
    }

    fn model(&self) -> String {
        let app = &self.whole.draft.app;
        let root = if self.egsm() { "CompositeApplicationType" } else { "CompositeApplication" };
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(out, "<ca:{root} xmlns:ca=\"{NAMESPACE}\"{}>", attr("name", &app.name));
        out.push_str("  <ca:EventModel id=\"events\">\n");
        for event in EventIx::all(&app.events).filter(|&e| app.events[e].declared) {
            self.event(event, &mut out);
        }
        out.push_str("  </ca:EventModel>\n");
        for (ty, t) in TypeIx::each(&app.types) {
            let _ = writeln!(out, "  <ca:Component{}>", head(&t.id, &t.name, t.description.as_ref()));
            if !t.attrs.is_empty() {
                let file = attr("schemaUri", &self.files[ty.0]);
                let item = format!("<ca:DataItem{}{file}{}/>", attr("id", &t.id), attr("rootElement", &t.id));
                let root = attr("rootDataItemId", &t.id);
                let _ = writeln!(out, "    <ca:InformationModel{root}>{item}</ca:InformationModel>");
            }
            let _ = writeln!(out, "    <ca:GuardedStageModel{}>", attr("id", &t.id));
            for stage in t.top_stages() {
                self.stage(ty, stage, "      ", &mut out);
            }
            out.push_str("    </ca:GuardedStageModel>\n  </ca:Component>\n");
        }
        let _ = writeln!(out, "</ca:{root}>");
        out
    }

    /// Does an event say what it carries?
    fn has_message(&self, event: EventIx) -> bool {
        let e = &self.whole.draft.app.events[event];
        let said = |id: &str| self.whole.raw.events.iter().any(|r| r.head.id.text == id && !r.inputs.is_empty());
        e.declared && !self.whole.draft.messages[event.0].is_empty() && said(&e.id)
    }

    fn event(&self, at: EventIx, out: &mut String) {
        let e = &self.whole.draft.app.events[at];
        let mut inner = String::new();
        if self.has_message(at) {
            let message = format!("{}Msg", e.id);
            let file = attr("schemaUri", "messages.xsd");
            inner += &format!("<ca:InputMsg{}{file}{}/>", attr("id", &message), attr("rootElement", &message));
        }
        // A task that reads a field of several events names them by a message that they share.
        for group in self.groups().iter().filter(|g| g.contains(&at)) {
            inner += &format!("<ca:InputMsg{}/>", attr("id", &self.group_name(group)));
        }
        if e.outgoing {
            inner += &format!("<ca:OutMsg{}/>", attr("id", &format!("{}Msg", e.id)));
        }
        let head = head(&e.id, &e.name, e.description.as_ref());
        let _ = match inner.is_empty() {
            true => writeln!(out, "    <ca:Event{head}/>"),
            false => writeln!(out, "    <ca:Event{head}>{inner}</ca:Event>"),
        };
    }

    /// Sets of several events that some task reads a field of.
    fn groups(&self) -> BTreeSet<Vec<EventIx>> {
        let steps = self.whole.draft.app.types.iter().flat_map(|t| &t.tasks).flat_map(|t| &t.steps);
        let mut groups = BTreeSet::new();
        for step in steps {
            let sources: Vec<&TaskSource> = match step {
                TaskStep::Set { source, .. } => vec![source],
                TaskStep::Send { fields, .. } => fields.iter().map(|(_, source)| source).collect(),
                TaskStep::Create { data, .. } | TaskStep::Element { fields: data, .. } => {
                    data.iter().map(|(_, s)| s).collect()
                }
                _ => Vec::new(),
            };
            for source in sources {
                if let TaskSource::Field { events, .. } = source
                    && events.len() > 1
                {
                    groups.insert(events.clone());
                }
            }
        }
        groups
    }

    fn group_name(&self, events: &[EventIx]) -> String {
        let ids: Vec<&str> = events.iter().map(|&e| self.whole.draft.app.events[e].id.as_str()).collect();
        format!("{} message", ids.join(" or "))
    }

    fn stage(&self, ty: TypeIx, at: StageIx, indent: &str, out: &mut String) {
        let t = &self.whole.draft.app.types[ty];
        let stage = &t.stages[at];
        let tag = if stage.parent.is_some() { "SubStage" } else { "Stage" };
        let _ = writeln!(out, "{indent}<ca:{tag}{}>", head(&stage.id, &stage.name, stage.description.as_ref()));
        let inner = format!("{indent}  ");
        let guard = if self.egsm() { "DataFlowGuard" } else { "StageGuard" };
        let mut list = |tag: &str, guards: &[Guard]| {
            guards.iter().for_each(|g| {
                let _ = writeln!(out, "{inner}{}", self.sentry(ty, tag, g));
            });
        };
        list(guard, &stage.guards);
        list("ProcessFlowGuard", &stage.flow_guards);
        list("FaultLogger", &stage.fault_loggers);
        for m in stage.milestones.iter().map(|&m| &t.milestones[m]) {
            let _ = writeln!(out, "{inner}<ca:Milestone{}>", head(&m.id, &m.name, m.description.as_ref()));
            let conditions = m.achieving.iter().map(|g| ("Condition", g));
            for (tag, g) in conditions.chain(m.invalidating.iter().map(|g| ("InvalidateCondition", g))) {
                let _ = writeln!(out, "{inner}  {}", self.sentry(ty, tag, g));
            }
            let _ = writeln!(out, "{inner}</ca:Milestone>");
        }
        if let Some(task) = stage.task {
            self.task(ty, task, &inner, out);
        }
        for &child in &stage.children {
            self.stage(ty, child, &inner, out);
        }
        let _ = writeln!(out, "{indent}</ca:{tag}>");
    }

    fn sentry(&self, ty: TypeIx, tag: &str, guard: &Guard) -> String {
        let app = &self.whole.draft.app;
        let mut text = attr("id", &guard.id);
        if guard.name != guard.id {
            text += &attr("name", &guard.name);
        }
        let events: Vec<&str> = guard.sentry.events.iter().map(|&e| app.events[e].id.as_str()).collect();
        if !events.is_empty() {
            text += &attr("eventIds", &events.join(", "));
        }
        if !matches!(guard.sentry.expr.kind, ExprKind::Bool(true)) {
            let condition = Printer { app, ty, spelling: Spelling::Jexl }.condition(&guard.sentry.expr);
            text += &attr("expression", &condition);
            if condition.contains("->") {
                text += &attr("language", "OCL");
            }
        }
        format!("<ca:{tag}{text}/>")
    }

    fn task(&self, ty: TypeIx, at: TaskIx, indent: &str, out: &mut String) {
        let t = &self.whole.draft.app.types[ty].tasks[at];
        let _ = writeln!(out, "{indent}<ca:Task{}>", head(&t.id, &t.name, t.description.as_ref()));
        for (step, s) in t.steps.iter().enumerate() {
            let text = match s {
                TaskStep::Set { target, source, .. } => {
                    let source = self.source(ty, source, constant(self.whole, ty, at, step, None));
                    format!("<ca:Assign><ca:Mapping>{source}{}</ca:Mapping></ca:Assign>", self.target(ty, *target))
                }
                TaskStep::Add { target, .. } => {
                    let source = "<ca:Source refType=\"constant\" expression=\"1\"/>";
                    let target = self.target(ty, *target);
                    format!("<ca:Assign><ca:Mapping type=\"add\">{source}{target}</ca:Mapping></ca:Assign>")
                }
                TaskStep::Element { bag, change, fields, .. } => {
                    let mut mappings = String::new();
                    for (datum, (field, source)) in fields.iter().enumerate() {
                        let source = self.source(ty, source, constant(self.whole, ty, at, step, Some(datum)));
                        let target = match change {
                            Change::Replace => self.bag_target(ty, *bag),
                            _ => self.target(ty, *field),
                        };
                        mappings += &format!("<ca:Mapping type=\"{}\">{source}{target}</ca:Mapping>", change.name());
                    }
                    if fields.is_empty() {
                        let (kind, target) = (change.name(), self.bag_target(ty, *bag));
                        mappings = format!("<ca:Mapping type=\"{kind}\">{target}</ca:Mapping>");
                    }
                    format!("<ca:Assign>{mappings}</ca:Assign>")
                }
                TaskStep::Create { ty: created, data, .. } => {
                    let mapping = |(datum, (target, source)): (usize, &(AttrIx, TaskSource))| {
                        let source = self.source(ty, source, constant(self.whole, ty, at, step, Some(datum)));
                        format!("<ca:Mapping>{source}{}</ca:Mapping>", self.target(*created, *target))
                    };
                    let service = format!("Create_{}", self.whole.draft.app.types[*created].id);
                    self.invoke(&service, None, data.iter().enumerate().map(mapping).collect())
                }
                TaskStep::Call { service, fills, bags, .. } => {
                    let source = "<ca:Source refType=\"serviceRequest\" XPath=\"answer\"/>";
                    let mapping = |target: String| format!("<ca:OutputMapping>{source}{target}</ca:OutputMapping>");
                    let targets = fills.iter().map(|&a| self.target(ty, a));
                    let bags = bags.iter().map(|&b| self.bag_target(ty, b));
                    self.invoke(service, None, targets.chain(bags).map(mapping).collect())
                }
                TaskStep::Send { event, to, fields, .. } => {
                    let e = &self.whole.draft.app.events[*event];
                    let mapping = |(datum, (field, source)): (usize, &(usize, TaskSource))| {
                        let source = self.source(ty, source, constant(self.whole, ty, at, step, Some(datum)));
                        let name = e.payload.get(*field).map_or("", |f| f.name.as_str());
                        let path = attr("XPath", &name.replace('.', "/"));
                        format!("<ca:Mapping>{source}<ca:Target refType=\"serviceRequest\"{path}/></ca:Mapping>")
                    };
                    self.invoke(&e.id, *to, fields.iter().enumerate().map(mapping).collect())
                }
            };
            let _ = writeln!(out, "{indent}  {text}");
        }
        let _ = writeln!(out, "{indent}</ca:Task>");
    }

    fn invoke(&self, service: &str, to: Option<TypeIx>, mappings: String) -> String {
        let to = to.map_or(String::new(), |to| attr("componentId", &self.whole.draft.app.types[to].id));
        let service = attr("serviceDefinitionId", service) + &to;
        match mappings.is_empty() {
            true => format!("<ca:Invoke{service}/>"),
            false => format!("<ca:Invoke{service}>{mappings}</ca:Invoke>"),
        }
    }

    fn path(&self, ty: TypeIx, attribute: AttrIx) -> String {
        let t = &self.whole.draft.app.types[ty];
        attr("XPath", &format!("/{}/{}", t.id.replace(['/', '.'], "_"), t.attrs[attribute].path.replace('.', "/")))
    }

    fn bag_target(&self, ty: TypeIx, bag: BagIx) -> String {
        let t = &self.whole.draft.app.types[ty];
        let path = format!("/{}/{}", t.id.replace(['/', '.'], "_"), t.bags[bag].path.replace('.', "/"));
        format!("<ca:Target{} refType=\"artifact\"{}/>", attr("targetId", &t.id), attr("XPath", &path))
    }

    fn target(&self, ty: TypeIx, attribute: AttrIx) -> String {
        let id = attr("targetId", &self.whole.draft.app.types[ty].id);
        format!("<ca:Target{id} refType=\"artifact\"{}/>", self.path(ty, attribute))
    }

    fn source(&self, ty: TypeIx, source: &TaskSource, constant: String) -> String {
        match source {
            TaskSource::Const(_) => format!("<ca:Source refType=\"constant\"{}/>", attr("expression", &constant)),
            TaskSource::Attr(a) => {
                let id = attr("sourceId", &self.whole.draft.app.types[ty].id);
                format!("<ca:Source{id} refType=\"artifact\"{}/>", self.path(ty, *a))
            }
            TaskSource::Field { name, events } => {
                let id = match events.as_slice() {
                    [] => String::new(),
                    [one] => attr("sourceId", &self.whole.draft.app.events[*one].id),
                    several => attr("sourceId", &self.group_name(several)),
                };
                format!("<ca:Source{id} refType=\"serviceRequest\"{}/>", attr("XPath", &name.replace('.', "/")))
            }
        }
    }
}
