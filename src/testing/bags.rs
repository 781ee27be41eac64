//! Random applications with bags.

use super::{Choices, Project};

/// Conditions on two bags.
const CONDITIONS: [&str; 12] = [
    "B.size() < 2",
    "B.exists(name == 'x')",
    "B.forAll(n < 1)",
    "!B.isEmpty()",
    "B.count(flag) == 1",
    "B.exists(name != 'x' && !(n >= 1))",
    "B.count(self.n == 0 || flag) > S.size()",
    "B->exists(r | r.name == 'y' && r.n > 0)",
    "B->forAll(r | r.flag == false)",
    "S.exists(self == 'u')",
    "S->notEmpty()",
    "B.size() == k",
];

/// What tasks do.
const STEPS: [&str; 14] = [
    "add B { name = payload.name, n = payload.n }",
    "add B { name = 'x', n = payload.n, flag = true }",
    "add B { n = 1 }",
    "add B { n = k }",
    "add B { }",
    "remove B { name = 'x' }",
    "remove B { name = 'y', n = 0 }",
    "remove B { n = payload.n }",
    "remove B",
    "clear B",
    "add S = 'u'",
    "remove S = 'u'",
    "call Service -> S",
    "add k",
];

/// Two bags with ranges, and a message that carries one; the same for the same seed.
pub fn random_bags(seed: u64) -> Project {
    let c = &mut Choices::seeded(seed);
    let mut stages = String::new();
    for i in 0..2 + c.below(3) {
        let event = c.one_of(["E", "F", "G"]);
        let when = if c.chance(60) { format!(" when {}", c.one_of(CONDITIONS)) } else { String::new() };
        let steps: Vec<&str> = (0..1 + c.below(2)).map(|_| c.one_of(STEPS)).collect();
        stages += &format!(
            "  stage A{i} {{\n    guard g{i} on {event}{when}\n    task t{i}: {}\n    milestone m{i} when done(t{i})\n  }}\n",
            steps.join(", ")
        );
    }
    let asked: Vec<String> = (0..3).map(|_| format!("EF exists x : T (x.{})", c.one_of(CONDITIONS))).collect();
    let asked = asked.iter().filter(|a| !a.contains("->") && !a.contains('!') && !a.contains("k)")).cloned();
    let asked: Vec<String> = asked.map(|a| a.replace("> S.size()", "> x.S.size()")).collect();
    let properties = if asked.is_empty() { "AG true".to_string() } else { asked.join(";\n") };
    let text = format!(
        "application Bags\nevent E {{ name: string, n: int 0..1 }}\nevent F\nevent G {{ S: bag string }}\ntype T {{\n  k: int 0..2\n  \
         B: bag {{ name: string, n: int 0..2, flag: bool }}\n  S: bag string\n{stages}}}\nproperties {{\n{properties}\n}}\n"
    );
    let most = c.one_of([1, 2]);
    let ranges = format!("[ranges]\n\"T.B\" = [0, {most}]\n\"T.S\" = [0, 1]\n");
    let toml = format!("model = \"model.gsm\"\n{ranges}");
    Project { files: vec![("gsmc.toml".into(), toml), ("model.gsm".into(), text)] }
}
