//! Whole projects: what is found, and that nothing hides anything else.

use super::{Request, load};
use crate::lang::testing::{MODEL, folder, messages, project};
use crate::source::Severity;
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

#[test]
fn order_to_cash_with_every_agents_file() {
    let dir = examples().join("order-to-cash");
    let files = std::fs::read_dir(&dir).expect("the example").filter_map(|f| f.ok()).map(|f| f.path());
    let mut seen = 0;
    for agents in files.filter(|f| f.extension().is_some_and(|e| e == "gsma")) {
        let loaded = load(&Request { dir: Some(dir.clone()), agents: Some(agents.clone()), ..Request::default() });
        let app = loaded.app.as_ref().unwrap_or_else(|| panic!("{}", messages(&loaded, &dir)));
        assert_eq!(app.types[0].stages.len(), 9);
        assert!(!loaded.properties.is_empty() && app.agents.as_ref().is_some_and(|a| !a.is_empty()));
        seen += 1;
    }
    assert!(seen >= 2);
}

#[test]
fn a_model_alone() {
    let dir = folder(&[("p.gsmp", "EF parts == 2; EF K(AutoAgent, overflow)")]);
    let request = Request { model: Some(dir.path().join("model.xml")), ..Request::default() };
    let loaded = load(&request);
    assert!(loaded.app.is_some_and(|a| a.agents.is_none()));
    let request = Request { properties: vec![dir.path().join("p.gsmp")], ..request };
    let loaded = load(&request);
    assert_eq!(loaded.properties.len(), 2, "{}", messages(&loaded, dir.path()));
    assert_eq!(loaded.properties[1].formula.knowers(), [crate::logic::AgentIx(1)]);
}

#[test]
fn files_on_the_command_line_replace_those_of_the_folder() {
    let toml = "model = \"none.xml\"\nagents = \"none.gsma\"\nproperties = [\"none.gsmp\"]\n";
    let dir =
        folder(&[("gsmc.toml", toml), ("a.gsma", "role R { }; agent a { role: R; };"), ("p.gsmp", "EF overflow")]);
    let at = |name: &str| dir.path().join(name);
    let request = Request {
        dir: Some(at("gsmc.toml")),
        model: Some(at("model.xml")),
        agents: Some(at("a.gsma")),
        properties: vec![at("p.gsmp"), at("p.gsmp")],
        ..Request::default()
    };
    let loaded = load(&request);
    assert_eq!(loaded.properties.len(), 2, "{}", messages(&loaded, dir.path()));
    assert_eq!(loaded.properties[1].name, "p2");
    let loaded = load(&Request { dir: Some(dir.path().into()), ..Request::default() });
    assert_eq!(loaded.diagnostics.count(Severity::Error), 3);
}

#[test]
fn all_mistakes_of_a_run() {
    let toml = "model = \"model.xml\"\nagents = \"a.gsma\"\nproperties = [\"p.gsmp\"]\n[instances]\nOrder = 0\n[ranges]\n\"Order.prts\" = [0, 3]\n";
    let (loaded, text) = project(&[
        ("gsmc.toml", toml),
        (
            "model.xml",
            &MODEL
                .replace("parts &lt; 3", "prts &lt; 3")
                .replace("eventIds=\"Bill\"", "expression=\"GSM.isStageActive('Pakcing')\""),
        ),
        (
            "a.gsma",
            "role R { view: pars; };\nagent a { role: Q; protocol: Shp: true -> ; };\nagent b { role: R; protocol: Ship: true };",
        ),
        ("p.gsmp", "EF parts ==;\n\nEF prts == 1;\nK(c, overflow);"),
    ]);
    assert!(loaded.app.is_none() && loaded.properties.is_empty());
    insta::assert_snapshot!(text);
}

#[test]
fn consequences_of_a_missing_schema_or_a_broken_agents_file_are_kept_back() {
    let toml = "model = \"model.xml\"\nagents = \"a.gsma\"\nproperties = [\"p.gsmp\"]\n";
    let agents = ("a.gsma", "role R { view: parts; window: customer == $$; };\nagent a { role: R; };");
    let properties = ("p.gsmp", "EF parts == 1;\nK(a, overflow);");
    let model = MODEL.replace("shop.xsd", "shp.xsd");
    let (_, text) = project(&[("gsmc.toml", toml), ("model.xml", &model), agents, properties]);
    let (_, broken) = project(&[("gsmc.toml", toml), ("a.gsma", "role R { };\nagnt a { role: R; };"), properties]);
    insta::assert_snapshot!(format!("{text}\n\n{broken}"));
}

#[test]
fn without_a_model_the_rest_is_still_parsed() {
    let toml = "model = \"none.xml\"\nagents = \"a.gsma\"\nproperties = [\"p.gsmp\"]\n";
    let (_, text) = project(&[("gsmc.toml", toml), ("a.gsma", "rle R { };"), ("p.gsmp", "EF )")]);
    insta::assert_snapshot!(text);
}

#[test]
fn folders_and_files_that_are_not_there() {
    let dir = folder(&[("gsmc.toml", "properties = []\n"), ("latin.gsma", "")]);
    std::fs::write(dir.path().join("latin.gsma"), b"role R\xe9 { };").expect("a file for the test");
    let at = |name: &str| Some(dir.path().join(name));
    let requests = [
        Request::default(),
        Request { dir: Some(dir.path().into()), ..Request::default() },
        Request { dir: at("nowhere"), ..Request::default() },
        Request { dir: at("latin.gsma"), ..Request::default() },
        Request { model: at("none.xml"), ..Request::default() },
        Request { model: at("model.xml"), agents: at("latin.gsma"), ..Request::default() },
        Request { model: Some(dir.path().into()), ..Request::default() },
    ];
    let texts: Vec<String> = requests
        .iter()
        .map(|r| {
            let loaded = load(r);
            assert!(loaded.app.is_none());
            messages(&loaded, dir.path()).replace(&dir.path().display().to_string(), "DIR")
        })
        .collect();
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn a_file_over_the_limit_is_refused() {
    let dir = folder(&[]);
    let path = dir.path().join("big.gsmp");
    let file = std::fs::File::create(&path).expect("a file for the test");
    file.set_len((64 << 20) + 1).expect("a large file");
    let loaded = load(&Request { dir: Some(dir.path().into()), properties: vec![path], ..Request::default() });
    let told = messages(&loaded, dir.path());
    assert!(told.starts_with("error[E003]: file 'big.gsmp' is larger than 64 MiB\n"), "{told}");
}
