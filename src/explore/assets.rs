//! The page: plain files, part of the program.

use super::http::Response;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Path, type and text of every file.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../../templates/explore.html")),
    ("/explore.js", SCRIPT, include_str!("../../templates/page/explore.js")),
    ("/panels.js", SCRIPT, include_str!("../../templates/page/panels.js")),
    ("/cards.js", SCRIPT, include_str!("../../templates/page/cards.js")),
    ("/diagram.js", SCRIPT, include_str!("../../templates/page/diagram.js")),
    ("/base.css", STYLE, include_str!("../../templates/page/base.css")),
    ("/picture.css", STYLE, include_str!("../../templates/page/picture.css")),
    ("/amber.css", STYLE, include_str!("../../templates/page/amber.css")),
    ("/explore.css", STYLE, include_str!("../../templates/page/explore.css")),
    ("/icon.svg", PICTURE, include_str!("../../templates/page/icon.svg")),
];

/// The file of a path.
pub fn find(path: &str) -> Option<Response> {
    if path == "/palette.css" {
        return Some(Response::new(200, STYLE, crate::picture::palette::page()));
    }
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(Response::new(200, kind, text.to_string()))
}
