//! A strict reader of JSON Schema (draft 2020-12): the keywords that docs/schemas uses and no other, each part of a schema that some
//! document met remembered.

use regex::Regex;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// All schemas of a folder, by file name.
pub struct Schemas {
    files: BTreeMap<String, Value>,
    /// Properties that some document had: `results.json/$defs/result/properties/trace`.
    pub met: std::cell::RefCell<BTreeSet<String>>,
}

/// Keywords that say something about documents; others but the annotations are refused.
const KEYWORDS: [&str; 16] = [
    "$ref",
    "type",
    "const",
    "enum",
    "pattern",
    "minimum",
    "maximum",
    "properties",
    "required",
    "additionalProperties",
    "propertyNames",
    "dependentRequired",
    "items",
    "minItems",
    "maxItems",
    "anyOf",
];
const ANNOTATIONS: [&str; 6] = ["$schema", "$id", "$defs", "title", "description", "oneOf"];

impl Schemas {
    pub fn read(folder: &Path) -> Schemas {
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(folder).expect("schemas").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(entry.path()).expect("a schema");
            let schema: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(schema["$id"], name.as_str(), "{name}");
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
            files.insert(name, schema);
        }
        let schemas = Schemas { files, met: Default::default() };
        schemas.files.iter().for_each(|(name, schema)| schemas.sound(name, schema, name));
        schemas
    }

    pub fn names(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    /// Every property that the schemas name.
    pub fn properties(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (name, schema) in &self.files {
            listed(schema, name, &mut all);
        }
        all
    }

    /// What is wrong with a document.
    pub fn faults(&self, name: &str, document: &Value) -> Vec<String> {
        let mut found = Vec::new();
        match self.files.get(name) {
            Some(schema) => self.check(schema, name, document, "", &mut found),
            None => found.push(format!("there is no schema {name}")),
        }
        found
    }

    /// Is a schema one that this reader reads whole, and that leaves nothing open?
    fn sound(&self, file: &str, schema: &Value, at: &str) {
        let Value::Object(parts) = schema else { return assert!(schema.is_boolean(), "{at}: {schema}") };
        for key in parts.keys() {
            let known = KEYWORDS.contains(&key.as_str()) || ANNOTATIONS.contains(&key.as_str());
            assert!(known, "{at}: '{key}' is not read");
        }
        if parts.get("type").is_some_and(|t| t == "object") {
            assert!(parts.contains_key("additionalProperties"), "{at}: other properties are not spoken of");
        }
        let properties = parts.get("properties").and_then(Value::as_object);
        for name in parts.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            assert!(properties.is_some_and(|p| p.contains_key(name)), "{at}: '{name}' is required and not described");
        }
        if let Some(to) = parts.get("$ref").and_then(Value::as_str) {
            self.target(file, to);
        }
        for key in ["properties", "$defs"] {
            for (name, inner) in parts.get(key).and_then(Value::as_object).into_iter().flatten() {
                self.sound(file, inner, &format!("{at}/{key}/{name}"));
            }
        }
        for key in ["items", "additionalProperties", "propertyNames"] {
            parts.get(key).into_iter().for_each(|inner| self.sound(file, inner, &format!("{at}/{key}")));
        }
        for key in ["anyOf", "oneOf"] {
            for inner in parts.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.sound(file, inner, &format!("{at}/{key}"));
            }
        }
    }

    /// What a reference stands for, with its file and place.
    fn target(&self, file: &str, to: &str) -> (&Value, String) {
        let (other, pointer) = to.split_once('#').unwrap_or((to, ""));
        let name = if other.is_empty() { file } else { other };
        let found = self.files.get(name).and_then(|schema| schema.pointer(pointer));
        (found.unwrap_or_else(|| panic!("{file}: {to} is nowhere")), format!("{name}{pointer}"))
    }

    fn check(&self, schema: &Value, at: &str, value: &Value, place: &str, found: &mut Vec<String>) {
        let parts = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return found.push(format!("{place}: not allowed")),
            schema => schema.as_object().expect("a schema"),
        };
        let file = at.split('/').next().unwrap_or(at);
        if let Some(to) = parts.get("$ref").and_then(Value::as_str) {
            let (inner, at) = self.target(file, to);
            self.check(inner, &at, value, place, found);
        }
        let mut fault = |text: String| found.push(format!("{place}: {text}"));
        if parts.get("type").is_some_and(|types| !is_of(types, value)) {
            return fault(format!("{value} is not of type {}", parts["type"]));
        }
        if parts.get("const").is_some_and(|wanted| wanted != value) {
            fault(format!("{value} is not {}", parts["const"]));
        }
        if parts.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(value)) {
            fault(format!("{value} is not one of {}", parts["enum"]));
        }
        if let (Some(pattern), Some(text)) = (parts.get("pattern").and_then(Value::as_str), value.as_str())
            && !Regex::new(pattern).expect("a pattern").is_match(text)
        {
            fault(format!("{value} does not match {pattern}"));
        }
        let bound = |key: &str| parts.get(key).and_then(Value::as_f64).zip(value.as_f64());
        if bound("minimum").is_some_and(|(least, n)| n < least) || bound("maximum").is_some_and(|(most, n)| n > most) {
            fault(format!("{value} is out of range"));
        }
        if let Value::Array(items) = value {
            let bound = |key: &str| parts.get(key).and_then(Value::as_u64);
            let (least, most) = (bound("minItems").unwrap_or(0), bound("maxItems").unwrap_or(u64::MAX));
            if !(least..=most).contains(&(items.len() as u64)) {
                fault(format!("{} items", items.len()));
            }
            if let Some(inner) = parts.get("items") {
                for (n, item) in items.iter().enumerate() {
                    self.check(inner, &format!("{at}/items"), item, &format!("{place}/{n}"), found);
                }
            }
        }
        if let Value::Object(fields) = value {
            self.fields(parts, at, fields, place, found);
        }
        for (key, exactly) in [("anyOf", false), ("oneOf", true)] {
            let Some(choices) = parts.get(key).and_then(Value::as_array) else { continue };
            let of = |choice: &Value| {
                let mut wrong = Vec::new();
                self.check(choice, &format!("{at}/{key}"), value, place, &mut wrong);
                wrong
            };
            let tried: Vec<Vec<String>> = choices.iter().map(of).collect();
            let fitting = tried.iter().filter(|wrong| wrong.is_empty()).count();
            if fitting == 0 || exactly && fitting > 1 {
                // The nearest choice says most.
                let nearest = tried.into_iter().min_by_key(Vec::len).unwrap_or_default();
                found.push(format!("{place}: fits {fitting} of {key}; {}", nearest.join("; ")));
            }
        }
    }

    fn fields(
        &self,
        parts: &Map<String, Value>,
        at: &str,
        fields: &Map<String, Value>,
        place: &str,
        found: &mut Vec<String>,
    ) {
        let texts = |list: &Value| -> Vec<String> { serde_json::from_value(list.clone()).expect("names") };
        for name in parts.get("required").map(texts).into_iter().flatten().filter(|n| !fields.contains_key(n)) {
            found.push(format!("{place}: lacks '{name}'"));
        }
        for (name, needed) in parts.get("dependentRequired").and_then(Value::as_object).into_iter().flatten() {
            let lacking = texts(needed).into_iter().filter(|n| fields.contains_key(name) && !fields.contains_key(n));
            found.extend(lacking.map(|n| format!("{place}: has '{name}' and lacks '{n}'")));
        }
        let known = parts.get("properties").and_then(Value::as_object);
        for (name, value) in fields {
            let place = format!("{place}/{name}");
            if let Some(inner) = parts.get("propertyNames") {
                self.check(inner, &format!("{at}/propertyNames"), &Value::from(name.as_str()), &place, found);
            }
            match (known.and_then(|known| known.get(name)), parts.get("additionalProperties")) {
                (Some(inner), _) => {
                    let at = format!("{at}/properties/{name}");
                    self.check(inner, &at, value, &place, found);
                    self.met.borrow_mut().insert(at);
                }
                (None, Some(inner)) => self.check(inner, &format!("{at}/additionalProperties"), value, &place, found),
                (None, None) => {}
            }
        }
    }
}

fn is_of(types: &Value, value: &Value) -> bool {
    let one = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type '{other}'"),
    };
    match types {
        Value::String(name) => one(name),
        names => names.as_array().expect("types").iter().any(|name| one(name.as_str().expect("a type"))),
    }
}

fn listed(schema: &Value, at: &str, all: &mut BTreeSet<String>) {
    let Value::Object(parts) = schema else { return };
    for (key, inner) in parts {
        match (key.as_str(), inner) {
            ("properties" | "$defs", Value::Object(named)) => {
                for (name, inner) in named {
                    let at = format!("{at}/{key}/{name}");
                    listed(inner, &at, all);
                    if key == "properties" {
                        all.insert(at);
                    }
                }
            }
            ("items" | "additionalProperties", inner) => listed(inner, &format!("{at}/{key}"), all),
            ("anyOf" | "oneOf", Value::Array(choices)) => {
                choices.iter().for_each(|c| listed(c, &format!("{at}/{key}"), all));
            }
            _ => {}
        }
    }
}
