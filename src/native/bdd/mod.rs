//! The one place that knows the BDD library.
//!
//! A [`Space`] owns the diagrams over *pairs* of Boolean variables: pair `p` is the level
//! `2p` (the current bit) and the level `2p + 1` (the next bit). Sets of snapshots speak of
//! current bits only; relations may speak of both. Every operation can stop early, because
//! memory is full, a deadline has passed or the user has interrupted, and says so with a
//! [`Stop`]; the space stays usable afterwards.

mod image;
mod marks;
mod ops;
mod query;
#[cfg(test)]
mod tests;

use crate::source::quietly;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::catch_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::{BooleanFunction, Function, Manager, ManagerRef};
use rustc_hash::FxHashMap;

pub use image::Relation;
use ops::Apply;

/// Why an operation gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The memory limit is reached even after collecting garbage.
    OutOfMemory,
    /// The deadline has passed.
    Timeout,
    /// The user asked to stop.
    Interrupted,
    /// Somebody else has the answer.
    Enough,
    /// Too many sets of rules that wait for each other can fire together.
    TooManySets,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::OutOfMemory => "out of memory",
            Stop::Timeout => "timeout",
            Stop::Interrupted => "interrupted",
            Stop::Enough => "answered otherwise",
            Stop::TooManySets => "too many rules that wait for each other can fire together",
        })
    }
}

impl std::error::Error for Stop {}

impl From<oxidd::util::OutOfMemory> for Stop {
    fn from(_: oxidd::util::OutOfMemory) -> Stop {
        Stop::OutOfMemory
    }
}

/// What a space may use.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Bytes for nodes and caches; `None` is [`Limits::DEFAULT_MEMORY`].
    pub memory: Option<u64>,
    /// When to answer [`Stop::Timeout`].
    pub deadline: Option<Instant>,
    /// Set by somebody else to get [`Stop::Interrupted`].
    pub interrupt: Arc<AtomicBool>,
    /// After how much work to ask whether to go on.
    pub patience: Option<Patience>,
}

/// After some work somebody is asked whether more is wanted, until that is known. If not, every operation answers [`Stop::Enough`].
#[derive(Clone)]
pub struct Patience {
    /// Steps of recursion, the same for the same diagrams.
    pub work: u64,
    /// Is more wanted? `None` when that will be known later.
    pub go_on: Arc<dyn Fn() -> Option<bool> + Send + Sync>,
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Patience({})", self.work)
    }
}

impl Limits {
    /// Bytes used when nobody says otherwise.
    pub const DEFAULT_MEMORY: u64 = 4 << 30;
}

/// Number of a Boolean variable, which is also its place in the order (0 on top).
pub type Level = u32;

/// A Boolean function. Equal functions are equal handles.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.node_count())
    }
}

/// Level of the current bit of a pair.
pub const fn current(pair: u32) -> Level {
    2 * pair
}

/// Level of the next bit of a pair.
pub const fn next(pair: u32) -> Level {
    2 * pair + 1
}

/// Measured cost of a node with its share of the unique table, rounded up.
const BYTES_PER_NODE: u64 = 40;
const BYTES_PER_CACHE_ENTRY: u64 = 20;
/// Below this many nodes collecting garbage is not worth losing the cache.
const GC_FLOOR: usize = 1 << 20;

/// All diagrams of one checking run.
pub struct Space {
    manager: BCDDManagerRef,
    top: Bdd,
    bottom: Bdd,
    clock: ops::Clock,
    capacity: usize,
    gc_at: Cell<usize>,
    peak: Cell<usize>,
    write_sets: RefCell<FxHashMap<Vec<u32>, u32>>,
}

impl Space {
    /// A space with `pairs` current/next pairs.
    ///
    /// # Errors
    /// The system does not give what a space needs at least.
    pub fn new(pairs: u32, limits: &Limits) -> Result<Space, Stop> {
        // The stacks of threads take the rest.
        let memory = limits.memory.unwrap_or(Limits::DEFAULT_MEMORY).min(address_space() / 4);
        let cache = cache_entries(pairs, memory);
        let nodes = memory.saturating_sub(cache * BYTES_PER_CACHE_ENTRY) / BYTES_PER_NODE;
        let capacity = nodes.clamp(1 << 10, 1 << 30) as usize;
        // Where it cannot have a thread, the library panics.
        let made = quietly(|| catch_unwind(|| new_manager(capacity, cache as usize, 1)));
        let manager = made.map_err(|_| Stop::OutOfMemory)?;
        let (top, bottom) = manager.with_manager_exclusive(|m| {
            m.add_vars(2 * pairs);
            (Bdd(BCDDFunction::t(m)), Bdd(BCDDFunction::f(m)))
        });
        Ok(Space {
            manager,
            top,
            bottom,
            clock: ops::Clock::new(limits),
            capacity,
            gc_at: Cell::new(GC_FLOOR.min(capacity / 10 * 9)),
            peak: Cell::new(0),
            write_sets: RefCell::default(),
        })
    }

    /// Adds pairs at the bottom of the order and returns the number of the first.
    pub fn add_pairs(&self, pairs: u32) -> u32 {
        let levels = self.manager.with_manager_exclusive(|m| m.add_vars(2 * pairs));
        levels.start / 2
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u32 {
        self.manager.with_manager_shared(|m| m.num_vars()) / 2
    }

    /// Replaces the deadline, for instance from one property to the next.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.clock.set_deadline(deadline);
    }

    /// Steps of recursion so far; the same for the same operations.
    pub fn work(&self) -> u64 {
        self.clock.ticks()
    }

    /// Nodes in use now, garbage included.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|m| m.num_inner_nodes())
    }

    /// The most nodes that were in use at the end of an operation.
    pub fn peak_nodes(&self) -> usize {
        self.peak.get()
    }

    /// Says whether it is time to stop.
    pub fn check(&self) -> Result<(), Stop> {
        self.clock.check()
    }

    /// The function that is always true.
    pub fn yes(&self) -> Bdd {
        self.top.clone()
    }

    /// The function that is always false.
    pub fn no(&self) -> Bdd {
        self.bottom.clone()
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.yes() } else { self.no() }
    }

    /// The function that is true when the variable at `level` has this value.
    pub fn literal(&self, level: Level, value: bool) -> Result<Bdd, Stop> {
        self.cube([(level, value)])
    }

    /// The conjunction of literals; a variable must not occur with both values.
    pub fn cube(&self, literals: impl IntoIterator<Item = (Level, bool)>) -> Result<Bdd, Stop> {
        let mut literals: Vec<_> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        self.run(|a| a.cube(&literals))
    }

    /// The set of variables to quantify over, as the conjunction of its variables.
    pub fn variables(&self, levels: impl IntoIterator<Item = Level>) -> Result<Bdd, Stop> {
        self.cube(levels.into_iter().map(|l| (l, true)))
    }

    /// Negation; it costs nothing.
    pub fn not(&self, f: &Bdd) -> Bdd {
        let negated = f.0.with_manager_shared(|m, e| BCDDFunction::from_edge(m, m.clone_edge(ops::not(e))));
        Bdd(negated)
    }

    /// Conjunction.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.and(a.edge(f), a.edge(g)))
    }

    /// Disjunction.
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.or(a.edge(f), a.edge(g)))
    }

    /// `f` without `g`.
    pub fn diff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.and(a.edge(f), ops::not(a.edge(g))))
    }

    /// Exclusive or.
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.xor(a.edge(f), a.edge(g)))
    }

    /// Equivalence.
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.xor(ops::not(a.edge(f)), a.edge(g)))
    }

    /// Implication.
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.or(ops::not(a.edge(f)), a.edge(g)))
    }

    /// `if c then f else g`.
    pub fn ite(&self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.ite(a.edge(c), a.edge(f), a.edge(g)))
    }

    /// Conjunction of many, smallest results first being the caller's business.
    pub fn all<'a>(&self, fs: impl IntoIterator<Item = &'a Bdd>) -> Result<Bdd, Stop> {
        fs.into_iter().try_fold(self.yes(), |acc, f| self.and(&acc, f))
    }

    /// Disjunction of many.
    pub fn any<'a>(&self, fs: impl IntoIterator<Item = &'a Bdd>) -> Result<Bdd, Stop> {
        fs.into_iter().try_fold(self.no(), |acc, f| self.or(&acc, f))
    }

    /// The same of very many, two and two.
    pub fn union(&self, mut fs: Vec<Bdd>) -> Result<Bdd, Stop> {
        while fs.len() > 1 {
            fs = fs.chunks(2).map(|pair| self.any(pair)).collect::<Result<_, Stop>>()?;
        }
        Ok(fs.pop().unwrap_or_else(|| self.no()))
    }

    /// `∃ vars. f`, with `vars` from [`Space::variables`].
    pub fn exists(&self, f: &Bdd, vars: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.exists(a.edge(f), a.edge(vars)))
    }

    /// `∀ vars. f`.
    pub fn forall(&self, f: &Bdd, vars: &Bdd) -> Result<Bdd, Stop> {
        let not_f = self.not(f);
        Ok(self.not(&self.exists(&not_f, vars)?))
    }

    /// `∃ vars. f ∧ g` in one pass.
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, vars: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| a.and_exists(a.edge(f), a.edge(g), a.edge(vars)))
    }

    /// `f` with the variables of the cube set to its values.
    pub fn cofactor(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Stop> {
        self.run(|a| Ok(BCDDFunction::restrict_edge(a.manager, a.edge(f), a.edge(cube))?))
    }

    /// Whether `f` implies `g`.
    pub fn is_subset(&self, f: &Bdd, g: &Bdd) -> Result<bool, Stop> {
        Ok(self.diff(f, g)?.is_false())
    }

    /// Whether `f` and `g` have something in common.
    pub fn meets(&self, f: &Bdd, g: &Bdd) -> Result<bool, Stop> {
        Ok(!self.and(f, g)?.is_false())
    }

    /// Runs one operation; when memory is full, collects garbage and tries again.
    fn run<F>(&self, operation: F) -> Result<Bdd, Stop>
    where
        F: for<'id> Fn(&Apply<'_, 'id>) -> ops::Res<ops::Own<'id>>,
    {
        self.clock.check()?;
        let mut attempts = 0;
        let result = loop {
            let result = self.manager.with_manager_shared(|manager| {
                let apply = Apply { manager, clock: &self.clock };
                Ok(Bdd(BCDDFunction::from_edge(manager, operation(&apply)?)))
            });
            attempts += 1;
            if result != Err(Stop::OutOfMemory) || attempts == 3 {
                break result;
            }
            self.collect();
        };
        self.housekeeping();
        result
    }

    /// Collects garbage for sure: a collection already running elsewhere is waited for.
    fn collect(&self) {
        for _ in 0..500 {
            let ran = self.manager.with_manager_shared(|m| {
                let before = m.gc_count();
                m.gc();
                m.gc_count() != before
            });
            if ran {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Keeps the peak and collects garbage when the table has doubled since the last time.
    fn housekeeping(&self) {
        let nodes = self.manager.with_manager_shared(|m| m.approx_num_inner_nodes());
        self.peak.set(self.peak.get().max(nodes));
        if nodes > self.gc_at.get() {
            self.collect();
            let wanted = (2 * self.nodes()).max(GC_FLOOR);
            self.gc_at.set(wanted.min(self.capacity / 10 * 9));
        }
    }

    /// A number for a set of written pairs, the same for the same set.
    fn write_set(&self, pairs: &[u32]) -> u32 {
        let mut sets = self.write_sets.borrow_mut();
        let fresh = sets.len() as u32;
        *sets.entry(pairs.to_vec()).or_insert(fresh)
    }
}

/// The cache is allocated and cleared at once, so tiny models must not pay for big ones; and a cache that does not fit the
/// processor's own is slower than a smaller one (measured: 2^20 entries cost up to 1.4 times, 2^22 up to twice the time of 2^18).
fn cache_entries(pairs: u32, memory: u64) -> u64 {
    let wanted: u64 = match pairs {
        0..=24 => 1 << 14,
        25..=64 => 1 << 16,
        _ => 1 << 18,
    };
    let affordable = (memory / 4 / BYTES_PER_CACHE_ENTRY).max(1);
    wanted.min(1 << affordable.ilog2()).max(1 << 8)
}

/// How much address space the process may have.
fn address_space() -> u64 {
    #[cfg(unix)]
    let given = rustix::process::getrlimit(rustix::process::Resource::As).current;
    #[cfg(not(unix))]
    let given = None;
    given.unwrap_or(u64::MAX)
}

/// A thread whose stack is deep enough for recursion over many levels.
pub fn deep() -> std::thread::Builder {
    const STACK: usize = 512 << 20;
    std::thread::Builder::new().stack_size(STACK)
}

/// Runs `work` on a thread whose stack is [`deep`] enough; here, if no such thread can be had.
pub fn with_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let slot = Mutex::new(Some(work));
    let run = || {
        let work = slot.lock().ok().and_then(|mut slot| slot.take());
        work.map(|work| work())
    };
    let outcome = std::thread::scope(|scope| match deep().spawn_scoped(scope, run).map(|t| t.join()) {
        Ok(Ok(value)) => value,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(_) => run(),
    });
    match outcome {
        Some(value) => value,
        None => unreachable!("the work is there until it runs, once"),
    }
}
