//! Words and symbols of conditions.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or word operator.
    Word(String),
    /// A number.
    Number(f64),
    /// A quoted text, without its quotes.
    Text(String),
    /// A symbol.
    Symbol(&'static str),
}

/// Longer ones first.
const SYMBOLS: [&str; 19] =
    ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")", "[", "]", ".", ",", ":", "-", "?", "+"];

/// The tokens of a text, or the character that means nothing.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, used) = token(rest, first)?;
        found.push(token);
        rest = rest.get(used..).unwrap_or("").trim_start();
    }
    Ok(found)
}

fn token(rest: &str, first: char) -> Result<(Token, usize), String> {
    let upto = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
    if first == '\'' || first == '"' {
        return quoted(rest, first);
    }
    if first.is_ascii_digit() {
        let end = upto(&|c| !(c.is_ascii_digit() || c == '.'));
        let digits = rest.get(..end).unwrap_or("");
        let number = digits.parse::<f64>().map_err(|_| format!("'{digits}' is no number"))?;
        return Ok((Token::Number(number), end));
    }
    if first.is_alphabetic() || first == '_' || first == '$' {
        let end = upto(&|c| !(c.is_alphanumeric() || c == '_' || c == '$'));
        return Ok((Token::Word(rest.get(..end).unwrap_or("").to_string()), end));
    }
    let symbol = SYMBOLS.into_iter().find(|s| rest.starts_with(s));
    symbol.map(|s| (Token::Symbol(s), s.len())).ok_or_else(|| format!("'{first}' means nothing here"))
}

/// A text in quotes; a backslash keeps the next character.
fn quoted(rest: &str, quote: char) -> Result<(Token, usize), String> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().map(|(_, next)| next)),
            c if c == quote => return Ok((Token::Text(text), at + c.len_utf8())),
            c => text.push(c),
        }
    }
    Err("a text is not closed".into())
}
