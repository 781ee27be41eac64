//! A comparison for the terminal.

use super::{Change, Comparison, VerdictChange};
use crate::source::on_one_line;
use crate::trace::look::{Ink, Look};

/// What changed in the model, whose verdicts changed, and how many did not.
pub fn render(c: &Comparison, look: &Look) -> String {
    let mut out = String::new();
    if c.model.is_empty() {
        out += "The models do the same.\n";
    } else {
        out += &format!("{}\n", look.paint(Ink::Strong, "In the model"));
        c.model.iter().for_each(|change| out += &part(change, look));
    }
    out += &format!("\n{}\n", look.paint(Ink::Strong, "Verdicts"));
    c.verdicts.iter().for_each(|v| out += &verdict(v, look));
    out + &format!("  {} the same\n", c.same)
}

fn part(c: &Change, look: &Look) -> String {
    let part = on_one_line(&c.part);
    match (c.was.as_deref().map(on_one_line), c.is.as_deref().map(on_one_line)) {
        (None, Some(is)) => format!("  {} {part}\n      {is}\n", look.paint(Ink::Good, "+")),
        (Some(was), None) => format!("  {} {part}\n      {was}\n", look.paint(Ink::Bad, "-")),
        (Some(was), Some(is)) => {
            format!("  {} {part}\n      was  {was}\n      is   {is}\n", look.paint(Ink::Open, "~"))
        }
        (None, None) => String::new(),
    }
}

fn verdict(v: &VerdictChange, look: &Look) -> String {
    let property = on_one_line(&v.property);
    let head = match (&v.was, &v.is) {
        (Some(was), Some(is)) => format!("{property} was {was} and is {is}"),
        (None, Some(is)) => format!("{property} is new: {is}"),
        (Some(was), None) => format!("{property} is gone; it was {was}"),
        (None, None) => property.into_owned(),
    };
    let mut out = format!("  {}\n", look.paint(Ink::Open, &head));
    if !v.summary.is_empty() {
        look.wrapped(4, &on_one_line(&v.summary)).iter().for_each(|line| out += &format!("{line}\n"));
    }
    let mut run = |what: &str, path: &Option<String>, other: &str, goes: &Option<String>| {
        if let Some(path) = path {
            out += &format!("    {what}: {}\n", on_one_line(path));
            if let Some(goes) = goes {
                out += &format!("      in the {other} model: {}\n", on_one_line(goes));
            }
        }
    };
    run("a run shows it", &v.run, "old", &v.run_before);
    run("the old run", &v.old_run, "new", &v.old_run_now);
    out
}
