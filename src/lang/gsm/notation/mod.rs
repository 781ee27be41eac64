//! gsmc's own notation for GSM models: `.gsm` files. It says what the XML and its schemas say in a tenth of the characters, and one
//! file can hold a whole project.
//!
//! Reading gives the same raw model as the XML reader, so everything after it is shared.

mod blocks;
mod data;
mod finish;
mod lifecycle;
mod read;
mod tasks;
#[cfg(test)]
mod tests;

pub use read::read;

use crate::lang::config::Config;
use crate::lang::gsm::convert::Block;
use crate::lang::gsm::xml::RawModel;
use crate::lang::syntax::Text;

/// What a `.gsm` file says.
#[derive(Clone, Debug)]
pub struct File {
    /// The model, with the data of types and events in it.
    pub model: RawModel,
    /// Instances, options and references between types.
    pub settings: Config,
    /// Its blocks of settings as they stand.
    pub blocks: Vec<Block>,
    /// The text of its `agents` block.
    pub agents: Option<Text>,
    /// The text of its `properties` block.
    pub properties: Option<Text>,
}
