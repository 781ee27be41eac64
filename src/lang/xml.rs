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
    if text.trim().is_empty() {
        let d = Diagnostic::new(&model::XML_MALFORMED, Span::new(file, 0, 0), "the file is empty");
        return d.help("'gsmc new NAME' makes a small project to start from");
    }
    let pos = error.pos();
    let no_place = matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode);
    let at = if no_place { text.trim_end().len() } else { offset(text, pos.row, pos.col) };
    let span = Span::new(file, at, at + 1);
    let found = text.get(at..).unwrap_or("");
    let said = |message: &str, help: &str| Diagnostic::new(&model::XML_MALFORMED, span, message).help(help);
    if no_place {
        let d = Diagnostic::new(&model::XML_MALFORMED, span, "the file ends too early");
        return match still_open(text) {
            Some(tag) => {
                d.note(format!("<{tag}> is not closed")).help(format!("add </{tag}>, or fetch the whole file again"))
            }
            None => d.help("fetch the whole file again"),
        };
    }
    if found.starts_with("&&") || text.get(at.saturating_sub(1)..).is_some_and(|t| t.starts_with("&&")) {
        return said("'&&' cannot stand in XML as it is", "write &amp;&amp; or the word 'and'");
    }
    let named = |rest: &str| rest.split_once(';').is_some_and(|(name, _)| name.chars().all(char::is_alphanumeric));
    let entity = found.strip_prefix('&').is_some_and(named);
    if found.starts_with('&') && !entity {
        return said("'&' cannot stand in XML as it is", "write &amp;");
    }
    if found.starts_with('<') && in_quotes(text, at) {
        return said(
            "'<' cannot stand in an attribute as it is",
            "write &lt; or the word 'lt' (&lt;= or 'le' for at most)",
        );
    }
    let message = error.to_string().replace(&format!(" at {pos}"), "");
    Diagnostic::new(&model::XML_MALFORMED, span, message)
}

/// Is a place inside an attribute's value? Its tag is open, and a quote is.
fn in_quotes(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("");
    let tag = before.rfind(['<', '>']).filter(|i| before[*i..].starts_with('<')).map_or("", |i| &before[i..]);
    tag.matches('"').count() % 2 == 1
}

/// The innermost element that is open at the end, as far as a look at the tags can tell.
fn still_open(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    for piece in text.split('<').skip(1) {
        let name = piece.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or("");
        match piece.chars().next()? {
            '?' | '!' => {}
            '/' => drop(open.pop()),
            _ => match piece.find('>') {
                Some(end) if !piece[..end].ends_with('/') => open.push(name),
                Some(_) => {}
                None => open.push(name),
            },
        }
    }
    open.last().map(|n| n.to_string())
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
