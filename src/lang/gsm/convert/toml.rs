//! Settings: tables of `gsmc.toml` and blocks of the notation say the same.

use super::names;
use crate::lang::config::SECTIONS;
use std::fmt::Write;
use toml::{Table, Value};

/// A block of settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// `instances`, `options`, …
    pub name: String,
    /// Keys and values, as TOML writes them.
    pub entries: Vec<(String, String)>,
}

/// The tables of a `gsmc.toml`, except what the types of attributes say (ranges, relations).
pub fn blocks(text: &str) -> Vec<Block> {
    let Ok(table) = text.parse::<Table>() else { return Vec::new() };
    let mut all = Vec::new();
    for name in SECTIONS.iter().filter(|s| !matches!(**s, "ranges" | "relations")) {
        let Some(Value::Table(inner)) = table.get(*name) else { continue };
        let mut entries = Vec::new();
        flatten("", inner, &mut entries);
        all.push(Block { name: name.to_string(), entries });
    }
    all
}

fn flatten(prefix: &str, table: &Table, out: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => flatten(&key, inner, out),
            other => out.push((key, other.to_string())),
        }
    }
}

/// `instances { Loan = 2, Fine = 1 }`
pub fn as_notation(block: &Block) -> String {
    let entry = |(key, value): &(String, String)| {
        let key = key.split('.').map(names::name).collect::<Vec<_>>().join(".");
        format!("{key} = {}", plain_value(value))
    };
    format!("{} {{ {} }}\n", block.name, block.entries.iter().map(entry).collect::<Vec<_>>().join(", "))
}

/// A TOML value as the notation has it: a text that is a plain word without quotes.
fn plain_value(value: &str) -> String {
    match value.parse::<Value>() {
        Ok(Value::String(text)) => names::name(&text),
        _ => value.to_string(),
    }
}

/// `[instances]` and its lines.
pub fn as_toml(block: &Block) -> String {
    let mut out = format!("\n[{}]\n", block.name);
    for (key, value) in &block.entries {
        let _ = writeln!(out, "{} = {value}", toml_key(key));
    }
    out
}

/// A key with dots, blanks or other characters in quotes.
pub fn toml_key(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_string() } else { Value::String(key.to_string()).to_string() }
}
