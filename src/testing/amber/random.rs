//! Random small AMBER models, as text that always reads without an error.
//!
//! A flow grows from a node or from nothing: actions in a row, splits whose branches may meet in a join of either kind, loops closed
//! by a double arrow, ways into a block and out of it. What lies on a loop is repeated.

use super::super::{Choices, Project};
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
    /// Conditions over the data.
    pub conditions: Vec<String>,
    pub actors: Vec<String>,
}

#[derive(Default)]
struct Block {
    /// Empty for the whole model.
    name: String,
    declarations: Vec<String>,
    arrows: Vec<String>,
    interactions: Vec<String>,
    entered: bool,
    actor: Option<usize>,
}

struct Draw<'c> {
    c: &'c mut Choices,
    limits: Limits,
    blocks: Vec<Block>,
    known: Known,
    left: usize,
    next: usize,
    /// Declarations of data, and what may be assigned or compared.
    data: Vec<&'static str>,
}

/// Variables with what can be assigned to them and asked about them.
const DATA: [(&str, &[&str], &[&str]); 6] = [
    ("var flag: bool", &["flag := !flag", "flag := true", "flag := any"], &["flag", "!flag"]),
    (
        "var n: 0..2",
        &[
            "n := n + 1",
            "n := any 0..1",
            "n := any {0, 2}",
            "n := 2 - n",
            "n := 1 / n",
            "if n > 1 { n := 0 } else { n := any }",
        ],
        &["n > 0", "n == 1", "n + 1 < 3", "n / 0 == n"],
    ),
    (
        "var colour: {red, green, blue}",
        &["colour := green", "colour := any {red, blue}", "if colour == red { colour := any } else { colour := red }"],
        &["colour == red", "colour != blue"],
    ),
    (
        "var list: 0..2[2]",
        &["list[0] := any", "list[list[0]] := 1", "list[list[1] + 1] := list[0]", "list := { list[1], list[0] }"],
        &["list[0] == list[1]", "list[list[0]] > 0"],
    ),
    (
        "var file: record { ok: bool, who: {me, you} }[2]",
        &[
            "file[1].ok := any",
            "file[0] := file[1]",
            "file[1] := { true, you }",
            "if file[0].ok { file[1].who := any }",
        ],
        &["file[0].ok", "file[1].who == you || file[0].ok"],
    ),
    (
        "var sum: -10..2000 = 5",
        &["sum := any {0, 1000, 3000}", "sum := 7", "if sum > 6 { sum := 1000 } else { sum := any {-20, 7} }"],
        &["sum > 5", "sum * 2 == 2000", "sum == 7"],
    ),
];

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
    let model = written(&head, &blocks);
    let properties = formulas::properties(c, limits, &mut known);
    let options = "model = \"model.amber\"\nproperties = [\"p.gsmp\"]\n".to_string();
    Project { files: vec![("gsmc.toml".into(), options), ("model.amber".into(), model), ("p.gsmp".into(), properties)] }
}

fn written(head: &str, blocks: &[Block]) -> String {
    let mut text = head.to_string();
    let (outside, inside) = blocks.split_at(1);
    for b in inside {
        let by = b.actor.map_or(String::new(), |a| format!(" by {}", ["Ann", "Bob"][a]));
        let lines: Vec<String> = b.declarations.iter().chain(&b.arrows).map(|l| format!("  {l}")).collect();
        text += &format!("block {}{by} {{\n{}\n}}\n", b.name, lines.join("\n"));
    }
    for line in outside.iter().flat_map(|b| b.declarations.iter().chain(&b.arrows)) {
        text += line;
        text.push('\n');
    }
    text
}

impl Draw<'_> {
    fn head(&mut self) -> String {
        let mut head = "amber Random\n".to_string();
        if self.c.chance(40) {
            head += self.c.one_of(["bound 1\n", "bound 2\n", "bound 3\n"]);
        }
        if self.limits.data {
            for (i, (line, _, asked)) in DATA.iter().enumerate() {
                if self.c.chance([20, 35, 25, 15, 10, 10][i]) {
                    head += line;
                    head.push('\n');
                    self.data.push(line);
                    self.known.conditions.extend(asked.iter().map(|a| a.to_string()));
                }
            }
        }
        let inside = self.c.one_of([0, 0, 1, 1, 2]);
        if self.limits.actors && self.c.chance(40) {
            let sees = self.data.iter().map(|d| d.trim_start_matches("var ").split(':').next().unwrap_or(""));
            let sees: Vec<&str> = sees.collect();
            let seen = self.c.some_of(&sees, 50);
            let list = if seen.is_empty() { String::new() } else { format!(" sees {}", seen.join(", ")) };
            head += &format!("actor Ann{list}\nactor Bob\n");
            self.known.actors = vec!["Ann".into(), "Bob".into()];
        }
        for i in 0..inside {
            let actor = if self.known.actors.is_empty() || self.c.chance(20) { None } else { Some(self.c.below(2)) };
            self.blocks.push(Block { name: format!("x{i}"), actor, ..Block::default() });
        }
        head
    }

    /// Flows in all blocks, until everything is spent.
    fn flows(&mut self) {
        self.flow(0, None, false);
        for b in 1..self.blocks.len() {
            if !self.blocks[b].entered {
                self.flow(b, None, false);
            }
        }
        while self.left > 0 {
            let b = self.c.below(self.blocks.len());
            self.flow(b, None, false);
        }
    }

    fn path(&self, b: usize, name: &str) -> String {
        let bare = name.trim_matches('"');
        if b == 0 { bare.to_string() } else { format!("{}.{bare}", self.blocks[b].name) }
    }

    fn condition(&mut self) -> Option<String> {
        let list = &self.known.conditions;
        if list.is_empty() || !self.c.chance(30) { None } else { self.c.pick(list).cloned() }
    }

    fn arrow(&mut self) -> String {
        self.condition().map_or("->".into(), |c| format!("-[{c}]->"))
    }

    /// A new action or interaction.
    fn action(&mut self, b: usize, looped: bool) -> String {
        self.left = self.left.saturating_sub(1);
        self.next += 1;
        let name = if self.c.chance(10) { format!("\"do {}\"", self.next) } else { format!("a{}", self.next) };
        let mut line = String::new();
        if looped || self.limits.loops && self.c.chance(15) {
            line += "repeated ";
        }
        if self.limits.disabling && self.c.chance(12) {
            line += "optional ";
        }
        let together = self.blocks.len() > 1 && self.c.chance(25);
        line += if together { "interaction " } else { "action " };
        line += &name;
        let fragment = self.fragment();
        self.blocks[b].declarations.push(line + &fragment);
        if together {
            self.blocks[b].interactions.push(name.clone());
        }
        let path = self.path(b, &name);
        self.known.happening.push(path);
        name
    }

    fn fragment(&mut self) -> String {
        let mut statements = Vec::new();
        for (line, assigned, _) in DATA.iter() {
            if self.data.contains(line) && self.c.chance(30) {
                statements.extend(self.c.pick(assigned).map(|s| s.to_string()));
                if self.c.chance(15) {
                    statements.extend(self.c.pick(assigned).map(|s| format!("if flag_or_true {{ {s} }}")));
                }
            }
        }
        // A condition that is there whatever data there is.
        let condition = self.known.conditions.first().cloned().unwrap_or("true".into());
        let text = statements.join("; ").replace("flag_or_true", &condition);
        if text.is_empty() { text } else { format!(" {{ {text} }}") }
    }

    /// Grows a flow from a node (or from nothing); what it ends with.
    fn flow(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let mut at = from;
        let steps = 1 + self.c.below(3);
        for step in 0..steps {
            if step > 0 && self.left == 0 {
                break;
            }
            at = match self.c.below(10) {
                5 | 6 => self.parting(b, at, looped),
                7 | 8 if self.limits.loops => self.around(b, at, looped),
                9 => self.through(b, at, looped),
                _ => Some(self.next_action(b, at, looped)),
            };
            if at.is_none() {
                break;
            }
        }
        at
    }

    fn next_action(&mut self, b: usize, from: Option<String>, looped: bool) -> String {
        let action = self.action(b, looped);
        if let Some(from) = from {
            let arrow = self.arrow();
            self.blocks[b].arrows.push(format!("{from} {arrow} {action}"));
        }
        action
    }

    /// A split, and perhaps a join.
    fn parting(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let from = from.unwrap_or_else(|| self.next_action(b, None, looped));
        let and = self.c.chance(50);
        let (first, second) = (self.action(b, looped), self.action(b, looped));
        let named = self.split_name(b, and);
        let (p, q) = (self.condition(), self.condition());
        let mut branches = [p, q].map(|c| c.map_or(String::new(), |c| format!("[{c}] ")));
        if !and && !branches[0].is_empty() && self.c.chance(50) {
            branches[1] = "[else] ".into();
        }
        let sign = if and { "&" } else { "|" };
        let [p, q] = branches;
        self.blocks[b].arrows.push(format!("{from} -> {named}({p}{first} {sign} {q}{second})"));
        let mut ends = Vec::new();
        for branch in [first, second] {
            let end =
                if self.left > 0 && self.c.chance(40) { self.flow(b, Some(branch), looped) } else { Some(branch) };
            ends.extend(end);
        }
        if ends.len() < 2 || self.c.chance(30) {
            return ends.pop();
        }
        let and = if self.c.chance(70) { and } else { !and };
        let named = self.join_name(b, and);
        let (sign, last) = (if and { "&" } else { "|" }, self.action(b, looped));
        self.blocks[b].arrows.push(format!("{named}({} {sign} {}) -> {last}", ends[0], ends[1]));
        Some(last)
    }

    fn split_name(&mut self, b: usize, and: bool) -> String {
        if and || self.c.chance(40) {
            return String::new();
        }
        self.next += 1;
        let name = format!("s{}", self.next);
        let path = self.path(b, &name);
        self.known.or_splits.push(path);
        format!("{name}:")
    }

    fn join_name(&mut self, b: usize, and: bool) -> String {
        if !and || self.c.chance(40) {
            return String::new();
        }
        self.next += 1;
        let name = format!("j{}", self.next);
        let path = self.path(b, &name);
        self.known.and_joins.push(path);
        format!("{name}:")
    }

    /// A loop.
    fn around(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let first = self.action(b, true);
        if let Some(from) = from {
            self.blocks[b].arrows.push(format!("{from} -> {first}"));
        }
        let end = if self.c.chance(50) { self.flow(b, Some(first.clone()), true) } else { Some(first.clone()) };
        let end = end?;
        let lone = if end == first { "" } else { " " };
        if self.c.chance(25) && lone == " " {
            let closing = self.condition().map_or("=>".into(), |c| format!("=[{c}]=>"));
            self.blocks[b].arrows.push(format!("{end} {closing} {first}"));
            return None;
        }
        let out = self.action(b, looped);
        // With `&` occurrences pile up behind the loop.
        let sign = if self.c.chance(25) { "&" } else { "|" };
        let p = self.condition().map_or(String::new(), |c| format!("[{c}] "));
        let q = self.condition().map_or(String::new(), |c| format!("[{c}] "));
        self.blocks[b].arrows.push(format!("{end} -> (=> {p}{first} {sign} {q}{out})"));
        Some(out)
    }

    /// Into a block that nothing enters yet, and perhaps out of it.
    fn through(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let free = (1..self.blocks.len()).find(|&x| !self.blocks[x].entered && self.blocks[x].declarations.is_empty());
        let (Some(x), Some(from), 0) = (free, from.clone(), b) else {
            return Some(self.next_action(b, from, looped));
        };
        self.blocks[x].entered = true;
        let name = self.blocks[x].name.clone();
        let arrow = self.arrow();
        self.blocks[0].arrows.push(format!("{from} {arrow} {name}.in"));
        self.blocks[x].declarations.push("entry in".into());
        let end = self.flow(x, Some("in".into()), looped)?;
        if self.c.chance(40) {
            return None;
        }
        self.blocks[x].declarations.push("exit out".into());
        self.blocks[x].arrows.push(format!("{end} -> out"));
        Some(format!("{name}.out"))
    }

    /// Every interaction finds a partner in another block.
    fn partners(&mut self) {
        for b in 0..self.blocks.len() {
            for i in 0..self.blocks[b].interactions.len() {
                let name = self.blocks[b].interactions[i].clone();
                let other = (b + 1 + self.c.below(self.blocks.len() - 1)) % self.blocks.len();
                if self.blocks[other].interactions.is_empty() {
                    self.next += 1;
                    let partner = format!("p{}", self.next);
                    let repeated = if self.c.chance(30) { "repeated " } else { "" };
                    self.blocks[other].declarations.push(format!("{repeated}interaction {partner}"));
                    let path = self.path(other, &partner);
                    self.known.happening.push(path);
                    self.blocks[other].interactions.push(partner);
                }
                let at = self.c.below(self.blocks[other].interactions.len());
                let partner = self.blocks[other].interactions[at].clone();
                let full = |s: &Self, b: usize, n: &str| {
                    if b == 0 { n.to_string() } else { format!("{}.{n}", s.blocks[b].name) }
                };
                let (mine, theirs) = (full(self, b, &name), full(self, other, &partner));
                self.next += 1;
                let line = format!("relation r{}: {mine}, {theirs}", self.next);
                self.blocks[0].arrows.push(line);
            }
        }
    }

    fn disabling(&mut self) {
        while self.limits.disabling && self.c.chance(25) {
            let quoted = |p: &String| p.split('.').map(|s| format!("\"{s}\"")).collect::<Vec<_>>().join(".");
            let all: Vec<String> = self.known.happening.iter().map(quoted).collect();
            let (Some(from), Some(to)) = (self.c.pick(&all).cloned(), self.c.pick(&all).cloned()) else { return };
            let block = if self.blocks.len() > 1 && self.c.chance(20) { ", x0" } else { "" };
            self.blocks[0].arrows.push(format!("{from} -/-> {to}{block}"));
        }
    }
}
