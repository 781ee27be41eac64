//! The simulator as a transcript.

use gsmc::explain::session::{Effect, Session};
use gsmc::interp::Interp;
use gsmc::lang::gsm::Gsm;
use gsmc::lang::load::{Loaded, Request, load};

const MODEL: &str = r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="ladder">
<ca:EventModel id="em">
<ca:Event id="E1" name="E1"></ca:Event>
<ca:Event id="E2" name="E2"></ca:Event>
</ca:EventModel>
<ca:Component id="T" name="T">
<ca:GuardedStageModel id="gT">
<ca:Stage id="A" name="A">
<ca:StageGuard id="A_g" eventIds="E1"/>
<ca:Milestone id="mA" name="mA">
<ca:Condition id="mA_c" eventIds="E2" expression="!GSM.isMilestoneAchieved('mB')"/>
</ca:Milestone>
<ca:SubStage id="B" name="B">
<ca:StageGuard id="B_g"/>
<ca:Milestone id="mB" name="mB">
<ca:Condition id="mB_c" eventIds="E2"/>
</ca:Milestone>
</ca:SubStage>
</ca:Stage>
</ca:GuardedStageModel></ca:Component>
</ca:CompositeApplication>
"#;

fn ladder() -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.xml"), MODEL).expect("a file");
    load(&Request { model: Some(folder.path().join("model.xml")), ..Request::default() })
}

fn transcript(full: bool, lines: &[&str]) -> String {
    let loaded = ladder();
    let app = loaded.app.expect("a clean model");
    let gsm = Gsm::new(app, Vec::new(), &loaded.sources).expect("a machine");
    let interp = Interp::new(&gsm.machine);
    let mut session = Session::new(&gsm, &interp, &loaded.sources, full);
    let mut out = session.greeting();
    for line in lines {
        let reply = session.command(line);
        out += &format!("> {line}\n{}", reply.text);
        match reply.effect {
            Some(Effect::Save { text, .. }) => {
                let again = session.loaded(&text).expect("what was saved can be loaded");
                out += &format!("(saved and loaded)\n{again}");
            }
            Some(Effect::Load(file)) => out += &format!("(load {file})\n"),
            Some(Effect::Quit) => out += "(end)\n",
            None => {}
        }
    }
    // Places depend on where the folder is.
    let place = regex::Regex::new(r"\[\S*model\.xml").expect("a pattern");
    place.replace_all(&out, "[model.xml").into_owned()
}

#[test]
fn steps_and_questions() {
    insta::assert_snapshot!(transcript(false, &["1", "1", "1", "why mA", "whynot mA", "whynot A", "whynot E1", "why nonsense"]), @r##"
    What next?
       1  Create_T at T[1]
       2  nothing happens
    > 1
    1. Create_T at T[1]
      at once   +T[1].created
    What next?
       1  E1 at T[1]
       2  nothing happens
    > 1
    2. E1 at T[1]
      fired     PAC-1 A/A_g  +T[1].A
      fired     PAC-1 B/B_g  +T[1].B
    What next?
       1  E2 at T[1]
       2  nothing happens
    > 1
    3. E2 at T[1]
      fired     PAC-2 mB/mB_c  +T[1].mB
      fired     PAC-5 B/mB  -T[1].B
    What next?
       1  E1 at T[1]
       2  E2 at T[1]
       3  nothing happens
    > why mA
    T[1].mA has been false from the start.
    > whynot mA
    T[1].mA did not change in this step; what could have changed it:
      T[1].PAC-2 mA/mA_c  +T[1].mA  did not fire  [model.xml:11:1]
        before: A was open = true
        at its turn: E2 occurs here and not (mB is achieved) = false
          E2 occurs here (event) = true
          not (mB is achieved) = false  <--
            mB is achieved = true
    > whynot A
    T[1].A did not change in this step; what could have changed it:
      T[1].PAC-5 A/mA  -T[1].A  did not fire  [model.xml:10:1]
        before: A was open = true
        at its turn: mA has just been achieved (before and now) = false  <--
    > whynot E1
    anyone: E1 at T[1] is possible
    > why nonsense
    Nothing here is called 'nonsense'.
    "##);
}

#[test]
fn going_back_and_forth() {
    insta::assert_snapshot!(transcript(false, &["1", "1", "undo", "jump 2", "fork", "1", "runs", "run 1", "jump 9", "undo 7", "run 5"]), @r##"
    What next?
       1  Create_T at T[1]
       2  nothing happens
    > 1
    1. Create_T at T[1]
      at once   +T[1].created
    What next?
       1  E1 at T[1]
       2  nothing happens
    > 1
    2. E1 at T[1]
      fired     PAC-1 A/A_g  +T[1].A
      fired     PAC-1 B/B_g  +T[1].B
    What next?
       1  E2 at T[1]
       2  nothing happens
    > undo
    At snapshot 1 of 2.
    What next?
       1  E1 at T[1]
       2  nothing happens
    > jump 2
    At snapshot 2 of 2.
    What next?
       1  E2 at T[1]
       2  nothing happens
    > fork
    Run 1 is kept; this is run 2, the same up to snapshot 2.
    > 1
    3. E2 at T[1]
      fired     PAC-2 mB/mB_c  +T[1].mB
      fired     PAC-5 B/mB  -T[1].B
    What next?
       1  E1 at T[1]
       2  E2 at T[1]
       3  nothing happens
    > runs
      run 1: 2 steps, at snapshot 2
    * run 2: 3 steps, at snapshot 3
    > run 1
    This is run 1, at snapshot 2.
    What next?
       1  E2 at T[1]
       2  nothing happens
    > jump 9
    jump takes a number from 0 to 2.
    > undo 7
    Only 2 steps to undo.
    > run 5
    run takes a number from 1 to 2.
    "##);
}

#[test]
fn other_commands() {
    insta::assert_snapshot!(transcript(true, &["1", "77", "trace", "rules", "save run.json", "load", "dance", "", "help", "load x", "quit"]), @r##"
      T[1].created = false
      T[1].A = false
      T[1].B = false
      T[1].mA = false
      T[1].mB = false
      overflow = false
    What next?
       1  Create_T at T[1]
       2  nothing happens
    > 1
    1. Create_T at T[1]
      at once   +T[1].created
      T[1].created = true
      T[1].A = false
      T[1].B = false
      T[1].mA = false
      T[1].mB = false
      overflow = false
    What next?
       1  E1 at T[1]
       2  nothing happens
    > 77
    There is no choice 77; there are 2.
    > trace
    run, 1 step
      0. start
           T[1].created = false
           T[1].A = false
           T[1].B = false
           T[1].mA = false
           T[1].mB = false
           overflow = false
      1. Create_T at T[1]
           T[1].created = true
           T[1].A = false
           T[1].B = false
           T[1].mA = false
           T[1].mB = false
           overflow = false
    > rules
      at once   +T[1].created
      T[1].PAC-4 mA  -T[1].mA  did not fire  [model.xml:10:1]
        before: mA was achieved = false  <--
        at its turn: A has just opened (before and now) = false
      T[1].PAC-5 A/mA  -T[1].A  did not fire  [model.xml:10:1]
        before: A was open = false  <--
        at its turn: mA has just been achieved (before and now) = false
      T[1].PAC-1 B/B_g  +T[1].B  did not fire  [model.xml:14:1]
        before: B was closed = true
        at its turn: A is open = false  <--
      T[1].PAC-4 mB  -T[1].mB  did not fire  [model.xml:15:1]
        before: mB was achieved = false  <--
        at its turn: B has just opened (before and now) = false
      T[1].PAC-5 B/mB  -T[1].B  did not fire  [model.xml:15:1]
        before: B was open = false  <--
        at its turn: mB has just been achieved (before and now) = false
      T[1].PAC-6 B/A  -T[1].B  did not fire  [model.xml:13:1]
        before: B was open and A was open = false
          B was open (before) = false  <--
          A was open (before) = false
        at its turn: mA has just been achieved (before and now) = false
      T[1].PAC-1 A/A_g  +T[1].A  did not fire  [model.xml:9:1]
        before: A was closed = true
        at its turn: E1 occurs here (event) = false  <--
      T[1].PAC-2 mA/mA_c  +T[1].mA  did not fire  [model.xml:11:1]
        before: A was open = false  <--
        at its turn: E2 occurs here and not (mB is achieved) = false
          E2 occurs here (event) = false
          not (mB is achieved) = true
            mB is achieved = false
      T[1].PAC-2 mB/mB_c  +T[1].mB  did not fire  [model.xml:16:1]
        before: B was open = false  <--
        at its turn: E2 occurs here (event) = false
    > save run.json
    (saved and loaded)
      T[1].created = false
      T[1].A = false
      T[1].B = false
      T[1].mA = false
      T[1].mB = false
      overflow = false
    1. Create_T at T[1]
      at once   +T[1].created
      T[1].created = true
      T[1].A = false
      T[1].B = false
      T[1].mA = false
      T[1].mB = false
      overflow = false
    > load
    load needs a file name.
    > dance
    dance: nothing called 'dance' can happen in this model. Type help for what I know.
    > 
    What next?
       1  E1 at T[1]
       2  nothing happens
    > help
      NUMBER        take that choice; or by its name: Pay, or Pay Amount=3, or Ann: Pay at Order[2]
      (empty line)  show the choices again; choices shows all of them
      undo [N]      take back the last step, or the last N
      jump N        go to snapshot N of this run, back or forth
      fork          keep this run and go on with a copy; runs lists them, run K goes to one
      why NAME      what made a stage, milestone or attribute what it is
      whynot NAME   why the last step did not change it, or why an event cannot happen now
      rules         every rule of the last step with its conditions
      full          all values
      trace         the run so far
      save FILE     write the run so far; load FILE reads one (gsmc or ITF)
      quit
    > load x
    (load x)
    > quit
    (end)
    "##);
}

#[test]
fn random_runs_repeat() {
    let run = |seed: u64| {
        let loaded = ladder();
        let app = loaded.app.expect("a clean model");
        let gsm = Gsm::new(app, Vec::new(), &loaded.sources).expect("a machine");
        let interp = Interp::new(&gsm.machine);
        let mut session = Session::new(&gsm, &interp, &loaded.sources, false);
        let mut out = String::new();
        session.random(30, seed, &mut |text| {
            out += &text;
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(session.trace().steps.len(), 30);
        out
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn steps_are_taken_by_name_and_payload_by_value() {
    let walk = |example: &str, typed: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching").join(example);
        let project = gsmc::Project::open(folder, &gsmc::Options::default()).expect("an example");
        let interp = gsmc::interp::Interp::new(project.machine());
        let mut session = gsmc::explain::session::Session::new(project.lens(), &interp, &project.sources, false);
        typed.lines().map(|line| session.command(line).text).collect::<Vec<String>>()
    };
    let told = walk("task", "Create_Ride\nCall far=true\ndone Ask (free = true)");
    assert!(told[1].starts_with("2. Call at Ride[1] (far = true)\n"), "{}", told[1]);
    assert!(told[2].starts_with("3. AutoAgent: done Ask at Ride[1] (free = true)\n"), "{}", told[2]);
    let told = walk("task", "Create_Ride\nCall far=yes\nCall fra=true\nCall far='true'");
    assert_eq!(told[1], "Call far=yes: 'yes' is no value of far: false or true.\n");
    assert_eq!(told[2], "Call fra=true: Call carries no 'fra'.\n");
    assert!(told[3].starts_with("2. Call at Ride[1] (far = true)\n"), "{}", told[3]);
    let told = walk("lasso", "wilma: Create_Text at Text[1]\nAccept");
    assert!(told[0].starts_with("1. wilma: Create_Text at Text[1]\n"), "{}", told[0]);
    assert!(
        told[1].starts_with("Accept: that is not possible here.\n  edgar: Accept at Text[1] is not possible"),
        "{}",
        told[1]
    );
}
