//! Sets of codes as ranges, so that a wide one costs no more than a narrow one.

/// Codes: disjoint ranges, ascending, none next to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    /// All codes from the first to the last.
    pub fn range(lo: i64, hi: i64) -> Ranges {
        Ranges(if lo <= hi { vec![(lo, hi)] } else { vec![] })
    }

    /// The ranges.
    pub fn list(&self) -> &[(i64, i64)] {
        &self.0
    }

    /// No code at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of codes.
    pub fn len(&self) -> u64 {
        self.0.iter().fold(0u64, |n, (lo, hi)| n.saturating_add(hi.abs_diff(*lo)).saturating_add(1))
    }

    /// The code, if there is only one.
    pub fn only(&self) -> Option<i64> {
        match self.0.as_slice() {
            [(lo, hi)] if lo == hi => Some(*lo),
            _ => None,
        }
    }

    /// Smallest and largest code.
    pub fn ends(&self) -> Option<(i64, i64)> {
        Some((self.0.first()?.0, self.0.last()?.1))
    }

    /// Is this one of them?
    pub fn contains(&self, code: i64) -> bool {
        self.0.iter().any(|(lo, hi)| (*lo..=*hi).contains(&code))
    }

    /// The code at a position, ascending.
    pub fn nth(&self, mut position: u64) -> Option<i64> {
        for (lo, hi) in &self.0 {
            let before_last = hi.abs_diff(*lo);
            if position <= before_last {
                return lo.checked_add_unsigned(position);
            }
            position -= before_last + 1;
        }
        None
    }

    /// All of them, ascending.
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().flat_map(|(lo, hi)| *lo..=*hi)
    }
}

impl From<Vec<i64>> for Ranges {
    fn from(mut codes: Vec<i64>) -> Ranges {
        codes.sort_unstable();
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for code in codes {
            match ranges.last_mut() {
                Some((_, hi)) if *hi == code || hi.checked_add(1) == Some(code) => *hi = code,
                _ => ranges.push((code, code)),
            }
        }
        Ranges(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_a_list_would_be() {
        for bits in 0u32..256 {
            let list: Vec<i64> = (-3..5).filter(|c| bits >> (c + 3) & 1 == 1).collect();
            let ranges = Ranges::from(list.iter().rev().copied().collect::<Vec<_>>());
            assert_eq!(ranges.iter().collect::<Vec<_>>(), list);
            assert_eq!(ranges.len(), list.len() as u64);
            assert!((0..10).all(|n| ranges.nth(n as u64) == list.get(n).copied()));
            assert_eq!(ranges.is_empty(), list.is_empty());
            assert_eq!(ranges.ends(), list.first().copied().zip(list.last().copied()));
            assert_eq!(ranges.only(), if let [one] = list.as_slice() { Some(*one) } else { None });
            assert!((-5..8).all(|c| ranges.contains(c) == list.contains(&c)));
            assert!(ranges.list().windows(2).all(|w| w[0].1 + 1 < w[1].0));
        }
        let all = Ranges::range(i64::MIN, i64::MAX);
        assert!(all.len() == u64::MAX && all.contains(7) && Ranges::range(1, 0).is_empty());
        assert_eq!(Ranges::from(vec![i64::MAX, i64::MAX]).only(), Some(i64::MAX));
    }
}
