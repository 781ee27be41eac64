//! How arrows run: bent from shape to shape, around what stands in between.

use super::svg::centre;
use crate::picture::{Point, Rect};

/// A line that is drawn.
pub struct Line {
    /// From where it comes to its end.
    pub toward: Point,
    /// Its end.
    pub end: Point,
    /// Its path.
    pub d: String,
    /// About its middle.
    pub middle: Point,
}

/// A cubic curve.
#[derive(Clone, Copy)]
pub struct Curve {
    start: Point,
    c1: Point,
    c2: Point,
    end: Point,
}

/// How far a line may be bent aside, the least first.
const ASIDE: [i32; 10] = [36, -36, 60, -60, 90, -90, 130, -130, 180, -180];
/// Between a line and what it goes around.
const CLEAR: i32 = 2;

impl Curve {
    fn at(&self, t: f64) -> Point {
        let u = 1.0 - t;
        let one = |a: i32, b: i32, c: i32, d: i32| {
            let [a, b, c, d] = [a, b, c, d].map(f64::from);
            (u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d).round() as i32
        };
        let (s, e) = (self.start, self.end);
        Point { x: one(s.x, self.c1.x, self.c2.x, e.x), y: one(s.y, self.c1.y, self.c2.y, e.y) }
    }

    /// Points along it, close to each other.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..=100).map(|i| self.at(f64::from(i) / 100.0))
    }

    /// The line as it is drawn.
    pub fn line(&self) -> Line {
        let Curve { start, c1, c2, end } = *self;
        let d = format!("M{} {}C{} {} {} {} {} {}", start.x, start.y, c1.x, c1.y, c2.x, c2.y, end.x, end.y);
        Line { toward: c2, end, d, middle: self.at(0.5) }
    }

    /// How many points lie on one of these.
    fn on(&self, avoid: &[Rect]) -> usize {
        let covers = |r: &Rect, p: &Point| {
            let (x, y) = (p.x - r.x, p.y - r.y);
            (-CLEAR..=r.w + CLEAR).contains(&x) && (-CLEAR..=r.h + CLEAR).contains(&y)
        };
        self.points().filter(|p| avoid.iter().any(|r| covers(r, p))).count()
    }
}

/// Where a line from one shape to another starts, ends, and how it bends.
pub fn straight(from: &Rect, to: &Rect) -> Curve {
    let (a, b) = (centre(from), centre(to));
    if to.x >= from.x + from.w {
        let (start, end) = (Point { x: from.x + from.w, y: a.y }, Point { x: to.x, y: b.y });
        let bend = ((end.x - start.x) / 2).max(8);
        Curve { start, c1: Point { x: start.x + bend, ..start }, c2: Point { x: end.x - bend, ..end }, end }
    } else if to.y >= from.y + from.h {
        let (start, end) = (Point { x: a.x, y: from.y + from.h }, Point { x: b.x, y: to.y });
        let bend = ((end.y - start.y) / 2).max(8);
        Curve { start, c1: Point { y: start.y + bend, ..start }, c2: Point { y: end.y - bend, ..end }, end }
    } else {
        // Back: above both.
        let (start, end) = (Point { x: a.x, y: from.y }, Point { x: b.x, y: to.y });
        let high = start.y.min(end.y) - 18 - (a.x - b.x).abs() / 12;
        Curve { start, c1: Point { x: start.x, y: high }, c2: Point { x: end.x, y: high }, end }
    }
}

/// The same, bent aside where it would run over something; `low` is where the picture ends.
pub fn around(from: &Rect, to: &Rect, avoid: &[Rect], low: i32) -> Line {
    let plain = straight(from, to);
    let (mut best, mut least) = (plain, plain.on(avoid));
    for aside in ASIDE {
        if least == 0 {
            break;
        }
        let bent = bent(&plain, aside);
        if bent.points().any(|p| p.y < 2 || p.y > low - 2) {
            continue;
        }
        let on = bent.on(avoid);
        if on < least {
            (best, least) = (bent, on);
        }
    }
    best.line()
}

fn bent(curve: &Curve, aside: i32) -> Curve {
    let (s, e) = (curve.start, curve.end);
    let lane = if aside > 0 { s.y.max(e.y) } else { s.y.min(e.y) } + aside;
    // Steep at both ends, so that it is soon aside of everything.
    let run = (e.x - s.x) / 8;
    if e.x > s.x && curve.c1.y == s.y {
        Curve { c1: Point { x: s.x + run, y: lane }, c2: Point { x: e.x - run, y: lane }, ..*curve }
    } else {
        Curve {
            c1: Point { x: curve.c1.x + aside, ..curve.c1 },
            c2: Point { x: curve.c2.x + aside, ..curve.c2 },
            ..*curve
        }
    }
}

/// Where an arrow goes on in a row below: out to the right of everything that belongs to its source (`clear`), down, back above
/// the target, and into it. So it strikes out no name.
pub fn wrapped(from: &Rect, to: &Rect, clear: i32) -> Option<Line> {
    let (start, end) = (Point { x: from.x + from.w, y: centre(from).y }, Point { x: centre(to).x, y: to.y });
    let (right, lane) = (clear + 12, to.y - 15);
    let r = 8.min((lane - start.y) / 2);
    if to.x + to.w > from.x || lane <= from.y + from.h || r <= 0 {
        return None;
    }
    let d = format!(
        "M{} {}H{}Q{right} {} {right} {}V{}Q{right} {lane} {} {lane}H{}Q{} {lane} {} {}V{}",
        start.x,
        start.y,
        right - r,
        start.y,
        start.y + r,
        lane - r,
        right - r,
        end.x + r,
        end.x,
        end.x,
        lane + r,
        end.y
    );
    Some(Line { toward: Point { y: lane, ..end }, end, d, middle: Point { x: (right + end.x) / 2, y: lane } })
}
