//! From lines to a model: what is declared, what names mean, which nodes groups stand for.

mod data;
mod expr;
mod fragment;
mod graph;
mod lookup;
mod order;
mod parties;

pub use expr::{Resolver, Typed};
pub use lookup::{Found, key};

use super::model::{Actor, Block, Model, Node, NodeIx};
use super::raw::{RawBlock, RawChain, RawItem, RawNode, RawPath, RawStatement, RawType, RawValue};
use super::{BlockIx, NodeKind};
use crate::lang::syntax::{Ast, Name};
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Diagnostics, Span};
use std::collections::BTreeMap;

/// What is declared and waits for its names to be looked up.
#[derive(Default)]
struct Declared<'a> {
    types: Vec<(&'a Name, &'a RawType)>,
    consts: Vec<(&'a Name, &'a Ast)>,
    defines: Vec<(&'a Name, &'a Ast)>,
    vars: Vec<(BlockIx, &'a Name, &'a RawType, Option<&'a RawValue>)>,
    sees: Vec<(usize, &'a RawPath)>,
    performers: Vec<(BlockIx, &'a Name)>,
    chains: Vec<(BlockIx, &'a RawChain)>,
    relations: Vec<(BlockIx, Option<&'a Name>, &'a [RawPath], Span)>,
    fragments: Vec<(NodeIx, &'a [RawStatement])>,
}

struct Build<'a, 'd> {
    model: Model,
    declared: Declared<'a>,
    diags: &'d mut Diagnostics,
    /// Nodes, blocks and relations of each block, and where they are declared.
    taken: BTreeMap<(BlockIx, String), Span>,
    /// Variables of each block; those of the whole model with constants and defines.
    taken_data: BTreeMap<(BlockIx, String), Span>,
    /// How many unnamed nodes of each kind a block has.
    unnamed: BTreeMap<(BlockIx, NodeKind), usize>,
}

/// Builds the model; what is wrong is reported and left out.
pub fn resolve(items: &[RawItem], file_stem: &str, diags: &mut Diagnostics) -> Model {
    let whole = items.iter().find_map(first_span).unwrap_or(Span::new(crate::source::FileId(0), 0, 0));
    let root = Block { name: String::new(), path: String::new(), parent: None, actor: None, span: whole };
    let model = Model { blocks: vec![root], ..Model::default() };
    let mut build = Build {
        model,
        declared: Declared::default(),
        diags,
        taken: BTreeMap::new(),
        taken_data: BTreeMap::new(),
        unnamed: BTreeMap::new(),
    };
    build.declare(items, 0);
    if build.model.name.is_empty() {
        build.model.name = file_stem.to_string();
    }
    build.data();
    build.performers();
    build.graph();
    build.parties();
    build.fragments();
    build.repetition();
    build.model
}

fn first_span(item: &RawItem) -> Option<Span> {
    match item {
        RawItem::Title(name) => Some(name.span),
        RawItem::Nodes(nodes) => nodes.first().map(|n| n.name.span),
        RawItem::Block(block) => Some(block.name.span),
        _ => None,
    }
}

impl<'a> Build<'a, '_> {
    fn report(&mut self, d: Diagnostic) {
        self.diags.push(d);
    }

    /// Takes in every name. What the names of other things stand for is looked up later.
    fn declare(&mut self, items: &'a [RawItem], block: BlockIx) {
        for item in items {
            if block != 0
                && let Some((what, span)) = whole_model(item)
            {
                let message = format!("'{what}' stands outside blocks");
                self.report(
                    Diagnostic::new(&codes::NOT_INSIDE, span, message)
                        .help("move the line in front of the outermost block"),
                );
            }
            match item {
                RawItem::Title(name) => self.title(name),
                RawItem::Bound(n, span) => self.bound(*n, *span),
                RawItem::Type(name, ty) => self.declared.types.push((name, ty)),
                RawItem::Const(name, ast) => {
                    self.claim_data(0, name);
                    self.declared.consts.push((name, ast));
                }
                RawItem::Define(name, ast) => {
                    self.claim_data(0, name);
                    self.declared.defines.push((name, ast));
                }
                RawItem::Var(names, ty, init) => {
                    for name in names {
                        if self.claim_data(block, name) {
                            self.declared.vars.push((block, name, ty, init.as_ref()));
                        }
                    }
                }
                RawItem::Actor(name, sees) => self.actor(name, sees),
                RawItem::Nodes(nodes) => nodes.iter().for_each(|n| self.node(block, n)),
                RawItem::Block(inner) => self.block(block, inner),
                RawItem::Chain(chain) => self.declared.chains.push((block, chain)),
                RawItem::Relation(name, parties, span) => {
                    self.declared.relations.push((block, name.as_ref(), parties, *span));
                }
            }
        }
    }

    fn title(&mut self, name: &Name) {
        if !self.model.name.is_empty() {
            self.report(Diagnostic::new(&codes::ONCE, name.span, "the model has a title already"));
        }
        self.model.name = name.text.clone();
    }

    fn bound(&mut self, n: i64, span: Span) {
        if self.model.bound.is_some() {
            self.report(Diagnostic::new(&codes::ONCE, span, "the model has a bound already"));
        }
        match u32::try_from(n) {
            Ok(bound @ 1..=100) => self.model.bound = Some(bound),
            _ => {
                let message = format!("{n} occurrences cannot wait at once");
                self.report(Diagnostic::new(&codes::BOUND, span, message).label("expected 1 to 100"));
            }
        }
    }

    fn actor(&mut self, name: &Name, sees: &'a [RawPath]) {
        if self.model.actors.iter().any(|a| a.name == name.text) {
            let message = format!("two actors are called '{}'", name.text);
            self.report(Diagnostic::new(&codes::DUPLICATE, name.span, message).help("leave one of the lines out"));
            return;
        }
        let actor = self.model.actors.len();
        self.model.actors.push(Actor { name: name.text.clone(), sees: Vec::new(), span: name.span });
        self.declared.sees.extend(sees.iter().map(|path| (actor, path)));
    }

    fn path_of(&self, block: BlockIx, name: &str) -> String {
        match self.model.blocks[block].path.as_str() {
            "" => name.to_string(),
            path => format!("{path}.{name}"),
        }
    }

    fn node(&mut self, block: BlockIx, raw: &'a RawNode) {
        if self.claim(block, &raw.name) {
            let node = self.add_node(block, raw.kind, &raw.name.text, raw.name.span);
            self.model.nodes[node].repeated = raw.repeated;
            self.model.nodes[node].optional = raw.optional;
            self.declared.fragments.push((node, &raw.fragment));
        }
    }

    fn add_node(&mut self, block: BlockIx, kind: NodeKind, name: &str, span: Span) -> NodeIx {
        let path = self.path_of(block, name);
        let name = name.to_string();
        let node = Node { name, path, block, kind, repeated: false, optional: false, fragment: Vec::new(), span };
        self.model.nodes.push(node);
        self.model.nodes.len() - 1
    }

    fn block(&mut self, parent: BlockIx, raw: &'a RawBlock) {
        if !self.claim(parent, &raw.name) {
            return;
        }
        let path = self.path_of(parent, &raw.name.text);
        let name = raw.name.text.clone();
        self.model.blocks.push(Block { name, path, parent: Some(parent), actor: None, span: raw.name.span });
        let block = self.model.blocks.len() - 1;
        if let Some(by) = &raw.by {
            self.declared.performers.push((block, by));
        }
        self.declare(&raw.items, block);
    }

    /// A name of a node, block or relation; `false` if the block has it already.
    fn claim(&mut self, block: BlockIx, name: &Name) -> bool {
        let before = self.taken.insert((block, key(&name.text)), name.span);
        self.unless_twice(before, name)
    }

    /// A name of data; `false` if the block has it already.
    fn claim_data(&mut self, block: BlockIx, name: &Name) -> bool {
        let before = self.taken_data.insert((block, key(&name.text)), name.span);
        self.unless_twice(before, name)
    }

    fn unless_twice(&mut self, before: Option<Span>, name: &Name) -> bool {
        if before.is_some() {
            let message = format!("'{}' is declared twice", name.text);
            let d = Diagnostic::new(&codes::DUPLICATE, name.span, message);
            self.report(d.help("give one of the two another name; signs such as blanks and '_' make no difference"));
        }
        before.is_none()
    }

    /// Who performs which block: said there, or by a block around it.
    fn performers(&mut self) {
        for (block, by) in std::mem::take(&mut self.declared.performers) {
            match self.model.actors.iter().position(|a| a.name == by.text) {
                Some(actor) => self.model.blocks[block].actor = Some(actor),
                None => {
                    let known: Vec<&str> = self.model.actors.iter().map(|a| a.name.as_str()).collect();
                    let d = Diagnostic::new(&codes::UNKNOWN_ACTOR, by.span, format!("no actor '{}'", by.text));
                    let d = d.help(format!("declare it outside the blocks: actor {}", by.text));
                    let d = d.nearest(&by.text, known);
                    self.report(d);
                }
            }
        }
        // Blocks stand behind the blocks around them.
        for block in 1..self.model.blocks.len() {
            let outer = self.model.blocks[block].parent.and_then(|p| self.model.blocks[p].actor);
            let own = &mut self.model.blocks[block].actor;
            *own = own.or(outer);
        }
    }

    /// Functional nodes that a repeated action reaches through functional nodes are repeated.
    fn repetition(&mut self) {
        let mut open: Vec<NodeIx> = (0..self.model.nodes.len()).filter(|&n| self.model.nodes[n].repeated).collect();
        while let Some(node) = open.pop() {
            let next: Vec<NodeIx> = self.model.outgoing(node).map(|a| self.model.arrows[a].to).collect();
            for to in next {
                let target = &mut self.model.nodes[to];
                if !target.kind.happens() && !target.repeated {
                    target.repeated = true;
                    open.push(to);
                }
            }
        }
    }
}

/// The keyword and place of a line that is about the whole model.
fn whole_model(item: &RawItem) -> Option<(&'static str, Span)> {
    Some(match item {
        RawItem::Title(name) => ("amber", name.span),
        RawItem::Bound(_, span) => ("bound", *span),
        RawItem::Type(name, _) => ("type", name.span),
        RawItem::Const(name, _) => ("const", name.span),
        RawItem::Define(name, _) => ("define", name.span),
        RawItem::Actor(name, _) => ("actor", name.span),
        _ => return None,
    })
}
