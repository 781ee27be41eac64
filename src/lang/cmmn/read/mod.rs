//! Reader of CMMN files: 1.1 and 1.0, with the extensions of Flowable, as Camunda and Cafienne write them.
//!
//! `tree` finds elements whatever their prefix; `items` walks the plan; `control` reads rules, `sentry` criteria;
//! `finish` looks up what refers to items; `doubts` warns of what can never happen, `ignored` of what is not read.

mod control;
mod doubts;
mod finish;
mod ignored;
mod items;
mod sentry;
mod tree;

use super::condition::Conditions;
use super::model::{Case, Choices, Item, Profile};
use crate::lang::xml::{parse, span_of};
use crate::source::codes::cmmn as codes;
use crate::source::{Code, Diagnostic, Diagnostics, FileId, Sources, Span};
use roxmltree::Node;
use sentry::Draft;
use std::collections::BTreeMap;
use tree::{attribute, children, is_cmmn};

/// Reads a file as the choices say. `None` with an error among the findings when there is no case to run.
pub fn read(file: FileId, sources: &Sources, choices: &Choices, diags: &mut Diagnostics) -> Option<Case> {
    let text = &sources.file(file)?.text;
    let doc = parse(file, text, diags)?;
    let root = doc.root_element();
    let case = find_case(file, root, choices, diags)?;
    let plan = children(case, "casePlanModel").next()?;
    let mut reader = Reader::new(file, case, choices, diags);
    reader.ignored(case);
    let complete = reader.plan(plan);
    if complete { reader.finish(case) } else { None }
}

/// The case to read: it has a plan.
fn find_case<'a, 'i>(
    file: FileId,
    root: Node<'a, 'i>,
    choices: &Choices,
    diags: &mut Diagnostics,
) -> Option<Node<'a, 'i>> {
    if !is_cmmn(root, "definitions") {
        diags.push(not_cmmn(file, root));
        return None;
    }
    let cases: Vec<Node> = children(root, "case").collect();
    let planned = |c: &&Node| children(**c, "casePlanModel").next().is_some();
    let id = |c: &Node| attribute(*c, "id").unwrap_or("").to_string();
    let found = match &choices.case {
        Some(wanted) => match cases.iter().find(|c| id(c) == *wanted) {
            Some(case) => Some(case).filter(planned),
            None => {
                let known: Vec<String> = cases.iter().map(id).collect();
                let d =
                    Diagnostic::new(&codes::UNKNOWN_CASE, span_of(file, root), format!("there is no case '{wanted}'"));
                diags.push(d.nearest(wanted, known.iter().map(String::as_str)));
                return None;
            }
        },
        None => cases.iter().find(planned),
    };
    let Some(case) = found else {
        let at = cases.first().copied().unwrap_or(root);
        diags.push(Diagnostic::new(&codes::NO_PLAN, span_of(file, at), "there is no case with a plan"));
        return None;
    };
    if cases.len() > 1 && choices.case.is_none() {
        let message = format!("the file has {} cases; this one, '{}', is read", cases.len(), id(case));
        let others: Vec<String> = cases.iter().map(|c| format!("--case-id {}", id(c))).collect();
        diags.push(Diagnostic::new(&codes::SEVERAL_CASES, span_of(file, *case), message).help(others.join(" or ")));
    }
    Some(*case)
}

fn not_cmmn(file: FileId, root: Node) -> Diagnostic {
    let name = root.tag_name();
    let place = match name.namespace() {
        Some(ns) => format!("'{}' in namespace '{ns}'", name.name()),
        None => format!("'{}'", name.name()),
    };
    let d = Diagnostic::new(&codes::NOT_CMMN, span_of(file, root), "this is not a CMMN file")
        .label(format!("it is {place}"));
    match name.name() {
        "case" => d
            .note("a root element 'case' is a modelling tool's source")
            .help("export the case as CMMN XML from the tool that made it"),
        _ => d.note("the root element is 'definitions' in a CMMN namespace"),
    }
}

/// What reading needs at every element.
pub(super) struct Reader<'a, 'i, 'r> {
    file: FileId,
    choices: &'r Choices,
    profile: Profile,
    /// CMMN 1.0: what has no rule for it is started by hand.
    old: bool,
    diags: &'r mut Diagnostics,
    /// Elements of the case by id; the first counts.
    by_id: BTreeMap<&'a str, Node<'a, 'i>>,
    items: Vec<Item>,
    /// The element of every item that is not the plan.
    nodes: Vec<Node<'a, 'i>>,
    drafts: Vec<Draft<'a, 'i>>,
    conditions: Conditions,
}

impl<'a, 'i, 'r> Reader<'a, 'i, 'r> {
    fn new(file: FileId, case: Node<'a, 'i>, choices: &'r Choices, diags: &'r mut Diagnostics) -> Self {
        let mut reader = Reader {
            file,
            choices,
            profile: choices.profile,
            old: case.tag_name().namespace() == Some(tree::CMMN_1_0),
            diags,
            by_id: BTreeMap::new(),
            items: Vec::new(),
            nodes: Vec::new(),
            drafts: Vec::new(),
            conditions: Conditions::new(),
        };
        for node in case.descendants().filter(|n| n.is_element() && tree::in_cmmn(*n)) {
            let Some(id) = attribute(node, "id").filter(|id| !id.is_empty()) else { continue };
            if reader.by_id.contains_key(id) {
                reader.warn(&codes::DUPLICATE_ID, node, format!("id '{id}' is used twice"));
            } else {
                reader.by_id.insert(id, node);
            }
        }
        reader
    }

    fn flowable(&self) -> bool {
        self.profile == Profile::Flowable
    }

    fn span(&self, node: Node) -> Span {
        span_of(self.file, node)
    }

    fn warn(&mut self, code: &'static Code, node: Node, message: impl Into<String>) {
        let d = Diagnostic::new(code, self.span(node), message);
        self.diags.push(d);
    }
}
