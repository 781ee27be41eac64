//! Answers in plain words: thirty mistakes put into the examples, and whether the sentence names what was changed or what follows from
//! it directly. The names were chosen with first sentences at hand, and the sentences were improved on the same mistakes: the figure guards
//! what was reached, it is no independent measure.

use gsmc::answer::{PropertyResult, Verdict};
use gsmc::{Options, Plan, Project, check};
use std::path::Path;

/// A change to an example, the property that finds it, and what a helpful sentence names.
struct Seed {
    example: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    property: &'static str,
    /// All of these: the changed element or its direct consequence.
    names: &'static [&'static str],
}

const fn seed(
    example: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    property: &'static str,
    names: &'static [&'static str],
) -> Seed {
    Seed { example, file, from, to, property, names }
}

const MODEL: &str = "model.gsm";

const SEEDS: &[Seed] = &[
    // Guards: too narrow, too wide, on the wrong thing, without their condition.
    seed("teaching/one-stage", MODEL, "on Join", "on Join when Member", "can-join", &["Member never opens", "Joins"]),
    seed(
        "teaching/toggle-once",
        MODEL,
        "guard PressedWhileDark on Press",
        "guard PressedWhileDark on Press when !Dark",
        "on-again",
        &["PressedWhileDark", "Dark is not achieved"],
    ),
    seed(
        "teaching/nested",
        MODEL,
        "guard Boards on Board",
        "guard Boards on Board when Home",
        "landed-outlives-the-trip",
        &["Boards", "Home is achieved", "Travelling is open"],
    ),
    seed(
        "teaching/nested",
        MODEL,
        "guard AsSoonAsPossible when true",
        "guard AsSoonAsPossible when Landed && Home",
        "stage-opens(Trip.Sleeping)",
        &["Sleeping never opens", "AsSoonAsPossible"],
    ),
    seed(
        "teaching/reopen",
        MODEL,
        "guard Submitted on Submit",
        "guard Submitted on Submit when !Approved",
        "lost-by-reopening",
        &["Submitted of Review", "Approved is not achieved"],
    ),
    seed(
        "teaching/lasso",
        MODEL,
        "guard HandedIn on Submit when !Accepted",
        "guard HandedIn on Submit when !Accepted && !SentBack",
        "always-possible",
        &["SendBack", "HandedIn", "SentBack is not achieved"],
    ),
    seed(
        "teaching/event-vs-state",
        MODEL,
        "guard WhenItGetsPaid when +Paid",
        "guard WhenItGetsPaid when Paid",
        "thanked-once",
        &["WhenItGetsPaid"],
    ),
    seed(
        "teaching/event-vs-state",
        MODEL,
        "guard WhileItIsPaid when Paid",
        "guard WhileItIsPaid when -Paid",
        "milestone-achieved(Order.Filed)",
        &["Filing never opens", "WhileItIsPaid"],
    ),
    seed(
        "teaching/harmless-cycle",
        MODEL,
        "guard AtOnce when true",
        "guard AtOnce when Written",
        "can-repeat",
        &["AtOnce", "Writing never opens", "where it began"],
    ),
    seed(
        "teaching/task",
        MODEL,
        "guard Calls on Call when !completed(Asking)",
        "guard Calls on Call",
        "no-answer-after-hanging-up",
        &["Calls of Asking", "HungUp"],
    ),
    seed(
        "teaching/two-views",
        MODEL,
        "guard OnlyIfPositive on Treat when positive",
        "guard OnlyIfPositive on Treat",
        "patient-concludes",
        &["OnlyIfPositive"],
    ),
    seed(
        "garage",
        "model.xml",
        "GSM.milestoneAchievedOnEvent('DecisionReceived') &amp;&amp; GSM.hasRelatedArtifactMilestoneBeenAchieved('Claim','ClaimApproved')",
        "GSM.milestoneAchievedOnEvent('DecisionReceived')",
        "repaired-only-if-approved",
        &["GRepairing", "Rejected"],
    ),
    seed(
        "garage",
        "model.xml",
        "&amp;&amp; GSM.isMilestoneAchieved('DamageRepaired')",
        "",
        "rejected-no-invoice",
        &["GInvoicing", "Rejected"],
    ),
    seed(
        "garage",
        "model.xml",
        "id=\"GClaiming\" expression=\"GSM.milestoneAchievedOnEvent('DamageAssessed')\"",
        "id=\"GClaiming\" expression=\"GSM.milestoneAchievedOnEvent('ClaimOpened')\"",
        "milestone-achieved(Repair.ClaimOpened)",
        &["Claiming never opens", "GClaiming", "ClaimOpened"],
    ),
    seed(
        "order-to-cash",
        "model.xml",
        "eventIds=\"OnShip\"\n            expression=\"GSM.isMilestoneAchieved('Ready')",
        "eventIds=\"OnShip\"\n            expression=\"GSM.isMilestoneAchieved('Received')",
        "milestone-achieved(CustomerOrder.Received)",
        &["ShippingStarts"],
    ),
    seed(
        "order-to-cash",
        "model.xml",
        "expression=\"!GSM.isMilestoneAchieved('PartsOrdered')\"",
        "expression=\"GSM.isMilestoneAchieved('PartsOrdered')\"",
        "milestone-achieved(CustomerOrder.Ready)",
        &["ResearchStarts", "PartsOrdered is achieved"],
    ),
    seed(
        "order-to-cash",
        "model.xml",
        "&amp;&amp; Parts &lt; 3",
        "&amp;&amp; Parts &lt; 2",
        "milestone-achieved(CustomerOrder.PartsCollected)",
        &["AllPartsThere", "Parts is 3"],
    ),
    // Milestones: conditions negated, widened, on another event, one too many.
    seed(
        "teaching/one-stage",
        MODEL,
        "guard Joins on Join\n",
        "guard Joins on Join\n    milestone Left achieved Leaves on Join\n",
        "stays",
        &["Left", "Leaves", "Member is closed"],
    ),
    seed(
        "teaching/toggle-once",
        MODEL,
        "achieved PressedWhileLit on Press",
        "achieved PressedWhileLit on Press when Dark",
        "off-again",
        &["PressedWhileLit", "Dark is achieved"],
    ),
    seed(
        "teaching/nested",
        MODEL,
        "achieved Lands on Land",
        "achieved Lands on Land when !Flying",
        "milestone-achieved(Trip.Landed)",
        &["Landed is never achieved", "Lands"],
    ),
    seed(
        "teaching/reopen",
        MODEL,
        "achieved ReviewerDislikesIt on Reject",
        "achieved ReviewerDislikesIt on Reject, Approve",
        "one-outcome",
        &["ReviewerDislikesIt", "Approve"],
    ),
    seed(
        "teaching/reopen",
        MODEL,
        "cleared AuthorWithdraws on Withdraw",
        "cleared AuthorWithdraws on Withdraw when Review",
        "lost-by-withdrawal",
        &["AuthorWithdraws"],
    ),
    seed(
        "teaching/lasso",
        MODEL,
        "achieved GoodEnough on Accept",
        "achieved GoodEnough on Accept when SentBack",
        "always-possible",
        &["GoodEnough", "SentBack is achieved"],
    ),
    seed(
        "teaching/real-race",
        MODEL,
        "on Call when !Reserved",
        "on Call",
        "reserved-is-safe",
        &["SoldIfFree", "Reserved was achieved"],
    ),
    seed(
        "teaching/no-instant-milestone",
        MODEL,
        "achieved NothingBroken when ok",
        "achieved NothingBroken when !ok && ok",
        "in-the-next-step",
        &["Accepted is never achieved", "NothingBroken"],
    ),
    seed(
        "teaching/related",
        MODEL,
        "achieved InTheBox on Pack",
        "achieved InTheBox on Pack when !Packing",
        "stranger-does-not-complete",
        &["InTheBox"],
    ),
    seed(
        "garage",
        "model.xml",
        "expression=\"Decision == 'Approved'\"",
        "expression=\"Decision != 'Approved'\"",
        "one-milestone(Claim)",
        &["ClaimApproved", "ClaimRejected"],
    ),
    // Agents: an event nobody sends any more, a view taken away.
    seed(
        "teaching/lasso",
        "agents.gsma",
        "    Accept: true -> ,\n",
        "",
        "always-possible",
        &["Accept, which nobody can send"],
    ),
    seed(
        "order-to-cash",
        "agents-3.gsma",
        "    OnOrderParts: true -> ,\n",
        "",
        "milestone-achieved(CustomerOrder.Ready)",
        &["OnOrderParts, which nobody can send"],
    ),
    seed("teaching/two-views", "agents.gsma", "view: positive;", "", "doctor-knows", &["doctor", "positive is false"]),
];

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("an example").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// The answer about the changed example.
fn asked(s: &Seed) -> PropertyResult {
    let folder = tempfile::tempdir().expect("a folder");
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(s.example);
    copy(&original, folder.path());
    let file = folder.path().join(s.file);
    let text = std::fs::read_to_string(&file).expect("a text");
    assert!(text.contains(s.from), "{}: no '{}'", s.example, s.from);
    std::fs::write(&file, text.replacen(s.from, s.to, 1)).expect("written");
    let options = Options { standard: true, ..Options::default() };
    let project = Project::open(folder.path(), &options).unwrap_or_else(|e| panic!("{}: {e}", s.example));
    let plan = Plan { only: Some(vec![s.property.into()]), builtin: true, ..Plan::default() };
    let results = check(&project, &plan).results;
    results.into_iter().find(|r| r.property == s.property).unwrap_or_else(|| panic!("no {}", s.property))
}

#[test]
fn a_sentence_names_what_was_changed_or_what_follows() {
    assert_eq!(SEEDS.len(), 30);
    let mut missed = Vec::new();
    for s in SEEDS {
        let r = asked(s);
        assert_eq!(r.verdict, Verdict::of(!r.expect), "{}: {} finds nothing in '{}'", s.example, s.property, s.to);
        assert!(r.summary.ends_with('.') && r.summary.len() > 20, "{}: {:?}", s.property, r.summary);
        if !s.names.iter().all(|n| r.summary.contains(n)) {
            missed.push(format!("{}, '{}': {}", s.example, s.to, r.summary));
        }
    }
    println!("{} of {} sentences name the mistake", SEEDS.len() - missed.len(), SEEDS.len());
    missed.iter().for_each(|m| println!("not: {m}"));
    assert!(missed.len() <= 5, "too few sentences name the mistake:\n{}", missed.join("\n"));
}

fn example(name: &str, standard: bool) -> Project {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    Project::open(folder, &Options { standard, ..Options::default() }).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn standard_questions_are_worded_and_their_formulas_can_be_asked_again() {
    let mut again = 0;
    for name in ["teaching/nested", "teaching/reopen", "teaching/related", "teaching/vacuous"] {
        let project = example(name, true);
        let results = check(&project, &Plan { builtin: true, ..Plan::default() });
        for r in results.results.iter().filter(|r| gsmc::lang::standard::find(&r.property).is_some()) {
            assert!(r.comment.ends_with('?'), "{}: {}", r.property, r.comment);
            let Some(p) = project.machine().properties.iter().find(|p| p.name == r.property) else { continue };
            let mut sources = project.sources.clone();
            let machine = project.lens().with_property(&p.text, &mut sources);
            let machine = machine.unwrap_or_else(|e| panic!("{}: {e}", r.property));
            let plan = Plan { engines: vec![r.engine], only: Some(vec!["your formula".into()]), ..Plan::default() };
            let mine = gsmc::check::run("again", &machine, &plan);
            assert_eq!(mine.results[0].verdict, r.verdict, "{name}: {} as {}", r.property, p.text);
            again += 1;
        }
    }
    assert!(again > 25, "only {again} formulas were asked again");
}

#[test]
fn the_comment_right_above_a_property_goes_with_it() {
    let results = check(&example("teaching/reopen", false), &Plan::default()).results;
    let of = |name: &str| results.iter().find(|r| r.property == name).expect("it is there");
    assert_eq!(of("lost-by-withdrawal").comment, "Lost in two ways: by a rule that says so …");
    assert_eq!(of("one-outcome").comment, "");
    let results = check(&example("teaching/lasso", false), &Plan::default()).results;
    let above_annotation = results.iter().find(|r| r.property == "comes-in-the-end").expect("it is there");
    assert!(above_annotation.comment.starts_with("… and yet it need not come."), "{}", above_annotation.comment);
}

/// Sentences of the teaching examples, read beside their READMEs.
#[test]
fn sentences_of_the_teaching_examples() {
    let told = |example_name: &str, property: &str| {
        let results = check(&example(example_name, false), &Plan::default()).results;
        results.into_iter().find(|r| r.property == property).map(|r| r.summary).unwrap_or_default()
    };
    assert_eq!(
        told("teaching/lasso", "comes-in-the-end"),
        "After Submit by wilma (step 2), which set off guard HandedIn of Editing, SendBack and Submit can go on for ever, and all \
         the time Accepted is not achieved. Only Accept could change that."
    );
    assert_eq!(
        told("teaching/vacuous", "appeals-exist"),
        "Appealing never opens, because guard AgainstTheDecision of Appealing waits for Appeal, which needs at once that \
         Handling is open and Settled is achieved."
    );
    assert_eq!(told("teaching/reopen", "one-outcome"), "It holds in all 5 reachable snapshots, with at most 1 Report.");
}
