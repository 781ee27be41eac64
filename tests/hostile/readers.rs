//! Strict readers of comments and strings in the languages that gsmc writes. They know nothing of how gsmc writes them, and refuse what
//! any reader of the language could take for something else.

use std::collections::BTreeMap;

/// What a text comes to; `Err` says what is wrong with it, and where.
pub type Read<T> = Result<T, String>;

/// Would a terminal or a reader's eye take it for more than a letter?
pub fn steers(c: char) -> bool {
    let code = c as u32;
    (code < 0x20 && c != '\n' && c != '\t')
        || (0x7f..=0x9f).contains(&code)
        || [0x61c, 0x200e, 0x200f].contains(&code)
        || (0x2028..=0x202e).contains(&code)
        || (0x2066..=0x2069).contains(&code)
}

/// Text for people without colours.
pub fn plain_text(text: &str) -> Read<()> {
    match text.char_indices().find(|(_, c)| steers(*c)) {
        None => Ok(()),
        Some((at, c)) => Err(format!("{c:?} reaches the terminal: …{}", around(text, at))),
    }
}

fn around(text: &str, at: usize) -> String {
    let before: Vec<char> = text[..at].chars().rev().take(60).collect();
    let before: String = before.into_iter().rev().collect();
    format!("{:?}", before + &text[at..].chars().take(60).collect::<String>())
}

/// The text without colours: `ESC [ digits and semicolons m`.
pub fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 2..];
        let length = after.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(after.len());
        match after[length..].strip_prefix('m') {
            Some(more) => rest = more,
            None => {
                out.push_str("\u{1b}[");
                rest = after;
            }
        }
    }
    out + rest
}

/// Printable ASCII in lines: nothing in it ends a line for one reader and not for another.
fn ascii(text: &str) -> Read<()> {
    match text.char_indices().find(|(_, c)| *c != '\n' && !(' '..='~').contains(c)) {
        None => Ok(()),
        Some((at, c)) => Err(format!("{c:?} in a generated program: {}", around(text, at))),
    }
}

/// Promela as a C preprocessor and SPIN take it: trigraphs, joined lines, comments of both kinds, strings; then its words and signs.
pub fn promela(text: &str) -> Read<Vec<String>> {
    ascii(text)?;
    if text.contains("??") {
        return Err("a trigraph".into());
    }
    if text.contains('\\') && text.replace("\\n\"", "").contains('\\') {
        return Err("a backslash that is no line feed of a printf".into());
    }
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").ok_or("a comment without end")?;
            if comment[..end].contains("/*") {
                return Err(format!("a comment begins in a comment: {}", &comment[..end]));
            }
            if comment[..end].lines().skip(1).any(|l| l.trim_start().starts_with('#')) {
                return Err("a comment with a line of the preprocessor".into());
            }
            rest = &comment[end + 2..];
        } else if rest.starts_with("//") || rest.starts_with("*/") {
            return Err(format!("a comment of another kind: {}", rest.lines().next().unwrap_or("")));
        } else if let Some(string) = rest.strip_prefix('"') {
            let end = string.find(['"', '\n']).ok_or("a string without end")?;
            if string[end..].starts_with('\n') {
                return Err("a string over the end of a line".into());
            }
            tokens.push(format!("\"{}\"", &string[..end]));
            rest = &string[end + 1..];
        } else if c == '\'' || c == '`' || c == '$' {
            return Err(format!("{c} outside of comments: {}", around(text, text.len() - rest.len())));
        } else {
            rest = word(rest, &mut tokens);
        }
    }
    Ok(tokens)
}

/// SMV or ISPL: comments from `--` to the end of the line, no strings; then words and signs.
pub fn line_comments(text: &str) -> Read<Vec<String>> {
    ascii(text)?;
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.find("--").map_or(line, |at| &line[..at]);
        if let Some(c) = rest.chars().find(|c| "\"'`$#\\%".contains(*c)) {
            return Err(format!("{c} outside of comments: {line}"));
        }
        while !rest.is_empty() {
            rest = word(rest, &mut tokens);
        }
    }
    Ok(tokens)
}

/// A word or a sign from the front; blanks count for nothing.
fn word<'t>(rest: &'t str, tokens: &mut Vec<String>) -> &'t str {
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len()).max(1);
    let (token, rest) = rest.split_at(length);
    if !token.trim().is_empty() {
        tokens.push(token.to_string());
    }
    rest
}

/// Are two programs the same but for the letters behind the prefix of names, one to one?
pub fn same_program(a: &[String], b: &[String]) -> Read<()> {
    let (mut there, mut back): (BTreeMap<&str, &str>, BTreeMap<&str, &str>) = Default::default();
    for (x, y) in a.iter().zip(b) {
        let named = |t: &str| {
            let stem = t.strip_prefix("old_").unwrap_or(t);
            let mut chars = stem.chars();
            chars.next().is_some_and(|c| c.is_ascii_lowercase()) && chars.next() == Some('_')
                || stem.get(..4).is_some_and(|s| [s.starts_with("x_"), s.starts_with("n_")].contains(&true))
        };
        let prefix = |t: &str| t.split('_').next().unwrap_or("").to_string();
        if x != y && !(named(x) && named(y) && prefix(x) == prefix(y)) {
            return Err(format!("{x} where {y} should be"));
        }
        if *there.entry(x).or_insert(y) != y.as_str() || *back.entry(y).or_insert(x) != x.as_str() {
            return Err(format!("{x} and {y} are not one to one"));
        }
    }
    if a.len() != b.len() {
        return Err(format!("{} words instead of {}", a.len(), b.len()));
    }
    Ok(())
}

/// DOT: strings of printable ASCII in which only entities and `\l`, `\n` mean something; their number, and what stands between them.
pub fn dot(text: &str) -> Read<String> {
    ascii(text)?;
    let mut between = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        between.push_str(&rest[..at]);
        between.push('"');
        let string = &rest[at + 1..];
        let end = string.find('"').ok_or("a string without end")?;
        let inside = string[..end].replace("\\l", "").replace("\\n", "");
        if inside.contains(['\\', '\n']) {
            return Err(format!("an escape in a string: {inside}"));
        }
        for entity in inside.split('&').skip(1) {
            let digits = entity.strip_prefix('#').and_then(|e| e.split_once(';')).map(|(digits, _)| digits);
            let code = digits.and_then(|d| d.parse::<u32>().ok()).and_then(char::from_u32);
            if code.is_none_or(|c| steers(c) || c == '\n') {
                return Err(format!("an entity that is none or should not be shown: &{entity}"));
            }
        }
        rest = &string[end + 1..];
    }
    between.push_str(rest);
    match between.contains(['\\', '#', '<', '&', '\'']) || between.contains("//") || between.contains("/*") {
        true => Err("something strange between the strings".into()),
        false => Ok(between),
    }
}

/// XML and SVG: elements with their attributes' names, each once. Nothing of it can run, and no text steers a terminal.
pub fn xml(text: &str) -> Read<Vec<String>> {
    plain_text(text)?;
    let options = roxmltree::ParsingOptions { allow_dtd: false, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).map_err(|e| e.to_string())?;
    let mut shapes = std::collections::BTreeSet::new();
    for node in document.descendants() {
        if node.is_comment() || node.is_pi() {
            return Err(format!("{node:?} in XML"));
        }
        for a in node.attributes() {
            shapes.insert(format!("{} {}", node.tag_name().name(), a.name()));
        }
        shapes.insert(node.tag_name().name().to_string());
    }
    Ok(shapes.into_iter().collect())
}

/// A page: its tags with their attributes' names, each once, and how often each kind of raw element occurs; scripts and styles by
/// their texts. Attributes are in double quotes, and what looks like a tag is one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// `tag attribute`.
    pub shapes: std::collections::BTreeSet<String>,
    /// Texts of scripts and styles.
    pub raw: Vec<(String, String)>,
}

/// Reads a page as a browser does, and refuses what browsers forgive.
pub fn html(text: &str) -> Read<Page> {
    let mut page = Page::default();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let doctype = rest.get(..8).is_some_and(|d| d.eq_ignore_ascii_case("!doctype"));
        if doctype || rest.starts_with('/') {
            rest = &rest[rest.find('>').ok_or("a tag without end")? + 1..];
            continue;
        }
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        let tag = rest[..length].to_ascii_lowercase();
        if tag.is_empty() || tag.starts_with(|c: char| !c.is_ascii_alphabetic()) {
            return Err(format!("< that begins no tag: {}", around(text, text.len() - rest.len())));
        }
        page.shapes.insert(tag.clone());
        rest = attributes(&rest[length..], &tag, &mut page)?;
        if ["script", "style"].contains(&tag.as_str()) {
            let lower = rest.to_ascii_lowercase();
            let end = lower.find(&format!("</{tag}")).ok_or("a raw element without end")?;
            if lower[..end].contains("<!--") {
                return Err("a comment begins in a script".into());
            }
            page.raw.push((tag, rest[..end].to_string()));
            rest = &rest[end..];
        }
    }
    Ok(page)
}

fn attributes<'t>(mut rest: &'t str, tag: &str, page: &mut Page) -> Read<&'t str> {
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>").or_else(|| rest.strip_prefix('>')) {
            return Ok(after);
        }
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-:_".contains(c))).unwrap_or(rest.len());
        if length == 0 {
            return Err(format!("no attribute in <{tag}>: {}", rest.chars().take(60).collect::<String>()));
        }
        page.shapes.insert(format!("{tag} {}", &rest[..length]));
        rest = &rest[length..];
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.strip_prefix('"').ok_or_else(|| format!("an attribute without quotes in <{tag}>"))?;
            let end = value.find('"').ok_or("an attribute without end")?;
            if value[..end].contains('<') {
                return Err(format!("< in an attribute: {}", &value[..end]));
            }
            rest = &value[end + 1..];
        }
    }
}

/// SMT-LIB: balanced lists of words; the first words of all commands.
pub fn smt(text: &str) -> Read<Vec<String>> {
    ascii(text)?;
    let (mut depth, mut commands, mut first) = (0_usize, Vec::new(), false);
    for line in text.lines() {
        // The one text with quotes is gsmc's own.
        let line = line.replace("(echo \"gsmc\")", "(echo)");
        if line.contains(['"', '|', ';']) {
            return Err(format!("a quote or comment: {line}"));
        }
        for token in line.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            match token {
                "(" => {
                    first = depth == 0;
                    depth += 1;
                    continue;
                }
                ")" => depth = depth.checked_sub(1).ok_or("a list ends that never began")?,
                word if depth == 0 => return Err(format!("{word} outside of commands")),
                word if first => commands.push(word.to_string()),
                _ => {}
            }
            first = false;
        }
    }
    if depth == 0 { Ok(commands) } else { Err("a list without end".into()) }
}

/// A table: rows of equal length, and no cell that a spreadsheet would run.
pub fn csv(text: &str) -> Read<Vec<Vec<String>>> {
    plain_text(text)?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows: Result<Vec<_>, _> = reader.records().collect();
    let rows = rows.map_err(|e| e.to_string())?;
    let rows: Vec<Vec<String>> = rows.iter().map(|r| r.iter().map(str::to_string).collect()).collect();
    let runs = |cell: &&String| cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    match rows.iter().flatten().find(runs) {
        Some(cell) => Err(format!("a formula: {cell}")),
        None => Ok(rows),
    }
}

/// The readers refuse what they are for.
#[test]
fn readers_are_strict() {
    assert!(promela("/* a */ int x; /* b */").is_ok_and(|t| t == ["int", "x", ";"]));
    assert_eq!(promela("/* a * / c_decl { */ c_decl").map(|t| t.len()), Ok(1));
    for bad in [
        "/* a */ b */",
        "int x; // y",
        "/* a\n#define */",
        "/* a \u{2028} */",
        "x /* ",
        "/* a \\\n */",
        "\"a\nb\"",
        "'",
    ] {
        assert!(promela(bad).is_err(), "{bad}");
    }
    assert!(line_comments("a -- b c\nd").is_ok_and(|t| t == ["a", "d"]));
    assert!(
        line_comments("-- a\rb").is_err() && line_comments("-- a\u{85}b").is_err() && line_comments("\"a\"").is_err()
    );
    let program = |t: &str| line_comments(t).unwrap_or_default();
    assert!(same_program(&program("v_a := v_b & 1"), &program("v_x := v_y & 1")).is_ok());
    for (a, b) in [("v_a v_b", "v_x v_x"), ("v_a", "k_a"), ("v_a 1", "v_a 2"), ("v_a", "v_a v_b"), ("init", "next")] {
        assert!(same_program(&program(a), &program(b)).is_err(), "{a} / {b}");
    }
    assert!(
        dot("a [label=\"b&#34;\\l\"];").is_ok()
            && dot("a [label=\"b\\\"];").is_err()
            && dot("a [label=\"&#27;\"];").is_err()
    );
    assert!(xml("<a b='c'/>").is_ok() && xml("<a>\u{9b}</a>").is_err() && xml("<!DOCTYPE a><a/>").is_err());
    assert!(html("<p class=\"a\">b &lt; c</p><script>\"x\"</script>").is_ok());
    for bad in ["<p class='a'>", "<p a=b>", "1 < 2", "<script><!-- </script>", "<p a=\"<\">"] {
        assert!(html(bad).is_err(), "{bad}");
    }
    assert!(smt("(assert (= x0 1))\n(check-sat)").is_ok_and(|c| c == ["assert", "check-sat"]));
    assert!(smt("(a))").is_err() && smt("(a").is_err() && smt("(a |b|)").is_err() && smt("a").is_err());
    assert!(
        csv("a,b\n1,-2\n").is_ok() && csv("a\n=1\n").is_err() && csv("a\n-x\n").is_err() && csv("a\n\u{1b}\n").is_err()
    );
    assert!(plain_text("a\u{202e}").is_err() && plain_text("a\u{1b}").is_err() && plain_text("é\t\n").is_ok());
    assert_eq!(without_colours("\u{1b}[31;1ma\u{1b}[0m\u{1b}[2J"), "a\u{1b}[2J");
}
