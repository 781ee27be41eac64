//! Strongly connected components.

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// Components with a cycle inside, of the graph given by its edges on `0..nodes`.
pub fn cyclic_components(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(nodes, 0);
    (0..nodes).for_each(|_| {
        graph.add_node(());
    });
    for (a, b) in edges {
        graph.add_edge((a as u32).into(), (b as u32).into(), ());
    }
    let has_cycle = |c: &Vec<_>| c.len() > 1 || c.iter().any(|n| graph.contains_edge(*n, *n));
    let components = tarjan_scc(&graph).into_iter().filter(has_cycle);
    components.map(|c| c.into_iter().map(|n| n.index()).collect()).collect()
}
