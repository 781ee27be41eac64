//! Built-in properties of every case, and questions about its steps.

use super::{Does, Lower};
use crate::lang::cmmn::model::{InstIx, ItemIx, Kind, NEVER, State};
use crate::lang::properties::standard_name;
use crate::logic::{Connected, Formula, Property};
use crate::machine::{Ask, CompareOp, ExprId, Question, Steps};
use crate::source::Span;

type Fml = Formula<ExprId>;

impl Lower<'_> {
    pub(super) fn make_standard(&mut self) {
        let case = self.case;
        let completed = self.state_is(0, State::Completed);
        let terminated = self.state_is(0, State::Terminated);
        let over = self.m.exprs.or([completed, terminated]);
        self.property("can-complete", case.span, Formula::ef(Formula::Atom(completed)));
        self.property("never-stuck", case.span, Formula::ag(Formula::ef(Formula::Atom(over))));
        let open = self.m.exprs.not(over);
        self.question("no-dead-end".into(), case.span, Ask::NoDeadEnd(open));
        for (name, var) in [("settles", self.map.endless), ("no-overflow", self.m.overflow)] {
            let flag = self.m.exprs.cur(var);
            let fine = self.m.exprs.not(flag);
            self.property(name, case.span, Formula::ag(Formula::Atom(fine)));
        }
        for item in 1..case.items.len() {
            self.about_item(item);
        }
        for (c, criterion) in case.criteria.iter().enumerate() {
            let steps = self.steps(&|d| matches!(d, Does::Fires(f, _) if f == c));
            self.question(format!("criterion-can-fire({})", criterion.name), criterion.span, Ask::Some(steps));
        }
        for (ix, item) in case.items.iter().enumerate().filter(|(_, i)| i.is_container() && i.auto_complete != NEVER) {
            let steps = self.steps(&|d| d == Does::Surprises(ix));
            self.question(format!("no-surprise-completion({})", item.name), item.span, Ask::None(steps));
        }
    }

    fn about_item(&mut self, ix: ItemIx) {
        let case = self.case;
        let item = &case.items[ix];
        let is_one = |i: InstIx| case.instances[i].item == ix;
        let (word, steps) = match item.kind {
            Kind::Milestone(_) => (
                "milestone-reachable",
                self.steps(&|d| matches!(d, Does::Becomes(i, State::Completed, _) if is_one(i))),
            ),
            Kind::Listener { .. } => ("can-occur", self.steps(&|d| matches!(d, Does::Occurs(i) if is_one(i)))),
            _ => ("can-start", self.steps(&|d| matches!(d, Does::Becomes(i, State::Active, _) if is_one(i)))),
        };
        self.question(format!("{word}({})", item.name), item.span, Ask::Some(steps));
        if item.required == NEVER {
            return;
        }
        let mut each = Vec::new();
        for i in case.instances_of(ix) {
            let waits = [State::Available, State::Enabled, State::Active].map(|s| self.state_is(i, s));
            let waits = self.m.exprs.or(waits);
            let done = self.state_is(i, State::Completed);
            each.push(Formula::Atom(waits).implies(Formula::ef(Formula::Atom(done))));
        }
        self.property(&format!("required-can-complete({})", item.name), item.span, Formula::ag(Formula::all(each)));
    }

    /// Steps in which a marked rule fires.
    fn steps(&self, wanted: &dyn Fn(Does) -> bool) -> Vec<Steps> {
        let found = self.marks.iter().filter(|(does, _, _)| wanted(*does));
        found.map(|(_, body, rule)| Steps { body: *body, rule: Some(*rule) }).collect()
    }

    /// The instance is in a state, in one snapshot.
    fn state_is(&mut self, i: InstIx, state: State) -> ExprId {
        self.map.state_is(&mut self.m.exprs, i, state)
    }

    fn question(&mut self, name: String, span: Span, ask: Ask) {
        let name = standard_name(name, &self.m.properties);
        self.m.questions.push(Question { name, expect: true, either: false, span: Some(span), ask });
    }

    fn property(&mut self, name: &str, span: Span, formula: Fml) {
        let name = standard_name(name.to_string(), &self.m.properties);
        self.m.properties.push(Property::new(name, formula, span));
    }
}

impl super::Map {
    /// The instance is in a state, in one snapshot.
    pub fn state_is(&self, exprs: &mut crate::machine::Exprs, i: InstIx, state: State) -> ExprId {
        let Some(code) = self.code(i, state) else { return crate::machine::FALSE };
        let (cur, code) = (exprs.cur(self.states[i]), exprs.int(code));
        exprs.compare(CompareOp::Eq, cur, code)
    }
}
