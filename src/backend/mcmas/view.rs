//! What the ISPL template shows.

use crate::backend::comment::Comment;
pub(super) use crate::backend::common::{Decl, Section};
use askama::Template;

/// Actions, with a remark.
pub(super) struct Act {
    pub name: String,
    pub remark: Comment,
}

/// What an agent may do when.
pub(super) struct Offer {
    pub when: String,
    pub actions: String,
}

/// What becomes of a variable.
pub(super) struct Change {
    pub remark: Comment,
    pub lines: Vec<(String, String)>,
}

/// An agent.
pub(super) struct AgentView {
    pub name: String,
    pub remark: Comment,
    pub sees: Vec<String>,
    pub dummy: String,
    pub acts: Vec<Act>,
    pub none: String,
    pub offers: Vec<Offer>,
}

/// A line with a remark.
pub(super) struct Line {
    pub text: String,
    pub remark: Comment,
}

/// The whole file.
#[derive(Template)]
#[template(path = "model.ispl", escape = "none")]
pub(super) struct Model {
    pub version: &'static str,
    pub source: Comment,
    pub made_from: Comment,
    pub file: String,
    pub flags: &'static str,
    pub encoding: &'static str,
    pub sections: Vec<Section>,
    pub seen: Vec<Decl>,
    pub acts: Vec<Act>,
    pub idle: String,
    pub idle_always: Option<String>,
    pub offers: Vec<Offer>,
    pub changes: Vec<Change>,
    pub agents: Vec<AgentView>,
    pub propositions: Vec<Line>,
    pub init: Vec<String>,
    pub groups: Vec<(String, String)>,
    pub fairness: Vec<String>,
    pub formulas: Vec<Line>,
}
