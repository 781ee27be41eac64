//! A rule's turn: its prerequisite and antecedent evaluated on the model's own expressions.

use super::words;
use crate::lang::cards::{At, Eval, Val, listed, together};
use crate::lang::gsm::{
    AttrIx, BagIx, DataKind, EventIx, Expr, ExprKind, Gsm, MilestoneIs, Observer, Occurrence, Over, RuleDef, RuleKind,
    StageIs, StageIx, Status, Subject, TypeIx, VarRole, own_attributes,
};
use crate::machine::calendar::{self, WHEN};
use crate::machine::{ArithOp, Domain, SlotIx, VarId, code};

/// What happens, and where.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub occurrence: Occurrence,
    /// The slot where the event occurs or the task completes.
    pub target: SlotIx,
    /// The slot whose message is delivered.
    pub sender: Option<SlotIx>,
}

/// A rule's turn in a step.
pub(super) struct Moment<'a> {
    gsm: &'a Gsm,
    rule: &'a RuleDef,
    slot: SlotIx,
    at: Place,
    before: &'a [i64],
    now: &'a [i64],
    own: Vec<Status>,
}

/// Quantified variables and the slots they stand for.
type Bound = Vec<(u32, SlotIx)>;

impl<'a> Moment<'a> {
    pub(super) fn new(
        gsm: &'a Gsm,
        rule: &'a RuleDef,
        slot: SlotIx,
        at: Place,
        before: &'a [i64],
        now: &'a [i64],
    ) -> Moment<'a> {
        Moment { gsm, rule, slot, at, before, now, own: own_attributes(&gsm.app, rule) }
    }

    pub(super) fn prerequisite(&self) -> Eval {
        let wanted = self.rule.prerequisite(&self.gsm.app);
        let parts: Vec<Eval> = wanted
            .into_iter()
            .map(|(status, value)| {
                let text = words::status(&self.gsm.app, self.rule.ty, status, value, "was");
                Eval::truth(text, self.read(self.before, self.slot, status) == value, At::Before)
            })
            .collect();
        together(parts, Eval::all)
    }

    pub(super) fn antecedent(&self) -> Eval {
        let app = &self.gsm.app;
        let rose = |status| {
            let text = words::rose(app, self.rule.ty, status);
            let (before, now) = (self.read(self.before, self.slot, status), self.read(self.now, self.slot, status));
            Eval::truth(text, !before && now, At::Change)
        };
        let stages = &app.types[self.rule.ty].stages;
        match self.rule.kind {
            RuleKind::Reset(_) => rose(Status::Stage(self.rule.stage(app))),
            RuleKind::Close(m) => rose(Status::Milestone(m)),
            RuleKind::CloseWith { ancestor, .. } => {
                let causes: Vec<Eval> =
                    stages[ancestor].milestones.iter().map(|m| rose(Status::Milestone(*m))).collect();
                if causes.is_empty() {
                    return Eval::truth(format!("{} has no milestone", stages[ancestor].id), false, At::Fixed);
                }
                together(causes, Eval::any)
            }
            RuleKind::Open(..) | RuleKind::Achieve(..) | RuleKind::Invalidate(..) => self.sentry(),
        }
    }

    /// Event part, condition, and for a sub-stage: its parent is open.
    fn sentry(&self) -> Eval {
        let app = &self.gsm.app;
        let Some(guard) = self.rule.sentry(app) else { return Eval::truth("no sentry".into(), false, At::Fixed) };
        let mut parts = Vec::new();
        if !guard.sentry.events.is_empty() {
            let events: Vec<Eval> = guard.sentry.events.iter().map(|e| self.occurring(*e)).collect();
            let text = events.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join(" or ");
            parts.push(Eval::truth(text, events.iter().any(Eval::holds), At::Event));
        }
        if !matches!(guard.sentry.expr.kind, ExprKind::Bool(true)) {
            parts.push(self.eval(&guard.sentry.expr, &Vec::new()));
        }
        if let (RuleKind::Open(s, _), t) = (self.rule.kind, &app.types[self.rule.ty])
            && let Some(parent) = t.stages[s].parent
        {
            let text = words::status(app, self.rule.ty, Status::Stage(parent), true, "is");
            parts.push(Eval::truth(text, self.read(self.now, self.slot, Status::Stage(parent)), At::Now));
        }
        if parts.is_empty() {
            return Eval::truth("always".into(), true, At::Fixed);
        }
        together(parts, Eval::all)
    }

    fn value(&self, snapshot: &[i64], var: VarId) -> i64 {
        snapshot[var.0 as usize]
    }

    fn read(&self, snapshot: &[i64], slot: SlotIx, status: Status) -> bool {
        self.value(snapshot, self.gsm.map.slots[slot].status(status)) != 0
    }

    fn subject(&self, of: Subject, bound: &Bound) -> SlotIx {
        match of {
            Subject::This | Subject::Element => self.slot,
            Subject::Bound(n) => bound.iter().rev().find(|(v, _)| *v == n).map_or(self.slot, |(_, s)| *s),
        }
    }

    /// The slot's name in front, unless it is the rule's own.
    fn prefix(&self, slot: SlotIx) -> String {
        if slot == self.slot { String::new() } else { format!("{}.", self.gsm.machine.slots[slot].name) }
    }

    fn eval(&self, e: &Expr, bound: &Bound) -> Eval {
        let app = &self.gsm.app;
        let parts = |xs: &[&Expr]| -> Vec<Eval> { xs.iter().map(|x| self.eval(x, bound)).collect() };
        match &e.kind {
            ExprKind::Bool(b) => Eval::truth(b.to_string(), *b, At::Fixed),
            ExprKind::Int(i) => Eval::leaf(i.to_string(), Val::Num(code::of_int(*i)), At::Fixed),
            ExprKind::Decimal(d) => Eval::leaf(d.to_string(), Val::Num(code::of(&d.number())), At::Fixed),
            ExprKind::Text(t) => Eval::leaf(format!("'{t}'"), Val::Text(Some(t.clone())), At::Fixed),
            ExprKind::Attr { of, ty, attr } => self.attribute(self.subject(*of, bound), *ty, *attr),
            ExprKind::Id { of } => {
                let slot = self.subject(*of, bound);
                let (name, number) = (&self.gsm.machine.slots[slot].name, self.gsm.map.slots[slot].number);
                Eval::leaf(name.clone(), Val::Num(i64::from(number)), At::Fixed)
            }
            ExprKind::Created { of, .. } => {
                let slot = self.subject(*of, bound);
                let created = self.value(self.now, self.gsm.map.slots[slot].created) != 0;
                Eval::truth(format!("{} exists", self.gsm.machine.slots[slot].name), created, At::Now)
            }
            ExprKind::Stage { of, ty, stage, is } => self.stage(self.subject(*of, bound), *ty, *stage, *is),
            ExprKind::Milestone { of, ty, milestone, is } => {
                let (slot, status) = (self.subject(*of, bound), Status::Milestone(*milestone));
                match is {
                    MilestoneIs::Achieved => self.now(slot, *ty, status),
                    MilestoneIs::JustAchieved => self.changed(slot, *ty, status, true),
                    MilestoneIs::JustInvalidated => self.changed(slot, *ty, status, false),
                }
            }
            ExprKind::Occurring(event) => self.occurring(*event),
            ExprKind::TaskCompleted(task) => {
                let completes_at = self.at.sender.unwrap_or(self.at.target);
                let here = self.at.occurrence == Occurrence::TaskDone(self.rule.ty, *task) && completes_at == self.slot;
                Eval::truth(format!("task {} completes here", app.types[self.rule.ty].tasks[*task].id), here, At::Event)
            }
            ExprKind::Not(a) => {
                let part = self.eval(a, bound);
                Eval::other(format!("not ({})", part.text), Val::Bool(!part.holds()), vec![part])
            }
            ExprKind::And(xs) => together(parts(&xs.iter().collect::<Vec<_>>()), Eval::all),
            ExprKind::Or(xs) => together(parts(&xs.iter().collect::<Vec<_>>()), Eval::any),
            ExprKind::Implies(a, b) => {
                let both = parts(&[a, b]);
                let value = !both[0].holds() || both[1].holds();
                Eval::other(format!("if {} then {}", both[0].text, both[1].text), Val::Bool(value), both)
            }
            ExprKind::Iff(a, b) => {
                let both = parts(&[a, b]);
                let value = both[0].holds() == both[1].holds();
                Eval::other(format!("({}) exactly if ({})", both[0].text, both[1].text), Val::Bool(value), both)
            }
            ExprKind::Compare(op, a, b) => {
                let mut both = parts(&[a, b]);
                let seconds = both.iter().find_map(|p| if let Val::Time(_, s) = p.value { Some(s) } else { None });
                for part in both.iter_mut().filter(|p| p.at == At::Fixed) {
                    if let (Val::Num(n), Some(seconds)) = (&part.value, seconds) {
                        part.text = format!("'{}'", calendar::write(*n, seconds));
                    }
                }
                let text = format!("{} {} {}", both[0].text, op.symbol(), both[1].text);
                let value = both[0].value.compare(*op, &both[1].value);
                let read = both.into_iter().filter(|p| p.at != At::Fixed).collect();
                Eval::other(text, Val::Bool(value), read)
            }
            ExprKind::Arith(op, a, b) => {
                let both = parts(&[a, b]);
                let text = format!("({} {} {})", both[0].text, op.symbol(), both[1].text);
                let number = |v: &Val| v.number().unwrap_or(0);
                // Division leaves a rest only among whole numbers.
                let op = if self.has_fractions(e) && *op == ArithOp::Div { ArithOp::Over } else { *op };
                let value = op.of_codes(number(&both[0].value), number(&both[1].value));
                Eval::other(text, Val::Num(value), both)
            }
            ExprKind::Quant { exists, var, ty, over, body } => self.quantified(*exists, *var, *ty, *over, body, bound),
            ExprKind::Count { ty, over, which } => {
                let text = format!("number of {} {}", words::over(*over), app.types[*ty].id);
                let Some((var, body)) = which else {
                    return Eval::leaf(text, Val::Num(self.members(*ty, *over, bound).len() as i64), At::Now);
                };
                let each = |slot: SlotIx| {
                    let mut inner = bound.clone();
                    inner.push((*var, slot));
                    self.eval(body, &inner)
                };
                let parts: Vec<Eval> = self.members(*ty, *over, bound).into_iter().map(each).collect();
                let number = parts.iter().filter(|p| p.holds()).count();
                Eval::other(format!("{text} with {}", listed(&parts, " and ")), Val::Num(number as i64), parts)
            }
            ExprKind::Tally { of, ty, bag, which } => self.tally(self.subject(*of, bound), *ty, *bag, which.as_deref()),
            // Only in protocols, windows and properties, never in sentries.
            ExprKind::SelfId | ExprKind::Field(_) | ExprKind::Private { .. } | ExprKind::Overflow => {
                Eval::truth("not part of a sentry".into(), false, At::Fixed)
            }
        }
    }

    fn tally(&self, slot: SlotIx, ty: TypeIx, bag: BagIx, which: Option<&Expr>) -> Eval {
        let bag = &self.gsm.app.types[ty].bags[bag];
        let vars = &self.gsm.map.slots[slot].attrs;
        let counters = bag.counters(which).into_iter().filter_map(|c| vars.get(c.0).copied().flatten());
        let sum = counters.fold(0, |sum, v| ArithOp::Add.of_codes(sum, self.value(self.now, v)));
        let whose = self.prefix(slot);
        let text = match which {
            Some(_) => format!("number of such elements of {whose}{}", bag.path),
            None => format!("number of elements of {whose}{}", bag.path),
        };
        Eval::leaf(text, Val::Num(sum), At::Now)
    }

    fn attribute(&self, slot: SlotIx, ty: TypeIx, attr: AttrIx) -> Eval {
        let declared = &self.gsm.app.types[ty].attrs[attr];
        let var = self.gsm.map.slots[slot].attrs.get(attr.0).copied().flatten();
        // One that was left out of the machine keeps its initial value.
        let code = var.map_or(declared.init, |v| self.value(self.now, v));
        let value = Val::of(var.map_or(&declared.domain, |v| &self.gsm.machine.var(v).domain), code);
        let path = declared.path.strip_suffix(WHEN).unwrap_or(&declared.path);
        Eval::leaf(format!("{}{path}", self.prefix(slot)), value, At::Now)
    }

    /// Has a number fractions, whatever its value?
    fn has_fractions(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Decimal(_) => true,
            ExprKind::Attr { ty, attr, .. } => {
                matches!(self.gsm.app.types[*ty].attrs[*attr].domain, Domain::Real { .. } | Domain::Points(_))
            }
            ExprKind::Arith(_, a, b) => self.has_fractions(a) || self.has_fractions(b),
            _ => false,
        }
    }

    fn stage(&self, slot: SlotIx, ty: TypeIx, stage: StageIx, is: StageIs) -> Eval {
        let status = Status::Stage(stage);
        let observer = match is {
            StageIs::Active => return self.now(slot, ty, status),
            StageIs::Opened => return self.changed(slot, ty, status, true),
            StageIs::Closed => return self.changed(slot, ty, status, false),
            StageIs::Completed => {
                let t = &self.gsm.app.types[ty];
                let milestones = t.stages[stage].milestones.iter();
                let parts = milestones.map(|m| self.now(slot, ty, Status::Milestone(*m))).collect();
                return Eval::any(format!("{}{} is completed", self.prefix(slot), t.stages[stage].id), parts);
            }
            StageIs::OutOfOrder => Observer::OutOfOrder,
            StageIs::Skipped => Observer::Skipped,
            StageIs::Faulty => Observer::Faulty,
        };
        let m = &self.gsm.machine;
        let var = m.slots[slot].vars.iter().find(|v| self.gsm.map.role(**v) == VarRole::Observer(stage, observer));
        let value = var.is_some_and(|v| self.value(self.now, *v) != 0);
        let name = format!("{}{} is {observer:?}", self.prefix(slot), self.gsm.app.types[ty].stages[stage].id);
        Eval::truth(name, value, At::Now)
    }

    /// Own attributes are read before the step.
    fn is_own(&self, slot: SlotIx, status: Status) -> bool {
        slot == self.slot && self.own.contains(&status)
    }

    fn now(&self, slot: SlotIx, ty: TypeIx, status: Status) -> Eval {
        let own = self.is_own(slot, status);
        let (snapshot, at) = if own { (self.before, At::Before) } else { (self.now, At::Now) };
        let verb = if own { "was" } else { "is" };
        let text = format!("{}{}", self.prefix(slot), words::status(&self.gsm.app, ty, status, true, verb));
        Eval::truth(text, self.read(snapshot, slot, status), at)
    }

    fn changed(&self, slot: SlotIx, ty: TypeIx, status: Status, up: bool) -> Eval {
        let before = self.read(self.before, slot, status);
        let now = if self.is_own(slot, status) { before } else { self.read(self.now, slot, status) };
        let text = format!("{}{}", self.prefix(slot), words::changed(&self.gsm.app, ty, status, up));
        Eval::truth(text, before != now && now == up, At::Change)
    }

    fn occurring(&self, event: EventIx) -> Eval {
        let app = &self.gsm.app;
        let included = self.at.occurrence.includes(app, event);
        let here = match self.at.occurrence {
            Occurrence::TaskDone(ty, task) if app.message(ty, task).is_none() => {
                let created = self.gsm.map.slots[self.slot].created;
                app.events[event].creates == Some(self.rule.ty)
                    && included
                    && self.value(self.before, created) == 0
                    && self.value(self.now, created) != 0
            }
            _ => included && self.at.target == self.slot,
        };
        Eval::truth(format!("{} occurs here", app.events[event].id), here, At::Event)
    }

    fn quantified(&self, exists: bool, var: u32, ty: TypeIx, over: Over, body: &Expr, bound: &Bound) -> Eval {
        let each = |slot: SlotIx| {
            let mut inner = bound.clone();
            inner.push((var, slot));
            self.eval(body, &inner)
        };
        let parts: Vec<Eval> = self.members(ty, over, bound).into_iter().map(each).collect();
        let what = format!("{} {}", words::over(over), self.gsm.app.types[ty].id);
        match (parts.is_empty(), exists) {
            (true, true) => Eval::truth(format!("there is a {what}"), false, At::Now),
            (true, false) => Eval::truth(format!("there is no {what}"), true, At::Now),
            (false, true) => Eval::any(format!("some {what}: {}", listed(&parts, " or ")), parts),
            (false, false) => Eval::all(format!("every {what}: {}", listed(&parts, " and ")), parts),
        }
    }

    /// Created slots of a type; related ones are other slots that refer to this one or that it refers to, where such references
    /// exist.
    fn members(&self, ty: TypeIx, over: Over, bound: &Bound) -> Vec<SlotIx> {
        let this = match over {
            Over::Created => None,
            Over::Related => Some(self.slot),
            Over::RelatedTo { var, .. } => Some(self.subject(Subject::Bound(var), bound)),
        };
        let map = &self.gsm.map;
        let created = map.slots_of(ty).filter(|s| self.value(self.now, map.slots[*s].created) != 0);
        created.filter(|s| this.is_none_or(|this| *s != this && self.related(this, *s))).collect()
    }

    fn related(&self, this: SlotIx, other: SlotIx) -> bool {
        let map = &self.gsm.map;
        let mut declared = false;
        let mut held = false;
        for (from, to) in [(this, other), (other, this)] {
            let (from, to) = (&map.slots[from], &map.slots[to]);
            for (a, attr) in AttrIx::each(&self.gsm.app.types[from.ty].attrs) {
                if attr.kind == DataKind::Reference(to.ty) {
                    declared = true;
                    held |= from.attrs[a.0].is_some_and(|v| self.value(self.now, v) == i64::from(to.number));
                }
            }
        }
        held || !declared
    }
}
