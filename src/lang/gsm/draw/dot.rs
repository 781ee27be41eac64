//! Pictures as Graphviz DOT: the lifecycle, and the rule graph of an event.

use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::summary::named;
use crate::lang::gsm::{Application, ArtifactType, Edge, Guard, Order, Rules, StageIx};
use crate::picture::dot::string;
use std::fmt::Write;

/// The lifecycle of every artifact type: nested stage boxes, guard diamonds, milestone circles, a task in its atomic stage.
pub fn lifecycle(app: &Application) -> String {
    let mut out = String::from("digraph lifecycle {\n  rankdir=LR; compound=true; nodesep=0.15; ranksep=0.3;\n");
    out += "  graph [fontname=\"Helvetica\", fontsize=12]; node [fontname=\"Helvetica\", fontsize=10]; edge [style=invis];\n";
    for (ty, t) in TypeIx::each(&app.types) {
        let _ = writeln!(
            out,
            "  subgraph cluster_t{} {{\n    label={}; style=dashed; color=gray50;",
            ty.0,
            string(&named(&t.id, &t.name))
        );
        for s in t.top_stages() {
            stage(&mut out, app, t, ty.0, s, 2);
        }
        out += "  }\n";
    }
    out + "}\n"
}

fn stage(out: &mut String, app: &Application, t: &ArtifactType, ty: usize, s: StageIx, depth: usize) {
    let pad = "  ".repeat(depth);
    let stage = &t.stages[s];
    let s = s.0;
    let _ = writeln!(out, "{pad}subgraph cluster_t{ty}s{s} {{");
    let _ = writeln!(out, "{pad}  label={}; style=rounded; color=black;", string(&stage.name));
    let _ = writeln!(out, "{pad}  t{ty}s{s} [shape=point, style=invis, width=0.05];");
    for (g, guard) in stage.guards.iter().enumerate() {
        let tip = string(&sentry_text(app, guard));
        let _ =
            writeln!(out, "{pad}  t{ty}s{s}g{g} [shape=diamond, label=\"\", width=0.25, height=0.25, tooltip={tip}];");
        let _ = writeln!(out, "{pad}  t{ty}s{s}g{g} -> t{ty}s{s};");
    }
    if let Some(task) = stage.task.map(|k| &t.tasks[k]) {
        let _ = writeln!(
            out,
            "{pad}  t{ty}s{s}k [shape=box, style=filled, fillcolor=gray92, label={}];",
            string(&task.name)
        );
    }
    stage.children.iter().for_each(|c| self::stage(out, app, t, ty, *c, depth + 1));
    for &m in &stage.milestones {
        let label = string(&t.milestones[m].name);
        let m = m.0;
        let _ = writeln!(out, "{pad}  t{ty}m{m} [shape=circle, label=\"\", width=0.25, xlabel={label}];");
        let _ = writeln!(out, "{pad}  t{ty}s{s} -> t{ty}m{m};");
    }
    let _ = writeln!(out, "{pad}}}");
}

/// Event part and condition of a sentry, for a tooltip.
fn sentry_text(app: &Application, guard: &Guard) -> String {
    let events: Vec<&str> = guard.sentry.events.iter().map(|e| app.events[*e].name.as_str()).collect();
    match events.is_empty() {
        true => guard.name.clone(),
        false => format!("{} on {}", guard.name, events.join(" or ")),
    }
}

/// The rule graph of an event, rules numbered in their order; reversed edges blue, dropped ones red and dashed, rules on a cycle
/// filled.
pub fn rule_graph(app: &Application, rules: &Rules, order: &Order) -> String {
    let title = format!("rules on {}", order.occurrence.name(app));
    let mut out = format!("digraph rules {{\n  label={}; rankdir=TB;\n", string(&title));
    out += "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];\n";
    for (place, r) in order.sequence.iter().enumerate() {
        let cyclic = order.cycles.iter().any(|c| c.contains(r));
        let fill = if cyclic { ", style=\"rounded,filled\", fillcolor=mistyrose" } else { "" };
        let rule = &rules.list[*r];
        let label = format!("{}. {}: {}", place + 1, app.types[rule.ty].id, rule.label(app));
        let _ = writeln!(out, "  r{} [label={}{fill}];", r.0, string(&label));
    }
    for Edge { from, to, reversed, dropped, related } in &order.edges {
        let colour = match (*dropped, *reversed) {
            (true, _) => "color=red, style=dashed",
            (_, true) => "color=blue",
            _ => "color=black",
        };
        let label = if *related { ", label=\"other instances\"" } else { "" };
        let _ = writeln!(out, "  r{} -> r{} [{colour}{label}];", from.0, to.0);
    }
    out + "}\n"
}
