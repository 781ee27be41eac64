//! Declarations to a flat list of fields.

use super::read::whole;
use super::{Base, Complex, Decl, Kind, Schema, Simple, Type};
use crate::lang::gsm::Decimal;
use crate::lang::gsm::resolve::Ends;
use crate::lang::gsm::xml::Word;
use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics, Span};

/// Deepest nesting of complex types; recursive ones end here.
const MAX_DEPTH: usize = 24;
/// Most declarations met on the way, fields or not: types that branch can be met many times.
const MAX_FIELDS: usize = 5_000;

/// A simple value somewhere in an element.
#[derive(Clone, Debug)]
pub struct XsdField {
    /// Names on the way to it, joined with dots.
    pub path: String,
    /// Where it is declared.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
    /// Enumerated values; empty: not an enumeration.
    pub values: Vec<String>,
    /// Smallest value.
    pub min: Option<i64>,
    /// Largest value.
    pub max: Option<i64>,
    /// The same as they are written, for a number with a fraction.
    pub ends: Ends,
    /// `default` or `fixed`.
    pub initial: Option<Word>,
    /// It may occur more than once.
    pub set: bool,
    /// The path of the bag whose elements have it; none inside of a bag of bags.
    pub bag: Option<String>,
}

/// How often something occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occurs {
    /// Once.
    Once,
    /// Any number of times, as part of the bag of this path.
    In(String),
    /// In a bag inside of a bag.
    Nested,
}

impl Occurs {
    /// The same for something that may itself occur many times, at a path.
    pub fn many(&self, path: &str) -> Occurs {
        match self {
            Occurs::Once => Occurs::In(path.to_string()),
            _ => Occurs::Nested,
        }
    }

    /// The path of the bag.
    pub fn bag(&self) -> Option<String> {
        match self {
            Occurs::In(path) => Some(path.clone()),
            _ => None,
        }
    }
}

/// A walk over declarations that collects fields.
struct Flattener<'a> {
    schema: &'a Schema,
    diags: &'a mut Diagnostics,
    fields: Vec<XsdField>,
    met: usize,
    stopped: bool,
    /// The complex types and groups around the present place.
    around: Vec<&'a Complex>,
    /// Elements that contain themselves, each told once.
    told: Vec<Span>,
}

impl Schema {
    /// Fields of a global element (or, failing that, a named complex type), without its own name in the paths.
    pub fn fields(&self, root: &str, diags: &mut Diagnostics) -> Option<Vec<XsdField>> {
        let element = self.elements.iter().find(|e| e.name == root);
        let ty = element.map(|e| &e.ty).or_else(|| self.types.get(root))?;
        let initial = element.and_then(|e| e.initial.clone());
        let span = element.map(|e| e.span);
        let mut walk = Flattener::new(self, diags);
        match (walk.schema.resolve(ty), span) {
            // A root that is a plain value is its own only field.
            (Some(Type::Simple(_)), Some(span)) => walk.value(root.to_string(), span, ty, initial, &Occurs::Once),
            _ => walk.fields_of("", ty, &Occurs::Once, 0),
        }
        Some(walk.fields)
    }

    /// Fields of all global elements, each under its element's name.
    pub fn all_fields(&self, diags: &mut Diagnostics) -> Vec<XsdField> {
        let mut walk = Flattener::new(self, diags);
        for element in &self.elements {
            walk.decl("", element, &Occurs::Once, 0);
        }
        walk.fields
    }

    /// Follows names and references; `None` when they lead nowhere.
    fn resolve<'a>(&'a self, mut ty: &'a Type) -> Option<&'a Type> {
        for _ in 0..MAX_DEPTH {
            ty = match ty {
                Type::Named(name) => self.types.get(&name.text)?,
                Type::Element(name) => &self.elements.iter().find(|e| local(&name.text) == e.name)?.ty,
                _ => return Some(ty),
            };
        }
        None
    }
}

impl<'a> Flattener<'a> {
    fn new(schema: &'a Schema, diags: &'a mut Diagnostics) -> Flattener<'a> {
        let (fields, around, told) = (Vec::new(), Vec::new(), Vec::new());
        Flattener { schema, diags, fields, met: 0, stopped: false, around, told }
    }

    fn decl(&mut self, prefix: &str, decl: &'a Decl, occurs: &Occurs, depth: usize) {
        let name = local(&decl.name);
        let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
        let own = if decl.many { occurs.many(&path) } else { occurs.clone() };
        let occurs = &own;
        self.met += 1;
        if depth > MAX_DEPTH || self.met > MAX_FIELDS {
            return self.stop(decl.span);
        }
        match self.schema.resolve(&decl.ty) {
            Some(Type::Complex(complex)) if self.is_around(complex) => {
                self.contains_itself(decl, &path);
            }
            Some(Type::Complex(complex)) => {
                // Simple content: the element has a value of its own beside its attributes.
                if let Some(base) = &complex.base {
                    self.value(path.clone(), decl.span, base, decl.initial.clone(), occurs);
                }
                self.inner(&path, complex, occurs, depth + 1);
            }
            Some(_) => self.value(path, decl.span, &decl.ty, decl.initial.clone(), occurs),
            None => self.unknown_type(&decl.ty),
        }
    }

    fn fields_of(&mut self, prefix: &str, ty: &'a Type, occurs: &Occurs, depth: usize) {
        match self.schema.resolve(ty) {
            Some(Type::Complex(complex)) => self.inner(prefix, complex, occurs, depth),
            Some(_) => {}
            None => self.unknown_type(ty),
        }
    }

    fn inner(&mut self, prefix: &str, complex: &'a Complex, occurs: &Occurs, depth: usize) {
        if let Some(base) = &complex.base {
            if depth > MAX_DEPTH {
                return self.stop_at(base);
            }
            self.fields_of(prefix, base, occurs, depth + 1);
        }
        self.around.push(complex);
        for field in &complex.fields {
            if self.stopped {
                break;
            }
            self.decl(prefix, field, occurs, depth);
        }
        for (name, many) in &complex.groups {
            let Some(group) = self.schema.groups.get(&name.text) else {
                self.unknown_group(name);
                continue;
            };
            if self.stopped || self.is_around(group) {
                break;
            }
            let occurs = if *many { occurs.many(prefix) } else { occurs.clone() };
            self.inner(prefix, group, &occurs, depth + 1);
        }
        self.around.pop();
    }

    fn is_around(&self, complex: &Complex) -> bool {
        self.around.iter().any(|c| std::ptr::eq(*c, complex))
    }

    fn unknown_group(&mut self, name: &Word) {
        let d = Diagnostic::new(&model::UNKNOWN_SCHEMA_TYPE, name.span, format!("unknown group '{}'", name.text));
        let known: Vec<&str> = self.schema.groups.keys().map(String::as_str).collect();
        self.diags.push(d.nearest(&name.text, known));
    }

    /// An element that contains itself has values without end: they are left out.
    fn contains_itself(&mut self, decl: &Decl, path: &str) {
        if !self.told.contains(&decl.span) {
            self.told.push(decl.span);
            let message = format!("'{}' contains itself: '{path}' and what is inside is left out", local(&decl.name));
            self.diags.push(Diagnostic::new(&model::SCHEMA_IGNORED, decl.span, message));
        }
    }

    fn value(&mut self, path: String, span: Span, ty: &Type, initial: Option<Word>, occurs: &Occurs) {
        let Some(Type::Simple(simple)) = self.schema.resolve(ty) else { return };
        let (kind, simple) = self.narrow(simple.clone());
        let numbers: Vec<i64> = simple.values.iter().filter_map(|v| whole(v).map(|(n, _)| n)).collect();
        let (values, min, max, ends) = (simple.values, simple.min, simple.max, simple.ends);
        let (set, bag) = (*occurs != Occurs::Once, occurs.bag());
        let mut field = XsdField { path, span, kind, values, min, max, ends, initial, set, bag };
        // An enumeration of numbers is a range; of Booleans or dates it says nothing new.
        if matches!(kind, Kind::Integer | Kind::Decimal) {
            field.min = field.min.or(numbers.iter().copied().min());
            field.max = field.max.or(numbers.iter().copied().max());
            let exact: Vec<Decimal> = field.values.iter().filter_map(|v| Decimal::read(v)).collect();
            field.ends.lo = field.ends.lo.or(exact.iter().copied().min());
            field.ends.hi = field.ends.hi.or(exact.iter().copied().max());
        }
        if kind != Kind::Text {
            field.values.clear();
        }
        self.fields.push(field);
    }

    /// Follows restrictions down to the built-in kind; the outermost facets win.
    fn narrow(&mut self, mut simple: Simple) -> (Kind, Simple) {
        for _ in 0..MAX_DEPTH {
            match simple.base.take() {
                None => return (Kind::Text, simple),
                Some(Base::Kind(kind)) => return (kind, simple),
                Some(Base::Named(name)) => match self.schema.types.get(&name.text) {
                    Some(Type::Simple(inner)) => {
                        simple.base = Some(inner.base.clone().unwrap_or(Base::Kind(Kind::Text)));
                        simple.min = simple.min.or(inner.min);
                        simple.max = simple.max.or(inner.max);
                        if simple.ends.lo.is_none() {
                            (simple.ends.lo, simple.ends.open.0) = (inner.ends.lo, inner.ends.open.0);
                        }
                        if simple.ends.hi.is_none() {
                            (simple.ends.hi, simple.ends.open.1) = (inner.ends.hi, inner.ends.open.1);
                        }
                        if simple.values.is_empty() {
                            simple.values = inner.values.clone();
                        }
                    }
                    _ => self.unknown_type(&Type::Named(name)),
                },
            }
        }
        (Kind::Text, simple)
    }

    fn unknown_type(&mut self, ty: &Type) {
        let (Type::Named(name) | Type::Element(name)) = ty else { return };
        let message = format!("unknown schema type '{}'", name.text);
        let known: Vec<&str> = match ty {
            Type::Named(_) => self.schema.types.keys().map(String::as_str).chain(super::read::BUILT_IN).collect(),
            _ => self.schema.elements.iter().map(|e| e.name.as_str()).collect(),
        };
        self.diags.push(Diagnostic::new(&model::UNKNOWN_SCHEMA_TYPE, name.span, message).nearest(&name.text, known));
    }

    fn stop_at(&mut self, ty: &Type) {
        match ty {
            Type::Named(name) | Type::Element(name) => self.stop(name.span),
            _ => self.stopped = true,
        }
    }

    fn stop(&mut self, span: Span) {
        if !self.stopped {
            let message = "this element contains itself, or has too many fields".to_string();
            let d = Diagnostic::new(&model::DATA_TOO_LARGE, span, message)
                .note(format!("gsmc takes at most {MAX_FIELDS} fields, nested at most {MAX_DEPTH} deep"));
            self.diags.push(d);
        }
        self.stopped = true;
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
