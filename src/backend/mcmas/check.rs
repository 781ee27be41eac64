//! Running MCMAS: all verdicts first, then one run of the tool for every run to show.

use super::emit::{Ispl, Mode, emit, mode_of};
use super::output::{Said, edges, parse, states};
use crate::answer::{RawRun, RawStep, Verdict};
use crate::backend::common::initially;
use crate::backend::drive::{Finished, RunFolder, Tool, run};
use crate::backend::{Answer, NotWritten, Options};
use crate::machine::{Machine, Valid};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

/// Properties that can be asked in one run: same fairness constraints, same export.
pub fn groups(m: &Machine, properties: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mode = |p: usize| mode_of(&m.properties[p].formula);
    for &p in properties {
        let same = |g: &&mut Vec<usize>| m.properties[g[0]].fair == m.properties[p].fair && mode(g[0]) == mode(p);
        match groups.iter_mut().find(same) {
            Some(group) => group.push(p),
            None => groups.push(vec![p]),
        }
    }
    groups
}

/// Checks a group of properties.
pub fn check(m: &Valid, group: &[usize], tool: &Tool, o: &Options) -> Vec<Answer> {
    let all = |a: Answer| vec![a; group.len()];
    let mode = group.first().map_or(Mode::Plain, |p| mode_of(&m.properties[*p].formula));
    let ispl = match emit(m, group, mode, o.ask_overflow(m), file_of(mode)) {
        Ok(ispl) => ispl,
        Err(why) => return all(why.answer()),
    };
    let asked = match ask(&ispl, mode, "verdicts", false, tool, o) {
        Ok(asked) => asked,
        Err(why) => return all(why),
    };
    let flag = |n: Option<usize>| n.and_then(|n| asked.said.verdicts.get(&n).copied());
    if flag(ispl.alive) == Some(false) {
        return all(Answer::because(Verdict::Error, crate::backend::DEAD_END));
    }
    let share = asked.done.elapsed.as_secs_f64() / group.len().max(1) as f64;
    let mut answers = Vec::new();
    for (number, p) in ispl.asked.iter().zip(group) {
        let formula = &m.properties[*p].formula;
        let mut answer = match number.map(|n| asked.said.verdicts.get(&n)) {
            None => Answer::because(Verdict::Unsupported, "MCMAS cannot express the formula"),
            Some(None) => Answer::of_end(&asked.done, &asked.folder),
            Some(Some(_)) if flag(ispl.unfair) == Some(true) => Answer {
                reason: Some(crate::backend::NO_FAIR_RUN.into()),
                ..Answer::decided(formula.without_runs(&initially(m)))
            },
            Some(Some(holds)) => Answer::decided(*holds),
        };
        answer.seconds = share;
        answer.overflow = flag(ispl.bounded).map(|b| !b);
        answers.push(answer);
    }
    if o.traces && mode == Mode::Plain && flag(ispl.unfair) != Some(true) {
        for wanted in shows(m, group, &answers) {
            show(m, group, &wanted, &mut answers, tool, o);
        }
    }
    answers
}

/// The answers (by position) that a run can show, in groups that can be asked together. After a run for an LTL formula nothing that
/// MCMAS says can be relied on, so each of those is asked alone.
fn shows(m: &Machine, group: &[usize], answers: &[Answer]) -> Vec<Vec<usize>> {
    let formula = |i: usize| &m.properties[group[i]].formula;
    let shown = |i: &usize| answers[*i].verdict.holds().is_some_and(|h| formula(*i).shown_by_a_run(h));
    let (linear, together): (Vec<usize>, Vec<usize>) =
        (0..group.len()).filter(shown).partition(|i| formula(*i).uses().runs);
    std::iter::once(together).filter(|t| !t.is_empty()).chain(linear.into_iter().map(|i| vec![i])).collect()
}

const fn file_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Plain => "model.ispl",
        Mode::Strategies => "strategies.ispl",
    }
}

/// One run of the tool that could be read.
struct Asked {
    folder: Arc<RunFolder>,
    done: Finished,
    said: Said,
}

fn ask(ispl: &Ispl, mode: Mode, label: &str, traces: bool, tool: &Tool, o: &Options) -> Result<Asked, Answer> {
    let failed = |why: std::io::Error| Answer::because(Verdict::Error, format!("MCMAS could not be run: {why}"));
    let folder = o.folder("mcmas", label).map_err(failed)?;
    let file = file_of(mode);
    folder.write(file, &ispl.text).map_err(failed)?;
    folder.write(&format!("{file}.names.json"), &ispl.map.json().map_err(NotWritten::answer)?).map_err(failed)?;
    folder.write("versions.txt", &o.versions(tool)).map_err(failed)?;
    let mut args: Vec<OsString> = Vec::new();
    if mode == Mode::Strategies {
        args.extend(["-atlk".into(), "1".into()]);
    }
    if traces {
        args.extend(["-c".into(), "3".into(), "-p".into(), ".".into()]);
    }
    args.push(file.into());
    let done = run(&folder, "mcmas", &tool.path, &args, &o.limits).map_err(failed)?;
    match parse(&done.stdout, ispl.formulas) {
        Ok(said) => Ok(Asked { folder, done, said }),
        Err(why) => {
            let place = folder.keep().display().to_string();
            Err(Answer::because(Verdict::Error, format!("MCMAS's output is not understood ({why}); see {place}")))
        }
    }
}

/// Asks for runs in a process of their own. A verdict stays what it is when that fails.
fn show(m: &Valid, group: &[usize], wanted: &[usize], answers: &mut [Answer], tool: &Tool, o: &Options) {
    let properties: Vec<usize> = wanted.iter().map(|i| group[*i]).collect();
    let Ok(ispl) = emit(m, &properties, Mode::Plain, false, file_of(Mode::Plain)) else { return };
    let asked = match ask(&ispl, Mode::Plain, "traces", true, tool, o) {
        Ok(asked) => asked,
        Err(why) => {
            let why = format!("no run to show: {}", why.reason.unwrap_or_default());
            wanted.iter().for_each(|i| answers[*i].reason = Some(why.clone()));
            return;
        }
    };
    for (i, number) in wanted.iter().zip(&ispl.asked) {
        let (answer, Some(number)) = (&mut answers[*i], number) else { continue };
        answer.seconds += asked.done.elapsed.as_secs_f64() / wanted.len() as f64;
        match asked.said.verdicts.get(number) {
            Some(holds) if Verdict::of(*holds) != answer.verdict => {
                let place = asked.folder.keep().display();
                let why = format!("MCMAS answered differently when asked for a run; everything is in {place}");
                *answer = Answer::because(Verdict::Error, why);
            }
            Some(_) => {
                answer.keep_if_odd(&asked.folder);
                match raw(m, &ispl, &asked, *number) {
                    Some(run) => answer.runs = vec![run.clone(), RawRun { loop_start: None, ..run }],
                    None => answer.reason = Some("mcmas shows no run".into()),
                }
            }
            None => answer.reason = Some("mcmas gave the verdict but no run in time".into()),
        }
    }
}

/// The first path as a run.
fn raw(m: &Machine, ispl: &Ispl, asked: &Asked, number: usize) -> Option<RawRun> {
    let read = |ext: &str| std::fs::read_to_string(asked.folder.file(&format!("formula{number}.{ext}"))).ok();
    let (edges, states) = (edges(&read("dot")?).ok()?, states(&read("info")?).ok()?);
    let path = asked.said.paths.get(&number).cloned().unwrap_or_else(|| vec![0]);
    if path.first() != Some(&0) {
        return None;
    }
    let mut steps = Vec::new();
    for w in path.windows(2) {
        let joint = edges.get(&(w[0], w[1]))?;
        let choice = ispl.choices.get(joint.first()?)?.clone();
        steps.push(RawStep { choice: Some(choice), after: states.get(&w[1]).map(|s| codes(m, ispl, s)) });
    }
    let last = path.last()?;
    let loop_start = path[..path.len() - 1].iter().position(|s| s == last);
    Some(RawRun { steps, loop_start, sides: vec![] })
}

fn codes(m: &Machine, ispl: &Ispl, state: &BTreeMap<String, String>) -> Vec<Option<i64>> {
    let code = |i: usize| {
        let text = state.get(&ispl.vars[i])?;
        ispl.values[i].iter().find(|(n, _)| n == text).map(|(_, c)| *c)
    };
    (0..m.state_vars().len()).map(code).collect()
}

/// The number of reachable snapshots as MCMAS counts them.
pub fn count_states(m: &Valid, tool: &Tool, o: &Options) -> Result<String, String> {
    let ispl = emit(m, &[], Mode::Plain, false, file_of(Mode::Plain)).map_err(|e| e.to_string())?;
    let asked = ask(&ispl, Mode::Plain, "count", false, tool, o).map_err(|a| a.reason.unwrap_or_default())?;
    asked.said.states.ok_or_else(|| format!("MCMAS did not count; see {}", asked.folder.keep().display()))
}
