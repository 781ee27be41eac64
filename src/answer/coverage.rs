//! How far partial searches came.

use serde::{Deserialize, Serialize};

/// What a swarm of partial searches looked at without finding a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Searches that came to their end.
    pub searches: u32,
    /// Those of them that met their depth limit.
    pub cut: u32,
    /// Searches that were stopped before their end.
    pub stopped: u32,
    /// The fewest snapshots (with a claim's state) that one of them marked.
    pub fewest: u64,
    /// The most.
    pub most: u64,
    /// Steps of the deepest.
    pub deepest: u64,
    /// The least number of bits for each marked snapshot; below 100, many were taken for ones seen before.
    pub hash_factor: f64,
}

impl Coverage {
    /// Both together.
    pub fn and(&self, other: &Coverage) -> Coverage {
        let (one, two) = match (self.searches, other.searches) {
            (0, _) => (other, other),
            (_, 0) => (self, self),
            _ => (self, other),
        };
        Coverage {
            searches: self.searches + other.searches,
            cut: self.cut + other.cut,
            stopped: self.stopped + other.stopped,
            fewest: one.fewest.min(two.fewest),
            most: one.most.max(two.most),
            deepest: one.deepest.max(two.deepest),
            hash_factor: one.hash_factor.min(two.hash_factor),
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        let counted = |n: u32, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "es" });
        let mut parts = Vec::new();
        if self.searches > 0 {
            let marked = match self.fewest == self.most {
                true => format!("{} snapshots", self.most),
                false => format!("{} to {} snapshots", self.fewest, self.most),
            };
            parts.push(format!(
                "{} found nothing among {marked} each, at most {} steps deep",
                counted(self.searches, "search"),
                self.deepest
            ));
        }
        if self.cut > 0 {
            parts.push(format!("{} met the depth limit", self.cut));
        }
        if self.stopped > 0 {
            parts.push(format!("{} did not come to an end", counted(self.stopped, "search")));
        }
        if self.searches > 0 {
            parts.push(format!("hash factor at least {:.1}", self.hash_factor));
        }
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::Coverage;

    #[test]
    fn searches_add_up() {
        let one = Coverage { searches: 2, cut: 1, stopped: 0, fewest: 10, most: 30, deepest: 9, hash_factor: 80.0 };
        let two = Coverage { searches: 1, cut: 0, stopped: 1, fewest: 20, most: 20, deepest: 12, hash_factor: 120.25 };
        let none = Coverage { stopped: 3, ..Coverage::default() };
        let both = Coverage { searches: 3, cut: 1, stopped: 1, fewest: 10, most: 30, deepest: 12, hash_factor: 80.0 };
        assert_eq!(one.and(&two), both);
        assert_eq!(two.and(&none), Coverage { stopped: 4, ..two.clone() });
        assert_eq!(none.and(&two), two.and(&none));
        assert_eq!(
            both.words(),
            "3 searches found nothing among 10 to 30 snapshots each, at most 12 steps deep; 1 met the depth limit; \
             1 search did not come to an end; hash factor at least 80.0"
        );
        assert_eq!(none.words(), "3 searches did not come to an end");
    }
}
