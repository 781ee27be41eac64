//! A snapshot of a machine.

use super::VarId;
use std::ops::{Deref, Index, IndexMut};

/// One code per state variable, read by its handle: `snapshot[var]`. As a slice it has the codes in the order of the variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Snapshot(Vec<i64>);

impl Index<VarId> for Snapshot {
    type Output = i64;

    fn index(&self, var: VarId) -> &i64 {
        &self.0[var.0 as usize]
    }
}

impl IndexMut<VarId> for Snapshot {
    fn index_mut(&mut self, var: VarId) -> &mut i64 {
        &mut self.0[var.0 as usize]
    }
}

impl Deref for Snapshot {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        &self.0
    }
}

impl From<Vec<i64>> for Snapshot {
    fn from(codes: Vec<i64>) -> Snapshot {
        Snapshot(codes)
    }
}

impl From<&[i64]> for Snapshot {
    fn from(codes: &[i64]) -> Snapshot {
        Snapshot(codes.to_vec())
    }
}

impl FromIterator<i64> for Snapshot {
    fn from_iter<I: IntoIterator<Item = i64>>(codes: I) -> Snapshot {
        Snapshot(codes.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Snapshot {
    type Item = &'a i64;
    type IntoIter = std::slice::Iter<'a, i64>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
