//! Random E-GSM models, as the text of their two files, and agents who report their moves.

mod agents;

pub use agents::{NAMES, random_agents};

use super::Choices;
use std::fmt::Write as _;

/// A model and its schema.
#[derive(Clone, Debug)]
pub struct Texts {
    /// `model.xml`.
    pub model: String,
    /// `infoModel.xsd`.
    pub schema: String,
}

/// A model of up to so many stages. It always loads, with warnings at most; its rules need not settle.
pub fn random_model(choices: &mut Choices, stages: usize) -> Texts {
    let mut draw = Draw { choices, stages: Vec::new(), events: Vec::new(), items: Vec::new(), sentries: 0 };
    draw.names(stages.max(1));
    let model = draw.model();
    let mut schema = String::from("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n");
    for (item, _) in &draw.items {
        let _ = writeln!(
            schema,
            "<xs:element name=\"{item}\"><xs:complexType><xs:attribute name=\"status\" type=\"xs:string\"/></xs:complexType></xs:element>"
        );
    }
    Texts { model, schema: schema + "</xs:schema>\n" }
}

/// A stage: its name, the one it lies in, how many milestones it has.
struct Sketch {
    name: String,
    parent: Option<usize>,
    milestones: usize,
}

struct Draw<'c> {
    choices: &'c mut Choices,
    stages: Vec<Sketch>,
    events: Vec<String>,
    /// Items with the number of texts they are compared with.
    items: Vec<(String, usize)>,
    sentries: usize,
}

impl Draw<'_> {
    fn names(&mut self, most: usize) {
        for n in 0..1 + self.choices.below(most) {
            let parent = if n == 0 || self.choices.chance(20) { None } else { Some(self.choices.below(n)) };
            let milestones = self.choices.below(3);
            self.stages.push(Sketch { name: format!("S{n}"), parent, milestones });
        }
        self.events = (0..1 + self.choices.below(3)).map(|n| format!("e{n}")).collect();
        // An event may be called as a stage: then its listeners are told twice.
        if self.choices.chance(15) {
            self.events.push("S0".into());
        }
        for n in 0..self.choices.below(3) {
            let item = format!("I{n}");
            // Both events, one of them, or none: then changes are not heard.
            let heard = self.choices.below(6);
            if heard > 0 {
                self.events.push(format!("{item}_l"));
            }
            if heard > 1 {
                self.events.push(format!("{item}_e"));
            }
            let texts = 1 + self.choices.below(2);
            self.items.push((item, texts));
        }
    }

    fn model(&mut self) -> String {
        let mut out = String::from(
            "<ca:CompositeApplicationType xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"random\">\n<ca:EventModel id=\"em\">\n",
        );
        self.events.iter().for_each(|e| _ = writeln!(out, "<ca:Event id=\"{e}\" name=\"{e}\"/>"));
        out += "</ca:EventModel>\n<ca:Component id=\"C\"><ca:InformationModel id=\"im\" rootDataItemId=\"im\"><ca:DataItem id=\"im\" rootElement=\"im\" schemaUri=\"infoModel.xsd\"/></ca:InformationModel>\n<ca:GuardedStageModel id=\"g\">\n";
        for top in (0..self.stages.len()).filter(|s| self.stages[*s].parent.is_none()).collect::<Vec<_>>() {
            self.stage(top, "Stage", &mut out);
        }
        out + "</ca:GuardedStageModel></ca:Component></ca:CompositeApplicationType>\n"
    }

    fn stage(&mut self, s: usize, tag: &str, out: &mut String) {
        let name = self.stages[s].name.clone();
        let _ = writeln!(out, "<ca:{tag} id=\"{name}\" name=\"{name}\">");
        // A first guard always: the file must look like E-GSM.
        for (element, least, more) in [("DataFlowGuard", 1, 2), ("ProcessFlowGuard", 0, 3), ("FaultLogger", 0, 2)] {
            for _ in 0..least + self.choices.below(more) {
                let (id, condition) = (self.id(), self.sentry(element == "DataFlowGuard"));
                let _ = writeln!(out, "<ca:{element} id=\"{id}\"{condition}/>");
            }
        }
        for m in 0..self.stages[s].milestones {
            let _ = write!(out, "<ca:Milestone id=\"{name}_m{m}\" name=\"m\">");
            // No condition: never achieved. Several: any.
            for _ in 0..[1, 1, 1, 2, 0][self.choices.below(5)] {
                let (id, condition) = (self.id(), self.sentry(true));
                let _ = write!(out, "<ca:Condition id=\"{id}\"{condition}/>");
            }
            *out += "</ca:Milestone>\n";
        }
        for inside in (0..self.stages.len()).filter(|c| self.stages[*c].parent == Some(s)).collect::<Vec<_>>() {
            self.stage(inside, "SubStage", out);
        }
        let _ = writeln!(out, "</ca:{tag}>");
    }

    fn id(&mut self) -> String {
        self.sentries += 1;
        format!("x{}", self.sentries)
    }

    /// ` expression="…"`, or nothing, which is true. Guards and milestones mostly wait for an event.
    fn sentry(&mut self, waits: bool) -> String {
        if self.choices.chance(3) {
            return String::new();
        }
        let mut text = self.condition(2);
        if waits && self.choices.chance(70) {
            let event = self.events[self.choices.below(self.events.len())].clone();
            let asks = format!("GSM.isEventOccurring({event})");
            text = if self.choices.chance(50) { asks } else { format!("{asks} and ({text})") };
        }
        format!(" expression=\"{text}\"")
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.choices.below(if depth == 0 { 1 } else { 4 }) {
            1 => format!("not ({})", self.condition(depth - 1)),
            2 => format!("({}) and ({})", self.condition(depth - 1), self.condition(depth - 1)),
            3 => format!("({}) or ({})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> String {
        let stage = self.choices.below(self.stages.len());
        let Sketch { name, milestones, .. } = &self.stages[stage];
        let (name, milestones) = (name.clone(), *milestones);
        match self.choices.below(12) {
            0..=3 => format!("GSM.isEventOccurring({})", self.events[self.choices.below(self.events.len())]),
            4..=6 if milestones > 0 => {
                format!("GSM.isMilestoneAchieved({name}_m{})", self.choices.below(milestones))
            }
            7 | 8 => format!("GSM.isStageActive({name})"),
            9 | 10 if !self.items.is_empty() => {
                let (item, texts) = self.items[self.choices.below(self.items.len())].clone();
                let op = if self.choices.chance(30) { "!=" } else { "==" };
                format!("{{im./im/{item}/status}} {op} [v{}]", self.choices.below(texts))
            }
            11 if self.choices.chance(30) => "GSM.isEventOccurring(ghost)".into(),
            _ => ["true", "false"][self.choices.below(2)].into(),
        }
    }
}
