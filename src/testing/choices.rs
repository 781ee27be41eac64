//! Where the decisions of a generator come from: a seed, or a list that a property-test library can shrink.

use std::collections::VecDeque;

/// A stream of decisions. Smaller numbers stand for simpler outcomes, and a list that has run out gives zeros: shrinking the list
/// shrinks what is made from it.
#[derive(Clone, Debug)]
pub struct Choices {
    list: VecDeque<u16>,
    random: Option<fastrand::Rng>,
}

impl Choices {
    /// From a seed; the same on every machine.
    pub fn seeded(seed: u64) -> Choices {
        Choices { list: VecDeque::new(), random: Some(fastrand::Rng::with_seed(seed)) }
    }

    /// From a list.
    pub fn listed(list: &[u16]) -> Choices {
        Choices { list: list.iter().copied().collect(), random: None }
    }

    fn next(&mut self) -> u16 {
        match &mut self.random {
            Some(random) => random.u16(..),
            None => self.list.pop_front().unwrap_or(0),
        }
    }

    /// A number from 0 to `n - 1`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (usize::from(self.next()) * n) >> 16
    }

    /// True with this probability; false is the simpler outcome.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) + percent >= 100
    }

    /// One of a list, the simplest first. `None` if it is empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(from.len());
        from.get(at)
    }

    /// One of several constants, the simplest first.
    pub fn one_of<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[self.below(N)]
    }

    /// A part of a list, in its order; each element with this probability.
    pub fn some_of<T: Clone>(&mut self, from: &[T], percent: usize) -> Vec<T> {
        from.iter().filter(|_| self.chance(percent)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_choices_and_an_empty_list_is_simplest() {
        let (mut a, mut b) = (Choices::seeded(7), Choices::seeded(7));
        assert!((0..100).all(|n| a.below(n) == b.below(n)));
        let mut none = Choices::listed(&[]);
        assert_eq!((none.below(5), none.chance(99), none.one_of(['a', 'b'])), (0, false, 'a'));
        assert!(none.chance(100));
        let mut most = Choices::listed(&[u16::MAX, u16::MAX, u16::MAX]);
        assert_eq!((most.below(5), most.chance(1), most.chance(0)), (4, true, false));
    }
}
