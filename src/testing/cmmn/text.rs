//! Random small cases, as CMMN files.

use super::criteria::Criteria;
use super::dialect::{Dialect, escape};
use crate::testing::Choices;
use std::fmt::Write;

/// A random case; the same for the same seed. Odd seeds have what is rare in files, too, and other dialects.
pub fn random_case(seed: u64) -> String {
    let mut rare = (!seed.is_multiple_of(2)).then(|| Choices::seeded(seed ^ 0xfeed));
    let dialect = rare.as_mut().map_or(Dialect::New, Dialect::draw);
    Drawn { rare, dialect, ..Drawn::default() }.case(&mut Choices::seeded(seed))
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
    choices.roles = c.chance(30);
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

const RARE_CONDITIONS: [&str; 12] = [
    "#{a or b eq 'y'}",
    "b.size > 1",
    "not (n ge 3) and n ne 5",
    "${vars:eq('b', 'x') || variables:isNotEmpty(b)}",
    "${var:lt(n, 3)}",
    "${caseInstance.getVariable('a') == true}",
    "${task.index == 0}",
    "${stage.index < 1 || a}",
    "${planItemInstances.definitionId('d2').enabled().exists()}",
    "${b[0].c == null}",
    "${var:exists('n') && n + 1 > 2}",
    "false",
];

const PERFORMERS: [&str; 3] =
    [" flowable:assignee=\"mary\"", " flowable:candidateGroups=\"staff\"", " performerRef=\"role1\""];

/// Each of them writes every variable in the step in which it starts: many together have more outcomes than can be listed.
const MOST_DECISIONS: usize = 2;

const KINDS: [&str; 7] = ["humanTask", "milestone", "userEventListener", "task", "decisionTask", "stage", "stage"];

/// A plan item that is to be written.
struct Planned {
    id: usize,
    kind: &'static str,
    /// What stands in it, if it is a stage.
    inside: Vec<Planned>,
}

#[derive(Default)]
pub(super) struct Drawn {
    pub dialect: Dialect,
    /// The few conditions that this case uses: each variable multiplies its steps.
    conditions: Vec<&'static str>,
    items: usize,
    pub criteria: usize,
    decisions: usize,
    /// Ids and kinds of all items, to listen to.
    pub all: Vec<(usize, &'static str)>,
    pub sentries: String,
    /// Discretionary items so far.
    pub planned: usize,
    /// Exit criteria by item, and what on-parts call them.
    pub exits: Vec<(usize, String)>,
    /// Stages around what is written now.
    around: Vec<usize>,
    /// Draws what is rare.
    rare: Option<Choices>,
}

impl Drawn {
    fn case(mut self, c: &mut Choices) -> String {
        self.conditions = (0..3).map(|_| c.one_of(CONDITIONS)).collect();
        if self.rarely(40) {
            self.conditions[2] = self.pick(RARE_CONDITIONS);
        }
        let most = 2 + c.below(5);
        let deep = 2 + usize::from(c.chance(20));
        let plan = self.plan(c, most, deep);
        let mut out = format!("{}\n<case id=\"c\">\n", self.dialect.root());
        if c.chance(25) {
            out += "<caseFileModel><caseFileItem id=\"f1\" name=\"b\" multiplicity=\"";
            out += c.one_of(["ExactlyOne", "ZeroOrMore"]);
            out += "\"/></caseFileModel>\n";
        }
        let auto = self.auto(c);
        let (mut inside, mut criteria) = (String::new(), Criteria::default());
        self.container(c, &mut inside, &plan);
        if c.chance(20) {
            self.criterion(c, &mut criteria, false, 0);
        }
        if self.rarely(10) {
            self.criterion(c, &mut criteria, false, 0);
        }
        let _ = writeln!(out, "<casePlanModel id=\"plan\"{auto}{}>", criteria.attributes());
        let parts = [inside, criteria.elements, std::mem::take(&mut self.sentries)];
        out += &self.dialect.in_order(&parts);
        out +=
            "</casePlanModel>\n<caseRoles><role id=\"role1\" name=\"clerk\"/></caseRoles>\n</case>\n</definitions>\n";
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
            let kind = self.unusual(kind);
            let kind = if kind == "decisionTask" && self.decisions == MOST_DECISIONS { "humanTask" } else { kind };
            self.decisions += usize::from(kind == "decisionTask");
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
    pub fn rarely(&mut self, percent: usize) -> bool {
        self.rare.as_mut().is_some_and(|c| c.chance(percent))
    }

    /// One of a list of what is rare.
    pub fn pick<const N: usize>(&mut self, from: [&'static str; N]) -> &'static str {
        self.rare.as_mut().map_or(from[0], |c| c.one_of(from))
    }

    /// Another element of that kind, rarely.
    fn unusual(&mut self, kind: &'static str) -> &'static str {
        match kind {
            "humanTask" | "task" if self.rarely(25) => self.pick(["processTask", "caseTask"]),
            "userEventListener" if self.rarely(40) => self.pick([
                "timerEventListener",
                "eventListener",
                "signalEventListener",
                "variableEventListener",
                "reactivateEventListener",
            ]),
            other => other,
        }
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

    pub fn condition(&self, c: &mut Choices, percent: usize) -> String {
        match c.chance(percent) {
            true => self.dialect.condition(self.some(c)),
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
        let (mut listed, mut defined) = (String::new(), String::new());
        for item in items {
            self.item(c, &mut listed, item);
        }
        for item in items {
            let planned = self.planned;
            if item.kind == "humanTask" {
                self.table(c, &mut defined, Some(item.id));
            }
            if self.planned == planned {
                self.definition(c, &mut defined, item);
            }
        }
        self.table(c, &mut defined, None);
        *out += &self.dialect.in_order(&[listed, defined]);
    }

    fn item(&mut self, c: &mut Choices, out: &mut String, item: &Planned) {
        let id = item.id;
        // Now and then two items share a definition.
        let of = if id > 1 && !holds_items(item.kind) && c.chance(6) { id - 1 } else { id };
        let of = if self.all.iter().any(|(o, kind)| *o == of && !holds_items(kind)) { of } else { id };
        let of = if item.kind == "stage" && self.rarely(25) { self.other_stage(id).unwrap_or(of) } else { of };
        let of = if self.rarely(1) { 98 } else { of };
        let (mut rules, mut criteria) = (String::new(), Criteria::default());
        self.control(c, &mut rules, "itemControl");
        let waits = item.kind == "milestone" || c.chance(45);
        let entries = usize::from(waits) + usize::from(waits && c.chance(25));
        for _ in 0..entries {
            self.criterion(c, &mut criteria, true, id);
        }
        if item.kind != "milestone" && c.chance(25) {
            self.criterion(c, &mut criteria, false, id);
        }
        if self.rarely(12) {
            self.criterion(c, &mut criteria, false, id);
        }
        let name = match self.rarely(6) {
            true => self.pick(["", " name=\"Same\"", " name=\"Same\""]).to_string(),
            false => format!(" name=\"{}{id}\"", letter(item.kind)),
        };
        let attributes = criteria.attributes();
        let _ = writeln!(out, "<planItem id=\"i{id}\"{name} definitionRef=\"d{of}\"{attributes}>");
        *out += &self.dialect.in_order(&[rules, criteria.elements]);
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
        } else if self.dialect.manual_unless_told() && element == "itemControl" && self.rarely(60) {
            let never = self.dialect.condition("${false}");
            let _ = write!(rules, "<manualActivationRule>{never}</manualActivationRule>");
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

    fn definition(&mut self, c: &mut Choices, out: &mut String, item: &Planned) {
        let (id, kind) = (item.id, item.kind);
        let more = match kind {
            "task" if self.rarely(25) => {
                format!(" flowable:type=\"{}\"", self.pick(["mail", "http", "script", "send-event"]))
            }
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
            "humanTask" if self.rarely(40) => self.pick(PERFORMERS).into(),
            _ if kind.ends_with("Task") && self.rarely(15) => " isBlocking=\"false\"".into(),
            _ => String::new(),
        };
        let kind = self.dialect.element(kind);
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
        let mut criteria = Criteria::default();
        self.control(c, &mut item, "itemControl");
        if c.chance(40) {
            self.criterion(c, &mut criteria, true, 0);
        }
        if self.rarely(20) {
            self.criterion(c, &mut criteria, false, 0);
        }
        let refs = if refs.is_empty() { String::new() } else { format!(" {refs}=\"r{x}\"") };
        let (attributes, elements) = (criteria.attributes(), criteria.elements);
        let offer = format!(
            "<discretionaryItem id=\"x{x}\" definitionRef=\"dx{x}\"{refs}{attributes}>{item}{elements}</discretionaryItem>"
        );
        let table = match self.rarely(20) {
            true => format!("<planningTable><planningTable>{offer}</planningTable>{rule}</planningTable>"),
            false => format!("<planningTable>{offer}{rule}</planningTable>"),
        };
        let offered = match self.rarely(40) {
            true => self.offered(c, x),
            false => format!("<humanTask id=\"dx{x}\"/>"),
        };
        match task {
            Some(d) => {
                let _ = writeln!(out, "<humanTask id=\"d{d}\">{table}</humanTask>{offered}");
            }
            None => {
                let _ = writeln!(out, "{table}{offered}");
            }
        }
    }

    /// The definition of a discretionary item that is no human task.
    fn offered(&mut self, c: &mut Choices, x: usize) -> String {
        match self.pick(["processTask", "milestone", "userEventListener", "stage"]) {
            "stage" => {
                let auto = self.auto(c);
                format!(
                    "<stage id=\"dx{x}\"{auto}><planItem id=\"y{x}\" definitionRef=\"dy{x}\"/><humanTask id=\"dy{x}\"/></stage>"
                )
            }
            kind => format!("<{} id=\"dx{x}\"/>", self.dialect.element(kind)),
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
        _ if kind.ends_with("Listener") => "L",
        _ => "T",
    }
}
