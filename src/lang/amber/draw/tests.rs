//! Everything is drawn, where it belongs.

use super::{lay_out, svg};
use crate::lang::amber::lower::lower;
use crate::lang::amber::{Model, NodeKind, read};
use crate::picture::font::{SMALL, width};
use crate::picture::{Rect, SCREEN};
use crate::source::{Diagnostics, Sources};
use crate::testing::amber::{Limits, seeded};

fn model(text: &str) -> Model {
    let mut sources = Sources::new();
    let file = sources.add("model.amber", text);
    read(file, &sources, &mut Diagnostics::new()).expect("a model")
}

fn garage() -> Model {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/amber/garage/model.amber");
    model(&std::fs::read_to_string(path).expect("the garage"))
}

/// Shapes do not overlap, and lie in their blocks.
fn tidy(m: &Model) {
    for most in [SCREEN, 360] {
        let picture = lay_out(m, most);
        let gate = |n: usize| matches!(m.nodes[n].kind, NodeKind::Entry | NodeKind::Exit);
        for n in (0..m.nodes.len()).filter(|&n| !gate(n)) {
            let at = picture.nodes[n].at;
            assert!(at.w > 0, "{} is not drawn", m.nodes[n].path);
            for o in (0..n).filter(|&o| !gate(o)) {
                assert!(!at.overlaps(&picture.nodes[o].at), "{} and {}", m.nodes[n].path, m.nodes[o].path);
            }
            for b in &picture.blocks {
                let inside = m.inside(m.nodes[n].block, b.block);
                assert_eq!(b.at.holds(&at), inside, "{} in {}", m.nodes[n].path, m.blocks[b.block].path);
                assert!(inside || !b.at.overlaps(&at), "{} on {}", m.nodes[n].path, m.blocks[b.block].path);
            }
        }
    }
}

#[test]
fn shapes_lie_in_their_blocks_and_beside_each_other() {
    tidy(&garage());
    for seed in 0..60 {
        tidy(&model(seeded(seed, &Limits::default()).file("model.amber").unwrap_or_default()));
    }
}

/// A decision with three ways: each condition stands beside its own.
#[test]
fn conditions_do_not_stand_on_each_other() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/amber/hospital/model.amber");
    let m = model(&std::fs::read_to_string(path).expect("the hospital"));
    let lowered = lower(&m, &[], false).expect("a machine");
    for most in [SCREEN, 360] {
        let drawn = svg::drawing(&m, &lowered.machine, &lowered.map, &lay_out(&m, most)).file();
        let document = roxmltree::Document::parse(&drawn).expect("well-formed");
        let number = |n: &roxmltree::Node, name: &str| n.attribute(name).and_then(|v| v.parse::<i32>().ok());
        let texts = document.descendants().filter(|n| n.attribute("class") == Some("condition"));
        let room = |n: roxmltree::Node| {
            let text = n.text().unwrap_or_default();
            let (x, y) = (number(&n, "x").expect("a place"), number(&n, "y").expect("a place"));
            (text.to_string(), Rect { x, y: y - 9, w: width(text, SMALL), h: 10 })
        };
        let all: Vec<(String, Rect)> = texts.map(room).collect();
        assert!(all.len() > 3);
        for (i, (a, at)) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|(_, other)| !at.overlaps(other)), "{most}: {a} in {all:?}");
        }
    }
}

#[test]
fn the_garage_has_all_its_nodes_and_a_snapshot_colours_them() {
    let m = garage();
    let picture = lay_out(&m, SCREEN);
    let lowered = lower(&m, &[], false).expect("a machine");
    let drawn = svg::drawing(&m, &lowered.machine, &lowered.map, &picture).file();
    let document = roxmltree::Document::parse(&drawn).expect("well-formed");
    let with = |name: &str| document.descendants().filter(|n| n.has_attribute(name)).count();
    assert_eq!(with("data-node"), m.nodes.len());
    assert_eq!((with("data-block"), with("data-relation"), with("data-from")), (2, 4, m.arrows.len()));
    // Every variable of the control state is somewhere in the picture, and nothing else is.
    let painted: Vec<&str> = document.descendants().filter_map(|n| n.attribute("data-var")).collect();
    let control: Vec<&str> =
        lowered.machine.state_vars().iter().map(|v| v.name.as_str()).filter(|n| n.contains('(')).collect();
    assert!(control.iter().all(|c| painted.contains(c)), "{control:?}");
    assert!(painted.iter().all(|p| control.contains(p)), "{painted:?}");
    assert!(drawn.contains("decision == Approved"));
}

/// Numbers of a path `Mx yCx y x y x y`, if it is one.
fn cubic(d: &str) -> Option<Vec<f64>> {
    let numbers = d.strip_prefix('M')?.replace('C', " ");
    let numbers: Vec<f64> = numbers.split(' ').map(|n| n.parse().ok()).collect::<Option<_>>()?;
    (numbers.len() == 8).then_some(numbers)
}

/// Arrows that run over the shape or the name of a node that they have nothing to do with.
fn struck_out(m: &Model, most: i32) -> Vec<String> {
    let picture = lay_out(m, most);
    let lowered = lower(m, &[], false).expect("a machine");
    let drawn = svg::drawing(m, &lowered.machine, &lowered.map, &picture).file();
    let document = roxmltree::Document::parse(&drawn).expect("well-formed");
    let mut found = Vec::new();
    for arrow in document.descendants().filter(|n| n.attribute("class") == Some("arrow")) {
        let ends = [arrow.attribute("data-from"), arrow.attribute("data-to")];
        let path = arrow.children().find_map(|p| p.attribute("d")).expect("a path");
        let Some(p) = cubic(path) else { continue };
        let at = |t: f64, axis: usize| {
            let u = 1.0 - t;
            u.powi(3) * p[axis]
                + 3.0 * u * u * t * p[axis + 2]
                + 3.0 * u * t * t * p[axis + 4]
                + t.powi(3) * p[axis + 6]
        };
        for (node, b) in m.nodes.iter().zip(&picture.nodes).filter(|(n, _)| !ends.contains(&Some(n.path.as_str()))) {
            let over = |r: &Rect| {
                (0..=400).map(|i| f64::from(i) / 400.0).any(|t| {
                    let (x, y) = (at(t, 0) - f64::from(r.x), at(t, 1) - f64::from(r.y));
                    x > 0.0 && y > 0.0 && x < f64::from(r.w) && y < f64::from(r.h)
                })
            };
            if over(&b.at) || over(&b.label.at) {
                found.push(format!("{ends:?} over {}", node.path));
            }
        }
    }
    found
}

#[test]
fn arrows_go_around_what_stands_in_between() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/amber");
    let mut folders: Vec<_> = std::fs::read_dir(root).expect("examples").flatten().map(|e| e.path()).collect();
    folders.sort();
    let mut tried = 0;
    for text in folders.iter().filter_map(|f| std::fs::read_to_string(f.join("model.amber")).ok()) {
        let m = model(&text);
        let found = struck_out(&m, SCREEN);
        assert!(found.is_empty(), "{}: {found:?}", m.name);
        tried += 1;
    }
    assert!(tried > 10);
}
