//! Arguments that several commands share.

use crate::gsm::{Creation, Idle};
use clap::ValueEnum;
use std::path::PathBuf;

/// Which application, and how to read it. Everything of `gsmc.toml` can be given or overridden here.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ModelArgs {
    /// Project folder with a gsmc.toml
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Model file (Barcelona XML)
    #[arg(short, long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Agents file
    #[arg(short, long, value_name = "FILE")]
    pub agents: Option<PathBuf>,
    /// Property file; may be repeated
    #[arg(short = 's', long = "properties", value_name = "FILE")]
    pub properties: Vec<PathBuf>,
    /// Number of instances of a type, as Type=3; may be repeated
    #[arg(long, value_name = "TYPE=N")]
    pub instances: Vec<String>,
    /// Range of an integer attribute, as Type.attr=0..7; may be repeated
    #[arg(long, value_name = "TYPE.ATTR=LO..HI")]
    pub range: Vec<String>,
    /// A reference attribute, as Type.attr=OtherType; may be repeated
    #[arg(long, value_name = "TYPE.ATTR=TYPE")]
    pub relation: Vec<String>,
    /// When the system may do nothing
    #[arg(long, value_enum)]
    pub idle: Option<IdleArg>,
    /// What creating does when no slot is free
    #[arg(long, value_enum)]
    pub creation: Option<CreationArg>,
    /// Refuse a model whose rule graph is cyclic
    #[arg(long)]
    pub strict_order: bool,
    /// Keep attributes that nothing reads
    #[arg(long)]
    pub keep_all: bool,
}

/// Output formats of commands that print a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
}

/// `--idle`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum IdleArg {
    /// In every snapshot
    Always,
    /// Only where nobody can act
    Terminal,
    /// Nowhere; a snapshot where nobody can act is an error
    Never,
}

/// `--creation`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum CreationArg {
    /// Nobody can create
    Block,
    /// Nothing changes but the overflow flag
    Overflow,
}

impl From<IdleArg> for Idle {
    fn from(a: IdleArg) -> Idle {
        match a {
            IdleArg::Always => Idle::Always,
            IdleArg::Terminal => Idle::Terminal,
            IdleArg::Never => Idle::Never,
        }
    }
}

impl From<CreationArg> for Creation {
    fn from(a: CreationArg) -> Creation {
        match a {
            CreationArg::Block => Creation::Block,
            CreationArg::Overflow => Creation::Overflow,
        }
    }
}
