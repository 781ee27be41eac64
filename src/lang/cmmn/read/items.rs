//! The plan: items with their definitions, stages with their insides.

use super::Reader;
use super::tree::{attribute, child, children, extension, extension_element, flowable, is_cmmn};
use crate::lang::cmmn::model::{
    ALWAYS, ByHand, Item, ItemIx, Kind, MOST_INSTANCES, NEVER, ParentCompletion, Planning, Task,
};
use crate::source::Diagnostic;
use crate::source::codes::cmmn as codes;
use roxmltree::Node;

/// Types of Flowable's tasks that do not wait.
const AT_ONCE: [&str; 5] = ["java", "mail", "http", "script", "send-event"];

impl<'a, 'i> Reader<'a, 'i, '_> {
    /// Reads the plan; `false` when it cannot be run.
    pub(super) fn plan(&mut self, plan: Node<'a, 'i>) -> bool {
        let id = attribute(plan, "id").unwrap_or("plan").to_string();
        let mut item = self.blank(plan, id.clone(), id, Kind::Plan, None);
        item.auto_complete = self.auto_complete(plan);
        self.items.push(item);
        self.nodes.push(plan);
        self.criteria(0, plan);
        self.inside(plan, 0, &mut vec![plan])
    }

    /// An item with nothing set.
    fn blank(&self, node: Node, id: String, definition: String, kind: Kind, parent: Option<ItemIx>) -> Item {
        Item {
            label: id.clone(),
            id,
            definition,
            name: String::new(),
            kind,
            element: String::new(),
            parent,
            children: Vec::new(),
            entry: Vec::new(),
            exit: Vec::new(),
            manual: NEVER,
            required: NEVER,
            repetition: None,
            auto_complete: NEVER,
            neutral: NEVER,
            parent_completion: ParentCompletion::Usual,
            available_if: None,
            planning: None,
            by_hand: ByHand::default(),
            performer: None,
            span: self.span(node),
        }
    }

    /// Reads what stands in a stage, plan or plan fragment.
    fn inside(&mut self, node: Node<'a, 'i>, parent: ItemIx, path: &mut Vec<Node<'a, 'i>>) -> bool {
        let mut complete = true;
        for item in children(node, "planItem") {
            complete &= self.plan_item(item, parent, None, path);
        }
        for table in children(node, "planningTable") {
            complete &= self.table(table, parent, None, path);
        }
        complete
    }

    /// The discretionary items of a planning table.
    fn table(&mut self, table: Node<'a, 'i>, parent: ItemIx, at: Option<ItemIx>, path: &mut Vec<Node<'a, 'i>>) -> bool {
        let mut complete = true;
        for node in table.children().filter(|n| n.is_element()) {
            if is_cmmn(node, "planningTable") {
                complete &= self.table(node, parent, at, path);
            } else if is_cmmn(node, "discretionaryItem") && self.flowable() {
                self.warn(&codes::DISCRETIONARY, node, "Flowable does not run discretionary items: it is left out");
            } else if is_cmmn(node, "discretionaryItem") {
                let refs = attribute(node, "applicabilityRuleRefs").unwrap_or("").split_whitespace();
                let found: Vec<Node> = refs.filter_map(|r| self.by_id.get(r).copied()).collect();
                let rules = found.into_iter().map(|rule| self.condition_in(rule, None)).collect();
                complete &= self.plan_item(node, parent, Some(Planning { rules, at }), path);
            }
        }
        complete
    }

    fn plan_item(
        &mut self,
        node: Node<'a, 'i>,
        parent: ItemIx,
        planning: Option<Planning>,
        path: &mut Vec<Node<'a, 'i>>,
    ) -> bool {
        let reference = attribute(node, "definitionRef").unwrap_or("");
        let definition = self.by_id.get(reference).copied();
        let Some((definition, kind)) = definition.and_then(|d| Some((d, self.kind(d)?))) else {
            let known: Vec<&str> =
                self.by_id.iter().filter(|(_, n)| self.kind(**n).is_some()).map(|(k, _)| *k).collect();
            let message = format!("there is no definition '{reference}': the item is left out");
            let d = Diagnostic::new(&codes::NO_DEFINITION, self.span(node), message).nearest(reference, known);
            self.diags.push(d);
            return true;
        };
        let is_stage = matches!(kind, Some(Kind::Stage) | None);
        if is_stage && path.contains(&definition) {
            let message = format!("stage '{reference}' would stand inside itself");
            self.diags.push(Diagnostic::new(&codes::STAGE_IN_ITSELF, self.span(node), message));
            return false;
        }
        if self.items.len() > MOST_INSTANCES {
            let message = format!("the case has more than {MOST_INSTANCES} plan items");
            // Said of the first; all that follow are as many too many.
            if !self.diags.iter().any(|d| d.code.id == codes::TOO_MANY_INSTANCES.id) {
                self.diags.push(Diagnostic::new(&codes::TOO_MANY_INSTANCES, self.span(node), message));
            }
            return false;
        }
        path.push(definition);
        let complete = match kind {
            Some(kind) => {
                let item = self.item(node, definition, kind, parent, planning);
                let inside = !is_stage || self.inside(definition, item, path);
                let tables: Vec<Node> = children(definition, "planningTable").filter(|_| !is_stage).collect();
                tables.into_iter().fold(inside, |all, t| self.table(t, parent, Some(item), path) && all)
            }
            None => {
                if children(node, "entryCriterion").chain(children(node, "exitCriterion")).next().is_some() {
                    self.warn(&codes::FRAGMENT_CRITERIA, node, "criteria of a plan fragment are ignored");
                }
                self.inside(definition, parent, path)
            }
        };
        path.pop();
        complete
    }

    /// The kind of thing an element defines; a plan fragment defines nothing of its own.
    fn kind(&self, node: Node) -> Option<Option<Kind>> {
        let name = node.tag_name().name();
        Some(Some(match name {
            "stage" => Kind::Stage,
            "planFragment" => return Some(None),
            "milestone" => Kind::Milestone(None),
            "userEvent" | "timerEvent" | "eventListener" => self.listener(node),
            _ if name.ends_with("EventListener") => self.listener(node),
            "task" => self.task(node),
            _ if name.ends_with("Task") => self.task(node),
            _ => return None,
        }))
    }

    fn listener(&self, node: Node) -> Kind {
        let vendor = flowable(node, "eventType") == Some("reactivate");
        let reactivate = vendor || node.tag_name().name() == "reactivateEventListener";
        Kind::Listener { reactivate: reactivate && self.flowable() }
    }

    fn task(&self, node: Node) -> Kind {
        let element = node.tag_name().name();
        let kind = if self.flowable() { flowable(node, "type").unwrap_or("") } else { "" };
        let decides = self.flowable() && element == "decisionTask";
        let blocks = attribute(node, "isBlocking") != Some("false");
        let waits = blocks && !decides && !AT_ONCE.contains(&kind);
        Kind::Task(Task {
            waits: if waits { ALWAYS } else { NEVER },
            completable: kind != "casePage",
            writes: Vec::new(),
            at_once: Vec::new(),
        })
    }

    fn item(
        &mut self,
        node: Node<'a, 'i>,
        definition: Node<'a, 'i>,
        kind: Kind,
        parent: ItemIx,
        planning: Option<Planning>,
    ) -> ItemIx {
        let reference = attribute(definition, "id").unwrap_or("").to_string();
        let id = attribute(node, "id").map_or_else(|| format!("{reference} (item)"), str::to_string);
        let mut item = self.blank(node, id, reference, kind, Some(parent));
        let name = attribute(node, "name").filter(|n| !n.is_empty()).or_else(|| attribute(definition, "name"));
        if let Some(name) = name.filter(|n| !n.is_empty()) {
            item.label = name.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        item.element = definition.tag_name().name().to_string();
        item.planning = planning;
        item.performer = self.performer(definition);
        self.rules(&mut item, node, definition);
        let ix = self.items.len();
        self.items[parent].children.push(ix);
        self.items.push(item);
        self.nodes.push(definition);
        self.criteria(ix, node);
        self.code_in(definition);
        ix
    }

    /// Warns of code that may set variables.
    fn code_in(&mut self, definition: Node) {
        const CODE: [&str; 4] = ["expression", "class", "delegateExpression", "script"];
        let attribute = CODE.iter().any(|name| extension(definition, name).is_some());
        let listeners = ["planItemLifecycleListener", "taskListener", "caseExecutionListener"];
        let listens = listeners.iter().any(|name| extension_element(definition, name).next().is_some());
        let script = flowable(definition, "type") == Some("script");
        if attribute || listens || script {
            self.warn(&codes::CODE, definition, "code that may set variables is not run");
        }
        if definition.children().any(|c| c.tag_name().name() == "planItemStartTrigger") {
            self.warn(&codes::START_TRIGGER, definition, "the timer's start trigger is not read");
        }
    }

    /// `autoComplete` or Flowable's condition.
    pub(super) fn auto_complete(&mut self, node: Node<'a, 'i>) -> usize {
        match flowable(node, "autoCompleteCondition").filter(|_| self.flowable()) {
            Some(text) => {
                let span = self.span(node);
                self.conditions.add(text, span, None, self.diags)
            }
            None if attribute(node, "autoComplete") == Some("true") => ALWAYS,
            None => NEVER,
        }
    }

    /// Who does a task or lets a listener occur: a role by its name, an assignee or a group.
    fn performer(&self, definition: Node) -> Option<String> {
        let role = attribute(definition, "performerRef").or_else(|| attribute(definition, "authorizedRoleRefs"));
        let name = |r: &str| self.by_id.get(r).and_then(|n| attribute(*n, "name")).unwrap_or(r).to_string();
        let vendor = |what| extension(definition, what).map(str::to_string);
        let named = role.map(name).or_else(|| vendor("assignee")).or_else(|| vendor("candidateGroups"));
        let named = named.or_else(|| child(definition, "role").and_then(|r| Some(attribute(r, "name")?.to_string())));
        named.filter(|n| !n.is_empty())
    }
}
