//! What the Promela template shows.

use crate::backend::comment::Comment;
use askama::Template;

/// A declaration with its initial value and a remark.
pub(super) struct Decl {
    pub ty: &'static str,
    pub name: String,
    pub init: String,
    pub remark: Comment,
}

/// The variables of a slot, or those that belong to none.
pub(super) struct Section {
    pub title: Comment,
    pub vars: Vec<Decl>,
}

/// One way to choose.
pub(super) struct Choose {
    pub guard: String,
    pub sets: String,
}

/// All ways to choose an action.
pub(super) struct Offer {
    pub remark: Comment,
    pub ways: Vec<Choose>,
    /// Payload that may be anything.
    pub free: Vec<(String, Vec<i64>)>,
}

/// Code, with a remark.
pub(super) struct Line {
    pub code: String,
    pub remark: Comment,
}

/// What happens when one of some actions was chosen, in blocks that are not too long.
pub(super) struct Happens {
    pub title: Comment,
    pub when: String,
    pub blocks: Vec<Vec<Line>>,
}

/// The whole file.
#[derive(Template)]
#[template(path = "model.pml", escape = "none")]
pub(super) struct Model {
    pub version: &'static str,
    pub source: Comment,
    pub made_from: Comment,
    pub values: Vec<(String, i64)>,
    pub actions: Vec<(String, i64)>,
    pub sections: Vec<Section>,
    pub atoms: Vec<Decl>,
    pub scratch: Vec<String>,
    pub stuck: bool,
    pub act: String,
    pub act_type: &'static str,
    pub payload: Vec<(&'static str, String)>,
    pub offers: Vec<Offer>,
    pub idle: &'static str,
    pub happens: Vec<Happens>,
    pub updates: Vec<Happens>,
    pub atom_code: Vec<Vec<Line>>,
    pub prints: Vec<String>,
    pub resets: Vec<String>,
    pub claims: Vec<super::ClaimText>,
}
