//! What links between far boxes go around.

use super::Picture;
use crate::lang::gsm::Application;
use crate::picture::{Point, Rect};

/// What lines go around: stages without stages inside, circles and diamonds, and all texts.
pub fn obstacles(app: &Application, picture: &Picture) -> Vec<Rect> {
    let mut all = Vec::new();
    for b in &picture.types {
        let t = &app.types[b.ty];
        all.push(b.title.at);
        all.extend(b.attrs.iter().map(|(_, label)| label.at));
        for s in &b.stages {
            all.extend(s.milestones.iter().map(|(_, at, _)| sign(*at)));
            all.extend(s.guards.iter().map(|at| sign(*at)));
            if t.stages.get(s.stage.0).is_some_and(|model| model.children.is_empty()) {
                all.push(s.at);
                continue;
            }
            all.push(s.title.at);
            all.extend(s.task.iter().map(|l| l.at));
            all.extend(s.milestones.iter().map(|(_, _, label)| label.at));
        }
    }
    all
}

/// The room of a circle or diamond.
fn sign(at: Point) -> Rect {
    Rect { x: at.x - 7, y: at.y - 7, w: 13, h: 14 }
}
