//! A case as named parts, in its own words: what two versions are compared by.

use super::Cmmn;
use super::lower::domain_of;
use super::model::{ALWAYS, CondIx, Criterion, ExitEvent, ExitType, Item, Kind, NEVER, ParentCompletion};
use crate::lang::summary::domain_text;
use std::collections::BTreeMap;

impl Cmmn {
    /// Items, criteria and variables, each with all that the case says about it.
    pub(super) fn named_parts(&self) -> BTreeMap<String, String> {
        let case = &self.case;
        let mut all = BTreeMap::from([("profile".to_string(), case.profile.name().to_string())]);
        for item in &case.items {
            let part = match item.kind {
                Kind::Plan => "case".to_string(),
                _ => format!("{} {}", item.kind_name(), item.name),
            };
            all.insert(part, self.item_says(item).join(", "));
        }
        for (c, criterion) in case.criteria.iter().enumerate() {
            let kind = if criterion.entry { "entry" } else { "exit" };
            let part = format!("{kind} criterion {} of {}", criterion.name, case.items[criterion.item].name);
            all.insert(part, self.criterion_says(c, criterion));
        }
        for data in &case.data {
            all.insert(format!("variable {}", data.name), domain_text(&domain_of(data)));
        }
        for (bound, n) in &self.lowered.machine.bounds {
            all.insert(format!("instances of {bound}"), format!("at most {n}"));
        }
        all
    }

    fn item_says(&self, item: &Item) -> Vec<String> {
        let case = &self.case;
        let mut says = vec![match item.kind {
            Kind::Plan => "the plan".to_string(),
            _ => item.element.clone(),
        }];
        says.extend(item.parent.filter(|p| *p != 0).map(|p| format!("in {}", case.items[p].name)));
        let mut rule = |what: &str, condition: CondIx| match condition {
            NEVER => {}
            ALWAYS => says.push(what.to_string()),
            other => says.push(format!("{what} if `{}`", case.conditions[other].text)),
        };
        rule("required", item.required);
        rule("started by hand", item.manual);
        if let Some(repetition) = &item.repetition {
            rule("repeats", repetition.rule);
        }
        rule("autoComplete", item.auto_complete);
        rule("neutral", item.neutral);
        if let Some(condition) = item.available_if {
            rule("listens", condition);
        }
        if let Some(task) = item.task().filter(|t| t.waits != ALWAYS) {
            says.push(match task.waits {
                NEVER => "does not wait".into(),
                other => format!("waits if `{}`", case.conditions[other].text),
            });
        }
        let again = item.repetition.as_ref();
        says.extend(again.and_then(|r| r.most).map(|most| format!("at most {most} at work")));
        says.extend(again.filter(|r| r.collection).map(|_| "one for each element of a collection".into()));
        says.extend(
            match item.parent_completion {
                ParentCompletion::Usual => None,
                ParentCompletion::Ignore => Some("ignored when its stage completes"),
                ParentCompletion::IfAvailable => Some("ignored while available"),
                ParentCompletion::IfAvailableOrEnabled => Some("ignored while available or enabled"),
                ParentCompletion::AfterFirst => Some("ignored after its first completion"),
                ParentCompletion::AfterFirstIfAvailableOrEnabled => {
                    Some("ignored after its first completion, unless active")
                }
            }
            .map(String::from),
        );
        says.extend(item.performer.as_ref().map(|who| format!("done by {who}")));
        if let Some(planning) = &item.planning {
            let rules = planning.rules.iter().map(|r| format!("`{}`", case.conditions[*r].text));
            let rules: Vec<String> = rules.collect();
            says.push(if rules.is_empty() { "planned".into() } else { format!("planned if {}", rules.join(" or ")) });
        }
        says
    }

    fn criterion_says(&self, c: usize, criterion: &Criterion) -> String {
        let parts = self.parts(c, &|_| false);
        let mut text = match (criterion.has_sentry, parts.is_empty()) {
            (false, _) => "no sentry".to_string(),
            (true, true) => "waits for nothing".into(),
            (true, false) => format!("waits for {}", parts.join(" and ")),
        };
        if criterion.on_event {
            text += ", on event";
        }
        text += match criterion.exit_type {
            ExitType::All => "",
            ExitType::Active => ", spares what is available or enabled",
            ExitType::ActiveAndEnabled => ", spares what is available",
        };
        text += match criterion.exit_event {
            ExitEvent::Exit => "",
            ExitEvent::Complete => ", completes",
            ExitEvent::ForceComplete => ", completes whatever is inside",
        };
        text
    }
}
