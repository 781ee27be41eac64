//! Root, components, data items and events.

use super::{Dialect, Head, RawComponent, RawEvent, RawItem, RawModel, Word};
use crate::lang::syntax::Text;
use crate::lang::xml::{parse, span_of};
use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};
use roxmltree::{Attribute, Node};
use std::collections::BTreeSet;

/// The namespace of the format.
pub const NAMESPACE: &str = "http://siena.ibm.com/model/CompositeApplication";
/// Attributes that every element may carry without a word.
const EVERYWHERE: [&str; 4] = ["id", "name", "description", "version"];

/// Reads a model file. `None` when it is not XML or not a GSM application; other mistakes are reported and read around.
pub fn read(file: FileId, sources: &Sources, diags: &mut Diagnostics) -> Option<RawModel> {
    let text = &sources.file(file)?.text;
    let doc = parse(file, text, diags)?;
    let root = doc.root_element();
    let mut reader = Reader { file, text, diags, warned: BTreeSet::new() };
    reader.application(root)
}

/// What reading a file needs at every element.
pub(super) struct Reader<'a> {
    pub file: FileId,
    pub text: &'a str,
    pub diags: &'a mut Diagnostics,
    /// Unknown elements (`parent`, `child`) and attributes (`element`, `@attribute`) already warned about.
    warned: BTreeSet<(String, String)>,
}

/// Elements that are easily put into the wrong one, and where they belong.
const PLACES: [(&str, &str); 6] = [
    ("Source", "a Mapping, beside its Target: <Mapping><Source …/><Target …/></Mapping>"),
    ("Target", "a Mapping, beside its Source: <Mapping><Source …/><Target …/></Mapping>"),
    ("Mapping", "an Assign or an Invoke of a Task"),
    ("Condition", "a Milestone"),
    ("Milestone", "a Stage or SubStage"),
    ("StageGuard", "a Stage or SubStage"),
];

impl Reader<'_> {
    fn application(&mut self, root: Node) -> Option<RawModel> {
        let span = span_of(self.file, root);
        let dialect = match root.tag_name().name() {
            "CompositeApplication" => Dialect::Barcelona,
            "CompositeApplicationType" => Dialect::EGsm,
            _ => return self.not_an_application(root),
        };
        if root.tag_name().namespace() != Some(NAMESPACE) {
            return self.not_an_application(root);
        }
        self.attributes(root, &[]);
        let name = self.word(root, "name");
        let (components, events) = (Vec::new(), Vec::new());
        let mut raw = RawModel { name, span, dialect, monitored: false, components, events };
        for child in self.children(root, &["Component", "EventModel"]) {
            match child.tag_name().name() {
                "Component" => raw.components.extend(self.component(child)),
                _ => self.event_model(child, &mut raw.events),
            }
        }
        if self.uses_egsm_elements(root) {
            raw.dialect = Dialect::EGsm;
            raw.monitored = !root.descendants().any(|n| is_ours(n) && n.tag_name().name() == "StageGuard");
        }
        Some(raw)
    }

    /// E-GSM elements make a file an E-GSM model whatever its root is called.
    fn uses_egsm_elements(&self, root: Node) -> bool {
        let egsm = |n: Node| matches!(n.tag_name().name(), "DataFlowGuard" | "ProcessFlowGuard" | "FaultLogger");
        root.descendants().any(|n| is_ours(n) && egsm(n))
    }

    fn not_an_application(&mut self, root: Node) -> Option<RawModel> {
        let name = root.tag_name();
        if name.name() == "XMI" || root.attributes().any(|a| a.namespace().is_some_and(|ns| ns.contains("/XMI"))) {
            let message = "this is an XMI file: a model as an editor stores it, not the XML that an engine runs";
            let d = Diagnostic::new(&model::NOT_AN_APPLICATION, span_of(self.file, root), message);
            self.diags.push(d.help("let the editor, or the translator that comes with it, write the siena XML"));
            return None;
        }
        let found = match name.namespace() {
            Some(ns) if ns != NAMESPACE => format!("it is '{}' in namespace '{ns}'", name.name()),
            Some(_) => format!("it is '{}'", name.name()),
            None => format!("it is '{}' without a namespace", name.name()),
        };
        let d = Diagnostic::new(&model::NOT_AN_APPLICATION, span_of(self.file, root), "this is not a GSM application")
            .label(found)
            .note(format!(
                "the root element is 'CompositeApplication' or 'CompositeApplicationType' in namespace '{NAMESPACE}'"
            ));
        self.diags.push(d);
        None
    }

    fn component(&mut self, node: Node) -> Option<RawComponent> {
        self.attributes(node, &[]);
        let head = self.head(node, "artifact type")?;
        let mut raw = RawComponent { head, root_item: None, items: Vec::new(), stages: Vec::new() };
        for child in self.children(node, &["InformationModel", "GuardedStageModel"]) {
            if child.tag_name().name() == "GuardedStageModel" {
                self.attributes(child, &[]);
                for stage in self.children(child, &["Stage"]) {
                    self.stage(stage, None, &mut raw.stages);
                }
            } else {
                self.attributes(child, &["rootDataItemId"]);
                let root = self.word(child, "rootDataItemId");
                if let (Some(second), true) = (&root, raw.root_item.is_some()) {
                    let message = "a second 'rootDataItemId' is ignored";
                    self.diags.push(Diagnostic::new(&model::UNKNOWN_ATTRIBUTE, second.span, message));
                }
                raw.root_item = raw.root_item.or(root);
                for item in self.children(child, &["DataItem"]) {
                    raw.items.push(self.item(item));
                }
            }
        }
        Some(raw)
    }

    fn item(&mut self, node: Node) -> RawItem {
        self.attributes(node, &["schemaUri", "rootElement"]);
        self.children(node, &[]);
        RawItem {
            id: self.word(node, "id"),
            schema: self.word(node, "schemaUri"),
            root: self.word(node, "rootElement"),
            fields: None,
            span: span_of(self.file, node),
        }
    }

    fn event_model(&mut self, node: Node, events: &mut Vec<RawEvent>) {
        const INPUT: [&str; 3] = ["InputMsg", "InputMessage", "Input"];
        const MESSAGES: [&str; 6] = ["InputMsg", "InputMessage", "Input", "OutMsg", "OutputMessage", "Output"];
        self.attributes(node, &[]);
        for event in self.children(node, &["Event"]) {
            self.attributes(event, &[]);
            let Some(head) = self.head(event, "event") else { continue };
            let mut raw = RawEvent { head, inputs: Vec::new(), outputs: Vec::new() };
            for message in self.children(event, &MESSAGES) {
                let item = self.item(message);
                let side = if INPUT.contains(&message.tag_name().name()) { &mut raw.inputs } else { &mut raw.outputs };
                side.push(item);
            }
            events.push(raw);
        }
    }

    /// Id and name of an element that must have an id.
    pub fn head(&mut self, node: Node, kind: &str) -> Option<Head> {
        let span = span_of(self.file, node);
        let name = self.word(node, "name");
        let Some(id) = self.word(node, "id").filter(|id| !id.text.is_empty()) else {
            let mut d = Diagnostic::new(&model::MISSING_ATTRIBUTE, span, format!("this {kind} has no id"));
            if let Some(name) = name {
                d = d.help(format!("add id=\"{}\"", name.text));
            }
            self.diags.push(d);
            return None;
        };
        let name = name.map(|n| n.text).filter(|n| !n.is_empty()).unwrap_or_else(|| id.text.clone());
        let description = self.word(node, "description").map(|d| d.text).filter(|d| !d.is_empty());
        Some(Head { id, name, description, span })
    }

    /// The element children with one of these names; the others get a warning each kind.
    pub fn children<'n, 'i>(&mut self, node: Node<'n, 'i>, known: &[&str]) -> Vec<Node<'n, 'i>> {
        self.text_inside(node);
        let elements = node.children().filter(Node::is_element);
        let (ours, others): (Vec<Node>, Vec<Node>) =
            elements.partition(|c| is_ours(*c) && known.contains(&c.tag_name().name()));
        for other in others {
            let (parent, name) = (node.tag_name().name(), other.tag_name().name());
            if !self.warned.insert((parent.to_string(), name.to_string())) {
                continue;
            }
            let message = format!("element '{name}' in '{parent}' is ignored");
            let mut d = Diagnostic::new(&model::UNKNOWN_ELEMENT, span_of(self.file, other), message);
            if let Some((_, place)) = PLACES.iter().find(|(element, _)| *element == name).filter(|_| is_ours(other)) {
                self.diags.push(d.help(format!("it belongs into {place}")));
                continue;
            }
            d = match other.tag_name().namespace() {
                Some(ns) if ns == NAMESPACE => d.nearest(name, known.iter().copied()),
                Some(ns) => d.note(format!("its namespace '{ns}' is not that of GSM applications")),
                None => d.note("it has no namespace"),
            };
            self.diags.push(d);
        }
        ours
    }

    /// Text between tags means nothing in this format.
    fn text_inside(&mut self, node: Node) {
        let text = node.children().find(|c| c.is_text() && c.text().is_some_and(|t| !t.trim().is_empty()));
        let Some(text) = text else { return };
        let name = node.tag_name().name();
        if self.warned.insert((name.to_string(), "text()".to_string())) {
            let raw = self.text.get(text.range()).unwrap_or("");
            let start = text.range().start + raw.len() - raw.trim_start().len();
            let span = Span::new(self.file, start, start + raw.trim().lines().next().map_or(0, str::len));
            let d = Diagnostic::new(&model::UNKNOWN_ELEMENT, span, format!("text inside '{name}' is ignored"));
            let sentry = name.ends_with("Guard") || name.ends_with("Condition") || name == "FaultLogger";
            self.diags.push(if sentry { d.help("write the condition as an attribute: expression=\"…\"") } else { d });
        }
    }

    /// Warns of attributes that mean nothing on this element.
    pub fn attributes(&mut self, node: Node, known: &[&str]) {
        for attr in node.attributes() {
            let name = attr.name();
            let ours = attr.namespace().is_none_or(|ns| ns == NAMESPACE);
            if ours && (known.contains(&name) || EVERYWHERE.contains(&name)) {
                continue;
            }
            let element = node.tag_name().name();
            if self.warned.insert((element.to_string(), format!("@{name}"))) {
                let range = attr.range_qname();
                let message = format!("attribute '{name}' of '{element}' is ignored");
                let d =
                    Diagnostic::new(&model::UNKNOWN_ATTRIBUTE, Span::new(self.file, range.start, range.end), message);
                self.diags.push(d.nearest(name, known.iter().chain(&EVERYWHERE).copied()));
            }
        }
    }

    /// An attribute's value with its place.
    pub fn word(&mut self, node: Node, name: &str) -> Option<Word> {
        let attr = attribute(node, name)?;
        let range = attr.range_value();
        let raw = self.text.get(range.clone()).unwrap_or("");
        let lead = raw.len() - raw.trim_start().len();
        let start = range.start + lead;
        Some(Word {
            text: attr.value().trim().to_string(),
            span: Span::new(self.file, start, start + raw.trim().len()),
        })
    }

    /// An attribute's value to be parsed further.
    pub fn value(&mut self, node: Node, name: &str) -> Option<Text> {
        let range = attribute(node, name)?.range_value();
        let raw = self.text.get(range.clone()).unwrap_or("");
        Some(Text::attribute(self.file, raw, range.start))
    }
}

fn is_ours(node: Node) -> bool {
    node.tag_name().namespace() == Some(NAMESPACE)
}

/// An attribute without a namespace, or in ours.
fn attribute<'n, 'i>(node: Node<'n, 'i>, name: &str) -> Option<Attribute<'n, 'i>> {
    node.attribute_node(name).or_else(|| node.attribute_node((NAMESPACE, name)))
}
