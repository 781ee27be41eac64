//! The colours of pictures and pages, once: a light and a dark value each.

use std::fmt::Write;

/// Name, light value, dark value. Text has a contrast of at least 4.5 to 1 on every ground that it is used on.
const COLOURS: [(&str, &str, &str); 23] = [
    ("paper", "#ffffff", "#12161c"),
    ("panel", "#f6f8fb", "#191f28"),
    ("ink", "#1b2330", "#e6eaf1"),
    ("soft", "#566073", "#b2bccb"),
    ("line", "#9aa5b5", "#5d6a7d"),
    ("hair", "#dfe4ec", "#2c3542"),
    ("type", "#f6f8fb", "#171c24"),
    ("box", "#ffffff", "#1e2530"),
    ("box-odd", "#f0f3f8", "#252d3a"),
    ("open", "#d5e7ff", "#17406f"),
    ("open-odd", "#c3dcff", "#1a4679"),
    ("open-line", "#1a5fc0", "#6fb0ff"),
    ("done", "#1c8048", "#41b974"),
    ("good", "#17703d", "#5fd394"),
    ("good-ground", "#e3f5ea", "#143524"),
    ("bad", "#b3261e", "#ff9b92"),
    ("bad-ground", "#fdeceb", "#461d1b"),
    ("warn", "#805300", "#f2c063"),
    ("warn-ground", "#fff3d9", "#3d2f10"),
    ("accent", "#b4490f", "#ffa06b"),
    ("mark", "#fff1c2", "#4d3d10"),
    ("flow", "#7a8699", "#8391a6"),
    ("focus", "#1a5fc0", "#8fc2ff"),
];

fn variables(dark: bool) -> String {
    let one = |(name, light, night): &(&str, &str, &str)| format!("--{name}:{};", if dark { night } else { light });
    COLOURS.iter().map(one).collect()
}

/// The colours as CSS variables of a page: as the system says, unless `data-theme` on the root element says otherwise; on paper
/// always light.
pub fn page() -> String {
    let (light, dark) = (variables(false), variables(true));
    let mut out = format!(":root{{color-scheme:light;{light}}}\n");
    let _ = writeln!(out, ":root[data-theme=dark]{{color-scheme:dark;{dark}}}");
    let media = "@media screen and (prefers-color-scheme:dark)";
    let _ = writeln!(out, "{media}{{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}");
    let _ = writeln!(out, "@media print{{:root,:root[data-theme]{{color-scheme:light;{light}}}}}");
    out
}

/// A style sheet with the variables written out, for pictures that stand alone: many programs that show them know no variables.
pub fn resolved(css: &str) -> String {
    let with = |dark: bool| {
        let value = |css: String, (name, light, night): &(&str, &str, &str)| {
            css.replace(&format!("var(--{name})"), if dark { night } else { light })
        };
        COLOURS.iter().fold(css.to_string(), value)
    };
    format!("{}@media screen and (prefers-color-scheme:dark){{{}}}", with(false), with(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, after the Web Content Accessibility Guidelines.
    fn luminance(name: &str, dark: bool) -> f64 {
        let (_, light, night) = COLOURS.iter().find(|c| c.0 == name).unwrap();
        let hex = if dark { night } else { light };
        let part = |at: usize| {
            let c = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn text_is_readable_on_its_ground() {
        let grounds = ["paper", "panel", "type", "box", "box-odd", "open", "open-odd", "mark"];
        let mut pairs: Vec<(&str, &str)> = grounds.iter().map(|g| ("ink", *g)).collect();
        pairs.extend(grounds[..7].iter().map(|g| ("soft", *g)));
        pairs.extend([("good", "good-ground"), ("bad", "bad-ground"), ("warn", "warn-ground")]);
        pairs.extend(["good", "bad", "warn", "accent"].iter().flat_map(|t| [(*t, "paper"), (*t, "panel")]));
        for dark in [false, true] {
            for (text, ground) in &pairs {
                let (a, b) = (luminance(text, dark), luminance(ground, dark));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} on {ground}, dark {dark}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn a_resolved_sheet_has_no_variables() {
        assert!(!resolved(super::super::STYLE).contains("var("));
    }
}
