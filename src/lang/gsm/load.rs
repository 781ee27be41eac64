//! From the files of a project to an application, in one go.
//!
//! Everything is read, whatever is wrong with what was read before, so that a run shows all mistakes. What could only be a
//! consequence of another mistake (an unknown attribute when the schema cannot be read) is kept back.

use super::resolve::{Draft, ModelOptions, build};
use super::{Application, Gsm, ModelProperty, agents, builtin, domains, notation, properties, xml};
use crate::lang::config::{Config, GivenAbstraction};
use crate::lang::gsm::model::TypeIx;
use crate::lang::project::{Files, Opened, Request, ends_with, gather};
use crate::lang::properties::{add_standard, check_syntax};
use crate::lang::syntax::{Name, Text};
use crate::source::codes::{agents as agent_codes, model as model_codes, properties as property_codes, typing};
use crate::source::{Code, Diagnostic, Diagnostics, FileId, Severity, Sources, Span};
use std::path::PathBuf;

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// All files that were read.
    pub sources: Sources,
    /// All findings.
    pub diagnostics: Diagnostics,
    /// The application; only without errors.
    pub app: Option<Application>,
    /// The properties; only without errors.
    pub properties: Vec<ModelProperty>,
    /// The model file.
    pub model_path: Option<PathBuf>,
}

/// Reads everything that a request names, as GSM.
pub fn load(request: &Request) -> Loaded {
    let (files, read) = read(gather(request, &|path| ends_with(path, "gsm") || ends_with(path, "xml")));
    let clean = !files.diags.has_errors();
    Loaded {
        sources: files.sources,
        diagnostics: files.diags,
        app: read.app.filter(|_| clean),
        properties: if clean { read.properties } else { Vec::new() },
        model_path: files.model.map(|(path, _)| path),
    }
}

/// Reads and lowers a GSM model.
pub fn open(files: Files) -> Opened {
    let standard = files.standard;
    let (mut files, read) = read(files);
    let Read { app, mut properties, abstraction, any } = read;
    let Some(app) = app.filter(|_| !files.diags.has_errors()) else { return files.opened(None) };
    if standard {
        add_standard(&mut properties, builtin(&app));
    }
    let any = any
        .iter()
        .filter_map(|n| app.types.iter().position(|t| t.id == n.text || t.name == n.text).map(TypeIx))
        .collect();
    match Gsm::new(app, properties, &files.sources) {
        Ok(gsm) => files.opened(Some(Box::new(Gsm { abstraction, any, ..gsm }))),
        Err(refusal) => {
            files.diags.push(refusal);
            files.opened(None)
        }
    }
}

/// What the files say.
struct Read {
    app: Option<Application>,
    properties: Vec<ModelProperty>,
    abstraction: GivenAbstraction,
    any: Vec<Name>,
}

fn read(mut files: Files) -> (Files, Read) {
    let schemas = std::mem::take(&mut files.schemas);
    let model = model(files.text, files.is_notation(), &files.sources, &mut files.diags);
    let settings = model.as_ref().map_or_else(Config::default, |r| r.settings.clone());
    let (project, overrides) = (std::mem::take(&mut files.project), std::mem::take(&mut files.overrides));
    let config = settings.overridden(project).overridden(overrides);
    // What is named beside the model replaces its own blocks.
    let own = |text: Option<&Text>| text.cloned();
    let agents = match files.agents.take() {
        Some(named) => Some(files.read(&named)),
        None => own(model.as_ref().and_then(|r| r.agents.as_ref())).map(Some),
    };
    let replaced = !files.properties.is_empty();
    let mut properties = files.property_texts();
    if !replaced {
        properties.extend(own(model.as_ref().and_then(|r| r.properties.as_ref())));
    }
    let folder = files.folder();
    let draft = model.and_then(|model| {
        let (bounds, relations) = (config.instances.clone(), config.relations.clone());
        let options = ModelOptions { folder, schemas, bounds, relations, unbounded: config.options.unbounded };
        build(&model.model, &options, &mut files.sources, &mut files.diags)
    });
    let (app, properties) = rest(&mut files.diags, draft, agents, &properties, &config);
    files.diags.keep(consequences);
    if config.options.unbounded {
        // Fractions stay, and nothing is lost on the way.
        let bounded = [&model_codes::TRUNCATED, &model_codes::LOSSY_COPY];
        files.diags.keep(|all| all.iter().map(|d| !bounded.contains(&d.code)).collect());
    }
    (files, Read { app, properties, abstraction: config.abstraction, any: config.any })
}

/// What only follows from a misspelt event: that its sentry never holds, that the right one is unused, that nobody may send it. A sentry
/// with any other mistake may be the one that waits for an event.
fn consequences(all: &[Diagnostic]) -> Vec<bool> {
    let misspelt: Vec<&Diagnostic> =
        all.iter().filter(|d| d.code == &model_codes::EVENT_IDS && d.help.is_some()).collect();
    let follows = |d: &Diagnostic, cause: &&&Diagnostic| {
        let meant = cause.help.as_deref().unwrap_or("");
        let about = |name: Option<&str>| name.is_some_and(|n| meant.contains(&format!("'{n}'")));
        let quoted = d.message.split('\'').nth_back(1);
        match d.code {
            c if c == &typing::NEVER_HOLDS => cause.span.zip(d.span).is_some_and(|(a, b)| near(a, b)),
            c if c == &model_codes::UNUSED_EVENT => about(quoted),
            c if c == &agent_codes::NOT_ALLOWED => about(quoted) && d.label.is_some(),
            _ => false,
        }
    };
    let broken = all.iter().any(|d| d.severity() == Severity::Error);
    let unheard = |d: &Diagnostic| {
        d.code == &model_codes::UNUSED_EVENT || d.code == &agent_codes::NOT_ALLOWED && d.label.is_some()
    };
    all.iter().map(|d| !(broken && unheard(d)) && misspelt.iter().find(|m| follows(d, m)).is_none()).collect()
}

/// Does a place stand in the element that begins at another?
fn near(inside: Span, element: Span) -> bool {
    inside.file == element.file && inside.start >= element.start && inside.start < element.end + LINE
}

/// An element's attributes begin within so many characters.
const LINE: u32 = 200;

/// Findings that may only follow from data that could not be read.
const ABOUT_DATA: [&Code; 2] = [&typing::UNKNOWN_NAME, &agent_codes::UNKNOWN_ATTRIBUTE];
/// Findings that may only follow from agents that could not be read.
const ABOUT_AGENTS: [&Code; 2] = [&typing::UNKNOWN_NAME, &property_codes::UNKNOWN_AGENT];

/// The model file, as it spells the model.
pub(crate) fn model(
    file: Option<FileId>,
    notation: bool,
    sources: &Sources,
    diags: &mut Diagnostics,
) -> Option<notation::File> {
    let file = file?;
    if notation {
        return notation::read(file, sources, diags);
    }
    let model = xml::read(file, sources, diags)?;
    Some(notation::File { model, settings: Config::default(), blocks: Vec::new(), agents: None, properties: None })
}

/// Agents, properties and domains.
fn rest(
    diags: &mut Diagnostics,
    draft: Option<Draft>,
    agents: Option<Option<Text>>,
    texts: &[Text],
    config: &Config,
) -> (Option<Application>, Vec<ModelProperty>) {
    let Some(mut draft) = draft else {
        parse_only(diags, agents.flatten().as_ref(), texts);
        return (None, Vec::new());
    };
    draft.app.options = config.options.options();
    let about_data: &[&Code] = if draft.incomplete { &ABOUT_DATA } else { &[] };
    let mut complete = true;
    let mut found = Diagnostics::new();
    if let Some(text) = agents {
        complete = text.is_some_and(|t| agents::read(&t, &mut draft.app, &mut found));
    }
    take(diags, &found, about_data);
    let about_agents: &[&Code] = if complete { &[] } else { &ABOUT_AGENTS };
    let mut found = Diagnostics::new();
    let properties = properties(texts, &draft.app, &mut found);
    take(diags, &found, &[about_data, about_agents].concat());
    let mut found = Diagnostics::new();
    let app = domains::infer(draft, &properties, &config.ranges, &mut found);
    take(diags, &found, about_data);
    (Some(app), properties)
}

/// Takes findings over, except those kept back.
fn take(diags: &mut Diagnostics, found: &Diagnostics, kept_back: &[&Code]) {
    for d in found.iter().filter(|d| !kept_back.contains(&d.code)) {
        diags.push(d.clone());
    }
}

/// Without a model at least the grammar can be checked.
pub(crate) fn parse_only(diags: &mut Diagnostics, agents: Option<&Text>, properties: &[Text]) {
    if let Some(text) = agents {
        agents::parse(text, diags);
    }
    check_syntax(properties, diags);
}
