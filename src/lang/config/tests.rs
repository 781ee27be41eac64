//! `gsmc.toml` and overrides: what is read, and how mistakes read.

use super::{Config, Overrides, read};
use crate::lang::gsm::Creation;
use crate::lang::load::{Request, load};
use crate::lang::testing::{folder, messages, project};
use crate::machine::Idle;
use crate::source::{Diagnostics, Sources, render_all};

fn config(text: &str) -> (Config, String) {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = sources.add("gsmc.toml", text);
    let config = read(file, &sources, &mut diags);
    (config, render_all(&diags, &sources, false))
}

#[test]
fn every_key() {
    let (c, text) = config(
        "model = 'm.xml'\nagents = \"a.gsma\"\nproperties = [\"p\", \"q\"]\nschemas = \"s.xsd\"\n[instances]\nB = 2\nA = 3\n[ranges]\n\
         \"T.x\" = [0, 3]\nT.y.z = [-5, -5]\n[relations]\n\"T.r\" = \"U\"\n[options]\nidle = \"never\"\ncreation = \"overflow\"\n\
         strict_order = true\nkeep_all = false\n",
    );
    assert_eq!(text, "");
    let names = |list: &[crate::lang::syntax::Name]| list.iter().map(|n| n.text.clone()).collect::<Vec<_>>();
    assert_eq!(c.model.map(|m| m.text).as_deref(), Some("m.xml"));
    assert_eq!(c.agents.map(|a| a.text).as_deref(), Some("a.gsma"));
    assert_eq!((names(&c.properties), names(&c.schemas)), (vec!["p".into(), "q".into()], vec!["s.xsd".into()]));
    assert_eq!(c.instances.iter().map(|(n, k)| (n.text.as_str(), *k)).collect::<Vec<_>>(), [("B", 2), ("A", 3)]);
    let ranges: Vec<_> = c.ranges.iter().map(|(n, r)| (n.text.as_str(), *r)).collect();
    assert_eq!(ranges, [("T.x", (0, 3)), ("T.y.z", (-5, -5))]);
    assert_eq!(c.relations.iter().map(|(a, t)| (a.text.as_str(), t.text.as_str())).collect::<Vec<_>>(), [("T.r", "U")]);
    let o = c.options.options();
    assert_eq!((o.idle, o.creation, o.strict_order, o.keep_all), (Some(Idle::Never), Creation::Overflow, true, false));
}

#[test]
fn mistakes() {
    let (_, text) = config(
        "modl = \"m.xml\"\nmodel = 3\nproperties = [\"p\", 4]\nagents = [\"a\"]\ninstances = 2\n[ranges]\n\"T.x\" = [3, 0]\n\"T.y\" = [0]\n\
         \"T.z\" = [0, 1.5]\n[relations]\n\"T.r\" = 1\n[options]\nidle = \"sometimes\"\ncreation = true\nstrict_order = \"yes\"\nkeepall = true\n",
    );
    let (_, bounds) = config("[instances]\nA = 0\nB = -1\nC = 99999\nD = \"two\"\nE = 1.5\n");
    let (_, broken) = config("model = \"m.xml\nagents = \n[instances\n");
    insta::assert_snapshot!([text, bounds, broken].join("\n\n"));
}

#[test]
fn names_are_looked_up_in_the_model() {
    let (loaded, text) = project(&[(
        "gsmc.toml",
        "model = \"model.xml\"\n[instances]\nOrdre = 2\n[ranges]\n\"Order.part\" = [0, 3]\n\"Invoces.amount\" = [0, 3]\nparts = [0, 1]\n\
         \"Order.speed\" = [0, 1]\n[relations]\n\"Invoice.amount\" = \"Oder\"\n",
    )]);
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(text);
}

#[test]
fn overrides_beat_the_file() {
    let toml = "model = \"model.xml\"\n[instances]\nOrder = 2\n[ranges]\n\"Order.parts\" = [0, 3]\n[options]\nidle = \"never\"\n";
    let dir = folder(&[("gsmc.toml", toml)]);
    let overrides = Overrides {
        instances: vec!["CustomerOrder=3, Invoice=2".into()],
        ranges: vec!["Order.parts=-1..7".into()],
        idle: Some("always".into()),
        keep_all: true,
        ..Overrides::default()
    };
    let loaded = load(&Request { dir: Some(dir.path().into()), overrides, ..Request::default() });
    let app = loaded.app.clone().unwrap_or_else(|| panic!("{}", messages(&loaded, dir.path())));
    assert_eq!(app.types.iter().map(|t| t.bound).collect::<Vec<_>>(), [3, 2]);
    let parts = app.types[0].attr("parts").map(|a| app.types[0].attrs[a].domain.bounds());
    assert_eq!(parts, Some((-1, 7)));
    assert_eq!((app.options.idle, app.options.keep_all), (Some(Idle::Always), true));
}

#[test]
fn mistakes_on_the_command_line() {
    let overrides = Overrides {
        instances: vec!["Order".into(), "Order=x".into(), "Order=0".into(), "Ordr=2".into()],
        ranges: vec!["Order.parts=3".into(), "Order.parts=3..1".into(), "Order.part=0..1".into()],
        relations: vec!["=Order".into()],
        idle: Some("nevr".into()),
        creation: Some("blok".into()),
        ..Overrides::default()
    };
    let dir = folder(&[]);
    let loaded = load(&Request { dir: Some(dir.path().into()), overrides, ..Request::default() });
    assert!(loaded.app.is_none());
    insta::assert_snapshot!(messages(&loaded, dir.path()));
}

#[test]
fn a_huge_configuration_is_refused_unread() {
    let (_, text) = config(&"k = 1\n".repeat(200_000));
    assert!(text.starts_with("error[E100]: a configuration of more than 1 MiB is none"), "{text}");
    assert_eq!(text.matches("error[").count(), 1);
}
