//! Exit criteria: of the plan, and of items at their turn in a round.

use super::Does;
use super::emit::{Emit, Key};
use crate::lang::cmmn::model::{CritIx, ExitEvent, InstIx, Kind, State};
use crate::machine::{ExprId, FALSE, VarId};

impl Emit<'_, '_> {
    /// Step 2: exit criteria of the plan.
    pub fn plan_exits(&mut self) {
        let case = self.l.case;
        for &c in &case.items[0].exit {
            let guard = self.ask(Key::PlanExit(c), &[], &mut |e: &mut Self| {
                let satisfied = e.satisfied(c, 0);
                let active = e.is(0, State::Active);
                e.and([active, satisfied])
            });
            let Some(guard) = guard else { continue };
            self.last_act = true;
            self.when(Does::Fires(c, 0), guard, |e| match case.criteria[c].exit_event {
                ExitEvent::Exit => e.end_case(State::Terminated),
                ExitEvent::ForceComplete => e.end_case(State::Completed),
                ExitEvent::Complete => {
                    let able = e.completion(0, None).0;
                    e.branch(able, |e| e.end_case(State::Completed), |e| e.refuse(c));
                }
            });
            self.last_act = false;
        }
    }

    /// Step 3: an instance exits by a criterion.
    pub fn exit_turn(&mut self, i: InstIx, c: CritIx, did: VarId) {
        let case = self.l.case;
        let guard = self.ask(Key::Exit(c, i), &[], &mut |e: &mut Self| {
            let satisfied = e.satisfied(c, i);
            if satisfied == FALSE {
                return FALSE;
            }
            let (can, fresh, spared) = (e.can_exit(i), e.is_fresh(i), e.spared(c, i));
            let (old, hit, open) = (e.not(fresh), e.not(spared), e.around_lasts(i));
            e.and([can, old, hit, satisfied, open])
        });
        let Some(guard) = guard else { return };
        let stage = case.item_of(i).kind == Kind::Stage;
        // What has failed does not end with its stage: it must be told from what may still exit.
        let left = (stage && self.l.holds_failing(i)).then(|| self.l.stage_flag(i));
        self.fit();
        self.act(Does::Fires(c, i), guard, did, |e| {
            left.into_iter().for_each(|flag| e.assign(Does::Nothing, flag, 1));
            match case.criteria[c].exit_event {
                ExitEvent::Complete if stage => {
                    let able = e.completion(i, None).0;
                    e.branch(able, |e| e.complete_by_exit(i), |e| e.refuse(c));
                }
                ExitEvent::ForceComplete if stage => e.complete_by_exit(i),
                _ => e.exit(i, c),
            }
        });
    }

    /// The case goes on, and no stage around has exited in this round: its inside is skipped.
    fn around_lasts(&mut self, i: InstIx) -> ExprId {
        let mut parts = vec![self.is(0, State::Active)];
        for flag in self.l.stage_flags_around(i) {
            parts.push(self.among(flag, 1));
        }
        self.and(parts)
    }

    fn complete_by_exit(&mut self, i: InstIx) {
        let available = self.is(i, State::Available);
        if let Some(p) = self.l.case.instances[i].place {
            self.forget_entry(p, available);
        }
        self.complete(i);
    }

    fn refuse(&mut self, c: CritIx) {
        let refused = self.l.named("refused");
        self.fit();
        self.assign(Does::Refuses(c), refused, 1);
    }
}
