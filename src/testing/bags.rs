//! Random applications with bags.

use super::{Choices, Project};

/// Conditions on two bags.
const CONDITIONS: [&str; 14] = [
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
    "B.count(r < 1.5) == 1",
    "B.exists(n < 0.5 && !(r >= 1.5)) || q > 0.5",
];

/// What is asked of an instance.
const ASKED: [&str; 10] = [
    "x.B.size() < 2",
    "x.B.exists(name == 'x')",
    "x.B.forAll(n < 1)",
    "!x.B.isEmpty()",
    "x.B.count(flag) == 1",
    "x.B.count(self.n == 0 || flag) > x.S.size()",
    "x.S.exists(self == 'u')",
    "x.B.size() == x.k",
    "x.B.exists(r < 1.5 && n <= 1.5)",
    "x.m0",
];

/// How it is asked.
const FORMULAS: [&str; 8] = [
    "EF exists x : T (P)",
    "AG forall x : T (P)",
    "AF exists x : T (P)",
    "EG forall x : T (P)",
    "AG forall x : T (P -> EF Q)",
    "AG forall x : T (P -> AX (P || Q))",
    "forall x : T (E [P U Q])",
    "mu Z. (exists x : T (P && Q) || EX Z)",
];

/// What tasks do.
const STEPS: [&str; 18] = [
    "add B { name = payload.name, n = payload.n }",
    "add B { name = 'x', n = payload.n, flag = true }",
    "add B { n = 1 }",
    "add B { n = k }",
    "add B { }",
    "add B { r = 1.5, n = 1 }",
    "add B { r = k }",
    "add B { r = q, n = q }",
    "remove B { name = 'x' }",
    "remove B { name = 'y', n = 0 }",
    "remove B { n = payload.n }",
    "remove B { n = k }",
    "remove B",
    "clear B",
    "add S = 'u'",
    "remove S = 'u'",
    "call Service -> S",
    "add k",
];

/// Two bags with ranges, and a message that carries one; the same for the same seed. `k` can be more than the field that it goes into.
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
    let mut ask = || c.one_of(FORMULAS).replace('P', c.one_of(ASKED)).replace('Q', c.one_of(ASKED));
    let properties = [ask(), ask(), ask()].join(";\n");
    let text = format!(
        "application Bags\nevent E {{ name: string, n: int 0..1 }}\nevent F {{ q: real }}\nevent G {{ S: bag string }}\ntype T {{\n  k: int 0..3\n  q: real = 0.5\n  \
         B: bag {{ name: string, n: int 0..2, r: real 0..2.5, flag: bool }}\n  S: bag string\n{stages}}}\nproperties {{\n{properties}\n}}\n"
    );
    let most = c.one_of([1, 2]);
    let ranges = format!("[ranges]\n\"T.B\" = [0, {most}]\n\"T.S\" = [0, 1]\n");
    let instances = if c.chance(20) { "[instances]\nT = 2\n" } else { "" };
    let toml = format!("model = \"model.gsm\"\n{instances}{ranges}");
    Project { files: vec![("gsmc.toml".into(), toml), ("model.gsm".into(), text)] }
}
