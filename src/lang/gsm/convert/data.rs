//! Attributes and payload fields as declarations of the notation.

use super::names;
use crate::lang::gsm::domains::constants::unquoted;
use crate::lang::gsm::resolve::{Declared, Facets};
use crate::lang::gsm::{Application, AttrIx, DataKind};
use crate::machine::Domain;

/// An attribute or field to be written.
#[derive(Clone, Debug)]
pub struct Datum<'a> {
    /// Steps of its path that are left.
    pub steps: Vec<&'a str>,
    /// What it is.
    pub kind: DataKind,
    /// Its declared values.
    pub domain: &'a Domain,
    /// Its bounds and initial value.
    pub facets: Facets,
    /// One of many?
    pub set: bool,
    /// One of many of many?
    pub nested: bool,
}

/// A declaration: one value, or a group of them.
pub enum Item<'a> {
    /// A value.
    Value(&'a str, Datum<'a>),
    /// A record, or (if it is many) a bag of records.
    Group(&'a str, bool, Vec<Item<'a>>),
}

/// The data of a type.
pub fn attributes<'a>(app: &'a Application, ty: usize, facets: &[Facets]) -> Vec<Datum<'a>> {
    let t = &app.types[ty];
    let attrs = t.attrs.iter().zip(facets);
    let mut all: Vec<Datum> = attrs
        .map(|(a, facets)| Datum {
            steps: a.path.split('.').collect(),
            kind: a.kind,
            domain: &a.domain,
            facets: facets.clone(),
            set: a.set,
            nested: false,
        })
        .collect();
    for (at, d) in all.iter_mut().enumerate() {
        d.nested = d.set && t.bags.iter().all(|b| !b.fields.contains(&AttrIx(at)));
    }
    all
}

/// The fields of a message.
pub fn fields<'a>(message: &'a [Declared]) -> Vec<Datum<'a>> {
    let datum = |d: &'a Declared| Datum {
        steps: d.field.name.split('.').collect(),
        kind: d.field.kind,
        domain: &d.field.domain,
        facets: d.facets.clone(),
        set: d.set,
        nested: d.set && !d.in_bag,
    };
    message.iter().map(datum).collect()
}

/// Values with a common first step become groups.
pub fn grouped(data: Vec<Datum>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = data.into_iter().peekable();
    while let Some(mut first) = rest.next() {
        let name = first.steps.remove(0);
        if first.steps.is_empty() {
            items.push(Item::Value(name, first));
            continue;
        }
        let mut inner = vec![first];
        while let Some(mut next) = rest.next_if(|d| d.steps.len() > 1 && d.steps[0] == name) {
            next.steps.remove(0);
            inner.push(next);
        }
        let many = inner.iter().all(|d| d.set);
        if many {
            for d in &mut inner {
                (d.set, d.nested) = (d.nested, false);
            }
        }
        items.push(Item::Group(name, many, grouped(inner)));
    }
    items
}

/// `name: type`, on one line.
pub fn declaration(app: &Application, item: &Item) -> String {
    match item {
        Item::Value(name, datum) => format!("{}: {}", names::name(name), data_type(app, datum)),
        Item::Group(name, many, items) => {
            let inner: Vec<String> = items.iter().map(|i| declaration(app, i)).collect();
            format!("{}: {} {{ {} }}", names::name(name), if *many { "bag" } else { "record" }, inner.join(", "))
        }
    }
}

/// The type of a value, with its initial value.
pub fn data_type(app: &Application, datum: &Datum) -> String {
    let facets = &datum.facets;
    let many = ["", "bag ", "bag bag "][usize::from(datum.set) + usize::from(datum.nested)];
    let initial = facets.initial.as_ref().map_or(String::new(), |v| format!(" = {}", names::value(unquoted(&v.text))));
    let base = match (datum.kind, datum.domain) {
        (DataKind::Boolean, _) => "bool".to_string(),
        (DataKind::Date { timed }, _) => if timed { "datetime" } else { "date" }.to_string(),
        (DataKind::Reference(to), _) => format!("ref {}", names::name(&app.types[to].id)),
        (DataKind::Integer, _) => {
            let range = match facets.written() {
                (None, None) => String::new(),
                (min, max) => {
                    let [above, below] = [facets.open().0, facets.open().1].map(|open| if open { "<" } else { "" });
                    format!(" {}{above}..{below}{}", min.unwrap_or_default(), max.unwrap_or_default())
                }
            };
            format!("{}{range}", if facets.real { "real" } else { "int" })
        }
        (DataKind::Enumeration, Domain::Enum { values, .. }) => {
            format!("{{ {} }}", values.iter().map(|v| names::name(v)).collect::<Vec<_>>().join(", "))
        }
        (DataKind::Text | DataKind::Enumeration, _) => "string".to_string(),
    };
    format!("{many}{base}{initial}")
}
