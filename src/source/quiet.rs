//! Panics of libraries that are caught and become answers: nobody has to read about them.

use std::cell::Cell;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does something whose panics on this thread are caught.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let before = QUIET.replace(true);
    let done = work();
    QUIET.set(before);
    done
}

/// Is a panic of this thread going to be caught?
pub fn is_quiet() -> bool {
    QUIET.get()
}
