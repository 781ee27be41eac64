//! Standard questions answered by looking at snapshots one by one, all questions together.
//!
//! Most answers are near the start: a short breadth-first search shows a shortest run for them. What it does not find is looked for where
//! nothing is reported (for finishing compliantly), or in snapshots without compliance, faults and items whose value is seen only while
//! it changes. Compliance and faults influence nothing else, so
//! a stage that never opens there without a flow guard, and is never passed over, is never out of order. What stays open is left to
//! the engines.

use super::literal::{Compliance, Move, Snapshot, State, Status, Turn, initial, nested, step};
use super::lower::moves;
use super::model::{Condition, Model, StageIx};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Snapshots of the first look.
const FIRST: usize = 20_000;
/// Snapshots of the second looks.
const SECOND: usize = 3_000_000;

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Shortest runs to what turns.
    pub runs: BTreeMap<Turn, Vec<Move>>,
    /// What never turns.
    pub never: BTreeSet<Turn>,
    /// Runs on which a stage is finished and nothing is reported.
    pub clean: BTreeMap<StageIx, Vec<Move>>,
    /// Stages for which there is no such run.
    pub unclean: BTreeSet<StageIx>,
    /// How many snapshots there are, if they were all seen.
    pub snapshots: Option<usize>,
    /// Do all moves settle, with calls nested as deep as asked?
    pub settles: Option<Settles>,
}

/// Do all moves settle?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settles {
    /// They do.
    Always,
    /// The last move of this run does not.
    Not(Vec<Move>),
}

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What turns.
    pub turns: BTreeSet<Turn>,
    /// Stages that are finished while nothing is reported.
    pub finished: BTreeSet<StageIx>,
    /// Calls nested deeper than this, where moves may have some; nobody looks beyond them.
    pub nesting: Option<usize>,
    /// Whether all moves settle, even if that takes long.
    pub settling: bool,
}

/// Looks for everything wanted. `stop` ends the search early.
pub fn search(model: &Model, wanted: &Wanted, stop: &dyn Fn() -> bool) -> Found {
    let mut found = Found { settles: wanted.nesting.is_none().then_some(Settles::Always), ..Found::default() };
    let look = |mode, most| Look::new(model, mode, most, wanted.nesting);
    let Some(first) = look(Mode::Real, FIRST).all(&wanted.turns, true, stop) else { return found };
    found.snapshots = first.exhausted.then_some(first.seen);
    found.settle(model, wanted.nesting, &first);
    let open: BTreeSet<Turn> = wanted.turns.iter().filter(|t| !first.runs.contains_key(t)).copied().collect();
    found.runs = first.runs;
    let completes: BTreeSet<Turn> = wanted.finished.iter().map(|s| Turn::Completes(*s)).collect();
    if let Some(clean) = look(Mode::Clean, SECOND).all(&completes, false, stop).filter(|_| !completes.is_empty()) {
        found.finishing(&wanted.finished, &clean);
    }
    if first.exhausted {
        found.never.extend(open);
        return found;
    }
    let settling = wanted.settling && found.settles.is_none();
    if (settling || !open.is_empty())
        && let Some(core) = look(Mode::Core, SECOND).all(&open, settling, stop)
    {
        found.settle(model, wanted.nesting, &core);
        found.rest(model, &open, &core);
    }
    found
}

/// Everything that turns in some snapshot, or in some before anything is reported; `None` when there are too many to look at.
pub fn ever(model: &Model, nesting: Option<usize>, clean: bool) -> Option<BTreeSet<Turn>> {
    let of_stages = (0..model.stages.len())
        .flat_map(|s| [Turn::Opens(s), Turn::Completes(s), Turn::OutOfOrder(s), Turn::Skipped(s), Turn::Faulty(s)]);
    let all: BTreeSet<Turn> = of_stages.chain((0..model.sentries.len()).map(Turn::Guard)).collect();
    let mode = if clean { Mode::Clean } else { Mode::Real };
    let looked = Look::new(model, mode, FIRST, nesting).all(&all, true, &|| false)?;
    looked.exhausted.then(|| looked.runs.into_keys().collect())
}

impl Found {
    /// Can a move be cut off?
    pub fn overflows(&self) -> Option<bool> {
        self.settles.as_ref().map(|settles| *settles != Settles::Always)
    }

    fn settle(&mut self, model: &Model, nesting: Option<usize>, looked: &Looked) {
        let found = match &looked.beyond {
            Some(run) => goes_beyond(model, run, nesting).then(|| Settles::Not(run.clone())),
            None => looked.exhausted.then_some(Settles::Always),
        };
        self.settles = self.settles.take().or(found);
    }

    /// Stages that can be finished while nothing is reported.
    fn finishing(&mut self, finished: &BTreeSet<StageIx>, clean: &Looked) {
        for &s in finished {
            match clean.runs.get(&Turn::Completes(s)) {
                Some(run) => _ = self.clean.insert(s, run.clone()),
                None if clean.exhausted => _ = self.unclean.insert(s),
                None => {}
            }
        }
    }

    /// Turns that the first look did not find.
    fn rest(&mut self, model: &Model, open: &BTreeSet<Turn>, core: &Looked) {
        for &turn in open {
            match (turn, core.runs.get(&turn)) {
                (_, Some(run)) => {
                    // Without compliance more may turn than really does.
                    if let Some(run) = really(model, run, turn) {
                        self.runs.insert(turn, run);
                    }
                }
                (Turn::OutOfOrder(s), None) => {
                    let skipped = Turn::Skipped(s);
                    let passed_over = self.runs.contains_key(&skipped) || core.runs.contains_key(&skipped);
                    let looked_for = open.contains(&skipped) || !is_named(model, s);
                    if core.exhausted && !passed_over && looked_for {
                        self.never.insert(turn);
                    }
                }
                (_, None) if core.exhausted => _ = self.never.insert(turn),
                _ => {}
            }
        }
    }
}

fn is_named(model: &Model, s: StageIx) -> bool {
    model.stages.iter().enumerate().any(|(t, other)| t != s && other.named.contains(&s))
}

/// An item gets the text that it has.
fn is_no_change(now: &Snapshot, what: Move) -> bool {
    matches!(what, Move::Item(i, v) if v != 0 && now.items[i] == v)
}

/// Items whose value matters only while it changes: every sentry that names one asks for the events of its change, too. Whatever the
/// value is afterwards, no other move sees it.
fn passing(model: &Model) -> Vec<usize> {
    let own = |i: usize, e: usize| model.items[i].raises.is_some_and(|(leave, enter)| e == leave || e == enter);
    let kept =
        |i: usize| model.sentries.iter().any(|s| s.condition.asks_undeclared() || reads(&s.condition, i, &own).1);
    (0..model.items.len()).filter(|i| !kept(*i)).collect()
}

/// A condition while an item does not change: its value if that is the same always, else whether it reads the item.
fn reads(c: &Condition, i: usize, own: &dyn Fn(usize, usize) -> bool) -> (Option<bool>, bool) {
    let chain = |parts: &[Condition], stops: bool| {
        let all: Vec<(Option<bool>, bool)> = parts.iter().map(|p| reads(p, i, own)).collect();
        match () {
            () if all.iter().any(|(value, _)| *value == Some(stops)) => (Some(stops), false),
            () if all.iter().all(|(value, _)| *value == Some(!stops)) => (Some(!stops), false),
            () => (None, all.iter().any(|(_, read)| *read)),
        }
    };
    match c {
        Condition::Const(b) => (Some(*b), false),
        Condition::Occurs(e) if own(i, *e) => (Some(false), false),
        Condition::Is(item, ..) => (None, *item == i),
        Condition::Not(a) => {
            let (value, read) = reads(a, i, own);
            (value.map(|v| !v), read)
        }
        Condition::And(parts) => chain(parts, false),
        Condition::Or(parts) => chain(parts, true),
        _ => (None, false),
    }
}

/// Does the last move of a run really have calls that are nested too deep, and no move before?
fn goes_beyond(model: &Model, run: &[Move], nesting: Option<usize>) -> bool {
    let (Ok((mut now, _)), Some(most)) = (initial(model), nesting) else { return false };
    for (n, what) in run.iter().enumerate() {
        match nested(model, &now, *what, most) {
            Ok((after, _, false)) if !is_no_change(&now, *what) => now = after,
            Ok((.., beyond)) => return beyond && !is_no_change(&now, *what) && n + 1 == run.len(),
            Err(_) => return false,
        }
    }
    false
}

/// The beginning of a run up to where something really turns.
fn really(model: &Model, run: &[Move], turn: Turn) -> Option<Vec<Move>> {
    let (mut now, _) = initial(model).ok()?;
    for (n, what) in run.iter().enumerate() {
        if is_no_change(&now, *what) {
            return None;
        }
        let (after, turns) = step(model, &now, *what).ok()?;
        if turns.contains(&turn) {
            return run.get(..=n).map(<[Move]>::to_vec);
        }
        now = after;
    }
    None
}

/// Which snapshots are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// All of them.
    Real,
    /// Those before anything is reported.
    Clean,
    /// All of them, as if nothing had been reported, and without items whose value nobody sees later.
    Core,
}

struct Looked {
    runs: BTreeMap<Turn, Vec<Move>>,
    /// There is nothing more to be seen.
    exhausted: bool,
    seen: usize,
    /// A run whose last move has calls that are nested too deep.
    beyond: Option<Vec<Move>>,
}

/// A breadth-first search on packed snapshots.
struct Look<'m> {
    model: &'m Model,
    mode: Mode,
    most: usize,
    nesting: Option<usize>,
    moves: Vec<Move>,
    /// Items that are left out.
    passing: Vec<usize>,
    /// Each snapshot with the one it was first reached from and the move.
    reached: Vec<(Rc<[u8]>, u32, u32)>,
    known: FxHashSet<Rc<[u8]>>,
}

impl<'m> Look<'m> {
    fn new(model: &'m Model, mode: Mode, most: usize, nesting: Option<usize>) -> Look<'m> {
        let passing = if mode == Mode::Core { passing(model) } else { Vec::new() };
        let (reached, known) = (Vec::new(), FxHashSet::default());
        Look { model, mode, most, nesting, moves: moves(model), passing, reached, known }
    }

    /// Looks until everything asked for is found (unless `on`), all snapshots are seen, or the limit is reached. `None` when the rules
    /// do not settle.
    fn all(mut self, asked: &BTreeSet<Turn>, on: bool, stop: &dyn Fn() -> bool) -> Option<Looked> {
        let (first, turns) = initial(self.model).ok()?;
        let mut runs: BTreeMap<Turn, Vec<Move>> = BTreeMap::new();
        if !self.is_left_out(&turns) {
            self.add(first, 0, 0);
            runs.extend(turns.into_iter().filter(|t| asked.contains(t)).map(|t| (t, Vec::new())));
        }
        let (mut at, mut beyond) = (0, None);
        while let Some((packed, ..)) = self.reached.get(at) {
            if at.is_multiple_of(1024) && stop() {
                break;
            }
            let done = !on && runs.len() == asked.len();
            if done || self.reached.len() > self.most {
                break;
            }
            let now = unpacked(self.model, packed);
            for number in 0..self.moves.len() {
                let what = self.moves[number];
                if is_no_change(&now, what) {
                    continue;
                }
                let (after, turns, too_deep) = match self.nesting {
                    Some(most) => nested(self.model, &now, what, most).ok()?,
                    None => step(self.model, &now, what).map(|(after, turns)| (after, turns, false)).ok()?,
                };
                if too_deep {
                    beyond.get_or_insert_with(|| self.run(at, what));
                    continue;
                }
                if self.is_left_out(&turns) {
                    continue;
                }
                for turn in turns.into_iter().filter(|t| asked.contains(t)) {
                    runs.entry(turn).or_insert_with(|| self.run(at, what));
                }
                if after != now {
                    self.add(after, at, number);
                }
            }
            at += 1;
        }
        let exhausted = at == self.reached.len() && beyond.is_none();
        Some(Looked { runs, exhausted, seen: self.reached.len(), beyond })
    }

    /// Where nothing is to be reported, a move that reports something is not made.
    fn is_left_out(&self, turns: &[Turn]) -> bool {
        let reports = |t: &Turn| matches!(t, Turn::OutOfOrder(_) | Turn::Skipped(_) | Turn::Faulty(_));
        self.mode == Mode::Clean && turns.iter().any(reports)
    }

    fn add(&mut self, mut snapshot: Snapshot, from: usize, by: usize) {
        if self.mode == Mode::Core {
            for status in &mut snapshot.stages {
                *status = Status { state: status.state, ..Status::default() };
            }
            self.passing.iter().for_each(|i| snapshot.items[*i] = 0);
        }
        let packed = packed(&snapshot);
        if !self.known.contains(packed.as_slice()) {
            let packed: Rc<[u8]> = packed.into();
            self.known.insert(packed.clone());
            self.reached.push((packed, from as u32, by as u32));
        }
    }

    /// The moves to a snapshot, and one more.
    fn run(&self, mut at: usize, last: Move) -> Vec<Move> {
        let mut run = vec![last];
        while at > 0
            && let Some((_, from, by)) = self.reached.get(at)
        {
            run.extend(self.moves.get(*by as usize));
            at = *from as usize;
        }
        run.reverse();
        run
    }
}

/// A byte per stage and item, a bit per sentry.
fn packed(s: &Snapshot) -> Vec<u8> {
    let stage = |t: &Status| (t.state as u8) * 6 + (t.compliance as u8) * 2 + u8::from(t.faulty);
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |all, bit| all << 1 | u8::from(*bit));
    let stages = s.stages.iter().map(stage);
    let items = s.items.iter().flat_map(|i| (*i as u16).to_le_bytes());
    stages.chain(s.sentries.chunks(8).map(byte)).chain(items).collect()
}

fn unpacked(model: &Model, bytes: &[u8]) -> Snapshot {
    let (stages, rest) = bytes.split_at(model.stages.len().min(bytes.len()));
    let (bits, items) = rest.split_at(model.sentries.len().div_ceil(8).min(rest.len()));
    let status = |b: &u8| Status {
        state: [State::Unopened, State::Opened, State::Closed][usize::from(b / 6) % 3],
        compliance: [Compliance::OnTime, Compliance::OutOfOrder, Compliance::Skipped][usize::from(b % 6 / 2)],
        faulty: b % 2 == 1,
    };
    let bit = |x: usize| bits.get(x / 8).is_some_and(|byte| byte >> (x % 8) & 1 == 1);
    Snapshot {
        stages: stages.iter().map(status).collect(),
        sentries: (0..model.sentries.len()).map(bit).collect(),
        items: items.chunks_exact(2).map(|two| i64::from(u16::from_le_bytes([two[0], two[1]]))).collect(),
    }
}
