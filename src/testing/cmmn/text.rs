//! Random small cases, as CMMN files.

use crate::testing::Choices;
use std::fmt::Write;

/// A random case; the same for the same seed.
pub fn random_case(seed: u64) -> String {
    Drawn::default().case(&mut Choices::seeded(seed))
}

/// A case from a list of decisions, which a property-test library can shrink.
pub fn case_from(choices: &[u16]) -> String {
    Drawn::default().case(&mut Choices::listed(choices))
}

const CONDITIONS: [&str; 14] = [
    "${a}",
    "${!a}",
    "${b == 'x'}",
    "${b != 'x' && a}",
    "${vars:getOrDefault('a', true)}",
    "${n > 3}",
    "${n <= 3 || n == 7}",
    "${empty b}",
    "${true}",
    "${repetitionCounter < 3}",
    "${cmmn:isStageCompletable()}",
    "${planItemInstances.definitionId('d1').active().count() > 0}",
    "${cmmn:isPlanItemCompleted('d2')}",
    "${bean.ask()}",
];

/// A plan item that is to be written.
struct Planned {
    id: usize,
    kind: &'static str,
    /// What stands in it, if it is a stage.
    inside: Vec<Planned>,
}

#[derive(Default)]
struct Drawn {
    /// The few conditions that this case uses: each variable multiplies its steps.
    conditions: Vec<&'static str>,
    items: usize,
    criteria: usize,
    /// Ids and kinds of all items, to listen to.
    all: Vec<(usize, &'static str)>,
    sentries: String,
    /// Exit criteria by item.
    exits: Vec<(usize, usize)>,
}

impl Drawn {
    fn case(mut self, c: &mut Choices) -> String {
        self.conditions = (0..3).map(|_| c.one_of(CONDITIONS)).collect();
        let most = 2 + c.below(5);
        let plan = self.plan(c, most, 2);
        let mut out = String::from(
            "<definitions xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\" xmlns:flowable=\"http://flowable.org/cmmn\">\n<case id=\"c\">\n",
        );
        if c.chance(25) {
            out += "<caseFileModel><caseFileItem id=\"f1\" name=\"b\" multiplicity=\"";
            out += c.one_of(["ExactlyOne", "ZeroOrMore"]);
            out += "\"/></caseFileModel>\n";
        }
        let auto = self.auto(c);
        let _ = writeln!(out, "<casePlanModel id=\"plan\"{auto}>");
        self.container(c, &mut out, &plan);
        if c.chance(20) {
            self.criterion(c, &mut out, "exitCriterion", 0);
        }
        out += &std::mem::take(&mut self.sentries);
        out += "</casePlanModel>\n</case>\n</definitions>\n";
        out
    }

    /// Draws items, `most` of them in all.
    fn plan(&mut self, c: &mut Choices, most: usize, depth: usize) -> Vec<Planned> {
        let mut list = Vec::new();
        while self.items < most {
            self.items += 1;
            let id = self.items;
            let kinds = ["humanTask", "milestone", "userEventListener", "task", "decisionTask", "stage", "stage"];
            let kind = c.one_of(kinds);
            let kind = if kind == "stage" && depth == 0 { "humanTask" } else { kind };
            self.all.push((id, kind));
            let room = most.min(self.items + 1 + c.below(3));
            let inside = if kind == "stage" { self.plan(c, room, depth - 1) } else { Vec::new() };
            list.push(Planned { id, kind, inside });
            if depth < 2 && c.chance(40) {
                break;
            }
        }
        list
    }

    fn some(&self, c: &mut Choices) -> &'static str {
        c.pick(&self.conditions).copied().unwrap_or("${true}")
    }

    fn condition(&self, c: &mut Choices, percent: usize) -> String {
        match c.chance(percent) {
            true => format!("<condition>{}</condition>", escape(self.some(c))),
            false => String::new(),
        }
    }

    fn auto(&mut self, c: &mut Choices) -> String {
        match c.below(4) {
            0 | 1 => String::new(),
            2 => " autoComplete=\"true\"".into(),
            _ => {
                format!(" flowable:autoCompleteCondition=\"{}\"", escape(self.some(c)))
            }
        }
    }

    fn container(&mut self, c: &mut Choices, out: &mut String, items: &[Planned]) {
        for item in items {
            self.item(c, out, item);
        }
        for item in items {
            self.definition(c, out, item);
        }
    }

    fn item(&mut self, c: &mut Choices, out: &mut String, item: &Planned) {
        let id = item.id;
        let _ = writeln!(out, "<planItem id=\"i{id}\" name=\"{}{id}\" definitionRef=\"d{id}\">", letter(item.kind));
        self.control(c, out);
        let waits = item.kind == "milestone" || c.chance(45);
        let entries = usize::from(waits) + usize::from(waits && c.chance(25));
        for _ in 0..entries {
            self.criterion(c, out, "entryCriterion", id);
        }
        if item.kind != "milestone" && c.chance(25) {
            self.criterion(c, out, "exitCriterion", id);
        }
        *out += "</planItem>\n";
    }

    fn control(&mut self, c: &mut Choices, out: &mut String) {
        let mut rules = String::new();
        let mut vendor = String::new();
        if c.chance(30) {
            let more = match c.below(6) {
                0..=2 => "",
                3 => " flowable:maxInstanceCount=\"1\"",
                4 => " flowable:collectionVariable=\"list\"",
                _ => " flowable:counterVariable=\"repetitionCounter\"",
            };
            let condition = self.condition(c, 50);
            let _ = write!(rules, "<repetitionRule{more}>{condition}</repetitionRule>");
        }
        if c.chance(15) {
            let _ = write!(rules, "<requiredRule>{}</requiredRule>", self.condition(c, 30));
        }
        if c.chance(20) {
            let _ = write!(rules, "<manualActivationRule>{}</manualActivationRule>", self.condition(c, 30));
        }
        if c.chance(10) {
            let kinds = [
                "ignore",
                "ignoreIfAvailable",
                "ignoreIfAvailableOrEnabled",
                "ignoreAfterFirstCompletion",
                "ignoreAfterFirstCompletionIfAvailableOrEnabled",
            ];
            let _ = write!(vendor, "<flowable:parentCompletionRule type=\"{}\"/>", c.one_of(kinds));
        }
        if c.chance(10) {
            let _ = write!(
                vendor,
                "<flowable:completionNeutralRule>{}</flowable:completionNeutralRule>",
                self.condition(c, 40)
            );
        }
        if !vendor.is_empty() {
            rules = format!("<extensionElements>{vendor}</extensionElements>{rules}");
        }
        if !rules.is_empty() {
            let _ = writeln!(out, "<itemControl>{rules}</itemControl>");
        }
    }

    fn criterion(&mut self, c: &mut Choices, out: &mut String, element: &str, of: usize) {
        self.criteria += 1;
        let k = self.criteria;
        let mut more = String::new();
        if element == "exitCriterion" {
            self.exits.push((of, k));
            more = match c.below(8) {
                0..=3 => String::new(),
                4 => " flowable:exitType=\"activeInstances\"".into(),
                5 => " flowable:exitType=\"activeAndEnabledInstances\"".into(),
                6 => " flowable:exitEventType=\"complete\"".into(),
                _ => " flowable:exitEventType=\"forceComplete\"".into(),
            };
        }
        let _ = writeln!(out, "<{element} id=\"c{k}\" sentryRef=\"s{k}\"{more}/>");
        let mode = if c.chance(20) { " flowable:triggerMode=\"onEvent\"" } else { "" };
        let mut parts = String::new();
        let listens = c.below(10);
        for _ in 0..(if listens < 7 { 1 } else { listens - 7 }) {
            self.on_part(c, &mut parts);
        }
        if parts.is_empty() && !c.chance(10) || c.chance(35) {
            let _ = write!(parts, "<ifPart>{}</ifPart>", self.condition(c, 100));
        }
        let _ = writeln!(self.sentries, "<sentry id=\"s{k}\"{mode}>{parts}</sentry>");
    }

    fn on_part(&mut self, c: &mut Choices, parts: &mut String) {
        if c.chance(6) {
            let event = c.one_of(["create", "update", "delete"]);
            let _ = write!(
                parts,
                "<caseFileItemOnPart sourceRef=\"f1\"><standardEvent>{event}</standardEvent></caseFileItemOnPart>"
            );
            return;
        }
        let Some((id, kind)) = c.pick(&self.all).copied() else { return };
        let usual = if matches!(kind, "milestone" | "userEventListener") { "occur" } else { "complete" };
        let rare = ["exit", "start", "terminate", "fault", "create", "enable", "disable", "reenable", "manualStart"];
        let event = if c.chance(25) { c.one_of(rare) } else { usual };
        let by = self.exits.iter().find(|(item, _)| *item == id && event == "exit").map(|(_, k)| *k);
        let by = by.filter(|_| c.chance(30)).map_or(String::new(), |k| format!(" exitCriterionRef=\"c{k}\""));
        let _ = write!(
            parts,
            "<planItemOnPart sourceRef=\"i{id}\"{by}><standardEvent>{event}</standardEvent></planItemOnPart>"
        );
    }

    fn definition(&mut self, c: &mut Choices, out: &mut String, item: &Planned) {
        let (id, kind) = (item.id, item.kind);
        let more = match kind {
            "task" => c
                .one_of([" isBlocking=\"false\"", "", " flowable:type=\"java\" flowable:resultVariableName=\"b\""])
                .to_string(),
            "milestone" => c.one_of(["", "", " flowable:milestoneVariable=\"a\""]).to_string(),
            "userEventListener" if c.chance(15) => {
                format!(" flowable:availableCondition=\"{}\"", escape(self.some(c)))
            }
            "stage" => self.auto(c),
            _ => String::new(),
        };
        let _ = writeln!(out, "<{kind} id=\"d{id}\"{more}>");
        if kind == "stage" {
            self.container(c, out, &item.inside);
            if c.chance(10) {
                let _ = writeln!(
                    out,
                    "<planningTable><discretionaryItem id=\"x{id}\" definitionRef=\"dx{id}\"/></planningTable><humanTask id=\"dx{id}\"/>"
                );
            }
        }
        let _ = writeln!(out, "</{kind}>");
    }
}

fn letter(kind: &str) -> &'static str {
    match kind {
        "stage" => "S",
        "milestone" => "M",
        "userEventListener" => "L",
        _ => "T",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
