//! The picture of a model: stages in each other with the signs of their sentries, items above. Parts say which variable they stand for
//! (`data-var`), by which a page colours them.

use super::Egsm;
use super::lower::Role;
use super::model::{Kind, SentryIx, StageIx};
use crate::lang::plain;
use crate::lang::terms::{CHANGED, Sign};
use crate::machine::VarId;
use crate::picture::font::{BODY, SMALL, TITLE};
use crate::picture::pack::{Gap, Place, Size, best, pack};
use crate::picture::xml::{escape, text};
use crate::picture::{Drawing, Label, Rect, lines, width};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("../../../templates/page/egsm.css");
const MARGIN: i32 = 16;
const PAD: i32 = 10;
const GAP: Gap = Gap { across: 10, down: 10 };
/// Room of a sign of a sentry, and of the circle of a milestone.
const SIGN: i32 = 16;
/// Names are broken at this width.
const MOST_NAME: i32 = 230;
/// What a stage can be reported as: these stand side by side.
const REPORTS: [&str; 2] = ["out of order", "faulty"];

/// What the signs mean.
pub const LEGEND: &[Sign] = &[
    Sign::new("sign", "stage"),
    Sign::new("diamond exit-sign", "guard: opens it"),
    Sign::new("diamond", "flow guard: was it time?"),
    Sign::new("triangle-sign", "fault logger").with("△"),
    Sign::new("circle", "milestone: closes it"),
    Sign::new("circle full", "achieved"),
    Sign::new("chip-sign", "item").with("x"),
    Sign::new("sign planned-sign", "not opened yet").live(),
    Sign::new("sign open-sign", "opened").live(),
    Sign::new("sign ended-sign", "closed").live(),
    Sign::new("sign out-sign", "out of order, or faulty").live(),
    Sign::new("sign skipped-sign", "skipped").live(),
    CHANGED,
];

/// How a stage is laid out: everything from its upper left corner.
struct Plan {
    stage: StageIx,
    size: Size,
    title: Vec<String>,
    milestones: Vec<(SentryIx, Vec<String>)>,
    /// Signs in one row.
    signs: i32,
    inner: Vec<(Plan, Place)>,
}

/// The model drawn for a width.
pub fn drawing(egsm: &Egsm, most: i32) -> Drawing {
    let vars: BTreeMap<Role, VarId> = egsm.roles.iter().map(|(var, role)| (*role, *var)).collect();
    let pen = Pen { egsm, vars };
    let mut body = String::new();
    let mut y = MARGIN;
    let items: Vec<VarId> = (0..egsm.model.items.len()).filter_map(|i| pen.vars.get(&Role::Item(i)).copied()).collect();
    if !items.is_empty() {
        let at = Rect { x: MARGIN, y, w: most - 2 * MARGIN, h: 0 };
        y += plain::group(&mut body, &egsm.machine, "Items", &items, at) + MARGIN;
    }
    let top: Vec<StageIx> = (0..egsm.model.stages.len()).filter(|s| egsm.model.stages[*s].parent.is_none()).collect();
    let (plans, size) = pen.packed(&top, most - 2 * MARGIN);
    plans.iter().for_each(|(plan, place)| pen.stage(&mut body, plan, place.at, MARGIN, y));
    let label = format!("Stages of {}", egsm.model.name);
    Drawing {
        width: most.max(size.w + 2 * MARGIN),
        height: y + size.h + MARGIN,
        kind: "egsm",
        label,
        style: STYLE,
        body,
    }
}

struct Pen<'a> {
    egsm: &'a Egsm,
    vars: BTreeMap<Role, VarId>,
}

impl Pen<'_> {
    /// Can it be reported out of order, skipped or faulty?
    fn is_watched(&self, s: StageIx) -> bool {
        let model = &self.egsm.model;
        let own = |kind| model.of(s, kind).next().is_some();
        own(Kind::Flow) || own(Kind::Fault) || model.stages.iter().any(|other| other.named.contains(&s))
    }

    /// Stages side by side and below each other, and the room they take.
    fn packed(&self, stages: &[StageIx], most: i32) -> (Vec<(Plan, Place)>, Size) {
        let plans: Vec<Plan> = stages.iter().map(|s| self.plan(*s, most)).collect();
        let sizes: Vec<Vec<Size>> = plans.iter().map(|p| vec![p.size]).collect();
        let packings = pack(&sizes, most, GAP);
        let Some(packing) = best(&packings, most).and_then(|i| packings.get(i)) else { return Default::default() };
        let places = packing.arrange(packing.size, GAP);
        (plans.into_iter().zip(places).collect(), packing.size)
    }

    fn plan(&self, s: StageIx, most: i32) -> Plan {
        let model = &self.egsm.model;
        let (stage, room) = (&model.stages[s], (most - 2 * PAD).max(60));
        let title = lines(&stage.name, TITLE, room.min(MOST_NAME));
        let name = |m: SentryIx| (m, lines(&model.sentries[m].id, BODY, (room - SIGN).min(MOST_NAME)));
        let milestones: Vec<(SentryIx, Vec<String>)> = model.of(s, Kind::Milestone).map(name).collect();
        let count = self.signs(s).count() as i32;
        let signs = count.min(room / SIGN).max(1);
        let (inner, inside) = self.packed(&stage.children, room);
        let widest = |rows: &[String], face| rows.iter().map(|l| width(l, face)).max().unwrap_or(0);
        let names = milestones.iter().map(|(_, rows)| widest(rows, BODY) + SIGN).max().unwrap_or(0);
        let reports: i32 = REPORTS.iter().map(|w| width(w, TITLE) + PAD).sum();
        let watched = self.is_watched(s);
        let w = [
            widest(&title, TITLE),
            names,
            signs.min(count) * SIGN,
            inside.w,
            if watched { reports.min(room) } else { 0 },
        ];
        let mut plan = Plan { stage: s, size: Size::default(), title, milestones, signs, inner };
        let below = if plan.inner.is_empty() { 0 } else { inside.h + GAP.down };
        let h = self.milestones_from(&plan, below)
            + plan.milestones.iter().map(|(_, rows)| rows_high(rows)).sum::<i32>()
            + PAD;
        plan.size = Size { w: w.into_iter().max().unwrap_or(0).max(70) + 2 * PAD, h };
        plan
    }

    /// Signs of sentries that are no milestones.
    fn signs(&self, s: StageIx) -> impl Iterator<Item = SentryIx> + '_ {
        let model = &self.egsm.model;
        model.stages[s].sentries.iter().copied().filter(|x| model.sentries[*x].kind != Kind::Milestone)
    }

    /// Where the reports stand, below title and signs.
    fn reports_from(&self, plan: &Plan) -> i32 {
        let rows = (self.signs(plan.stage).count() as i32 + plan.signs - 1) / plan.signs;
        PAD + plan.title.len() as i32 * TITLE.line + rows * SIGN + 4
    }

    /// Where inner stages stand.
    fn inside_from(&self, plan: &Plan) -> i32 {
        self.reports_from(plan) + if self.is_watched(plan.stage) { SMALL.line + 4 } else { 0 }
    }

    fn milestones_from(&self, plan: &Plan, inside: i32) -> i32 {
        self.inside_from(plan) + inside
    }

    fn var(&self, role: Role) -> String {
        let Some(var) = self.vars.get(&role) else { return String::new() };
        format!(" data-var=\"{}\"", escape(&self.egsm.machine.var(*var).name))
    }

    /// One stage at its place in the one around it.
    fn stage(&self, out: &mut String, plan: &Plan, at: Rect, dx: i32, dy: i32) {
        let (s, x, y) = (plan.stage, at.x + dx, at.y + dy);
        let stage = &self.egsm.model.stages[s];
        let outer = if plan.inner.is_empty() { "" } else { " outer" };
        let _ = write!(
            out,
            "<g class=\"stage{outer}\" data-stage=\"{0}\" data-name=\"{0}\"><g class=\"body\"{1}><title>stage {0}</title>",
            escape(&stage.id),
            self.var(Role::State(s))
        );
        let _ = write!(
            out,
            "<rect class=\"shape\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"8\"/></g>",
            at.w, at.h
        );
        let title = Rect { x: x + PAD, y: y + PAD - 2, w: at.w - 2 * PAD, h: 0 };
        text(out, &Label { at: title, lines: plan.title.clone() }, TITLE, "title", false);
        let top = y + PAD + plan.title.len() as i32 * TITLE.line;
        for (n, sentry) in self.signs(s).enumerate() {
            let (row, column) = (n as i32 / plan.signs, n as i32 % plan.signs);
            self.sign(out, sentry, x + PAD + column * SIGN, top + row * SIGN);
        }
        if self.is_watched(s) {
            self.reports(out, s, Rect { y, x, ..at }, y + self.reports_from(plan));
        }
        out.push('\n');
        let inside = y + self.inside_from(plan);
        plan.inner.iter().for_each(|(inner, place)| self.stage(out, inner, place.at, x + PAD, inside));
        let below = plan.inner.iter().map(|(_, place)| place.at.y + place.at.h + GAP.down).max().unwrap_or(0);
        let mut line = y + self.milestones_from(plan, below);
        for (m, rows) in &plan.milestones {
            self.milestone(out, *m, rows, x + PAD, line);
            line += rows_high(rows);
        }
        *out += "</g>\n";
    }

    /// Guard: a full diamond; flow guard: an empty one; fault logger: a triangle.
    fn sign(&self, out: &mut String, x: SentryIx, left: i32, top: i32) {
        let sentry = &self.egsm.model.sentries[x];
        let (class, words, path) = match sentry.kind {
            Kind::Guard => ("guard", "guard", "l5 5l-5 5l-5 -5z"),
            Kind::Flow => ("flow-guard", "flow guard", "l5 5l-5 5l-5 -5z"),
            _ => ("fault", "fault logger", "l5 10h-10z"),
        };
        let _ = write!(
            out,
            "<g class=\"sentry {class}\"{} data-name=\"{1}\"><title>{words} {1}</title><path d=\"M{2} {top}{path}\"/></g>",
            self.var(Role::Sentry(x)),
            escape(&sentry.id),
            left + 6
        );
    }

    /// A coloured edge and a word for what is reported.
    fn reports(&self, out: &mut String, s: StageIx, at: Rect, line: i32) {
        let Rect { x, y, h, .. } = at;
        let _ = write!(out, "<g class=\"compliance\"{}>", self.var(Role::Compliance(s)));
        let _ = write!(
            out,
            "<rect class=\"edge\" x=\"{x}\" y=\"{}\" width=\"5\" height=\"{}\" rx=\"2\"/>",
            y + 6,
            (h - 12).max(4)
        );
        let base = line + SMALL.line * 3 / 4;
        let left = x + PAD;
        let _ = write!(out, "<text class=\"word out\" x=\"{left}\" y=\"{base}\">{}</text>", REPORTS[0]);
        let _ = write!(out, "<text class=\"word skipped\" x=\"{left}\" y=\"{base}\">skipped</text></g>");
        let after = left + width(REPORTS[0], TITLE) + PAD / 2;
        let _ = write!(
            out,
            "<g class=\"tripped\"{}><text class=\"word\" x=\"{after}\" y=\"{base}\">{}</text></g>",
            self.var(Role::Faulty(s)),
            REPORTS[1]
        );
    }

    fn milestone(&self, out: &mut String, m: SentryIx, rows: &[String], x: i32, y: i32) {
        let id = escape(&self.egsm.model.sentries[m].id);
        let _ = write!(
            out,
            "<g class=\"milestone\"{} data-name=\"{id}\"><title>milestone {id}</title>",
            self.var(Role::Sentry(m))
        );
        let _ = write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"5\"/></g>", x + 6, y + BODY.line / 2);
        let at = Rect { x: x + SIGN, y, w: 0, h: 0 };
        text(out, &Label { at, lines: rows.to_vec() }, BODY, "milestone-name", false);
    }
}

fn rows_high(rows: &[String]) -> i32 {
    rows.len() as i32 * BODY.line + 3
}
