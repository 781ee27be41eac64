//! Everything that gsmc makes of a project, without its processes.

use crate::projects::Template;
use crate::readers::{self, Read, plain_text, without_colours};
use gsmc::answer::Results;
use gsmc::backend::{export, languages};
use gsmc::explain::session::Session;
use gsmc::interp::Interp;
use gsmc::lang::Lens;
use gsmc::lang::egsm::Egsm;
use gsmc::log::{self, TimeFormat};
use gsmc::replay::egsm::{EgsmJudge, names};
use gsmc::replay::machine::{self, MachineJudge, Setting};
use gsmc::replay::mapping::Mapping;
use gsmc::replay::show as cases;
use gsmc::replay::stream::{self, Plan};
use gsmc::replay::totals::Replayed;
use gsmc::report::{html, human, junit};
use gsmc::source::{Diagnostics, render_all};
use gsmc::trace::look::Look;
use gsmc::trace::{dot, itf, svg, text};
use gsmc::{Options, Project, check};
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::Path;

/// Outputs by kind.
#[derive(Default)]
pub struct Made {
    /// Why there is nothing else, for people.
    pub refused: String,
    /// Texts for people, with their colours where they have some.
    pub shown: Vec<(&'static str, String, Option<String>)>,
    /// Programs for checkers.
    pub programs: Vec<(String, String)>,
    /// Graphviz files.
    pub dots: Vec<(String, String)>,
    /// SVG and other XML.
    pub svgs: Vec<String>,
    /// Pages.
    pub pages: Vec<String>,
    /// JSON.
    pub json: Vec<String>,
    /// Tables.
    pub tables: Vec<String>,
    code: Option<String>,
}

/// Elements and attributes that come and go with the lengths of texts.
pub fn of_layout(shape: &str) -> bool {
    [
        "text textLength",
        "text lengthAdjust",
        "tspan",
        "title",
        "details",
        "details class",
        "summary",
        "code",
        "code class",
        "pre",
    ]
    .contains(&shape)
}

/// Opens a project and makes all outputs.
pub fn make(folder: &Path, template: &Template) -> Made {
    let mut made = Made::default();
    let project = match Project::open(folder, &Options::default()) {
        Ok(project) => project,
        Err(refused) => {
            let text = |colour| render_all(&refused.diagnostics, &refused.sources, colour);
            made.refused = text(false);
            made.shown.push(("errors", text(false), Some(text(true))));
            made.code = refused.diagnostics.iter().next().map(|d| d.code.id.to_string());
            return made;
        }
    };
    let text = |colour| render_all(&project.diagnostics, &project.sources, colour);
    made.shown.push(("warnings", text(false), Some(text(true))));
    let lens = project.lens();
    let plan = gsmc::Plan { builtin: true, ..gsmc::Plan::default() };
    let results = check(&project, &plan);
    made.results(&results);
    made.pictures(&project, &results);
    made.programs(&project);
    made.session(&project);
    for (name, _) in template.files.iter().filter(|(name, _)| name.starts_with("log.")) {
        made.cases(&project, lens, &folder.join(name));
    }
    made
}

impl Made {
    /// Was the project taken?
    pub fn is_loaded(&self) -> bool {
        self.refused.is_empty()
    }

    /// The code of the first finding of a project that was refused.
    pub fn first_code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    fn results(&mut self, results: &Results) {
        let style = |colour| human::Style { look: Look { colour, ..Look::default() }, all_traces: true, brief: false };
        self.shown.push(("results", human::text(results, style(false)), Some(human::text(results, style(true)))));
        self.svgs.push(junit::text(results));
        self.json.push(serde_json::to_string(results).expect("JSON"));
        let mut runs = Vec::new();
        for r in &results.results {
            let Some(trace) = &r.trace else { continue };
            let about = itf::About { source: &results.model, property: &r.property, backend: r.engine.name() };
            self.json.push(itf::write(trace, about).to_string());
            self.dots.push((format!("the run of {}", self.dots.len()), dot::render(trace)));
            self.shown.push(("a run", text::render(trace, true), None));
            runs.push((r.property.clone(), trace.clone()));
        }
        self.svgs.push(svg::file(&runs));
    }

    fn pictures(&mut self, project: &Project, results: &Results) {
        let lens = project.lens();
        self.svgs.push(lens.drawing(&project.sources, gsmc::picture::SCREEN).file());
        let events: Vec<usize> = (0..lens.rule_graphs().len()).collect();
        self.dots.extend(lens.dot().map(|g| ("the lifecycle".to_string(), g)));
        self.dots.push(("rule graphs".to_string(), lens.draw_rule_graphs(&events, false)));
        self.svgs.extend(Some(lens.draw_rule_graphs(&events, true)).filter(|svg| !svg.is_empty()));
        let input = html::Input {
            lens,
            sources: &project.sources,
            diagnostics: &project.diagnostics,
            results,
            against: None,
            replayed: None,
        };
        self.pages.push(html::render(&input).expect("a page"));
    }

    fn programs(&mut self, project: &Project) {
        for language in languages() {
            let folder = tempfile::tempdir().expect("a folder");
            let Ok(exported) = export(language, project.machine(), folder.path()) else { continue };
            for file in exported.files {
                let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                let content = std::fs::read_to_string(&file).expect("a file");
                match name.ends_with(".json") {
                    true => self.json.push(content),
                    false => self.programs.push((name, content)),
                }
            }
        }
    }

    fn session(&mut self, project: &Project) {
        let interp = Interp::new(project.machine());
        let mut session = Session::new(project.lens(), &interp, &project.sources, true);
        session.random(5, 1, &mut |_| ControlFlow::Continue(()));
        self.json.push(serde_json::to_string(&session.trace()).expect("JSON"));
    }

    fn cases(&mut self, project: &Project, lens: &dyn Lens, log: &Path) {
        let egsm = (lens as &dyn std::any::Any).downcast_ref::<Egsm>();
        let known = egsm.map_or_else(|| machine::known(lens), names);
        let mut diags = Diagnostics::new();
        let mapping = Mapping::new(&project.replay, known, &mut diags);
        let options = log::Options { time_format: TimeFormat::Usual, ..log::Options::default() };
        let plan =
            Plan { logs: vec![log::Log::from(log.to_path_buf())], options, jobs: 1, telling: true, ..Plan::default() };
        let judged = match egsm {
            Some(egsm) => stream::run(&plan, &|| EgsmJudge::new(egsm, &mapping, true), &mut |_| ()),
            None => {
                let Ok(setting) =
                    Setting::new(lens, &mapping, &project.sources, project.replay.of_type.as_ref(), 100, true)
                else {
                    return;
                };
                let interp = Interp::new(lens.machine());
                stream::run(&plan, &|| MachineJudge::new(&setting, &interp), &mut |_| ())
            }
        };
        let profile = lens.profile().unwrap_or(lens.language());
        let replayed = Replayed::new(profile, &project.model_name(), vec![], &[], judged);
        let style = cases::Style { all: true, labels: true };
        self.shown.push(("cases", cases::human(&replayed, style), None));
        self.tables.push(cases::csv(&replayed));
        self.svgs.push(cases::junit(&replayed));
        self.json.push(serde_json::to_string(&replayed).expect("JSON"));
        assert!(!replayed.cases.is_empty() || !replayed.errors.is_empty(), "a log is read");
    }

    /// Every output by itself.
    pub fn strictly(&self) -> Read<()> {
        let of = |what: &str, why: String| format!("{what}: {why}");
        for (what, plain, coloured) in &self.shown {
            plain_text(plain).map_err(|w| of(what, w))?;
            if let Some(coloured) = coloured
                && without_colours(coloured) != *plain
            {
                return Err(format!("{what}: its colours change the text"));
            }
        }
        for xml in &self.svgs {
            readers::xml(xml).map_err(|w| of("XML", w))?;
        }
        for json in &self.json {
            serde_json::from_str::<Value>(json).map_err(|w| of("JSON", w.to_string()))?;
        }
        for table in &self.tables {
            readers::csv(table).map_err(|w| of("CSV", w))?;
        }
        Ok(())
    }
}
