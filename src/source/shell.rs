//! Commands that people can paste.

/// A word as a shell takes it literally. Signs that stand in most of our commands (`Type=3`, `a/b,field=2`) need no quotes.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
