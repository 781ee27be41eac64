//! Mistakes in CMMN cases: another event or another item in an on-part, a criterion left out or turned from entry to exit, a condition
//! negated or made false, a rule of an item left out or added.

use super::{Mistake, Model, measure};
use regex::Regex;
use std::path::{Path, PathBuf};

/// The examples and the cases of the tests.
fn models() -> Vec<Model> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = |dir: &str| -> Vec<PathBuf> {
        std::fs::read_dir(root.join(dir)).expect("a folder").flatten().map(|e| e.path()).collect()
    };
    let cases = entries("tests/cmmn/cases").into_iter().map(|c| c.join("case.cmmn"));
    let examples = entries("examples/cmmn").into_iter().filter(|p| p.extension().is_some_and(|e| e == "cmmn"));
    let mut files: Vec<PathBuf> = examples.chain(cases.filter(|c| c.exists())).collect();
    files.sort();
    let one = |path: &PathBuf| Model {
        name: path.display().to_string().rsplit("cmmn/").next().unwrap_or_default().into(),
        file: "case.cmmn",
        text: std::fs::read_to_string(path).expect("a case"),
        beside: Vec::new(),
    };
    files.iter().map(one).collect()
}

/// What a text says about ids: the names of items, who uses a sentry, what a sentry waits for.
struct Ids<'t> {
    text: &'t str,
}

impl Ids<'_> {
    fn tag(&self, id: &str) -> Option<&str> {
        let tag = Regex::new(&format!(r#"<[^<>]*\bid="{}"[^<>]*>"#, regex::escape(id))).expect("a pattern");
        tag.find(self.text).map(|m| m.as_str())
    }

    /// An item's own name, or that of its definition.
    fn name(&self, id: &str) -> String {
        let Some(tag) = self.tag(id) else { return id.into() };
        match (attribute(tag, "name"), attribute(tag, "definitionRef")) {
            (Some(name), _) => name,
            (None, Some(of)) if of != id => self.name(&of),
            _ => id.into(),
        }
    }

    /// The items with a criterion that is this sentry, and what the sentry waits for.
    fn about(&self, sentry: &str) -> Vec<String> {
        let mut names = Vec::new();
        let item =
            Regex::new(r#"(?s)<(?:planItem|discretionaryItem|casePlanModel|stage)\b[^<>]*\bid="([^"]+)"[^<>]*[^/]>"#)
                .expect("a pattern");
        let used =
            Regex::new(&format!(r#"Criterion\b[^<>]*sentryRef="{}""#, regex::escape(sentry))).expect("a pattern");
        for found in used.find_iter(self.text) {
            let owner = item.captures_iter(&self.text[..found.start()]).last();
            names.extend(owner.and_then(|c| c.get(1)).map(|id| self.name(id.as_str())));
        }
        let whole = Regex::new(&format!(r#"(?s)<sentry\b[^<>]*\bid="{}".*?</sentry>"#, regex::escape(sentry)))
            .expect("a pattern");
        let source = Regex::new(r#"sourceRef="([^"]+)""#).expect("a pattern");
        for part in whole.find_iter(self.text) {
            names.extend(source.captures_iter(part.as_str()).filter_map(|c| c.get(1)).map(|id| self.name(id.as_str())));
        }
        names
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let pattern = Regex::new(&format!(r#"\b{name}="([^"]*)""#)).expect("a pattern");
    Some(pattern.captures(tag)?.get(1)?.as_str().to_string())
}

struct Maker<'t> {
    ids: Ids<'t>,
    all: Vec<Mistake>,
}

impl Maker<'_> {
    fn put(&mut self, found: std::ops::Range<usize>, becomes: &str, names: Vec<String>) {
        let text = self.ids.text;
        let (before, was, after) = (&text[..found.start], &text[found.clone()], &text[found.end..]);
        let text = format!("{before}{becomes}{after}");
        self.all.push(Mistake { was: was.into(), becomes: becomes.into(), text, names });
    }

    /// On-parts and conditions.
    fn sentries(&mut self) {
        let text = self.ids.text;
        let sentry = Regex::new(r#"(?s)<sentry\b[^<>]*\bid="([^"]+)".*?</sentry>"#).expect("a pattern");
        let event = Regex::new(r"<standardEvent>(\w+)</standardEvent>").expect("a pattern");
        let source = Regex::new(r#"sourceRef="([^"]+)""#).expect("a pattern");
        let condition = Regex::new(r"\$\{(.*?)\}").expect("a pattern");
        let items: Vec<String> = Regex::new(r#"<planItem\b[^<>]*\bid="([^"]+)""#)
            .expect("a pattern")
            .captures_iter(text)
            .filter_map(|c| Some(c.get(1)?.as_str().to_string()))
            .collect();
        let word = Regex::new(r"[A-Za-z_]\w*").expect("a pattern");
        for found in sentry.captures_iter(text) {
            let (Some(whole), Some(id)) = (found.get(0), found.get(1)) else { continue };
            let about = self.ids.about(id.as_str());
            let at = whole.start();
            for e in event.captures_iter(whole.as_str()).filter_map(|c| c.get(1)) {
                let other = if e.as_str() == "complete" || e.as_str() == "occur" { "terminate" } else { "complete" };
                self.put(at + e.start()..at + e.end(), other, about.clone());
            }
            for s in source.captures_iter(whole.as_str()).filter_map(|c| c.get(1)) {
                let Some(now) = items.iter().position(|i| i == s.as_str()) else { continue };
                let other = &items[(now + 1) % items.len()];
                let names = about.iter().cloned().chain([self.ids.name(other)]).collect();
                self.put(at + s.start()..at + s.end(), other, names);
            }
            for c in condition.captures_iter(whole.as_str()).filter_map(|c| c.get(1)) {
                let data = word.find_iter(c.as_str()).map(|w| w.as_str().to_string());
                let names: Vec<String> = about.iter().cloned().chain(data).collect();
                self.put(at + c.start()..at + c.end(), &format!("!({})", c.as_str()), names.clone());
                self.put(at + c.start()..at + c.end(), "false", names);
            }
        }
    }

    /// Criteria and rules of items.
    fn items(&mut self) {
        let text = self.ids.text;
        let criterion = Regex::new(r#"<(entry|exit)Criterion\b[^<>]*sentryRef="([^"]+)"[^<>]*/>"#).expect("a pattern");
        for found in criterion.captures_iter(text) {
            let (Some(whole), Some(kind), Some(id)) = (found.get(0), found.get(1), found.get(2)) else { continue };
            let about = self.ids.about(id.as_str());
            self.put(whole.range(), "", about.clone());
            let other = if kind.as_str() == "entry" { "exit" } else { "entry" };
            self.put(kind.range(), other, about);
        }
        let item = Regex::new(r#"(?s)<planItem\b[^<>]*\bid="([^"]+)".*?(?:/>|</planItem>)"#).expect("a pattern");
        let rule = Regex::new(r"<(required|repetition|manualActivation)Rule\s*/>").expect("a pattern");
        for found in item.captures_iter(text) {
            let (Some(whole), Some(id)) = (found.get(0), found.get(1)) else { continue };
            let name = vec![self.ids.name(id.as_str())];
            for r in rule.find_iter(whole.as_str()) {
                self.put(whole.start() + r.start()..whole.start() + r.end(), "", name.clone());
            }
            if whole.as_str().ends_with("/>") && !whole.as_str().contains("Criterion") {
                let opened = whole.as_str().trim_end_matches("/>");
                for added in ["requiredRule", "manualActivationRule", "repetitionRule"] {
                    let becomes = format!("{opened}><itemControl><{added}/></itemControl></planItem>");
                    self.put(whole.range(), &becomes, name.clone());
                }
            }
        }
        let automatic =
            Regex::new(r#"<stage\b[^<>]*\bid="([^"]+)"[^<>]*?( autoComplete="(?:true|false)")"#).expect("a pattern");
        for found in automatic.captures_iter(text) {
            let (Some(id), Some(flag)) = (found.get(1), found.get(2)) else { continue };
            let of = Regex::new(&format!(
                r#"<planItem\b[^<>]*\bid="([^"]+)"[^<>]*definitionRef="{}""#,
                regex::escape(id.as_str())
            ))
            .expect("a pattern");
            let item = of.captures(text).and_then(|c| Some(self.ids.name(c.get(1)?.as_str())));
            self.put(flag.range(), "", item.into_iter().chain([self.ids.name(id.as_str())]).collect());
        }
    }
}

fn mistakes(text: &str) -> Vec<Mistake> {
    let mut maker = Maker { ids: Ids { text }, all: Vec::new() };
    maker.sentries();
    maker.items();
    maker.all
}

#[test]
fn mistakes_are_named() {
    measure(&models(), mistakes);
}
