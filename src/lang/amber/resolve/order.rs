//! Definitions in terms of each other: an order in which each comes after those it uses.

use crate::lang::syntax::{Ast, AstKind};

/// The order, and the positions of those that are defined by themselves.
pub(super) fn order(count: usize, uses: &dyn Fn(usize) -> Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    let mut state = vec![0u8; count];
    let (mut done, mut circular) = (Vec::new(), Vec::new());
    for start in 0..count {
        let mut stack = vec![(start, false)];
        while let Some((at, leave)) = stack.pop() {
            if leave {
                state[at] = 2;
                done.push(at);
                continue;
            }
            match state[at] {
                0 => {
                    state[at] = 1;
                    stack.push((at, true));
                    for next in uses(at) {
                        match state[next] {
                            0 => stack.push((next, false)),
                            1 => circular.push(next),
                            _ => {}
                        }
                    }
                }
                // Pushed twice before its turn came.
                _ => continue,
            }
        }
    }
    circular.sort_unstable();
    circular.dedup();
    (done, circular)
}

/// Names in an expression that could be constants or defines.
pub(super) fn plain_names(ast: &Ast) -> Vec<&str> {
    let mut names = Vec::new();
    ast.walk(&mut |part| match &part.kind {
        AstKind::Path(steps) if steps.len() == 1 => names.extend(steps.iter().map(|s| s.text.as_str())),
        _ => {}
    });
    names
}
