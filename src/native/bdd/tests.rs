//! The façade against truth tables, naive sets of bit vectors and the library's own operations.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use oxidd::{BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst};

use super::*;

/// Pairs in the random tests; a snapshot is a number below `1 << PAIRS`.
const PAIRS: u32 = 4;

fn space(pairs: u32) -> Space {
    Space::new(pairs, &Limits::default()).unwrap()
}

/// The function over `levels` that is true where the bit of `table` is set.
fn from_table(s: &Space, levels: &[Level], table: u64) -> Bdd {
    let mut f = s.no();
    for row in 0..1u64 << levels.len() {
        if table >> row & 1 == 1 {
            let literals = levels.iter().enumerate();
            let cube = s.cube(literals.map(|(i, &l)| (l, row >> i & 1 == 1)));
            f = s.or(&f, &cube.unwrap()).unwrap();
        }
    }
    f
}

fn table_of(f: &Bdd, levels: &[Level]) -> u64 {
    let row_value = |row: u64| {
        f.eval(|l| {
            let i = levels.iter().position(|&x| x == l);
            i.is_some_and(|i| row >> i & 1 == 1)
        })
    };
    (0..1u64 << levels.len()).filter(|&row| row_value(row)).fold(0, |t, row| t | 1 << row)
}

#[test]
fn connectives_follow_their_truth_tables() {
    let s = space(2);
    let levels = [0, 1, 2];
    let functions: Vec<Bdd> = (0..256).map(|t| from_table(&s, &levels, t)).collect();
    let at = |t: u64| &functions[(t & 255) as usize];
    for a in (0..256u64).step_by(3) {
        assert_eq!(table_of(at(a), &levels), a);
        assert_eq!(&s.not(at(a)), at(!a));
        for b in 0..256u64 {
            assert_eq!(&s.and(at(a), at(b)).unwrap(), at(a & b));
            assert_eq!(&s.or(at(a), at(b)).unwrap(), at(a | b));
            assert_eq!(&s.xor(at(a), at(b)).unwrap(), at(a ^ b));
            assert_eq!(&s.iff(at(a), at(b)).unwrap(), at(!(a ^ b)));
            assert_eq!(&s.implies(at(a), at(b)).unwrap(), at(!a | b));
            assert_eq!(&s.diff(at(a), at(b)).unwrap(), at(a & !b));
            assert_eq!(s.is_subset(at(a), at(b)).unwrap(), a & !b == 0);
            assert_eq!(s.meets(at(a), at(b)).unwrap(), a & b != 0);
            let c = (a * 37 + b * 101) & 255;
            let ite = s.ite(at(a), at(b), at(c)).unwrap();
            assert_eq!(&ite, at((a & b) | (!a & c)));
        }
    }
}

#[test]
fn quantifiers_follow_their_truth_tables() {
    let s = space(2);
    let levels = [0, 1, 2];
    // Rows are numbered by the bits of levels 0, 1, 2; a mask keeps the rows with bit i clear.
    let clear = [0x55u64, 0x33, 0x0f];
    let spread = |t: u64, i: usize, join: fn(u64, u64) -> u64| {
        let (zero, one) = (t & clear[i], t >> (1 << i) & clear[i]);
        let joined = join(zero, one);
        joined | joined << (1 << i)
    };
    for t in 0..256u64 {
        let f = from_table(&s, &levels, t);
        for set in 0..8usize {
            let chosen: Vec<usize> = (0..3).filter(|i| set >> i & 1 == 1).collect();
            let vars = s.variables(chosen.iter().map(|&i| levels[i])).unwrap();
            let exists = chosen.iter().fold(t, |t, &i| spread(t, i, |a, b| a | b));
            let forall = chosen.iter().fold(t, |t, &i| spread(t, i, |a, b| a & b));
            assert_eq!(table_of(&s.exists(&f, &vars).unwrap(), &levels), exists);
            assert_eq!(table_of(&s.forall(&f, &vars).unwrap(), &levels), forall);
            let g = from_table(&s, &levels, t.wrapping_mul(0x9d) & 255);
            let both = s.and(&f, &g).unwrap();
            let fused = s.and_exists(&f, &g, &vars).unwrap();
            assert_eq!(fused, s.exists(&both, &vars).unwrap());
        }
        for (i, &level) in levels.iter().enumerate() {
            let cube = s.literal(level, true).unwrap();
            let one = t >> (1 << i) & clear[i];
            let expected = one | one << (1 << i);
            assert_eq!(table_of(&s.cofactor(&f, &cube).unwrap(), &levels), expected);
        }
    }
}

#[test]
fn members_counts_and_support() {
    let s = space(3);
    let levels = [0, 2, 3, 5];
    let all: BTreeSet<Level> = levels.into();
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let table = rng.u64(..) & 0xffff;
        let f = from_table(&s, &levels, table);
        assert_eq!(s.count(&f, &all).unwrap(), table.count_ones().into());
        let wider: BTreeSet<Level> = (0..6).collect();
        let wide = BigUint::from(4 * table.count_ones());
        assert_eq!(s.count(&f, &wider).unwrap(), wide);
        let rows = |keep: u64| (0..16u64).filter(move |r| table >> r & 1 == 1).map(move |r| r & keep);
        let shadow: BTreeSet<u64> = rows(0b0101).collect();
        let half = [levels[0], levels[2]].into();
        assert_eq!(s.count(&f, &half).unwrap(), shadow.len().into());
        match f.pick(&levels) {
            None => assert_eq!(table, 0),
            Some(bits) => {
                let row = bits.iter().enumerate().map(|(i, &b)| u64::from(b) << i).sum::<u64>();
                assert_eq!(table >> row & 1, 1);
                assert!(f.eval(|l| bits[levels.iter().position(|&x| x == l).unwrap()]));
            }
        }
        for &level in &levels {
            let zero = s.cofactor(&f, &s.literal(level, false).unwrap()).unwrap();
            let one = s.cofactor(&f, &s.literal(level, true).unwrap()).unwrap();
            assert_eq!(f.support().contains(&level), zero != one);
        }
    }
    assert!(s.no().pick_cube().is_none());
    assert_eq!(s.yes().pick_cube(), Some(vec![]));
    let none = BTreeSet::new();
    assert_eq!(s.count(&s.yes(), &none).unwrap(), 1u8.into());
    let many: BTreeSet<Level> = (0..6).collect();
    let x = s.literal(4, false).unwrap();
    assert_eq!(s.count(&x, &many).unwrap(), 32u8.into());
}

#[test]
fn the_picked_member_prefers_zeros() {
    let s = space(2);
    let f = s.or(&s.literal(0, true).unwrap(), &s.literal(2, true).unwrap());
    assert_eq!(f.unwrap().pick(&[0, 1, 2]), Some(vec![false, false, true]));
}

/// A random partial relation with the same transitions written out one by one.
struct Sample {
    relation: Relation,
    transitions: Vec<(u32, u32)>,
}

fn sample(s: &Space, rng: &mut fastrand::Rng) -> Sample {
    let writes: Vec<u32> = (0..PAIRS).filter(|_| rng.bool()).collect();
    let reads: Vec<u32> = (0..PAIRS).filter(|_| rng.bool()).collect();
    let mask: u32 = writes.iter().map(|p| 1 << p).sum();
    let read_mask: u32 = reads.iter().map(|p| 1 << p).sum();
    let mut bdd = s.no();
    let mut chosen = BTreeSet::new();
    for _ in 0..rng.usize(0..10) {
        let from = rng.u32(0..1 << PAIRS) & read_mask;
        let to = rng.u32(0..1 << PAIRS) & mask;
        chosen.insert((from, to));
        let reading = reads.iter().map(|&p| (current(p), from >> p & 1 == 1));
        let writing = writes.iter().map(|&p| (next(p), to >> p & 1 == 1));
        let cube = s.cube(reading.chain(writing)).unwrap();
        bdd = s.or(&bdd, &cube).unwrap();
    }
    let mut transitions = Vec::new();
    for state in 0..1 << PAIRS {
        for &(from, to) in &chosen {
            if state & read_mask == from {
                transitions.push((state, state & !mask | to));
            }
        }
    }
    Sample { relation: s.relation(bdd, writes), transitions }
}

fn set_of(s: &Space, states: impl Iterator<Item = u32>) -> Bdd {
    let table = states.fold(0, |t, state| t | 1u64 << state);
    let levels: Vec<Level> = (0..PAIRS).map(current).collect();
    from_table(s, &levels, table)
}

/// The image by the library's own operations: conjunction, quantification, substitution.
fn stock_image(s: &Space, set: &Bdd, relation: &Relation) -> Bdd {
    let old = s.variables(relation.writes.iter().map(|&p| current(p))).unwrap();
    let next_bits: Vec<u32> = relation.writes.iter().map(|&p| next(p)).collect();
    let current_bits: Vec<_> = relation.writes.iter().map(|&p| s.literal(current(p), true).unwrap().0).collect();
    let moved = set.0.apply_exists(BooleanOperator::And, &relation.bdd.0, &old.0).unwrap();
    Bdd(moved.substitute(&Subst::new(next_bits, current_bits)).unwrap())
}

fn stock_preimage(s: &Space, set: &Bdd, relation: &Relation) -> Bdd {
    let new = s.variables(relation.writes.iter().map(|&p| next(p))).unwrap();
    let current_bits: Vec<u32> = relation.writes.iter().map(|&p| current(p)).collect();
    let next_bits: Vec<_> = relation.writes.iter().map(|&p| s.literal(next(p), true).unwrap().0).collect();
    let moved = set.0.substitute(&Subst::new(current_bits, next_bits)).unwrap();
    Bdd(moved.apply_exists(BooleanOperator::And, &relation.bdd.0, &new.0).unwrap())
}

#[test]
fn images_agree_with_bit_vectors_and_with_stock_operations() {
    let s = space(PAIRS);
    let mut rng = fastrand::Rng::with_seed(42);
    for _ in 0..400 {
        let Sample { relation, transitions } = sample(&s, &mut rng);
        for _ in 0..4 {
            let members = rng.u32(0..1 << (1 << PAIRS));
            let within = |state: &u32| members >> state & 1 == 1;
            let set = set_of(&s, (0..1 << PAIRS).filter(within));

            let reached = transitions.iter().filter(|(from, _)| within(from)).map(|t| t.1);
            let image = s.image(&set, &relation).unwrap();
            assert_eq!(image, set_of(&s, reached));
            assert_eq!(image, stock_image(&s, &set, &relation));

            let sources = transitions.iter().filter(|(_, to)| within(to)).map(|t| t.0);
            let preimage = s.preimage(&set, &relation).unwrap();
            assert_eq!(preimage, set_of(&s, sources));
            assert_eq!(preimage, stock_preimage(&s, &set, &relation));
        }
    }
}

#[test]
fn pairs_can_be_added_later() {
    let s = space(1);
    let before = s.literal(current(0), true).unwrap();
    let first = s.add_pairs(2);
    assert_eq!((first, s.pairs()), (1, 3));
    let both = s.and(&before, &s.literal(next(2), false).unwrap()).unwrap();
    assert_eq!(both.support(), [0, 5].into());
}

/// The function `x0 = y0 ∧ x1 = y1 …` in the order `x0 x1 … y0 y1 …` is exponential.
fn blow_up(s: &Space) -> Result<Bdd, Stop> {
    let half = s.pairs();
    (0..half).try_fold(s.yes(), |f, i| {
        let same = s.iff(&s.literal(i, true)?, &s.literal(half + i, true)?)?;
        s.and(&f, &same)
    })
}

#[test]
fn full_memory_is_an_answer_and_the_space_lives_on() {
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let s = Space::new(40, &limits).unwrap();
    let small = s.literal(3, true).unwrap();
    for _ in 0..3 {
        assert_eq!(blow_up(&s), Err(Stop::OutOfMemory));
        let f = s.and(&small, &s.literal(7, false).unwrap()).unwrap();
        assert_eq!(f.node_count(), 3);
        assert!(s.is_subset(&f, &small).unwrap());
    }
    assert!(s.peak_nodes() > 1000);
}

#[test]
fn deadlines_and_interrupts_stop_long_operations() {
    let s = space(60);
    s.set_deadline(Some(Instant::now() + Duration::from_millis(60)));
    assert_eq!(blow_up(&s), Err(Stop::Timeout));
    s.set_deadline(None);
    assert!(s.literal(0, true).is_ok());

    let limits = Limits::default();
    let flag = limits.interrupt.clone();
    let s = Space::new(60, &limits).unwrap();
    let watcher = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        flag.store(true, Ordering::Relaxed);
    });
    assert_eq!(blow_up(&s), Err(Stop::Interrupted));
    watcher.join().unwrap();
    limits.interrupt.store(false, Ordering::Relaxed);
    assert!(s.literal(0, true).is_ok());
}

#[test]
fn garbage_is_collected_on_the_way() {
    let s = space(30);
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..40 {
        let mut f = s.no();
        for _ in 0..400 {
            let cube = s.cube((0..60).map(|l| (l, rng.bool()))).unwrap();
            f = s.or(&f, &cube).unwrap();
        }
    }
    s.collect();
    assert!(s.nodes() < 1000, "{} nodes are left", s.nodes());
}

#[test]
fn deep_diagrams_do_not_overflow_the_stack() {
    let nodes = with_big_stack(|| {
        let s = space(20_000);
        let all = s.variables((0..20_000).map(current)).unwrap();
        let odd = s.variables((0..20_000).map(next)).unwrap();
        s.and(&all, &odd).unwrap().node_count()
    });
    assert_eq!(nodes, 40_001);
}
