//! Who knows what, by the definitions.

use super::{Abstract, Naive, Three};
use crate::abstraction::linear::{Atom, Leaf};
use crate::machine::{AgentIx, ExprId, Node, VarId};
use std::collections::BTreeSet;

impl Naive<'_> {
    pub(super) fn everybody(&self, group: &[AgentIx], a: &Three) -> Three {
        group.iter().fold(self.each(|_| Some(true)), |all, i| self.and(&all, &self.knows(&[*i], a)))
    }

    pub(super) fn knows(&self, group: &[AgentIx], f: &Three) -> Three {
        if group.iter().any(|i| self.m.agents[*i].sees_all) {
            return f.clone();
        }
        let views = group.iter().flat_map(|i| &self.m.agents[*i].views);
        let view: BTreeSet<VarId> =
            views.flat_map(|v| v.seen.iter().copied()).filter(|v| self.wide.contains(v)).collect();
        let reached = self.reached(&view);
        self.each(|s| {
            let (mut all, mut some) = (true, f[s] == Some(false));
            for t in &self.may {
                all &= f[t] == Some(true) || !self.alike(group, s, t, false);
                some |= f[t] == Some(false) && reached.contains(t) && self.alike(group, s, t, true);
            }
            if some { Some(false) } else { all.then_some(true) }
        })
    }

    fn visible(&self, e: ExprId, a: &Abstract) -> bool {
        let s = &self.gamma[a][0];
        self.eval(e, s, s, &[]) != 0
    }

    fn mentions(&self, atom: &Atom) -> BTreeSet<VarId> {
        let mut vars = BTreeSet::new();
        atom.leaves(&mut |l| match l {
            Leaf::Var(v, _) => {
                vars.insert(*v);
            }
            Leaf::Choice(e, _) => self.m.exprs.leaves(*e, &mut |n| {
                if let Node::Cur(v) | Node::Prev(v) = n {
                    vars.insert(*v);
                }
            }),
            _ => {}
        });
        vars
    }

    fn alike(&self, group: &[AgentIx], s: &Abstract, t: &Abstract, must: bool) -> bool {
        let mut seen: BTreeSet<VarId> = BTreeSet::new();
        for i in group {
            let agent = &self.m.agents[*i];
            seen.extend(agent.private.iter().copied());
            for v in &agent.views {
                let (here, there) = (self.visible(v.visible, s), self.visible(v.visible, t));
                if here != there {
                    return false;
                }
                if here {
                    seen.extend(v.seen.iter().copied());
                }
            }
        }
        let same = |v: &VarId| self.wide.contains(v) && !self.regions || s.0[v.0 as usize] == t.0[v.0 as usize];
        if !seen.iter().all(same) {
            return false;
        }
        let atoms: Vec<BTreeSet<VarId>> = self.atoms.iter().map(|a| self.mentions(a)).collect();
        if !must {
            return (0..atoms.len()).all(|p| s.1[p] == t.1[p] || !atoms[p].is_subset(&seen));
        }
        let mut reach: BTreeSet<VarId> = seen.intersection(&self.wide).copied().collect();
        loop {
            let near = atoms.iter().filter(|a| !a.is_disjoint(&reach));
            let more: BTreeSet<VarId> = near.flatten().filter(|v| self.wide.contains(v)).copied().collect();
            if more.is_subset(&reach) {
                break;
            }
            reach.extend(more);
        }
        (0..atoms.len()).filter(|p| !atoms[*p].is_disjoint(&reach)).all(|p| {
            let pins = self.pins.iter().filter(|x| atoms[p].contains(&x.var)).map(|x| x.when);
            s.1[p] == t.1[p] && atoms[p].iter().copied().chain(pins).all(|v| same(&v))
        })
    }
}
