//! What does not fit is told, whatever the resolver let through; and rules of other slots are looked at only where they can matter.

use super::lower;
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::{Application, ExprKind, Subject};
use crate::lang::testing::project;

const MODEL: &str = "application Small

event Go { n: int 0..3 }

type T {
  n: int 0..3
  m: int 0..3

  stage S {
    guard on Go when n == 2
    milestone Done when m == 1
  }
}

agents {
  role R { view: n; instantiation: T; };
  agent a { role: R; protocol: Create_T: true -> , Go: n > 0 -> ; };
}
";

/// What lowering says about an application that was changed behind the resolver's back.
fn said(change: impl Fn(&mut Application)) -> Option<String> {
    let toml = "model = \"model.gsm\"\n";
    let (loaded, said) = project(&[("gsmc.toml", toml), ("model.gsm", MODEL)]);
    let mut app = loaded.app.unwrap_or_else(|| panic!("{said}"));
    change(&mut app);
    let told = lower(&app, &loaded.properties, &loaded.sources).err()?;
    assert_eq!(told.code.id, "E120");
    assert!(told.span.is_some(), "{}", told.message);
    Some(told.message)
}

fn guard(app: &mut Application) -> &mut ExprKind {
    &mut app.types[0].stages[0].guards[0].sentry.expr.kind
}

#[test]
fn what_does_not_fit_is_no_machine() {
    let expect = |what: &str, change: &dyn Fn(&mut Application)| {
        let told = said(change).unwrap_or_else(|| panic!("nothing is said where {what}"));
        assert!(told.starts_with(what), "{told}");
    };
    assert_eq!(said(|_| {}), None);
    expect("this is no condition", &|app| *guard(app) = ExprKind::Int(3));
    expect("this speaks of a variable that nothing binds", &|app| {
        *guard(app) = ExprKind::Created { of: Subject::Bound(7), ty: TypeIx(0) };
    });
    expect("the event does not carry this", &|app| *guard(app) = ExprKind::Field("n".into()));
    expect("no agent has this variable", &|app| *guard(app) = ExprKind::Private { agent: 0, var: 9 });
    expect("the two sides are of different kinds", &|app| {
        if let ExprKind::Compare(_, _, side) = guard(app) {
            side.kind = ExprKind::Text("two".into());
        }
    });
    expect("there is no agent here", &|app| *guard(app) = ExprKind::SelfId);
}
