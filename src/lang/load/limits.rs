//! What is refused because there is too much of it, word for word.

use super::{Request, load};
use crate::lang::files;
use crate::lang::testing::{MODEL, folder, messages, project, with_agents};
use crate::source::{Diagnostics, Sources};

/// The only finding of this code, as text.
fn only(code: &str, files: &[(&str, &str)]) -> String {
    let dir = folder(files);
    let loaded = load(&Request { dir: Some(dir.path().to_path_buf()), ..Request::default() });
    let found: Vec<_> = loaded.diagnostics.iter().filter(|d| d.code.id == code).collect();
    assert_eq!(found.len(), 1, "{}", messages(&loaded, dir.path()));
    assert!(loaded.app.is_none());
    let text = crate::source::render(found[0], &loaded.sources, false);
    text.replace(&format!("{}/", dir.path().display()), "")
}

#[test]
fn a_file_over_64_mib() {
    let dir = folder(&[("gsmc.toml", "model = \"model.xml\"\nproperties = [\"big.gsmp\"]\n")]);
    // A hole in the file: it takes no room on the disk.
    let file = std::fs::File::create(dir.path().join("big.gsmp")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let loaded = load(&Request { dir: Some(dir.path().to_path_buf()), ..Request::default() });
    insta::assert_snapshot!(messages(&loaded, dir.path()), @r##"
    error[E003]: file 'big.gsmp' is larger than 64 MiB
     --> gsmc.toml:2:15
      |
    2 | properties = ["big.gsmp"]
      |               ^^^^^^^^^^
      |
      = help: name the model itself; this is probably another file
    "##);
    file.set_len(64 << 20).unwrap();
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    assert!(files::read(&dir.path().join("big.gsmp"), None, &mut sources, &mut diags).is_some(), "64 MiB are allowed");
}

#[test]
fn more_mistakes_than_anybody_reads() {
    let guards: String = (0..1100).map(|i| format!("<ca:StageGuard id=\"g{i}\" eventIds=\"Nobody{i}\"/>\n")).collect();
    let model = MODEL.replace("<ca:StageGuard id=\"bill\" eventIds=\"Bill\"/>", &guards);
    insta::assert_snapshot!(only("E005", &[("model.xml", &model)]), @r##"
    error[E005]: too many mistakes; the rest is not shown
     --> model.xml:2:1
      |
    2 | <ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="Shop">
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: correct the first ones and try again
    "##);
}

#[test]
fn more_xml_than_a_model_has() {
    let deep = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
    insta::assert_snapshot!(only("E021", &[("model.xml", &deep)]), @r##"
    error[E021]: elements are nested more than 128 deep
     --> model.xml:1:385
      |
    1 | ...><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>...
      |                                                                    ^
      |
      = help: split the file, or check whether it is the right one
    "##);
    let wide = format!("<a>{}</a>", "<b/>".repeat(100_001));
    insta::assert_snapshot!(only("E021", &[("model.xml", &wide)]).lines().next().unwrap(), @"error[E021]: the file has more than 100000 tags");
    let attributes: String = (0..20_001).map(|i| format!(" a{i}=''")).collect();
    insta::assert_snapshot!(only("E021", &[("model.xml", &format!("<a{attributes}/>"))]).lines().next().unwrap(), @"error[E021]: an element has more than 20000 '=' signs in its attributes");
    let spaces: String = (0..1_001).map(|i| format!(" xmlns:n{i}=''")).collect();
    insta::assert_snapshot!(only("E021", &[("model.xml", &format!("<a{spaces}/>"))]).lines().next().unwrap(), @"error[E021]: the file declares more than 1000 namespaces");
}

#[test]
fn a_name_that_several_types_have() {
    let model = MODEL.replace("Collecting", "Packing");
    let agents = "role R { transformation: condense_stage(Packing); };\nagent a { role: R; };\n";
    let toml = "model = \"model.xml\"\nagents = \"shop.gsma\"\n";
    let (_, text) = project(&[("gsmc.toml", toml), ("model.xml", &model), ("shop.gsma", agents)]);
    insta::assert_snapshot!(text, @r##"
    error[E076]: several types have a stage 'Packing'
     --> shop.gsma:1:41
      |
    1 | role R { transformation: condense_stage(Packing); };
      |                                         ^^^^^^^
      |
      = help: name the type first: 'Order' or 'Invoice'
    "##);
    let (_, text) = with_agents(agents);
    assert!(!text.contains("E076"), "{text}");
}
