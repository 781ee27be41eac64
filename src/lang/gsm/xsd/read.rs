//! Schema file to declarations.

use super::{Base, Complex, Decl, Kind, Schema, Simple, Type};
use crate::lang::gsm::Decimal;
use crate::lang::gsm::resolve::Ends;
use crate::lang::gsm::xml::{Word, parse, span_of};
use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};
use roxmltree::Node;
use std::collections::BTreeSet;

const XSD: &str = "http://www.w3.org/2001/XMLSchema";
/// Facets that neither change what gsmc checks nor need a word.
const SILENT: [&str; 2] = ["annotation", "whiteSpace"];

/// Attributes that the schema language has; most say nothing about values.
const ATTRIBUTES: [&str; 25] = [
    "name",
    "type",
    "ref",
    "use",
    "default",
    "fixed",
    "minOccurs",
    "maxOccurs",
    "base",
    "value",
    "id",
    "form",
    "nillable",
    "mixed",
    "final",
    "block",
    "version",
    "source",
    "namespace",
    "schemaLocation",
    "targetNamespace",
    "elementFormDefault",
    "attributeFormDefault",
    "finalDefault",
    "blockDefault",
];

/// Reads a schema file. `None` when it is not one.
pub fn read(file: FileId, sources: &Sources, diags: &mut Diagnostics) -> Option<Schema> {
    let text = &sources.file(file)?.text;
    let doc = parse(file, text, diags)?;
    let root = doc.root_element();
    if !root.has_tag_name((XSD, "schema")) {
        let message = format!("this is not an XML schema: its root element is '{}'", root.tag_name().name());
        let d = Diagnostic::new(&model::NOT_A_SCHEMA, span_of(file, root), message);
        diags.push(d.note(format!("the root element is 'schema' in namespace '{XSD}'")));
        return None;
    }
    let mut reader = Reader { file, text, diags, warned: BTreeSet::new() };
    root.descendants().for_each(|node| reader.attributes(node));
    let mut schema = Schema::default();
    for child in elements(root) {
        match (name_of(child), child.attribute("name")) {
            ("element", _) => schema.elements.extend(reader.decl(child, false)),
            ("complexType", Some(name)) => {
                let ty = Type::Complex(reader.complex(child));
                schema.types.insert(name.to_string(), ty);
            }
            ("simpleType", Some(name)) => {
                let ty = Type::Simple(reader.simple(child));
                schema.types.insert(name.to_string(), ty);
            }
            ("group" | "attributeGroup", Some(name)) => {
                let group = reader.complex(child);
                schema.groups.insert(name.to_string(), group);
            }
            ("include", _) if child.attribute("schemaLocation").is_some() => {
                schema.includes.extend(reader.word(child, "schemaLocation"));
            }
            _ => reader.ignored(child),
        }
    }
    Some(schema)
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    diags: &'a mut Diagnostics,
    warned: BTreeSet<String>,
}

impl Reader<'_> {
    /// An `element` or `attribute`; `many` when a group around it repeats.
    fn decl(&mut self, node: Node, many: bool) -> Option<Decl> {
        let occurs = node.attribute("maxOccurs").unwrap_or("1");
        if occurs == "0" || node.attribute("use") == Some("prohibited") {
            return None;
        }
        let many = many || occurs == "unbounded" || occurs.parse::<u64>().is_ok_and(|n| n > 1);
        let span = span_of(self.file, node);
        let reference = self.word(node, "ref");
        let Some(name) = node.attribute("name").map(str::to_string).or(reference.as_ref().map(|r| r.text.clone()))
        else {
            let message = format!("this {} has no name", name_of(node));
            self.diags.push(Diagnostic::new(&model::MISSING_ATTRIBUTE, span, message));
            return None;
        };
        let initial = self.word(node, "default").or_else(|| self.word(node, "fixed"));
        let ty = match reference {
            Some(r) => Type::Element(r),
            None => self.type_of(node),
        };
        Some(Decl { name, span, ty, initial, many })
    }

    fn type_of(&mut self, node: Node) -> Type {
        if let Some(name) = self.word(node, "type") {
            return self.named(node, name);
        }
        let mut found = None;
        for child in elements(node) {
            match name_of(child) {
                "complexType" => found = Some(Type::Complex(self.complex(child))),
                "simpleType" => found = Some(Type::Simple(self.simple(child))),
                _ => self.ignored(child),
            }
        }
        found.unwrap_or(Type::Simple(Simple::default()))
    }

    /// A type by its name: built in, or of this schema.
    fn named(&mut self, node: Node, name: Word) -> Type {
        match self.builtin(node, &name) {
            Some(simple) => Type::Simple(simple),
            None => Type::Named(local(name)),
        }
    }

    fn builtin(&self, node: Node, name: &Word) -> Option<Simple> {
        let (prefix, local) = match name.text.split_once(':') {
            Some((p, l)) => (Some(p), l),
            None => (None, name.text.as_str()),
        };
        (node.lookup_namespace_uri(prefix) == Some(XSD)).then(|| builtin(local)).flatten()
    }

    fn complex(&mut self, node: Node) -> Complex {
        let mut out = Complex::default();
        self.content(node, false, &mut out);
        out
    }

    /// Fields of a complex type, or of a group or extension inside one. The tree's depth limit bounds the recursion.
    fn content(&mut self, node: Node, many: bool, out: &mut Complex) {
        for child in elements(node) {
            match name_of(child) {
                "element" | "attribute" => out.fields.extend(self.decl(child, many)),
                "sequence" | "all" | "choice" => {
                    let occurs = child.attribute("maxOccurs").unwrap_or("1");
                    let repeats = occurs == "unbounded" || occurs.parse::<u64>().is_ok_and(|n| n > 1);
                    self.content(child, many || repeats, out);
                }
                "group" | "attributeGroup" if child.attribute("ref").is_some() => {
                    let occurs = child.attribute("maxOccurs").unwrap_or("1");
                    let repeats = occurs == "unbounded" || occurs.parse::<u64>().is_ok_and(|n| n > 1);
                    out.groups.extend(self.word(child, "ref").map(|name| (local(name), many || repeats)));
                }
                "complexContent" | "simpleContent" => self.content(child, many, out),
                "extension" => {
                    if let Some(base) = self.word(child, "base") {
                        out.base = Some(Box::new(self.named(child, base)));
                    }
                    self.content(child, many, out);
                }
                _ => self.ignored(child),
            }
        }
    }

    fn simple(&mut self, node: Node) -> Simple {
        let mut out = Simple::default();
        for child in elements(node) {
            if name_of(child) != "restriction" {
                self.ignored(child);
                continue;
            }
            if let Some(base) = self.word(child, "base") {
                out.base = Some(match self.builtin(child, &base) {
                    Some(simple) => {
                        (out.min, out.max) = (simple.min, simple.max);
                        simple.base.unwrap_or(Base::Kind(Kind::Text))
                    }
                    None => Base::Named(local(base)),
                });
            }
            for facet in elements(child) {
                self.facet(facet, &mut out);
            }
        }
        out
    }

    fn facet(&mut self, node: Node, out: &mut Simple) {
        let Some(value) = self.word(node, "value") else { return self.ignored(node) };
        match name_of(node) {
            "enumeration" if !out.values.contains(&value.text) => out.values.push(value.text.clone()),
            "enumeration" => {}
            facet @ ("minInclusive" | "minExclusive") => {
                let Some(end) = self.bound(&value) else { return };
                let open = facet == "minExclusive";
                // What lies above a fraction are the whole numbers from the next one on.
                out.min = Some(if open { end.floor().saturating_add(1) } else { end.ceil() });
                (out.ends.lo, out.ends.open.0) = (Some(end), open);
            }
            facet @ ("maxInclusive" | "maxExclusive") => {
                let Some(end) = self.bound(&value) else { return };
                let open = facet == "maxExclusive";
                out.max = Some(if open { end.ceil().saturating_sub(1) } else { end.floor() });
                (out.ends.hi, out.ends.open.1) = (Some(end), open);
            }
            _ => self.ignored(node),
        }
    }

    fn bound(&mut self, value: &Word) -> Option<Decimal> {
        let end = Decimal::read(&value.text);
        if end.is_none() {
            let message = format!("'{}' is not a number", value.text);
            self.diags.push(Diagnostic::new(&model::BAD_FACET, value.span, message));
        }
        end
    }

    /// Warns of attributes that the schema language does not have, or that gsmc does not follow (`abstract`, `substitutionGroup`, …).
    fn attributes(&mut self, node: Node) {
        if node.tag_name().namespace() != Some(XSD) {
            return;
        }
        for attr in node.attributes().filter(|a| a.namespace().is_none() && !ATTRIBUTES.contains(&a.name())) {
            let name = attr.name();
            if self.warned.insert(format!("@{name}")) {
                let (message, range) = (format!("schema attribute '{name}' is ignored"), attr.range_qname());
                let span = Span::new(self.file, range.start, range.end);
                let d = Diagnostic::new(&model::SCHEMA_IGNORED, span, message);
                self.diags.push(d.nearest(name, ATTRIBUTES));
            }
        }
        if let Some(occurs) = self.word(node, "maxOccurs")
            && occurs.text != "unbounded"
            && occurs.text.parse::<u64>().is_err()
        {
            let message = format!("'{}' is not how often something may occur", occurs.text);
            self.diags
                .push(Diagnostic::new(&model::BAD_FACET, occurs.span, message).help("write a number or unbounded"));
        }
    }

    fn ignored(&mut self, node: Node) {
        let name = name_of(node);
        if SILENT.contains(&name) || !self.warned.insert(name.to_string()) {
            return;
        }
        let message = format!("schema construct '{name}' is ignored");
        self.diags.push(Diagnostic::new(&model::SCHEMA_IGNORED, span_of(self.file, node), message));
    }

    fn word(&self, node: Node, name: &str) -> Option<Word> {
        let attr = node.attribute_node(name)?;
        let range = attr.range_value();
        let raw = self.text.get(range.clone()).unwrap_or("");
        let start = range.start + raw.len() - raw.trim_start().len();
        Some(Word {
            text: attr.value().trim().to_string(),
            span: Span::new(self.file, start, start + raw.trim().len()),
        })
    }
}

fn elements<'n, 'i>(node: Node<'n, 'i>) -> impl Iterator<Item = Node<'n, 'i>> {
    node.children().filter(Node::is_element)
}

/// Local name of a schema element; elements of other namespaces have a name that no schema element has.
fn name_of<'i>(node: Node<'_, 'i>) -> &'i str {
    node.tag_name().name()
}

fn local(mut name: Word) -> Word {
    if let Some((_, local)) = name.text.split_once(':') {
        name.text = local.to_string();
    }
    name
}

/// A number cut to a whole one, and whether nothing was cut.
pub fn whole(text: &str) -> Option<(i64, bool)> {
    if let Ok(n) = text.parse::<i64>() {
        return Some((n, true));
    }
    let (head, tail) = text.split_once('.')?;
    let digits = !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
    let head = match head {
        "" | "+" | "-" => "0",
        other => other,
    };
    let n = head.parse::<i64>().ok().filter(|_| digits)?;
    Some((n, tail.bytes().all(|b| b == b'0')))
}

/// The built-in types that gsmc knows as something else than a text, and the common texts.
pub(super) const BUILT_IN: [&str; 8] =
    ["boolean", "integer", "int", "decimal", "string", "date", "dateTime", "nonNegativeInteger"];

/// Built-in types that are texts to gsmc.
const TEXTS: [&str; 21] = [
    "string",
    "normalizedString",
    "token",
    "language",
    "Name",
    "NCName",
    "QName",
    "NMTOKEN",
    "NMTOKENS",
    "ID",
    "IDREF",
    "IDREFS",
    "ENTITY",
    "ENTITIES",
    "anyURI",
    "base64Binary",
    "hexBinary",
    "anyType",
    "anySimpleType",
    "anyAtomicType",
    "NOTATION",
];

/// The built-in types of XML schema as gsmc sees them; `None` for one that there is not.
fn builtin(name: &str) -> Option<Simple> {
    let (kind, min, max) = match name {
        "boolean" => (Kind::Boolean, None, None),
        "int" | "integer" | "long" | "short" | "byte" => (Kind::Integer, None, None),
        "nonNegativeInteger" | "unsignedInt" | "unsignedLong" | "unsignedShort" | "unsignedByte" => {
            (Kind::Integer, Some(0), None)
        }
        "positiveInteger" => (Kind::Integer, Some(1), None),
        "nonPositiveInteger" => (Kind::Integer, None, Some(0)),
        "negativeInteger" => (Kind::Integer, None, Some(-1)),
        "double" | "float" | "decimal" => (Kind::Decimal, None, None),
        "date" | "duration" | "gYear" | "gYearMonth" | "gMonth" | "gMonthDay" | "gDay" => (Kind::Date, None, None),
        "dateTime" | "time" => (Kind::Time, None, None),
        name if TEXTS.contains(&name) => (Kind::Text, None, None),
        _ => return None,
    };
    Some(Simple { base: Some(Base::Kind(kind)), values: Vec::new(), min, max, ends: Ends::default() })
}
