//! The model: blocks, nodes, arrows, data, everything looked up.

pub use super::expr::*;

use super::Type;
use crate::source::Span;

/// Index into [`Model::blocks`]; 0 is the whole model.
pub type BlockIx = usize;
/// Index into [`Model::nodes`].
pub type NodeIx = usize;
/// Index into [`Model::arrows`].
pub type ArrowIx = usize;
/// Index into [`Model::relations`].
pub type RelationIx = usize;
/// Index into [`Model::vars`].
pub type VarIx = usize;
/// Index into [`Model::events`].
pub type EventIx = usize;

/// An AMBER model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its title, or the name of its file.
    pub name: String,
    /// How many occurrences of one action may wait, if the model says so.
    pub bound: Option<u32>,
    /// Who performs blocks.
    pub actors: Vec<Actor>,
    /// Blocks, outer before inner; the first is the whole model.
    pub blocks: Vec<Block>,
    /// Nodes in order of appearance.
    pub nodes: Vec<Node>,
    /// Enabling arrows.
    pub arrows: Vec<Arrow>,
    /// Disabling arrows, those to a block one by one.
    pub disables: Vec<Disable>,
    /// Who interacts with whom.
    pub relations: Vec<Relation>,
    /// Data.
    pub vars: Vec<Variable>,
    /// The cells of all variables, in order.
    pub cells: Vec<Cell>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Named conditions.
    pub defines: Vec<Define>,
    /// What can happen: the actions, then the relations.
    pub events: Vec<Event>,
}

/// An actor.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Its name.
    pub name: String,
    /// Cells that `sees` lists.
    pub sees: Vec<usize>,
    /// Where it is declared.
    pub span: Span,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its name; empty for the whole model.
    pub name: String,
    /// Its name with those of the blocks around it; empty for the whole model.
    pub path: String,
    /// The block around it.
    pub parent: Option<BlockIx>,
    /// Who performs it, said here or by a block around it.
    pub actor: Option<usize>,
    /// Where its name stands.
    pub span: Span,
}

/// Kinds of node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeKind {
    /// Happens alone.
    Action,
    /// Happens together with its partners.
    Interaction,
    /// Waits for all arrows.
    AndJoin,
    /// Passes on whatever comes.
    OrJoin,
    /// Goes all ways.
    AndSplit,
    /// Goes one way.
    OrSplit,
    /// Into a block.
    Entry,
    /// Out of a block.
    Exit,
}

impl NodeKind {
    /// All, with the words of the notation.
    pub const ALL: [(NodeKind, &'static str); 8] = [
        (NodeKind::Action, "action"),
        (NodeKind::Interaction, "interaction"),
        (NodeKind::AndJoin, "andjoin"),
        (NodeKind::OrJoin, "orjoin"),
        (NodeKind::AndSplit, "andsplit"),
        (NodeKind::OrSplit, "orsplit"),
        (NodeKind::Entry, "entry"),
        (NodeKind::Exit, "exit"),
    ];

    /// By its word.
    pub fn from_word(word: &str) -> Option<NodeKind> {
        NodeKind::ALL.iter().find(|(_, w)| *w == word).map(|(kind, _)| *kind)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        NodeKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, w)| w)
    }

    /// With an article, for messages.
    pub fn described(self) -> &'static str {
        match self {
            NodeKind::Action => "an action",
            NodeKind::Interaction => "an interaction",
            NodeKind::AndJoin => "an AndJoin",
            NodeKind::OrJoin => "an OrJoin",
            NodeKind::AndSplit => "an AndSplit",
            NodeKind::OrSplit => "an OrSplit",
            NodeKind::Entry => "an entry",
            NodeKind::Exit => "an exit",
        }
    }

    /// An action or interaction: it can be seen to happen. The others are functional.
    pub fn happens(self) -> bool {
        matches!(self, NodeKind::Action | NodeKind::Interaction)
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name in its block.
    pub name: String,
    /// With the names of the blocks around it: `GARAGE.deliver car`.
    pub path: String,
    /// Its block.
    pub block: BlockIx,
    /// Its kind.
    pub kind: NodeKind,
    /// May happen more than once: declared for (inter)actions, derived for functional nodes.
    pub repeated: bool,
    /// Need not happen.
    pub optional: bool,
    /// What it does to the data.
    pub fragment: Vec<Statement>,
    /// Where its name (or group) stands.
    pub span: Span,
}

/// An enabling arrow.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Where it starts.
    pub from: NodeIx,
    /// Where it ends.
    pub to: NodeIx,
    /// The block it is written in.
    pub block: BlockIx,
    /// Drawn with two heads.
    pub double: bool,
    /// When it is taken.
    pub condition: Option<Condition>,
    /// Where it stands.
    pub span: Span,
}

/// When an arrow is taken.
#[derive(Clone, Debug)]
pub enum Condition {
    /// When none of the other arrows of the OrSplit is.
    Else(Span),
    /// When this holds; with its text.
    Holds(Expr, String),
}

/// A disabling arrow between two (inter)actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disable {
    /// What disables.
    pub from: NodeIx,
    /// What is disabled.
    pub to: NodeIx,
    /// The block that the arrow ends at, where it ends at one.
    pub through: Option<BlockIx>,
    /// Where it stands.
    pub span: Span,
}

/// An interaction relation.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name, given or made of its parties' names.
    pub name: String,
    /// With the names of the blocks around it.
    pub path: String,
    /// Its interactions, in order.
    pub parties: Vec<NodeIx>,
    /// Where it stands.
    pub span: Span,
}

/// Something that can happen in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The path of its action or relation.
    pub name: String,
    /// Who takes part, in order.
    pub parties: Vec<NodeIx>,
    /// Its relation; none for an action.
    pub relation: Option<RelationIx>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name with the names of the blocks around it.
    pub path: String,
    /// Its name in its block.
    pub name: String,
    /// Where it is visible.
    pub block: BlockIx,
    /// Its type.
    pub ty: Type,
    /// Its first cell.
    pub first: usize,
    /// Where its name stands.
    pub span: Span,
}

/// One value of the data.
#[derive(Clone, Debug)]
pub struct Cell {
    /// `file[0].status`
    pub name: String,
    /// `file.status`: what is kept or left out together.
    pub unit: String,
    /// Of which variable.
    pub var: VarIx,
    /// A scalar.
    pub ty: Type,
    /// Initial value, coded.
    pub init: i64,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub value: ConstantValue,
}

/// What a constant stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantValue {
    /// false, true.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A value of whatever enumeration it meets.
    Word(String),
}

/// A named condition.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// What it means.
    pub expr: Expr,
}

impl Model {
    /// Arrows that start at a node, in order.
    pub fn outgoing(&self, node: NodeIx) -> impl Iterator<Item = ArrowIx> + '_ {
        (0..self.arrows.len()).filter(move |&a| self.arrows[a].from == node)
    }

    /// Arrows that end at a node, in order.
    pub fn incoming(&self, node: NodeIx) -> impl Iterator<Item = ArrowIx> + '_ {
        (0..self.arrows.len()).filter(move |&a| self.arrows[a].to == node)
    }

    /// Does the model, or whoever asked, say how many may wait?
    pub fn room(&self) -> i64 {
        i64::from(self.bound.unwrap_or(1))
    }

    /// Is a node triggered at the start: no single arrow leads to it (through entries and exits a double one may)?
    pub fn starts_triggered(&self, node: NodeIx) -> bool {
        self.incoming(node).all(|a| self.is_double(a))
    }

    /// Is an arrow double: it, or a segment before it through entries and exits?
    pub fn is_double(&self, arrow: ArrowIx) -> bool {
        let mut at = arrow;
        for _ in 0..=self.arrows.len() {
            if self.arrows[at].double {
                return true;
            }
            let from = self.arrows[at].from;
            let next = match self.nodes[from].kind {
                NodeKind::Entry | NodeKind::Exit => self.incoming(from).next(),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    }

    /// Who performs a node.
    pub fn actor_of(&self, node: NodeIx) -> Option<usize> {
        self.blocks[self.nodes[node].block].actor
    }

    /// Is block `inner` the block `outer` or inside it?
    pub fn inside(&self, inner: BlockIx, outer: BlockIx) -> bool {
        std::iter::successors(Some(inner), |&b| self.blocks[b].parent).any(|b| b == outer)
    }

    /// The unit of a place: the variable with its fields, without indices.
    pub fn unit(&self, place: &Place) -> String {
        let var = &self.vars[place.var];
        let (mut unit, mut ty) = (var.path.clone(), &var.ty);
        for step in &place.steps {
            match (step, ty) {
                (Step::Field(i), Type::Record(fields)) => {
                    unit = format!("{unit}.{}", fields[*i].0);
                    ty = &fields[*i].1;
                }
                (Step::Index(_), Type::Array(of, _)) => ty = of,
                _ => {}
            }
        }
        unit
    }

    /// Does something belong to no actor?
    pub fn has_nameless_agent(&self) -> bool {
        let ownerless = |e: &Event| e.parties.iter().any(|&p| self.actor_of(p).is_none());
        self.actors.is_empty() || self.events.iter().any(ownerless)
    }

    /// Is an event optional: one of its parties is?
    pub fn is_optional(&self, event: &Event) -> bool {
        event.parties.iter().any(|&p| self.nodes[p].optional)
    }
}
