//! What an event of a log carries, as codes of the machine.

use crate::interp::Interp;
use crate::machine::{BodyIx, Domain, Input};

/// Payloads that are tried for one event where the log does not say them.
const MOST_PAYLOADS: usize = 4_096;
/// Larger powers of ten are slips.
const LARGEST_POWER: i32 = 400;

/// The code of a text of the log.
pub fn code(input: &Input, text: &str) -> Option<i64> {
    let trimmed = text.trim();
    let code = match &input.domain {
        Domain::Bool => match trimmed.to_lowercase().as_str() {
            "true" | "1" => 1,
            "false" | "0" => 0,
            _ => return None,
        },
        Domain::Int { .. } | Domain::Real { .. } => input.domain.read(&without_power(trimmed)?)?,
        Domain::Points(points) => {
            let number = crate::machine::number::read(&without_power(trimmed)?)?;
            // What another number stands for is followed on exact values, so that the case keeps its own; ends that are no values have none.
            let exact = points.open_ends() == (None, None);
            points.code_of(&number).filter(|c| !exact || points.number(*c).as_ref() == Some(&number))?
        }
        Domain::Date { .. } => input.domain.read(trimmed)?,
        Domain::Text { .. } => input.domain.read(text)?,
        Domain::Enum { bottom: true, .. } => input.domain.code_of(text).unwrap_or(0),
        Domain::Enum { .. } => input.domain.code_of(text)?,
    };
    input.accepts(code).then_some(code)
}

/// `1.5E3`, as programs write numbers with fractions, without its power of ten: `1500`.
fn without_power(text: &str) -> Option<String> {
    let Some((digits, power)) = text.split_once(['e', 'E']) else { return Some(text.into()) };
    let power: i32 = power.parse().ok().filter(|p: &i32| p.abs() <= LARGEST_POWER)?;
    let number = crate::machine::number::read(digits)?;
    let ten = crate::machine::number::Ratio::from_integer(10.into());
    Some(crate::machine::number::write(&(number * ten.pow(power))))
}

/// All payloads of a body in a snapshot with the known fields as they are; `false` when there are too many to try.
pub fn payloads(interp: &Interp, body: BodyIx, now: &[i64], known: &[(String, i64)]) -> (Vec<Vec<i64>>, bool) {
    let inputs = interp.machine().bodies.get(body.0).map(|b| b.inputs.as_slice()).unwrap_or_default();
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    let mut complete = true;
    for input in inputs {
        let mut longer = Vec::new();
        for prefix in &all {
            let values: Vec<i64> = match known.iter().find(|(name, _)| *name == input.name) {
                Some((_, code)) => vec![*code],
                None if input.domain.is_unbounded() => {
                    complete = false;
                    interp.worth_trying(body, now, prefix)
                }
                None => input.values.iter().take(MOST_PAYLOADS + 1).collect(),
            };
            let room = MOST_PAYLOADS - longer.len();
            complete &= values.len() <= room;
            longer.extend(values.into_iter().take(room).map(|v| [prefix.as_slice(), &[v]].concat()));
        }
        all = longer;
    }
    (all, complete)
}
