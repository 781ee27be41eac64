//! Property files: where properties end, what they mean, how their mistakes read.

use crate::lang::gsm::Expr;
use crate::lang::testing::with_properties;
use crate::logic::{AgentIx, Bool, Formula, PathFormula, Temporal};
use crate::source::Sources;

/// Every property as `name: formula`, atoms as written.
fn read(source: &str) -> Vec<String> {
    let (loaded, text) = with_properties(source);
    assert!(loaded.app.is_some(), "{text}");
    loaded.properties.iter().map(|p| format!("{}: {}", p.name, show(&p.formula, &loaded.sources))).collect()
}

fn one(source: &str) -> String {
    read(source).pop().map(|p| p.trim_start_matches("p1: ").to_string()).unwrap_or_default()
}

fn numbers(group: &[AgentIx]) -> Vec<usize> {
    group.iter().map(|a| a.0).collect()
}

fn show(f: &Formula<Expr>, s: &Sources) -> String {
    let of = |f: &Formula<Expr>| show(f, s);
    match f {
        Formula::Atom(e) => format!("[{}]", s.text(e.span).split_whitespace().collect::<Vec<_>>().join(" ")),
        Formula::Bool(b) => connective(b.map(of)),
        Formula::Quantified(p, t) => format!("{}{}", p.letter(), operator(t.map(of))),
        Formula::Know(k, g, a) => format!("{}{:?} {}", k.symbol(), numbers(g), show(a, s)),
        Formula::Can(g, t) => format!("can{:?} {}", numbers(g), operator(t.map(of))),
        Formula::Fix(kind, name, a) => format!("{} {name}. {}", kind.symbol(), show(a, s)),
        Formula::Var(name) => name.clone(),
        Formula::Ltl(p) => format!("LTL {}", show_path(p, s)),
    }
}

fn show_path(f: &PathFormula<Expr>, s: &Sources) -> String {
    let of = |f: &PathFormula<Expr>| show_path(f, s);
    if let Some((a, b)) = f.as_weak_until() {
        return format!("({} W {})", of(a), of(b));
    }
    if let Some((a, b)) = f.as_release() {
        return format!("({} R {})", of(a), of(b));
    }
    match f {
        PathFormula::State(f) => show(f, s),
        PathFormula::Bool(b) => connective(b.map(of)),
        PathFormula::Temporal(t) => operator(t.map(of)),
    }
}

fn connective(b: Bool<String>) -> String {
    match b {
        Bool::Not(a) => format!("!{a}"),
        Bool::And(xs) => format!("({})", xs.join(" & ")),
        Bool::Or(xs) => format!("({})", xs.join(" | ")),
        Bool::Implies(a, b) => format!("({a} -> {b})"),
        Bool::Iff(a, b) => format!("({a} <-> {b})"),
        Bool::Quant { exists, var, ty, body } => {
            format!("{}{var}:{} {body}", if exists { "exists " } else { "forall " }, ty.0)
        }
    }
}

fn operator(t: Temporal<String>) -> String {
    match t {
        Temporal::Next(a) => format!("X {a}"),
        Temporal::Finally(a) => format!("F {a}"),
        Temporal::Globally(a) => format!("G {a}"),
        Temporal::Until(a, b) => format!("({a} U {b})"),
    }
}

#[test]
fn a_list_as_the_papers_print_it() {
    let source = "\nAG (  amount == 0\n    || speed != \"fast\"\n\n    || !GSM.isMilestoneAchieved('Order', 'Shipped')\n    \
                  || EF GSM.isMilestoneAchieved('Invoice', 'Paid')\n)\n\nEF (  amount == 1\n    && GSM.isStageActive('Order', 'Packing')\n)\n   \n\
                  EF MilestoneAchieved('Packed')";
    assert_eq!(
        read(source),
        [
            "p1: AG ([amount == 0] | [speed != \"fast\"] | [!GSM.isMilestoneAchieved('Order', 'Shipped')] | EF [GSM.isMilestoneAchieved('Invoice', 'Paid')])",
            "p2: EF [amount == 1 && GSM.isStageActive('Order', 'Packing')]",
            "p3: EF [MilestoneAchieved('Packed')]",
        ]
    );
}

#[test]
fn names_annotations_and_ends() {
    let source = "# a comment\n@expect false   // what it says\n@fair (GSM.isStageActive('Order','Packing')\n   || overflow)\n\n@fair overflow\n\
                  (EF overflow);\nwinner-is.1: // here\nAG !overflow; 'a name': EF overflow\n// does not end it\n && AG !overflow;;\n\nEF\noverflow;";
    let (loaded, text) = with_properties(source);
    assert!(loaded.app.is_some(), "{text}");
    let all: Vec<_> =
        loaded.properties.iter().map(|p| (p.name.as_str(), p.expect, p.fair.len(), p.text.as_str())).collect();
    assert_eq!(
        all,
        [
            ("p1", false, 2, "(EF overflow)"),
            ("winner-is.1", true, 0, "AG !overflow"),
            ("a name", true, 0, "EF overflow && AG !overflow"),
            ("p4", true, 0, "EF overflow"),
        ]
    );
    assert_eq!(loaded.sources.text(loaded.properties[1].span), "AG !overflow");
}

#[test]
fn patterns_are_expanded() {
    let pq = "(overflow, ann.made)";
    assert_eq!(one("never(overflow)"), "AG ![overflow]");
    assert_eq!(one("always(overflow)"), "AG [overflow]");
    assert_eq!(one("reachable(overflow)"), "EF [overflow]");
    assert_eq!(one(&format!("response{pq}")), "AG ([overflow] -> AF [ann.made])");
    assert_eq!(one(&format!("possible_response{pq}")), "AG ([overflow] -> EF [ann.made])");
    assert_eq!(one(&format!("precedence{pq}")), "!E(![overflow] U ([ann.made] & ![overflow]))");
    assert_eq!(one(&format!("absence_after{pq}")), "AG ([ann.made] -> AG ![overflow])");
    assert_eq!(one("never(EX overflow) && AX overflow"), "(AG !EX [overflow] & AX [overflow])");
}

#[test]
fn logics() {
    assert_eq!(one("K(ann, EF overflow)"), "K[0] EF [overflow]");
    assert_eq!(one("CK({bob, ann, bob}, overflow)"), "CK[0, 1] [overflow]");
    assert_eq!(one("DK({AutoAgent}, overflow) xor EK({bob}, overflow)"), "!(DK[2] [overflow] <-> EK[1] [overflow])");
    assert_eq!(one("<<ann>> X overflow && <<>> G overflow"), "(can[0] X [overflow] & can[] G [overflow])");
    assert_eq!(one("<<ann,bob>> (!overflow U ann.n == 3)"), "can[0, 1] ([!overflow] U [ann.n == 3])");
    assert_eq!(one("A(overflow UNTIL EX overflow)"), "A([overflow] U EX [overflow])");
    assert_eq!(
        one("LTL G F overflow -> (overflow W K(bob, AG overflow))"),
        "LTL (G F [overflow] -> ([overflow] W K[1] AG [overflow]))"
    );
    assert_eq!(one("(LTL [] (overflow R ann.made))"), "LTL G ([overflow] R [ann.made])");
    assert_eq!(
        one("AG forall x : Order (x.Packing -> exists y : Invoice (K(ann, y.Paid && x.parts == 2)))"),
        "AG forall 0:0 ([x.Packing] -> exists 1:1 K[0] [y.Paid && x.parts == 2])"
    );
    assert_eq!(one("LTL forall x : CustomerOrder (F x.Shipped)"), "LTL forall 0:0 F [x.Shipped]");
}

#[test]
fn variables_have_numbers_of_their_own_also_in_patterns() {
    let (loaded, text) =
        with_properties("precedence(exists x : Order (x.Shipped), Paid || exists x : Order (x.Packed))");
    assert!(loaded.app.is_some(), "{text}");
    let mut numbers = Vec::new();
    loaded.properties[0].formula.atoms(&mut |e| {
        e.walk(&mut |part| {
            if let crate::lang::gsm::ExprKind::Quant { var, .. } = part.kind {
                numbers.push(var);
            }
        });
    });
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!((count, numbers.len()), (4, 4));
}

#[test]
fn mistakes_of_form() {
    let (loaded, text) = with_properties(
        "AG (overflow;\nEF overflow)\n\nG overflow;\n\noverflow U overflow;\n@expct true\n@expect maybe\n@expect true\n@expect false\n@fair\n\
         name: ;\n\nempty:\n\nEF overflow;\n@fair overflow overflow\nname: AX;\nempty: AG AG overflow &;\nLTL [] ;\n@expect true\n",
    );
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(text);
}

#[test]
fn mistakes_of_meaning() {
    let (loaded, text) = with_properties(
        "AG LTL F overflow;\nLTL G AF overflow;\nLTL never(overflow);\nK(anne, overflow);\nEK({}, overflow);\nEF ((AG overflow) == true);\n\
         @fair LTL F overflow\nEF overflow;\nAG forall x : Ordr (x.Packing);\nAG forall x : Order (x.Pakcing) && x.Packing;\n\
         EF ann.mad;\nEF GSM.milestoneAchievedOnEvent('Order', 'Packed');\np3: EF parts == 'three';\nEF speed == 'medium';\n<<carl>> F overflow;\n\
         LTL G (F overflow == 2);\nEF $$ == 'ann';",
    );
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(text);
}

#[test]
fn an_empty_file() {
    let (loaded, text) = with_properties("// nothing\n\n");
    assert!(loaded.app.is_some());
    insta::assert_snapshot!(text);
}

#[test]
fn fixpoints() {
    assert_eq!(one("mu Z. (overflow || EX EX Z)"), "mu Z. ([overflow] | EX EX Z)");
    assert_eq!(one("nu Z.(mu Y .((overflow && EX Z) || AX Y))"), "nu Z. AF ([overflow] & EX Z)");
    assert_eq!(one("ν Z. !EX !EX !!Z"), "nu Z. !EX !EX !!Z");
    assert_eq!(one("mu Z. never(never(Z || overflow))"), "mu Z. AG !AG !(Z | [overflow])");
    assert_eq!(one("mu Z. forall x : Order (x.Packing -> EX EX Z)"), "mu Z. forall 0:0 ([x.Packing] -> EX EX Z)");
    // What CTL says is CTL.
    assert_eq!(one("mu Z. (overflow || EX Z)"), "EF [overflow]");
    assert_eq!(one("AG nu Z. (overflow && AX Z)"), "AG AG [overflow]");
    // mu reaches as far as AG.
    assert_eq!(one("mu Z. EX EX Z && overflow"), "(mu Z. EX EX Z & [overflow])");
}

#[test]
fn mistakes_with_fixpoints() {
    let (loaded, text) = with_properties(
        "mu Z. overflow || EX Z;\nmu Z. (overflow || EX !Z);\nnu Z. (Z <-> AX Z);\nmu Z. (Z -> overflow);\nmu Z. (EX nu Z. AX Z);\n\
         (mu Z. EX Z) || (nu Z. AX Z);\nforall x : Order mu x. (EX x);\n@fair overflow\nmu Z. (overflow || AX Z);\nLTL F (mu Z. EX Z);\nmu Z overflow;\n\
         mu Z. (Z == 2);\nmu Z. EX precedence(overflow, Z);",
    );
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(text);
}

#[test]
fn a_standard_property_called_like_one_of_the_user_has_another_name() {
    let (loaded, _) = with_properties("no-overflow: AG !overflow; mine: AG overflow;");
    let (mut list, more) = (loaded.properties.clone(), loaded.properties.clone().into_iter().take(1));
    super::add_standard(&mut list, more.collect());
    assert_eq!(
        list.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        ["no-overflow", "mine", "standard(no-overflow)"]
    );
}
