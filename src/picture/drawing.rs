//! A drawing as an SVG file or as a part of a page.

use super::palette;
use super::xml::escape;

/// Colours and fonts of a picture that stands alone; a page brings them along for all its pictures.
pub const STYLE: &str = include_str!("../../templates/page/picture.css");

/// A picture of a model, in whole pixels.
///
/// A page colours it by a snapshot: an element with `data-var="NAME"` gets `data-value="VALUE"`, the value that the variable of this
/// name has there (and the class `changed` when the last step changed it), which `style` can refer to. Colours are the CSS
/// variables of [`palette`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Width of the whole.
    pub width: i32,
    /// Height of the whole.
    pub height: i32,
    /// What kind of picture it is, as a CSS class: `lifecycle`.
    pub kind: &'static str,
    /// What it shows, for those who cannot see it.
    pub label: String,
    /// Style sheet of its own elements, beside [`STYLE`].
    pub style: &'static str,
    /// SVG elements.
    pub body: String,
}

impl Drawing {
    /// As a file of its own.
    pub fn file(&self) -> String {
        let style = palette::resolved(&[STYLE, self.style].concat());
        let head = format!("<style>{style}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>");
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", self.element("", &head))
    }

    /// As a part of a page. `class` tells pictures of one model apart.
    pub fn embedded(&self, class: &str) -> String {
        let style = if self.style.is_empty() { String::new() } else { format!("<style>{}</style>", self.style) };
        self.element(class, &style)
    }

    /// As a part of a page that brings the style sheets along and allows none inside.
    pub fn unstyled(&self) -> String {
        self.element("", "")
    }

    fn element(&self, class: &str, head: &str) -> String {
        let (w, h) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawn {} {class}\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"group\" aria-label=\"{}\">{head}\n{}\n</svg>",
            self.kind,
            escape(&self.label),
            self.body
        )
    }
}
