//! Random small cases, as CMMN files.

use crate::testing::Choices;
use std::fmt::Write;

/// A random case; the same for the same seed. Odd seeds have what is rare in files, too.
pub fn random_case(seed: u64) -> String {
    let rare = (!seed.is_multiple_of(2)).then(|| Choices::seeded(seed ^ 0xfeed));
    Drawn { rare, ..Drawn::default() }.case(&mut Choices::seeded(seed))
}

/// A case from a list of decisions, which a property-test library can shrink.
pub fn case_from(choices: &[u16]) -> String {
    Drawn::default().case(&mut Choices::listed(choices))
}

/// What a user might choose beside the file: hands, free data, writers, values, slots.
pub fn random_choices(seed: u64) -> crate::lang::cmmn::model::Choices {
    let c = &mut Choices::seeded(seed ^ 0x5eed);
    let mut choices = crate::lang::cmmn::model::Choices::default();
    if c.chance(60) {
        return choices;
    }
    for hand in ["complete", "terminate", "fault", "disable", "reenable", "terminate=S1", "fault=T1"] {
        choices.by_hand.extend(c.chance(15).then(|| hand.to_string()));
    }
    choices.data_any = c.chance(15);
    let text = |t: &str| t.to_string();
    if c.chance(25) {
        choices.values.push((text("b"), vec![text("x"), text("y")]));
    }
    if c.chance(25) {
        choices.writes.push((c.one_of(["case", "T1", "T2"]).into(), c.some_of(&["a", "b", "n"].map(text), 40)));
    }
    for item in ["i1", "i2", "i3"] {
        choices.instances.extend(c.chance(25).then(|| (text(item), 1 + c.below(3) as u32)));
    }
    choices
}

const CONDITIONS: [&str; 20] = [
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
    "${n == null}",
    "${caseInstance.hasVariable('b') and not a}",
    "${repetitionCounter != 2}",
    "${planItemInstances.currentStage().completed().count() == 1}",
    "${planItemInstances.name('T2').available().exists() || a}",
    "${!cmmn:isPlanItemCompleted('d1')}",
];

const KINDS: [&str; 7] = ["humanTask", "milestone", "userEventListener", "task", "decisionTask", "stage", "stage"];

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
    /// Discretionary items so far.
    planned: usize,
    /// Exit criteria by item.
    exits: Vec<(usize, usize)>,
    /// Stages around what is written now.
    around: Vec<usize>,
    /// Draws what is rare.
    rare: Option<Choices>,
}

impl Drawn {
    fn case(mut self, c: &mut Choices) -> String {
        self.conditions = (0..3).map(|_| c.one_of(CONDITIONS)).collect();
        let most = 2 + c.below(5);
        let deep = 2 + usize::from(c.chance(20));
        let plan = self.plan(c, most, deep);
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
            let kind = match c.chance(8) {
                true => c.one_of(["caseTask", "timerEventListener", "planFragment"]),
                false => c.one_of(KINDS),
            };
            let kind = if holds_items(kind) && depth == 0 { "humanTask" } else { kind };
            self.all.push((id, kind));
            let room = most.min(self.items + 1 + c.below(3));
            let inside = if holds_items(kind) { self.plan(c, room, depth - 1) } else { Vec::new() };
            list.push(Planned { id, kind, inside });
            if self.items > 1 && depth < 2 && c.chance(40) {
                break;
            }
        }
        list
    }

    /// Something rare, now and then: a stage in two places, a sentry of two criteria, several exits, a source that is missing.
    fn rarely(&mut self, percent: usize) -> bool {
        self.rare.as_mut().is_some_and(|c| c.chance(percent))
    }

    /// Another stage whose definition a stage may share: none around it.
    fn other_stage(&mut self, id: usize) -> Option<usize> {
        let fits = |(o, kind): &&(usize, &str)| *o < id && *kind == "stage" && !self.around.contains(o);
        let stages: Vec<usize> = self.all.iter().filter(fits).map(|(o, _)| *o).collect();
        self.rare.as_mut().and_then(|c| c.pick(&stages).copied())
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
            let planned = self.planned;
            if item.kind == "humanTask" {
                self.table(c, out, Some(item.id));
            }
            if self.planned == planned {
                self.definition(c, out, item);
            }
        }
        self.table(c, out, None);
    }

    fn item(&mut self, c: &mut Choices, out: &mut String, item: &Planned) {
        let id = item.id;
        // Now and then two items share a definition.
        let of = if id > 1 && !holds_items(item.kind) && c.chance(6) { id - 1 } else { id };
        let of = if self.all.iter().any(|(o, kind)| *o == of && !holds_items(kind)) { of } else { id };
        let of = if item.kind == "stage" && self.rarely(25) { self.other_stage(id).unwrap_or(of) } else { of };
        let _ = writeln!(out, "<planItem id=\"i{id}\" name=\"{}{id}\" definitionRef=\"d{of}\">", letter(item.kind));
        self.control(c, out, "itemControl");
        let waits = item.kind == "milestone" || c.chance(45);
        let entries = usize::from(waits) + usize::from(waits && c.chance(25));
        for _ in 0..entries {
            self.criterion(c, out, "entryCriterion", id);
        }
        if item.kind != "milestone" && c.chance(25) {
            self.criterion(c, out, "exitCriterion", id);
        }
        if self.rarely(12) {
            self.criterion(c, out, "exitCriterion", id);
        }
        *out += "</planItem>\n";
    }

    fn control(&mut self, c: &mut Choices, out: &mut String, element: &str) {
        let mut rules = String::new();
        let mut vendor = String::new();
        if c.chance(30) {
            let more = match c.below(6) {
                0..=2 => "",
                3 => c.one_of([" flowable:maxInstanceCount=\"1\"", " flowable:maxInstanceCount=\"2\""]),
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
            let _ = writeln!(out, "<{element}>{rules}</{element}>");
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
        let shared = k > 1 && self.rarely(10);
        let sentry = if shared { k - 1 } else { k };
        let _ = writeln!(out, "<{element} id=\"c{k}\" sentryRef=\"s{sentry}\"{more}/>");
        if shared {
            return;
        }
        if c.chance(2) {
            return;
        }
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
        if c.chance(2) {
            *parts += "<variableOnPart variableName=\"w\"><variableEvent>update</variableEvent></variableOnPart>";
            return;
        }
        let Some((id, kind)) = c.pick(&self.all).copied() else { return };
        let id = if self.rarely(3) { 99 } else { id };
        if self.planned > 0 && c.chance(15) {
            let x = 1 + c.below(self.planned);
            let event = c.one_of(["complete", "create", "start", "exit"]);
            let _ = write!(
                parts,
                "<planItemOnPart sourceRef=\"x{x}\"><standardEvent>{event}</standardEvent></planItemOnPart>"
            );
            return;
        }
        let usual =
            if matches!(kind, "milestone" | "userEventListener" | "timerEventListener") { "occur" } else { "complete" };
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
            "task" => match c.below(6) {
                0 | 1 => " isBlocking=\"false\"".into(),
                2 => " flowable:type=\"java\" flowable:resultVariableName=\"b\"".into(),
                3 => format!(" flowable:isBlockingExpression=\"{}\"", escape(self.some(c))),
                4 => c.one_of(["", " flowable:type=\"casePage\""]).into(),
                _ => String::new(),
            },
            "milestone" => c.one_of(["", "", " flowable:milestoneVariable=\"a\""]).to_string(),
            "userEventListener" if c.chance(20) => {
                format!(" flowable:availableCondition=\"{}\"", escape(self.some(c)))
            }
            "userEventListener" if c.chance(4) => " flowable:eventType=\"reactivate\"".into(),
            "stage" => self.auto(c),
            _ => String::new(),
        };
        let _ = writeln!(out, "<{kind} id=\"d{id}\"{more}>");
        if c.chance(8) && kind != "planFragment" {
            self.control(c, out, "defaultControl");
        }
        if holds_items(kind) {
            self.around.push(id);
            self.container(c, out, &item.inside);
            self.around.pop();
        }
        let _ = writeln!(out, "</{kind}>");
    }

    /// A planning table, now and then, with what it offers: under rules, at a human task, with rules and criteria of its own.
    fn table(&mut self, c: &mut Choices, out: &mut String, task: Option<usize>) {
        if !c.chance(12) {
            return;
        }
        self.planned += 1;
        let x = self.planned;
        let (mut item, mut rule, mut refs) = (String::new(), String::new(), "");
        if c.chance(50) {
            rule = format!("<applicabilityRule id=\"r{x}\">{}</applicabilityRule>", self.condition(c, 80));
            refs = "applicabilityRuleRefs";
        }
        self.control(c, &mut item, "itemControl");
        if c.chance(40) {
            self.criterion(c, &mut item, "entryCriterion", 0);
        }
        let refs = if refs.is_empty() { String::new() } else { format!(" {refs}=\"r{x}\"") };
        let offer = format!("<discretionaryItem id=\"x{x}\" definitionRef=\"dx{x}\"{refs}>{item}</discretionaryItem>");
        let table = format!("<planningTable>{offer}{rule}</planningTable>");
        match task {
            Some(d) => {
                let _ = writeln!(out, "<humanTask id=\"d{d}\">{table}</humanTask><humanTask id=\"dx{x}\"/>");
            }
            None => {
                let _ = writeln!(out, "{table}<humanTask id=\"dx{x}\"/>");
            }
        }
    }
}

fn holds_items(kind: &str) -> bool {
    matches!(kind, "stage" | "planFragment")
}

fn letter(kind: &str) -> &'static str {
    match kind {
        "stage" => "S",
        "milestone" => "M",
        "userEventListener" | "timerEventListener" => "L",
        _ => "T",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
