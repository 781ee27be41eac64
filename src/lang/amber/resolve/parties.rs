//! Who interacts with whom, and what can happen in one step.

use super::{Build, Found, key};
use crate::lang::amber::model::{BlockIx, Event, NodeIx, NodeKind, Relation};
use crate::lang::amber::raw::RawPath;
use crate::lang::syntax::Name;
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Span};

impl Build<'_, '_> {
    pub(super) fn parties(&mut self) {
        // Those named in a relation that is wrong otherwise are not also alone.
        let mut named = Vec::new();
        for (block, name, parties, span) in std::mem::take(&mut self.declared.relations) {
            named.extend(self.relation(block, name, parties, span));
        }
        let lonely = |n: &NodeIx| self.model.nodes[*n].kind == NodeKind::Interaction && !named.contains(n);
        let lonely: Vec<NodeIx> = (0..self.model.nodes.len()).filter(lonely).collect();
        for n in lonely {
            let node = &self.model.nodes[n];
            let message = format!("the interaction '{}' has no partner", node.path);
            let d = Diagnostic::new(&codes::ALONE, node.span, message);
            let path = node.path.clone();
            self.report(d.help(format!("name its partners: relation {path}, …, or make it an action")));
        }
        let actions = (0..self.model.nodes.len()).filter(|&n| self.model.nodes[n].kind == NodeKind::Action);
        let actions =
            actions.map(|n| Event { name: self.model.nodes[n].path.clone(), parties: vec![n], relation: None });
        let together = self.model.relations.iter().enumerate();
        let together =
            together.map(|(i, r)| Event { name: r.path.clone(), parties: r.parties.clone(), relation: Some(i) });
        self.model.events = actions.chain(together).collect();
    }

    /// Adds a relation and gives the interactions it names.
    fn relation(&mut self, block: BlockIx, name: Option<&Name>, raw: &[RawPath], span: Span) -> Vec<NodeIx> {
        let found: Vec<Option<NodeIx>> = raw.iter().map(|path| self.party(block, path)).collect();
        let known: Vec<NodeIx> = found.iter().copied().flatten().collect();
        if known.len() == found.len() && self.parties_fit(raw, &known, span) {
            self.add_relation(block, name, known.clone(), span);
        }
        known
    }

    fn parties_fit(&mut self, raw: &[RawPath], parties: &[NodeIx], span: Span) -> bool {
        if parties.len() < 2 {
            let d = Diagnostic::new(&codes::PARTIES, span, "a relation joins two or more interactions");
            self.report(d.help("name the partners with commas: relation r: x.c, y.d"));
            return false;
        }
        for (i, &party) in parties.iter().enumerate() {
            let home = self.model.nodes[party].block;
            if parties[..i].iter().any(|&p| self.model.nodes[p].block == home) {
                let message = format!("'{}' and another party lie in one block", self.model.nodes[party].path);
                let d = Diagnostic::new(&codes::PARTIES, raw[i].span, message);
                self.report(d.help("a relation joins interactions of different blocks; within one block use arrows"));
                return false;
            }
        }
        true
    }

    fn add_relation(&mut self, block: BlockIx, name: Option<&Name>, parties: Vec<NodeIx>, span: Span) {
        let given = match name {
            Some(name) => {
                if !self.claim(block, name) {
                    return;
                }
                name.text.clone()
            }
            None => self.unnamed_relation(block, &parties, span),
        };
        let path = self.path_of(block, &given);
        self.model.relations.push(Relation { name: given, path, parties, span });
    }

    /// `pay+receive`, or with the blocks' names where that is taken.
    fn unnamed_relation(&mut self, block: BlockIx, parties: &[NodeIx], span: Span) -> String {
        let nodes = &self.model.nodes;
        let short: Vec<&str> = parties.iter().map(|&p| nodes[p].name.as_str()).collect();
        let long: Vec<&str> = parties.iter().map(|&p| nodes[p].path.as_str()).collect();
        let (short, long) = (short.join("+"), long.join("+"));
        for name in [short, long.clone()] {
            if let std::collections::btree_map::Entry::Vacant(e) = self.taken.entry((block, key(&name))) {
                e.insert(span);
                return name;
            }
        }
        let d = Diagnostic::new(&codes::DUPLICATE, span, "this relation stands here twice");
        self.report(d.help("leave one of the lines out"));
        long
    }

    fn party(&mut self, block: BlockIx, path: &RawPath) -> Option<NodeIx> {
        let names: Vec<&str> = path.names.iter().map(|n| n.text.as_str()).collect();
        match self.model.by_path(block, &names) {
            Some(Found::Node(node)) if self.model.nodes[node].kind == NodeKind::Interaction => Some(node),
            Some(other) => {
                let what = match other {
                    Found::Node(n) => self.model.nodes[n].kind.described(),
                    _ => "a block",
                };
                let message = format!("a relation joins interactions; '{}' is {what}", path.text());
                let d = Diagnostic::new(&codes::PARTIES, path.span, message);
                let name = names.last().copied().unwrap_or_default();
                self.report(d.help(format!("declare it as one: interaction {name}")));
                None
            }
            None => {
                let all = self.model.nodes.iter().filter(|n| n.kind == NodeKind::Interaction);
                let known: Vec<String> = all.map(|n| n.path.clone()).collect();
                let text = path.text();
                let d = Diagnostic::new(&codes::UNKNOWN_NODE, path.span, format!("no interaction '{text}'"));
                let d =
                    d.help("name it by its path: Block.interaction").nearest(&text, known.iter().map(String::as_str));
                self.report(d);
                None
            }
        }
    }
}
