//! Data as an XML schema.

use super::data::{Datum, Item};
use super::xml::escaped;
use crate::lang::gsm::DataKind;
use crate::lang::gsm::domains::constants::unquoted;
use crate::machine::Domain;
use std::fmt::Write;

/// A schema file with these global elements.
pub fn schema(elements: &[(String, Vec<Item>)]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n");
    for (name, items) in elements {
        group(name, false, items, "  ", &mut out);
    }
    out.push_str("</xs:schema>\n");
    out
}

fn group(name: &str, many: bool, items: &[Item], indent: &str, out: &mut String) {
    let occurs = if many { " minOccurs=\"0\" maxOccurs=\"unbounded\"" } else { "" };
    let _ = writeln!(out, "{indent}<xs:element name=\"{}\"{occurs}><xs:complexType><xs:sequence>", escaped(name));
    for item in items {
        match item {
            Item::Group(name, many, items) => group(name, *many, items, &format!("{indent}  "), out),
            Item::Value(name, datum) => value(name, datum, &format!("{indent}  "), out),
        }
    }
    let _ = writeln!(out, "{indent}</xs:sequence></xs:complexType></xs:element>");
}

fn value(name: &str, datum: &Datum, indent: &str, out: &mut String) {
    let facets = &datum.facets;
    let initial =
        facets.initial.as_ref().map_or(String::new(), |v| format!(" default=\"{}\"", escaped(unquoted(&v.text))));
    let occurs = if datum.set { " minOccurs=\"0\" maxOccurs=\"unbounded\"" } else { "" };
    let head = format!("{indent}<xs:element name=\"{}\"", escaped(name));
    let facet = |tag: &str, value: String| format!("<xs:{tag} value=\"{}\"/>", escaped(&value));
    let (base, narrowed) = match (datum.kind, datum.domain) {
        (DataKind::Boolean, _) => ("xs:boolean", String::new()),
        (DataKind::Date { timed }, _) => (if timed { "xs:dateTime" } else { "xs:date" }, String::new()),
        (DataKind::Reference(_), _) => ("xs:int", String::new()),
        (DataKind::Integer, _) => {
            let (min, max) = facets.written();
            let open = facets.open();
            let [least, most] = [open.0, open.1].map(|open| if open { "Exclusive" } else { "Inclusive" });
            let min = min.map_or(String::new(), |n| facet(&format!("min{least}"), n));
            let max = max.map_or(String::new(), |n| facet(&format!("max{most}"), n));
            (if facets.real { "xs:decimal" } else { "xs:int" }, min + &max)
        }
        (DataKind::Enumeration, Domain::Enum { values, .. }) => {
            ("xs:string", values.iter().map(|v| facet("enumeration", v.clone())).collect())
        }
        (DataKind::Text | DataKind::Enumeration, _) => ("xs:string", String::new()),
    };
    let _ = match narrowed.is_empty() {
        true => writeln!(out, "{head} type=\"{base}\"{initial}{occurs}/>"),
        false => writeln!(
            out,
            "{head}{initial}{occurs}><xs:simpleType><xs:restriction base=\"{base}\">{narrowed}</xs:restriction></xs:simpleType></xs:element>"
        ),
    };
}
