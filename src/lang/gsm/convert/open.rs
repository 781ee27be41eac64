//! A project read for conversion: the model before its domains are settled, and the texts around it.

use super::toml::{Block, blocks};
use crate::lang::config::{self, Config, Profile};
use crate::lang::files;
use crate::lang::fmt;
use crate::lang::gsm::notation;
use crate::lang::gsm::resolve::{Draft, Ends, ModelOptions, build, names};
use crate::lang::gsm::xml::{self, RawModel};
use crate::lang::gsm::{Application, Expr, ExprKind, Guard};
use crate::lang::project::Request;
use crate::lang::syntax::Text;
use crate::source::codes::model as codes;
use crate::source::{Diagnostics, FileId, Sources};
use std::path::{Path, PathBuf};

/// Everything a project says, ready to be written in another way.
pub struct Whole {
    /// The model as its file spells it.
    pub raw: RawModel,
    /// The model; ranges given in options are facets of its data.
    pub draft: Draft,
    /// Settings beside the model: instances, options and the like.
    pub blocks: Vec<Block>,
    /// Agents.
    pub agents: Option<String>,
    /// Property files, in order.
    pub properties: Vec<String>,
    /// What the other side cannot say.
    pub lost: Vec<String>,
}

/// Reads a project that has no mistakes (which `load` tells). `None`: it cannot be read after all.
pub fn open(request: &Request) -> Option<Whole> {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let is_model = |p: &&PathBuf| !p.is_dir() && p.extension().is_some_and(|e| e != "toml");
    let dir = request.dir.as_ref().filter(|d| !is_model(d));
    let toml = dir.map(|d| if d.is_dir() { d.join("gsmc.toml") } else { d.clone() });
    let project_file = toml.as_ref().and_then(|p| files::read(p, None, &mut sources, &mut diags));
    let project = project_file.map_or_else(Config::default, |f| config::read(f, &sources, &mut diags));
    let base = toml.as_deref().and_then(Path::parent).map_or_else(PathBuf::new, Path::to_path_buf);
    let alone = request.dir.as_ref().filter(is_model);
    let path = request.model.as_ref().or(alone).cloned().or(project.model.as_ref().map(|m| base.join(&m.text)))?;
    let file = files::read(&path, None, &mut sources, &mut diags)?;
    let mut lost = Vec::new();
    let is_notation = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gsm"));
    let read = if is_notation {
        notation::read(file, &sources, &mut diags)?
    } else {
        let model = xml::read(file, &sources, &mut diags)?;
        notation::File { model, settings: Config::default(), blocks: Vec::new(), agents: None, properties: None }
    };
    let text = |file: FileId, sources: &Sources| sources.file(file).map(|f| f.text.clone()).unwrap_or_default();
    let mut named =
        |path: &Path, sources: &mut Sources| files::read(path, None, sources, &mut diags).map(|f| text(f, sources));
    let agents = request.agents.clone().or(project.agents.as_ref().map(|a| base.join(&a.text)));
    let agents = match agents {
        Some(path) => named(&path, &mut sources),
        None => read.agents.as_ref().map(unindented),
    };
    let listed: Vec<PathBuf> = match request.properties.as_slice() {
        [] => project.properties.iter().map(|p| base.join(&p.text)).collect(),
        several => several.to_vec(),
    };
    let mut properties: Vec<String> = listed.iter().filter_map(|p| named(p, &mut sources)).collect();
    if listed.is_empty() {
        properties.extend(read.properties.as_ref().map(unindented));
    }
    let toml_blocks = project_file.map(|f| blocks(&text(f, &sources))).unwrap_or_default();
    let schemas = project.schemas.iter().map(|s| base.join(&s.text)).collect();
    let config = read.settings.clone().overridden(project);
    let options = ModelOptions {
        folder: path.parent().map_or_else(PathBuf::new, Path::to_path_buf),
        schemas,
        bounds: config.instances.clone(),
        relations: config.relations.clone(),
        // What is converted may be meant to be checked either way.
        unbounded: true,
    };
    let mut draft = build(&read.model, &options, &mut sources, &mut diags)?;
    let monitored = config.options.profile.map_or(read.model.monitored, |p| p == Profile::Egsm);
    let mut sentries = draft.app.types.iter().flat_map(|t| &t.stages).flat_map(|s| &s.guards);
    let creates = |g: &Guard| g.sentry.events.iter().any(|&e| draft.app.events[e].creates.is_some());
    let creates = sentries.any(creates);
    if monitored && !creates {
        conditions_alone(&mut draft.app, is_notation, &mut lost);
    }
    let mut ranges = Block { name: "ranges".into(), entries: Vec::new() };
    for (name, (lo, hi)) in &config.ranges {
        // How many elements a bag has is no facet of any attribute.
        if names::typed_bag(&draft.app, &name.text).is_some() {
            ranges.entries.push((name.text.clone(), format!("[{lo}, {hi}]")));
        } else if let Some((ty, attr)) = names::typed_attribute(&draft.app, name, &mut Diagnostics::new()) {
            let facets = &mut draft.facets[ty.0][attr.0];
            (facets.min, facets.max) = (Some(*lo), Some(*hi));
            facets.ends = Ends { lo: Some((*lo).into()), hi: Some((*hi).into()), open: (false, false) };
        }
    }
    comments(&sources, is_notation, &mut lost);
    ignored(&sources, &diags, &mut lost);
    let mut all = read.blocks;
    all.extend(toml_blocks);
    all.retain(|b| b.name != "ranges");
    all.extend((!ranges.entries.is_empty()).then_some(ranges));
    Some(Whole { raw: read.model, draft, blocks: all, agents, properties, lost })
}

/// In E-GSM `on E` of the notation is part of the condition, and XML has no other place for it; its `eventIds` mean nothing.
fn conditions_alone(app: &mut Application, is_notation: bool, lost: &mut Vec<String>) {
    for t in &mut app.types {
        let milestones = t.milestones.iter_mut().flat_map(|m| m.achieving.iter_mut().chain(&mut m.invalidating));
        let stages = t.stages.iter_mut();
        let guards = stages.flat_map(|s| s.guards.iter_mut().chain(&mut s.flow_guards).chain(&mut s.fault_loggers));
        for guard in guards.chain(milestones) {
            let events = std::mem::take(&mut guard.sentry.events);
            if events.is_empty() {
                continue;
            }
            if !is_notation {
                lost.push(format!("eventIds of '{}', which mean nothing in E-GSM", guard.id));
                continue;
            }
            let span = guard.sentry.span;
            let mut occurs: Vec<Expr> =
                events.into_iter().map(|e| Expr { kind: ExprKind::Occurring(e), span }).collect();
            let occurs = match occurs.len() {
                1 => occurs.remove(0),
                _ => Expr { kind: ExprKind::Or(occurs), span },
            };
            let always = matches!(guard.sentry.expr.kind, ExprKind::Bool(true));
            let expr = std::mem::replace(&mut guard.sentry.expr, occurs.clone());
            if !always {
                guard.sentry.expr = Expr { kind: ExprKind::And(vec![occurs, expr]), span };
            }
        }
    }
}

/// The text of a block without the indentation that all its lines share.
fn unindented(text: &Text) -> String {
    let lines: Vec<&str> = text.as_str().trim_matches('\n').lines().collect();
    let blanks = |l: &&str| l.len() - l.trim_start().len();
    let common = lines.iter().filter(|l| !l.trim().is_empty()).map(blanks).min().unwrap_or(0);
    let out: Vec<&str> = lines.iter().map(|l| l.get(common..).unwrap_or("").trim_end()).collect();
    format!("{}\n", out.join("\n").trim_end())
}

/// Comments of the model, its schemas and options have no place on the other side.
fn comments(sources: &Sources, is_notation: bool, lost: &mut Vec<String>) {
    for file in sources.files() {
        let (count, kind) = match file.name.rsplit('.').next() {
            Some("xml" | "xsd") => (file.text.matches("<!--").count(), "XML"),
            Some("toml") => (file.text.lines().filter(|l| outside_quotes(l, '#')).count(), "TOML"),
            Some("gsm") if is_notation => (fmt::comments(&file.text), "model"),
            _ => continue,
        };
        if count > 0 {
            let s = if count == 1 { "" } else { "s" };
            lost.push(format!("{count} {kind} comment{s} in {}", file.name));
        }
    }
}

/// Does a sign stand in a line, not in a text there?
fn outside_quotes(line: &str, sign: char) -> bool {
    let mut open: Option<char> = None;
    line.chars().any(|c| {
        match open {
            Some(quote) if c == quote => open = None,
            None if matches!(c, '"' | '\'') => open = Some(c),
            _ => {}
        }
        open.is_none() && c == sign
    })
}

/// What the reader ignored.
fn ignored(sources: &Sources, diags: &Diagnostics, lost: &mut Vec<String>) {
    let codes = [&codes::UNKNOWN_ELEMENT, &codes::UNKNOWN_ATTRIBUTE, &codes::SCHEMA_IGNORED, &codes::EVENT_IDS];
    for d in diags.iter().filter(|d| codes.contains(&d.code)) {
        let place = d.span.map_or(String::new(), |s| format!("{}: ", sources.place(s)));
        lost.push(format!("{place}{}", d.message));
    }
}
