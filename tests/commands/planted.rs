//! Generated logs with planted deviations: all are found, and none is invented.

use crate::replay::{replay, root};

/// What was planted in a generated case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planted {
    Nothing,
    DrivesEmpty,
    Overheats,
    NeverDrives,
    Unknown,
}

/// The activities of a case, with the positions of trucks.
fn generated(planted: Planted, rng: &mut fastrand::Rng) -> Vec<(&'static str, &'static str)> {
    let (loading, driving) = (
        [("loading starts", ""), ("doors closed", "")],
        [("truck position", "OnRoad"), ("truck position", "AtCustomer")],
    );
    let mut all = vec![("order booked", "")];
    if planted != Planted::DrivesEmpty {
        all.extend(loading);
    }
    if planted != Planted::NeverDrives {
        all.push(driving[0]);
        if planted == Planted::Overheats {
            all.push(("cooling failed", ""));
        }
        // A truck may stand somewhere on its way: nothing is reported then.
        if rng.bool() {
            all.extend([("truck position", "Garage"), ("truck position", "Garage")]);
        }
        all.push(driving[1]);
    }
    all.extend([("hand-over", ""), ("receipt signed", "")]);
    for _ in 0..rng.usize(..3) {
        all.insert(rng.usize(1..=all.len()), ("phone call", ""));
    }
    if planted == Planted::Unknown {
        all.insert(rng.usize(1..=all.len()), ("customs check", ""));
    }
    all
}

/// More cases: `GSMC_CASES=10000 cargo test --test commands planted`.
#[test]
fn planted_deviations_are_all_found_and_none_invented() {
    let cases: usize = std::env::var("GSMC_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut rng = fastrand::Rng::with_seed(cases as u64);
    let kinds = [Planted::Nothing, Planted::DrivesEmpty, Planted::Overheats, Planted::NeverDrives, Planted::Unknown];
    let planted: Vec<Planted> = (0..cases).map(|_| kinds[rng.usize(..kinds.len())]).collect();
    let mut rows = Vec::new();
    for (case, kind) in planted.iter().enumerate() {
        let mut time = rng.u64(..1_000_000);
        for (activity, position) in generated(*kind, &mut rng) {
            time += rng.u64(1..1_000);
            rows.push((time, format!("c{case},{activity},{time},{position}")));
        }
    }
    // By time, so that cases are mixed; or in any order at all.
    if rng.bool() {
        rows.sort();
    } else {
        rng.shuffle(&mut rows);
    }
    let mut log = String::from("case,activity,time,position\n");
    rows.iter().for_each(|(_, row)| log += &format!("{row}\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.csv");
    std::fs::write(&path, log).expect("a log");
    let (ran, json) = replay(&root().join("examples/shipment"), &path, &[]);
    let judged = json["cases"].as_array().unwrap_or_else(|| panic!("{}", ran.err));
    assert_eq!(judged.len(), cases);
    for case in judged {
        let number: usize = case["case"].as_str().expect("a name")[1..].parse().expect("a number");
        let first =
            case["first"].as_object().map(|f| (f["stage"].as_str().unwrap_or(""), f["kind"].as_str().unwrap_or("")));
        let wanted = match planted[number] {
            Planted::Nothing => None,
            Planted::Unknown => Some(("", "unknown-event")),
            Planted::DrivesEmpty => Some(("Drive", "outOfOrder")),
            Planted::Overheats => Some(("Drive", "faulty")),
            Planted::NeverDrives => Some(("Deliver", "outOfOrder")),
        };
        assert_eq!(first, wanted, "{:?}: {case}", planted[number]);
        let deviations = case["deviations"].as_array().expect("a list").len();
        assert_eq!(deviations, usize::from(planted[number] == Planted::Unknown), "{case}");
        assert_eq!(case["completed"], true, "{case}");
    }
}
