//! Rules of items: `itemControl` at the item, `defaultControl` at its definition, rule by rule.

use super::Reader;
use super::tree::{attribute, child, children, extension_element, flowable, text_of};
use crate::lang::cmmn::model::{ALWAYS, CondIx, Item, Kind, NEVER, ParentCompletion, Repetition};
use roxmltree::Node;

impl<'a, 'i> Reader<'a, 'i, '_> {
    /// Reads the rules of an item.
    pub(super) fn rules(&mut self, item: &mut Item, node: Node<'a, 'i>, definition: Node<'a, 'i>) {
        let rule = |name: &'static str| {
            let own = children(node, "itemControl").find_map(|c| child(c, name));
            own.or_else(|| children(definition, "defaultControl").find_map(|c| child(c, name)))
        };
        let vendor = |name: &'static str| {
            let own = children(node, "itemControl").find_map(|c| extension_element(c, name).next());
            own.or_else(|| children(definition, "defaultControl").find_map(|c| extension_element(c, name).next()))
        };
        let repetition = rule("repetitionRule");
        let counter = repetition.map(|r| match flowable(r, "counterVariable").filter(|_| self.flowable()) {
            Some(name) => name.to_string(),
            None => "repetitionCounter".to_string(),
        });
        let counter = counter.as_deref();
        let by_hand = self.old && matches!(item.kind, Kind::Stage | Kind::Task(_));
        let missing = if by_hand { ALWAYS } else { NEVER };
        item.manual = rule("manualActivationRule").map_or(missing, |r| self.condition_in(r, counter));
        item.required = rule("requiredRule").map_or(NEVER, |r| self.condition_in(r, counter));
        if !matches!(item.kind, Kind::Stage | Kind::Task(_)) {
            item.manual = NEVER;
        }
        if self.flowable() {
            item.neutral = vendor("completionNeutralRule").map_or(NEVER, |r| self.condition_in(r, counter));
        }
        item.repetition = repetition.map(|r| self.repetition(item, r, counter));
        item.auto_complete = if item.kind == Kind::Stage { self.auto_complete(definition) } else { NEVER };
        if !self.flowable() {
            return;
        }
        item.parent_completion = vendor("parentCompletionRule").map_or(ParentCompletion::Usual, parent_completion);
        let span = self.span(definition);
        if item.is_listener() {
            let text = flowable(definition, "availableCondition");
            item.available_if = text.map(|t| self.conditions.add(t, span, None, self.diags));
        }
        if let (Kind::Task(task), Some(text)) = (&mut item.kind, flowable(definition, "isBlockingExpression")) {
            let blocks = self.conditions.add(text, span, None, self.diags);
            task.waits = if task.waits == NEVER { NEVER } else { blocks };
        }
    }

    fn repetition(&mut self, item: &Item, rule: Node<'a, 'i>, counter: Option<&str>) -> Repetition {
        let condition = self.condition_in(rule, counter);
        let largest = [condition, item.manual, item.required, item.neutral].map(|c| self.conditions.largest_count(c));
        let count = largest.into_iter().flatten().max().map(|largest| largest.max(0) + 2);
        let vendor = |name| flowable(rule, name).filter(|_| self.flowable());
        let able = matches!(item.kind, Kind::Stage | Kind::Task(_));
        Repetition {
            rule: condition,
            count,
            most: vendor("maxInstanceCount").and_then(|n| n.parse().ok()),
            collection: able && vendor("collectionVariable").is_some(),
        }
    }

    /// The condition of a rule; without one it holds.
    pub(super) fn condition_in(&mut self, rule: Node<'a, 'i>, counter: Option<&str>) -> CondIx {
        let Some(condition) = child(rule, "condition") else {
            let text = attribute(rule, "condition").unwrap_or("");
            let span = self.span(rule);
            return self.conditions.add(text, span, counter, self.diags);
        };
        let span = self.span(condition);
        self.conditions.add(&text_of(condition), span, counter, self.diags)
    }
}

fn parent_completion(rule: Node) -> ParentCompletion {
    match attribute(rule, "type").or_else(|| flowable(rule, "type")).unwrap_or("") {
        "ignore" => ParentCompletion::Ignore,
        "ignoreIfAvailable" => ParentCompletion::IfAvailable,
        "ignoreIfAvailableOrEnabled" => ParentCompletion::IfAvailableOrEnabled,
        "ignoreAfterFirstCompletion" => ParentCompletion::AfterFirst,
        "ignoreAfterFirstCompletionIfAvailableOrEnabled" => ParentCompletion::AfterFirstIfAvailableOrEnabled,
        _ => ParentCompletion::Usual,
    }
}
