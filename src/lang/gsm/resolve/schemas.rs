//! Finding and reading the schema files of a model.

use crate::lang::files;
use crate::lang::gsm::xml::Word;
use crate::lang::gsm::xsd::{self, Schema};
use crate::source::codes::files as codes;
use crate::source::{Diagnostic, Diagnostics, Sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Schema files, each read once.
pub struct Schemas<'a> {
    /// The model's folder.
    folder: &'a Path,
    /// Files named by the user, which come first.
    explicit: &'a [PathBuf],
    sources: &'a mut Sources,
    read: BTreeMap<PathBuf, Option<Rc<Schema>>>,
}

impl<'a> Schemas<'a> {
    /// Looks in `explicit`, then below `folder`.
    pub fn new(folder: &'a Path, explicit: &'a [PathBuf], sources: &'a mut Sources) -> Schemas<'a> {
        Schemas { folder, explicit, sources, read: BTreeMap::new() }
    }

    /// The schema of a `schemaUri`, or an error that says where it was looked for.
    pub fn get(&mut self, uri: &Word, diags: &mut Diagnostics) -> Option<Rc<Schema>> {
        let path = self.find(uri, diags)?;
        if let Some(known) = self.read.get(&path) {
            return known.clone();
        }
        let file = files::read(&path, Some(uri.span), self.sources, diags);
        // A file that includes itself, through others perhaps, has nothing to add to itself.
        self.read.insert(path.clone(), None);
        let schema = file.and_then(|f| xsd::read(f, self.sources, diags)).map(|s| Rc::new(self.whole(s, diags)));
        self.read.insert(path, schema.clone());
        schema
    }

    /// A schema with what it includes.
    fn whole(&mut self, mut schema: Schema, diags: &mut Diagnostics) -> Schema {
        for file in std::mem::take(&mut schema.includes) {
            if let Some(other) = self.get(&file, diags) {
                schema.include(&other);
            }
        }
        schema
    }

    fn find(&mut self, uri: &Word, diags: &mut Diagnostics) -> Option<PathBuf> {
        if !uri.text.contains("://") && !files::stays_inside(&uri.text) {
            let message = format!("'{}' leads out of the model's folder", uri.text);
            let d = Diagnostic::new(&codes::PATH_OUTSIDE, uri.span, message);
            diags.push(d.help("put the schema beside the model and name it without a folder"));
            return None;
        }
        let base = uri.text.rsplit(['/', '\\']).next().unwrap_or(&uri.text);
        if let Some(path) = self.explicit_file(base) {
            return Some(path);
        }
        let mut looked = Vec::new();
        for name in [uri.text.as_str(), base] {
            match files::below(self.folder, name) {
                Ok(Some(path)) => return Some(path),
                Ok(None) => {
                    let shown = format!("looked for '{}'", self.folder.join(name).display());
                    if !looked.contains(&shown) {
                        looked.push(shown);
                    }
                }
                Err(path) => {
                    let message = format!("'{}' is a link that leads out of the model's folder", path.display());
                    diags.push(Diagnostic::new(&codes::PATH_OUTSIDE, uri.span, message));
                    return None;
                }
            }
        }
        let mut d = Diagnostic::new(&codes::FILE_MISSING, uri.span, format!("schema '{}' not found", uri.text));
        d.notes = looked;
        diags.push(d.help("put the schema beside the model, or name it with --schema"));
        None
    }

    /// The file the user named for this base name; a single one stands for every schema.
    fn explicit_file(&self, base: &str) -> Option<PathBuf> {
        let same = |p: &&PathBuf| p.file_name().is_some_and(|n| n == base);
        let only = || self.explicit.first().filter(|_| self.explicit.len() == 1);
        self.explicit.iter().find(same).or_else(only).cloned()
    }
}
