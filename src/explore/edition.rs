//! Which reading of the files the page shows.

use serde::Serialize;
use std::sync::{Arc, Mutex};

/// A reading of the files, and what is wrong with newer ones. Copies know the same.
#[derive(Clone, Debug, Default)]
pub struct Edition {
    number: usize,
    trouble: Arc<Mutex<String>>,
}

/// An edition as the page hears of it.
#[derive(Debug, Serialize)]
pub struct Heard {
    /// Another number: the page asks for everything again.
    edition: usize,
    /// Why the files as they are now make no model; empty if they do.
    trouble: String,
}

impl Edition {
    /// The one after this, with nothing wrong.
    pub fn next(&self) -> Edition {
        Edition { number: self.number + 1, trouble: Arc::default() }
    }

    /// The files have changed and make no model; empty: they make this one again.
    pub fn outdated(&self, why: String) {
        if let Ok(mut trouble) = self.trouble.lock() {
            *trouble = why;
        }
    }

    /// For the page.
    pub fn heard(&self) -> Heard {
        Heard { edition: self.number, trouble: self.trouble.lock().map(|t| t.clone()).unwrap_or_default() }
    }
}
