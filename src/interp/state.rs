//! Snapshots packed into bits, and sets of them.
//!
//! A snapshot is worked on as one code per variable (a [`Snapshot`], or `&[i64]` in the order of the variables) and kept as a few machine words.

use crate::machine::{Machine, Snapshot, VarId};
use hashbrown::hash_table::{Entry, HashTable};

/// A packed snapshot. Equal snapshots of one [`Layout`] are equal words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed(Box<[u64]>);

impl Packed {
    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Where every variable lies in a packed snapshot. No variable straddles two words.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    width: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    lo: i64,
}

impl Layout {
    /// The layout of a machine's snapshots.
    pub fn of(machine: &Machine) -> Layout {
        let (mut word, mut shift) = (0, 0);
        let mut fields = Vec::with_capacity(machine.state_vars().len());
        for var in machine.state_vars() {
            let bits = var.domain.bits();
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
            fields.push(Field { word, shift: shift.min(63), mask, lo: var.domain.bounds().0 });
            shift += bits;
        }
        Layout { fields, width: word + 1 }
    }

    /// Words of a snapshot.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of variables.
    pub fn vars(&self) -> usize {
        self.fields.len()
    }

    /// Packs codes, one per variable, all within their domains.
    pub fn pack(&self, codes: &[i64]) -> Packed {
        let mut words = Vec::new();
        self.pack_into(codes, &mut words);
        Packed(words.into())
    }

    /// Packs into a buffer.
    pub fn pack_into(&self, codes: &[i64], words: &mut Vec<u64>) {
        words.clear();
        words.resize(self.width, 0);
        for (field, &code) in self.fields.iter().zip(codes) {
            let offset = code.wrapping_sub(field.lo) as u64;
            debug_assert!(offset <= field.mask, "code {code} outside its domain");
            words[field.word] |= (offset & field.mask) << field.shift;
        }
    }

    /// The codes of a packed snapshot, one per variable.
    pub fn unpack(&self, snapshot: &Packed) -> Snapshot {
        self.fields.iter().map(|f| f.read(&snapshot.0)).collect()
    }

    /// Unpacks into a buffer.
    pub fn unpack_into(&self, words: &[u64], codes: &mut Vec<i64>) {
        codes.clear();
        codes.extend(self.fields.iter().map(|f| f.read(words)));
    }

    /// One variable of a packed snapshot.
    pub fn get(&self, words: &[u64], var: VarId) -> i64 {
        self.fields[var.0 as usize].read(words)
    }
}

impl Field {
    fn read(&self, words: &[u64]) -> i64 {
        ((words[self.word] >> self.shift) & self.mask).wrapping_add(self.lo as u64) as i64
    }
}

/// A set of packed snapshots of one width, numbered in the order in which they came.
#[derive(Clone, Debug)]
pub struct StateSet {
    width: usize,
    words: Vec<u64>,
    /// Numbers of snapshots, by their words.
    numbers: HashTable<u32>,
}

impl StateSet {
    /// An empty set for snapshots of a layout.
    pub fn new(layout: &Layout) -> StateSet {
        StateSet { width: layout.width(), words: Vec::new(), numbers: HashTable::new() }
    }

    /// Number of snapshots.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// No snapshots?
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The words of a snapshot by its number.
    pub fn at(&self, index: usize) -> &[u64] {
        at(&self.words, self.width, index)
    }

    /// The number of a snapshot.
    pub fn find(&self, words: &[u64]) -> Option<usize> {
        self.numbers.find(hash(words), |n| self.at(*n as usize) == words).map(|n| *n as usize)
    }

    /// Takes a snapshot in; its number, and whether it is new. `None` when the set cannot number any more.
    pub fn insert(&mut self, words: &[u64]) -> Option<(usize, bool)> {
        let (known, width, index) = (&self.words, self.width, self.numbers.len());
        let here = |n: &u32| at(known, width, *n as usize);
        match self.numbers.entry(hash(words), |n| here(n) == words, |n| hash(here(n))) {
            Entry::Occupied(there) => Some((*there.get() as usize, false)),
            Entry::Vacant(free) => {
                free.insert(u32::try_from(index).ok()?);
                self.words.extend_from_slice(words);
                Some((index, true))
            }
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.numbers.allocation_size()
    }
}

fn at(words: &[u64], width: usize, index: usize) -> &[u64] {
    &words[index * width..(index + 1) * width]
}

fn hash(words: &[u64]) -> u64 {
    let mix = |h: u64, w: &u64| {
        let x = (h ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^ (x >> 29)
    };
    words.iter().fold(0x2545_f491_4f6c_dd1d, mix)
}
