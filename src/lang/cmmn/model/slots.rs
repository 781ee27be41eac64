//! Instances: how many slots every item has, and what they are called.

use super::{CondIx, InstIx, Item, ItemIx, Kind, NEVER, PlaceIx};

/// More instances than this are refused.
pub const MOST_INSTANCES: usize = 400;

/// An item in one instance of its container.
#[derive(Clone, Debug)]
pub struct Place {
    /// The item.
    pub item: ItemIx,
    /// The container.
    pub container: InstIx,
    /// Its slots, lowest first.
    pub slots: Vec<InstIx>,
}

/// A slot of an item.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The item.
    pub item: ItemIx,
    /// Where it stands; the case stands nowhere.
    pub place: Option<PlaceIx>,
    /// The container.
    pub container: Option<InstIx>,
    /// `Round[2].Play`.
    pub name: String,
    /// The places inside it.
    pub inside: Vec<PlaceIx>,
}

/// Places and instances of a tree of items, or `None` when there are too many.
pub fn expand(items: &[Item], bound: &dyn Fn(&Item) -> Option<u32>) -> Option<(Vec<Place>, Vec<Instance>)> {
    let case = Instance { item: 0, place: None, container: None, name: "case".into(), inside: Vec::new() };
    let mut tree = Tree { items, bound, places: Vec::new(), instances: vec![case] };
    tree.inside(0, "")?;
    Some((tree.places, tree.instances))
}

struct Tree<'a> {
    items: &'a [Item],
    bound: &'a dyn Fn(&Item) -> Option<u32>,
    places: Vec<Place>,
    instances: Vec<Instance>,
}

impl Tree<'_> {
    /// Adds what stands in a container; `prefix` names the repeating instances around.
    fn inside(&mut self, container: InstIx, prefix: &str) -> Option<()> {
        let items = self.items;
        for &item in &items[self.instances[container].item].children {
            let count = slots(&items[item], self.bound);
            let place = self.places.len();
            self.places.push(Place { item, container, slots: Vec::new() });
            self.instances[container].inside.push(place);
            for k in 1..=count {
                let name = items[item].name.as_str();
                let own = if count > 1 { format!("{name}[{k}]") } else { name.to_string() };
                let instance = self.instances.len();
                if instance > MOST_INSTANCES {
                    return None;
                }
                let name = format!("{prefix}{own}");
                let within = if count > 1 { format!("{name}.") } else { prefix.to_string() };
                let new = Instance { item, place: Some(place), container: Some(container), name, inside: Vec::new() };
                self.instances.push(new);
                self.places[place].slots.push(instance);
                self.inside(instance, &within)?;
            }
        }
        Some(())
    }
}

/// Slots of an item in one instance of its container.
pub fn slots(item: &Item, bound: &dyn Fn(&Item) -> Option<u32>) -> u32 {
    let Some(repetition) = item.repetition.as_ref() else { return 1 };
    let stays = match &item.kind {
        Kind::Stage => true,
        Kind::Task(task) => possible(task.waits) || possible(item.manual),
        _ => false,
    };
    if !stays || (item.entry.is_empty() && !repetition.collection) {
        return 1;
    }
    let wanted = bound(item).unwrap_or(2).max(1);
    repetition.most.map_or(wanted, |most| wanted.min(most.max(1)))
}

fn possible(condition: CondIx) -> bool {
    condition != NEVER
}
