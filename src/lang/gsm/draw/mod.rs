//! The lifecycle as the literature draws it, and rule graphs.

pub mod dot;
mod flow;
mod route;
pub mod rules;
mod shape;
mod svg;
#[cfg(test)]
mod tests;

pub use svg::drawing;

use super::{Application, AttrIx, MilestoneIx, StageIx, TypeIx};
use crate::picture::{Label, Point, Rect, pack};
use flow::Flow;

/// The lifecycle of all artifact types, laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width of the whole.
    pub width: i32,
    /// Height of the whole.
    pub height: i32,
    /// One box per artifact type, in the order of the application.
    pub types: Vec<TypeBox>,
    /// Which milestone feeds which guard.
    pub flows: Vec<Flow>,
}

/// An artifact type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeBox {
    /// Which.
    pub ty: TypeIx,
    /// Where.
    pub at: Rect,
    /// Its name.
    pub title: Label,
    /// Its data attributes.
    pub attrs: Vec<(AttrIx, Label)>,
    /// Its stages, in the order of the type.
    pub stages: Vec<StageBox>,
}

/// A stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageBox {
    /// Which.
    pub stage: StageIx,
    /// How deep it lies; 0 for a top-level stage.
    pub depth: usize,
    /// Where.
    pub at: Rect,
    /// Its name.
    pub title: Label,
    /// The name of its task.
    pub task: Option<Label>,
    /// Centres of its guards, on the left edge.
    pub guards: Vec<Point>,
    /// Its milestones: centres on the right edge, and names.
    pub milestones: Vec<(MilestoneIx, Point, Label)>,
}

/// Lays out the lifecycle of an application for a width. Only a model that cannot be drawn so narrow becomes wider.
pub fn lifecycle(app: &Application, most: i32) -> Picture {
    let flows = flow::flows(app);
    let shapes: Vec<Vec<shape::TypeShape>> =
        TypeIx::all(&app.types).map(|ty| shape::type_shapes(app, ty, most - 2 * shape::MARGIN)).collect();
    let sizes: Vec<Vec<pack::Size>> = shapes.iter().map(|list| list.iter().map(|s| s.size).collect()).collect();
    let packings = pack::pack(&sizes, most - 2 * shape::MARGIN, shape::TYPE_GAP);
    let best = pack::best(&packings, most - 2 * shape::MARGIN);
    let mut picture = Picture { width: 2 * shape::MARGIN, height: 2 * shape::MARGIN, types: Vec::new(), flows };
    let Some(packing) = best.and_then(|b| packings.get(b)) else { return picture };
    picture.width += packing.size.w;
    picture.height += packing.size.h;
    for (ty, place) in packing.arrange(packing.size, shape::TYPE_GAP).into_iter().enumerate() {
        let at = Rect { x: place.at.x + shape::MARGIN, y: place.at.y + shape::MARGIN, ..place.at };
        if let Some(shape) = shapes[ty].get(place.variant) {
            picture.types.push(shape.place(app, TypeIx(ty), at));
        }
    }
    picture
}
