//! What an event of a log carries, as codes of the machine.

use crate::machine::{Domain, Input};

/// Payloads that are tried for one event where the log does not say them.
const MOST_PAYLOADS: usize = 4_096;

/// The code of a text of the log.
pub fn code(input: &Input, text: &str) -> Option<i64> {
    let trimmed = text.trim();
    let code = match &input.domain {
        Domain::Bool => match trimmed.to_lowercase().as_str() {
            "true" | "1" => 1,
            "false" | "0" => 0,
            _ => return None,
        },
        Domain::Int { .. } => trimmed.parse().ok()?,
        Domain::Date { .. } => input.domain.read(trimmed)?,
        Domain::Real { .. } => return None,
        Domain::Enum { bottom: true, .. } => input.domain.code_of(text).unwrap_or(0),
        Domain::Enum { .. } => input.domain.code_of(text)?,
    };
    input.values.contains(code).then_some(code)
}

/// All payloads with the known fields as they are; `false` when there are too many to try.
pub fn payloads(inputs: &[Input], known: &[(String, i64)]) -> (Vec<Vec<i64>>, bool) {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    let mut complete = true;
    for input in inputs {
        let values: Vec<i64> = match known.iter().find(|(name, _)| *name == input.name) {
            Some((_, code)) => vec![*code],
            None => {
                let list = input.values.list().iter().flat_map(|(lo, hi)| *lo..=*hi);
                let some: Vec<i64> = list.take(MOST_PAYLOADS + 1).collect();
                complete &= some.len() <= MOST_PAYLOADS;
                some
            }
        };
        let mut longer = Vec::new();
        for prefix in &all {
            for value in &values {
                if longer.len() >= MOST_PAYLOADS {
                    complete = false;
                    break;
                }
                longer.push(prefix.iter().copied().chain([*value]).collect());
            }
        }
        all = longer;
    }
    (all, complete)
}
