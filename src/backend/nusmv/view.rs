//! What the SMV template shows.

use crate::backend::comment::Comment;
pub(super) use crate::backend::common::{Decl, Section};
use askama::Template;

/// `name := text`, with a remark.
pub(super) struct Def {
    pub name: String,
    pub text: String,
    pub remark: Comment,
}

/// What an event does at a slot.
pub(super) struct BodyDefs {
    pub title: Comment,
    pub happens: String,
    pub when: String,
    pub defs: Vec<Def>,
}

/// The next value of a variable, case by case.
pub(super) struct Next {
    pub var: String,
    pub init: String,
    pub cases: Vec<(String, String)>,
}

/// A fairness constraint or a specification.
pub(super) struct Line {
    pub remark: Comment,
    pub text: String,
}

/// The whole file.
#[derive(Template)]
#[template(path = "model.smv", escape = "none")]
pub(super) struct Model {
    pub version: &'static str,
    pub source: Comment,
    pub made_from: Comment,
    pub file: String,
    pub values: Vec<(String, i64)>,
    pub constants: Vec<(String, i64)>,
    pub act: String,
    pub actions: Vec<(String, Comment)>,
    pub idle: String,
    pub idle_remark: &'static str,
    pub inputs: Vec<Decl>,
    pub sections: Vec<Section>,
    pub bodies: Vec<BodyDefs>,
    pub updates: Vec<Def>,
    pub guards: Vec<Def>,
    pub stuck: Vec<Def>,
    pub allowed: Vec<(String, String)>,
    pub nexts: Vec<Next>,
    pub fairness: Vec<Line>,
    pub specs: Vec<Line>,
}
