//! `gsmc report`: the file says everything that the results say, asks for nothing, and appears whole or not at all.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn gsmc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).output().expect("gsmc runs")
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

/// The report with these arguments, the exit code, and the JSON results of the same check.
fn report(folder: &Path, args: &[&str]) -> (String, i32, serde_json::Value) {
    let file: PathBuf = folder.join("out.html");
    let made = gsmc(&[&["report"], args, &["-o", &file.display().to_string()]].concat());
    let checked = gsmc(&[&["check"], args, &["--format", "json"]].concat());
    assert_eq!(made.status.code(), checked.status.code(), "{}", String::from_utf8_lossy(&made.stderr));
    let html = std::fs::read_to_string(file).expect("a report was written");
    (html, made.status.code().unwrap_or(-1), serde_json::from_slice(&checked.stdout).expect("JSON"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;").replace('"', "&#34;").replace('\'', "&#39;")
}

/// What the script reads.
fn data(html: &str) -> serde_json::Value {
    let from = html.split("id=\"data\">").nth(1).expect("data");
    serde_json::from_str(from.split("</script>").next().expect("an end")).expect("JSON")
}

#[test]
fn every_verdict_and_every_trace_is_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["teaching/lasso", "teaching/two-views", "order-to-cash", "garage"] {
        let (html, code, results) = report(folder.path(), &[&example(name)]);
        assert_eq!(code, 0, "{name}");
        let data = data(&html);
        let traced = results["results"].as_array().unwrap().iter().filter(|r| !r["trace"].is_null());
        assert_eq!(data["runs"].as_array().unwrap().len(), traced.count(), "{name}");
        for r in results["results"].as_array().unwrap() {
            let property = r["property"].as_str().unwrap();
            assert!(html.contains(&format!("<span class=\"property\">{}</span>", escaped(property))), "{property}");
            assert!(html.contains(&escaped(r["formula"].as_str().unwrap())), "{property}");
            let run = data["runs"].as_array().unwrap().iter().find(|run| run["property"] == r["property"]);
            let steps = r["trace"]["steps"].as_array().map(Vec::len);
            assert_eq!(run.map(|run| run["path"]["steps"].as_array().unwrap().len()), steps, "{property}");
        }
    }
}

#[test]
fn the_report_asks_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (html, ..) = report(folder.path(), &[&example("teaching/lasso")]);
    for sign in
        ["src=", "<link", "@import", "url(http", "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("]
    {
        assert!(!html.contains(sign), "{sign}");
    }
    let addresses: Vec<&str> = html.match_indices("http").map(|(i, _)| &html[i..html.len().min(i + 26)]).collect();
    let harmless = |a: &&str| a.starts_with("http://www.w3.org/2000/svg") || a.starts_with("http-equiv");
    assert!(addresses.iter().all(harmless), "{addresses:?}");
}

#[test]
fn exit_codes_are_those_of_check_and_a_bad_model_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let model = format!("{}/model.xml", example("teaching/one-stage"));
    let properties = folder.path().join("p.gsmp");
    std::fs::write(&properties, "wrong: AG false;\n").unwrap();
    let (html, code, _) = report(folder.path(), &["-m", &model, "-s", &properties.display().to_string()]);
    assert_eq!(code, 1);
    assert!(html.contains("not as expected"));
    let file = folder.path().join("none.html");
    let made = gsmc(&["report", "no such folder", "-o", &file.display().to_string()]);
    assert_eq!(made.status.code(), Some(2));
    assert!(!file.exists());
    let made = gsmc(&[
        "report",
        &example("teaching/one-stage"),
        "-o",
        &folder.path().join("no/such/x.html").display().to_string(),
    ]);
    assert_eq!(made.status.code(), Some(2));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|n| !n.to_string_lossy().contains("part")), "{left:?}");
}

#[test]
fn names_that_look_like_markup_stay_names() {
    let folder = tempfile::tempdir().unwrap();
    let nasty = "</script><script>alert(1)</script>\u{2028}\"'&";
    let written = nasty.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let model = std::fs::read_to_string(format!("{}/model.xml", example("teaching/one-stage"))).unwrap();
    let place =
        model.find("<ca:Stage ").and_then(|from| model[from..].find("name=\"").map(|at| from + at + 6)).unwrap();
    let end = place + model[place..].find('"').unwrap();
    let file = folder.path().join("model.xml");
    std::fs::write(&file, format!("{}{written}{}", &model[..place], &model[end..])).unwrap();
    let (html, _, _) = report(folder.path(), &["-m", &file.display().to_string()]);
    assert!(!html.contains("<script>alert") && !html.contains("</script><script>"));
    assert!(html.contains("alert(1)"));
    assert!(data(&html)["model"]["types"][0]["stages"].to_string().contains("alert(1)"));
}
