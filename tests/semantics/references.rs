//! Properties that follow references, against the same questions asked of every reachable snapshot by hand.

use gsmc::answer::Engine;
use gsmc::check::{Plan, run};
use gsmc::interp::{Explicit, Interp, Limits, Work};
use gsmc::lang::gsm::Gsm;
use gsmc::lang::load::{Request, load};
use gsmc::machine::Machine;
use std::collections::{BTreeSet, VecDeque};

const MODEL: &str = "
event Return, Pay
type Loan {
  stage Lending { guard on create; milestone Returned on Return }
  stage Fining { guard when +Returned; task fine: create Fine { loan = self } ; milestone Fined when done(fine) }
}
type Fine {
  loan: ref Loan
  stage Paying { guard on create; milestone Paid on Pay }
}
properties {
  fined-loans-were-returned: AG forall f: Fine (forall x: Loan (f.loan == x -> x.Returned));
  fine-of-the-other: EF exists f: Fine (exists x: Loan (f.loan != x && x.Returned && x.id == 2));
  paid-by-sum: AG forall x: Loan (x.some Fine.Paid -> x.Fined);
  all-paid: EF forall x: Loan (x.all Fine.Paid && x.id == 2);
  call-form: AG forall x: Loan (x.hasRelatedArtifactMilestoneBeenAchieved('Fine', 'Paid') <-> x.some Fine.Paid);
  first-never-pays: AG !(exists x: Loan (x.id == 1 && x.some Fine.Paid));
}
instances { Loan = 2, Fine = 2 }
";

/// Names of variables and what holds of them.
struct Snapshot<'a>(&'a Machine, &'a [i64]);

impl Snapshot<'_> {
    fn get(&self, name: &str) -> i64 {
        self.1[self.0.find(name).unwrap_or_else(|| panic!("no {name}")).0 as usize]
    }
    fn is(&self, ty: &str, slot: i64, what: &str) -> bool {
        self.get(&format!("{ty}[{slot}].{what}")) != 0
    }
    fn paid_fine_of(&self, x: i64) -> Vec<bool> {
        let mine = (1..=2).filter(|&f| self.is("Fine", f, "created") && self.get(&format!("Fine[{f}].loan")) == x);
        mine.map(|f| self.is("Fine", f, "Paid")).collect()
    }
}

#[test]
fn each_answer_is_that_of_the_snapshots() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("model.gsm");
    std::fs::write(&file, MODEL).expect("a file");
    let loaded = load(&Request { dir: Some(file), ..Request::default() });
    let text = gsmc::source::render_all(&loaded.diagnostics, &loaded.sources, false);
    let app = loaded.app.unwrap_or_else(|| panic!("{text}"));
    let gsm = Gsm::new(app, loaded.properties, &loaded.sources).unwrap_or_else(|d| panic!("{}", d.message));
    let interp = Interp::new(&gsm.machine);
    let mut known = BTreeSet::from([interp.initial().to_vec()]);
    let mut queue = VecDeque::from([interp.initial().to_vec()]);
    let mut work = Work::default();
    while let Some(snapshot) = queue.pop_front() {
        interp.each_step(&snapshot, &mut work, &mut |step| {
            if known.insert(step.after.to_vec()) {
                queue.push_back(step.after.to_vec());
            }
        });
    }
    assert!(known.len() > 20, "{}", known.len());
    let all = |p: &dyn Fn(&Snapshot) -> bool| known.iter().all(|s| p(&Snapshot(&gsm.machine, s)));
    let loans = |s: &Snapshot| (1..=2).filter(|&x| s.is("Loan", x, "created")).collect::<Vec<_>>();
    let fines = |s: &Snapshot| (1..=2).filter(|&f| s.is("Fine", f, "created")).collect::<Vec<_>>();
    let refers = |s: &Snapshot, f: i64| s.get(&format!("Fine[{f}].loan"));
    let expected = [
        all(&|s| fines(s).iter().all(|&f| loans(s).iter().all(|&x| refers(s, f) != x || s.is("Loan", x, "Returned")))),
        !all(&|s| !fines(s).iter().any(|&f| loans(s).contains(&2) && refers(s, f) != 2 && s.is("Loan", 2, "Returned"))),
        all(&|s| loans(s).iter().all(|&x| !s.paid_fine_of(x).contains(&true) || s.is("Loan", x, "Fined"))),
        !all(&|s| {
            let paid = |x: i64| !s.paid_fine_of(x).is_empty() && s.paid_fine_of(x).iter().all(|p| *p);
            !loans(s).iter().all(|&x| paid(x) && x == 2)
        }),
        true,
        all(&|s| !(loans(s).contains(&1) && s.paid_fine_of(1).contains(&true))),
    ];
    assert_eq!(expected, [true, true, true, true, true, false], "worked out by hand");
    let explicit = Explicit::build(&gsm.machine, Limits::default()).unwrap_or_else(|_| panic!("too large"));
    let searched: Vec<bool> = gsm.machine.properties.iter().map(|p| explicit.check(p)).collect();
    assert_eq!(searched, expected, "explicit search");
    let plan = Plan { engines: vec![Engine::NATIVE], ..Plan::default() };
    let native: Vec<Option<bool>> =
        run("model.gsm", &gsm.machine, &plan).results.iter().map(|r| r.verdict.holds()).collect();
    assert_eq!(native, expected.map(Some), "native");
}
