//! Hostile texts in every place where a model, agents, properties, `gsmc.toml`, schemas or logs can carry one; whatever gsmc makes of them
//! is read by strict readers of each language. `GSMC_HOSTILE=100000` asks for that many texts.

mod exploit;
mod outputs;
mod processes;
mod projects;
mod readers;
mod texts;

use outputs::{Made, make};
use projects::{ALL, Template};
use readers::{Read, same_program, without_colours};
use std::collections::BTreeMap;

/// Texts of the usual run: seconds.
const USUAL: usize = 400;

fn wanted() -> usize {
    std::env::var("GSMC_HOSTILE").ok().and_then(|n| n.parse().ok()).unwrap_or(USUAL)
}

/// The outputs of one project with these texts.
fn made(template: &Template, texts: &[String]) -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    template.write(folder.path(), texts);
    make(folder.path(), template)
}

#[test]
fn no_text_escapes_from_any_output() {
    let wanted = wanted();
    let seed = std::env::var("GSMC_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    // Each template has texts of its own, so that a failure can be made again.
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done = std::sync::Mutex::new((0_usize, BTreeMap::<&str, [usize; 2]>::new(), BTreeMap::<String, usize>::new()));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(4);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    if done.lock().expect("not poisoned").0 >= wanted {
                        break;
                    }
                    let round = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let template = ALL[round % ALL.len()];
                    let mut rng = fastrand::Rng::with_seed(seed + round as u64);
                    let hostile = texts::some(&mut rng, template.texts, template.carries);
                    let outcome = made(template, &hostile);
                    let place = || format!("{}, seed {}, texts {hostile:?}", template.language, seed + round as u64);
                    let loaded = outcome.is_loaded();
                    if loaded {
                        let twin = made(template, &texts::harmless(&hostile));
                        compare(&outcome, &twin).unwrap_or_else(|why| panic!("{why}\n{}", place()));
                    }
                    outcome.strictly().unwrap_or_else(|why| panic!("{why}\n{}", place()));
                    let mut done = done.lock().expect("not poisoned");
                    done.0 += template.texts;
                    done.1.entry(template.language).or_default()[usize::from(loaded)] += 1;
                    if let Some(code) = outcome.first_code() {
                        *done.2.entry(format!("{} {code}", template.language)).or_default() += 1;
                    }
                }
            });
        }
    });
    let (count, rates, codes) = done.into_inner().expect("not poisoned");
    eprintln!("{count} texts; projects refused and loaded: {rates:?}; why refused: {codes:?}");
    for (language, [refused, loaded]) in rates {
        assert!(loaded * 2 >= refused, "{language}: {refused} projects refused, {loaded} loaded: {codes:?}");
    }
}

/// The same programs and shapes as with harmless names.
fn compare(hostile: &Made, harmless: &Made) -> Read<()> {
    let of = |what: &str, why: String| format!("{what}: {why}");
    if !harmless.is_loaded() {
        return Err(format!("with harmless names it is refused: {}", without_colours(&harmless.refused)));
    }
    if hostile.programs.len() != harmless.programs.len() {
        return Err("another number of programs".into());
    }
    for ((name, text), (_, twin)) in hostile.programs.iter().zip(&harmless.programs) {
        let read = if name.ends_with("pml") { readers::promela } else { readers::line_comments };
        let (a, b) = (read(text).map_err(|w| of(name, w))?, read(twin).map_err(|w| of(name, w))?);
        same_program(&a, &b).map_err(|w| of(name, w))?;
    }
    for ((name, text), (_, twin)) in hostile.dots.iter().zip(&harmless.dots) {
        let (a, b) = (readers::dot(text).map_err(|w| of(name, w))?, readers::dot(twin).map_err(|w| of(name, w))?);
        if a != b {
            return Err(format!("{name}: another graph:\n{a}\n{b}"));
        }
    }
    let known: Vec<String> = harmless.svgs.iter().filter_map(|t| readers::xml(t).ok()).flatten().collect();
    for svg in &hostile.svgs {
        let shapes = readers::xml(svg).map_err(|w| of("a picture", w))?;
        if let Some(new) = shapes.iter().find(|s| !known.contains(s) && !outputs::of_layout(s)) {
            return Err(format!("a picture has {new}"));
        }
    }
    for (page, twin) in hostile.pages.iter().zip(&harmless.pages) {
        let (a, b) =
            (readers::html(page).map_err(|w| of("a page", w))?, readers::html(twin).map_err(|w| of("a page", w))?);
        let kinds = |p: &readers::Page| p.raw.iter().map(|(tag, _)| tag.clone()).collect::<Vec<_>>();
        if let Some(new) = a.shapes.iter().find(|s| !b.shapes.contains(*s) && !outputs::of_layout(s)) {
            return Err(format!("a page has {new}"));
        }
        if kinds(&a) != kinds(&b) {
            return Err("a page has other scripts or styles".into());
        }
        for ((tag, raw), (_, twin)) in a.raw.iter().zip(&b.raw) {
            if raw != twin && !(tag == "script" && serde_json::from_str::<serde_json::Value>(raw).is_ok()) {
                return Err(format!("a {tag} of a page is changed"));
            }
        }
    }
    Ok(())
}
