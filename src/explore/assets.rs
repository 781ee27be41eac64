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
    ("/legend.css", STYLE, include_str!("../../templates/page/legend.css")),
    ("/picture.css", STYLE, include_str!("../../templates/page/picture.css")),
    ("/explore.css", STYLE, include_str!("../../templates/page/explore.css")),
    ("/icon.svg", PICTURE, include_str!("../../templates/page/icon.svg")),
];

/// The file of a path. `own`: the style sheet of the language's pictures.
pub fn find(path: &str, own: impl Fn() -> &'static str) -> Option<Response> {
    match path {
        "/palette.css" => return Some(Response::new(200, STYLE, crate::picture::palette::page())),
        "/language.css" => return Some(Response::new(200, STYLE, own().to_string())),
        _ => {}
    }
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(Response::new(200, kind, text.to_string()))
}
