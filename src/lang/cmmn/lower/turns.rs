//! How often a rule can have its turn in a step. Where it is once, chains of rounds come to an end.

use super::Lower;
use super::emit::Key;
use crate::lang::cmmn::condition::Cond;
use crate::lang::cmmn::model::{InstIx, ItemIx};

impl Lower<'_> {
    /// What this rule decides happens at most once in a step: nothing brings its instance back.
    pub(super) fn has_one_turn(&self, key: Key) -> bool {
        let case = self.case;
        let around = |item: ItemIx| case.items[item].parent.unwrap_or(0);
        match key {
            // What has exited before its stage was ever open may be reached into, and exit again.
            Key::Exit(_, i) => {
                !self.comes_again(case.instances[i].item) && !self.is_reached_into(case.instances[i].item)
            }
            Key::Stage(i) => !self.comes_again(case.instances[i].item),
            Key::Entry(p) => !self.comes_again(case.places[p].item),
            // A listener that was terminated comes again only with its container.
            Key::Orphan(i) => !self.comes_again(around(case.instances[i].item)),
            // Once its container has been open, an item exists until a stage around that starts again.
            Key::Reach(p) => {
                let item = case.places[p].item;
                case.items[item].repetition.is_none() && !self.comes_again(around(around(item)))
            }
            _ => false,
        }
    }

    /// After its turn the rule has nothing to do until something else happens.
    pub(super) fn settles_itself(&self, key: Key) -> bool {
        matches!(key, Key::Listener(i) if !self.asks_about_itself(i))
    }

    /// Can an instance of the item be created or started again within a step?
    fn comes_again(&self, item: ItemIx) -> bool {
        let repeats = |ix: ItemIx| self.case.items[ix].repetition.is_some() || self.is_reopened(ix);
        std::iter::once(item).chain(self.case.containers(item)).any(|ix| ix != 0 && repeats(ix))
    }

    /// May the stage start for the sake of something in it?
    fn is_reached_into(&self, stage: ItemIx) -> bool {
        self.reached_inside(stage).next().is_some()
    }

    /// May it start for that sake although it has been open? Not for what never existed and stands right in it.
    fn is_reopened(&self, stage: ItemIx) -> bool {
        let items = &self.case.items;
        self.reached_inside(stage).any(|ix| items[ix].repetition.is_some() || items[ix].parent != Some(stage))
    }

    /// Items in a stage that may be reached from outside their container.
    fn reached_inside(&self, stage: ItemIx) -> impl Iterator<Item = ItemIx> + '_ {
        let case = self.case;
        let heard = case.criteria.iter().filter(|c| case.flowable() && c.entry && self.listens_outside(c));
        heard.map(|c| c.item).filter(move |ix| case.containers(*ix).any(|around| around == stage))
    }

    /// Does the condition of a listener look at the listener?
    fn asks_about_itself(&self, i: InstIx) -> bool {
        let (case, item) = (self.case, self.case.instances[i].item);
        let mut asks = false;
        if let Some(condition) = case.items[item].available_if {
            case.conditions[condition].cond.walk(&mut |part| match part {
                Cond::Done(items) => asks |= items.contains(&item),
                Cond::Query(query) => asks |= query.items.contains(&item),
                _ => {}
            });
        }
        asks
    }
}
