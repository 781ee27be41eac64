//! The standard questions of all languages: what each asks, and what to do when the answer is not the hoped one.

/// A standard question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    /// Its name, without what it is about: `stage-opens` for `stage-opens(Loan.Closing)`.
    pub name: &'static str,
    /// The languages whose models are asked.
    pub languages: &'static [&'static str],
    /// What it asks.
    pub asks: &'static str,
    /// How it is written as a property; empty where it is about steps and no formula can say it.
    pub formula: &'static str,
    /// What an answer other than the hoped one means, and what to do.
    pub otherwise: &'static str,
}

const GSM: &[&str] = &["gsm"];
const EGSM: &[&str] = &["egsm"];
const AMBER: &[&str] = &["amber"];
const CMMN: &[&str] = &["cmmn"];

/// All standard questions.
pub const ALL: &[Standard] = &[
    Standard {
        name: "stage-opens",
        languages: GSM,
        asks: "Can this stage ever open?",
        formula: "EF exists x : Type (x.Stage)",
        otherwise: "The stage is dead: no run opens it. The summary says which part of which guard never holds.",
    },
    Standard {
        name: "milestone-achieved",
        languages: GSM,
        asks: "Can this milestone ever be achieved?",
        formula: "EF exists x : Type (x.Milestone)",
        otherwise: "No run achieves it. The summary says which part of which condition never holds.",
    },
    Standard {
        name: "guard-fires",
        languages: GSM,
        asks: "Is there a step in which this guard opens its stage?",
        formula: "",
        otherwise: "The guard is dead: it can be left out, or it waits for something that does not come.",
    },
    Standard {
        name: "event-consumed",
        languages: GSM,
        asks: "Can this event ever happen?",
        formula: "",
        otherwise: "Nobody may send it, or no rule ever waits for it.",
    },
    Standard {
        name: "open-has-no-milestone",
        languages: GSM,
        asks: "Is no stage open while one of its own milestones is achieved?",
        formula: "AG forall x : Type (!(x.Stage && x.Milestone))",
        otherwise: "A stage that is open has not reached its goal: look at what opened it or achieved the milestone.",
    },
    Standard {
        name: "inside-open",
        languages: GSM,
        asks: "Is a stage within another open only while that one is?",
        formula: "AG forall x : Type (x.Inner -> x.Outer)",
        otherwise: "A sub-stage outlives the stage around it.",
    },
    Standard {
        name: "one-milestone",
        languages: GSM,
        asks: "Is at most one milestone of each stage achieved at a time?",
        formula: "AG forall x : Type (!(x.First && x.Second))",
        otherwise: "Two outcomes of one stage hold at once: their conditions overlap.",
    },
    Standard {
        name: "can-still-finish",
        languages: GSM,
        asks: "Can every instance, wherever it is, still achieve one of the milestones of its outermost stages?",
        formula: "AG forall x : Type (EF (x.First || x.Second))",
        otherwise: "The run ends where an instance is stuck for good; the summary says what it waits for in vain.",
    },
    Standard {
        name: "no-overflow",
        languages: &["gsm", "amber", "cmmn"],
        asks: "Do the bounds suffice: is nothing lost because there was no room for it?",
        formula: "AG !overflow",
        otherwise: "More is needed than the bounds allow: raise them (--instances, --bound), or say creation = \"block\".",
    },
    Standard {
        name: "order-independent",
        languages: GSM,
        asks: "Does every step come out the same in whatever order its rules run?",
        formula: "",
        otherwise: "Rules of the last step depend on each other in a circle, and their order decides.",
    },
    Standard {
        name: "no-early-dead-end",
        languages: GSM,
        asks: "Does nobody get stuck before every instance has achieved an outermost milestone?",
        formula: "",
        otherwise: "The run ends where nobody can do anything although an instance is unfinished.",
    },
    Standard {
        name: "can-open",
        languages: EGSM,
        asks: "Can this stage be opened?",
        formula: "",
        otherwise: "No step opens it: look at its data flow guards.",
    },
    Standard {
        name: "can-be-outOfOrder",
        languages: EGSM,
        asks: "Can this stage be reported out of order?",
        formula: "",
        otherwise: "Nothing is ever wrong with its place in the order, or nothing notices.",
    },
    Standard {
        name: "can-be-skipped",
        languages: EGSM,
        asks: "Can it be noticed that this stage was left out?",
        formula: "",
        otherwise: "Leaving it out goes unnoticed.",
    },
    Standard {
        name: "can-be-faulty",
        languages: EGSM,
        asks: "Can the fault logger of this stage trip?",
        formula: "",
        otherwise: "Its condition holds in no step while the stage is open.",
    },
    Standard {
        name: "dead-guard",
        languages: EGSM,
        asks: "Does this guard never open its stage?",
        formula: "",
        otherwise: "The guard is dead when this is true, which nobody hopes for.",
    },
    Standard {
        name: "can-complete-compliantly",
        languages: EGSM,
        asks: "Can this stage be finished without any reported violation?",
        formula: "E(!violation U completes('Stage') && !violation)",
        otherwise: "Whoever finishes it is reported on the way.",
    },
    Standard {
        name: "settles",
        languages: &["egsm", "cmmn"],
        asks: "Do the rules come to rest after every step?",
        formula: "AG !unstable, or of a case AG !endless",
        otherwise: "Rules set each other off without end.",
    },
    Standard {
        name: "happens",
        languages: AMBER,
        asks: "Can this happen at all?",
        formula: "EF executed(Name)",
        otherwise: "No run gets there.",
    },
    Standard {
        name: "finds-a-way",
        languages: AMBER,
        asks: "Does this choice always have an arrow whose condition holds?",
        formula: "AG !blocked(Name)",
        otherwise: "The conditions of its arrows leave a case out.",
    },
    Standard {
        name: "no-deadlock",
        languages: AMBER,
        asks: "Does the process never stop before its end?",
        formula: "AG !stuck",
        otherwise: "The run ends where something waits for ever.",
    },
    Standard {
        name: "can-end",
        languages: AMBER,
        asks: "Can the process end, wherever it is?",
        formula: "AG EF ended",
        otherwise: "From the end of the run no way leads to the end of the process.",
    },
    Standard {
        name: "can-complete",
        languages: CMMN,
        asks: "Can the case be completed?",
        formula: "EF case.completed",
        otherwise: "No run completes it.",
    },
    Standard {
        name: "never-stuck",
        languages: CMMN,
        asks: "Can the case still end, wherever it is?",
        formula: "AG EF (case.completed || case.terminated)",
        otherwise: "From the end of the run no way leads to the end of the case.",
    },
    Standard {
        name: "no-dead-end",
        languages: CMMN,
        asks: "Does nobody get stuck while the case is open?",
        formula: "",
        otherwise: "The run ends where nobody can do anything and the case is not over.",
    },
    Standard {
        name: "milestone-reachable",
        languages: CMMN,
        asks: "Can this milestone be reached?",
        formula: "",
        otherwise: "Its criteria never fire.",
    },
    Standard {
        name: "can-occur",
        languages: CMMN,
        asks: "Can this event listener ever occur?",
        formula: "",
        otherwise: "It is never available.",
    },
    Standard {
        name: "can-start",
        languages: CMMN,
        asks: "Can this task or stage ever become active?",
        formula: "",
        otherwise: "Its entry criteria never fire, or what it lies in never starts.",
    },
    Standard {
        name: "required-can-complete",
        languages: CMMN,
        asks: "Can this required item always still be completed while it waits or works?",
        formula: "AG ('Item'.available || 'Item'.enabled || 'Item'.active -> EF 'Item'.completed)",
        otherwise: "From the end of the run no way leads to its completion.",
    },
    Standard {
        name: "criterion-can-fire",
        languages: CMMN,
        asks: "Can this criterion ever fire?",
        formula: "",
        otherwise: "It is dead: what it waits for never comes while it could.",
    },
    Standard {
        name: "no-surprise-completion",
        languages: CMMN,
        asks: "Does this stage never complete by itself while something in it could still be started?",
        formula: "",
        otherwise: "The last step completes the stage and takes away what was still possible.",
    },
];

/// The standard question that a result answers, by its name: `stage-opens(Loan.Closing)`, or the bare `stage-opens`.
pub fn find(name: &str) -> Option<&'static Standard> {
    // Beside one of the user's of that name it is `standard(no-deadlock)`.
    let name = name.strip_prefix("standard(").unwrap_or(name);
    let bare = name.split(['(', ')']).next().unwrap_or(name);
    ALL.iter().find(|s| s.name == bare)
}

/// That what a question asks for comes, as the beginning of a sentence: `Pay starts`. `None`: "it happens" says as much.
pub fn statement(question: &str) -> Option<String> {
    let question = question.strip_prefix("standard(").and_then(|q| q.strip_suffix(')')).unwrap_or(question);
    let (word, about) = question.strip_suffix(')')?.split_once('(')?;
    let comes = match word {
        "milestone-reachable" => "is reached",
        "can-occur" => "occurs",
        "can-start" => "starts",
        "criterion-can-fire" => "fires",
        "happens" => "happens",
        _ => return None,
    };
    Some(if word == "criterion-can-fire" { format!("criterion {about} {comes}") } else { format!("{about} {comes}") })
}
