//! Diagnostics as text: code, place, source line, caret, notes.

use super::{Diagnostic, Diagnostics, Severity, Sources, on_one_line, printable};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::borrow::Cow;

/// Longest line that is shown; of longer ones only the place is given.
const MAX_LINE: usize = 10_000;

/// One diagnostic, as rustc would print it.
pub fn render(d: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match d.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&d.message);
    let title = level.primary_title(message.as_ref()).id(d.code.id);
    let label = d.label.as_deref().map(on_one_line);
    let notes: Vec<Cow<str>> = d.notes.iter().map(|n| printable(n)).collect();
    let instead = d.instead().map(printable);
    let shown: (Cow<str>, [Cow<str>; 3]);
    let mut out = match d.span.and_then(|s| sources.file(s.file).map(|f| (s, f))) {
        Some((span, file)) => {
            let (start, end) = clamp(span.start as usize, span.end as usize, &file.text);
            // Only the lines of the span are handed on, so that a large file costs no more than a small one.
            let from = file.text[..start].rfind('\n').map_or(0, |i| i + 1);
            let to = file.text[end..].find('\n').map_or(file.text.len(), |i| end + i);
            let (line, column) = sources.line_col(span);
            let parts = [&file.text[from..start], &file.text[start..end], &file.text[end..to]];
            shown = (on_one_line(&file.name), parts.map(|part| printable(part.strip_suffix('\r').unwrap_or(part))));
            let (name, [before, marked, after]) = &shown;
            if to - from > MAX_LINE {
                title.element(Origin::path(name.as_ref()).line(line).char_column(column))
            } else {
                let mut mark = AnnotationKind::Primary.span(before.len()..before.len() + marked.len());
                if let Some(label) = &label {
                    mark = mark.label(label.as_ref());
                }
                let lines = Snippet::source(format!("{before}{marked}{after}")).line_start(line).path(name.as_ref());
                title.element(lines.fold(true).annotation(mark))
            }
        }
        None => Group::with_title(title),
    };
    for note in &notes {
        out = out.element(Level::NOTE.message(note.as_ref()));
    }
    if let Some(help) = &instead {
        out = out.element(Level::HELP.message(help.as_ref()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(140).render(&[out])
}

/// All diagnostics, sorted by place, a blank line between two.
pub fn render_all(all: &Diagnostics, sources: &Sources, colour: bool) -> String {
    let texts: Vec<String> = all.sorted().into_iter().map(|d| render(d, sources, colour)).collect();
    texts.join("\n\n")
}

/// A non-empty range on character boundaries inside the text.
fn clamp(start: usize, end: usize, text: &str) -> (usize, usize) {
    let floor = |mut i: usize| {
        i = i.min(text.len());
        while !text.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    let (s, e) = (floor(start), floor(end));
    (s, e.max(s))
}
