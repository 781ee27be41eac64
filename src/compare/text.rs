//! A comparison for the terminal.

use super::{Change, Comparison, VerdictChange};
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
    match (&c.was, &c.is) {
        (None, Some(is)) => format!("  {} {}\n      {is}\n", look.paint(Ink::Good, "+"), c.part),
        (Some(was), None) => format!("  {} {}\n      {was}\n", look.paint(Ink::Bad, "-"), c.part),
        (Some(was), Some(is)) => {
            format!("  {} {}\n      was  {was}\n      is   {is}\n", look.paint(Ink::Open, "~"), c.part)
        }
        (None, None) => String::new(),
    }
}

fn verdict(v: &VerdictChange, look: &Look) -> String {
    let head = match (&v.was, &v.is) {
        (Some(was), Some(is)) => format!("{} was {was} and is {is}", v.property),
        (None, Some(is)) => format!("{} is new: {is}", v.property),
        (Some(was), None) => format!("{} is gone; it was {was}", v.property),
        (None, None) => v.property.clone(),
    };
    let mut out = format!("  {}\n", look.paint(Ink::Open, &head));
    if !v.summary.is_empty() {
        look.wrapped(4, &v.summary).iter().for_each(|line| out += &format!("{line}\n"));
    }
    let mut run = |what: &str, path: &Option<String>, other: &str, goes: &Option<String>| {
        if let Some(path) = path {
            out += &format!("    {what}: {path}\n");
            if let Some(goes) = goes {
                out += &format!("      in the {other} model: {goes}\n");
            }
        }
    };
    run("a run shows it", &v.run, "old", &v.run_before);
    run("the old run", &v.old_run, "new", &v.old_run_now);
    out
}
