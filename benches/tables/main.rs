//! Every engine on the papers' case studies, and the page `docs/benchmarks.md` with the results.
//!
//! `cargo bench --bench tables` measures everything and writes the page. After `--`:
//! `--quick` tries small sizes only and prints the page; `--limit SECONDS` is the time each external run may take;
//! `--unbounded` measures unbounded data only and writes that part of the page.

#[path = "../common/mod.rs"]
mod common;
mod page;
mod papers;
mod unbounded;

use common::case::{Asked, Case, Outcome, measure};
use common::host;
use common::spawn::{over, spawn, steadily};
use gsmc::answer::Engine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use unbounded::Unbounded;

/// Sizes and limits of a run.
pub struct Sizes {
    /// Orders with the native engine, with 3 and with 15 agents.
    native: Vec<u32>,
    /// More orders with 15 agents, until a limit is reached.
    ceiling: Vec<u32>,
    /// Orders with 15 agents, decided with as few as suffice.
    many: Vec<u32>,
    /// Orders with external engines, with 3 and with 15 agents.
    external: [Vec<u32>; 2],
    /// Seconds for each external run.
    limit: u64,
    /// Seconds for each native run.
    native_limit: u64,
}

impl Sizes {
    fn full(limit: Option<u64>) -> Sizes {
        Sizes {
            native: (1..=8).collect(),
            ceiling: vec![12, 16, 24, 32, 48, 64, 96, 128],
            many: vec![16, 64, 256],
            external: [(1..=4).collect(), (1..=3).collect()],
            limit: limit.unwrap_or(60),
            native_limit: 60,
        }
    }

    fn quick(limit: Option<u64>) -> Sizes {
        Sizes {
            native: vec![1, 2],
            ceiling: vec![3],
            many: vec![16],
            external: [vec![1], vec![1]],
            limit: limit.unwrap_or(5),
            native_limit: 10,
        }
    }
}

/// The agents files of Order-to-Cash.
pub const AGENTS: [&str; 2] = ["agents-3.gsma", "agents-15.gsma"];
/// The Fixed Price applications.
pub const FIXED_PRICE: [&str; 3] = ["fixed-price", "fixed-price-two", "fixed-price-repaired"];

/// Everything that was measured.
pub struct Measured {
    sizes: Sizes,
    /// By agents file (position in [`AGENTS`]), engine and number of orders.
    orders: BTreeMap<(usize, Engine, u32), Outcome>,
    /// Any number of orders, by agents file.
    any_number: Vec<Outcome>,
    /// Many orders with 15 agents, decided with as few as suffice.
    many: BTreeMap<u32, Outcome>,
    /// By application (position in [`FIXED_PRICE`]) and engine.
    fixed_price: BTreeMap<(usize, Engine), Outcome>,
    /// Engines that are not there.
    absent: Vec<Engine>,
    /// Without bounds on data.
    unbounded: Unbounded,
    minutes: f64,
    /// Load of the machine at the beginning.
    load: Option<String>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = args.iter().position(|a| a == "--case") {
        let outcome = measure(&args[at + 1..]);
        println!("{}", serde_json::to_string(&outcome).unwrap_or_default());
        return;
    }
    let value = args.iter().position(|a| a == "--limit").and_then(|at| args.get(at + 1)?.parse().ok());
    let quick = args.iter().any(|a| a == "--quick");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/benchmarks.md");
    let alone = args.iter().any(|a| a == "--unbounded");
    let text = match alone {
        true => Unbounded::measure(quick).section(),
        false => page::page(&run(if quick { Sizes::quick(value) } else { Sizes::full(value) }, quick)),
    };
    let written = match alone {
        _ if quick => return println!("{text}"),
        true => unbounded::write(&path, &text),
        false => std::fs::write(&path, &text),
    };
    match written {
        Ok(()) => println!("{} is written", path.display()),
        Err(why) => eprintln!("{} cannot be written: {why}\n\n{text}", path.display()),
    }
}

/// Measures everything, one case at a time.
fn run(sizes: Sizes, quick: bool) -> Measured {
    let begin = Instant::now();
    let absent = host::external().filter(|e| gsmc::backend::find(*e, None).is_err()).collect();
    let (orders, any_number, many, fixed_price) = Default::default();
    let (load, unbounded) = (host::load(), Unbounded::measure(quick));
    let mut m = Measured { sizes, orders, any_number, many, fixed_price, absent, unbounded, minutes: 0.0, load };
    m.native();
    m.external();
    m.minutes = begin.elapsed().as_secs_f64() / 60.0;
    m
}

impl Measured {
    fn native(&mut self) {
        let limit = self.sizes.native_limit;
        let native = |agents, n: u32| orders(Engine::NATIVE, agents, &n.to_string(), limit);
        for agents in 0..AGENTS.len() {
            self.any_number.push(steadily(&fewest(agents, "any", limit)));
            for n in self.sizes.native.clone() {
                self.orders.insert((agents, Engine::NATIVE, n), steadily(&native(agents, n)));
            }
        }
        for n in self.sizes.ceiling.clone() {
            let outcome = steadily(&native(1, n));
            let enough = over(&outcome, limit);
            self.orders.insert((1, Engine::NATIVE, n), outcome);
            if enough {
                break;
            }
        }
        for n in self.sizes.many.clone() {
            self.many.insert(n, steadily(&fewest(1, &n.to_string(), limit)));
        }
        for (i, example) in FIXED_PRICE.into_iter().enumerate() {
            let case = Case::of(Engine::NATIVE, at(example), limit);
            self.fixed_price.insert((i, Engine::NATIVE), steadily(&case));
        }
    }

    /// External engines; one that did not finish is not asked about anything larger, except about the largest size of all, which
    /// the comparison rests on.
    fn external(&mut self) {
        let limit = self.sizes.limit;
        for engine in host::external().filter(|e| !self.absent.contains(e)).collect::<Vec<Engine>>() {
            for (agents, sizes) in self.sizes.external.clone().iter().enumerate() {
                let mut beaten = false;
                for &n in sizes {
                    let compared = agents == 1 && n == 3 && engine != gsmc::backend::spin::ENGINE;
                    if !beaten || compared {
                        let outcome = spawn(&orders(engine, agents, &n.to_string(), limit));
                        beaten |= !outcome.complete();
                        self.orders.insert((agents, engine, n), outcome);
                    }
                }
            }
            let case = Case::of(engine, at(FIXED_PRICE[0]), limit);
            self.fixed_price.insert((0, engine), spawn(&case));
        }
    }
}

/// The folder of an example.
fn at(example: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example)
}

fn orders(engine: Engine, agents: usize, n: &str, limit: u64) -> Case {
    let (agents, instances) = (Some(AGENTS[agents].to_string()), vec![format!("CustomerOrder={n}")]);
    Case { agents, instances, ..Case::of(engine, at("order-to-cash"), limit) }
}

/// The same with as few orders as suffice.
fn fewest(agents: usize, n: &str, limit: u64) -> Case {
    Case { asked: Asked::Fewest, ..orders(Engine::NATIVE, agents, n, limit) }
}
