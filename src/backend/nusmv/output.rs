//! NuSMV and nuXmv: verdict lines by property name, traces as XML.

use crate::backend::Unreadable;
use std::collections::BTreeMap;

/// What a run said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Verdict by specification name.
    pub verdicts: BTreeMap<String, bool>,
    /// Trace by specification name.
    pub traces: BTreeMap<String, XmlTrace>,
    /// Number of reachable states in decimal (perhaps rounded by the tool), where it was asked for.
    pub states: Option<String>,
    /// The script ran to its end.
    pub complete: bool,
}

impl Said {
    /// Adds what a later run said about specifications that this one left open.
    pub fn join(&mut self, later: Said) {
        self.verdicts.extend(later.verdicts);
        self.traces.extend(later.traces);
        self.complete = later.complete;
    }
}

/// A trace as the tool writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XmlTrace {
    /// States, with the inputs that lead on from them.
    pub nodes: Vec<XmlNode>,
    /// Nodes (from 0) that the last state equals.
    pub loops: Vec<usize>,
}

/// One state of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XmlNode {
    /// Values of the state variables.
    pub state: BTreeMap<String, String>,
    /// Values of the inputs of the step that leads to the next state.
    pub input: BTreeMap<String, String>,
}

/// The line that a script prints when everything was done.
pub const DONE: &str = "gsmc-all-checked";

/// Reads standard output. `names` are the specifications that were sent.
pub fn parse(stdout: &str, names: &[&str]) -> Result<Said, Unreadable> {
    let mut said = Said::default();
    let mut last: Option<String> = None;
    let mut lines = stdout.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line == DONE {
            said.complete = true;
        } else if let Some((name, holds)) = verdict(line) {
            if !names.contains(&name) {
                return Err(Unreadable(format!("a verdict for '{name}', which was not sent: {line}")));
            }
            if said.verdicts.insert(name.to_string(), holds).is_some() {
                return Err(Unreadable(format!("two verdicts for '{name}'")));
            }
            last = Some(name.to_string());
        } else if let Some(rest) = line.strip_prefix("reachable states: ") {
            said.states = rest.split_whitespace().next().map(str::to_string);
        } else if line.starts_with("<?xml") || line.starts_with("<counter-example") {
            // Cut off with the output: the verdict above it stands, the trace does not.
            let Some(trace) = xml(line, &mut lines)? else { break };
            let name = last.take().ok_or_else(|| Unreadable("a trace that belongs to no verdict".into()))?;
            said.traces.insert(name, trace);
        }
    }
    Ok(said)
}

/// Says that no state has an infinite run: then NuSMV finds everything true. Under fairness that may be; otherwise the model is broken.
pub fn total(stderr: &str) -> Result<(), Unreadable> {
    match stderr.lines().any(|l| l.starts_with("Fair states set of the finite state machine is empty")) {
        true => Err(Unreadable("no state has an infinite run".into())),
        false => Ok(()),
    }
}

/// Name and verdict of a line like `-- specification 'q_p1'  is false`.
fn verdict(line: &str) -> Option<(&str, bool)> {
    let rest = line.strip_prefix("-- specification ").or_else(|| line.strip_prefix("-- invariant "))?;
    let (name, word) = rest.rsplit_once(" is ")?;
    let holds = match word {
        "true" => true,
        "false" => false,
        _ => return None,
    };
    Some((name.trim().trim_matches('\''), holds))
}

/// A trace; nothing when the output ends before it does.
fn xml<'a>(first: &str, lines: &mut impl Iterator<Item = &'a str>) -> Result<Option<XmlTrace>, Unreadable> {
    let mut text = String::new();
    if !first.starts_with("<?xml") {
        text.push_str(first);
    }
    loop {
        let Some(line) = lines.next() else { return Ok(None) };
        text.push_str(line);
        text.push('\n');
        if line.trim() == "</counter-example>" {
            return trace(&text).map(Some);
        }
    }
}

fn trace(text: &str) -> Result<XmlTrace, Unreadable> {
    let document = roxmltree::Document::parse(text).map_err(|e| Unreadable(format!("a trace is not XML: {e}")))?;
    let mut trace = XmlTrace::default();
    for node in document.root_element().children().filter(|n| n.is_element()) {
        match node.tag_name().name() {
            "node" => trace.nodes.push(XmlNode { state: values(&node, "state"), input: values(&node, "input") }),
            "loops" => {
                for word in node.text().unwrap_or("").split(',').map(str::trim).filter(|w| !w.is_empty()) {
                    let at = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                    trace.loops.push(at.ok_or_else(|| Unreadable(format!("a loop starts at '{word}'")))?);
                }
            }
            other => return Err(Unreadable(format!("a trace contains <{other}>"))),
        }
    }
    if trace.nodes.is_empty() {
        return Err(Unreadable("a trace without states".into()));
    }
    trace.loops.sort_unstable();
    Ok(trace)
}

fn values(node: &roxmltree::Node, part: &str) -> BTreeMap<String, String> {
    let parts = node.children().filter(|c| c.has_tag_name(part));
    let values = parts.flat_map(|p| p.children().collect::<Vec<_>>()).filter(|v| v.has_tag_name("value"));
    values
        .filter_map(|v| Some((v.attribute("variable")?.to_string(), v.text().unwrap_or("").trim().to_string())))
        .collect()
}
