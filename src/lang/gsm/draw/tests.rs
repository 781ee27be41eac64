//! The layout of every example, of random applications and of a large one: nothing overlaps, nothing is missing.

use super::*;
use crate::lang::load::{Request, load};
use crate::picture::{PHONE, SCREEN, xml};
use std::path::{Path, PathBuf};

fn application(dir: &Path) -> Application {
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    loaded.app.unwrap_or_else(|| panic!("{} does not load", dir.display()))
}

/// Is it of the E-GSM dialect, which has a folder of its own?
fn is_monitored(folder: &Path) -> bool {
    let model = std::fs::read_to_string(folder.join("model.xml"));
    model.is_ok_and(|text| text.contains("ProcessFlowGuard"))
}

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("teaching")] {
        let entries = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
        found.extend(entries.filter(|p| p.join("gsmc.toml").exists() && !is_monitored(p)));
    }
    found.sort();
    found
}

/// Everything of the model is in the picture, inside its parent and apart from its siblings.
fn sound(app: &Application, picture: &Picture) {
    let whole = Rect { x: 0, y: 0, w: picture.width, h: picture.height };
    assert_eq!(picture.types.len(), app.types.len());
    apart(&picture.types.iter().map(|t| t.at).collect::<Vec<_>>());
    for b in &picture.types {
        let t = &app.types[b.ty];
        assert!(whole.holds(&b.at), "{} leaves the picture", t.id);
        assert_eq!(b.attrs.len(), t.attrs.len());
        assert_eq!(b.stages.len(), t.stages.len());
        let chips: Vec<Rect> = b.attrs.iter().map(|(_, l)| l.at).collect();
        chips.iter().for_each(|c| assert!(b.at.holds(c), "an attribute leaves {}", t.id));
        let top = b.stages.iter().filter(|s| t.stages[s.stage].parent.is_none()).map(|s| s.at);
        apart(&top.chain(chips).chain([b.title.at]).collect::<Vec<_>>());
        for (s, shown) in b.stages.iter().enumerate() {
            let stage = &t.stages[s];
            assert_eq!(shown.stage, StageIx(s));
            assert_eq!(shown.guards.len(), stage.guards.len());
            assert_eq!(shown.milestones.iter().map(|(m, ..)| *m).collect::<Vec<_>>(), stage.milestones);
            let parent = stage.parent.map_or(b.at, |p| b.stages[p.0].at);
            assert!(parent.holds(&shown.at), "{} leaves its parent", stage.id);
            let (left, right) = (shown.at.x, shown.at.x + shown.at.w);
            let height = shown.at.y..=shown.at.y + shown.at.h;
            assert!(shown.guards.iter().all(|g| g.x == left && height.contains(&g.y)));
            assert!(shown.milestones.iter().all(|(_, p, _)| p.x == right && height.contains(&p.y)));
            let distinct = shown.guards.windows(2).all(|w| w[1].y - w[0].y >= 12);
            assert!(distinct, "guards of {} touch", stage.id);
            let names = shown.milestones.iter().map(|(_, _, l)| l.at);
            let children = stage.children.iter().map(|c| b.stages[c.0].at);
            let inside: Vec<Rect> = names.chain([shown.title.at]).chain(shown.task.iter().map(|l| l.at)).collect();
            inside.iter().for_each(|r| assert!(shown.at.holds(r), "a name leaves {}", stage.id));
            apart(&inside.into_iter().chain(children).collect::<Vec<_>>());
        }
    }
}

fn apart(all: &[Rect]) {
    for (i, a) in all.iter().enumerate() {
        all[i + 1..].iter().for_each(|b| assert!(!a.overlaps(b), "{a:?} and {b:?} overlap"));
    }
}

#[test]
fn every_example_is_laid_out_soundly_on_screen_and_phone() {
    let all = examples();
    assert!(all.len() > 10, "{all:?}");
    for dir in all {
        let app = application(&dir);
        for width in [SCREEN, PHONE] {
            let picture = lifecycle(&app, width);
            sound(&app, &picture);
            assert_eq!(picture, lifecycle(&app, width), "{}", dir.display());
            assert!(picture.width <= width, "{} is {} wide on {width}", dir.display(), picture.width);
        }
    }
}

#[test]
fn fixed_price_fits_a_screen() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/fixed-price");
    let picture = lifecycle(&application(&dir), SCREEN);
    assert_eq!(picture.types.iter().map(|t| t.stages.len()).sum::<usize>(), 28);
    assert!(picture.width <= SCREEN && picture.height <= 1000, "{} by {}", picture.width, picture.height);
}

#[test]
fn random_applications_are_laid_out_soundly() {
    for seed in 0..60 {
        let folder = tempfile::tempdir().unwrap();
        crate::testing::random_app(seed).write_to(folder.path()).unwrap();
        let app = application(folder.path());
        for width in [SCREEN, 700, PHONE, 60] {
            sound(&app, &lifecycle(&app, width));
        }
    }
}

/// Stages in groups of nine, each with a name that needs several lines.
fn large(stages: usize) -> Application {
    let mut xml = String::new();
    for s in 0..stages {
        let name = format!("Stage number {s} with<script> a name of some length");
        let open = if s % 9 == 0 { "Stage" } else { "SubStage" };
        xml += &format!(
            "<ca:{open} id=\"S{s}\" name=\"{}\"><ca:StageGuard id=\"g{s}\" eventIds=\"Pack\"/>\
             <ca:Milestone id=\"M{s}\" name=\"Milestone of {s}\" eventIds=\"Ship\"><ca:Condition id=\"c{s}\"/></ca:Milestone>",
            xml::escape(&name)
        );
        let last = s + 1 == stages || (s + 1) % 9 == 0;
        xml += match (open, last) {
            ("Stage", true) => "</ca:Stage>",
            ("Stage", false) => "",
            (_, false) => "</ca:SubStage>",
            (_, true) => "</ca:SubStage></ca:Stage>",
        };
    }
    let model = format!(
        "<ca:CompositeApplication xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"Large\">\
         <ca:Component id=\"T\" name=\"T\"><ca:GuardedStageModel id=\"T\">{xml}</ca:GuardedStageModel></ca:Component>\
         <ca:EventModel id=\"E\"><ca:Event id=\"Ship\"/><ca:Event id=\"Pack\"/></ca:EventModel>\
         </ca:CompositeApplication>"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.xml"), model).unwrap();
    std::fs::write(folder.path().join("gsmc.toml"), "model = \"model.xml\"\n").unwrap();
    application(folder.path())
}

#[test]
fn two_hundred_stages_are_drawn_and_names_are_escaped() {
    let app = large(200);
    let picture = lifecycle(&app, SCREEN);
    sound(&app, &picture);
    let svg = svg::drawn(&app, &crate::source::Sources::new(), &picture).file();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let stages = document.descendants().filter(|n| n.attribute("class").is_some_and(|c| c.starts_with("stage")));
    assert_eq!(stages.count(), 200);
    assert!(!svg.contains("<script"));
}

/// Links between far boxes go around what lies between: a curve would go through it.
#[test]
fn far_links_find_their_way() {
    for dir in examples() {
        let app = application(&dir);
        for width in [SCREEN, 700, PHONE] {
            let svg = svg::drawn(&app, &crate::source::Sources::new(), &lifecycle(&app, width)).file();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let far = document.descendants().filter(|n| n.attribute("class") == Some("flow far"));
            for link in far {
                let of = |name: &str| link.attribute(name).unwrap_or_default().to_string();
                assert!(!of("d").contains('C'), "{dir:?} {width}: {} to {}", of("data-from"), of("data-to"));
            }
        }
    }
}

/// Every rule and edge of every event's graph is drawn, and no two boxes overlap.
#[test]
fn rule_graphs_are_whole() {
    for dir in examples() {
        let app = application(&dir);
        let all = crate::lang::gsm::Rules::of(&app);
        for order in crate::lang::gsm::orders(&app, &all) {
            let drawn = rules::file(&app, &all, &[&order]);
            let document = roxmltree::Document::parse(&drawn).unwrap();
            let class = |name: &str| {
                let has = |n: &roxmltree::Node| n.attribute("class").is_some_and(|c| c.split(' ').any(|w| w == name));
                document.descendants().filter(has).collect::<Vec<_>>()
            };
            assert_eq!(class("rule").len(), order.sequence.len());
            let edges: usize = ["before", "reversed", "dropped"].iter().map(|c| class(c).len()).sum();
            assert_eq!(edges, order.edges.len());
            apart(
                &class("rule")
                    .iter()
                    .filter_map(|n| n.first_element_child()?.next_sibling_element())
                    .map(rect)
                    .collect::<Vec<_>>(),
            );
        }
    }
}

fn rect(n: roxmltree::Node) -> Rect {
    let number = |name: &str| n.attribute(name).and_then(|v| v.parse().ok()).unwrap_or(-1);
    Rect { x: number("x"), y: number("y"), w: number("width"), h: number("height") }
}

#[test]
fn a_trace_picture_has_a_box_per_step_and_the_loop() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching/lasso");
    let loaded = load(&Request { dir: Some(dir), ..Request::default() });
    let app = loaded.app.unwrap();
    let machine = crate::lang::gsm::lower(&app, &loaded.properties, &loaded.sources).ok().unwrap();
    let plan = crate::check::Plan { engines: vec![crate::answer::Engine::NATIVE], ..Default::default() };
    let results = crate::check::run("m", &machine, &plan);
    let trace = results.results.iter().filter_map(|r| r.trace.as_ref()).find(|t| t.loop_start.is_some()).unwrap();
    let drawn = crate::trace::svg::file(&[("a <title> & \"more\"".into(), trace.clone())]);
    let document = roxmltree::Document::parse(&drawn).unwrap();
    let boxes = document.descendants().filter(|n| n.attribute("data-step").is_some());
    let rects: Vec<Rect> = boxes.filter_map(|n| n.first_element_child()).map(rect).collect();
    assert_eq!(rects.len(), trace.steps.len() + 1);
    apart(&rects);
    assert_eq!(document.descendants().filter(|n| n.attribute("class") == Some("loop")).count(), 1);
    for step in &trace.steps {
        step.changes.keys().for_each(|name| assert!(drawn.contains(name.as_str()), "{name}"));
    }
}
