use super::*;
use crate::interp::testkit;
use crate::lang::gsm::lower;
use crate::lang::load::{Request, load};
use crate::machine::Valid;

fn example(name: &str) -> Valid {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    let loaded = load(&Request { dir: Some(dir), ..Request::default() });
    lower(&loaded.app.expect("it loads"), &loaded.properties, &loaded.sources).expect("it lowers")
}

/// Goes random ways and reads back what was written.
fn round_trip(interp: &Interp, steps: usize, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut here, mut choices) = (interp.initial(), Vec::new());
    for _ in 0..steps {
        let all = interp.choices(&here);
        let Some(choice) = rng.choice(all) else { break };
        here = interp.step(&here, &choice).expect("possible").after;
        choices.push(choice);
    }
    let text = write(interp.machine(), &choices);
    assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.+%:@,=/".contains(&b)), "{text}");
    assert_eq!(read(interp, &text).as_ref(), Ok(&choices), "{text}");
}

#[test]
fn what_is_written_is_read_back() {
    for name in ["order-to-cash", "fixed-price", "fixed-price-two", "garage", "research-proposal", "teaching/related"] {
        let machine = example(name);
        let interp = Interp::new(&machine);
        (0..6).for_each(|seed| round_trip(&interp, 15, seed));
    }
}

#[test]
fn hostile_names_survive() {
    let names = ["a b", "idle", "12", "x/y:z@w,v=1", "ünï 漢", "%41", "+", "<script>", "'\"", "\u{1}\n"];
    let mut m = testkit::empty();
    for name in names {
        testkit::act(&mut m, testkit::body(name), crate::machine::TRUE);
    }
    m.idle = crate::machine::Idle::Always;
    let machine = crate::machine::validate(m).expect("a valid machine");
    let interp = Interp::new(&machine);
    let all = interp.choices(&interp.initial());
    assert_eq!(all.len(), names.len() + 1);
    let text = write(&machine, &all);
    assert_eq!(read(&interp, &text), Ok(all), "{text}");
}

#[test]
fn people_may_leave_out_what_is_clear() {
    let machine = example("order-to-cash");
    let interp = Interp::new(&machine);
    let full = read(&interp, "Create_CustomerOrder/OnSubmit").expect("one fits");
    assert_eq!(read(&interp, "1/1"), Ok(full.clone()));
    assert_eq!(read(&interp, "/Diogenes:Create_CustomerOrder@CustomerOrder.1/OnSubmit/"), Ok(full));
    assert_eq!(read(&interp, ""), Ok(vec![]));
    assert_eq!(read(&interp, " / "), Ok(vec![]));
}

#[test]
fn an_illegal_path_names_its_step() {
    let machine = example("order-to-cash");
    let interp = Interp::new(&machine);
    let why = |text: &str| read(&interp, text).expect_err("illegal").to_string();
    let unknown =
        "step 2 of the path, 'OnShipp': nothing called 'OnShipp' can happen in this model. Did you mean 'OnShip'?";
    assert_eq!(why("1/OnShipp"), unknown);
    assert!(why("OnSubmit").contains("step 1 of the path, 'OnSubmit': that is not possible here"));
    assert!(why("1/99").contains("there are 2 choices here"), "{}", why("1/99"));
    assert!(why("0").contains("counted from 1"));
    assert!(why("1/idle").contains("idling is not possible here"));
    assert!(why("1//1").contains("step 2"));
    assert!(why("%zz").contains("hexadecimal"));
    assert!(why("%ff").contains("UTF-8"));
    assert!(why("Create_CustomerOrder@nowhere").contains("Type.1"));
    assert!(why("Nobody:Create_CustomerOrder").contains("not possible"));
    assert!(why("Create_CustomerOrder,Colour=red").contains("Create_CustomerOrder carries no 'Colour'"));
    assert!(why("99999999999999999999999").contains("choices here"));
    let long = "1/".repeat(LONGEST + 5);
    assert!(read(&interp, &long).is_err());
}

#[test]
fn garbage_is_never_more_than_an_error() {
    let machine = example("garage");
    let interp = Interp::new(&machine);
    let mut rng = fastrand::Rng::with_seed(3);
    let signs: Vec<char> = "a1%:@,=/+.[]é漢\0 -_'\"&?#".chars().collect();
    for _ in 0..3000 {
        let text: String = (0..rng.usize(0..24)).map(|_| signs[rng.usize(..signs.len())]).collect();
        let _ = read(&interp, &text);
    }
}

#[test]
fn moves_of_one_name_are_told_apart_by_their_payload() {
    let input = |code: i64| crate::machine::Input {
        name: "status".into(),
        domain: crate::machine::Domain::Int { lo: 0, hi: 2 },
        values: crate::machine::Ranges::range(code, code),
    };
    let mut m = testkit::empty();
    for code in 0..3 {
        let body = crate::machine::Body { inputs: vec![input(code)], ..testkit::body("Truck") };
        testkit::act(&mut m, body, crate::machine::TRUE);
    }
    let machine = crate::machine::validate(m).expect("a valid machine");
    let interp = Interp::new(&machine);
    let all = interp.choices(&interp.initial());
    assert_eq!(write(&machine, &all), "Truck,status=0/Truck,status=1/Truck,status=2");
    assert_eq!(read(&interp, &write(&machine, &all)), Ok(all));
    let clear = read(&interp, "Truck").expect_err("three fit");
    assert_eq!(clear.why, "3 choices fit: Truck,status=0, Truck,status=1, Truck,status=2");
    assert_eq!(read(&interp, "Truck=1"), read(&interp, "Truck,status=1"));
    let none = read(&interp, "Truck=7").expect_err("it has no such value");
    assert!(none.why.starts_with("'7' is no value of status"), "{}", none.why);
}
