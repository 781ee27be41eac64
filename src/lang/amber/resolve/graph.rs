//! Chains and groups become arrows and nodes.

use super::{Build, Found, Resolver, key};
use crate::lang::amber::model::{Arrow, BlockIx, Condition, Disable, NodeIx, NodeKind};
use crate::lang::amber::raw::{RawArrow, RawChain, RawCondition, RawGroup, RawPath, RawTerm};
use crate::source::Diagnostic;
use crate::source::codes::amber as codes;

/// Which end of an arrow a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Source,
    Target,
}

impl<'a> Build<'a, '_> {
    pub(super) fn graph(&mut self) {
        for (block, chain) in std::mem::take(&mut self.declared.chains) {
            self.chain(block, chain);
        }
    }

    fn chain(&mut self, block: BlockIx, chain: &'a RawChain) {
        let (mut source, mut last) = (self.source(block, &chain.first, chain.rest.first()), &chain.first);
        for (i, (arrow, ends)) in chain.rest.iter().enumerate() {
            if arrow.disabling {
                self.disabling(block, last, arrow, ends);
                let [end] = ends.as_slice() else { continue };
                (source, last) = (self.source(block, end, chain.rest.get(i + 1)), end);
                continue;
            }
            let [end] = ends.as_slice() else { continue };
            let next = chain.rest.get(i + 1);
            let (target, onward) = match end {
                RawTerm::Node(path) => {
                    let target = self.end(block, path, End::Target);
                    (target, self.source(block, end, next))
                }
                RawTerm::Group(group) => {
                    let split = self.split(block, group);
                    (Some(split), next.and_then(|_| self.join(block, group, true)))
                }
            };
            let condition = self.condition(block, arrow.condition.as_ref());
            if let (Some(from), Some(to), Ok(condition)) = (source, target, condition) {
                let span = arrow.span.to(end.span());
                self.model.arrows.push(Arrow { from, to, block, double: arrow.double, condition, span });
            }
            (source, last) = (onward, end);
        }
    }

    /// The node that the next arrow of a chain starts at, if an enabling one follows.
    fn source(&mut self, block: BlockIx, term: &'a RawTerm, next: Option<&(RawArrow, Vec<RawTerm>)>) -> Option<NodeIx> {
        if next.is_none_or(|(arrow, _)| arrow.disabling) {
            return None;
        }
        match term {
            RawTerm::Node(path) => self.end(block, path, End::Source),
            RawTerm::Group(group) => self.join(block, group, false),
        }
    }

    fn condition(&mut self, block: BlockIx, raw: Option<&RawCondition>) -> Result<Option<Condition>, ()> {
        match raw {
            None => Ok(None),
            Some(RawCondition::Else(span)) => Ok(Some(Condition::Else(*span))),
            Some(RawCondition::Holds(ast, text)) => {
                let expr = Resolver::model(&self.model, block, self.diags).condition(ast).ok_or(())?;
                Ok(Some(Condition::Holds(expr, text.clone())))
            }
        }
    }

    /// A node made by a group: named, or numbered.
    fn made(&mut self, block: BlockIx, kind: NodeKind, group: &RawGroup, named: bool) -> NodeIx {
        if let Some(name) = group.name.as_ref().filter(|_| named) {
            self.claim(block, name);
            return self.add_node(block, kind, &name.text, name.span);
        }
        let number = self.unnamed.entry((block, kind)).or_default();
        *number += 1;
        let name = format!("{}{number}", kind.word());
        if self.taken.insert((block, key(&name)), group.span).is_some() {
            let d = Diagnostic::new(
                &codes::DUPLICATE,
                group.span,
                format!("this group is called '{name}', as another node"),
            );
            self.report(d.help(format!("give it a name: my{name}:(a & b)")));
        }
        self.add_node(block, kind, &name, group.span)
    }

    fn split(&mut self, block: BlockIx, group: &'a RawGroup) -> NodeIx {
        let kind = if group.and { NodeKind::AndSplit } else { NodeKind::OrSplit };
        let from = self.made(block, kind, group, true);
        for branch in &group.branches {
            let to = match &branch.term {
                RawTerm::Node(path) => self.end(block, path, End::Target),
                RawTerm::Group(inner) => Some(self.split(block, inner)),
            };
            let condition = self.condition(block, branch.condition.as_ref());
            if let (Some(to), Ok(condition)) = (to, condition) {
                let span = branch.span;
                self.model.arrows.push(Arrow { from, to, block, double: branch.double, condition, span });
            }
        }
        from
    }

    /// The join of a group; behind a split of the same group the name and what stands before the branches are the split's.
    fn join(&mut self, block: BlockIx, group: &'a RawGroup, behind_split: bool) -> Option<NodeIx> {
        let kind = if group.and { NodeKind::AndJoin } else { NodeKind::OrJoin };
        let to = self.made(block, kind, group, !behind_split);
        for branch in &group.branches {
            if !behind_split && (branch.double || branch.condition.is_some()) {
                let d = Diagnostic::new(&codes::GROUP, branch.span, "this stands before the branches of a split only");
                self.report(d.help("declare the join and give its arrow a line: orjoin j; a -[x > 1]-> j"));
            }
            let from = match &branch.term {
                RawTerm::Node(path) => self.end(block, path, End::Source),
                RawTerm::Group(inner) => self.join(block, inner, behind_split),
            };
            if let Some(from) = from {
                let span = branch.term.span();
                self.model.arrows.push(Arrow { from, to, block, double: false, condition: None, span });
            }
        }
        Some(to)
    }

    /// The node at one end of an enabling arrow that is written in `block`.
    fn end(&mut self, block: BlockIx, path: &RawPath, end: End) -> Option<NodeIx> {
        let names: Vec<&str> = path.names.iter().map(|n| n.text.as_str()).collect();
        let (found, inner) = match names.as_slice() {
            [name] => (self.model.node_in(block, name), false),
            [sub, name] => (self.model.block_in(block, sub).and_then(|b| self.model.node_in(b, name)), true),
            _ => (None, false),
        };
        let Some(node) = found else { return self.no_end(block, path, &names) };
        let kind = self.model.nodes[node].kind;
        match (kind, inner) {
            (NodeKind::Entry, _) | (NodeKind::Exit, _) => {
                // From inside an entry is a source, from outside a target; exits the other way round.
                let source = (kind == NodeKind::Entry) != inner;
                if source != (end == End::Source) {
                    self.wrong_side(kind, inner, path);
                    return None;
                }
            }
            (_, true) => {
                self.crosses(path, end);
                return None;
            }
            _ => {}
        }
        Some(node)
    }

    fn wrong_side(&mut self, kind: NodeKind, outside: bool, path: &RawPath) {
        let text = path.text();
        let (where_, what, help) = match (kind, outside) {
            (NodeKind::Exit, true) => {
                ("outside", "the end of an arrow", format!("write {text} -> … for what follows the block"))
            }
            (NodeKind::Exit, false) => {
                ("inside", "the start of an arrow", format!("write … -> {text} for what leaves the block"))
            }
            (_, true) => ("outside", "the start of an arrow", format!("write … -> {text} for what enters the block")),
            (_, false) => ("inside", "the end of an arrow", format!("write {text} -> … for what the entry leads to")),
        };
        let message = format!("{} is not {what} from {where_} its block", kind.described());
        let message = format!("'{text}': {message}");
        self.report(Diagnostic::new(&codes::WRONG_SIDE, path.span, message).help(help));
    }

    fn crosses(&mut self, path: &RawPath, end: End) {
        let text = path.text();
        let block = path.names.first().map_or("", |n| n.text.as_str());
        let name = path.names.last().map_or("", |n| n.text.as_str());
        let d =
            Diagnostic::new(&codes::BORDER, path.span, format!("the arrow crosses the border of a block at '{text}'"));
        self.report(d.help(match end {
            End::Target => format!("inside: entry in; in -> {name}   outside: … -> {block}.in"),
            End::Source => format!("inside: exit out; {name} -> out   outside: {block}.out -> …"),
        }));
    }

    fn no_end(&mut self, block: BlockIx, path: &RawPath, names: &[&str]) -> Option<NodeIx> {
        let text = path.text();
        if let Some(Found::Block(sub)) = self.model.by_path(block, names) {
            let gates: Vec<String> = self
                .model
                .nodes
                .iter()
                .filter(|n| n.block == sub && matches!(n.kind, NodeKind::Entry | NodeKind::Exit))
                .map(|n| format!("'{text}.{}'", n.name))
                .collect();
            let d =
                Diagnostic::new(&codes::BORDER, path.span, format!("'{text}' is a block, and an arrow needs a node"));
            let ways =
                if gates.is_empty() { "an entry or exit, which it lacks".to_string() } else { gates.join(" or ") };
            self.report(d.help(format!("name {ways}")));
            return None;
        }
        if let Some(Found::Node(node)) = self.model.by_path(block, names) {
            let at = self.model.nodes[node].path.clone();
            let d = Diagnostic::new(
                &codes::BORDER,
                path.span,
                format!("the arrow crosses the border of a block: '{at}' is elsewhere"),
            );
            self.report(d.help("lead it through entries and exits, block by block"));
            return None;
        }
        let here = self.model.nodes.iter().filter(|n| n.block == block).map(|n| n.name.clone());
        let gates = self.model.nodes.iter().filter(|n| matches!(n.kind, NodeKind::Entry | NodeKind::Exit));
        let gates = gates
            .filter(|n| self.model.blocks[n.block].parent == Some(block))
            .map(|n| format!("{}.{}", self.model.blocks[n.block].name, n.name));
        let known: Vec<String> = here.chain(gates).collect();
        let d = Diagnostic::new(&codes::UNKNOWN_NODE, path.span, format!("no node '{text}' in this block"));
        let d = d.help(format!("declare it: action {}", names.last().copied().unwrap_or("a")));
        let d = d.nearest(&text, known.iter().map(String::as_str));
        self.report(d);
        None
    }

    fn disabling(&mut self, block: BlockIx, from: &RawTerm, arrow: &RawArrow, ends: &[RawTerm]) {
        let source = self.disabled_end(block, from, true);
        for end in ends {
            let span = arrow.span.to(end.span());
            let target = self.disabled_end(block, end, false);
            let (Some(Found::Node(from)), Some(target)) = (source, target) else { continue };
            let (targets, through) = match target {
                Found::Node(node) => (vec![node], None),
                Found::Block(b) => {
                    let inside = |&n: &NodeIx| {
                        let node = &self.model.nodes[n];
                        node.kind.happens() && self.model.inside(node.block, b)
                    };
                    ((0..self.model.nodes.len()).filter(inside).collect(), Some(b))
                }
                Found::Relation(_) => (vec![], None),
            };
            for to in targets {
                self.model.disables.push(Disable { from, to, through, span });
            }
        }
    }

    /// An end of a disabling arrow: anything by its path, borders or not.
    fn disabled_end(&mut self, block: BlockIx, term: &RawTerm, source: bool) -> Option<Found> {
        let wanted =
            if source { "starts at an action or interaction" } else { "ends at an action, an interaction or a block" };
        let RawTerm::Node(path) = term else {
            let d =
                Diagnostic::new(&codes::DISABLING, term.span(), format!("a disabling arrow {wanted}, not at a group"));
            self.report(d.help("write one arrow for each: a -/-> c, d"));
            return None;
        };
        let names: Vec<&str> = path.names.iter().map(|n| n.text.as_str()).collect();
        match self.model.by_path(block, &names) {
            Some(Found::Node(node)) if self.model.nodes[node].kind.happens() => Some(Found::Node(node)),
            Some(found @ Found::Block(_)) if !source => Some(found),
            Some(other) => {
                let what = match other {
                    Found::Node(n) => self.model.nodes[n].kind.described(),
                    _ => "a block",
                };
                let message = format!("a disabling arrow {wanted}; '{}' is {what}", path.text());
                let d = Diagnostic::new(&codes::DISABLING, path.span, message);
                self.report(d.help(if source {
                    "let the action before it disable"
                } else {
                    "disable the actions behind it instead"
                }));
                None
            }
            None => {
                let known: Vec<String> =
                    self.model.nodes.iter().filter(|n| n.kind.happens()).map(|n| n.path.clone()).collect();
                let text = path.text();
                let d = Diagnostic::new(
                    &codes::UNKNOWN_NODE,
                    path.span,
                    format!("no action, interaction or block '{text}'"),
                );
                let d = d.help("name it by its path: Block.action").nearest(&text, known.iter().map(String::as_str));
                self.report(d);
                None
            }
        }
    }
}
