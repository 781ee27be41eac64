//! Numbers with fractions that are only told apart by constants: the constants, and one number for each interval between them.

use super::number::Ratio;

/// A number that stands for itself or for an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The number, in parts.
    pub value: i64,
    /// It is a constant, and stands for itself alone. If not, it stands for all numbers between its neighbours.
    pub constant: bool,
}

/// The points of a number, ascending: constants and intervals take turns, so that two neighbours are never of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Points {
    parts: i64,
    list: Vec<Point>,
    /// An end that is no value itself, where an interval is cut off.
    open: (Option<i64>, Option<i64>),
}

/// Where the values of a number end, in parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Smallest or largest value; none: it goes on for ever.
    pub end: Option<i64>,
    /// The end is no value itself.
    pub open: bool,
}

impl Points {
    /// The points between two ends, where 1 has so many parts, at least two, and constants and ends are even numbers of them. `None`: there is no value.
    pub fn of(parts: i64, mut constants: Vec<i64>, lo: Cut, hi: Cut) -> Option<Points> {
        constants.extend(lo.end.iter().chain(&hi.end));
        constants.sort_unstable();
        constants.dedup();
        let above = |c: &i64| lo.end.is_none_or(|e| *c > e || (*c == e && !lo.open));
        let below = |c: &i64| hi.end.is_none_or(|e| *c < e || (*c == e && !hi.open));
        // What lies between the ends that are values, and the ends that are none.
        let inside: Vec<i64> = constants.into_iter().filter(|c| above(c) && below(c)).collect();
        let open = (lo.end.filter(|_| lo.open), hi.end.filter(|_| hi.open));
        let known: Vec<i64> = open.0.iter().chain(&inside).chain(&open.1).copied().collect();
        let between = |value: i64| Point { value, constant: false };
        let mut list = Vec::new();
        if lo.end.is_none() {
            list.push(between(known.first().map_or(0, |c| c.saturating_sub(parts))));
        }
        for (at, c) in known.iter().enumerate() {
            if Some(*c) != open.0 && Some(*c) != open.1 {
                list.push(Point { value: *c, constant: true });
            }
            if let Some(next) = known.get(at + 1) {
                list.push(between(c / 2 + next / 2));
            }
        }
        // Without any constant all numbers are one interval.
        if let (Some(last), None) = (known.last(), hi.end) {
            list.push(between(last.saturating_add(parts)));
        }
        let ascending = list.windows(2).all(|w| w[0].value < w[1].value);
        let crossed = matches!((lo.end, hi.end), (Some(a), Some(b)) if a > b || (a == b && (lo.open || hi.open)));
        (!list.is_empty() && ascending && !crossed).then_some(Points { parts, list, open })
    }

    /// How many parts make 1.
    pub fn parts(&self) -> i64 {
        self.parts
    }

    /// The points, ascending.
    pub fn list(&self) -> &[Point] {
        &self.list
    }

    /// Ends that are no values, in parts.
    pub fn open_ends(&self) -> (Option<i64>, Option<i64>) {
        self.open
    }

    /// Where they begin, or with `last` end.
    fn cut(&self, last: bool) -> Cut {
        let (open, point) = if last { (self.open.1, self.list.last()) } else { (self.open.0, self.list.first()) };
        let closed = point.filter(|p| p.constant).map(|p| p.value);
        Cut { end: open.or(closed), open: open.is_some() }
    }

    /// All constants of both, between the ends that lie further out; `None`: they are counted in different parts.
    pub fn joined(&self, other: &Points) -> Option<Points> {
        let outer = |last: bool| {
            let (a, b) = (self.cut(last), other.cut(last));
            match (a.end, b.end) {
                (Some(x), Some(y)) if x == y => Cut { open: a.open && b.open, ..a },
                (Some(x), Some(y)) => {
                    if (x < y) == last {
                        b
                    } else {
                        a
                    }
                }
                _ => Cut::default(),
            }
        };
        let constants = self.list.iter().chain(&other.list).filter(|p| p.constant).map(|p| p.value);
        // An end that is no value for one of them is a constant for the other.
        let ends = [self, other].into_iter().flat_map(|p| [p.open.0, p.open.1]).flatten();
        let constants = constants.chain(ends).collect();
        (self.parts == other.parts).then(|| Points::of(self.parts, constants, outer(false), outer(true))).flatten()
    }

    /// The number of a code.
    pub fn number(&self, code: i64) -> Option<Ratio> {
        let point = usize::try_from(code).ok().and_then(|at| self.list.get(at))?;
        Some(Ratio::new(point.value.into(), self.parts.max(1).into()))
    }

    /// The code of the constant, or of the interval, that a number is or lies in; `None`: it lies beyond the ends.
    pub fn code_of(&self, number: &Ratio) -> Option<i64> {
        let n = number * Ratio::from_integer(self.parts.into());
        let at = |value: i64| Ratio::from_integer(value.into());
        let (lo, hi) = self.open;
        if lo.is_some_and(|lo| n <= at(lo)) || hi.is_some_and(|hi| n >= at(hi)) {
            return None;
        }
        let constants = self.list.iter().enumerate().filter(|(_, p)| p.constant);
        // The first constant that is not below it: it is that, or lies in the interval before.
        let first = constants.clone().find(|(_, p)| at(p.value) >= n);
        let code = match first {
            Some((code, p)) if at(p.value) == n => Some(code),
            Some((code, _)) => code.checked_sub(1),
            None => self.list.last().filter(|p| !p.constant).map(|_| self.list.len() - 1),
        };
        code.map(|c| c as i64)
    }

    /// Whole numbers around all that it can be.
    pub fn whole_ends(&self) -> (i64, i64) {
        let parts = self.parts.max(1);
        let first = self.list.first().map_or(0, |p| p.value.div_euclid(parts));
        let last = self.list.last().map_or(0, |p| p.value.div_euclid(parts) + i64::from(p.value.rem_euclid(parts) > 0));
        (first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Domain;

    fn cut(end: i64, open: bool) -> Cut {
        Cut { end: Some(end), open }
    }

    fn shown(points: Option<Points>) -> String {
        let Some(points) = points else { return "none".into() };
        let domain = Domain::Points(points);
        let (lo, hi) = domain.bounds();
        (lo..=hi).map(|code| domain.show(code)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn constants_and_what_lies_between() {
        let free = Cut::default();
        for (constants, lo, hi, expected) in [
            (vec![], free, free, "0"),
            (vec![0, 260], free, free, "-1 0 1.3 2.6 3.6"),
            (vec![260, 0, 0], cut(0, false), free, "0 1.3 2.6 3.6"),
            (vec![0, 260], cut(0, true), free, "1.3 2.6 3.6"),
            (vec![0, 260], cut(0, true), cut(300, true), "1.3 2.6 2.8"),
            (vec![0, 260], cut(-100, false), cut(100, false), "-1 -0.5 0 0.5 1"),
            (vec![700], cut(0, true), cut(100, true), "0.5"),
            (vec![], cut(50, false), cut(50, false), "0.5"),
            (vec![], cut(50, true), cut(50, false), "none"),
            (vec![], cut(50, true), cut(50, true), "none"),
            (vec![], free, cut(300, true), "2"),
            (vec![], cut(100, false), cut(0, false), "none"),
        ] {
            assert_eq!(shown(Points::of(100, constants.clone(), lo, hi)), expected, "{constants:?} {lo:?} {hi:?}");
        }
    }

    #[test]
    fn two_numbers_as_one() {
        let free = Cut::default();
        let of = |constants: &[i64], lo, hi| Points::of(100, constants.to_vec(), lo, hi).unwrap();
        let (a, b) = (of(&[260], cut(0, true), cut(300, false)), of(&[100], cut(0, false), cut(300, true)));
        assert_eq!(shown(a.joined(&b)), "0 0.5 1 1.8 2.6 2.8 3");
        assert_eq!(shown(a.joined(&of(&[-500], free, cut(200, true)))), "-6 -5 -2.5 0 1 2 2.3 2.6 2.8 3");
        assert_eq!(a.joined(&a), Some(a));
    }

    /// Every number belongs to the interval that counting says.
    #[test]
    fn numbers_find_their_interval() {
        let points = Points::of(100, vec![0, 260], cut(-100, false), cut(300, true)).unwrap();
        let domain = Domain::Points(points);
        for (text, expected) in [
            ("-1.01", None),
            ("-1", Some("-1")),
            ("-0.999", Some("-0.5")),
            ("0", Some("0")),
            ("1/3", Some("1.3")),
            ("2.59999", Some("1.3")),
            ("2.60", Some("2.6")),
            ("2.999", Some("2.8")),
            ("3", None),
            ("17", None),
            ("x", None),
        ] {
            assert_eq!(domain.read(text).map(|c| domain.show(c)).as_deref(), expected, "{text}");
        }
        let (lo, hi) = domain.bounds();
        assert!((lo..=hi).all(|c| domain.read(&domain.show(c)) == Some(c)));
    }
}
