//! Knowledge puzzles from the textbooks as GSM applications with agents: what they are famous for must come out.

use crate::common::load;
use gsmc::answer::{Engine, Verdict};
use gsmc::check::{Plan, run};
use gsmc::interp::{Explicit, Limits};
use gsmc::testing::Project;

/// An application with one artifact type.
fn project(name: &str, attributes: &[&str], lifecycle: &str, events: &[&str], agents: &str, asked: &str) -> Project {
    let attribute = |a: &&str| format!("<xs:attribute name=\"{a}\" type=\"xs:boolean\"/>");
    let attributes: String = attributes.iter().map(attribute).collect();
    let events: String = events.iter().map(|e| format!("<ca:Event id=\"{e}\" name=\"{e}\"/>")).collect();
    let schema = format!(
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><xs:element name=\"{name}\">\
         <xs:complexType>{attributes}</xs:complexType></xs:element></xs:schema>"
    );
    let model = format!(
        "<ca:CompositeApplication xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"{name}\">\
         <ca:Component id=\"{name}\" name=\"{name}\"><ca:InformationModel id=\"Data\" rootDataItemId=\"{name}\">\
         <ca:DataItem id=\"{name}\" schemaUri=\"data.xsd\" rootElement=\"{name}\"/></ca:InformationModel>\
         <ca:GuardedStageModel id=\"Lifecycle\">{lifecycle}</ca:GuardedStageModel></ca:Component>\
         <ca:EventModel id=\"Events\">{events}</ca:EventModel></ca:CompositeApplication>"
    );
    let options = "model = \"model.xml\"\nagents = \"agents.gsma\"\nproperties = [\"properties.gsmp\"]\n";
    let file = |name: &str, text: &str| (name.to_string(), text.to_string());
    Project {
        files: vec![
            file("gsmc.toml", options),
            file("model.xml", &model),
            file("data.xsd", &schema),
            file("agents.gsma", agents),
            file("properties.gsmp", asked),
        ],
    }
}

/// Every property is as expected, by diagrams and by explicit search.
fn as_expected(project: &Project) {
    let gsm = load(project, false);
    let machine = &gsm.machine;
    let explicit = Explicit::build(machine, Limits::default()).expect("a small model");
    let results = run("model.xml", machine, &Plan { engines: vec![Engine::NATIVE], ..Plan::default() });
    assert_eq!(results.machine.reachable_states, Some(explicit.states().to_string()));
    assert_eq!(results.results.len(), machine.properties.len());
    for (r, p) in results.results.iter().zip(&machine.properties) {
        assert_eq!(r.verdict, Verdict::of(p.expect), "{}: {:?}", p.name, r.reason);
        assert_eq!(explicit.check(p), p.expect, "{} by explicit search", p.name);
        assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{}", p.name);
    }
}

/// A bit goes over a channel that may lose messages. The sender sees acknowledgements only, the receiver what has arrived.
#[test]
fn bit_transmission() {
    let lifecycle = "<ca:Stage id=\"Sending\" name=\"Sending\"><ca:StageGuard id=\"g1\" eventIds=\"Create_Channel\"/>\
        <ca:Milestone id=\"Received\" name=\"Received\"><ca:Condition id=\"c1\" eventIds=\"Deliver\"/></ca:Milestone>\
        </ca:Stage><ca:Stage id=\"Acknowledging\" name=\"Acknowledging\">\
        <ca:StageGuard id=\"g2\" expression=\"GSM.milestoneAchievedOnEvent('Received')\"/>\
        <ca:Milestone id=\"Acknowledged\" name=\"Acknowledged\"><ca:Condition id=\"c2\" eventIds=\"Confirm\"/>\
        </ca:Milestone></ca:Stage>";
    let agents =
        "role Sender { view: bit; instantiation: Channel; transformation: hide_stage_status(Channel, 'Sending'),
            hide_stage_status(Channel, 'Acknowledging'), hide_milestone(Channel, 'Received'); };
        role Receiver { view: bit; window: GSM.isMilestoneAchieved('Channel', 'Received');
            transformation: hide_stage_status(Channel, 'Acknowledging'), hide_milestone(Channel, 'Acknowledged'); };
        role Network { };
        agent sender { role: Sender; protocol: Create_Channel: bit == true -> , Create_Channel: bit == false -> ; };
        agent receiver { role: Receiver; protocol: Deliver: false -> ; };
        agent network { role: Network; protocol: Deliver: true -> , Confirm: true -> ; };
        ";
    let known = "(K(receiver, x.bit) || K(receiver, !x.bit))";
    let asked = format!(
        "receiver-learns: AG forall x : Channel (x.Received <-> {known});\n
         sender-cannot-know-before: AG forall x : Channel (!x.Acknowledged -> !K(sender, {known}));\n
         sender-knows-then: AG forall x : Channel (x.Acknowledged -> K(sender, {known}));\n
         @expect false
         receiver-knows-that: EF exists x : Channel K(receiver, K(sender, {known}));\n
         @expect false
         common: EF exists x : Channel CK({{sender, receiver}}, {known});\n
         together: AG forall x : Channel (x.Acknowledged <-> DK({{sender, receiver}}, x.Acknowledged));\n
         @expect false
         both: EF exists x : Channel EK({{sender, receiver}}, x.Acknowledged);\n
         happens: EF exists x : Channel (x.Acknowledged);\n"
    );
    as_expected(&project("Channel", &["bit"], lifecycle, &["Deliver", "Confirm"], agents, &asked));
}

/// Three children see each other's foreheads but not their own; the father says what `announced` says, then asks in rounds, in
/// which those who know would speak.
fn muddy(announced: &str, asked: &str) -> Project {
    let lifecycle = "<ca:Stage id=\"First\" name=\"First\"><ca:StageGuard id=\"g1\" eventIds=\"Create_Game\"/>\
        <ca:Milestone id=\"Silent1\" name=\"Silent1\">\
        <ca:Condition id=\"c1\" eventIds=\"Ask1\" expression=\"(m1 and m2) or (m1 and m3) or (m2 and m3)\"/>\
        </ca:Milestone></ca:Stage><ca:Stage id=\"Second\" name=\"Second\">\
        <ca:StageGuard id=\"g2\" expression=\"GSM.milestoneAchievedOnEvent('Silent1')\"/>\
        <ca:Milestone id=\"Silent2\" name=\"Silent2\">\
        <ca:Condition id=\"c2\" eventIds=\"Ask2\" expression=\"m1 and m2 and m3\"/></ca:Milestone></ca:Stage>";
    let agents = format!(
        "role Father {{ view: m1, m2, m3; instantiation: Game; }};
         role First {{ view: m2, m3; }};
         role Second {{ view: m1, m3; }};
         role Third {{ view: m1, m2; }};
         agent father {{ role: Father; protocol: Create_Game: {announced} -> , Ask1: true -> , Ask2: true -> ; }};
         agent one {{ role: First; protocol: Ask1: false -> ; }};
         agent two {{ role: Second; protocol: Ask1: false -> ; }};
         agent three {{ role: Third; protocol: Ask1: false -> ; }};
         "
    );
    project("Game", &["m1", "m2", "m3"], lifecycle, &["Ask1", "Ask2"], &agents, asked)
}

#[test]
fn muddy_children() {
    let one = "x.created && x.m1 && !x.m2 && !x.m3";
    let two = "x.created && x.m1 && x.m2 && !x.m3";
    let three = "x.m1 && x.m2 && x.m3";
    let asked = format!(
        "a-single-muddy-child-knows-at-once: AG forall x : Game (({one}) -> K(one, x.m1));\n
         two-do-not: AG forall x : Game (({two} && !x.Silent1) -> (!K(one, x.m1) && !K(two, x.m2)));\n
         two-know-after-a-silence: AG forall x : Game (({two} && x.Silent1) -> (K(one, x.m1) && K(two, x.m2)));\n
         the-clean-one-does-not: AG forall x : Game (({two} && x.Silent1) -> !K(three, !x.m3));\n
         three-need-two: AG forall x : Game (({three} && !x.Silent2)
            -> (!K(one, x.m1) && !K(two, x.m2) && !K(three, x.m3)));\n
         then-it-is-common: AG forall x : Game (x.Silent2 -> CK({{one, two, three}}, {three}));\n
         announced: AG forall x : Game CK({{one, two, three}}, x.m1 || x.m2 || x.m3);\n
         it-happens: EF exists x : Game x.Silent2;\n"
    );
    as_expected(&muddy("m1 || m2 || m3", &asked));
}

/// Without the announcement nobody ever learns anything from the first round on, although with two muddy children everybody knew
/// what the father would have said.
#[test]
fn muddy_children_without_the_announcement() {
    let one = "x.m1 && !x.m2 && !x.m3";
    let asked = format!(
        "@expect false
         a-single-muddy-child-knows-at-once: AG forall x : Game (({one}) -> K(one, x.m1));\n
         two-know-that-somebody-is: AG forall x : Game ((x.m1 && x.m2 && !x.m3)
            -> EK({{one, two, three}}, x.m1 || x.m2 || x.m3));\n
         @expect false
         it-is-common: EF exists x : Game (!x.Silent1 && CK({{one, two, three}}, x.m1 || x.m2 || x.m3));\n"
    );
    as_expected(&muddy("m1 || !m1 || m2 || m3", &asked));
}
