//! Standard properties that every model should have, written like a user's so that every engine can check them.
//!
//! What is about steps rather than snapshots (a guard fires, an event is consumed, dead ends, order) has no formula: see
//! [`crate::machine::Question`].

use super::{
    Application, ArtifactType, Expr, ExprKind, Milestone, MilestoneIs, MilestoneIx, ModelProperty, StageIs, StageIx,
    Subject, TypeIx,
};
use crate::logic::{Connected, Formula, Property, TypeNo};
use crate::source::Span;

type Fml = Formula<Expr>;

/// The standard properties of an application; all are expected to hold.
pub fn builtin(app: &Application) -> Vec<ModelProperty> {
    let mut list = Vec::new();
    for (ty, t) in TypeIx::each(&app.types) {
        for (s, stage) in StageIx::each(&t.stages) {
            let opens = finally(some(ty, active(ty, s, stage.span)));
            let text = format!("EF exists x : {} (x.{})", t.id, stage.id);
            list.push(property(format!("stage-opens({}.{})", t.id, stage.id), text, opens, stage.span));
        }
        for (m, milestone) in MilestoneIx::each(&t.milestones) {
            let span = milestone.span;
            let achieved = finally(some(ty, achieved(ty, m, span)));
            let text = format!("EF exists x : {} (x.{})", t.id, milestone.id);
            list.push(property(format!("milestone-achieved({}.{})", t.id, milestone.id), text, achieved, span));
        }
    }
    for (ty, t) in TypeIx::each(&app.types) {
        let mut invariant = |name: &str, parts: Vec<(String, Fml)>| {
            if !parts.is_empty() {
                let (texts, parts): (Vec<String>, Vec<Fml>) = parts.into_iter().unzip();
                let always = globally(each(ty, Formula::all(parts)));
                let text = format!("AG forall x : {} ({})", t.id, texts.join(" && "));
                list.push(property(format!("{name}({})", t.id), text, always, t.span));
            }
        };
        invariant("open-has-no-milestone", open_without_milestone(ty, t));
        invariant("inside-open", inside_open(ty, t));
        invariant("one-milestone", one_milestone(ty, t));
        let goals = top_milestones(t).map(|m| achieved(ty, m, t.span)).collect::<Vec<_>>();
        if !goals.is_empty() {
            let possible = Formula::ef(Formula::any(goals));
            let name = format!("can-still-finish({})", t.id);
            let names: Vec<String> = top_milestones(t).map(|m| format!("x.{}", t.milestones[m].id)).collect();
            let text = format!("AG forall x : {} (EF ({}))", t.id, names.join(" || "));
            list.push(property(name, text, globally(each(ty, possible)), t.span));
        }
    }
    if let Some(t) = app.types.first() {
        let overflow = Formula::Atom(Expr { kind: ExprKind::Overflow, span: t.span });
        list.push(property("no-overflow".into(), "AG !overflow".into(), globally(overflow.not()), t.span));
    }
    list
}

/// The milestones of stages that lie in no other stage.
pub fn top_milestones(t: &ArtifactType) -> impl Iterator<Item = MilestoneIx> + '_ {
    MilestoneIx::all(&t.milestones).filter(|&m| t.stages[t.milestones[m].stage].parent.is_none())
}

/// I1: an active stage has no achieved milestone.
fn open_without_milestone(ty: TypeIx, t: &ArtifactType) -> Vec<(String, Fml)> {
    let clash = |(m, milestone): (MilestoneIx, &Milestone)| {
        let both = vec![active(ty, milestone.stage, milestone.span), achieved(ty, m, milestone.span)];
        let text = format!("!(x.{} && x.{})", t.stages[milestone.stage].id, milestone.id);
        (text, Formula::all(both).not())
    };
    MilestoneIx::each(&t.milestones).map(clash).collect()
}

/// I2: a sub-stage of an inactive stage is inactive.
fn inside_open(ty: TypeIx, t: &ArtifactType) -> Vec<(String, Fml)> {
    let nested = StageIx::each(&t.stages).filter_map(|(s, stage)| Some((s, stage.parent?, stage.span)));
    let text = |s: StageIx, parent: StageIx| format!("(x.{} -> x.{})", t.stages[s].id, t.stages[parent].id);
    nested.map(|(s, parent, span)| (text(s, parent), active(ty, s, span).implies(active(ty, parent, span)))).collect()
}

/// I3: at most one milestone of a stage is achieved.
fn one_milestone(ty: TypeIx, t: &ArtifactType) -> Vec<(String, Fml)> {
    let mut parts = Vec::new();
    for stage in &t.stages {
        for (i, &a) in stage.milestones.iter().enumerate() {
            for &b in &stage.milestones[i + 1..] {
                let both = vec![achieved(ty, a, stage.span), achieved(ty, b, stage.span)];
                let text = format!("!(x.{} && x.{})", t.milestones[a].id, t.milestones[b].id);
                parts.push((text, Formula::all(both).not()));
            }
        }
    }
    parts
}

fn active(ty: TypeIx, stage: StageIx, span: Span) -> Fml {
    let kind = ExprKind::Stage { of: Subject::Bound(0), ty, stage, is: StageIs::Active };
    Formula::Atom(Expr { kind, span })
}

fn achieved(ty: TypeIx, milestone: MilestoneIx, span: Span) -> Fml {
    let kind = ExprKind::Milestone { of: Subject::Bound(0), ty, milestone, is: MilestoneIs::Achieved };
    Formula::Atom(Expr { kind, span })
}

fn some(ty: TypeIx, body: Fml) -> Fml {
    Formula::quant(true, 0, TypeNo(ty.0), body)
}

fn each(ty: TypeIx, body: Fml) -> Fml {
    Formula::quant(false, 0, TypeNo(ty.0), body)
}

fn finally(f: Fml) -> Fml {
    Formula::ef(f)
}

fn globally(f: Fml) -> Fml {
    Formula::ag(f)
}

fn property(name: String, text: String, formula: Fml, span: Span) -> ModelProperty {
    Property { text, ..Property::new(name, formula, span) }
}
