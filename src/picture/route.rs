//! Lines between far boxes: right-angled, around the boxes and texts in between.

use super::{Point, Rect};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::fmt::Write;

/// Room between a line and what it goes around.
const GAP: i32 = 5;
/// How far a line goes straight out to the right at its beginning, and comes from the left at its end.
const STUB: i32 = 9;
/// A bend costs as much as so many pixels.
const BEND: i32 = 24;
/// Larger grids are not searched.
const MOST_PLACES: usize = 60_000;

/// The places where lines may run, and between which neighbours they can.
pub struct Streets {
    xs: Vec<i32>,
    ys: Vec<i32>,
    /// Per place: is the way to the right, and the way down, free?
    right: Vec<bool>,
    down: Vec<bool>,
}

impl Streets {
    /// The streets between obstacles, with a crossing at the height of every end; `None` when there are too many.
    pub fn new(obstacles: &[Rect], ends: &[(Point, Point)], (width, height): (i32, i32)) -> Option<Streets> {
        let (mut xs, mut ys) = (BTreeSet::new(), BTreeSet::new());
        for r in obstacles {
            xs.extend([r.x - GAP, r.x + r.w + GAP]);
            ys.extend([r.y - GAP, r.y + r.h + GAP]);
        }
        for (a, b) in ends {
            xs.extend([a.x + STUB, b.x - STUB]);
            ys.extend([a.y, b.y]);
        }
        let xs: Vec<i32> = xs.into_iter().filter(|x| (2..width - 2).contains(x)).collect();
        let ys: Vec<i32> = ys.into_iter().filter(|y| (2..height - 2).contains(y)).collect();
        if xs.len() * ys.len() > MOST_PLACES {
            return None;
        }
        let free = |a: Point, b: Point| !obstacles.iter().any(|r| crosses(r, a, b));
        let (mut right, mut down) = (Vec::new(), Vec::new());
        for (j, y) in ys.iter().enumerate() {
            for (i, x) in xs.iter().enumerate() {
                let here = Point { x: *x, y: *y };
                right.push(xs.get(i + 1).is_some_and(|x| free(here, Point { x: *x, y: here.y })));
                down.push(ys.get(j + 1).is_some_and(|y| free(here, Point { x: here.x, y: *y })));
            }
        }
        Some(Streets { xs, ys, right, down })
    }

    /// A short way with few bends.
    pub fn way(&self, from: Point, to: Point) -> Option<Vec<Point>> {
        let place =
            |p: Point| Some(self.ys.binary_search(&p.y).ok()? * self.xs.len() + self.xs.binary_search(&p.x).ok()?);
        let start = place(Point { x: from.x + STUB, y: from.y })?;
        let goal = place(Point { x: to.x - STUB, y: to.y })?;
        // A state is a place and whether the line came along (0) or across (1).
        let mut best = vec![i32::MAX; 2 * self.right.len()];
        let mut came: Vec<usize> = vec![usize::MAX; best.len()];
        let mut queue = BinaryHeap::from([Reverse((0, 2 * start))]);
        *best.get_mut(2 * start)? = 0;
        while let Some(Reverse((cost, state))) = queue.pop() {
            if state == 2 * goal {
                return Some(self.points(&came, 2 * start, state, (from, to)));
            }
            if best.get(state).is_none_or(|b| cost > *b) {
                continue;
            }
            for (next, length, turn) in self.neighbours(state / 2) {
                let bend = if state % 2 == turn { 0 } else { BEND };
                let (there, cost) = (2 * next + turn, cost + length + bend);
                if best.get(there).is_some_and(|b| cost < *b) {
                    (best[there], came[there]) = (cost, state);
                    queue.push(Reverse((cost, there)));
                }
            }
            // To arrive, a line turns along.
            if state % 2 == 1 && best.get(state - 1).is_some_and(|b| cost + BEND < *b) {
                (best[state - 1], came[state - 1]) = (cost + BEND, state);
                queue.push(Reverse((cost + BEND, state - 1)));
            }
        }
        None
    }

    /// Neighbours of a place with their distance and direction.
    fn neighbours(&self, at: usize) -> Vec<(usize, i32, usize)> {
        let wide = self.xs.len();
        let (i, j) = (at % wide, at / wide);
        let mut found = Vec::new();
        let (across, along) =
            (|a: usize, b: usize| self.ys[b] - self.ys[a], |a: usize, b: usize| self.xs[b] - self.xs[a]);
        if self.right[at] {
            found.push((at + 1, along(i, i + 1), 0));
        }
        if i > 0 && self.right[at - 1] {
            found.push((at - 1, along(i - 1, i), 0));
        }
        if self.down[at] {
            found.push((at + wide, across(j, j + 1), 1));
        }
        if j > 0 && self.down[at - wide] {
            found.push((at - wide, across(j - 1, j), 1));
        }
        found
    }

    /// The corners of a way, ends included.
    fn points(&self, came: &[usize], start: usize, goal: usize, (from, to): (Point, Point)) -> Vec<Point> {
        let wide = self.xs.len();
        let point = |state: usize| Point { x: self.xs[state / 2 % wide], y: self.ys[state / 2 / wide] };
        let mut line = vec![to, point(goal)];
        let mut at = goal;
        while at != start && came[at] != usize::MAX {
            at = came[at];
            line.push(point(at));
        }
        line.push(from);
        line.reverse();
        line.dedup();
        let mut corners: Vec<Point> = Vec::new();
        for (n, p) in line.iter().enumerate() {
            let straight = corners
                .last()
                .zip(line.get(n + 1))
                .is_some_and(|(a, b)| (a.x == p.x && p.x == b.x) || (a.y == p.y && p.y == b.y));
            if !straight {
                corners.push(*p);
            }
        }
        corners
    }
}

/// Does a line go through the inside of a box?
fn crosses(r: &Rect, a: Point, b: Point) -> bool {
    let (left, right) = (a.x.min(b.x), a.x.max(b.x));
    let (top, bottom) = (a.y.min(b.y), a.y.max(b.y));
    right > r.x && left < r.x + r.w && bottom > r.y && top < r.y + r.h
}

/// A line through points with rounded corners, as an SVG path.
pub fn rounded(points: &[Point]) -> String {
    let mut out = String::new();
    let Some(first) = points.first() else { return out };
    let _ = write!(out, "M{} {}", first.x, first.y);
    for w in points.windows(3) {
        let (a, p, b) = (w[0], w[1], w[2]);
        let room = |q: Point| ((q.x - p.x).abs() + (q.y - p.y).abs()) / 2;
        let r = 6.min(room(a)).min(room(b));
        let toward = |q: Point| Point { x: p.x + (q.x - p.x).signum() * r, y: p.y + (q.y - p.y).signum() * r };
        let (near, far) = (toward(a), toward(b));
        let _ = write!(out, "L{} {}Q{} {} {} {}", near.x, near.y, p.x, p.y, far.x, far.y);
    }
    if let Some(last) = points.last() {
        let _ = write!(out, "L{} {}", last.x, last.y);
    }
    out
}
