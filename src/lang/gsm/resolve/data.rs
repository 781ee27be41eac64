//! Data attributes and payload fields from schemas. Their domains are provisional: [`crate::lang::gsm::domains`] settles them once
//! everything that reads them is known.

use super::schemas::Schemas;
use crate::lang::gsm::xml::{Dialect, RawComponent, RawItem, Word};
use crate::lang::gsm::xsd::{Kind, Schema, XsdField};
use crate::lang::gsm::{AttrIx, Attribute, Bag, DataKind, Decimal, Field, Wide};
use crate::machine::Domain;
use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics};

/// What a schema says about the values of an attribute or field.
#[derive(Clone, Debug, Default)]
pub struct Facets {
    /// Smallest value.
    pub min: Option<i64>,
    /// Largest value.
    pub max: Option<i64>,
    /// `default` or `fixed`.
    pub initial: Initial,
    /// A number with a fraction.
    pub real: bool,
    /// Its smallest and largest value as they are written.
    pub ends: Ends,
}

/// The ends of a number with a fraction, as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Smallest value.
    pub lo: Option<Decimal>,
    /// Largest value.
    pub hi: Option<Decimal>,
    /// The one and the other is no value itself.
    pub open: (bool, bool),
}

impl Facets {
    /// Smallest and largest value as they are written; of numbers with fractions one may be no value itself.
    pub fn written(&self) -> (Option<String>, Option<String>) {
        let text = |end: Option<Decimal>, whole: Option<i64>| match end.filter(|_| self.real) {
            Some(d) => Some(d.text()),
            None => whole.map(|n| n.to_string()),
        };
        (text(self.ends.lo, self.min), text(self.ends.hi, self.max))
    }

    /// Which ends are no values themselves.
    pub fn open(&self) -> (bool, bool) {
        if self.real { self.ends.open } else { (false, false) }
    }

    /// The numbers between the ends that are given.
    pub fn wide(&self, given: Option<(i64, i64)>) -> Wide {
        let (lo, hi) = given.map_or((self.min, self.max), |(lo, hi)| (Some(lo), Some(hi)));
        match (self.real, given) {
            (false, _) => Wide::Whole { lo, hi },
            (true, None) => Wide::Real { lo: self.ends.lo, hi: self.ends.hi, open: self.ends.open },
            (true, Some(_)) => {
                Wide::Real { lo: lo.map(Decimal::from), hi: hi.map(Decimal::from), open: (false, false) }
            }
        }
    }
}

/// The initial value as the schema spells it.
pub type Initial = Option<Word>;

/// The data of an artifact type.
#[derive(Clone, Debug, Default)]
pub struct TypeData {
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// Their facets.
    pub facets: Vec<Facets>,
    /// Bags.
    pub bags: Vec<Bag>,
    /// Names that may stand in front of attribute paths: data item and root element.
    pub aliases: Vec<String>,
}

/// Reads the data of a component.
pub fn type_data(raw: &RawComponent, dialect: Dialect, schemas: &mut Schemas, diags: &mut Diagnostics) -> TypeData {
    let mut out = TypeData::default();
    let root = root_item(raw, diags);
    for (at, item) in raw.items.iter().enumerate() {
        let Some(fields) = item_fields(item, dialect, schemas, diags) else { continue };
        // Data items beside the root one keep their name in the paths.
        let prefix = item.id.as_ref().filter(|_| root != Some(at)).map(|id| id.text.as_str());
        let names = item.id.iter().chain(&item.root).map(|w| w.text.clone());
        out.aliases.extend(names.filter(|_| prefix.is_none()));
        for field in fields {
            out.add(field, prefix);
        }
    }
    out
}

/// Position of the root data item.
fn root_item(raw: &RawComponent, diags: &mut Diagnostics) -> Option<usize> {
    let Some(wanted) = raw.root_item.as_ref().filter(|w| !w.text.is_empty()) else {
        return (!raw.items.is_empty()).then_some(0);
    };
    let ids = || raw.items.iter().filter_map(|i| i.id.as_ref()).map(|id| id.text.as_str());
    let found = raw.items.iter().position(|i| i.id.as_ref().is_some_and(|id| id.text == wanted.text));
    if found.is_none() && !raw.items.is_empty() {
        let message = format!("no data item is called '{}'", wanted.text);
        diags.push(Diagnostic::new(&model::UNKNOWN_ROOT, wanted.span, message).nearest(&wanted.text, ids()));
    }
    found
}

impl TypeData {
    fn add(&mut self, field: XsdField, prefix: Option<&str>) {
        let placed = |path: &str| prefix.map_or(path.to_string(), |p| format!("{p}.{path}"));
        let (path, bag) = (placed(&field.path), field.bag.as_deref().map(placed));
        if self.attrs.iter().any(|a| a.path == path) {
            return;
        }
        let (kind, domain) = provisional(&field);
        let wide = endless(&field);
        let (span, set) = (field.span, field.set);
        if let Some(bag) = bag {
            let at = self.bags.iter().position(|b| b.path == bag).unwrap_or_else(|| {
                let (fields, tests, regions) = Default::default();
                self.bags.push(Bag { path: bag, span, fields, exact: Vec::new(), tests, regions });
                self.bags.len() - 1
            });
            self.bags[at].fields.push(AttrIx::next(&self.attrs));
        }
        self.attrs.push(Attribute { path, span, kind, domain, init: 0, set, initial: None, wide, ranged: false });
        self.facets.push(Facets {
            min: field.min,
            max: field.max,
            initial: field.initial,
            real: field.kind == Kind::Decimal,
            ends: field.ends,
        });
    }
}

/// Fields of the root element of a data item or message.
fn item_fields(
    item: &RawItem,
    dialect: Dialect,
    schemas: &mut Schemas,
    diags: &mut Diagnostics,
) -> Option<Vec<XsdField>> {
    if let Some(fields) = &item.fields {
        return Some(fields.clone());
    }
    let Some(uri) = item.schema.as_ref().filter(|w| !w.text.is_empty()) else {
        diags.push(Diagnostic::new(&model::MISSING_ATTRIBUTE, item.span, "this data item has no schemaUri"));
        return None;
    };
    let schema = schemas.get(uri, diags)?;
    let root = match (&item.root, schema.elements.as_slice()) {
        (Some(root), _) if !root.text.is_empty() => root,
        (_, [only]) => return schema.fields(&only.name, diags),
        _ => return Some(schema.all_fields(diags)),
    };
    let local = root.text.rsplit(':').next().unwrap_or(&root.text);
    if let Some(fields) = schema.fields(local, diags) {
        return Some(fields);
    }
    if dialect == Dialect::EGsm {
        return Some(schema.all_fields(diags));
    }
    diags.push(unknown_root(root, &schema));
    None
}

fn unknown_root(root: &Word, schema: &Schema) -> Diagnostic {
    let names = schema.elements.iter().map(|e| e.name.as_str());
    let message = format!("the schema has no global element '{}'", root.text);
    Diagnostic::new(&model::UNKNOWN_ROOT, root.span, message).nearest(&root.text, names)
}

/// What an event carries.
#[derive(Clone, Debug, Default)]
pub struct Payload {
    /// Its fields.
    pub fields: Vec<Field>,
    /// Their facets.
    pub facets: Vec<Facets>,
    /// Paths of bags.
    pub bags: Vec<String>,
    /// Everything as it is declared.
    pub declared: Vec<Declared>,
}

/// A field of a message as it is declared.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The field.
    pub field: Field,
    /// Its facets.
    pub facets: Facets,
    /// One of many?
    pub set: bool,
    /// Of the elements of a bag?
    pub in_bag: bool,
}

/// Payload fields of an event's messages.
pub fn payload(messages: &[RawItem], schemas: &mut Schemas, diags: &mut Diagnostics) -> Payload {
    let mut out = Payload::default();
    for message in messages {
        if message.schema.is_none() && message.root.is_none() && message.fields.is_none() {
            continue;
        }
        let fields = item_fields(message, Dialect::Barcelona, schemas, diags).unwrap_or_default();
        for field in fields {
            if out.declared.iter().any(|d| d.field.name == field.path) {
                continue;
            }
            let (kind, domain) = provisional(&field);
            let wide = endless(&field);
            let real = field.kind == Kind::Decimal;
            let facets = Facets { min: field.min, max: field.max, initial: None, real, ends: field.ends };
            let (set, in_bag) = (field.set, field.bag.is_some());
            out.bags.extend(field.bag.filter(|b| !out.bags.contains(b)));
            let field = Field { name: field.path, kind, domain, wide };
            if !set {
                out.fields.push(field.clone());
                out.facets.push(facets.clone());
            }
            out.declared.push(Declared { field, facets, set, in_bag });
        }
    }
    out
}

/// All numbers, for a field that is one.
fn endless(field: &XsdField) -> Option<Wide> {
    match field.kind {
        Kind::Integer => Some(Wide::Whole { lo: None, hi: None }),
        Kind::Decimal => Some(Wide::Real { lo: None, hi: None, open: (false, false) }),
        _ => None,
    }
}

/// Kind, and values as far as the schema alone tells.
fn provisional(field: &XsdField) -> (DataKind, Domain) {
    let values = |values: Vec<String>| Domain::Enum { values, bottom: true };
    match field.kind {
        Kind::Boolean => (DataKind::Boolean, Domain::Bool),
        Kind::Date => (DataKind::Date { timed: false }, Domain::Bool),
        Kind::Time => (DataKind::Date { timed: true }, Domain::Bool),
        Kind::Integer | Kind::Decimal => (DataKind::Integer, Domain::Int { lo: 0, hi: 1 }),
        Kind::Text if field.values.is_empty() => (DataKind::Text, values(Vec::new())),
        Kind::Text => (DataKind::Enumeration, values(field.values.clone())),
    }
}
