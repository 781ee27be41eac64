//! Sentences about the examples, read by people; more are in `tests/words.rs`.

use super::phrase::{joined, sentence};

#[test]
fn lists_and_sentences_read_well() {
    let list = |n: usize| ["a", "b", "c"][..n].iter().map(|s| s.to_string()).collect::<Vec<_>>();
    assert_eq!(joined(list(1), "or"), "a");
    assert_eq!(joined(list(2), "or"), "a or b");
    assert_eq!(joined(list(3), "and"), "a, b and c");
    assert_eq!(joined(Vec::new(), "and"), "");
    assert_eq!(sentence("after Pay it is so"), "After Pay it is so.");
}
