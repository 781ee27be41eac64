//! What GSM calls what pages show.

use super::Application;
use super::convert::names::{plain, quoted};
use crate::lang::terms::{CHANGED, Sign, Terms};

const LEGEND: &[Sign] = &[
    Sign::new("sign", "stage"),
    Sign::new("sign open-sign", "open"),
    Sign::new("diamond", "guard"),
    Sign::new("circle", "milestone"),
    Sign::new("circle full", "achieved"),
    Sign::new("link-sign", "opens the way for"),
    Sign::new("chip-sign", "data").with("x"),
    Sign::new("sign absent-sign", "faded: not created").live(),
    CHANGED,
    Sign::new("link-sign on-sign", "links of the stage under the pointer").live(),
];

/// The terms, with a formula about the application's first milestone.
pub fn terms(app: &Application) -> Terms {
    let first = app.types.iter().find_map(|t| Some((t.id.as_str(), t.milestones.first()?.id.as_str())));
    let formula = match first {
        Some((ty, milestone)) if plain(ty) && plain(milestone) => format!("EF exists x : {ty} (x.{milestone})"),
        Some((ty, milestone)) => {
            format!("EF GSM.isMilestoneAchieved({}, {})", quoted(ty), quoted(milestone))
        }
        None => "EF overflow".into(),
    };
    Terms {
        step: "B-step",
        picture: "Lifecycle",
        part: "stage",
        ending: "tasks, observers, private variables",
        formula,
        legend: LEGEND,
    }
}
