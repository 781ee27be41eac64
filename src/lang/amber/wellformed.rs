//! The shape of the graph: how many arrows, where double ones lead, loops.

use super::model::{ArrowIx, Condition, Model, NodeIx, NodeKind};
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Diagnostics};

/// Reports everything that is wrong with the shape of a model.
pub fn check(model: &Model, diags: &mut Diagnostics) {
    let mut check = Check { model, diags };
    (0..model.nodes.len()).for_each(|n| check.degrees(n));
    (0..model.arrows.len()).for_each(|a| check.double_end(a));
    check.elses();
    check.silent_cycles();
    check.loops();
}

struct Check<'m, 'd> {
    model: &'m Model,
    diags: &'d mut Diagnostics,
}

impl Check<'_, '_> {
    fn report(&mut self, d: Diagnostic) {
        self.diags.push(d);
    }

    fn names(&self, arrows: &[ArrowIx], end: impl Fn(&super::Arrow) -> NodeIx) -> Vec<String> {
        arrows.iter().map(|&a| self.model.nodes[end(&self.model.arrows[a])].name.clone()).collect()
    }

    fn degrees(&mut self, n: NodeIx) {
        let node = &self.model.nodes[n];
        let all: Vec<ArrowIx> = self.model.incoming(n).collect();
        let single: Vec<ArrowIx> = all.iter().copied().filter(|&a| !self.model.is_double(a)).collect();
        let out: Vec<ArrowIx> = self.model.outgoing(n).collect();
        let what = format!("the {} '{}'", node.kind.word(), node.path);
        let in_counts = match node.kind {
            NodeKind::Action | NodeKind::Interaction => (0, 1, &single),
            NodeKind::AndJoin | NodeKind::OrJoin => (1, usize::MAX, &all),
            NodeKind::AndSplit | NodeKind::OrSplit | NodeKind::Exit => (1, 1, &all),
            NodeKind::Entry => (0, 1, &all),
        };
        if let (_, most, arrows) = in_counts
            && let Some(&second) = arrows.get(most)
        {
            let sources = self.names(arrows, |a| a.from);
            let kind = if node.kind.happens() { "single incoming arrows" } else { "incoming arrows" };
            let message = format!("{what} has {} {kind}, one is allowed", arrows.len());
            let d = Diagnostic::new(&codes::INCOMING, self.model.arrows[second].span, message);
            let d = d.label("one too many").help(format!(
                "join them: ({}) -> {} if one is enough, with & if all are needed",
                sources.join(" | "),
                node.name
            ));
            self.report(d);
        }
        if all.len() < in_counts.0 {
            let inside = if node.kind == NodeKind::Exit { " inside its block" } else { "" };
            let d = Diagnostic::new(&codes::INCOMING, node.span, format!("{what} has no incoming arrow{inside}"));
            self.report(d.help(format!("write … -> {}", node.name)));
        }
        if node.kind == NodeKind::Entry && all.is_empty() {
            let d =
                Diagnostic::new(&codes::NO_ENTRY, node.span, format!("no arrow leads to the entry '{}'", node.path));
            self.report(d.help(format!("outside the block: … -> {}", node.path)));
        }
        let out_counts = match node.kind {
            NodeKind::Action | NodeKind::Interaction | NodeKind::Exit => (0, 1),
            NodeKind::AndJoin | NodeKind::OrJoin | NodeKind::Entry => (1, 1),
            NodeKind::AndSplit | NodeKind::OrSplit => (1, usize::MAX),
        };
        if let Some(&second) = out.get(out_counts.1) {
            let targets = self.names(&out, |a| a.to);
            let message = format!("{what} has {} outgoing arrows, one is allowed", out.len());
            let d = Diagnostic::new(&codes::OUTGOING, self.model.arrows[second].span, message);
            let d = d.label("one too many").help(format!(
                "split them: {} -> ({}) for all of them, with | for one",
                node.name,
                targets.join(" & ")
            ));
            self.report(d);
        }
        if out.len() < out_counts.0 {
            let inside = if node.kind == NodeKind::Entry { " inside its block" } else { "" };
            let d = Diagnostic::new(&codes::OUTGOING, node.span, format!("{what} has no outgoing arrow{inside}"));
            self.report(d.help(format!("write {} -> …", node.name)));
        }
    }

    /// A double arrow ends at an action or interaction, through entries and exits if need be.
    fn double_end(&mut self, arrow: ArrowIx) {
        let a = &self.model.arrows[arrow];
        if !a.double {
            return;
        }
        let mut at = a.to;
        for _ in 0..=self.model.arrows.len() {
            let node = &self.model.nodes[at];
            match node.kind {
                NodeKind::Action | NodeKind::Interaction => return,
                NodeKind::Entry | NodeKind::Exit => match self.model.outgoing(at).next() {
                    Some(next) => at = self.model.arrows[next].to,
                    None => return,
                },
                _ => {
                    let message = format!(
                        "a double arrow ends at an action or interaction; '{}' is {}",
                        node.path,
                        node.kind.described()
                    );
                    let d = Diagnostic::new(&codes::DOUBLE_END, a.span, message);
                    let behind =
                        self.model.outgoing(at).map(|o| self.model.nodes[self.model.arrows[o].to].name.clone()).next();
                    let help = match behind {
                        Some(behind) => format!("end it at the action behind: … => {behind}"),
                        None => "end it at an action".to_string(),
                    };
                    self.report(d.help(help));
                    return;
                }
            }
        }
    }

    fn elses(&mut self) {
        for n in 0..self.model.nodes.len() {
            let mut seen = 0;
            for a in self.model.outgoing(n) {
                let Some(Condition::Else(span)) = self.model.arrows[a].condition else { continue };
                seen += 1;
                if self.model.nodes[n].kind != NodeKind::OrSplit {
                    let d = Diagnostic::new(&codes::ELSE, span, "'else' belongs to an OrSplit");
                    self.diags.push(d.help("write the condition, or split: a -> ([x > 1] b | [else] c)"));
                } else if seen > 1 {
                    let d = Diagnostic::new(&codes::ELSE, span, "the OrSplit has an 'else' already");
                    self.diags.push(d.help("write a condition here"));
                }
            }
        }
    }

    /// Strongly connected parts with more than one node (or an arrow to itself), over the nodes that `within` takes.
    fn parts(&self, within: impl Fn(NodeIx) -> bool) -> Vec<Vec<NodeIx>> {
        let mut graph = petgraph::graph::DiGraph::<NodeIx, ()>::new();
        let nodes: Vec<_> = (0..self.model.nodes.len()).map(|n| graph.add_node(n)).collect();
        for a in self.model.arrows.iter().filter(|a| within(a.from) && within(a.to)) {
            graph.add_edge(nodes[a.from], nodes[a.to], ());
        }
        let cyclic = |part: &Vec<petgraph::graph::NodeIndex>| {
            part.len() > 1 || part.iter().any(|&n| graph.find_edge(n, n).is_some())
        };
        let mut all: Vec<Vec<NodeIx>> = petgraph::algo::tarjan_scc(&graph)
            .into_iter()
            .filter(cyclic)
            .map(|part| {
                let mut part: Vec<NodeIx> = part.into_iter().map(|n| graph[n]).collect();
                part.sort_unstable();
                part
            })
            .collect();
        all.sort();
        all
    }

    fn silent_cycles(&mut self) {
        for part in self.parts(|n| !self.model.nodes[n].kind.happens()) {
            let Some(&first) = part.first() else { continue };
            let names: Vec<&str> = part.iter().map(|&n| self.model.nodes[n].path.as_str()).collect();
            let message = format!("a cycle without an action: {}", names.join(", "));
            let d = Diagnostic::new(&codes::SILENT_CYCLE, self.model.nodes[first].span, message);
            self.report(d.help("put a repeated action on the cycle, and close it with a double arrow to that action"));
        }
    }

    /// Loops: a part with a double arrow. Double arrows close one; what happens on one is repeated.
    fn loops(&mut self) {
        let parts = self.parts(|_| true);
        let of = |n: NodeIx| parts.iter().position(|p| p.contains(&n));
        let mut looping = vec![false; parts.len()];
        for (i, a) in self.model.arrows.iter().enumerate() {
            if !self.model.is_double(i) {
                continue;
            }
            match (of(a.from), of(a.to)) {
                (Some(from), Some(to)) if from == to => looping[from] = true,
                _ if a.double => {
                    let (from, to) = (&self.model.nodes[a.from].name, &self.model.nodes[a.to].name);
                    let message =
                        format!("the double arrow closes no loop: no path leads from '{to}' back to '{from}'");
                    let d = Diagnostic::new(&codes::NO_LOOP, a.span, message);
                    self.diags.push(d.help(format!("write a single arrow: {from} -> {to}")));
                }
                _ => {}
            }
        }
        for (part, _) in parts.iter().zip(looping).filter(|(_, looping)| *looping) {
            for &n in part {
                let node = &self.model.nodes[n];
                if node.kind.happens() && !node.repeated {
                    let message = format!("'{}' lies on a loop but is not declared repeated", node.path);
                    let d = Diagnostic::new(&codes::NOT_REPEATED, node.span, message);
                    self.report(d.help(format!("write: repeated {} {}", node.kind.word(), node.name)));
                }
            }
        }
    }
}
