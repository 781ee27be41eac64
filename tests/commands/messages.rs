//! Messages that new users stumbled over, word for word: each says what to type instead.

use std::path::Path;
use std::process::Command;

/// A project of the examples in a folder of its own, with one change.
fn changed(example: &str, file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
    for entry in std::fs::read_dir(original).expect("an example").flatten().filter(|e| e.path().is_file()) {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    let path = folder.path().join(file);
    let text = std::fs::read_to_string(&path).expect("a text");
    assert!(text.contains(from), "{example}: no '{from}'");
    std::fs::write(path, text.replacen(from, to, 1)).expect("written");
    folder
}

/// What `gsmc` says on stderr, run in a folder, and its exit code.
fn said(folder: &Path, args: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(folder).output().expect("gsmc runs");
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap_or(-1))
}

/// What a property of the order example is told.
fn property(text: &str) -> String {
    let folder = changed("order-to-cash", "model.xml", "<?xml", "<?xml");
    std::fs::write(folder.path().join("p.gsmp"), format!("{text}\n")).expect("written");
    said(folder.path(), &["check", ".", "-s", "p.gsmp", "--brief"]).0
}

fn model(from: &str, to: &str) -> String {
    let folder = changed("order-to-cash", "model.xml", from, to);
    said(folder.path(), &["validate", "."]).0
}

#[test]
fn unknown_operators() {
    assert_eq!(
        property("p: AE exists x : CustomerOrder (x.Paid);"),
        "error[E040]: unknown operator 'AE'\n --> p.gsmp:1:4\n  |\n1 | p: AE exists x : CustomerOrder (x.Paid);\n  |    ^^\n  |\n  \
         = help: on all runs: AG always, AF at last, AX next; on some run: EG, EF, EX; or LTL and a formula about runs\n\n1 error\n"
    );
    assert_eq!(
        property("p: ag forall x : CustomerOrder (x.Paid);"),
        "error[E040]: unknown operator 'ag'\n --> p.gsmp:1:4\n  |\n1 | p: ag forall x : CustomerOrder (x.Paid);\n  |    ^^\n  |\n  \
         = help: operators are in capitals: AG\n\n1 error\n"
    );
    assert_eq!(
        property("p: A G forall x : CustomerOrder (x.Paid);"),
        "error[E040]: 'A G' is written as one word\n --> p.gsmp:1:4\n  |\n1 | p: A G forall x : CustomerOrder (x.Paid);\n  |    ^\n  |\n  \
         = help: write AG; after LTL the second letter stands alone: LTL G …\n\n1 error\n"
    );
}

#[test]
fn names_in_properties() {
    assert_eq!(
        property("p: AG forall x : CustomerOrder (x.CustomerId == Rita);"),
        "error[E046]: unknown name 'Rita'\n --> p.gsmp:1:49\n  |\n1 | p: AG forall x : CustomerOrder (x.CustomerId == Rita);\n  |                                                 ^^^^\n  |\n  \
         = help: a text stands in quotes: 'Rita'\n\n1 error\n"
    );
    assert_eq!(
        property("p: AG forall x : CustomerOrder (g.Paid);"),
        "error[E046]: nothing is called 'g' here\n --> p.gsmp:1:33\n  |\n1 | p: AG forall x : CustomerOrder (g.Paid);\n  |                                 ^^^^^^\n  |\n  \
         = help: write x.Paid, or bind it: forall g : CustomerOrder (g.Paid)\n\n1 error\n"
    );
    assert_eq!(
        property("p: AG true;\nq: AG true;\np: EF true;"),
        "error[E080]: two properties are called 'p'\n --> p.gsmp:3:1\n  |\n3 | p: EF true;\n  | ^\n  |\n  \
         = note: the first is in line 1\n  = help: give one of them another name\n\n1 error\n"
    );
    let told = property("p: AG forall x : CustomerOrder (x.CustomerId != 'Diogene');");
    assert_eq!(
        told,
        "warning[W081]: 'Diogene' is a text that only this property knows\n --> p.gsmp:1:49\n  |\n1 | p: AG forall x : CustomerOrder (x.CustomerId != 'Diogene');\n  |                                                 ^^^^^^^^^\n  |\n  \
         = help: did you mean 'Diogenes'?\n"
    );
}

#[test]
fn options_and_folders() {
    let folder = changed("order-to-cash", "model.xml", "<?xml", "<?xml");
    assert_eq!(
        said(folder.path(), &["check", ".", "--instances", "Book=2"]),
        (
            "error[E016]: unknown artifact type 'Book'\n --> command line:1:13\n  |\n1 | --instances Book=2\n  |             ^^^^\n  |\n  \
             = help: the only artifact type is CustomerOrder\n\n1 error\n"
                .into(),
            2
        )
    );
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("orders")).expect("a folder");
    let (told, code) = said(folder.path(), &["check", "oders"]);
    assert_eq!(
        (told.as_str(), code),
        ("error[E001]: there is no folder or file 'oders'\n |\n = help: did you mean 'orders'?\n\n1 error\n", 2)
    );
    let (told, _) = said(folder.path(), &["check", "nowhere-at-all"]);
    assert_eq!(
        told,
        "error[E001]: there is no folder or file 'nowhere-at-all'\n |\n = help: write the folder of a project, or a model file; 'gsmc new NAME' makes a project to start from\n\n1 error\n"
    );
}

#[test]
fn characters_that_xml_does_not_allow() {
    assert_eq!(
        model("GSM.isMilestoneAchieved('Received') &amp;&amp;", "GSM.isMilestoneAchieved('Received') &&"),
        "error[E010]: '&&' cannot stand in XML as it is\n  --> ./model.xml:18:61\n   |\n18 |             expression=\"GSM.isMilestoneAchieved('Received') && GSM.isMilestoneAchieved('Paid')\"/>\n   |                                                             ^\n   |\n   \
         = help: write &amp;&amp; or the word 'and'\n\n1 error\n"
    );
    assert_eq!(
        model("Parts &lt; 3", "Parts < 3"),
        "error[E010]: '<' cannot stand in an attribute as it is\n  --> ./model.xml:57:86\n   |\n57 |                 expression=\"GSM.isMilestoneAchieved('PartsOrdered') &amp;&amp; Parts < 3\"/>\n   |                                                                                      ^\n   |\n   \
         = help: write &lt; or the word 'lt' (&lt;= or 'le' for at most)\n\n1 error\n"
    );
}

#[test]
fn files_that_are_empty_or_end_too_early() {
    let folder = changed("order-to-cash", "model.xml", "<?xml", "<?xml");
    let file = folder.path().join("model.xml");
    let text = std::fs::read_to_string(&file).expect("a text");
    std::fs::write(&file, "").expect("written");
    assert_eq!(
        said(folder.path(), &["validate", "."]).0,
        "error[E010]: the file is empty\n --> ./model.xml:1:1\n  |\n1 |\n  | ^\n  |\n  = help: 'gsmc new NAME' makes a small project to start from\n\n1 error\n"
    );
    std::fs::write(&file, text.replace("</ca:CompositeApplication>", "")).expect("written");
    let told = said(folder.path(), &["validate", "."]).0;
    assert!(told.starts_with("error[E010]: the file ends too early\n"), "{told}");
    let ending = "   = note: <ca:CompositeApplication> is not closed\n    = help: add </ca:CompositeApplication>, or fetch the whole file again\n\n1 error\n";
    assert!(told.ends_with(ending), "{told}");
    std::fs::write(folder.path().join("empty.gsm"), "").expect("written");
    assert_eq!(
        said(folder.path(), &["validate", "-m", "empty.gsm"]).0,
        "error[E030]: the model has no artifact type\n --> empty.gsm:1:1\n  |\n1 |\n  | ^\n  |\n  = help: write one: type Order { stage Paying { guard Ordered on create } }\n\n1 error\n"
    );
}

#[test]
fn mistakes_in_sentries_and_schemas() {
    assert_eq!(
        model("expression=\"Parts == 3\"", "expression=\"(Parts == 3\""),
        "error[E041]: '(' is not closed\n  --> ./model.xml:41:60\n   |\n41 |               <ca:Condition id=\"AllPartsThere\" expression=\"(Parts == 3\"/>\n   |                                                            ^ opened here\n   |\n   \
         = note: column 1 of the expression\n   = note: in the expression of condition 'AllPartsThere'\n   = help: add ')' before the end\n\n1 error\n"
    );
    let told = model("eventIds=\"OnShip\"", "eventIds=\"OnShp\"");
    assert_eq!(
        told,
        "warning[W033]: no event is called 'OnShp'\n  --> ./model.xml:81:56\n   |\n81 |           <ca:StageGuard id=\"ShippingStarts\" eventIds=\"OnShp\"\n   |                                                        ^^^^^\n   |\n   \
         = help: did you mean 'OnShip'?\n"
    );
    let folder = changed("order-to-cash", "CustomerOrder.xsd", "type=\"xs:string\"", "type=\"xs:strng\"");
    let told = said(folder.path(), &["validate", "."]).0;
    assert!(told.contains("error[E024]: unknown schema type 'strng'\n --> ./CustomerOrder.xsd:5:"), "{told}");
    assert!(told.contains("= help: did you mean 'string'?"), "{told}");
}

#[test]
fn a_source_in_the_wrong_place() {
    let told = model(
        "<ca:Mapping type=\"add\">",
        "<ca:Source refType=\"constant\" expression=\"2\"/><ca:Mapping type=\"add\">",
    );
    assert!(told.contains("warning[W031]: element 'Source' in 'Assign' is ignored"), "{told}");
    assert!(
        told.contains(
            "= help: it belongs into a Mapping, beside its Target: <Mapping><Source …/><Target …/></Mapping>"
        ),
        "{told}"
    );
}

#[test]
fn a_missing_brace_is_told_once_and_where() {
    let folder = changed("teaching/related", "model.gsm", "when all Item.Packed\n  }\n", "when all Item.Packed\n");
    let (told, _) = said(folder.path(), &["validate", "."]);
    assert_eq!(told.matches("error[").count(), 1, "{told}");
    assert!(told.starts_with("error[E131]: the block of type 'Order' is not closed\n"), "{told}");
    assert!(told.contains("= help: add '}' before 'type'"), "{told}");
}

/// A model of the notation, with one change: what is told, code by code, and what to type instead.
fn notation(from: &str, to: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "event Pack\ntype Order {\n  n: int 0..3\n  stage Collecting { guard on create; milestone Complete when all Item.Packed }\n}\n\
        type Item {\n  order: ref Order\n  stage Packing { guard on create; milestone Packed on Pack when order != 0 }\n}\n\
        agents {\n  role R { instantiation: Order, Item; };\n  agent a { role: R; protocol: Pack: true -> , Create_Order: true -> , Create_Item: true -> ; };\n}\n\
        properties {\n  p: AG forall o : Order (o.Complete -> o.some Item.Packed);\n  q: EF (exists i : Item (i.order == 1))\n}\n";
    assert!(text.contains(from), "no '{from}'");
    std::fs::write(folder.path().join("m.gsm"), text.replacen(from, to, 1)).expect("written");
    let (told, _) = said(folder.path(), &["check", "m.gsm", "--brief"]);
    let codes = told.lines().filter(|l| l.starts_with("error[") || l.starts_with("warning[")).map(str::to_string);
    (codes.collect(), told)
}

#[test]
fn mistakes_in_the_notation_are_told_once_with_what_to_write() {
    let mistakes = [
        ("EF (exists", "AE (exists", "error[E040]: unknown operator 'AE'", "on all runs: AG always"),
        ("-> o.some Item", "-> ef o.some Item", "error[E040]: unknown operator 'ef'", "operators are in capitals: EF"),
        (
            "o.some Item.Packed",
            "some Item.Packed",
            "error[E040]: 'some' needs an instance",
            "write x.some Type.milestone",
        ),
        (
            "o.some Item.Packed",
            "o.Item.Packed",
            "error[E046]: 'Order' has no attribute",
            "o.some Item.Packed, o.all Item.Packed",
        ),
        (
            "i.order == 1",
            "i.order == i",
            "error[E047]: an instance of Order is never one of Item",
            "compare instances of one type",
        ),
        ("q: EF", "p: EF", "error[E080]: two properties are called 'p'", "the first is in the line above"),
        ("Pack: true -> ,", "Pack: true,", "error[E040]: expected '->' or an operator", "Event: condition -> updates"),
        ("role: R;", "role: Rr;", "error[E066]: unknown role 'Rr'", "did you mean 'R'?"),
        ("n: int 0..3", "n: itn 0..3", "error[E132]: expected a data type", "did you mean 'int'?"),
        ("on Pack when", "on Pakc when", "error[E014]: unknown event 'Pakc'", "did you mean 'Pack'?"),
        (
            "Packed on Pack",
            "Packed at Pack",
            "error[E040]: expected the end of the line",
            "write 'on EVENT', 'when CONDITION', or both",
        ),
    ];
    for (from, to, first, help) in mistakes {
        let (codes, told) = notation(from, to);
        assert_eq!(codes.len(), 1, "{from} => {to}: {told}");
        assert!(codes[0].starts_with(first), "{from} => {to}: {told}");
        assert!(told.contains(help), "{from} => {to}: {told}");
    }
}

/// Comments of properties go with them; those of the model are counted, wherever their signs stand.
#[test]
fn comments_that_convert_leaves_behind_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "// one\ntype T \"see // here\" { /* two */\n  /// kept\n  stage S { guard on create }\n}\nproperties {\n  // stays\n  p: AG true\n}\n";
    std::fs::write(folder.path().join("m.gsm"), text).expect("written");
    let (told, code) = said(folder.path(), &["convert", "m.gsm", "--to", "barcelona", "-o", "out"]);
    assert!(code == 0 && told.contains("2 model comments in m.gsm"), "{told}");
    let kept = std::fs::read_to_string(folder.path().join("out/properties.gsmp")).expect("properties");
    assert!(kept.contains("// stays"), "{kept}");
}

/// Each stage opens where another one is done, and is done where another one opens: all three are on the circle.
#[test]
fn a_circle_is_named_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let stage = |i: u32, others: [u32; 2]| {
        let [a, b] = others;
        format!(
            "  stage S{i} {{\n    guard g{i} when occurs(Go) || M{a} || M{b}\n    milestone M{i} when S{a} || S{b}\n    flow guard when true\n  }}\n"
        )
    };
    let stages = [stage(0, [1, 2]), stage(1, [0, 2]), stage(2, [0, 1])].concat();
    let text = format!("application Circle\nevent Go\ntype T {{\n{stages}}}\n");
    std::fs::write(folder.path().join("circle.gsm"), text).expect("written");
    let (told, code) = said(folder.path(), &["validate", "circle.gsm", "--profile", "egsm", "--nesting", "6"]);
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("error[E189]: the rules of the stages"), "{told}");
    assert!((0..3).all(|i| told.contains(&format!("'S{i}'"))), "{told}");
}

/// Settings of other languages are not taken without a word.
#[test]
fn settings_that_mean_nothing_here() {
    let folder = changed("order-to-cash", "model.xml", "<?xml", "<?xml");
    for (option, told) in [
        (["--profile", "spec"], "'profile spec' is for CMMN models, and the model's language is gsm"),
        (["--bound", "3"], "'bound' is for AMBER models, and the model's language is gsm"),
        (["--nesting", "3"], "'nesting' is for EGSM models, and the model's language is gsm"),
    ] {
        let (text, code) = said(folder.path(), &["check", ".", option[0], option[1]]);
        assert_eq!(code, 2, "{text}");
        assert!(text.starts_with(&format!("error[E109]: {told}\n")), "{text}");
    }
}

/// A name in quotes is a text in conditions, which is not what people mean who declared it in quotes.
#[test]
fn attributes_with_odd_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |condition: &str| {
        format!(
            "application Q\nevent Pay {{ 'the sum': int }}\ntype Order {{\n  'the sum': int 0..3\n  'the kind': string\n  stage S {{\n    guard on create\n    \
             milestone Paid on Pay when {condition}\n  }}\n}}\n"
        )
    };
    for (condition, name) in [("'the sum' == 2", "the sum"), ("'the kind' == 'x'", "the kind")] {
        std::fs::write(folder.path().join("q.gsm"), text(condition)).expect("written");
        let (told, code) = said(folder.path(), &["validate", "q.gsm"]);
        assert_eq!(code, 2, "{told}");
        assert!(told.starts_with(&format!("error[E047]: '{name}' in quotes is a text here")), "{told}");
        assert!(told.contains(&format!("the attribute of that name is self.'{name}'")), "{told}");
    }
    std::fs::write(folder.path().join("q.gsm"), text("self.'the sum' == 2 && self.'the kind' == 'x'"))
        .expect("written");
    assert_eq!(said(folder.path(), &["validate", "q.gsm"]), (String::new(), 0));
}

#[test]
fn what_is_not_there() {
    let folder = changed("order-to-cash", "model.xml", "<?xml", "<?xml");
    let (told, code) = said(folder.path(), &["check", ".", "--property", "zzz"]);
    assert!(code == 2 && told.starts_with("error: there is no property 'zzz'; there are "), "{told}");
    std::fs::write(folder.path().join("empty.amber"), "\n").expect("written");
    let (told, code) = said(folder.path(), &["validate", "empty.amber"]);
    assert!(code == 2 && told.starts_with("error[E232]: the model has no action\n"), "{told}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("gone.gsm", folder.path().join("link.gsm")).expect("a link");
        let (told, code) = said(folder.path(), &["validate", "link.gsm"]);
        assert!(code == 2 && told.contains("it is a link to 'gone.gsm', which leads nowhere"), "{told}");
    }
}

/// A model with a bag, and what is said to the texts that its property asks for.
fn asked_of_a_bag(field: &str, events: &str, task: &str, asks: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!(
        "application Shelves\nevent Put\n{events}\ntype Shelf {{\n  copies: bag {{ place: {field} }}\n  stage Putting {{\n    \
         guard on Put\n    task put: {task}\n    milestone Done when done(put)\n  }}\n}}\n\
         properties {{ p: EF exists s: Shelf (s.copies.exists(place == 'A') && s.copies.exists(place == '{asks}')) }}\n"
    );
    std::fs::write(folder.path().join("m.gsm"), text).expect("written");
    said(folder.path(), &["validate", "m.gsm"]).0
}

/// Texts that are declared, that a task adds, or that come from outside are not strange.
#[test]
fn texts_of_bags() {
    let adds = "add copies { place = 'A' }, add copies { place = 'B' }";
    assert_eq!(asked_of_a_bag("string", "", adds, "B"), "");
    assert!(asked_of_a_bag("string", "", adds, "C").contains("'C' is a text that only this property knows"));
    assert_eq!(asked_of_a_bag("{A, B}", "", "add copies { place = 'A' }", "B"), "");
    let sent = asked_of_a_bag("string", "event More { where: string }", "add copies { place = payload.where }", "B");
    assert!(!sent.contains("W081"), "{sent}");
    let carried = "event More { copies: bag { place: string } }";
    let carried = asked_of_a_bag("string", carried, "add copies { place = 'A' }", "B");
    assert!(!carried.contains("W081"), "{carried}");
}

/// What is explained is what can be written: bags are asked and changed, dates are compared without bounds.
#[test]
fn explanations_of_bags_and_dates() {
    for (code, part) in [("E053", ".exists("), ("E026", "'clear'"), ("E054", "--abstract"), ("E047", "--abstract")] {
        let done = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(["explain", code]).output().expect("gsmc runs");
        let told = String::from_utf8_lossy(&done.stdout);
        assert!(told.contains(part), "{told}");
    }
}
