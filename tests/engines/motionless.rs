//! An agent that can never move, which no engine sees before it looks at values.

use super::*;

#[test]
fn an_agent_that_can_never_move() {
    let folder = tempfile::tempdir().unwrap();
    let lasso = root().join("examples/teaching/lasso");
    for file in ["model.gsm", "agents.gsma", "gsmc.toml"] {
        std::fs::copy(lasso.join(file), folder.path().join(file)).unwrap();
    }
    let agents = folder.path().join("agents.gsma");
    let vera = "agent vera { role: Editor; vars: 0..3 a = 0; protocol: Accept: a + 1 == a -> a = 1; };";
    std::fs::write(&agents, std::fs::read_to_string(&agents).unwrap() + vera).unwrap();
    let properties = "<<vera>> F vera.a == 1\n\n<<wilma, vera>> G vera.a == 0";
    std::fs::write(folder.path().join("properties.gsmp"), properties).unwrap();
    let machine = read(folder.path());
    assert!(machine.actions.iter().any(|a| machine.agent_name(a.agent) == "vera"), "it is there to be tried");
    let results = by_all(&machine);
    agree("vera", &results);
    for (name, expected) in [("p1", Verdict::False), ("p2", Verdict::True)] {
        let mut own = results.results.iter().filter(|r| r.property == name && r.verdict != Verdict::Unsupported);
        assert!(own.all(|r| r.verdict == expected), "{name}");
    }
}
