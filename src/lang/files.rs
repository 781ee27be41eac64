//! Reading files: bounded in size, UTF-8, and never outside the model's folder unless the user named them.

use crate::source::codes::files;
use crate::source::{Code, Diagnostic, Diagnostics, FileId, Sources, Span, open_file, plain_lines};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Largest file gsmc reads.
pub const MAX_BYTES: u64 = 64 << 20;

/// Reads a file into `sources`. `span` is the place that names it, if any.
pub fn read(path: &Path, span: Option<Span>, sources: &mut Sources, diags: &mut Diagnostics) -> Option<FileId> {
    match text_of(path) {
        Ok(text) => Some(sources.add(path.display().to_string(), text)),
        Err((code, why)) => {
            let mut d = Diagnostic::placeless(code, why);
            d.span = span;
            diags.push(d);
            None
        }
    }
}

fn text_of(path: &Path) -> Result<String, (&'static Code, String)> {
    let shown = path.display();
    let unreadable = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => (&files::FILE_MISSING, format!("file '{shown}' not found")),
        _ => (&files::FILE_UNREADABLE, format!("file '{shown}' cannot be read: {e}")),
    };
    let file = open_file(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err((&files::FILE_TOO_LARGE, format!("file '{shown}' is larger than 64 MiB")));
    }
    String::from_utf8(bytes)
        .map(plain_lines)
        .map_err(|_| (&files::FILE_UNREADABLE, format!("file '{shown}' is not UTF-8 text")))
}

/// Is the name a relative path that stays below where it starts?
pub fn stays_inside(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    let plain = |part: &str| part != "..";
    let parts = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    !drive && !name.starts_with('\\') && name.split(['/', '\\']).all(plain) && Path::new(name).components().all(parts)
}

/// The file of that name below `folder`, if it exists and no symbolic link leads out of the folder.
pub fn below(folder: &Path, name: &str) -> Result<Option<PathBuf>, PathBuf> {
    let path = folder.join(name);
    if !path.is_file() {
        return Ok(None);
    }
    let real = |p: &Path| if p.as_os_str().is_empty() { Path::new(".").canonicalize() } else { p.canonicalize() };
    match (real(folder), real(&path)) {
        (Ok(home), Ok(file)) if file.starts_with(&home) => Ok(Some(path)),
        _ => Err(path),
    }
}

/// Endings of files that belong to projects.
const OF_PROJECTS: [&str; 8] = ["amber", "cmmn", "gsm", "gsma", "gsmp", "xmi", "xml", "xsd"];

/// Does a name in a project's `gsmc.toml` lead to something that is none of its business? A file elsewhere must be one of a project: a
/// mistake in it is shown with its line, and that line could be one of a key or a password. Where links lead counts.
pub fn is_foreign(folder: &Path, path: &Path) -> bool {
    let home = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(home), Ok(file)) = (home.canonicalize(), path.canonicalize()) else { return false };
    let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    !file.starts_with(home) && !OF_PROJECTS.contains(&ending.as_str())
}

/// Names of what lies beside a path.
pub fn beside(path: &Path) -> Vec<String> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
