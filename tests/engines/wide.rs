//! Numbers up to a billion cost bits, not values; what a checker cannot hold is told before it starts.

use gsmc::answer::{Choice, Engine, Verdict};
use gsmc::backend::{CHECKERS, NotWritten};
use gsmc::check::{Plan, run};
use gsmc::interp::Interp;
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load};
use gsmc::machine::Valid;
use gsmc::source::render_all;
use std::time::Duration;

/// An order is paid with exactly a billion; a task keeps the sum of a note until it is done.
const MODEL: &str = "application Wide

event Pay { amount: int }
event Note { sum: int }

type Order {
  amount: int
  total: int

  stage Paying {
    guard start on create
    milestone Paid on Pay when amount == 1000000000
  }

  stage Noting {
    guard on Note when Paid
    task copy: assign total = payload(Note).sum
    milestone Noted when total >= 1000000000
  }
}

agents {
  role Customer { view: amount, total; instantiation: Order; };
  agent Rita {
    role: Customer;
    protocol: Create_Order: true -> , Pay: true -> , Note: true -> ;
  };
}

properties {
  paid: EF exists o: Order (o.Paid)

  unpaid: AG forall o: Order (!o.Paid)

  noted: EF exists o: Order (o.Noted)

  between: AG forall o: Order (o.Noting -> o.total < 1000000000)
}
";

fn machine(options: &str) -> Valid {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.gsm"), MODEL).expect("a file");
    std::fs::write(folder.path().join("gsmc.toml"), format!("model = \"model.gsm\"\n{options}")).expect("a file");
    let loaded = load(&Request { dir: Some(folder.path().to_path_buf()), ..Request::default() });
    let Some(app) = loaded.app else { panic!("{}", render_all(&loaded.diagnostics, &loaded.sources, false)) };
    lower(&app, &loaded.properties, &loaded.sources).unwrap_or_else(|d| panic!("{}", d.message))
}

const TERMINAL: &str = "[options]\nidle = \"terminal\"\n";

#[test]
fn native_decides_and_its_runs_replay() {
    for options in ["", TERMINAL] {
        let machine = machine(options);
        // Two numbers of thirty bits, one of them buffered, and a few flags.
        assert!(machine.state_bits() < 110, "{}", machine.state_bits());
        let plan = Plan { engines: vec![Engine::NATIVE], timeout: Some(Duration::from_secs(300)), ..Plan::default() };
        for result in run("model.gsm", &machine, &plan).results {
            // Noting may open again after a billion was noted, so that `between` fails, too.
            let fails = matches!(result.property.as_str(), "unpaid" | "between");
            let expected = if fails { Verdict::False } else { Verdict::True };
            assert_eq!(result.verdict, expected, "{}: {:?}", result.property, result.reason);
            assert!(result.trace.is_none_or(|t| t.certified), "{}: {:?}", result.property, result.reason);
        }
    }
}

/// A payment that is not a billion changes nothing, so it cannot be sent; the one that can is found among a billion.
#[test]
fn what_can_happen_is_found_among_a_billion() {
    for options in ["", TERMINAL] {
        let machine = machine(options);
        let interp = Interp::new(&machine);
        let mut here = interp.initial();
        for (event, payload) in
            [("Create_Order", vec![]), ("Pay", vec![1_000_000_000]), ("Note", vec![999_999_999]), ("done copy", vec![])]
        {
            let (choices, _) = interp.some_choices(&here);
            let is = |c: &&Choice| {
                matches!(c, Choice::Act { action, inputs }
                    if machine.body(&machine.actions[*action]).event == event && *inputs == payload)
            };
            let choice = choices.iter().find(is).unwrap_or_else(|| panic!("{event} {payload:?} in {choices:?}"));
            here = interp.step(&here, choice).expect("a possible step").after;
            assert_eq!(interp.is_terminal(&here), event == "done copy");
        }
        let total = machine.find("Order[1].total").expect("a variable");
        assert_eq!(here[total], 999_999_999);
    }
}

#[test]
fn checkers_refuse_before_they_start_and_say_what_to_type() {
    let wide = machine("");
    for checker in CHECKERS {
        match (checker.export)(&wide, &[0]) {
            Err(NotWritten::Unsupported(why)) => {
                assert!(why.contains(checker.title) && why.contains("--range"), "{}: {why}", checker.title);
            }
            Err(other) => panic!("{}: {other}", checker.title),
            Ok(_) => panic!("{} takes a billion values", checker.title),
        }
    }
}
