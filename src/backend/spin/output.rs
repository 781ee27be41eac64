//! SPIN: what the verifier `pan` says, and the replay of a trail.

use crate::backend::Unreadable;

/// What a run of `pan` comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanSays {
    /// The claim holds: the whole state space was searched.
    Holds,
    /// The claim is violated, and a trail was written.
    Violated,
    /// The depth bound cut the search off.
    TooDeep,
    /// Memory ran out.
    OutOfMemory,
    /// The search was not complete for another reason.
    Incomplete(String),
}

/// What a run of `pan` says, and how many states it stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pan {
    /// The verdict.
    pub says: PanSays,
    /// States stored, as printed.
    pub stored: Option<String>,
}

/// Things that make a search worthless as such: the model, not the property, is at fault.
const BROKEN: [&str; 6] = [
    "VECTORSZ too small",
    "aborting",
    "blocking sel in d_step",
    "invalid array index",
    "invalid end state (at depth",
    "cannot find claim",
];

fn unbroken<'a>(stdout: &'a str, stderr: &'a str) -> Result<Vec<&'a str>, Unreadable> {
    let lines: Vec<&str> = stdout.lines().chain(stderr.lines()).collect();
    match BROKEN.iter().find(|b| lines.iter().any(|l| l.contains(*b))) {
        Some(what) => Err(Unreadable(format!("the search broke: {what}"))),
        None => Ok(lines),
    }
}

/// The number of states that a search without claims stored, as printed; nothing unless it was whole.
pub fn stored(stdout: &str, stderr: &str) -> Result<String, Unreadable> {
    let lines = unbroken(stdout, stderr)?;
    let has = |what: &str| lines.iter().any(|l| l.contains(what));
    let cut = [
        "error: max search depth too small",
        "reached -DMEMLIM bound",
        "out of memory",
        "Interrupted",
        "Search not completed",
    ];
    if let Some(why) = cut.iter().find(|c| has(c)) {
        return Err(Unreadable(format!("the search was cut off: {why}")));
    }
    if !lines.contains(&"Full statespace search for:") || errors(&lines)? != Some(0) {
        return Err(Unreadable("not a search of the full state space without errors".into()));
    }
    states(&lines).ok_or_else(|| Unreadable("no number of states".into()))
}

fn states(lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|l| l.trim().strip_suffix(" states, stored")).map(str::to_string)
}

/// What pan says where nothing can violate the claim for ever, as if the formula is true of every run: there is no cycle to look for.
const NO_ACCEPTING: &str = "no accept labels are defined, so option -a has no effect";

/// Reads what `pan -a` printed.
pub fn pan(stdout: &str, stderr: &str) -> Result<Pan, Unreadable> {
    let lines = unbroken(stdout, stderr)?;
    let has = |what: &str| lines.iter().any(|l| l.contains(what));
    let errors = errors(&lines)?;
    let stored = states(&lines);
    let says = if violated(&lines)? {
        PanSays::Violated
    } else if has("error: max search depth too small") {
        PanSays::TooDeep
    } else if has("reached -DMEMLIM bound") || has("out of memory") {
        PanSays::OutOfMemory
    } else if has("Interrupted") || has("Search not completed") {
        PanSays::Incomplete("the search was interrupted".into())
    } else if !lines.contains(&"Full statespace search for:") {
        return Err(Unreadable("not a search of the full state space".into()));
    } else if !looks_for_cycles(&lines) {
        return Err(Unreadable("the search did not look for acceptance cycles".into()));
    } else {
        match errors {
            Some(0) => PanSays::Holds,
            Some(n) => return Err(Unreadable(format!("{n} errors that are no violation of the claim"))),
            None => return Err(Unreadable("no summary".into())),
        }
    };
    Ok(Pan { says, stored })
}

/// Is the claim violated? Then the errors are counted and there is a trail.
fn violated(lines: &[&str]) -> Result<bool, Unreadable> {
    let violation = |l: &&str| {
        let rest = l.strip_prefix("pan:").map(|r| r.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'));
        rest.is_some_and(|r| r.starts_with(" assertion violated  !(") || r.starts_with(" acceptance cycle"))
    };
    if !lines.iter().any(violation) {
        return Ok(false);
    }
    match (errors(lines)?, lines.iter().any(|l| l.contains("pan: wrote "))) {
        (Some(1..), true) => Ok(true),
        _ => Err(Unreadable("a violation without error count or trail".into())),
    }
}

fn looks_for_cycles(lines: &[&str]) -> bool {
    lines.iter().any(|l| l.contains(NO_ACCEPTING) || words(l).starts_with("acceptance cycles + "))
}

/// What a search says that marks states in a field of bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// The claim is violated, and a trail was written.
    pub violated: bool,
    /// The depth limit was met.
    pub cut: bool,
    /// Memory ran out.
    pub out_of_memory: bool,
    /// States marked.
    pub states: u64,
    /// Steps of the deepest way.
    pub depth: u64,
    /// Bits for each marked state.
    pub hash_factor: f64,
}

/// Reads what `pan -a` printed that was compiled with `-DBITSTATE`.
pub fn marked(stdout: &str, stderr: &str) -> Result<Marked, Unreadable> {
    let lines = unbroken(stdout, stderr)?;
    let has = |what: &str| lines.iter().any(|l| l.contains(what));
    if !lines.contains(&"Bit statespace search for:") || !looks_for_cycles(&lines) {
        return Err(Unreadable("not a search in a field of bits that looks for cycles".into()));
    }
    let violated = violated(&lines)?;
    match errors(&lines)? {
        None => return Err(Unreadable("no summary".into())),
        Some(1..) if !violated => return Err(Unreadable("errors that are no violation of the claim".into())),
        Some(_) => {}
    }
    let number = |text: Option<&str>| text.and_then(|t| t.trim().parse::<f64>().ok()).filter(|n| n.is_finite());
    let before = |l: &&str, what: &str| l.split_once(what).and_then(|(n, _)| number(Some(n)));
    let states = lines.iter().find_map(|l| before(l, " states, stored"));
    let depth = lines.iter().filter(|l| l.starts_with("State-vector ")).find_map(|l| {
        let (_, rest) = l.split_once(" depth reached ")?;
        number(rest.split(',').next())
    });
    let factor = lines.iter().find_map(|l| number(l.strip_prefix("hash factor: ")?.split(' ').next()));
    let (Some(states), Some(depth), Some(hash_factor)) = (states, depth, factor) else {
        return Err(Unreadable("states, depth or hash factor are missing".into()));
    };
    let cut = has("error: max search depth too small");
    let out_of_memory = has("reached -DMEMLIM bound") || has("out of memory") || has("Interrupted");
    Ok(Marked { violated, cut, out_of_memory, states: states as u64, depth: depth as u64, hash_factor })
}

fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The error count of the summary line, which must be there at most once.
fn errors(lines: &[&str]) -> Result<Option<u64>, Unreadable> {
    let counts: Vec<&str> = lines
        .iter()
        .filter(|l| l.starts_with("State-vector ") && l.contains(" byte, depth reached "))
        .filter_map(|l| l.split_once(", errors: ").map(|(_, n)| n))
        .collect();
    match counts.as_slice() {
        [] => Ok(None),
        [one] => one.parse().map(Some).map_err(|_| Unreadable(format!("errors: {one}"))),
        _ => Err(Unreadable("two summaries".into())),
    }
}

/// A replayed trail: the numbers of every step, and after how many steps its cycle starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Action, payload and snapshot after the step, as printed.
    pub steps: Vec<Vec<i64>>,
    /// Steps before the cycle.
    pub cycle: Option<usize>,
}

/// Reads what `spin -t -T` printed; every step must have `width` numbers.
pub fn trail(stdout: &str, width: usize) -> Result<Trail, Unreadable> {
    let mut trail = Trail::default();
    let mut complete = false;
    for line in stdout.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("@S ") {
            let numbers: Result<Vec<i64>, _> = rest.split_whitespace().map(str::parse).collect();
            match numbers {
                Ok(n) if n.len() == width => trail.steps.push(n),
                _ => return Err(Unreadable(format!("a step is garbled: {line}"))),
            }
        } else if line == "<<<<<START OF CYCLE>>>>>" {
            trail.cycle = Some(trail.steps.len());
        } else if line.starts_with("spin: trail ends after ") {
            complete = true;
        }
    }
    if complete { Ok(trail) } else { Err(Unreadable("the trail's replay is cut off".into())) }
}
