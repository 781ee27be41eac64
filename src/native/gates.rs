//! What truth values are made of: diagrams, or the wires of a circuit. Numbers, expressions and steps are built of either.

use super::bdd::{Bdd, Space, Stop};

type Res<T> = Result<T, Stop>;

/// Where truth values are put together.
pub trait Gates {
    /// How many sets of rules that can fire together are looked at, to see whether their order matters.
    const MOST_SETS: usize;

    /// Why there is no answer where there are more; `None`: then no step is taken to depend on the order.
    fn too_many_sets() -> Option<Stop>;

    /// A truth value; the same ones are equal.
    type Bit: Clone + PartialEq + std::fmt::Debug;

    /// A constant.
    fn constant(&self, value: bool) -> Self::Bit;
    /// Negation.
    fn not(&self, a: &Self::Bit) -> Self::Bit;
    /// Conjunction.
    fn and(&self, a: &Self::Bit, b: &Self::Bit) -> Res<Self::Bit>;
    /// Exclusive or.
    fn xor(&self, a: &Self::Bit, b: &Self::Bit) -> Res<Self::Bit>;
    /// `if c then a else b`.
    fn ite(&self, c: &Self::Bit, a: &Self::Bit, b: &Self::Bit) -> Res<Self::Bit>;

    /// Always true.
    fn yes(&self) -> Self::Bit {
        self.constant(true)
    }

    /// Always false.
    fn no(&self) -> Self::Bit {
        self.constant(false)
    }

    /// Disjunction.
    fn or(&self, a: &Self::Bit, b: &Self::Bit) -> Res<Self::Bit> {
        Ok(self.not(&self.and(&self.not(a), &self.not(b))?))
    }

    /// Equivalence.
    fn iff(&self, a: &Self::Bit, b: &Self::Bit) -> Res<Self::Bit> {
        Ok(self.not(&self.xor(a, b)?))
    }

    /// Conjunction of many.
    fn all<'b>(&self, bits: impl IntoIterator<Item = &'b Self::Bit>) -> Res<Self::Bit>
    where
        Self::Bit: 'b,
    {
        bits.into_iter().try_fold(self.yes(), |all, bit| self.and(&all, bit))
    }

    /// Disjunction of many.
    fn any<'b>(&self, bits: impl IntoIterator<Item = &'b Self::Bit>) -> Res<Self::Bit>
    where
        Self::Bit: 'b,
    {
        bits.into_iter().try_fold(self.no(), |any, bit| self.or(&any, bit))
    }
}

impl Gates for Space {
    const MOST_SETS: usize = crate::machine::component::MOST_SETS;
    type Bit = Bdd;

    fn too_many_sets() -> Option<Stop> {
        Some(Stop::TooManySets)
    }

    fn constant(&self, value: bool) -> Bdd {
        Space::constant(self, value)
    }

    fn not(&self, a: &Bdd) -> Bdd {
        Space::not(self, a)
    }

    fn and(&self, a: &Bdd, b: &Bdd) -> Res<Bdd> {
        Space::and(self, a, b)
    }

    fn xor(&self, a: &Bdd, b: &Bdd) -> Res<Bdd> {
        Space::xor(self, a, b)
    }

    fn ite(&self, c: &Bdd, a: &Bdd, b: &Bdd) -> Res<Bdd> {
        Space::ite(self, c, a, b)
    }
}
