//! What items are called: by their name if it is unique, else their id if that is, else parent and id.

use super::Item;
use std::collections::BTreeMap;

/// Gives every item its name.
pub fn name_items(items: &mut [Item]) {
    let mut names: BTreeMap<String, usize> = BTreeMap::from([("case".into(), 1)]);
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    for item in items.iter().skip(1) {
        *names.entry(item.label.clone()).or_default() += 1;
        *ids.entry(item.id.clone()).or_default() += 1;
    }
    let once = |map: &BTreeMap<String, usize>, key: &str| map.get(key) == Some(&1);
    let mut taken: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
    for ix in 0..items.len() {
        let item = &items[ix];
        let parent = item.parent.map_or("", |p| items[p].name.as_str());
        let mut name = match ix {
            0 => "case".to_string(),
            _ if once(&names, &item.label) => item.label.clone(),
            _ if once(&ids, &item.id) && !names.contains_key(&item.id) => item.id.clone(),
            _ => format!("{parent}/{}", item.id),
        };
        while !taken.insert(name.clone()) {
            name.push('\'');
        }
        items[ix].name = name;
    }
}
