//! Running SPIN: generate the verifier, compile it, run it once per claim, replay what it found.

use super::emit::{Promela, Wanted, emit};
use crate::backend::common::Payload;
use crate::backend::drive::{Ended, Finished, RunFolder, Tool, on_path, run};
use crate::backend::linear::Claims;
use crate::backend::parse::spin::{PanSays, Trail, pan, trail};
use crate::backend::{Answer, Options};
use crate::interp::Choice;
use crate::logic::{Formula, PathFormula};
use crate::machine::{ExprId, Machine, Valid};
use crate::report::results::Verdict;
use crate::trace::{RawRun, RawStep};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Properties that share a verifier. Each claim adds a byte to every state, but compiling takes far longer than searching.
const TOGETHER: usize = 64;

/// Properties in groups that are compiled together, at least one group per job where there are enough.
pub fn groups(properties: &[usize], jobs: usize) -> Vec<Vec<usize>> {
    let size = properties.len().div_ceil(jobs.max(1)).clamp(1, TOGETHER);
    properties.chunks(size).map(<[usize]>::to_vec).collect()
}

/// How hard the compiler tries. Optimising takes ten times longer on the straight-line code of B-steps and saves a third of the search.
const EFFORT: &str = "-O0";

/// What one claim came to.
#[derive(Clone)]
struct Outcome {
    holds: Result<bool, Answer>,
    runs: Vec<RawRun>,
    seconds: f64,
}

/// Checks a group of properties with one verifier.
pub fn check(m: &Valid, group: &[usize], tool: &Tool, o: &Options) -> Vec<Answer> {
    let all = |a: Answer| vec![a; group.len()];
    let mut claims: Vec<Claims> = Vec::new();
    for p in group {
        match Claims::of(m, &m.properties[*p]) {
            Ok(c) => claims.push(c),
            Err(why) => return all(Answer::because(Verdict::Unsupported, why)),
        }
    }
    let bounded = o.ask_overflow(m).then(|| stays_false(m)).flatten();
    let mut wanted = wanted(m, group, &claims);
    wanted.extend(bounded.iter().map(|claim| Wanted { name: "bounded", text: "the bounds are never exceeded", claim }));
    let model = match emit(m, &wanted) {
        Ok(model) => model,
        Err(why) => return all(Answer::because(Verdict::Unsupported, why.to_string())),
    };
    let verifier = match Verifier::build(&model, tool, o) {
        Ok(v) => v,
        Err(why) => return all(why),
    };
    if let Some(alive) = &model.alive {
        match verifier.claim(m, alive).holds {
            Ok(true) => {}
            Ok(false) => return all(Answer::because(Verdict::Error, crate::backend::DEAD_END)),
            Err(why) => return all(why),
        }
    }
    let too_large = || Answer::because(Verdict::Unsupported, "the automaton of the formula gets too large");
    let outcome = |c: &Option<super::ClaimText>| match c {
        Some(c) => verifier.claim(m, &c.name),
        None => Outcome { holds: Err(too_large()), runs: vec![], seconds: 0.0 },
    };
    let outcomes: Vec<Outcome> = model.claims.iter().map(outcome).collect();
    let overflow = bounded.and_then(|_| outcomes.last()).and_then(|o| o.holds.clone().ok()).map(|holds| !holds);
    let share = verifier.seconds / group.len().max(1) as f64;
    let mut rest = outcomes.as_slice();
    let mut answers = Vec::new();
    for c in &claims {
        let (mine, others) = rest.split_at(c.claims.len().min(rest.len()));
        rest = others;
        let mut answer = combine(c, mine);
        answer.seconds += share;
        answer.overflow = overflow;
        answer.keep_if_odd(&verifier.folder);
        answers.push(answer);
    }
    answers
}

fn wanted<'a>(m: &'a Valid, group: &[usize], claims: &'a [Claims]) -> Vec<Wanted<'a>> {
    let mut all = Vec::new();
    for (p, c) in group.iter().zip(claims) {
        let p = &m.properties[*p];
        all.extend(c.claims.iter().map(|claim| Wanted { name: &p.name, text: &p.text, claim }));
    }
    all
}

/// The claim that `overflow` stays false, if an expression reads it at all.
fn stays_false(m: &Machine) -> Option<PathFormula<ExprId>> {
    let reads = |n: &crate::machine::Node| *n == crate::machine::Node::Cur(m.overflow);
    let at = m.exprs.nodes().iter().position(reads)?;
    let overflow = Formula::Not(Box::new(Formula::Atom(ExprId(at as u32))));
    Some(PathFormula::Globally(Box::new(PathFormula::State(overflow))))
}

/// The verdict of a property from its claims; runs are those of violated claims.
fn combine(claims: &Claims, outcomes: &[Outcome]) -> Answer {
    let mut holds = Vec::new();
    for o in outcomes {
        match &o.holds {
            Ok(h) => holds.push(*h),
            Err(why) => return why.clone(),
        }
    }
    let mut answer = Answer::decided(claims.verdict(&holds));
    answer.runs = outcomes.iter().flat_map(|o| o.runs.iter().cloned()).collect();
    answer.seconds = outcomes.iter().map(|o| o.seconds).sum();
    answer
}

/// A compiled verifier in its folder.
struct Verifier<'a> {
    folder: Arc<RunFolder>,
    model: &'a Promela,
    tool: &'a Tool,
    o: &'a Options,
    seconds: f64,
}

fn failed(why: impl std::fmt::Display) -> Answer {
    Answer::because(Verdict::Error, format!("SPIN could not be run: {why}"))
}

fn args(list: &[&str]) -> Vec<OsString> {
    list.iter().map(Into::into).collect()
}

impl<'a> Verifier<'a> {
    /// `spin -a`, then the compiler.
    fn build(model: &'a Promela, tool: &'a Tool, o: &'a Options) -> Result<Verifier<'a>, Answer> {
        let compiler = ["gcc", "cc", "clang"].into_iter().find_map(on_path);
        let Some(compiler) = compiler else { return Err(failed("there is no C compiler (gcc) on PATH")) };
        let folder = o.folder("spin", "claims").map_err(failed)?;
        folder.write("model.pml", &model.text).map_err(failed)?;
        folder.write("model.pml.names.json", &model.map.json()).map_err(failed)?;
        folder.write("versions.txt", &o.versions(tool)).map_err(failed)?;
        let generated =
            run(&folder, "spin", &tool.path, &args(&["-a", "-o3", "model.pml"]), &o.limits).map_err(failed)?;
        if generated.ended != Ended::Itself(Some(0)) || !folder.file("pan.c").exists() {
            return Err(stage_failed(&generated, &folder, "spin -a"));
        }
        let vector = format!("-DVECTORSZ={}", model.vector.max(1024).next_power_of_two());
        let mut flags = args(&[EFFORT, "-w", "-DNOREDUCE", &vector]);
        if let Some(most) = o.limits.memory {
            flags.push(format!("-DMEMLIM={}", (most >> 20).max(1)).into());
        }
        flags.extend(args(&["-o", "pan", "pan.c"]));
        let compiled = run(&folder, "compiler", &compiler, &flags, &o.limits).map_err(failed)?;
        if compiled.ended != Ended::Itself(Some(0)) || !folder.file("pan").exists() {
            return Err(stage_failed(&compiled, &folder, "the compiler"));
        }
        let seconds = (generated.elapsed + compiled.elapsed).as_secs_f64();
        Ok(Verifier { folder, model, tool, o, seconds })
    }

    /// Decides one claim, with ever larger depth bounds.
    fn claim(&self, m: &Valid, name: &str) -> Outcome {
        let mut outcome = Outcome { holds: Ok(false), runs: vec![], seconds: 0.0 };
        for depth in self.depths() {
            let said = match self.search(name, depth) {
                Ok((done, said)) => {
                    outcome.seconds += done.elapsed.as_secs_f64();
                    said
                }
                Err(why) => return Outcome { holds: Err(why), ..outcome },
            };
            let holds = match said {
                PanSays::TooDeep => continue,
                PanSays::Holds => Ok(true),
                PanSays::Violated => Ok(false),
                PanSays::OutOfMemory => Err(Answer::because(Verdict::OutOfMemory, "pan ran out of memory")),
                PanSays::Incomplete(why) => Err(Answer::because(Verdict::Unknown, why)),
            };
            let show = self.o.traces && matches!(holds, Ok(false));
            let runs = if show { self.replay(m, name) } else { vec![] };
            return Outcome { holds, runs, ..outcome };
        }
        let why = "the search is deeper than memory allows to follow";
        Outcome { holds: Err(Answer::because(Verdict::Unknown, why)), ..outcome }
    }

    /// Depth bounds to try; a stack entry takes some 60 bytes.
    fn depths(&self) -> impl Iterator<Item = u64> + use<> {
        let most = self.o.limits.memory.unwrap_or(4 << 30) / 60;
        [100_000, 1_000_000, 10_000_000, 50_000_000].into_iter().filter(move |d| *d == 100_000 || *d < most)
    }

    fn search(&self, name: &str, depth: u64) -> Result<(Finished, PanSays), Answer> {
        let _ = std::fs::remove_file(self.trail());
        let depth = format!("-m{depth}");
        let mut list = vec!["-a", "-n", &depth, "-w20"];
        let several = self.model.claims.iter().flatten().count() + usize::from(self.model.alive.is_some()) > 1;
        if several {
            list.extend(["-N", name]);
        }
        let program = self.folder.file("pan");
        let done = run(&self.folder, &format!("pan-{name}"), &program, &args(&list), &self.o.limits).map_err(failed)?;
        if !matches!(done.ended, Ended::Itself(_)) {
            return Err(Answer::of_end(&done, &self.folder));
        }
        match pan(&done.stdout, &done.stderr) {
            Ok(said) => Ok((done, said.says)),
            Err(why) => {
                let place = self.folder.keep().display();
                Err(Answer::because(Verdict::Error, format!("pan's output is not understood ({why}); see {place}")))
            }
        }
    }

    fn trail(&self) -> PathBuf {
        self.folder.file("model.pml.trail")
    }

    /// The run of the trail just written; nothing when it cannot be replayed.
    fn replay(&self, m: &Valid, name: &str) -> Vec<RawRun> {
        let stage = format!("replay-{name}");
        let list = args(&["-t", "-T", "model.pml"]);
        let Ok(done) = run(&self.folder, &stage, Path::new(&self.tool.path), &list, &self.o.limits) else {
            return vec![];
        };
        let width = 1 + self.model.payload.len() + m.vars.len();
        match trail(&done.stdout, width) {
            Ok(t) => raw(m, self.model, &t).into_iter().collect(),
            Err(_) => {
                self.folder.keep();
                vec![]
            }
        }
    }
}

fn stage_failed(done: &Finished, folder: &RunFolder, stage: &str) -> Answer {
    let mut answer = Answer::of_end(done, folder);
    answer.reason = answer.reason.map(|r| format!("{stage}: {r}"));
    answer
}

fn raw(m: &Machine, model: &Promela, t: &Trail) -> Option<RawRun> {
    let steps = t.steps.iter().map(|numbers| step(m, model, numbers)).collect::<Option<Vec<_>>>()?;
    let loop_start = t.cycle.filter(|c| *c < steps.len());
    Some(RawRun { steps, loop_start, sides: vec![] })
}

fn step(m: &Machine, model: &Promela, numbers: &[i64]) -> Option<RawStep> {
    let (act, rest) = numbers.split_first()?;
    let (payload, after) = rest.split_at_checked(model.payload.len())?;
    let choice = match act {
        0 => Choice::Idle,
        n => {
            let action = usize::try_from(*n).ok()? - 1;
            let value = |p: &Payload| match p {
                Payload::Fixed(v) => Some(*v),
                Payload::Variable(name) => {
                    model.payload.iter().position(|q| q == name).and_then(|i| payload.get(i)).copied()
                }
            };
            let inputs = model.inputs.get(m.actions.get(action)?.body)?;
            Choice::Act { action, inputs: inputs.iter().map(value).collect::<Option<_>>()? }
        }
    };
    Some(RawStep { choice: Some(choice), after: Some(after.iter().copied().map(Some).collect()) })
}
