//! Criteria and their sentries.

use super::Reader;
use super::tree::{attribute, child, children, container, extension_element, flowable, is_cmmn, text_of};
use crate::lang::cmmn::model::{CaseFile, Criterion, Event, ExitEvent, ExitType, ItemIx, OnPart, Source};
use crate::source::codes::cmmn as codes;
use crate::source::{Diagnostic, Span};
use roxmltree::Node;

/// A criterion while items are still being read.
pub(super) struct Draft<'a, 'i> {
    pub item: ItemIx,
    pub entry: bool,
    /// The criterion, or in 1.0 the item.
    pub node: Node<'a, 'i>,
    pub sentry: Option<Node<'a, 'i>>,
    pub id: String,
    pub name: String,
}

impl<'a, 'i> Reader<'a, 'i, '_> {
    /// Notes the criteria of an item.
    pub(super) fn criteria(&mut self, item: ItemIx, node: Node<'a, 'i>) {
        let ways = [("entryCriterion", "entryCriteriaRefs", "entry"), ("exitCriterion", "exitCriteriaRefs", "exit")];
        for (element, old, word) in ways {
            let entry = word == "entry";
            if entry && item == 0 {
                continue;
            }
            let owner = self.items[item].id.clone();
            for (k, criterion) in children(node, element).enumerate() {
                let vendor = flowable(criterion, "sentryRef").filter(|_| self.flowable());
                let reference = attribute(criterion, "sentryRef").filter(|r| !r.is_empty()).or(vendor);
                let sentry = self.sentry(criterion, reference, node);
                let id = attribute(criterion, "id").unwrap_or("").to_string();
                let name = if id.is_empty() { format!("{owner}.{word}{}", k + 1) } else { id.clone() };
                self.drafts.push(Draft { item, entry, node: criterion, sentry, id, name });
            }
            for reference in attribute(node, old).unwrap_or("").split_whitespace() {
                let sentry = self.sentry(node, Some(reference), node);
                let name = format!("{owner}.{reference}");
                self.drafts.push(Draft { item, entry, node, sentry, id: reference.to_string(), name });
            }
        }
        let is_entry = |d: &Draft| d.item == item && d.entry;
        if self.items[item].is_listener() && self.drafts.iter().any(is_entry) {
            self.drafts.retain(|d| !is_entry(d));
            self.warn(&codes::LISTENER_ENTRY, node, "entry criteria of a listener are ignored");
        }
    }

    /// The sentry that a criterion refers to.
    fn sentry(&mut self, at: Node<'a, 'i>, reference: Option<&str>, item: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
        let found = reference.and_then(|r| self.by_id.get(r)).copied().filter(|n| is_cmmn(*n, "sentry"));
        let Some(found) = found else {
            let message = match reference {
                Some(r) => format!("there is no sentry '{r}': the criterion never fires"),
                None => "the criterion has no sentry: it never fires".to_string(),
            };
            let known: Vec<&str> = self.by_id.iter().filter(|(_, n)| is_cmmn(**n, "sentry")).map(|(k, _)| *k).collect();
            let d = Diagnostic::new(&codes::NO_SENTRY, self.span(at), message).nearest(reference.unwrap_or(""), known);
            self.diags.push(d);
            return None;
        };
        let home = if is_cmmn(item, "casePlanModel") { Some(item) } else { container(item) };
        if container(found) != home {
            let id = reference.unwrap_or("");
            self.warn(&codes::SENTRY_ELSEWHERE, at, format!("sentry '{id}' stands in another stage than the item"));
        }
        Some(found)
    }

    /// The criterion of a draft; references to exit criteria are looked up later.
    pub(super) fn criterion(&mut self, draft: &Draft<'a, 'i>, files: &mut Vec<(String, CaseFile)>) -> Criterion {
        let mut criterion = Criterion {
            name: draft.name.clone(),
            id: draft.id.clone(),
            item: draft.item,
            entry: draft.entry,
            has_sentry: draft.sentry.is_some(),
            on: Vec::new(),
            condition: None,
            on_event: false,
            exit_type: ExitType::All,
            exit_event: ExitEvent::Exit,
            span: self.span(draft.node),
        };
        if self.flowable() {
            criterion.exit_type = match flowable(draft.node, "exitType") {
                Some("activeInstances") => ExitType::Active,
                Some("activeAndEnabledInstances") => ExitType::ActiveAndEnabled,
                _ => ExitType::All,
            };
            criterion.exit_event = match flowable(draft.node, "exitEventType") {
                Some("complete") => ExitEvent::Complete,
                Some("forceComplete") => ExitEvent::ForceComplete,
                _ => ExitEvent::Exit,
            };
        }
        if let Some(sentry) = draft.sentry {
            criterion.on_event = self.flowable() && flowable(sentry, "triggerMode") == Some("onEvent");
            self.parts(draft, sentry, &mut criterion, files);
        }
        criterion
    }

    fn parts(
        &mut self,
        draft: &Draft<'a, 'i>,
        sentry: Node<'a, 'i>,
        criterion: &mut Criterion,
        files: &mut Vec<(String, CaseFile)>,
    ) {
        for part in sentry.children().filter(|n| n.is_element()) {
            let written = child(part, "standardEvent").map_or(String::new(), |e| text_of(e).trim().to_string());
            let event = Event::of(&written);
            let reference = attribute(part, "sourceRef").unwrap_or("").to_string();
            let span = self.span(part);
            if is_cmmn(part, "planItemOnPart") {
                let source = self.source(draft.item, &reference, part);
                criterion.on.push(OnPart { source, event, written, exit_by: None, span });
            } else if is_cmmn(part, "caseFileItemOnPart") {
                let source = self.file_source(&reference, event, part, files);
                criterion.on.push(OnPart { source, event, written, exit_by: None, span });
            } else if is_cmmn(part, "ifPart") && criterion.condition.is_none() {
                criterion.condition = Some(self.condition_in(part, None));
            }
        }
        for part in extension_element(sentry, "variableOnPart") {
            let name = attribute(part, "variableName").unwrap_or("").to_string();
            let event = part.children().filter(|c| c.is_element()).map(text_of).collect::<String>();
            let text = format!("{} of variable {name}", event.trim());
            self.warn(&codes::VARIABLE_PART, part, format!("the on-part '{text}' occurs or not, freely in every step"));
            let span = self.span(part);
            let source = Source::Free(self.conditions.free_ix(&text, span));
            criterion.on.push(OnPart { source, event: Event::Other, written: text, exit_by: None, span });
        }
        if criterion.is_empty() {
            self.warn(&codes::EMPTY_SENTRY, sentry, "this sentry waits for nothing");
            if !self.flowable() {
                let text = format!("empty sentry {}", attribute(sentry, "id").unwrap_or(""));
                let span = self.span(sentry);
                criterion.condition = Some(self.conditions.add_free(&text, span));
            }
        }
    }

    /// The items an on-part listens to: of several copies those that share most stages with the listening item.
    fn source(&mut self, listening: ItemIx, reference: &str, at: Node) -> Source {
        let found: Vec<ItemIx> = (1..self.items.len()).filter(|i| self.items[*i].id == reference).collect();
        let around = |i: ItemIx| -> Vec<ItemIx> { std::iter::successors(Some(i), |x| self.items[*x].parent).collect() };
        let own = around(listening);
        let shared = |i: &ItemIx| around(*i).iter().filter(|a| own.contains(a)).count();
        let most = found.iter().map(shared).max();
        let nearest: Vec<ItemIx> = found.iter().copied().filter(|i| Some(shared(i)) == most).collect();
        if nearest.is_empty() {
            let known: Vec<&str> = self.items.iter().skip(1).map(|i| i.id.as_str()).collect();
            let message = format!("there is no plan item '{reference}': the event never occurs");
            let d = Diagnostic::new(&codes::NO_SOURCE, self.span(at), message).nearest(reference, known);
            self.diags.push(d);
            return Source::Nothing;
        }
        Source::Items(nearest)
    }

    fn file_source(&mut self, reference: &str, event: Event, at: Node, files: &mut Vec<(String, CaseFile)>) -> Source {
        let Some(node) = self.by_id.get(reference).copied().filter(|n| is_cmmn(*n, "caseFileItem")) else {
            let message = format!("there is no case file item '{reference}': the event never occurs");
            self.warn(&codes::NO_SOURCE, at, message);
            return Source::Nothing;
        };
        let known = files.iter().position(|(id, _)| id == reference);
        let ix = known.unwrap_or_else(|| {
            let name = attribute(node, "name").filter(|n| !n.is_empty()).unwrap_or(reference).to_string();
            let many = attribute(node, "multiplicity").is_some_and(|m| m.ends_with("OrMore"));
            files.push((reference.to_string(), CaseFile { name, many, waited: Vec::new() }));
            files.len() - 1
        });
        let waited = &mut files[ix].1.waited;
        if event.of_file() && event != Event::Create && !waited.contains(&event) {
            waited.push(event);
        }
        Source::File(ix)
    }

    /// Id of the exit criterion that an on-part wants its source to exit by.
    pub(super) fn exit_reference(part: Node<'a, 'i>) -> Option<&'a str> {
        attribute(part, "exitCriterionRef").or_else(|| attribute(part, "sentryRef")).filter(|r| !r.is_empty())
    }

    /// Elements of an on-part's span are found again by place.
    pub(super) fn part_at(&self, sentry: Node<'a, 'i>, span: Span) -> Option<Node<'a, 'i>> {
        sentry.children().find(|n| n.is_element() && self.span(*n) == span)
    }
}
