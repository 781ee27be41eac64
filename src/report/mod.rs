//! Results for people and programs.

mod results;

pub use results::{Disagreement, Engine, MachineNumbers, PropertyResult, Results, Verdict, disagreements};
