//! A project to start from: it validates, checks, and nothing that is there is overwritten.

use std::path::Path;
use std::process::{Command, Output};

fn gsmc(here: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).current_dir(here).args(args).output().expect("gsmc")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_new_project_validates_checks_and_is_in_the_one_style() {
    let folder = tempfile::tempdir().expect("a folder");
    // Names that need quotes somewhere: in the notation, in a shell, in an address.
    for name in ["loans", "my loans", "it's 'ours'", "Gr\u{f6}\u{df}e"] {
        let made = gsmc(folder.path(), &["new", name]);
        assert!(made.status.success(), "{}", told(&made));
        let validated = gsmc(folder.path(), &["validate", name]);
        assert!(validated.status.success(), "{name}: {}", told(&validated));
        assert!(told(&validated).contains("0 warnings"), "{name}: {}", told(&validated));
        let checked = gsmc(folder.path(), &["check", name]);
        assert_eq!(checked.status.code(), Some(0), "{name}: {}", told(&checked));
        let model = format!("{name}/model.gsm");
        let styled = gsmc(folder.path(), &["fmt", "--check", &model]);
        assert!(styled.status.success(), "{name}: {}", told(&styled));
    }
}

#[test]
fn what_is_there_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "mine").expect("written");
    std::fs::create_dir(folder.path().join("empty")).expect("made");
    for name in ["file", "empty", "."] {
        let refused = gsmc(folder.path(), &["new", name]);
        assert_eq!(refused.status.code(), Some(2), "{name}: {}", told(&refused));
        assert!(told(&refused).contains("is there already"), "{}", told(&refused));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).ok().as_deref(), Some("mine"));
    assert_eq!(std::fs::read_dir(folder.path().join("empty")).expect("a folder").count(), 0);
}

#[test]
fn converting_says_where_the_result_is() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(gsmc(folder.path(), &["new", "loans"]).status.success());
    let there = gsmc(folder.path(), &["convert", "loans", "--to", "barcelona", "-o", "xml"]);
    assert!(there.status.success(), "{}", told(&there));
    assert!(told(&there).contains("In xml: gsmc.toml, model.xml, "), "{}", told(&there));
    assert!(told(&there).contains("gsmc validate xml"), "{}", told(&there));
    let back = gsmc(folder.path(), &["convert", "xml", "--one-file", "-o", "again.gsm"]);
    assert!(told(&back).contains("The model is in again.gsm."), "{}", told(&back));
    let same = gsmc(folder.path(), &["diff", "loans/model.gsm", "again.gsm"]);
    assert_eq!(same.status.code(), Some(0), "{}", told(&same));
    assert!(told(&same).starts_with("The models do the same."), "{}", told(&same));
    // A new file without an ending is given the notation's, so that what is proposed next works.
    let plain = gsmc(folder.path(), &["convert", "xml", "-o", "plain"]);
    assert!(told(&plain).contains("gsmc validate plain.gsm"), "{}", told(&plain));
    assert!(gsmc(folder.path(), &["validate", "plain.gsm"]).status.success());
}

#[test]
fn a_report_shows_what_changed_since_another_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching/reopen");
    for entry in std::fs::read_dir(&example).expect("an example").flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    let file = folder.path().join("model.gsm");
    let text = std::fs::read_to_string(&file).expect("a text");
    let stricter = text.replace("on Withdraw", "on Withdraw when Review");
    std::fs::write(&file, stricter).expect("written");
    let old = example.display().to_string();
    let made = gsmc(folder.path(), &["report", ".", "--against", &old, "-o", "r.html"]);
    assert_eq!(made.status.code(), Some(1), "{}", told(&made));
    let page = std::fs::read_to_string(folder.path().join("r.html")).expect("the report");
    assert!(page.contains("<b>lost-by-withdrawal</b> was true and is <strong>false</strong>"));
    assert!(page.contains("clearing condition AuthorWithdraws of Approved"));
    assert!(page.contains("the old run: <code>Create_Report/Submit/Approve/Withdraw</code>"));
    let same = gsmc(folder.path(), &["report", &old, "--against", &old, "-o", "s.html"]);
    assert!(same.status.success(), "{}", told(&same));
    let page = std::fs::read_to_string(folder.path().join("s.html")).expect("the report");
    assert!(page.contains("No verdict changed.") && page.contains("The models do the same."));
}
