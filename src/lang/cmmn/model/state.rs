//! States of plan items.

/// Where an instance is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// It does not exist.
    None,
    /// It waits for its entry criteria.
    Available,
    /// A listener whose condition does not hold.
    Unavailable,
    /// Somebody may start it by hand.
    Enabled,
    /// Somebody decided against starting it.
    Disabled,
    /// At work.
    Active,
    /// Done.
    Completed,
    /// Ended before it was done.
    Terminated,
    /// Ended by a fault.
    Failed,
}

impl State {
    /// All, in the order of their codes.
    pub const ALL: [State; 9] = [
        State::None,
        State::Available,
        State::Unavailable,
        State::Enabled,
        State::Disabled,
        State::Active,
        State::Completed,
        State::Terminated,
        State::Failed,
    ];

    /// Completed, terminated or failed?
    pub fn ended(self) -> bool {
        matches!(self, State::Completed | State::Terminated | State::Failed)
    }

    /// Neither ended nor absent?
    pub fn live(self) -> bool {
        self != State::None && !self.ended()
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            State::None => "none",
            State::Available => "available",
            State::Unavailable => "unavailable",
            State::Enabled => "enabled",
            State::Disabled => "disabled",
            State::Active => "active",
            State::Completed => "completed",
            State::Terminated => "terminated",
            State::Failed => "failed",
        }
    }

    /// The state of a name.
    pub fn of(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|s| s.name() == name)
    }
}
