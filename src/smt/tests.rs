//! Solvers that answer, and solvers that misbehave.

use super::*;
use crate::backend::drive::RunFolder;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

fn int(name: &'static str) -> Symbol {
    Symbol::named(name, Sort::Int)
}

fn real(name: &'static str) -> Symbol {
    Symbol::named(name, Sort::Real)
}

fn read(s: &Symbol) -> Term {
    Term::Symbol(s.clone())
}

/// A program that plays solver: a shell script that sees our commands on its standard input.
fn fake(script: &str) -> (RunFolder, PathBuf) {
    let folder = RunFolder::new(None, "solver").unwrap();
    folder.write("z3", &format!("#!/bin/sh\n{script}\n")).unwrap();
    let path = folder.file("z3");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path)
}

fn hurried() -> Limits {
    Limits { question: Duration::from_millis(200), ..Limits::default() }
}

/// What becomes of `x < 3`.
fn ask(script: &str) -> Result<Sat, SmtError> {
    let (_folder, path) = fake(script);
    let mut oracle = Oracle::with(vec![Solver::start(SolverKind::Z3, &path, &hurried())?]);
    oracle.declare(&int("x"));
    oracle.assert(Term::less(read(&int("x")), Term::int(3)));
    oracle.check()
}

const READ: &str = "while read -r line; do case \"$line\" in '(check-sat)') ";

#[test]
fn one_that_answers() {
    assert_eq!(ask(&format!("{READ} echo unsat;; esac; done")), Ok(Sat::No));
    assert_eq!(ask(&format!("{READ} echo unknown;; esac; done")), Ok(Sat::Unknown));
    assert_eq!(ask(&format!("{READ} echo sat;; *get-value*) echo '((x'; echo ' (- 7)))';; esac; done")), Ok(Sat::Yes));
}

#[test]
fn one_that_is_deaf_or_dies() {
    assert!(matches!(ask("exec sleep 60"), Err(SmtError::Late(_))));
    assert!(matches!(ask("exit 0"), Err(SmtError::Broken(_))));
    assert!(matches!(ask(&format!("{READ} kill -SEGV $$;; esac; done")), Err(SmtError::Broken(_))));
    let (_folder, path) = fake("exec sleep 60");
    let limits = hurried();
    limits.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut solver = Solver::start(SolverKind::Z3, &path, &limits).unwrap();
    solver.say(&"(echo)\n".repeat(100_000));
    assert_eq!(solver.check(false), Err(SmtError::Cancelled), "a full pipe does not hold us up");
    assert!(matches!(Solver::start(SolverKind::Z3, "/nowhere/z3".as_ref(), &hurried()), Err(SmtError::Broken(_))));
}

#[test]
fn one_that_talks_nonsense() {
    for answer in ["maybe", "(error \"line 3\")", "sat unsat", "))", "head -c 2000 /dev/urandom"] {
        let say = if answer.starts_with("head") { answer.to_string() } else { format!("echo '{answer}'") };
        let got = ask(&format!("{READ} {say};; esac; done"));
        assert!(matches!(got, Err(SmtError::Broken(_) | SmtError::Late(_))), "{answer}: {got:?}");
    }
    for values in ["((y 1))", "((x 1) (x 2))", "((x yes))", "x"] {
        let got = ask(&format!("{READ} echo sat;; *get-value*) echo '{values}';; esac; done"));
        assert!(matches!(got, Err(SmtError::Broken(_))), "{values}: {got:?}");
    }
}

/// A formula in the place of a value says nothing that could be checked, and is not believed.
#[test]
fn one_that_answers_with_a_formula() {
    let formula =
        format!("{READ} echo sat;; *get-value*) echo '((x (ite (forall ((u Int)) (< u 3)) 1 2)))';; esac; done");
    assert_eq!(ask(&formula), Ok(Sat::Unknown));
    let plain = format!("{READ} echo sat;; *get-value*) echo '((x 1))';; esac; done");
    let ((_a, vague), (_b, clear)) = (fake(&formula), fake(&plain));
    let solvers = [vague, clear].map(|p| Solver::start(SolverKind::Z3, &p, &hurried()).unwrap());
    let mut oracle = Oracle::with(solvers.into());
    oracle.declare(&int("x"));
    assert_eq!(oracle.check(), Ok(Sat::Yes), "another one has a model that can be read");
    assert_eq!(oracle.value(&int("x")), Some(&Value::Number(Ratio::from_integer(1.into()))));
}

#[test]
fn one_that_lies() {
    let got = ask(&format!("{READ} echo sat;; *get-value*) echo '((x 3))';; esac; done"));
    assert!(matches!(got, Err(SmtError::Wrong(why)) if why.contains("(< x 3)")));
}

#[test]
fn two_that_disagree() {
    let (_a, yes) = fake(&format!("{READ} echo sat;; *get-value*) echo '((x 1))';; esac; done"));
    let (_b, no) = fake(&format!("{READ} echo unsat;; esac; done"));
    let (_c, shrug) = fake(&format!("{READ} echo unknown;; esac; done"));
    let both = |a: &PathBuf, b: &PathBuf| {
        let start = |p: &PathBuf| Solver::start(SolverKind::Z3, p, &hurried()).unwrap();
        let mut oracle = Oracle::with(vec![start(a), start(b)]);
        oracle.declare(&int("x"));
        oracle.check()
    };
    let Err(SmtError::Wrong(why)) = both(&yes, &no) else { panic!("an alarm") };
    assert!(why.contains("(z3 sat, z3 unsat)") && why.contains("(declare-const x Int)"), "{why}");
    assert_eq!(both(&shrug, &no), Ok(Sat::No), "one that knows is enough");
    assert_eq!(both(&yes, &shrug), Ok(Sat::Yes));
    assert_eq!(both(&shrug, &shrug), Ok(Sat::Unknown));
}

#[test]
fn values_as_solvers_write_them() {
    let value = |text: &str| Value::read(&sexpr::Sexpr::read(text).unwrap().unwrap());
    let ratio = |a: i64, b: i64| Some(Value::Number(Ratio::new(a.into(), b.into())));
    assert_eq!(value("true"), Some(Value::Bool(true)));
    assert_eq!(value("12"), ratio(12, 1));
    assert_eq!(value("(- 12)"), ratio(-12, 1));
    assert_eq!(value("2.50"), ratio(5, 2));
    assert_eq!(value("(/ 5.0 2.0)"), ratio(5, 2));
    assert_eq!(value("(- (/ 1 3))"), ratio(-1, 3));
    assert_eq!(value("(/ (- 1) 3)"), ratio(-1, 3));
    for wrong in ["x", "(/ 1 0)", "(root-obj (+ (^ x 2) (- 2)) 1)", "1e3"] {
        assert_eq!(value(wrong), None, "{wrong}");
    }
}

/// Division towards zero and by zero, integers among reals: solvers must see what [`Term::eval`] computes.
#[test]
fn solvers_mean_what_terms_mean() {
    for kind in SolverKind::ALL.into_iter().filter(|k| find(*k).is_ok()) {
        let mut oracle = Oracle::start(Which::Only(kind), &Limits::default()).unwrap();
        let (x, y, q, r) = (int("x"), int("y"), int("q"), real("r"));
        [&x, &y, &q, &r].into_iter().for_each(|s| oracle.declare(s));
        let quotient = |a: &Symbol, b: Term| Term::Quotient(Box::new(read(a)), Box::new(b));
        oracle.assert(Term::equal(read(&q), quotient(&x, read(&y))));
        oracle.assert(Term::equal(Term::Product(Box::new(Term::int(2)), Box::new(read(&r))), read(&x)));
        for (a, b, expected) in [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (7, 0, 0), (0, 5, 0)] {
            oracle.push();
            oracle.assert(Term::equal(read(&x), Term::int(a)));
            oracle.assert(Term::equal(read(&y), Term::int(b)));
            assert_eq!(oracle.check(), Ok(Sat::Yes), "{} {a}/{b}", kind.name());
            assert_eq!(oracle.value(&q), Some(&Value::Number(Ratio::from_integer(expected.into()))), "{a}/{b}");
            assert_eq!(oracle.value(&r), Some(&Value::Number(Ratio::new(a.into(), 2.into()))));
            oracle.pop();
        }
        // Without a remainder, whole numbers have fractions as well.
        let over = |a: &Symbol, b: Term| Term::Over(Box::new(read(a)), Box::new(b));
        for (a, b, expected) in [(7, 2, (7, 2)), (-1, 3, (-1, 3)), (6, -3, (-2, 1)), (7, 0, (0, 1))] {
            let s = real("s");
            oracle.push();
            oracle.declare(&s);
            oracle.assert(Term::equal(read(&x), Term::int(a)));
            oracle.assert(Term::equal(read(&y), Term::int(b)));
            oracle.assert(Term::equal(read(&s), over(&x, read(&y))));
            assert_eq!(oracle.check(), Ok(Sat::Yes), "{} {a}/{b}", kind.name());
            assert_eq!(
                oracle.value(&s),
                Some(&Value::Number(Ratio::new(expected.0.into(), expected.1.into()))),
                "{a}/{b}"
            );
            oracle.pop();
        }
        oracle.assert(Term::equal(read(&r), over(&r, Term::int(3))).negated());
        oracle.assert(Term::equal(read(&r), Term::int(0)));
        assert_eq!(oracle.check(), Ok(Sat::No));
    }
}

#[test]
fn what_is_found_works() {
    for health in doctor() {
        match &health.tool {
            Ok(_) => assert_eq!(health.self_test, Some(Ok(())), "{}", health.kind.name()),
            Err(why) => assert!(why.to_string().contains(health.get), "{why}"),
        }
    }
}

/// A solver that gave up may have lost what it was told: it begins anew and is told again, levels and all.
#[test]
fn one_that_gave_up_is_told_again() {
    let flag = RunFolder::new(None, "flag").unwrap();
    let once = flag.file("gave-up").display().to_string();
    let script = format!(
        "said=; while read -r line; do case \"$line\" in *assert*|*push*|*pop*) said=\"$said$line\";; '(check-sat)') \
         if [ ! -e '{once}' ]; then touch '{once}'; echo unknown; \
         elif [ \"$said\" = '(assert (< x 3))(push 1)(assert (< x 4))' ]; then echo unsat; else echo sat; fi;; esac; done"
    );
    let (_folder, path) = fake(&script);
    let mut oracle = Oracle::with(vec![Solver::start(SolverKind::Z3, &path, &hurried()).unwrap()]);
    oracle.declare(&int("x"));
    oracle.assert(Term::less(read(&int("x")), Term::int(3)));
    oracle.push();
    oracle.push();
    oracle.pop();
    oracle.assert(Term::less(read(&int("x")), Term::int(4)));
    assert_eq!(oracle.check(), Ok(Sat::Unknown));
    assert_eq!(oracle.check(), Ok(Sat::No));
}
