//! `planItemInstances`: which instances a condition counts.

use crate::lang::cmmn::model::State;

/// What a query names.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Select {
    /// Ids of definitions or plan items; `None`: any.
    pub ids: Option<Vec<String>>,
    /// Names; `None`: any.
    pub names: Option<Vec<String>>,
    /// Only in the container of the asking item.
    pub same_container: bool,
    /// In one of these states; empty: it exists.
    pub states: Vec<State>,
}

impl Select {
    /// Narrows the query by a call; `false` when the call is not known.
    pub fn narrow(&mut self, call: &str, texts: Vec<String>) -> bool {
        match call {
            "definitionId" | "definitionIds" if !texts.is_empty() => self.ids = Some(texts),
            "name" | "names" if !texts.is_empty() => self.names = Some(texts),
            "currentStage" => self.same_container = true,
            "onlyTerminal" => self.states.extend(State::ALL.into_iter().filter(|s| s.ended())),
            "onlyNonTerminal" => self.states.extend(State::ALL.into_iter().filter(|s| s.live())),
            _ => match State::of(call) {
                Some(state) => self.states.push(state),
                None => return false,
            },
        }
        true
    }
}
