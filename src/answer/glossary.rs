//! The words of answers, for those who meet them the first time.

/// A word that stands beside a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// As it is asked for.
    pub name: &'static str,
    /// In a line.
    pub title: &'static str,
    /// At length.
    pub text: &'static str,
}

/// All of them.
pub const ALL: [Term; 5] = [
    Term {
        name: "any",
        title: "the verdict holds for any number of instances",
        text: "With --instances Type=any the engines decide with as many instances as suffice, and the verdict is the same for every \
            larger number. What stands behind 'suffice' says what each instance is for: one that the property speaks of, the one \
            that wrote what an agent remembers last, the last one that an agent sees, one that acts while the others wait.\n\
            'proved on every 2 of them' means that no number suffices, but that whatever two instances one looks at, and \
            whatever the others do, the property holds of them.\n\
            Every number is meant, not one after the other for ever: where a property says what must come in the end, instances \
            that keep arriving can make a difference, and the line says so.",
    },
    Term {
        name: "from",
        title: "the verdict holds for these bounds and all larger ones",
        text: "A run shows the verdict, and it stays possible when there may be more instances. Nothing has to be known about the \
            model for that, so it is told (in JSON, the report, and a line of the terminal) for every check.",
    },
    Term {
        name: "at-most",
        title: "the verdict holds for at most so many instances",
        text: "Nothing is known about more. With --instances Type=any the line says what couples the instances and where: a rule that \
            looks at another instance, an agent whose next step depends on what it remembers, a rule without event that fires \
            in a step of another instance. Where that can be said otherwise in the model, any number may come within reach; else \
            try larger bounds with --instances Type=4.",
    },
    Term {
        name: "bounded",
        title: "the verdict may change with larger bounds",
        text: "Some run wants more than the bounds allow: an instance more, or a value beyond a range. From there on the flag 'overflow' \
            is true, and what happens then is not what would happen in the real process. Larger bounds (--instances, --range) \
            may change the verdict; a verdict without this word does not depend on any cut.",
    },
    Term {
        name: "vacuous",
        title: "the verdict is right but says less than it seems to",
        text: "The left side of an implication is never true, a value is compared with that never occurs, or a part can be replaced by \
            the constant that makes the property hardest to hold, and it still holds. Most often something else was meant.",
    },
];

/// The word of that name.
pub fn find(name: &str) -> Option<&'static Term> {
    ALL.iter().find(|t| t.name == name)
}
