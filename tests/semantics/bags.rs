//! Bags: counters against elements that come and go one by one, on random models. `GSMC_BAGS=500` tries that many.

use crate::common::load;
use crate::convert::{request, there_and_back};
use crate::reference::agree_on;
use gsmc::interp::{Explicit, Limits};
use gsmc::lang::gsm::convert::{open, to_barcelona, to_notation};
use gsmc::testing::Project;
use gsmc::testing::bags::random_bags;

fn number() -> u64 {
    std::env::var("GSMC_BAGS").ok().and_then(|n| n.parse().ok()).unwrap_or(25)
}

#[test]
fn elements_come_and_go_as_they_do_one_by_one() {
    for seed in 0..number() {
        let project = random_bags(seed);
        agree_on(&load(&project, true), &format!("bags {seed}\n{project}"));
    }
}

#[test]
fn bags_survive_conversion() {
    for seed in 1000..1000 + number() / 3 {
        let project = random_bags(seed);
        let folder = tempfile::tempdir().expect("a folder");
        project.write_to(folder.path()).expect("files");
        there_and_back(folder.path(), &format!("bags {seed}"));
    }
}

/// What a message carries in a bag, how far bags go and what is abstracted is said on both sides.
#[test]
fn ranges_messages_and_predicates_survive_conversion() {
    let text = "application Club
event Load { who: record { Members: bag { Name: string, Age: int 0..120, Tags: bag int }, by: string } }
type Club {
  who: record { Members: bag { Name: string, Age: int }, by: string }
  stage In { guard on Load when who.Members.size() < 2; task bring: assign who.Members = payload(Load).who.Members; milestone Brought when done(bring) }
}
properties { EF exists c: Club (c.who.Members.exists(Age > 3)) }
ranges { Club.who.Members = [0, 2] }
abstraction { predicates = [\"Club: who.Members.size() == 1\"], refine = 3 }
";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("model.gsm");
    std::fs::write(&file, text).expect("a file");
    there_and_back(&file, "a message with a bag");
    let whole = open(&request(&file)).expect("a model");
    let files = to_barcelona(&whole);
    let toml = &files[0].1;
    assert!(toml.contains("\"Club.who.Members\" = [0, 2]") && toml.contains("refine = 3"), "{toml}");
    let messages = &files.iter().find(|(name, _)| name == "messages.xsd").expect("messages").1;
    assert_eq!(messages.matches("unbounded").count(), 2, "{messages}");
    let text = to_notation(&whole, true);
    assert!(text.contains("Age: int 0..120, Tags: bag int") && text.contains("abstraction {"), "{text}");
}

/// Worked by hand: two guests at most, one of whom may be called Ann; she can leave, and then nobody called Ann is left.
#[test]
fn a_guest_list_worked_by_hand() {
    let text = "application Party
event Arrive { name: string }
event Leave
type Party {
  guests: bag { name: string }
  stage Coming { guard c on Arrive when guests.size() < 2; task come: add guests { name = payload.name }; milestone Came when done(come) }
  stage Going { guard g on Leave; task go: remove guests { name = 'Ann' }; milestone Went when done(go) }
}
properties {
  EF exists p : Party (p.guests.count(name == 'Ann') == 2);
  EF exists p : Party (p.guests.count(name == 'Ann') == 1 && p.guests.size() == 2);
  EF exists p : Party (p.guests.size() == 3);
  AG forall p : Party (p.guests.forAll(name != 'Ann') -> AG (p.Went -> true));
  EF exists p : Party (p.guests.exists(name == 'Ann') && EF (p.guests.forAll(name != 'Ann') && p.Went));
  AG forall p : Party (p.guests.size() == 2 && p.guests.forAll(name != 'Ann') -> AG p.guests.size() == 2);
  EF overflow
}
";
    let files = vec![("gsmc.toml".into(), "model = \"m.gsm\"\n".into()), ("m.gsm".into(), text.to_string())];
    let gsm = load(&Project { files }, false);
    let graph = Explicit::build(&gsm.machine, Limits::default()).expect("a small graph");
    let held: Vec<bool> = gsm.machine.properties.iter().map(|p| graph.check(p)).collect();
    // Nobody ever comes beyond two: the third arrival finds the guard closed, and one waits at most until its task is done.
    assert_eq!(held, [true, true, false, true, true, true, false]);
}
