//! Standard events of plan items and case file items.

/// What on-parts wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// The instance comes into being; a case file item is created.
    Create,
    /// It may be started by hand.
    Enable,
    /// It is put aside.
    Disable,
    /// It is taken up again.
    Reenable,
    /// It starts.
    Start,
    /// It is started by hand (standard only).
    ManualStart,
    /// It completes.
    Complete,
    /// An exit criterion or its container ends it.
    Exit,
    /// Somebody ends it.
    Terminate,
    /// It fails.
    Fault,
    /// A milestone or listener occurs.
    Occur,
    /// A case file item changes.
    Update,
    /// A case file item is replaced.
    Replace,
    /// A case file item is deleted.
    Delete,
    /// A case file item gets a child.
    AddChild,
    /// A case file item loses a child.
    RemoveChild,
    /// A case file item gets a reference.
    AddReference,
    /// A case file item loses a reference.
    RemoveReference,
    /// Suspension, closing, reactivation: not run.
    Other,
}

const NAMES: [(&str, Event); 18] = [
    ("create", Event::Create),
    ("enable", Event::Enable),
    ("disable", Event::Disable),
    ("reenable", Event::Reenable),
    ("start", Event::Start),
    ("manualStart", Event::ManualStart),
    ("complete", Event::Complete),
    ("exit", Event::Exit),
    ("terminate", Event::Terminate),
    ("fault", Event::Fault),
    ("occur", Event::Occur),
    ("update", Event::Update),
    ("replace", Event::Replace),
    ("delete", Event::Delete),
    ("addChild", Event::AddChild),
    ("removeChild", Event::RemoveChild),
    ("addReference", Event::AddReference),
    ("removeReference", Event::RemoveReference),
];

impl Event {
    /// The event of a name; some tools write it with a capital.
    pub fn of(text: &str) -> Event {
        let found = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        found.map_or(Event::Other, |(_, event)| *event)
    }

    /// As files write it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, event)| *event == self).map_or("another event", |(name, _)| name)
    }

    /// Is it an event of case file items?
    pub fn of_file(self) -> bool {
        self == Event::Create || (Event::Update..=Event::RemoveReference).contains(&self)
    }
}
