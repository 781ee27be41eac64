//! Who decides.

use serde::Serialize;

/// An engine that decides properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The built-in BDD checker.
    Native,
    /// NuSMV or nuXmv on exported SMV.
    Nusmv,
    /// SPIN on exported Promela.
    Spin,
    /// MCMAS on exported ISPL.
    Mcmas,
}

impl Engine {
    /// All engines, in the order of columns.
    pub const ALL: [Engine; 4] = [Engine::Native, Engine::Nusmv, Engine::Spin, Engine::Mcmas];

    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Native => "native",
            Engine::Nusmv => "nusmv",
            Engine::Spin => "spin",
            Engine::Mcmas => "mcmas",
        }
    }

    /// The engine of a name.
    pub fn of(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|e| e.name() == name)
    }
}

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
