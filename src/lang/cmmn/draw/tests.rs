//! Everything is drawn, where it belongs.

use super::{flow, lay_out};
use crate::lang::cmmn::model::{Case, Profile};
use crate::lang::cmmn::tests::case;
use crate::picture::SCREEN;

/// Shapes lie in their containers and not on each other.
fn tidy(c: &Case) {
    for most in [SCREEN, 360] {
        let placed = flow::lay_out(c, most);
        for (ix, item) in c.items.iter().enumerate().skip(1) {
            let at = placed.items[ix];
            assert!(at.w > 0 && at.h > 0, "{} is not drawn", item.name);
            assert!(placed.items[item.parent.unwrap_or(0)].holds(&at), "{} is outside", item.name);
            for other in (1..ix).filter(|o| c.items[*o].parent == item.parent) {
                assert!(!at.overlaps(&placed.items[other]), "{} and {}", item.name, c.items[other].name);
            }
        }
        assert!(placed.criteria.iter().all(|d| d.w > 0));
    }
}

#[test]
fn shapes_lie_in_their_containers_and_beside_each_other() {
    for seed in 0..40 {
        for profile in [Profile::Flowable, Profile::Spec] {
            tidy(&case(&crate::testing::cmmn::random_case(seed), profile));
        }
    }
}

const HEAD: &str = r#"<definitions xmlns="http://www.omg.org/spec/CMMN/20151109/MODEL" xmlns:di="http://www.omg.org/spec/CMMN/20151109/CMMNDI"
    xmlns:dc="http://www.omg.org/spec/CMMN/20151109/DC"><case id="c"><casePlanModel id="p">
    <planItem id="i" definitionRef="t"/><humanTask id="t"/></casePlanModel></case><di:CMMNDI><di:CMMNDiagram>"#;

fn with_shapes(shapes: &[(&str, [i32; 4])]) -> String {
    let mut text = HEAD.to_string();
    for (id, [x, y, w, h]) in shapes {
        text += &format!(
            r#"<di:CMMNShape cmmnElementRef="{id}"><dc:Bounds x="{x}" y="{y}" width="{w}.0" height="{h}"/></di:CMMNShape>"#
        );
    }
    text + "</di:CMMNDiagram></di:CMMNDI></definitions>"
}

#[test]
fn positions_of_the_file_count_when_they_are_complete() {
    let full = case(&with_shapes(&[("p", [100, 100, 400, 300]), ("i", [150, 200, 100, 80])]), Profile::Flowable);
    let at = lay_out(&full, SCREEN).items;
    assert_eq!((at[1].x - at[0].x, at[1].y - at[0].y, at[1].w, at[0].w), (50, 100, 100, 400));
    let part = case(&with_shapes(&[("p", [100, 100, 400, 300])]), Profile::Flowable);
    assert_eq!(lay_out(&part, SCREEN), flow::lay_out(&part, SCREEN));
}
