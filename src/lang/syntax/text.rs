//! Text to be parsed, with the way back to the file.
//!
//! An expression in an XML attribute is read after its entities are decoded, yet its errors are shown in the file. So a [`Text`]
//! remembers, for every stretch of decoded text, where it stood.

use crate::source::{FileId, Sources, Span};

/// Decoded text and where each part of it stands in its file.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    file: FileId,
    /// Starts of stretches: offset in `text`, offset in the file. Both ascend; within a stretch both advance byte by byte.
    map: Vec<(usize, usize)>,
}

impl Text {
    /// Text that stands as it is in `file`, from byte `start` on.
    pub fn plain(file: FileId, text: impl Into<String>, start: usize) -> Text {
        Text { text: text.into(), file, map: vec![(0, start)] }
    }

    /// A whole file.
    pub fn of(file: FileId, sources: &Sources) -> Text {
        Text::plain(file, sources.file(file).map_or("", |f| f.text.as_str()), 0)
    }

    /// The raw value of an XML attribute (without its quotes) that starts at byte `start` of `file`: the predefined entities
    /// and character references are decoded, line ends and tabs become blanks.
    pub fn attribute(file: FileId, raw: &str, start: usize) -> Text {
        let mut out = Text { text: String::with_capacity(raw.len()), file, map: vec![(0, start)] };
        let mut at = 0;
        while let Some(c) = raw.get(at..).and_then(|rest| rest.chars().next()) {
            let entity = if c == '&' { entity(&raw[at..]) } else { None };
            match entity {
                Some((decoded, len)) => {
                    out.text.push(decoded);
                    at += len;
                    out.map.push((out.text.len(), start + at));
                }
                None => {
                    out.text.push(if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c });
                    at += c.len_utf8();
                }
            }
        }
        out
    }

    /// The decoded text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The decoded text between two offsets; empty when they do not fit.
    pub fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The part between two offsets, with its place.
    pub fn part(&self, start: usize, end: usize) -> Text {
        let mut map = vec![(0, self.place(start))];
        map.extend(self.map.iter().filter(|(d, _)| *d > start && *d < end).map(|(d, f)| (d - start, *f)));
        Text { text: self.slice(start, end).to_string(), file: self.file, map }
    }

    /// The line that a place is in, from 1, for a text that is a whole file.
    pub fn line(&self, span: Span) -> Option<usize> {
        let whole = self.map.first() == Some(&(0, 0));
        let before = self.text.get(..span.start as usize).filter(|_| whole)?;
        Some(before.matches('\n').count() + 1)
    }

    /// The file it stands in.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Nothing but blanks?
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Where the decoded bytes `start..end` stand in the file.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.place(start), self.place(end))
    }

    /// The decoded text at a place of the file; empty when it is not there.
    pub fn at(&self, span: Span) -> &str {
        let offset = |place: u32| {
            let place = place as usize;
            let at = self.map.partition_point(|(_, file)| *file <= place).saturating_sub(1);
            self.map.get(at).map_or(0, |(decoded, file)| decoded + place.saturating_sub(*file))
        };
        self.slice(offset(span.start), offset(span.end))
    }

    /// Where the whole text stands.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }

    /// Column of a decoded offset within the text, from 1, in characters.
    pub fn column(&self, offset: usize) -> usize {
        self.text.get(..offset).map_or(0, |t| t.chars().count()) + 1
    }

    fn place(&self, offset: usize) -> usize {
        let at = self.map.partition_point(|(decoded, _)| *decoded <= offset).saturating_sub(1);
        self.map.get(at).map_or(0, |(decoded, file)| file + offset.saturating_sub(*decoded))
    }
}

/// The character that an entity or character reference at the start of `raw` stands for, and its length in bytes.
fn entity(raw: &str) -> Option<(char, usize)> {
    let end = raw.bytes().take(12).position(|b| b == b';')?;
    let name = raw.get(1..end)?;
    let decoded = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((decoded, end + 1))
}
