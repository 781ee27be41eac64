//! JSON lines: an object a line, nested keys joined with dots.

use super::{Fault, LATIN, Next, Options, Usual, breaks_off, event, not_utf8, whole};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Reads lines.
pub(super) struct Reader {
    path: PathBuf,
    input: Box<dyn BufRead>,
    options: Options,
    line: u64,
    over: bool,
}

impl Reader {
    /// From an input.
    pub fn new(path: &Path, input: Box<dyn BufRead>, options: &Options) -> Reader {
        Reader { path: path.into(), input, options: options.clone(), line: 0, over: false }
    }

    fn one(&self, bytes: &[u8]) -> Next {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_end();
        let text = std::str::from_utf8(bytes).map_err(|_| not_utf8(&self.path, Some(self.line), LATIN))?;
        let wrong = |message: String| Fault { line: Some(self.line), ..whole(&self.path, &message) };
        let value: Value = serde_json::from_str(text).map_err(|e| wrong(unparsed(&e)))?;
        let Value::Object(_) = value else { return Err(wrong("not a JSON object".into())) };
        let mut values = BTreeMap::new();
        flatten("", &value, &mut values);
        let values = values.into_iter().map(|(name, value)| (Usual::spelled(name, &self.options), value)).collect();
        event(&self.path, self.line, values, &self.options)
    }
}

impl Reader {
    /// A last line that cannot be read breaks off; what stands in front may still say which case it belongs to.
    fn cut(&self, fault: Fault, bytes: &[u8]) -> Fault {
        let text = String::from_utf8_lossy(bytes);
        let commas = text.match_indices(',').map(|(at, _)| at).rev().take(MOST_CUT);
        let mut shorter = commas.flat_map(|at| ["}", "}}", "}}}"].map(|end| format!("{}{end}", &text[..at])));
        let Some(value) = shorter.find_map(|t| serde_json::from_str::<Value>(&t).ok()) else {
            return breaks_off(fault);
        };
        let mut values = BTreeMap::new();
        flatten("", &value, &mut values);
        let name = Usual::find(self.options.case.as_ref(), &Usual::CASE, |n| values.contains_key(n));
        let case = name.and_then(|n| values.get(n)).cloned();
        breaks_off(Fault { case: fault.case.clone().or(case), ..fault })
    }
}

/// So many values before the place where a line breaks off are tried.
const MOST_CUT: usize = 64;

/// The parser sees a line at a time, so that its own line is always the first.
fn unparsed(e: &serde_json::Error) -> String {
    format!("not a JSON object: {e}").replace(" at line 1 column ", " at column ")
}

/// Simple values by their path; arrays are left out, as lists are in XES. The parser bounds the depth.
fn flatten(path: &str, value: &Value, into: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, inner, into);
            }
        }
        Value::String(text) => {
            into.insert(path.to_string(), text.clone());
        }
        Value::Bool(_) | Value::Number(_) => {
            into.insert(path.to_string(), value.to_string());
        }
        Value::Null | Value::Array(_) => {}
    }
}

impl Iterator for Reader {
    type Item = Next;

    fn next(&mut self) -> Option<Next> {
        let mut bytes = Vec::new();
        while !self.over {
            bytes.clear();
            self.line += 1;
            match self.input.read_until(b'\n', &mut bytes) {
                Ok(0) => self.over = true,
                Ok(_) if bytes.trim_ascii().is_empty() => {}
                Ok(_) => {
                    let ended = bytes.ends_with(b"\n");
                    return Some(self.one(&bytes).map_err(|fault| if ended { fault } else { self.cut(fault, &bytes) }));
                }
                Err(e) => {
                    self.over = true;
                    let fault = Fault { line: Some(self.line), ..whole(&self.path, &e.to_string()) };
                    return Some(Err(breaks_off(fault)));
                }
            }
        }
        None
    }
}
