//! What a step did to an item, and why, in the words of the case.

use super::Cmmn;
use super::lower::{Does, Happening};
use super::model::{CritIx, Event, InstIx, Kind, State};
use crate::machine::BodyIx;

impl Cmmn {
    /// What the rules of a step that fired did to an item or one of its instances; nothing if none is about it.
    pub(super) fn what_happened(&self, name: &str, body: BodyIx, fired: &[usize]) -> Option<String> {
        let (case, happening) = (&self.case, *self.lowered.map.happenings.get(body.0)?);
        let rules = &self.lowered.machine.bodies.get(body.0)?.rules;
        // Questions ask about marked rules; what the others do to items is kept for people.
        let does = |rule: &usize| match self.lowered.marks.get(&(body, *rule)) {
            Some(does) => Some(*does),
            None => self.lowered.map.does.get(rules.get(*rule)?.origin.key as usize).copied(),
        };
        let does: Vec<Does> = fired.iter().filter_map(does).collect();
        let about = |i: InstIx| i > 0 && (case.instances[i].name == name || case.item_of(i).name == name);
        let mut told: Vec<String> = Vec::new();
        for (at, what) in does.iter().enumerate() {
            let sentence = match *what {
                Does::Becomes(i, state, event) if about(i) => self.became(i, state, event, happening, &does[..at]),
                Does::Occurs(i) if about(i) => format!("{} occurred", case.instances[i].name),
                _ => continue,
            };
            if told.last() != Some(&sentence) {
                told.push(sentence);
            }
        }
        (!told.is_empty()).then(|| told.join("; "))
    }

    fn became(&self, i: InstIx, state: State, event: Event, happening: Happening, before: &[Does]) -> String {
        let (case, name) = (&self.case, &self.case.instances[i].name);
        let item = case.item_of(i);
        // The last criterion of the item that fired: of this instance, or for the place it stands in.
        let by = |entry: bool| {
            let of = |does: &Does| match *does {
                Does::Fires(c, at)
                    if case.criteria[c].entry == entry && case.criteria[c].item == case.instances[i].item =>
                {
                    let here = if entry { case.instances[i].place == Some(at) } else { at == i };
                    here.then_some(c)
                }
                _ => None,
            };
            before.iter().rev().find_map(of).map(|c| self.because_of(c))
        };
        let container = case.instances[i].container.map_or("case", |c| case.instances[c].name.as_str());
        let (does, why) = match (state, event) {
            (State::Active, _) if happening == Happening::ManualStart(i) => {
                ("started", Some("somebody started it".into()))
            }
            (State::Active, _) => ("started", by(true)),
            (State::Enabled, Event::Reenable) => ("was enabled again", None),
            (State::Enabled, _) => ("was enabled, to be started by hand", by(true)),
            (State::Completed, _) if matches!(item.kind, Kind::Milestone(_) | Kind::Listener { .. }) => {
                ("occurred", by(true))
            }
            (State::Completed, _) if happening == Happening::Complete(i) => {
                ("completed", Some("somebody completed it".into()))
            }
            (State::Completed, _) => {
                let alone = if item.is_container() { "nothing in it keeps it open" } else { "it does not wait" };
                ("completed", by(false).or_else(|| Some(alone.into())))
            }
            (State::Terminated, Event::Exit) => ("ended", by(false).or_else(|| Some(format!("{container} ended")))),
            (State::Terminated, _) if happening == Happening::Hand(Event::Terminate, i) => ("was terminated", None),
            (State::Terminated, _) if item.is_listener() => ("ended", Some("nobody needs it any more".into())),
            (State::Terminated, _) => ("ended", None),
            (State::Available | State::Unavailable, _) => ("came into being", Some(format!("{container} is active"))),
            (State::Failed, _) => ("failed", None),
            (State::Disabled, _) => ("was disabled", None),
            (State::None, _) => ("was forgotten", None),
        };
        match why {
            Some(why) => format!("{name} {does} because {why}"),
            None => format!("{name} {does}"),
        }
    }

    /// `its criterion c3 fired: 'complete' of Review`
    fn because_of(&self, c: CritIx) -> String {
        let criterion = &self.case.criteria[c].name;
        match self.parts(c, &|_| false).join(" and ") {
            parts if parts.is_empty() => format!("its criterion {criterion} fired"),
            parts => format!("its criterion {criterion} fired, which waits for {parts}"),
        }
    }
}
