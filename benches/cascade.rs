//! One body of thousands of guarded assignments: `cargo bench --bench cascade [-- RULES …]`.
//!
//! What it takes to encode, to export, to step through and to explain. Twice the rules should take about twice the time.

use gsmc::explain::Explainer;
use gsmc::interp::Interp;
use gsmc::lang::Lens;
use gsmc::machine::Valid;
use gsmc::native::bdd::Limits;
use gsmc::native::encode::System;
use gsmc::source::Sources;
use gsmc::testing::cascade::cascade;
use std::time::Instant;

/// Steps that are taken and explained.
const STEPS: usize = 100;

fn main() {
    let mut sizes: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![500, 2000, 4000, 12000];
    }
    let agents = 20;
    println!("seconds for one body, {agents} agents, {STEPS} steps taken and explained");
    println!(
        "{:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "rules", "compile", "steps", "explain", "encode", "smv", "promela", "ispl"
    );
    for rules in sizes {
        match cascade(rules, agents, 1) {
            Some(machine) => measure(rules, Plain(machine)),
            None => println!("{rules:>7} is no size"),
        }
    }
}

/// A language with nothing to say.
struct Plain(Valid);

impl Lens for Plain {
    fn language(&self) -> &'static str {
        "machine"
    }

    fn machine(&self) -> &Valid {
        &self.0
    }

    fn with_property(&self, _: &str, _: &mut Sources) -> Result<Valid, String> {
        Err("a bare machine has no notation".into())
    }
}

fn measure(rules: usize, lens: Plain) {
    let m = &lens.0;
    let (interp, compile) = timed(|| Interp::new(m));
    let mut run = vec![interp.initial()];
    let mut choices = Vec::new();
    let ((), steps) = timed(|| {
        for i in 0..STEPS {
            let here = run.last().cloned().unwrap_or_default();
            let all = interp.choices(&here);
            let Some(choice) = all.get(i % all.len().max(1)).cloned() else { return };
            let Some(step) = interp.step(&here, &choice) else { return };
            choices.push(choice);
            run.push(step.after);
        }
    });
    let sources = Sources::default();
    let explainer = Explainer::new(&lens, &interp, &sources);
    let (told, explain) =
        timed(|| run.iter().zip(&choices).filter_map(|(s, c)| explainer.explain(s, c)).map(|e| e.rules.len()).sum());
    let _: usize = told;
    let (system, encode) = timed(|| System::new(m, &Limits::default()).is_ok());
    let mut line = format!("{rules:>7} {compile:>8.3} {steps:>8.3} {explain:>8.3} {encode:>8.3}");
    for checker in gsmc::backend::CHECKERS {
        let (written, seconds) = timed(|| (checker.export)(m, &[0, 1]));
        line += &format!(" {seconds:>8.3}");
        if let Err(why) = written {
            line += &format!(" ({why})");
        }
    }
    println!("{line}{}", if system { "" } else { "  (native gave up)" });
}

fn timed<T>(f: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let value = f();
    (value, begin.elapsed().as_secs_f64())
}
