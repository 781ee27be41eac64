//! Overrides on the command line. They become a small source of their own, so that mistakes are shown with a caret too.

use super::case;
use super::{ANY, CREATION, Config, EVENTS, IDLE, PROFILE, SOME_INSTANCES, bound, nesting, range, waiting, word};
use crate::lang::syntax::Name;
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};

/// Options as the user typed them.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--instances Type=3`
    pub instances: Vec<String>,
    /// `--range Type.attribute=0..7`
    pub ranges: Vec<String>,
    /// `--relation Type.attribute=Type`
    pub relations: Vec<String>,
    /// `--schema FILE`
    pub schemas: Vec<String>,
    /// `--idle always`
    pub idle: Option<String>,
    /// `--creation overflow`
    pub creation: Option<String>,
    /// `--events any`
    pub events: Option<String>,
    /// `--bound 2`
    pub bound: Option<String>,
    /// `--profile spec`
    pub profile: Option<String>,
    /// `--nesting 1`
    pub nesting: Option<String>,
    /// `--case-id ID`
    pub case: Option<String>,
    /// `--manual complete,terminate=Review`
    pub manual: Vec<String>,
    /// `--data any`
    pub data: Option<String>,
    /// `--rounds 60`
    pub rounds: Option<String>,
    /// `--no-builtin`
    pub no_builtin: bool,
    /// `--strict-order`
    pub strict_order: bool,
    /// `--keep-all`
    pub keep_all: bool,
    /// `--abstract`
    pub unbounded: bool,
}

struct Reader<'d> {
    file: FileId,
    diags: &'d mut Diagnostics,
    config: Config,
}

/// The name under which options of the command line are a source.
pub const COMMAND_LINE: &str = "command line";

impl Overrides {
    /// The configuration that they make. Adds "command line" to the sources.
    pub fn config(&self, sources: &mut Sources, diags: &mut Diagnostics) -> Config {
        let lists: [(&str, &[String]); 14] = [
            ("--instances", &self.instances),
            ("--range", &self.ranges),
            ("--relation", &self.relations),
            ("--schema", &self.schemas),
            ("--idle", self.idle.as_slice()),
            ("--creation", self.creation.as_slice()),
            ("--events", self.events.as_slice()),
            ("--bound", self.bound.as_slice()),
            ("--profile", self.profile.as_slice()),
            ("--nesting", self.nesting.as_slice()),
            ("--case-id", self.case.as_slice()),
            ("--manual", &self.manual),
            ("--data", self.data.as_slice()),
            ("--rounds", self.rounds.as_slice()),
        ];
        let (mut text, mut pieces) = (String::new(), Vec::new());
        for (option, value) in lists.into_iter().flat_map(|(option, values)| values.iter().map(move |v| (option, v))) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(option);
            text.push(' ');
            pieces.push((option, value.as_str(), text.len()));
            text.push_str(value);
        }
        let file = sources.add(COMMAND_LINE, text);
        let mut reader = Reader { file, diags, config: Config::default() };
        for (option, value, start) in pieces {
            reader.option(option, value, start);
        }
        let mut config = reader.config;
        config.case.no_standard = self.no_builtin;
        config.options.strict_order = self.strict_order.then_some(true);
        config.options.keep_all = self.keep_all.then_some(true);
        config.options.unbounded = self.unbounded;
        config
    }
}

impl Reader<'_> {
    fn option(&mut self, option: &str, value: &str, start: usize) {
        let span = Span::new(self.file, start, start + value.len());
        match option {
            "--idle" => self.config.options.idle = word(value, span, &IDLE, self.diags),
            "--creation" => self.config.options.creation = word(value, span, &CREATION, self.diags),
            "--events" => self.config.options.events = word(value, span, &EVENTS, self.diags),
            "--profile" => self.config.options.profile = word(value, span, &PROFILE, self.diags),
            "--bound" => match value.parse() {
                Ok(n) => self.config.options.bound = waiting(n, span, self.diags),
                Err(_) => self.unreadable(option, value, span, "a number"),
            },
            "--nesting" => match value.parse() {
                Ok(n) => self.config.options.nesting = nesting(n, span, self.diags),
                Err(_) => self.unreadable(option, value, span, "a number"),
            },
            "--rounds" => match value.parse() {
                Ok(n) => self.config.case.rounds = case::rounds(n, span, self.diags),
                Err(_) => self.unreadable(option, value, span, "a number"),
            },
            "--data" => self.config.case.data_any = case::any_time(value, span, self.diags),
            "--case-id" => self.config.case.id = Some(Name { text: value.to_string(), span, quoted: false }),
            "--schema" => self.config.schemas.push(Name { text: value.to_string(), span, quoted: false }),
            _ => {
                let mut at = start;
                for piece in value.split(',') {
                    match option {
                        "--manual" => {
                            let span = Span::new(self.file, at, at + piece.len());
                            let name = Name { text: piece.trim().to_string(), span, quoted: false };
                            self.config.case.by_hand.extend(case::by_hand(name, self.diags));
                        }
                        _ => self.pair(option, piece, at),
                    }
                    at += piece.len() + 1;
                }
            }
        }
    }

    /// `name=value`
    fn pair(&mut self, option: &str, piece: &str, start: usize) {
        let span = Span::new(self.file, start, start + piece.len());
        let wanted = match option {
            "--instances" => "Type=3 or Type=any",
            "--range" => "Type.attribute=0..7",
            _ => "Type.attribute=Type",
        };
        let Some((left, right)) = piece.split_once('=').filter(|(l, r)| !l.trim().is_empty() && !r.trim().is_empty())
        else {
            return self.unreadable(option, piece, span, wanted);
        };
        let name = Name {
            text: left.trim().to_string(),
            span: Span::new(self.file, start, start + left.len()),
            quoted: false,
        };
        let at = Span::new(self.file, start + left.len() + 1, start + piece.len());
        let right = right.trim();
        match option {
            "--instances" if right == ANY => {
                self.config.any.push(name.clone());
                self.config.instances.push((name, SOME_INSTANCES));
            }
            "--instances" => match right.parse() {
                Ok(n) => self.config.instances.extend(bound(n, at, self.diags).map(|n| (name, n))),
                Err(_) => self.unreadable(option, piece, at, wanted),
            },
            "--range" => match right.split_once("..").map(|(lo, hi)| (lo.trim().parse(), hi.trim().parse())) {
                Some((Ok(lo), Ok(hi))) => {
                    self.config.ranges.extend(range(lo, hi, at, self.diags).map(|range| (name, range)));
                }
                _ => self.unreadable(option, piece, at, wanted),
            },
            _ => self.config.relations.push((name, Name { text: right.to_string(), span: at, quoted: false })),
        }
    }

    fn unreadable(&mut self, option: &str, piece: &str, span: Span, wanted: &str) {
        let message = format!("'{piece}' is not what {option} takes");
        self.diags.push(Diagnostic::new(&codes::OVERRIDE, span, message).label(format!("expected {wanted}")));
    }
}
