//! Who decides.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Mutex;

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

/// Names that were read from files; there are few, and they stay.
static READ: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
/// No name of an engine is longer.
const LONGEST: usize = 32;
/// No file names more engines.
const MOST: usize = 64;

impl<'d> Deserialize<'d> for Engine {
    fn deserialize<D: Deserializer<'d>>(d: D) -> Result<Engine, D::Error> {
        let name = String::deserialize(d)?;
        let mut read = READ.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = [Engine::NATIVE.0].into_iter().chain(read.iter().copied()).find(|known| *known == name);
        if let Some(name) = known {
            return Ok(Engine(name));
        }
        if name.len() > LONGEST || read.len() >= MOST {
            return Err(serde::de::Error::custom(format!("'{name}' is no engine")));
        }
        let name: &'static str = Box::leak(name.into_boxed_str());
        read.push(name);
        Ok(Engine(name))
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
