//! Rules of a cyclic rule graph that wait for each other, and the sets of them that can fire together.

use super::{ExprId, Machine, Node, Rule, VarId};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};

/// Rules that wait for each other, so that none can come first for good (cyclic rule graphs only).
///
/// Some of them have *fired together* when they can be put in a sequence in which each holds at its turn. They are a *result* when
/// moreover exactly they hold at the end. A step depends on the order of its rules when a component has no result or several, or
/// when the rules that fired leave other values than its result. All rules that write what one of these writes set constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Component {
    /// Positions in [`super::Body::rules`], ascending.
    pub rules: Vec<usize>,
    /// Pairs of them, reader and writer: the reader decides before the writer and does not see what that one changes.
    pub unseen: Vec<(usize, usize)>,
}

/// More sets of rules than this are not looked at.
pub const MOST_SETS: usize = 1 << 10;

/// What decides the rules of a component, on plain or on symbolic values.
pub trait Decider {
    /// A truth value.
    type Truth: Clone;
    /// Why it cannot go on.
    type Stop;

    /// Does a rule, given by its position, hold once these have fired?
    fn holds(&mut self, rule: usize, fired: &[usize]) -> Result<Self::Truth, Self::Stop>;
    /// Did a rule fire in the order that was taken?
    fn fired(&self, rule: usize) -> Self::Truth;
    /// A constant.
    fn constant(&self, value: bool) -> Self::Truth;
    /// Is it false whatever happens?
    fn is_false(&self, a: &Self::Truth) -> bool;
    /// Negation.
    fn not(&self, a: &Self::Truth) -> Self::Truth;
    /// Conjunction.
    fn and(&self, a: &Self::Truth, b: &Self::Truth) -> Result<Self::Truth, Self::Stop>;

    /// Disjunction.
    fn or(&self, a: &Self::Truth, b: &Self::Truth) -> Result<Self::Truth, Self::Stop> {
        Ok(self.not(&self.and(&self.not(a), &self.not(b))?))
    }
}

/// A set of rules, ascending, and where it is a result.
pub type Outcome<T> = (Vec<usize>, T);

/// All results; `None`: there are too many sets to look at.
pub type Outcomes<T> = Option<Vec<Outcome<T>>>;

impl Component {
    /// The variables that its rules write.
    pub fn targets(&self, rules: &[Rule]) -> BTreeSet<VarId> {
        self.rules.iter().filter_map(|r| rules.get(*r)).map(|r| r.target).collect()
    }

    /// The results, each once; `None`: more than `most` sets would have to be looked at.
    pub fn results<D: Decider>(&self, most: usize, decider: &mut D) -> Result<Outcomes<D::Truth>, D::Stop> {
        let mut results = Vec::new();
        let mut sets = BTreeMap::from([(Vec::new(), decider.constant(true))]);
        let mut looked_at = 0;
        while !sets.is_empty() {
            let mut larger: BTreeMap<Vec<usize>, D::Truth> = BTreeMap::new();
            for (fired, when) in sets {
                looked_at += 1;
                if looked_at > most {
                    return Ok(None);
                }
                let lasting = self.extend(&fired, &when, &mut larger, decider)?;
                if !decider.is_false(&lasting) {
                    results.push((fired, lasting));
                }
            }
            sets = larger;
        }
        Ok(Some(results))
    }

    /// Adds the sets that one more rule makes of a set; gives where exactly its rules hold.
    fn extend<D: Decider>(
        &self,
        fired: &[usize],
        when: &D::Truth,
        larger: &mut BTreeMap<Vec<usize>, D::Truth>,
        decider: &mut D,
    ) -> Result<D::Truth, D::Stop> {
        let mut lasting = when.clone();
        for &rule in &self.rules {
            let holds = decider.holds(rule, &self.seen(rule, fired))?;
            if fired.contains(&rule) {
                lasting = decider.and(&lasting, &holds)?;
                continue;
            }
            lasting = decider.and(&lasting, &decider.not(&holds))?;
            let more = decider.and(when, &holds)?;
            if decider.is_false(&more) {
                continue;
            }
            let mut set = fired.to_vec();
            set.insert(set.partition_point(|r| *r < rule), rule);
            let known = larger.remove(&set).unwrap_or_else(|| decider.constant(false));
            larger.insert(set, decider.or(&known, &more)?);
        }
        Ok(lasting)
    }

    /// Where there is not exactly one result, or the rules that fired leave other values.
    pub fn depends<D: Decider>(
        &self,
        rules: &[Rule],
        results: &[Outcome<D::Truth>],
        decider: &D,
    ) -> Result<D::Truth, D::Stop> {
        let writes: BTreeSet<(VarId, ExprId)> =
            self.rules.iter().map(|r| (rules[*r].target, rules[*r].value)).collect();
        let mut taken = Vec::new();
        for &write in &writes {
            let mut any = decider.constant(false);
            for &r in self.rules.iter().filter(|r| (rules[**r].target, rules[**r].value) == write) {
                any = decider.or(&any, &decider.fired(r))?;
            }
            taken.push((write, any));
        }
        let (mut some, mut depends) = (decider.constant(false), decider.constant(false));
        for (fired, when) in results {
            depends = decider.or(&depends, &decider.and(&some, when)?)?;
            some = decider.or(&some, when)?;
            for (write, any) in &taken {
                let writes = fired.iter().any(|r| (rules[*r].target, rules[*r].value) == *write);
                let differs = if writes { decider.not(any) } else { any.clone() };
                depends = decider.or(&depends, &decider.and(when, &differs)?)?;
            }
        }
        decider.or(&depends, &decider.not(&some))
    }

    /// What of it matters to how some of its rules decide: those that wait for each other, and those that these wait for, in any order
    /// of them. The rest follows: it is given in an order in which each comes after those it reads.
    pub fn split(&self, rules: &[usize], read: &BTreeMap<usize, Vec<usize>>) -> (Component, Vec<usize>) {
        let mut graph = DiGraphMap::<usize, ()>::new();
        rules.iter().for_each(|r| _ = graph.add_node(*r));
        for &reader in rules {
            let seen = |w: &&usize| rules.contains(w) && !self.unseen.contains(&(reader, **w));
            for &writer in read.get(&reader).into_iter().flatten().filter(seen) {
                graph.add_edge(writer, reader, ());
            }
        }
        let (mut core, mut rest) = (BTreeSet::new(), Vec::new());
        // The last come first: those that none of the following waits for.
        for knot in tarjan_scc(&graph) {
            let cyclic = knot.len() > 1 || knot.iter().any(|r| graph.contains_edge(*r, *r));
            let needed = |r: &usize| graph.neighbors(*r).any(|reader| core.contains(&reader));
            if cyclic || knot.iter().any(needed) {
                core.extend(knot);
            } else {
                rest.extend(knot);
            }
        }
        rest.reverse();
        let unseen = self.unseen.iter().copied().filter(|(r, w)| core.contains(r) && core.contains(w)).collect();
        (Component { rules: core.into_iter().collect(), unseen }, rest)
    }

    /// The rules of these that another one of it sees.
    pub fn seen(&self, rule: usize, fired: &[usize]) -> Vec<usize> {
        fired.iter().copied().filter(|w| !self.unseen.contains(&(rule, *w))).collect()
    }

    /// Per rule of the component, those of it whose change it may read: for what else has fired it decides alike.
    pub fn read(&self, m: &Machine, rules: &[Rule]) -> BTreeMap<usize, Vec<usize>> {
        let read = |r: usize| {
            let mut vars = BTreeSet::new();
            for e in [rules[r].prerequisite, rules[r].antecedent] {
                m.exprs.leaves(e, &mut |leaf| {
                    if let Node::Cur(v) = leaf {
                        vars.insert(*v);
                    }
                });
            }
            self.rules.iter().copied().filter(|w| vars.contains(&rules[*w].target)).collect()
        };
        self.rules.iter().map(|r| (*r, read(*r))).collect()
    }
}
