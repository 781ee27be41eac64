//! Running NuSMV: verdicts first, then the runs that show them.

use super::emit::{Smv, emit};
use super::output::{DONE, Said, XmlNode, XmlTrace, parse, total};
use super::{Ask, Spec};
use crate::answer::{Choice, RawRun, RawStep, Verdict};
use crate::backend::common::{Payload, initially};
use crate::backend::drive::{Ended, Finished, Limits, RunFolder, Tool, run};
use crate::backend::{Answer, NotWritten, Options};
use crate::machine::{Machine, Valid};
use std::time::Duration;

/// Properties that can be asked in one run: their fairness constraints are the same.
pub fn groups(m: &Machine, properties: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &p in properties {
        let same = |g: &&mut Vec<usize>| m.properties[g[0]].fair == m.properties[p].fair;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(p),
            None => groups.push(vec![p]),
        }
    }
    groups
}

/// Checks a group of properties in one run, and asks for runs in a second one.
pub fn check(m: &Valid, group: &[usize], tool: &Tool, o: &Options) -> Vec<Answer> {
    let asks: Vec<Ask> = group.iter().map(|&property| Ask { property, negated: false }).collect();
    let all = |a: Answer| vec![a; group.len()];
    let smv = match emit(m, &asks, o.ask_overflow(m), "model.smv") {
        Ok(smv) => smv,
        Err(why) => return all(why.answer()),
    };
    let asked = match ask(&smv, "verdicts", false, tool, o) {
        Ok(asked) => asked,
        Err(why) => return all(why),
    };
    let mut answers: Vec<Answer> = smv.specs.iter().map(|s| asked.answer(s)).collect();
    let share = asked.done.elapsed.as_secs_f64() / group.len().max(1) as f64;
    let flag = |s: &Option<Spec>| s.as_ref().and_then(|s| asked.said.verdicts.get(&s.name).copied());
    if flag(&smv.alive) == Some(false) {
        return all(Answer::because(Verdict::Error, crate::backend::DEAD_END));
    }
    for (answer, &p) in answers.iter_mut().zip(group) {
        answer.seconds = share;
        answer.overflow = flag(&smv.bounded).map(|b| !b);
        if flag(&smv.unfair) == Some(true) && answer.verdict.holds().is_some() {
            answer.verdict = Verdict::of(m.properties[p].formula.without_runs(&initially(m)));
            answer.reason = Some(crate::backend::NO_FAIR_RUN.into());
        }
    }
    if o.traces && flag(&smv.unfair) != Some(true) {
        show(m, group, &mut answers, tool, o);
    }
    answers
}

/// Asks for runs that show the verdicts. A verdict stays what it is when that fails.
fn show(m: &Valid, group: &[usize], answers: &mut [Answer], tool: &Tool, o: &Options) {
    let wanted: Vec<(usize, Ask)> = answers
        .iter()
        .zip(group)
        .enumerate()
        .filter_map(|(i, (a, &property))| {
            let holds = a.verdict.holds()?;
            m.properties[property].formula.shown_by_a_run(holds).then_some((i, Ask { property, negated: holds }))
        })
        .collect();
    if wanted.is_empty() {
        return;
    }
    let asks: Vec<Ask> = wanted.iter().map(|(_, a)| *a).collect();
    let Ok(smv) = emit(m, &asks, false, "model.smv") else { return };
    match ask(&smv, "traces", true, tool, o) {
        Ok(asked) => {
            for ((i, _), spec) in wanted.iter().zip(&smv.specs) {
                answers[*i].seconds += asked.done.elapsed.as_secs_f64() / wanted.len() as f64;
                match asked.said.verdicts.get(&spec.name) {
                    Some(false) => {}
                    Some(true) => {
                        let why = "NuSMV answered differently when asked for a run";
                        answers[*i] = Answer::because(Verdict::Error, asked.kept(why));
                        continue;
                    }
                    None => answers[*i].reason = Some("nusmv gave the verdict but no run in time".into()),
                }
                if let Some(trace) = asked.said.traces.get(&spec.name) {
                    answers[*i].runs = runs(m, &smv, trace);
                    answers[*i].keep_if_odd(&asked.folder);
                }
            }
        }
        Err(why) => {
            let why = why.reason.unwrap_or_default();
            wanted.iter().for_each(|(i, _)| answers[*i].reason = Some(format!("no run to show: {why}")));
        }
    }
}

/// One run of the tool that could be read.
struct Asked {
    folder: std::sync::Arc<RunFolder>,
    done: Finished,
    said: Said,
}

impl Asked {
    fn kept(&self, why: &str) -> String {
        format!("{why}; everything is in {}", self.folder.keep().display())
    }

    fn answer(&self, spec: &Spec) -> Answer {
        match self.said.verdicts.get(&spec.name) {
            Some(holds) => Answer::decided(*holds),
            None => Answer::of_end(&self.done, &self.folder),
        }
    }
}

fn ask(smv: &Smv, label: &str, traces: bool, tool: &Tool, o: &Options) -> Result<Asked, Answer> {
    let failed = |why: std::io::Error| Answer::because(Verdict::Error, format!("NuSMV could not be run: {why}"));
    let folder = o.folder("nusmv", label).map_err(failed)?;
    let specs: Vec<&Spec> = smv.specs.iter().chain(&smv.alive).chain(&smv.unfair).chain(&smv.bounded).collect();
    let fair = smv.unfair.is_some();
    folder.write("model.smv", &smv.text).map_err(failed)?;
    folder.write("model.smv.names.json", &smv.map.json().map_err(NotWritten::answer)?).map_err(failed)?;
    folder.write("versions.txt", &o.versions(tool)).map_err(failed)?;
    folder.write("run.cmd", &script(&specs, false)).map_err(failed)?;
    let mut done = attempt(&folder, "nusmv", &["-dynamic"], traces, tool, &first_try(&o.limits)).map_err(failed)?;
    let mut said = read(&done, &specs, fair, &folder)?;
    if done.ended == Ended::Time && o.limits.time.is_none_or(|t| t > done.elapsed) {
        let open: Vec<&Spec> = specs.into_iter().filter(|s| !said.verdicts.contains_key(&s.name)).collect();
        folder.write("run.cmd", &script(&open, false)).map_err(failed)?;
        let rest = Limits { time: o.limits.time.map(|t| t.saturating_sub(done.elapsed)), ..o.limits.clone() };
        let before = done.elapsed;
        done = attempt(&folder, "nusmv-df", &["-df", "-dynamic"], traces, tool, &rest).map_err(failed)?;
        done.elapsed += before;
        said.join(read(&done, &open, fair, &folder)?);
    }
    Ok(Asked { folder, done, said })
}

fn read(done: &Finished, specs: &[&Spec], fair: bool, folder: &RunFolder) -> Result<Said, Answer> {
    let names: Vec<&str> = specs.iter().map(|s| s.name.as_str()).collect();
    let said =
        parse(&done.stdout, &names).and_then(|said| if fair { Ok(said) } else { total(&done.stderr).map(|()| said) });
    said.map_err(|why| {
        let place = folder.keep().display();
        Answer::because(Verdict::Error, format!("NuSMV's output is not understood ({why}); see {place}"))
    })
}

/// Neither way always wins: restricting everything to the reachable snapshots (the default), or not (`-df`). The first gets half of
/// the time, five minutes at most; what it leaves open is asked the other way.
fn first_try(limits: &Limits) -> Limits {
    let most = Duration::from_secs(300);
    Limits { time: Some(limits.time.map_or(most, |t| (t / 2).min(most))), ..limits.clone() }
}

fn attempt(
    folder: &RunFolder,
    stage: &str,
    flags: &[&str],
    traces: bool,
    tool: &Tool,
    limits: &Limits,
) -> std::io::Result<Finished> {
    let quiet: &[&str] = if traces { &[] } else { &["-dcx"] };
    let words = flags.iter().chain(quiet).chain(&["-source", "run.cmd"]);
    let args: Vec<std::ffi::OsString> = words.map(Into::into).collect();
    run(folder, stage, &tool.path, &args, limits)
}

/// The commands that check everything by name. `count` asks for the number of reachable states instead.
fn script(specs: &[&Spec], count: bool) -> String {
    let mut lines: Vec<String> = [
        "set on_failure_script_quits 1",
        "set prop_print_method name",
        "set traces_show_defines 0",
        "set default_trace_plugin 4",
        "read_model -i model.smv",
        "flatten_hierarchy",
        "encode_variables",
        "build_model",
    ]
    .map(String::from)
    .into();
    if count {
        lines.push("print_reachable_states".into());
    }
    lines.extend(specs.iter().map(|s| format!("{} -P {}", s.kind.command(), s.name)));
    lines.push(format!("echo {DONE}"));
    lines.push("quit\n".into());
    lines.join("\n")
}

/// The number of reachable snapshots as NuSMV counts them.
pub fn count_states(m: &Valid, tool: &Tool, o: &Options) -> Result<String, String> {
    let smv = emit(m, &[], false, "model.smv").map_err(|e| e.to_string())?;
    let folder = o.folder("nusmv", "count").map_err(|e| e.to_string())?;
    let write = |name, text: &str| folder.write(name, text).map_err(|e| e.to_string());
    write("model.smv", &smv.text)?;
    write("run.cmd", &script(&[], true))?;
    let args: Vec<std::ffi::OsString> = ["-dynamic", "-source", "run.cmd"].map(Into::into).into();
    let done = run(&folder, "nusmv", &tool.path, &args, &o.limits).map_err(|e| e.to_string())?;
    let said = parse(&done.stdout, &[]).map_err(|e| e.to_string())?;
    said.states.ok_or_else(|| format!("NuSMV did not count; see {}", folder.keep().display()))
}

/// A trace in the machine's terms: without a loop, and with each loop that its states allow.
fn runs(m: &Machine, smv: &Smv, trace: &XmlTrace) -> Vec<RawRun> {
    let steps: Option<Vec<RawStep>> = trace.nodes.windows(2).map(|w| step(m, smv, &w[0], &w[1])).collect();
    let Some(steps) = steps else { return vec![] };
    let last = trace.nodes.len() - 1;
    let loops = trace.loops.iter().copied().filter(|l| *l < last).map(Some);
    let one = |loop_start| RawRun { steps: steps.clone(), loop_start, sides: vec![] };
    loops.chain([None]).map(one).collect()
}

fn step(m: &Machine, smv: &Smv, from: &XmlNode, to: &XmlNode) -> Option<RawStep> {
    let code = |text: &str| match text {
        "TRUE" => Some(1),
        "FALSE" => Some(0),
        number => number.parse::<i64>().ok(),
    };
    let act = from.input.get(&smv.act)?;
    let choice = match smv.actions.iter().position(|a| a == act) {
        Some(action) => {
            let payload = &smv.inputs[m.actions[action].body.0];
            let value = |p: &Payload| match p {
                Payload::Fixed(v) => Some(*v),
                Payload::Variable(name) => from.input.get(name).and_then(|t| code(t)),
            };
            Choice::Act { action, inputs: payload.iter().map(value).collect::<Option<_>>()? }
        }
        None if *act == smv.idle => Choice::Idle,
        None => return None,
    };
    let after = smv.vars.iter().map(|v| to.state.get(v).and_then(|t| code(t))).collect();
    Some(RawStep { choice: Some(choice), after: Some(after) })
}
