//! Names and texts as both sides take them.

/// Words that mean something in conditions or at the start of lines.
const KEYWORDS: [&str; 36] = [
    "true",
    "false",
    "TRUE",
    "FALSE",
    "and",
    "or",
    "not",
    "xor",
    "implies",
    "iff",
    "AND",
    "OR",
    "NOT",
    "XOR",
    "IMPLIES",
    "IFF",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "UNTIL",
    "some",
    "all",
    "stage",
    "milestone",
    "completed",
    "done",
    "occurs",
    "self",
    "this",
    "payload",
    "on",
    "when",
    "create",
];

/// Can a name stand without quotes everywhere?
pub fn plain(name: &str) -> bool {
    let letter = |c: char| c.is_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !KEYWORDS.contains(&name)
}

/// A name, in quotes where it needs them.
pub fn name(name: &str) -> String {
    if plain(name) { name.to_string() } else { quoted(name) }
}

/// A text in single quotes.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A text in double quotes.
pub fn double_quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A value of an attribute: a number or plain word as it is, anything else in quotes.
pub fn value(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = {
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        all(whole) && all(fraction)
    };
    if number || matches!(text, "true" | "false") { text.to_string() } else { name(text) }
}
