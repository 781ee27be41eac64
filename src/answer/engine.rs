//! Who decides.

use serde::{Serialize, Serializer};

/// The name of an engine that decides properties. Which there are beside the built-in one, the table of checkers says,
/// and in which order they stand; here they are ordered by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Engine(&'static str);

impl Engine {
    /// The built-in BDD checker.
    pub const NATIVE: Engine = Engine("native");

    /// An engine of that name.
    pub const fn named(name: &'static str) -> Engine {
        Engine(name)
    }

    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.0)
    }
}
