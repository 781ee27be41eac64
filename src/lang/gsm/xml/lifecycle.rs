//! Stages with their guards, milestones and tasks.

use super::read::Reader;
use super::{
    Invoked, RawEnd, RawEvents, RawExpression, RawMapping, RawMilestone, RawSentry, RawStage, RawStep, RawTask, Word,
};
use crate::lang::xml::span_of;
use crate::source::Diagnostic;
use crate::source::codes::model;
use roxmltree::Node;

const IN_STAGE: [&str; 7] =
    ["StageGuard", "DataFlowGuard", "ProcessFlowGuard", "FaultLogger", "Milestone", "Task", "SubStage"];
const SENTRY: [&str; 3] = ["eventIds", "expression", "language"];

impl Reader<'_> {
    /// Reads a stage and, after it, everything inside. The tree's depth limit bounds the recursion.
    pub fn stage(&mut self, node: Node, parent: Option<usize>, stages: &mut Vec<RawStage>) {
        self.attributes(node, &[]);
        let Some(head) = self.head(node, "stage") else { return };
        let at = stages.len();
        let mut stage = RawStage {
            head,
            parent,
            guards: Vec::new(),
            milestones: Vec::new(),
            tasks: Vec::new(),
            flow_guards: Vec::new(),
            fault_loggers: Vec::new(),
        };
        let owner = stage.head.id.clone();
        let mut inner = Vec::new();
        for child in self.children(node, &IN_STAGE) {
            match child.tag_name().name() {
                "SubStage" => inner.push(child),
                "Milestone" => stage.milestones.extend(self.milestone(child)),
                "Task" => stage.tasks.extend(self.task(child)),
                "ProcessFlowGuard" => self.sentry(child, &owner, "flow_guard", &mut stage.flow_guards),
                "FaultLogger" => self.sentry(child, &owner, "fault_logger", &mut stage.fault_loggers),
                _ => self.sentry(child, &owner, "guard", &mut stage.guards),
            }
        }
        stages.push(stage);
        for child in inner {
            self.stage(child, Some(at), stages);
        }
    }

    fn milestone(&mut self, node: Node) -> Option<RawMilestone> {
        self.attributes(node, &["eventIds"]);
        let head = self.head(node, "milestone")?;
        let owner = head.id.clone();
        let events = self.value(node, "eventIds").map(RawEvents::Listed);
        let mut raw = RawMilestone { head, events, achieving: Vec::new(), invalidating: Vec::new() };
        for child in self.children(node, &["Condition", "InvalidateCondition"]) {
            match child.tag_name().name() {
                "Condition" => self.sentry(child, &owner, "condition", &mut raw.achieving),
                _ => self.sentry(child, &owner, "invalidation", &mut raw.invalidating),
            }
        }
        Some(raw)
    }

    /// Reads a sentry; one without an id is called after its owner and position.
    fn sentry(&mut self, node: Node, owner: &Word, kind: &str, into: &mut Vec<RawSentry>) {
        self.attributes(node, &SENTRY);
        self.children(node, &[]);
        let span = span_of(self.file, node);
        let id = self.word(node, "id").filter(|id| !id.text.is_empty());
        let made_up = || Word { text: format!("{}_{kind}{}", owner.text, into.len() + 1), span };
        let id = id.unwrap_or_else(made_up);
        let name = self.word(node, "name").map(|n| n.text).filter(|n| !n.is_empty()).unwrap_or_else(|| id.text.clone());
        into.push(RawSentry {
            id,
            name,
            span,
            events: self.value(node, "eventIds").map(RawEvents::Listed),
            expression: self.value(node, "expression").map(RawExpression::Text),
            language: self.word(node, "language"),
        });
    }

    fn task(&mut self, node: Node) -> Option<RawTask> {
        self.attributes(node, &[]);
        let head = self.head(node, "task")?;
        let mut steps = Vec::new();
        for child in self.children(node, &["Assign", "Invoke"]) {
            if child.tag_name().name() == "Assign" {
                self.attributes(child, &[]);
                let group = Some(span_of(self.file, child));
                for mapping in self.children(child, &["Mapping"]) {
                    steps.push(RawStep::Mapping(Box::new(RawMapping { group, ..self.mapping(mapping) })));
                }
            } else {
                steps.extend(self.invoke(child));
            }
        }
        Some(RawTask { head, steps })
    }

    fn invoke(&mut self, node: Node) -> Option<RawStep> {
        self.attributes(node, &["serviceDefinitionId", "componentId"]);
        let span = span_of(self.file, node);
        let mut mappings = Vec::new();
        for mapping in self.children(node, &["Mapping", "InputMapping", "OutputMapping"]) {
            mappings.push(self.mapping(mapping));
        }
        match self.word(node, "serviceDefinitionId").filter(|s| !s.text.is_empty()) {
            Some(service) => {
                let to = self.word(node, "componentId").filter(|id| !id.text.is_empty());
                Some(RawStep::Invoke { service, what: Invoked::Any, to, mappings, span })
            }
            None => {
                let d = Diagnostic::new(&model::MISSING_ATTRIBUTE, span, "this Invoke has no serviceDefinitionId");
                self.diags.push(d.help("name the service, for instance serviceDefinitionId=\"Create_<Type>\""));
                None
            }
        }
    }

    fn mapping(&mut self, node: Node) -> RawMapping {
        self.attributes(node, &["type"]);
        let (kind, span) = (self.word(node, "type"), span_of(self.file, node));
        let mut raw = RawMapping { kind, source: None, target: None, span, group: None };
        for child in self.children(node, &["Source", "Target"]) {
            let target = child.tag_name().name() == "Target";
            let end = self.end(child, if target { "targetId" } else { "sourceId" });
            let side = if target { &mut raw.target } else { &mut raw.source };
            if side.is_some() {
                let message = format!("this mapping has a second {}", child.tag_name().name());
                self.diags.push(Diagnostic::new(&model::BAD_MAPPING, end.span, message));
            }
            *side = Some(end);
        }
        raw
    }

    fn end(&mut self, node: Node, id: &str) -> RawEnd {
        self.attributes(node, &[id, "refType", "XPath", "xPath", "expression"]);
        self.children(node, &[]);
        RawEnd {
            ids: self.word(node, id).into_iter().filter(|id| !id.text.is_empty()).collect(),
            ref_type: self.word(node, "refType"),
            path: self.word(node, "XPath").or_else(|| self.word(node, "xPath")),
            expression: self.word(node, "expression"),
            span: span_of(self.file, node),
        }
    }
}
