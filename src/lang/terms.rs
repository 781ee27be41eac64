//! What a language calls what every page shows.

use serde::Serialize;

/// Words for pages and help, in a language's own terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Terms {
    /// One step of a run: `B-step`.
    pub step: &'static str,
    /// The picture of the model: `Lifecycle`.
    pub picture: &'static str,
    /// What a search in the picture finds: `stage`.
    pub part: &'static str,
    /// What the end of a step sees to, after its rules.
    pub ending: &'static str,
    /// A formula that one can type.
    pub formula: String,
    /// What the signs of the picture mean.
    pub legend: &'static [Sign],
}

/// A sign of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sign {
    /// Classes of what is drawn for it: `sign open-sign`.
    pub look: &'static str,
    /// What stands in it.
    pub mark: &'static str,
    /// What it means.
    pub text: &'static str,
    /// Only a page that steps shows it.
    pub live: bool,
}

impl Sign {
    /// A sign that every picture shows.
    pub const fn new(look: &'static str, text: &'static str) -> Sign {
        Sign { look, mark: "", text, live: false }
    }

    /// The same, only where a page steps.
    pub const fn live(self) -> Sign {
        Sign { live: true, ..self }
    }

    /// The same with a text in it.
    pub const fn with(self, mark: &'static str) -> Sign {
        Sign { mark, ..self }
    }
}

/// What has just changed, in every language.
pub const CHANGED: Sign = Sign::new("sign changed-sign", "just changed").live();

/// Signs of a picture that shows variables alone.
const PLAIN: &[Sign] = &[Sign::new("sign", "variable"), Sign::new("sign open-sign", "true"), CHANGED];

impl Terms {
    /// The terms of a language that says nothing about itself.
    pub fn plain() -> Terms {
        Terms {
            step: "step",
            picture: "Model",
            part: "variable",
            ending: "what is done when the rules are through",
            formula: "EF overflow".into(),
            legend: PLAIN,
        }
    }
}
