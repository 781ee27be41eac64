//! Large E-GSM models of the kind that comes from flow charts: blocks inside blocks, data items whose changes open and close
//! activities, and guards that every block takes over from what lies in it.

use super::Choices;
use super::egsm::Texts;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How large a model is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Stages, blocks and activities together.
    pub stages: usize,
    /// How deep they are nested.
    pub depth: usize,
    /// Data items.
    pub items: usize,
    /// Texts that each item is compared with.
    pub texts: usize,
}

impl Size {
    /// As large as large public models are.
    pub const LARGE: Size = Size { stages: 27, depth: 7, items: 5, texts: 3 };
}

/// A model of this size; it always loads.
pub fn block_model(choices: &mut Choices, size: Size) -> Texts {
    let mut draw = Draw { choices, size, stages: Vec::new(), events: Vec::new() };
    draw.arrange();
    draw.fill();
    let model = draw.model();
    let mut schema = String::from("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n");
    for item in 0..size.items {
        let _ = writeln!(
            schema,
            "<xs:element name=\"I{item}\"><xs:complexType><xs:attribute name=\"status\" type=\"xs:string\"/></xs:complexType></xs:element>"
        );
    }
    Texts { model, schema: schema + "</xs:schema>\n" }
}

/// How what lies in a block goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    OneAfterTheOther,
    SideBySide,
    /// Which one, an item says.
    OneOf,
}

struct Stage {
    parent: Option<usize>,
    depth: usize,
    flow: Flow,
    inner: Vec<usize>,
    guards: Vec<String>,
    milestones: Vec<String>,
    /// Fault logger, sometimes.
    fault: Option<String>,
    /// What decides whether it is the one, among several of which one is chosen.
    chosen: String,
}

struct Draw<'c> {
    choices: &'c mut Choices,
    size: Size,
    stages: Vec<Stage>,
    events: Vec<String>,
}

impl Draw<'_> {
    /// Stages in stages: a spine as deep as asked for, the others anywhere on the blocks.
    fn arrange(&mut self) {
        for n in 0..self.size.stages.max(1) {
            let parent = match n {
                0 => None,
                n if n < self.size.depth => Some(n - 1),
                _ => {
                    let blocks: Vec<usize> = (0..n).filter(|s| self.may_hold(*s)).collect();
                    self.choices.pick(&blocks).copied().or(Some(0))
                }
            };
            let depth = parent.map_or(1, |p| self.stages[p].depth + 1);
            let flow = self.choices.one_of([Flow::OneAfterTheOther, Flow::SideBySide, Flow::OneOf]);
            let (inner, guards, milestones) = Default::default();
            self.stages.push(Stage {
                parent,
                depth,
                flow,
                inner,
                guards,
                milestones,
                fault: None,
                chosen: String::new(),
            });
            if let Some(p) = parent {
                self.stages[p].inner.push(n);
            }
        }
    }

    /// Most stages that hold none stay that way: activities are more than blocks.
    fn may_hold(&mut self, s: usize) -> bool {
        let Stage { depth, inner, .. } = &self.stages[s];
        *depth < self.size.depth && (!inner.is_empty() || self.choices.chance(15))
    }

    /// Guards and milestones, innermost stages first.
    fn fill(&mut self) {
        for s in (0..self.stages.len()).rev() {
            if self.stages[s].inner.is_empty() {
                self.activity(s);
            } else {
                self.block(s);
            }
        }
    }

    /// What begins and ends with changes of items, or an event that happens.
    fn activity(&mut self, s: usize) {
        if self.size.items == 0 || self.choices.chance(45) {
            let event = format!("e{s}");
            let happens = occurs(&event);
            self.events.push(event);
            (self.stages[s].guards, self.stages[s].milestones) = (vec![happens.clone()], vec![happens]);
            return;
        }
        let together = if self.choices.chance(40) { 2 } else { 1 };
        let items: BTreeSet<usize> = (0..together).map(|_| self.choices.below(self.size.items)).collect();
        let mut changes = |change: &str| {
            let is: Vec<String> = items.iter().map(|i| text_is(*i, self.choices.below(self.size.texts))).collect();
            items.iter().map(|i| format!("{} and {}", is.join(" and "), occurs(&format!("I{i}_{change}")))).collect()
        };
        (self.stages[s].guards, self.stages[s].milestones) = (changes("e"), changes("l"));
        if self.choices.chance(25) {
            let event = format!("b{s}");
            self.stages[s].fault = Some(occurs(&event));
            self.events.push(event);
        }
    }

    /// It opens with whatever opens something in it, and is done when that is.
    fn block(&mut self, s: usize) {
        let inner = self.stages[s].inner.clone();
        let mut guards: Vec<String> = Vec::new();
        for guard in inner.iter().flat_map(|i| &self.stages[*i].guards) {
            if !guards.contains(guard) {
                guards.push(guard.clone());
            }
        }
        let done = |s: usize| self.done(s);
        let mut all = inner.iter().map(|i| done(*i)).collect::<Vec<_>>().join(" and ");
        if self.stages[s].flow == Flow::OneOf && self.size.items > 0 && inner.len() > 1 {
            let decides = text_is(self.choices.below(self.size.items), self.choices.below(self.size.texts));
            let mut ways = Vec::new();
            for (n, i) in inner.iter().enumerate() {
                let chosen = if n == 0 { decides.clone() } else { format!("(not {decides})") };
                ways.push(format!("({} and {chosen})", self.done(*i)));
                self.stages[*i].chosen = chosen;
            }
            all = ways.join(" or ");
        }
        (self.stages[s].guards, self.stages[s].milestones) = (guards, vec![all]);
    }

    fn done(&self, s: usize) -> String {
        let achieved = |m: usize| format!("GSM.isMilestoneAchieved(S{s}_m{m})");
        let all: Vec<String> = (0..self.stages[s].milestones.len()).map(achieved).collect();
        format!("({})", all.join(" or "))
    }

    /// What should be so when it opens.
    fn flow(&self, s: usize) -> String {
        let mut text = format!("not {}", self.done(s));
        if let Some(parent) = self.stages[s].parent {
            let Stage { flow, inner, .. } = &self.stages[parent];
            let before = inner.iter().position(|i| *i == s).and_then(|n| n.checked_sub(1)).map(|n| inner[n]);
            if let (Flow::OneAfterTheOther, Some(before)) = (flow, before) {
                let _ = write!(text, " and {}", self.done(before));
            }
            if *flow == Flow::OneOf {
                let others = inner.iter().filter(|i| **i != s);
                others.for_each(|i| _ = write!(text, " and not (GSM.isStageActive(S{i}))"));
                if !self.stages[s].chosen.is_empty() {
                    let _ = write!(text, " and {}", self.stages[s].chosen);
                }
            }
        }
        text
    }

    fn model(&self) -> String {
        let mut out = String::from(
            "<ca:CompositeApplicationType xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"blocks\">\n<ca:EventModel id=\"em\">\n",
        );
        let of_items = (0..self.size.items).flat_map(|i| [format!("I{i}_l"), format!("I{i}_e")]);
        for event in self.events.iter().cloned().chain(of_items) {
            let _ = writeln!(out, "<ca:Event id=\"{event}\" name=\"{event}\"/>");
        }
        out += "</ca:EventModel>\n<ca:Component id=\"C\"><ca:InformationModel id=\"im\" rootDataItemId=\"im\"><ca:DataItem id=\"im\" rootElement=\"im\" schemaUri=\"infoModel.xsd\"/></ca:InformationModel>\n<ca:GuardedStageModel id=\"g\">\n";
        self.stage(0, "Stage", &mut out);
        out + "</ca:GuardedStageModel></ca:Component></ca:CompositeApplicationType>\n"
    }

    fn stage(&self, s: usize, tag: &str, out: &mut String) {
        let Stage { inner, guards, milestones, fault, .. } = &self.stages[s];
        let _ = writeln!(out, "<ca:{tag} id=\"S{s}\" name=\"S{s}\">");
        for (n, guard) in guards.iter().enumerate() {
            let _ = writeln!(out, "<ca:DataFlowGuard id=\"S{s}_g{n}\" expression=\"{guard}\"/>");
        }
        let _ = writeln!(out, "<ca:ProcessFlowGuard id=\"S{s}_p\" expression=\"{}\"/>", self.flow(s));
        if let Some(fault) = fault {
            let _ = writeln!(out, "<ca:FaultLogger id=\"S{s}_f\" expression=\"{fault}\"/>");
        }
        for (n, milestone) in milestones.iter().enumerate() {
            let condition = format!("<ca:Condition id=\"S{s}_c{n}\" expression=\"{milestone}\"/>");
            let _ = writeln!(out, "<ca:Milestone id=\"S{s}_m{n}\" name=\"S{s}_m{n}\">{condition}</ca:Milestone>");
        }
        inner.iter().for_each(|i| self.stage(*i, "SubStage", out));
        let _ = writeln!(out, "</ca:{tag}>");
    }
}

fn occurs(event: &str) -> String {
    format!("GSM.isEventOccurring({event})")
}

fn text_is(item: usize, text: usize) -> String {
    format!("({{im./im/I{item}/status}} == [v{text}])")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_large_as_asked_for() {
        for seed in 0..20 {
            let Texts { model, schema } = block_model(&mut Choices::seeded(seed), Size::LARGE);
            assert!(roxmltree::Document::parse(&model).is_ok() && roxmltree::Document::parse(&schema).is_ok());
            let count = |tag: &str| model.matches(&format!("<ca:{tag} ")).count();
            assert_eq!(count("Stage") + count("SubStage"), 27);
            assert!(count("Milestone") >= 27, "{model}");
            assert!(count("DataFlowGuard") + count("ProcessFlowGuard") > 60, "seed {seed}");
        }
    }
}
