//! Random criteria with their sentries.

use super::text::Drawn;
use crate::testing::Choices;
use std::fmt::Write;

/// The criteria of an item as they are written: elements in it, or attributes of it.
#[derive(Default)]
pub(super) struct Criteria {
    pub elements: String,
    entry: Vec<String>,
    exit: Vec<String>,
}

impl Criteria {
    pub fn attributes(&self) -> String {
        let written = |name: &str, refs: &[String]| match refs.is_empty() {
            true => String::new(),
            false => format!(" {name}=\"{}\"", refs.join(" ")),
        };
        written("entryCriteriaRefs", &self.entry) + &written("exitCriteriaRefs", &self.exit)
    }
}

impl Drawn {
    pub fn criterion(&mut self, c: &mut Choices, out: &mut Criteria, entry: bool, of: usize) {
        self.criteria += 1;
        let k = self.criteria;
        let mut more = String::new();
        if !entry {
            more = match c.below(8) {
                0..=3 => String::new(),
                4 => " flowable:exitType=\"activeInstances\"".into(),
                5 => " flowable:exitType=\"activeAndEnabledInstances\"".into(),
                6 => " flowable:exitEventType=\"complete\"".into(),
                _ => " flowable:exitEventType=\"forceComplete\"".into(),
            };
        }
        let shared = k > 1 && self.rarely(10);
        let sentry = if shared { format!("s{}", k - 1) } else { format!("s{k}") };
        if self.dialect.refers() {
            if entry { &mut out.entry } else { &mut out.exit }.push(sentry.clone());
        } else {
            let element = if entry { "entryCriterion" } else { "exitCriterion" };
            let vendor = if self.rarely(5) { "flowable:" } else { "" };
            let id = if self.rarely(5) { String::new() } else { format!(" id=\"c{k}\"") };
            let _ = writeln!(out.elements, "<{element}{id} {vendor}sentryRef=\"{sentry}\"{more}/>");
        }
        if !entry {
            self.exits.push((of, if self.dialect.refers() { sentry } else { format!("c{k}") }));
        }
        if shared || c.chance(2) {
            return;
        }
        self.sentry(c, k);
    }

    fn sentry(&mut self, c: &mut Choices, k: usize) {
        let mode = if c.chance(20) { " flowable:triggerMode=\"onEvent\"" } else { "" };
        let (mut parts, mut asks) = (String::new(), String::new());
        let listens = c.below(10);
        for _ in 0..(if listens < 7 { 1 } else { listens - 7 }) {
            self.on_part(c, &mut parts);
        }
        if parts.is_empty() && !c.chance(10) || c.chance(35) {
            let _ = write!(asks, "<ifPart>{}</ifPart>", self.condition(c, 100));
        }
        let parts = self.dialect.in_order(&[parts, asks]);
        let _ = writeln!(self.sentries, "<sentry id=\"s{k}\"{mode}>{parts}</sentry>");
    }

    fn on_part(&mut self, c: &mut Choices, parts: &mut String) {
        if c.chance(6) {
            let event = c.one_of(["create", "update", "delete"]);
            let event = match self.rarely(30) {
                true => self.pick(["replace", "addChild", "removeChild", "addReference", "removeReference"]),
                false => event,
            };
            let event = self.dialect.event(event);
            let _ = write!(
                parts,
                "<caseFileItemOnPart sourceRef=\"f1\"><standardEvent>{event}</standardEvent></caseFileItemOnPart>"
            );
            return;
        }
        if c.chance(2) {
            *parts += "<extensionElements><camunda:variableOnPart variableName=\"w\"><camunda:variableEvent>update</camunda:variableEvent></camunda:variableOnPart></extensionElements>";
            return;
        }
        let Some((id, kind)) = c.pick(&self.all).copied() else { return };
        let id = if self.rarely(3) { 99 } else { id };
        if self.planned > 0 && c.chance(15) {
            let x = 1 + c.below(self.planned);
            let event = self.dialect.event(c.one_of(["complete", "create", "start", "exit"]));
            let _ = write!(
                parts,
                "<planItemOnPart sourceRef=\"x{x}\"><standardEvent>{event}</standardEvent></planItemOnPart>"
            );
            return;
        }
        let occurs = kind == "milestone" || kind.ends_with("Listener");
        let usual = if occurs { "occur" } else { "complete" };
        let rare = ["exit", "start", "terminate", "fault", "create", "enable", "disable", "reenable", "manualStart"];
        let event = if c.chance(25) { c.one_of(rare) } else { usual };
        let event = match self.rarely(4) {
            true => self.pick(["complete", "occur", "suspend", "parentSuspend", "close", "reactivate"]),
            false => event,
        };
        let by = self.exits.iter().find(|(item, _)| *item == id && event == "exit").map(|(_, by)| by.clone());
        let reference = if self.dialect.refers() { "sentryRef" } else { "exitCriterionRef" };
        let by = by.filter(|_| c.chance(30)).map_or(String::new(), |by| format!(" {reference}=\"{by}\""));
        let event = self.dialect.event(event);
        let _ = write!(
            parts,
            "<planItemOnPart sourceRef=\"i{id}\"{by}><standardEvent>{event}</standardEvent></planItemOnPart>"
        );
    }
}
