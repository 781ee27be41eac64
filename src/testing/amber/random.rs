//! Random small AMBER models, as text that always reads without an error.
//!
//! A flow grows from a node or from nothing: actions in a row, splits whose branches may meet in a join of either kind, joins and splits
//! without an action between them, cycles, loops closed by a double arrow, ways into a block and out of it. What lies on a loop is repeated.

use super::super::{Choices, Project};
use super::data::DATA;
use super::formulas;

/// How large and how rich a model may be.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Actions and interactions, about.
    pub actions: usize,
    /// Properties.
    pub properties: usize,
    /// Variables, fragments, conditions?
    pub data: bool,
    /// Actors, knowledge, strategies?
    pub actors: bool,
    /// Loops?
    pub loops: bool,
    /// Disabling arrows, and what need not happen?
    pub disabling: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { actions: 7, properties: 4, data: true, actors: true, loops: true, disabling: true }
    }
}

/// What properties can speak about.
#[derive(Default)]
pub(super) struct Known {
    /// Actions and interactions, by path.
    pub happening: Vec<String>,
    pub or_splits: Vec<String>,
    pub and_joins: Vec<String>,
    pub exits: Vec<String>,
    pub relations: Vec<String>,
    /// Conditions over the data.
    pub conditions: Vec<String>,
    pub actors: Vec<String>,
}

#[derive(Default)]
pub(super) struct Block {
    /// Empty for the whole model.
    pub name: String,
    /// The block around it.
    pub parent: usize,
    pub declarations: Vec<String>,
    pub arrows: Vec<String>,
    pub interactions: Vec<String>,
    /// A variable of its own.
    pub own: Option<String>,
    pub entered: bool,
    pub actor: Option<String>,
}

pub(super) struct Draw<'c> {
    pub c: &'c mut Choices,
    pub limits: Limits,
    pub blocks: Vec<Block>,
    pub known: Known,
    pub left: usize,
    pub next: usize,
    /// Which of the data there is.
    pub data: Vec<usize>,
}

/// Draws a project.
pub fn random_amber(c: &mut Choices, limits: &Limits) -> Project {
    let left = 1 + c.below(limits.actions);
    let mut draw = Draw {
        c,
        limits: limits.clone(),
        blocks: vec![Block::default()],
        known: Known::default(),
        left,
        next: 0,
        data: Vec::new(),
    };
    let head = draw.head();
    draw.flows();
    draw.partners();
    draw.disabling();
    let Draw { c, blocks, mut known, .. } = draw;
    let model = head + &written(&blocks, 0, "");
    let properties = formulas::properties(c, limits, &mut known);
    let options = "model = \"model.amber\"\nproperties = [\"p.gsmp\"]\n".to_string();
    Project { files: vec![("gsmc.toml".into(), options), ("model.amber".into(), model), ("p.gsmp".into(), properties)] }
}

/// What stands in a block.
fn written(blocks: &[Block], b: usize, indent: &str) -> String {
    let mut text = String::new();
    for (x, inner) in blocks.iter().enumerate().skip(1).filter(|(_, x)| x.parent == b) {
        let by = inner.actor.as_ref().map_or(String::new(), |a| format!(" by {a}"));
        let inside = written(blocks, x, &format!("{indent}  "));
        text += &format!("{indent}block {}{by} {{\n{inside}{indent}}}\n", inner.name);
    }
    for line in blocks[b].declarations.iter().chain(&blocks[b].arrows) {
        text += &format!("{indent}{line}\n");
    }
    text
}

impl Draw<'_> {
    fn head(&mut self) -> String {
        let mut head = "amber Random\n".to_string();
        if self.c.chance(40) {
            head += self.c.one_of(["bound 1\n", "bound 2\n", "bound 3\n"]);
        }
        for (i, datum) in DATA.iter().enumerate().filter(|_| self.limits.data) {
            if self.c.chance(datum.often) {
                head += datum.lines;
                head.push('\n');
                self.data.push(i);
                self.known.conditions.extend(datum.asked.iter().map(|a| a.to_string()));
            }
        }
        let inside = self.c.one_of([0, 0, 1, 1, 2, 3]);
        if self.limits.actors && self.c.chance(40) {
            let sees: Vec<&str> = self.data.iter().map(|&d| DATA[d].seen).collect();
            let seen = self.c.some_of(&sees, 50);
            let list = if seen.is_empty() { String::new() } else { format!(" sees {}", seen.join(", ")) };
            head += &format!("actor Ann{list}\nactor Bob\n");
            self.known.actors = vec!["Ann".into(), "Bob".into()];
            if self.c.chance(30) {
                head += "actor Cid\n";
                self.known.actors.push("Cid".into());
            }
        }
        (0..inside).for_each(|i| self.block(i));
        head
    }

    fn block(&mut self, i: usize) {
        let actor = if self.c.chance(20) { None } else { self.c.pick(&self.known.actors).cloned() };
        let parent = if self.c.chance(40) { self.c.below(self.blocks.len()) } else { 0 };
        self.blocks.push(Block { name: format!("x{i}"), parent, actor, ..Block::default() });
        if self.limits.data && self.c.chance(20) {
            let b = self.blocks.len() - 1;
            let own = format!("m{i}");
            let path = self.path(b, &own);
            self.blocks[b].declarations.push(format!("var {own}: 0..1"));
            self.blocks[b].own = Some(own);
            self.known.conditions.push(format!("{path} == 1"));
        }
    }

    pub(super) fn path(&self, b: usize, name: &str) -> String {
        let bare = name.trim_matches('"');
        match self.blocks.get(b) {
            Some(block) if b > 0 => self.path(block.parent, &format!("{}.{bare}", block.name)),
            _ => bare.to_string(),
        }
    }

    /// Every interaction finds a partner in another block, or two in two others.
    fn partners(&mut self) {
        for b in 0..self.blocks.len() {
            for i in 0..self.blocks[b].interactions.len() {
                let name = self.blocks[b].interactions[i].clone();
                let mut parties = vec![quoted(&self.path(b, &name))];
                let other = (b + 1 + self.c.below(self.blocks.len() - 1)) % self.blocks.len();
                parties.push(self.partner(other));
                let third = (0..self.blocks.len()).find(|x| *x != b && *x != other);
                if let Some(third) = third.filter(|_| self.c.chance(40)) {
                    parties.push(self.partner(third));
                }
                self.next += 1;
                let name = format!("r{}", self.next);
                self.blocks[0].arrows.push(format!("relation {name}: {}", parties.join(", ")));
                self.known.relations.push(name);
            }
        }
    }

    /// An interaction of a block, by path.
    fn partner(&mut self, b: usize) -> String {
        if self.blocks[b].interactions.is_empty() {
            self.next += 1;
            let partner = format!("p{}", self.next);
            let repeated = if self.c.chance(30) { "repeated " } else { "" };
            self.blocks[b].declarations.push(format!("{repeated}interaction {partner}"));
            let path = self.path(b, &partner);
            self.known.happening.push(path);
            self.blocks[b].interactions.push(partner);
        }
        let partner = self.c.pick(&self.blocks[b].interactions).cloned().unwrap_or_default();
        quoted(&self.path(b, &partner))
    }

    fn disabling(&mut self) {
        while self.limits.disabling && self.c.chance(25) {
            let all: Vec<String> = self.known.happening.iter().map(|p| quoted(p)).collect();
            let (Some(from), Some(to)) = (self.c.pick(&all).cloned(), self.c.pick(&all).cloned()) else { return };
            let mut targets = vec![to];
            if self.blocks.len() > 1 && self.c.chance(20) {
                let b = 1 + self.c.below(self.blocks.len() - 1);
                let block = &self.blocks[b];
                targets.push(self.path(block.parent, &block.name));
            }
            self.blocks[0].arrows.push(format!("{from} -/-> {}", targets.join(", ")));
        }
    }
}

/// A path with every name in quotes.
fn quoted(path: &str) -> String {
    path.split('.').map(|s| format!("\"{s}\"")).collect::<Vec<_>>().join(".")
}
