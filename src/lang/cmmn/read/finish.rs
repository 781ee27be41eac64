//! Everything that needs all items: names, sources, domains, instances.

use super::Reader;
use super::tree::{self, attribute, flowable};
use crate::lang::cmmn::condition::{Conditions, MOST_VALUES, Select};
use crate::lang::cmmn::model::{
    ByHand, Case, CaseFile, Criterion, DataIx, Event, Item, ItemIx, Kind, MOST_INSTANCES, NEVER, Source, expand,
    name_items, slots,
};
use crate::source::codes::cmmn as codes;
use crate::source::{Diagnostic, Diagnostics};
use roxmltree::Node;

impl<'a, 'i> Reader<'a, 'i, '_> {
    /// The case, or an error among the findings.
    pub(super) fn finish(mut self, case: Node<'a, 'i>) -> Option<Case> {
        let mut files: Vec<(String, CaseFile)> = Vec::new();
        let drafts = std::mem::take(&mut self.drafts);
        name_items(&mut self.items);
        let mut criteria: Vec<Criterion> = Vec::new();
        for draft in &drafts {
            let criterion = self.criterion(draft, &mut files);
            let owner = &mut self.items[draft.item];
            if draft.entry { &mut owner.entry } else { &mut owner.exit }.push(criteria.len());
            criteria.push(criterion);
        }
        self.exits_by(&drafts, &mut criteria);
        name_criteria(&self.items, &mut criteria);
        self.doubts(&criteria);
        self.hands(&criteria);
        let files: Vec<CaseFile> = files.into_iter().map(|(_, f)| f).collect();
        self.writers();
        let id = attribute(case, "id").unwrap_or("case").to_string();
        let name = attribute(case, "name").filter(|n| !n.is_empty()).map_or_else(|| id.clone(), str::to_string);
        let span = self.span(case);
        let shapes = tree::shapes(case.document().root_element());
        let Reader { choices, profile, diags, mut items, conditions, .. } = self;
        let start_writes = chosen(&choices.writes, "case", &conditions).unwrap_or_else(|| all(&conditions));
        let bound = |item: &Item| {
            choices.instances.iter().rev().find(|(n, _)| *n == item.name || *n == item.id).map(|(_, k)| *k)
        };
        let Some((places, instances)) = expand(&items, &bound) else {
            let message = format!("the case has more than {MOST_INSTANCES} instances");
            let d = Diagnostic::new(&codes::TOO_MANY_INSTANCES, span, message);
            diags.push(d.help("give repeating stages fewer instances: --instances ITEM=1"));
            return None;
        };
        unknown_names(&items, choices, diags);
        unknown_variables(&conditions, choices, diags);
        let items_of = |select: &Select| -> Vec<ItemIx> { selected(&items, select) };
        let (conditions, data, free) = conditions.finish(&choices.values, &items_of);
        if let Some(large) = data.iter().find(|d| d.values.len() > MOST_VALUES) {
            let message = format!("variable '{}' has more than {MOST_VALUES} values", large.name);
            diags.push(Diagnostic::new(&codes::TOO_MANY_VALUES, span, message));
            return None;
        }
        for item in &mut items {
            if item.required != NEVER && conditions[item.required].is_never() {
                item.required = NEVER;
            }
        }
        let roles = roles(&items, choices.roles);
        Some(Case {
            id,
            name,
            profile,
            items,
            criteria,
            conditions,
            data,
            files,
            free,
            places,
            instances,
            start_writes,
            roles,
            data_any: choices.data_any,
            shapes,
            span,
        })
    }

    /// On-parts that want their source to exit by one criterion.
    fn exits_by(&mut self, drafts: &[super::Draft<'a, 'i>], criteria: &mut [Criterion]) {
        let exits: Vec<(ItemIx, String, bool)> = criteria.iter().map(|c| (c.item, c.id.clone(), !c.entry)).collect();
        for (draft, criterion) in drafts.iter().zip(criteria) {
            let Some(sentry) = draft.sentry else { continue };
            for part in criterion.on.iter_mut().filter(|p| p.event == Event::Exit) {
                let (Some(node), Source::Items(sources)) = (self.part_at(sentry, part.span), &part.source) else {
                    continue;
                };
                let Some(reference) = Self::exit_reference(node) else { continue };
                let meant =
                    |(item, id, exit): &(ItemIx, String, bool)| *exit && sources.contains(item) && id == reference;
                let found: Vec<usize> = exits.iter().enumerate().filter(|(_, e)| meant(e)).map(|(ix, _)| ix).collect();
                if found.is_empty() {
                    let name = &self.items[sources[0]].name;
                    let message = format!("'{name}' has no exit criterion '{reference}': the event never occurs");
                    let own = exits.iter().filter(|(item, _, exit)| *exit && sources.contains(item));
                    let d = Diagnostic::new(&codes::NO_SOURCE, part.span, message);
                    self.diags.push(d.nearest(reference, own.map(|(_, id, _)| id.as_str())));
                }
                part.exit_by = Some(found);
            }
        }
    }

    /// What somebody may do to items by hand: what an on-part waits for, and what the user names.
    fn hands(&mut self, criteria: &[Criterion]) {
        let waited = |item: ItemIx, event: Event| {
            let parts = criteria.iter().flat_map(|c| &c.on);
            parts.filter(|p| p.event == event).any(|p| matches!(&p.source, Source::Items(s) if s.contains(&item)))
        };
        for ix in 0..self.items.len() {
            let item = &self.items[ix];
            let named = |event: Event| {
                let one = |name: &str| format!("{}={name}", event.name());
                let all = [event.name().to_string(), one(&item.name), one(&item.id)];
                self.choices.by_hand.iter().any(|h| all.contains(h))
            };
            let may = |event| named(event) || waited(ix, event);
            let (task, works) = (item.task().is_some(), matches!(item.kind, Kind::Task(_) | Kind::Stage));
            let disable =
                item.manual != NEVER && (may(Event::Disable) || named(Event::Reenable) || waited(ix, Event::Reenable));
            self.items[ix].by_hand = ByHand {
                complete: item.is_container() && named(Event::Complete),
                fault: task && may(Event::Fault),
                terminate: works && may(Event::Terminate),
                disable,
            };
        }
    }

    /// What completions write, now that all variables are known.
    fn writers(&mut self) {
        let every = all(&self.conditions);
        for ix in 1..self.items.len() {
            let node = self.nodes[ix];
            let result = flowable(node, "resultVariableName").filter(|_| self.flowable());
            let result: Vec<DataIx> = result.and_then(|r| self.conditions.variable(r)).into_iter().collect();
            let milestone = flowable(node, "milestoneVariable").filter(|_| self.flowable());
            let milestone = milestone.and_then(|m| self.conditions.variable(plain(m)));
            let decides = self.flowable() && node.tag_name().name() == "decisionTask";
            let item = &mut self.items[ix];
            let given = |name: &str| chosen(&self.choices.writes, name, &self.conditions);
            let written = given(&item.name).or_else(|| given(&item.id));
            match &mut item.kind {
                Kind::Task(task) => {
                    let own = if decides { every.clone() } else { result };
                    task.at_once = written.clone().unwrap_or(own);
                    task.writes = written.unwrap_or_else(|| every.clone());
                }
                Kind::Milestone(variable) => *variable = milestone,
                _ => {}
            }
        }
    }
}

/// `${'name'}` or a bare name.
fn plain(text: &str) -> &str {
    let inner = text.strip_prefix("${").and_then(|t| t.strip_suffix('}')).unwrap_or(text).trim();
    inner.trim_matches(['\'', '"'])
}

/// Who works on items, in the order of the file, if they are to be agents.
fn roles(items: &[Item], wanted: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in items.iter().filter_map(|i| i.performer.as_ref()).filter(|_| wanted) {
        if !names.contains(name) && name != "AutoAgent" {
            names.push(name.clone());
        }
    }
    names
}

fn all(conditions: &Conditions) -> Vec<DataIx> {
    (0..conditions.variables()).collect()
}

/// The variables that the user lets somebody write.
fn chosen(writes: &[(String, Vec<String>)], who: &str, conditions: &Conditions) -> Option<Vec<DataIx>> {
    let (_, names) = writes.iter().rev().find(|(name, _)| name == who)?;
    Some(names.iter().filter_map(|n| conditions.variable(n)).collect())
}

/// A criterion whose name one of another item has too is called by its item; within an item later ones get a word or number more.
fn name_criteria(items: &[Item], criteria: &mut [Criterion]) {
    let names: Vec<(ItemIx, String)> = criteria.iter().map(|c| (c.item, c.name.clone())).collect();
    let mut taken = std::collections::BTreeSet::new();
    for criterion in criteria {
        if names.iter().any(|(item, name)| *item != criterion.item && *name == criterion.name) {
            criterion.name = format!("{}.{}", items[criterion.item].name, criterion.name);
        }
        if taken.contains(&criterion.name) && !criterion.entry {
            criterion.name += ".exit";
        }
        let name = criterion.name.clone();
        for k in 2.. {
            if taken.insert(criterion.name.clone()) {
                break;
            }
            criterion.name = format!("{name}.{k}");
        }
    }
}

fn selected(items: &[Item], select: &Select) -> Vec<ItemIx> {
    let named = |wanted: &Option<Vec<String>>, own: &[&str]| {
        wanted.as_ref().is_none_or(|w| w.iter().any(|name| own.contains(&name.as_str())))
    };
    let fits = |i: &Item| named(&select.ids, &[&i.definition, &i.id]) && named(&select.names, &[&i.label]);
    (1..items.len()).filter(|ix| fits(&items[*ix])).collect()
}

/// Warns of names on the command line that mean nothing, and of what does nothing to the item named.
fn unknown_names(items: &[Item], choices: &super::Choices, diags: &mut Diagnostics) {
    let find = |name: &str| items.iter().find(|i| i.name == name).or_else(|| items.iter().find(|i| i.id == name));
    let warn = |message: String| Diagnostic::placeless(&codes::UNKNOWN_ITEM, message);
    let hands = choices.by_hand.iter().filter_map(|h| h.split_once('='));
    let written = choices.writes.iter().map(|(name, _)| ("writes", name.as_str()));
    let counted = choices.instances.iter().map(|(name, _)| ("instances", name.as_str()));
    for (what, name) in counted.chain(hands).chain(written) {
        let Some(item) = find(name) else {
            let known = items.iter().map(|i| i.name.as_str());
            diags.push(warn(format!("the case has no item '{name}'")).nearest(name, known));
            continue;
        };
        let hand = item.by_hand;
        let idle = match what {
            "instances" if slots(item, &|_| None) == 1 => {
                Some("there is one of it at a time: nothing lets several begin")
            }
            "complete" if !hand.complete => {
                Some("that is for stages and the case; a task is completed by whoever does it")
            }
            "terminate" if !hand.terminate => Some("only tasks and stages are terminated"),
            "fault" if !hand.fault => Some("only tasks fail"),
            "disable" | "reenable" if !hand.disable => Some("only what is started by hand is put aside"),
            _ => None,
        };
        if let Some(why) = idle {
            diags.push(warn(format!("'{what}' does nothing to '{name}': {why}")));
        }
    }
}

/// Warns of variables that no condition reads.
fn unknown_variables(conditions: &Conditions, choices: &super::Choices, diags: &mut Diagnostics) {
    let written = choices.writes.iter().flat_map(|(_, names)| names);
    for name in written.chain(choices.values.iter().map(|(name, _)| name)) {
        if conditions.variable(name).is_none() {
            let message = format!("no condition reads a variable '{name}'");
            let known = conditions.names();
            diags.push(Diagnostic::placeless(&codes::UNKNOWN_ITEM, message).nearest(name, known));
        }
    }
}
