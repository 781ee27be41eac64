//! Where names lead: nodes, blocks and relations by path, variables by scope.

use crate::lang::amber::model::{BlockIx, Model, NodeIx, RelationIx, VarIx};

/// A name as it is compared: every sign that is neither letter nor digit counts as `_`.
pub fn key(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// A node.
    Node(NodeIx),
    /// A relation.
    Relation(RelationIx),
    /// A block.
    Block(BlockIx),
}

impl Model {
    /// A node directly in a block.
    pub fn node_in(&self, block: BlockIx, name: &str) -> Option<NodeIx> {
        self.nodes.iter().position(|n| n.block == block && n.name == name)
    }

    /// A block directly in a block.
    pub fn block_in(&self, block: BlockIx, name: &str) -> Option<BlockIx> {
        self.blocks.iter().position(|b| b.parent == Some(block) && b.name == name)
    }

    /// The block, then the blocks around it.
    pub fn scopes(&self, block: BlockIx) -> impl Iterator<Item = BlockIx> + '_ {
        std::iter::successors(Some(block), |&b| self.blocks[b].parent)
    }

    /// A node or block by its path, seen from a block.
    pub fn by_path(&self, from: BlockIx, path: &[&str]) -> Option<Found> {
        let (last, way) = path.split_last()?;
        let at = |scope: BlockIx| {
            let block = way.iter().try_fold(scope, |block, name| self.block_in(block, name))?;
            let node = self.node_in(block, last).map(Found::Node);
            node.or_else(|| self.block_in(block, last).map(Found::Block))
        };
        self.scopes(from).find_map(at)
    }

    /// The variable that a path starts with, seen from a block, and how many names it takes.
    pub fn variable(&self, from: BlockIx, path: &[&str]) -> Option<(VarIx, usize)> {
        self.scopes(from).find_map(|scope| {
            let mut block = scope;
            for (i, name) in path.iter().enumerate() {
                if let Some(var) = self.vars.iter().position(|v| v.block == block && v.name == *name) {
                    return Some((var, i + 1));
                }
                block = self.block_in(block, name)?;
            }
            None
        })
    }

    /// Nodes and relations that a property means by a name: a path or the end of one, `_` standing for any sign. The closest
    /// kind of match wins; more than one answer means that the name is not unique.
    pub fn in_property(&self, name: &str) -> Vec<Found> {
        let nodes = self.nodes.iter().enumerate().map(|(i, n)| (n.path.as_str(), Found::Node(i)));
        let relations = self.relations.iter().enumerate().map(|(i, r)| (r.path.as_str(), Found::Relation(i)));
        let all: Vec<(&str, Found)> = nodes.chain(relations).collect();
        let ends = |path: &str, name: &str| path.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
        let loose = |path: &str| signs_match(name, path);
        let loose_end = |path: &str| {
            let cuts = path.char_indices().filter(|(_, c)| *c == '.').map(|(i, _)| i + 1);
            cuts.into_iter().any(|i| signs_match(name, &path[i..]))
        };
        let kinds: [&dyn Fn(&str) -> bool; 4] = [&|path| path == name, &|path| ends(path, name), &loose, &loose_end];
        for matches in kinds {
            let found: Vec<Found> = all.iter().filter(|(path, _)| matches(path)).map(|(_, f)| *f).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The path of a node, relation or block.
    pub fn path_of(&self, found: Found) -> &str {
        match found {
            Found::Node(n) => &self.nodes[n].path,
            Found::Relation(r) => &self.relations[r].path,
            Found::Block(b) => &self.blocks[b].path,
        }
    }
}

/// Are the texts equal when `_` in the first may be any sign of the second?
fn signs_match(asked: &str, path: &str) -> bool {
    let mut theirs = path.chars();
    asked.chars().all(|a| theirs.next().is_some_and(|t| a == t || a == '_' && !t.is_alphanumeric()))
        && theirs.next().is_none()
}
