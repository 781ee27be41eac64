//! MCMAS: verdicts by formula number, runs from the picture and the states it writes.

use crate::backend::Unreadable;
use std::collections::BTreeMap;

/// What a run said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Verdict by formula number, from 1.
    pub verdicts: BTreeMap<usize, bool>,
    /// Everything was checked.
    pub complete: bool,
    /// Number of reachable states, as printed.
    pub states: Option<String>,
    /// The first path shown for a formula, as numbers of states.
    pub paths: BTreeMap<usize, Vec<usize>>,
}

/// What MCMAS says of models in which verdicts mean nothing: every one of ours can always go on, within its ranges.
const BROKEN: [&str; 2] = ["there are deadlock states in the model", "can cause overflow in the following state"];

/// Reads standard output after `formulas` formulas were sent.
pub fn parse(stdout: &str, formulas: usize) -> Result<Said, Unreadable> {
    let mut said = Said::default();
    let mut last = 0;
    for line in stdout.lines() {
        let line = line.trim();
        if let Some(why) = BROKEN.iter().find(|b| line.contains(**b)) {
            return Err(Unreadable(format!("the model is broken: {why}")));
        }
        if let Some((number, holds)) = verdict(line) {
            if number == 0 || number > formulas {
                return Err(Unreadable(format!("a verdict for formula {number}, which was not sent")));
            }
            if said.verdicts.insert(number, holds).is_some() {
                return Err(Unreadable(format!("two verdicts for formula {number}")));
            }
            last = number;
        } else if let Some(count) = done(line) {
            if count != formulas {
                return Err(Unreadable(format!("{count} formulas were checked, {formulas} were sent")));
            }
            said.complete = true;
        } else if let Some(n) = line.strip_prefix("number of reachable states = ") {
            said.states = Some(n.to_string());
        } else if let Some(inner) = line.strip_prefix('<').and_then(|l| l.strip_suffix('>'))
            && let Some(path) = inner.split_whitespace().map(|w| w.parse().ok()).collect()
        {
            said.paths.entry(last).or_insert(path);
        }
    }
    if said.complete && said.verdicts.len() != formulas {
        return Err(Unreadable(format!("{} verdicts for {formulas} formulas", said.verdicts.len())));
    }
    Ok(said)
}

/// `Formula number 2: (AG (! closed)), is FALSE in the model`. The tool may glue a message about files in front.
fn verdict(line: &str) -> Option<(usize, bool)> {
    let rest = &line[line.find("Formula number ")? + "Formula number ".len()..];
    let (number, rest) = rest.split_once(": ")?;
    let holds = match rest.strip_suffix(" in the model")?.rsplit_once(", is ")?.1 {
        "TRUE" => true,
        "FALSE" => false,
        _ => return None,
    };
    Some((number.parse().ok()?, holds))
}

fn done(line: &str) -> Option<usize> {
    line.strip_prefix("done, ")?.strip_suffix(" formulae successfully read and checked")?.parse().ok()
}

/// A picture: steps between states with the joint action, Environment first. Dotted edges (knowledge) are no steps.
pub fn edges(dot: &str) -> Result<BTreeMap<(usize, usize), Vec<String>>, Unreadable> {
    let mut edges = BTreeMap::new();
    let mut closed = false;
    for line in dot.lines().map(str::trim) {
        closed |= line == "}";
        let Some((from, rest)) = line.split_once(" -> ") else { continue };
        let Some((to, label)) = rest.split_once('[') else { continue };
        let (Ok(from), Ok(to)) = (from.trim().parse::<usize>(), to.trim().parse::<usize>()) else {
            return Err(Unreadable(format!("an edge between no states: {line}")));
        };
        if let Some(joint) = label.strip_prefix("label=\"<").and_then(|l| l.strip_suffix(">\"]")) {
            edges.insert((from, to), joint.split(';').map(str::to_string).collect());
        }
    }
    if closed { Ok(edges) } else { Err(Unreadable("the picture of a run is cut off".into())) }
}

/// The Environment's variables in every state that was written down.
pub fn states(info: &str) -> Result<BTreeMap<usize, BTreeMap<String, String>>, Unreadable> {
    let mut states: BTreeMap<usize, BTreeMap<String, String>> = BTreeMap::new();
    let mut at = None;
    let mut environment = false;
    for line in info.lines().map(str::trim) {
        if let Some(number) = line.strip_prefix("-- State ").and_then(|l| l.strip_suffix(" --")) {
            let number = number.parse().map_err(|_| Unreadable(format!("state '{number}'")))?;
            states.insert(number, BTreeMap::new());
            at = Some(number);
        } else if let Some(agent) = line.strip_prefix("Agent ") {
            environment = agent == "Environment";
        } else if let (true, Some(state), Some((name, value))) = (environment, at, line.split_once('=')) {
            states.entry(state).or_default().insert(name.trim().to_string(), value.trim().to_string());
        }
    }
    Ok(states)
}
