//! What a file says and nobody reads: elements and attributes out of place, values that mean nothing, details of engines.
//!
//! Each kind is told once. What engines need to run a case and what does not change its order is told in one warning for all.

use super::Reader;
use super::tree::{FLOWABLE, attribute, in_cmmn, is_cmmn, is_vendor};
use crate::lang::xml::span_of;
use crate::source::codes::cmmn as codes;
use crate::source::{Diagnostic, Span};
use roxmltree::{Attribute, Node};
use std::collections::BTreeSet;

/// Everywhere, and about nothing that happens.
const EVERYWHERE: [&str; 5] = ["documentation", "extensionElements", "textAnnotation", "association", "artifact"];
/// What stands in a stage beside definitions.
const IN_PLANS: [&str; 4] = ["planItem", "sentry", "planningTable", "caseFileModel"];
const RULES: [&str; 4] = ["repetitionRule", "requiredRule", "manualActivationRule", "applicabilityRule"];
const CONTROLS: [&str; 3] = ["repetitionRule", "requiredRule", "manualActivationRule"];
/// Values that pass between tasks and their environment: tasks write what `[writes]` says.
const PARAMETERS: [&str; 10] = [
    "input",
    "output",
    "inputs",
    "outputs",
    "parameterMapping",
    "caseRefExpression",
    "processRefExpression",
    "decisionRefExpression",
    "role",
    "expression",
];
/// Attributes that say nothing about what happens, or are read wherever they stand.
const PLAIN: [&str; 22] = [
    "id",
    "name",
    "description",
    "targetNamespace",
    "expressionLanguage",
    "exporter",
    "exporterVersion",
    "author",
    "creationDate",
    "definitionType",
    "structureRef",
    "multiplicity",
    "targetRefs",
    "performerRef",
    "authorizedRoleRefs",
    "caseRef",
    "processRef",
    "decisionRef",
    "type",
    "textFormat",
    "schemaLocation",
    "bindingRef",
];
/// Attributes with a meaning, and the elements on which they have it (an ending stands for all with it).
const PLACED: [(&str, &[&str]); 12] = [
    ("definitionRef", &["planItem", "discretionaryItem", "caseFileItem"]),
    ("sentryRef", &["Criterion", "planItemOnPart"]),
    ("sourceRef", &["OnPart"]),
    ("exitCriterionRef", &["planItemOnPart"]),
    ("entryCriteriaRefs", &["planItem", "discretionaryItem"]),
    ("exitCriteriaRefs", &["planItem", "discretionaryItem", "casePlanModel"]),
    ("applicabilityRuleRefs", &["discretionaryItem"]),
    ("autoComplete", &["stage", "casePlanModel"]),
    ("isBlocking", &["task", "Task"]),
    ("condition", &["Rule", "ifPart"]),
    ("contextRef", &["Rule", "ifPart"]),
    ("language", &["condition"]),
];
/// What is read of Flowable and Camunda, in every profile.
const VENDOR: [&str; 11] = [
    "assignee",
    "candidateGroups",
    "class",
    "expression",
    "delegateExpression",
    "script",
    "variableOnPart",
    "planItemLifecycleListener",
    "taskListener",
    "caseExecutionListener",
    "type",
];
/// What is read under the profile of Flowable.
const FLOWABLES: [&str; 14] = [
    "counterVariable",
    "collectionVariable",
    "maxInstanceCount",
    "eventType",
    "autoCompleteCondition",
    "isBlockingExpression",
    "availableCondition",
    "exitType",
    "exitEventType",
    "triggerMode",
    "sentryRef",
    "milestoneVariable",
    "resultVariableName",
    "completionNeutralRule",
];
/// Attributes that take one of some words.
const WORDS: [(&str, &[&str]); 5] = [
    ("autoComplete", &["true", "false"]),
    ("isBlocking", &["true", "false"]),
    ("exitType", &["default", "activeInstances", "activeAndEnabledInstances"]),
    ("exitEventType", &["exit", "complete", "forceComplete"]),
    ("triggerMode", &["default", "deferred", "onEvent"]),
];
const PARENT_COMPLETION: [&str; 6] = [
    "default",
    "ignore",
    "ignoreIfAvailable",
    "ignoreIfAvailableOrEnabled",
    "ignoreAfterFirstCompletion",
    "ignoreAfterFirstCompletionIfAvailableOrEnabled",
];

/// The children that mean something in an element. `None`: whatever is inside is not looked at.
fn known(parent: &str) -> Option<Vec<&'static str>> {
    let definitions = ["stage", "milestone", "planFragment", "task", "eventListener", "userEvent", "timerEvent"];
    let own: Vec<&str> = match parent {
        "case" => vec!["caseFileModel", "casePlanModel", "caseRoles", "role", "input", "output"],
        "casePlanModel" => [&IN_PLANS[..], &definitions, &["exitCriterion"]].concat(),
        "stage" => [&IN_PLANS[..], &definitions, &["defaultControl"]].concat(),
        "planFragment" => [&IN_PLANS[..], &definitions].concat(),
        "planItem" | "discretionaryItem" => vec!["itemControl", "entryCriterion", "exitCriterion"],
        "itemControl" | "defaultControl" => CONTROLS.to_vec(),
        "planningTable" => vec!["discretionaryItem", "planningTable", "applicabilityRule"],
        "sentry" => vec!["planItemOnPart", "caseFileItemOnPart", "ifPart"],
        "planItemOnPart" | "caseFileItemOnPart" => vec!["standardEvent"],
        "ifPart" => vec!["condition"],
        rule if RULES.contains(&rule) => vec!["condition"],
        "milestone" => vec!["defaultControl"],
        task if task == "task" || task.ends_with("Task") => {
            [&PARAMETERS[..], &["defaultControl", "planningTable"]].concat()
        }
        "userEvent" | "timerEvent" | "eventListener" => {
            vec!["timerExpression", "planItemStartTrigger", "defaultControl"]
        }
        listener if listener.ends_with("EventListener") => {
            vec!["timerExpression", "planItemStartTrigger", "defaultControl", "role"]
        }
        _ => return None,
    };
    Some(own)
}

impl<'a, 'i> Reader<'a, 'i, '_> {
    /// Tells what is ignored in a case.
    pub(super) fn ignored(&mut self, case: Node<'a, 'i>) {
        let mut told: BTreeSet<(String, String)> = BTreeSet::new();
        let mut details: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![case];
        while let Some(node) = open.pop() {
            self.attributes(node, &mut told, &mut details);
            let parent = node.tag_name().name();
            for child in node.children().filter(Node::is_element) {
                if is_cmmn(child, "extensionElements") {
                    self.extensions(child, &mut details);
                    continue;
                }
                self.child(parent, child, &mut told);
                open.push(child);
            }
        }
        if !details.is_empty() {
            let details: Vec<&str> = details.iter().map(String::as_str).collect();
            let message = format!("details that change nothing here are ignored: {}", details.join(", "));
            self.diags.push(Diagnostic::new(&codes::DETAILS, self.span(case), message));
        }
    }

    fn child(&mut self, parent: &str, child: Node<'a, 'i>, told: &mut BTreeSet<(String, String)>) {
        let Some(known) = known(parent) else { return };
        let name = child.tag_name().name();
        let defines = ["casePlanModel", "stage", "planFragment"].contains(&parent)
            && (name.ends_with("Task") || name.ends_with("EventListener"));
        if in_cmmn(child) && (defines || known.contains(&name) || EVERYWHERE.contains(&name)) {
            if name == "ifPart" && child.prev_siblings().skip(1).any(|n| is_cmmn(n, "ifPart")) {
                self.tell("a second 'ifPart' of a sentry is ignored".into(), span_of(self.file, child), told);
            }
            return;
        }
        let message = format!("element '{name}' in '{parent}' is ignored");
        if told.insert((parent.to_string(), name.to_string())) {
            let d = Diagnostic::new(&codes::UNKNOWN_PART, self.span(child), message);
            self.diags.push(d.nearest(name, known));
        }
    }

    fn tell(&mut self, message: String, span: Span, told: &mut BTreeSet<(String, String)>) {
        if told.insert((message.clone(), String::new())) {
            self.diags.push(Diagnostic::new(&codes::UNKNOWN_PART, span, message));
        }
    }

    fn attributes(
        &mut self,
        node: Node<'a, 'i>,
        told: &mut BTreeSet<(String, String)>,
        details: &mut BTreeSet<String>,
    ) {
        let element = node.tag_name().name();
        if known(element).is_none() && !matches!(element, "entryCriterion" | "exitCriterion" | "condition") {
            return;
        }
        for attr in node.attributes() {
            let name = attr.name();
            let plain = attr.namespace().is_none();
            if !plain && !self.reads(&attr) {
                details.insert(name.to_string());
                continue;
            }
            let placed = PLACED.iter().find(|(a, _)| *a == name);
            let here = placed.map_or(PLAIN.contains(&name), |(_, on)| on.iter().any(|e| element.ends_with(e)));
            if plain && !here {
                let message = format!("attribute '{name}' of '{element}' is ignored");
                if told.insert((element.to_string(), format!("@{name}"))) {
                    let d = Diagnostic::new(&codes::UNKNOWN_PART, self.place(&attr), message);
                    let known = PLACED.iter().filter(|(_, on)| on.iter().any(|e| element.ends_with(e)));
                    self.diags.push(d.nearest(name, known.map(|(a, _)| *a).chain(PLAIN)));
                }
            } else if plain && matches!(name, "contextRef" | "language") {
                details.insert(name.to_string());
            }
            let words = WORDS.iter().find(|(a, _)| *a == name && plain == matches!(*a, "autoComplete" | "isBlocking"));
            if let Some((_, words)) = words {
                self.word(&attr, words);
            }
            if name == "maxInstanceCount" && attr.value().trim().parse::<u32>().is_err() {
                self.word(&attr, &["a number"]);
            }
        }
        let rules = attribute(node, "applicabilityRuleRefs").unwrap_or("").split_whitespace();
        for reference in rules.filter(|r| !self.by_id.contains_key(r)).collect::<Vec<_>>() {
            let message = format!("there is no applicability rule '{reference}': it is left out");
            self.diags.push(Diagnostic::new(&codes::ODD_VALUE, self.span(node), message));
        }
    }

    /// Is an attribute of an engine read?
    fn reads(&self, attr: &Attribute) -> bool {
        let flowable = self.flowable() && attr.namespace() == Some(FLOWABLE);
        let name = attr.name();
        let vendor = attr.namespace().is_some_and(is_vendor);
        vendor && VENDOR.contains(&name) || flowable && FLOWABLES.contains(&name)
    }

    /// One of some words, or it is told.
    fn word(&mut self, attr: &Attribute, words: &[&'static str]) {
        let value = attr.value().trim();
        if value.is_empty() || words.contains(&value) {
            return;
        }
        let message = format!("'{value}' is no value of '{}': it is taken as if it were not there", attr.name());
        let d = Diagnostic::new(&codes::ODD_VALUE, self.place(attr), message);
        self.diags.push(d.help(format!("write {}", words.join(" or "))).nearest(value, words.iter().copied()));
    }

    fn place(&self, attr: &Attribute) -> Span {
        let range = attr.range_qname();
        Span::new(self.file, range.start, range.end)
    }

    fn extensions(&mut self, extensions: Node<'a, 'i>, details: &mut BTreeSet<String>) {
        for node in extensions.children().filter(Node::is_element) {
            let name = node.tag_name().name();
            let vendor = node.tag_name().namespace().is_some_and(is_vendor);
            let rules = ["completionNeutralRule", "parentCompletionRule"];
            let read = vendor && (VENDOR.contains(&name) || self.flowable() && rules.contains(&name));
            if !read {
                details.insert(name.to_string());
            }
            let kind =
                node.attributes().find(|a| a.name() == "type").filter(|_| read && name == "parentCompletionRule");
            if let Some(kind) = kind {
                self.word(&kind, &PARENT_COMPLETION);
            }
        }
    }
}
