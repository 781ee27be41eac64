//! XML text to a tree, with limits that keep hostile files from hurting: no DTD, bounded size, width and depth.

use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics, FileId, Span};
use roxmltree::{Document, Error, Node, ParsingOptions};

/// Deepest nesting of elements. Everything that walks the tree may recurse this far.
pub const MAX_DEPTH: u32 = 128;
/// Most tags in a file.
const MAX_TAGS: usize = 100_000;
/// Most `=` signs between two tags: bounds the attributes of one element, which the parser compares pairwise.
const MAX_EQUALS_PER_TAG: usize = 20_000;
/// Most namespace declarations in a file; the parser copies those in scope.
const MAX_NAMESPACES: usize = 1_000;

pub use crate::picture::xml::escape;

/// Parses a file, or says why not.
pub fn parse<'a>(file: FileId, text: &'a str, diags: &mut Diagnostics) -> Option<Document<'a>> {
    if let Some(what) = excess(text) {
        diags.push(Diagnostic::new(&model::XML_LIMITS, Span::new(file, 0, 0), what));
        return None;
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 4 * MAX_TAGS as u32, ..ParsingOptions::default() };
    match Document::parse_with_options(text, options) {
        Ok(doc) => match too_deep(&doc) {
            None => Some(doc),
            Some(at) => {
                let message = format!("elements are nested more than {MAX_DEPTH} deep");
                diags.push(Diagnostic::new(&model::XML_LIMITS, Span::new(file, at, at + 1), message));
                None
            }
        },
        Err(e) => {
            diags.push(malformed(file, text, &e));
            None
        }
    }
}

/// What the file has too much of, if anything.
fn excess(text: &str) -> Option<String> {
    let tags = text.split('<');
    let (mut count, mut equals) = (0, 0);
    for tag in tags {
        count += 1;
        equals = equals.max(tag.bytes().filter(|b| *b == b'=').count());
    }
    if count > MAX_TAGS {
        return Some(format!("the file has more than {MAX_TAGS} tags"));
    }
    if equals > MAX_EQUALS_PER_TAG {
        return Some(format!("an element has more than {MAX_EQUALS_PER_TAG} '=' signs in its attributes"));
    }
    let namespaces = text.matches("xmlns").take(MAX_NAMESPACES + 1).count();
    (namespaces > MAX_NAMESPACES).then(|| format!("the file declares more than {MAX_NAMESPACES} namespaces"))
}

/// Start of the first element that lies too deep. Nodes come in document order, so parents are known before children.
fn too_deep(doc: &Document) -> Option<usize> {
    let mut depths: Vec<u32> = Vec::new();
    for node in doc.descendants() {
        let above = node.parent().map_or(0, |p| depths.get(p.id().get_usize()).copied().unwrap_or(0));
        if above > MAX_DEPTH {
            return Some(node.range().start);
        }
        depths.push(above + 1);
    }
    None
}

/// The parser's complaint as a diagnostic at its place.
fn malformed(file: FileId, text: &str, error: &Error) -> Diagnostic {
    if matches!(error, Error::DtdDetected) {
        let at = text.find("<!DOCTYPE").unwrap_or(0);
        let span = Span::new(file, at, at + "<!DOCTYPE".len());
        return Diagnostic::new(&model::XML_MALFORMED, span, "document type definitions are not allowed")
            .help("remove the <!DOCTYPE …> declaration and write entities out");
    }
    let pos = error.pos();
    let no_place = matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode);
    let at = if no_place { text.trim_end().len() } else { offset(text, pos.row, pos.col) };
    let message = error.to_string().replace(&format!(" at {pos}"), "");
    Diagnostic::new(&model::XML_MALFORMED, Span::new(file, at, at + 1), message)
}

/// Byte offset of a line and column, both from 1.
fn offset(text: &str, row: u32, col: u32) -> usize {
    let line_start = text.split_inclusive('\n').take(row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let line = text.get(line_start..).unwrap_or("");
    line_start + line.char_indices().nth(col.saturating_sub(1) as usize).map_or(line.len(), |(i, _)| i)
}

/// Place of an element: its start tag up to the id, where that stands on the same line.
pub fn span_of(file: FileId, node: Node) -> Span {
    let start = node.range().start;
    let text = node.document().input_text().get(start..).unwrap_or("");
    let tag = text.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(text.len());
    let line = text.find('\n').unwrap_or(text.len());
    let key = ["id", "name"].iter().find_map(|k| node.attribute_node(*k));
    let id = key.map(|a| a.range().end.saturating_sub(start)).filter(|end| *end <= line);
    Span::new(file, start, start + id.unwrap_or(tag.max(1)))
}
