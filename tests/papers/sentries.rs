//! Section 5.1 of the deliverable: conditions in OCL and JEXL, in models and in properties.

use crate::rows::{Row, check_rows, open, row};
use gsmc::{Plan, check};

/// Orders with items; `GUARD` is the condition of Deciding.
const ORDERS: &str = "application Orders
event SetN { n: Order.n }
event SetKind { kind: Order.kind }
event Stamp { day: Order.day }
event Pack { size: Item.size }
type Order {
  n: int 0..5
  kind: { big, small }
  day: date
  stage Open { guard on create; milestone Closed when false }
  stage Deciding { guard when GUARD; milestone Decided when false }
  stage Filling { guard on SetN; guard on SetKind; guard on Stamp; milestone Filled on SetN, SetKind, Stamp }
}
type Item {
  ParentOrder: ref Order
  size: int 0..2
  created by Create_Item { ParentOrder }
  stage Packing { guard on create; milestone Packed on Pack }
}
instances { Order = 1, Item = 2 }
";

/// What can be reached with a guard: the number of snapshots, and in which of them Deciding opens.
fn reached(guard: &str) -> (Option<String>, Vec<Option<bool>>) {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("orders.gsm");
    std::fs::write(&model, ORDERS.replace("GUARD", guard)).expect("a model");
    let values = (0..=5).map(|n| format!("EF exists x : Order (x.Deciding && x.n == {n})"));
    let more = ["x.kind == 'big'", "x.kind == 'small'", "x.kind != 'big' && x.kind != 'small'", "x.day", "!x.day"];
    let more = more.iter().map(|w| format!("EF exists x : Order (x.Deciding && {w})"));
    let packed = ["exists i : Item (i.Packed)", "!exists i : Item (i.created)", "forall i : Item (i.size == 2)"];
    let packed = packed.iter().map(|w| format!("EF ((exists x : Order (x.Deciding)) && {w})"));
    let all: Vec<String> =
        values.chain(more).chain(packed).chain(["EF exists x : Order (!x.Deciding)".into()]).collect();
    let opened = open(&model, &all.join("\n\n")).unwrap_or_else(|why| panic!("{guard}\n{why}"));
    let results = check(&opened, &Plan::default());
    let verdicts = results.results.iter().map(|r| r.verdict.holds()).collect();
    (results.machine.reachable_states.as_ref().map(|n| n.to_string()), verdicts)
}

#[test]
fn conditions_of_models() {
    let (always, mut telling) = (reached("true"), 0);
    for (printed, plain) in [
        ("self.n > 2", "n > 2"),
        ("self.Filling", "stage Filling"),
        ("n % 2 == 1", "n == 1 || n == 3 || n == 5"),
        ("n > 0 && (n - 5) % 3 == -2", "n == 3"),
        ("n % 0 == n && n % 3 == 2", "n == 2 || n == 5"),
        ("n > 2 ? kind == 'big' : n == 0", "n > 2 && kind == 'big' || n == 0"),
        ("if n > 2 then kind == 'big' else n == 0 endif", "n > 2 && kind == 'big' || n == 0"),
        ("(kind == 'big' ? n : 5 - n) == 4", "kind == 'big' && n == 4 || kind != 'big' && n == 1"),
        ("let m = n + 1 in m == 3 || m == 5", "n == 2 || n == 4"),
        ("let a : Integer = n, b = a * 2 in b == 4", "n == 2"),
        ("kind == null", "kind != 'big' && kind != 'small'"),
        ("kind != null && !empty(day)", "(kind == 'big' || kind == 'small') && day"),
        ("size(Item) == 2", "Item->size() == 2"),
        ("empty(Item)", "Item->isEmpty()"),
        ("self.Item->exists(i : Item | i.Packed)", "some Item.Packed"),
        ("Item->select(i | i.size == 2)->size() == 1", "Item->one(i | i.size == 2)"),
        ("Item->select(i | i.size > 0)->reject(j | j.size == 1)->notEmpty()", "Item->exists(i | i.size == 2)"),
        ("Item->select(i | i.Packed)->forAll(i : Item | i.size == 2)", "Item->forAll(i | !i.Packed || i.size == 2)"),
        (
            "Item->one(i | i.Packed)",
            "Item->exists(i | i.Packed) && !Item->forAll(i | i.Packed) || Item->size() == 1 && all Item.Packed",
        ),
    ] {
        let found = reached(printed);
        assert_eq!(found, reached(plain), "{printed}");
        assert!(found.1[..6].contains(&Some(true)), "{printed} never opens the stage");
        telling += usize::from(found != always);
    }
    assert!(telling >= 8, "only {telling} guards are told from one that always holds");
    // Not related, and yet an instance.
    assert_eq!(reached("Order.allInstances()->exists(o | o.n == 3)"), reached("n == 3"));
    let opens = |guard: &str| reached(guard).1[..6].contains(&Some(true));
    assert!(
        opens("Item.allInstances()->exists(i | i.ParentOrder == 0)") && !opens("Item->exists(i | i.ParentOrder == 0)")
    );
}

const PROPERTIES: [Row; 9] = [
    row(
        "select",
        "AG forall x : Order (x.Item->select(i | i.Packed)->size() <= 2)",
        "AG forall x : Order (x.Item->select(i : Item | i.isMilestoneAchieved('Packed'))->size() <= 2)",
        Some(true),
    ),
    row(
        "exists",
        "EF exists x : Order (x.Item->exists(i : Item | i.Packed))",
        "EF exists x : Order (x.some Item.Packed)",
        Some(true),
    ),
    row(
        "allInstances",
        "EF Item.allInstances()->exists(i | i.size = 2)",
        "EF exists i : Item (i.size == 2)",
        Some(true),
    ),
    row("remainder", "EF exists x : Order (x.n % 2 = 1)", "EF exists x : Order (x.n - x.n / 2 * 2 == 1)", Some(true)),
    row(
        "let",
        "AG forall x : Order (let m = x.n + 1 in m <= 6 and m >= 1)",
        "AG forall x : Order (x.n + 1 <= 6 && x.n + 1 >= 1)",
        Some(true),
    ),
    row(
        "a name for an instance",
        "AG forall x : Order (let y = x in y.Open implies y.created)",
        "AG forall x : Order (x.Open -> x.created)",
        Some(true),
    ),
    row(
        "choice between formulas",
        "EF exists x : Order (x.Open) ? EF exists x : Order (x.n == 3) : false",
        "(EF exists x : Order (x.Open)) && (EF exists x : Order (x.n == 3)) || !(EF exists x : Order (x.Open)) && false",
        Some(true),
    ),
    row(
        "null",
        "EF exists x : Order (x.kind == null && x.day != null)",
        "EF exists x : Order (x.kind != 'big' && x.kind != 'small' && x.day)",
        Some(true),
    ),
    row("division as printed", "EF exists x : Order (x.n \\ 2 = 2)", "EF exists x : Order (x.n / 2 == 2)", Some(true)),
];

fn model() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("orders.gsm");
    std::fs::write(&model, ORDERS.replace("GUARD", "n == 3")).expect("a model");
    (folder, model)
}

#[test]
fn the_same_in_properties() {
    let (_folder, model) = model();
    check_rows(&model, "", &PROPERTIES);
}

#[test]
fn what_stays_out_is_refused_by_name() {
    let (_folder, model) = model();
    for (formula, wanted) in [
        (
            "EF exists x : Order (x.Item->collect(i | i.size)->size() > 1)",
            "values of several elements are not gathered",
        ),
        ("EF exists x : Order (x.Item->includes(x))", "->exists(x | x.n == …)"),
        ("EF exists x : Order (x.Item->isUnique(i | i.size))", "operations of OCL that are read"),
        ("EF exists x : Order (x.n == null)", "numbers and Booleans always have a value"),
        ("EF exists x : Order (x.n ?: 3)", "the short form a ?: b is not read"),
        ("EF exists x : Order (let m = x.n in AG m == 3)", "let keeps no value along a run"),
        ("EF exists x : Order (x.Item->exists(i : Order | i.n == 1))", "these are instances of 'Item', not of 'Order'"),
        ("#define p(x) (x > 3)\nEF p", "cannot have parameters"),
        ("#define p (EF true)\n#define p (EF false)\np", "'p' is defined twice"),
        ("K_{a, b} (EF true)", "K is about one agent"),
        ("AG (exists x : Order (x.Open)) -> [] true", "'[]'"),
    ] {
        let why = open(&model, formula).err().unwrap_or_else(|| panic!("{formula} is read"));
        assert!(why.contains(wanted), "{formula}\n{why}");
    }
}
