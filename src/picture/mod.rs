//! What pictures are made of: measured text, boxes packed into a width, colours, and a [`Drawing`] as SVG or PNG.
//!
//! A layout is a pure function of a model and a width: nested boxes are measured from the inside out, each with a few shapes that
//! it could take ([`pack`]), and placed from the outside in. Everything is whole pixels, so the same model gives the same
//! picture on every machine. What is drawn is the languages' matter, and [`crate::trace`]'s for runs.

pub mod dot;
mod drawing;
pub mod font;
pub mod pack;
pub mod palette;
pub mod png;
pub mod route;
pub mod xml;

pub use drawing::{Drawing, STYLE};
pub use font::{Face, lines, width};

/// Width that fits a 1280 pixel screen with its margins.
pub const SCREEN: i32 = 1216;
/// Width that fits a phone.
pub const PHONE: i32 = 358;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// Is the other one inside, borders included?
    pub fn holds(&self, other: &Rect) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.x + other.w <= self.x + self.w
            && other.y + other.h <= self.y + self.h
    }

    /// Do the two share an area?
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

/// Lines of text in a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The room it takes.
    pub at: Rect,
    /// The lines.
    pub lines: Vec<String>,
}
