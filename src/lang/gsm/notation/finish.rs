//! What can only be settled once the whole file is read: types taken from attributes, and the names in tasks.

use super::data::{Decl, From};
use super::read::{Reader, Type};
use super::tasks::{Binding, Source, Step};
use crate::lang::gsm::xml::{Invoked, RawEnd, RawMapping, RawStep, Word};
use crate::lang::gsm::xsd::XsdField;
use crate::lang::syntax::Name;
use crate::source::codes::{expressions, model, notation as codes};
use crate::source::{Diagnostic, Sources, Span};

/// Ids and names of the types.
type Names = [(String, String)];

/// The type of an id or, failing that, name.
fn find(names: &Names, text: &str) -> Option<usize> {
    names.iter().position(|(id, _)| id == text).or_else(|| names.iter().position(|(_, name)| name == text))
}

fn ids(names: &Names) -> impl Iterator<Item = &str> {
    names.iter().map(|(id, _)| id.as_str())
}

impl Reader<'_, '_> {
    /// Declarations with their types; each name once.
    pub(super) fn fields_of(
        &mut self,
        decls: Vec<Decl>,
        names: &Names,
        declared: &[Vec<Decl>],
        own: Option<usize>,
        sources: &Sources,
    ) -> Vec<XsdField> {
        let mut fields: Vec<XsdField> = Vec::new();
        for decl in decls {
            if let Some(ty) = decl.refers.as_ref().filter(|ty| find(names, &ty.text).is_none()) {
                self.unknown_type(ty, names);
            }
            let Some(field) = self.field_of(decl, names, declared, own) else { continue };
            if let Some(first) = fields.iter().find(|f| f.path == field.path) {
                let d = Diagnostic::new(&codes::SECOND, field.span, format!("'{}' is declared twice", field.path));
                self.diags.push(d.note(format!("first declared at {}", sources.place(first.span))));
                continue;
            }
            fields.push(field);
        }
        fields
    }

    fn field_of(&mut self, decl: Decl, names: &Names, declared: &[Vec<Decl>], own: Option<usize>) -> Option<XsdField> {
        let has = |t: usize, attr: &str| {
            declared.get(t).and_then(|d| d.iter().find(|d| d.field.path == attr && d.from.is_none()))
        };
        let lent = match &decl.from {
            None => return Some(decl.field),
            Some(From::SameName) => {
                let types = own.map_or(0..names.len(), |t| t..t + 1);
                let found = types.clone().find_map(|t| has(t, &decl.field.path));
                if found.is_none() {
                    let message = format!("no attribute '{}' gives this field its type", decl.field.path);
                    let known = types.flat_map(|t| &declared[t]).map(|d| d.field.path.as_str());
                    let d = Diagnostic::new(&codes::BORROWED, decl.field.span, message);
                    let d = d.nearest(&decl.field.path, known);
                    self.diags.push(if d.help.is_none() { d.help("write its type after ':'") } else { d });
                }
                found
            }
            Some(From::Of(ty, attr)) => {
                let Some(t) = find(names, &ty.text) else {
                    self.unknown_type(ty, names);
                    return None;
                };
                let found = has(t, &attr.text);
                if found.is_none() {
                    let message = format!("'{}' has no attribute '{}'", ty.text, attr.text);
                    let known = declared[t].iter().map(|d| d.field.path.as_str());
                    self.diags.push(Diagnostic::new(&codes::BORROWED, attr.span, message).nearest(&attr.text, known));
                }
                found
            }
        }?;
        let (path, span) = (decl.field.path, decl.field.span);
        Some(XsdField { path, span, initial: None, ..lent.field.clone() })
    }

    fn unknown_type(&mut self, name: &Name, names: &Names) {
        let d = Diagnostic::new(&model::UNKNOWN_TYPE, name.span, format!("unknown artifact type '{}'", name.text));
        self.diags.push(d.nearest(&name.text, ids(names)));
    }

    /// Steps of a type's tasks as the XML has them.
    pub(super) fn settle_tasks(&mut self, names: &Names, declared: &[Vec<Decl>], own: usize, t: &mut Type) {
        for waiting in std::mem::take(&mut t.tasks) {
            let mut steps = Vec::new();
            for step in waiting.steps {
                match step {
                    Step::Element { change, bag, data, span } => {
                        let all = self.element(change, bag, data, span, names, declared, own);
                        steps.extend(all.into_iter().map(|m| RawStep::Mapping(Box::new(m))));
                    }
                    step => steps.extend(self.raw_step(step, names, declared, own)),
                }
            }
            let stage = t.component.stages.get_mut(waiting.stage);
            if let Some(task) = stage.and_then(|s| s.tasks.get_mut(waiting.at)) {
                task.steps = steps;
            }
        }
    }

    /// `add B { f = x }`: a mapping per field, or one for the bag as a whole.
    #[expect(clippy::too_many_arguments, reason = "the parts of one statement, and what its names mean")]
    fn element(
        &mut self,
        change: Word,
        bag: Word,
        data: Vec<Binding>,
        span: Span,
        names: &Names,
        declared: &[Vec<Decl>],
        own: usize,
    ) -> Vec<RawMapping> {
        let (kind, group) = (Some(change), Some(span));
        if data.is_empty() {
            return vec![RawMapping { kind, source: None, target: Some(artifact(bag)), span, group }];
        }
        let mut all = Vec::new();
        for mut binding in data {
            let field = std::mem::take(&mut binding.target.text);
            binding.target.text = if field.is_empty() { bag.text.clone() } else { format!("{}.{field}", bag.text) };
            let mapping = self.mapping(binding, declared, own, None, names);
            all.extend(mapping.map(|m| RawMapping { kind: kind.clone(), group, ..m }));
        }
        all
    }

    fn raw_step(&mut self, step: Step, names: &Names, declared: &[Vec<Decl>], own: usize) -> Option<RawStep> {
        Some(match step {
            Step::Assign(binding) => RawStep::Mapping(Box::new(self.mapping(binding, declared, own, None, names)?)),
            Step::Add(target) => {
                let span = target.span;
                let kind = Some(Word { text: "add".into(), span });
                RawStep::Mapping(Box::new(RawMapping {
                    kind,
                    source: None,
                    target: Some(artifact(target)),
                    span,
                    group: None,
                }))
            }
            Step::Element { .. } => return None,
            Step::Create { ty, data, span } => {
                let Some(created) = find(names, &ty.text) else {
                    self.unknown_type(&ty, names);
                    return None;
                };
                let mappings: Vec<RawMapping> =
                    data.into_iter().filter_map(|b| self.mapping(b, declared, own, Some(created), names)).collect();
                let service = Word { text: format!("Create_{}", names[created].0), span: ty.span };
                RawStep::Invoke { service, what: Invoked::Any, to: None, mappings, span }
            }
            Step::Call { service, fills, span } => {
                let fill = |target: Word| {
                    let span = target.span;
                    RawMapping { kind: None, source: None, target: Some(artifact(target)), span, group: None }
                };
                let service = Word { text: service.text, span: service.span };
                let mappings = fills.into_iter().map(fill).collect();
                RawStep::Invoke { service, what: Invoked::Call, to: None, mappings, span }
            }
            Step::Send { event, to, data, span } => {
                let receiver = match &to {
                    None => own,
                    Some(ty) => match find(names, &ty.text) {
                        Some(receiver) => receiver,
                        None => {
                            self.unknown_type(ty, names);
                            return None;
                        }
                    },
                };
                let mappings: Vec<RawMapping> =
                    data.into_iter().filter_map(|b| self.sent_field(b, declared, own, receiver, names)).collect();
                let service = Word { text: event.text, span: event.span };
                let to = to.map(|ty| Word { text: names[receiver].0.clone(), span: ty.span });
                RawStep::Invoke { service, what: Invoked::Send, to, mappings, span }
            }
        })
    }

    /// `f = x` in a message; `f = self` makes no sense there.
    fn sent_field(
        &mut self,
        binding: Binding,
        declared: &[Vec<Decl>],
        own: usize,
        receiver: usize,
        names: &Names,
    ) -> Option<RawMapping> {
        if let Source::Itself(at) = binding.source {
            let d = Diagnostic::new(&codes::NOT_REFERENCE, at, "'self' can only be given to a new instance");
            self.diags.push(d.help("a message to related instances needs no id: write send Event to Type"));
            return None;
        }
        let mut mapping = self.mapping(binding, declared, own, Some(receiver), names)?;
        if let Some(target) = &mut mapping.target {
            target.ref_type = word("serviceRequest", target.span);
        }
        Some(mapping)
    }

    /// `a = x`; `a = self` is what creation does anyway, and leaves nothing.
    fn mapping(
        &mut self,
        binding: Binding,
        declared: &[Vec<Decl>],
        own: usize,
        created: Option<usize>,
        names: &Names,
    ) -> Option<RawMapping> {
        let Binding { target, source, span } = binding;
        let attrs = declared.get(own).map_or(&[][..], Vec::as_slice);
        self.two_meanings(&source, &target, attrs, declared.get(created.unwrap_or(own)).map_or(&[][..], Vec::as_slice));
        let source = match source {
            Source::Itself(at) => {
                self.check_itself(&target, at, declared, own, created, names);
                return None;
            }
            Source::Payload { events, path } => RawEnd {
                ids: events,
                ref_type: word("serviceRequest", path.span),
                span: path.span,
                path: Some(path),
                expression: None,
            },
            Source::Attribute(name) => artifact(name),
            Source::Name(name) if is_attribute(attrs, &name.text) => artifact(name),
            Source::Name(text) | Source::Constant(text) => RawEnd {
                ids: Vec::new(),
                ref_type: word("constant", text.span),
                span: text.span,
                path: None,
                expression: Some(text),
            },
        };
        Some(RawMapping { kind: None, source: Some(source), target: Some(artifact(target)), span, group: None })
    }

    /// `self`, `payload.f` and values of the target that are attributes, too.
    fn two_meanings(&mut self, source: &Source, target: &Word, attrs: &[Decl], targets: &[Decl]) {
        let is_value = |word: &str| {
            let target = targets.iter().find(|d| d.field.path == target.text);
            target.is_some_and(|d| d.field.values.iter().any(|v| v == word))
        };
        let (word, span, either, help) = match source {
            Source::Itself(at) if is_attribute(attrs, "self") => {
                let help = "write self.self for the attribute; for the instance the attribute needs another name";
                ("self", *at, "this instance, and an attribute", help.to_string())
            }
            Source::Payload { events, path } if events.is_empty() => {
                let whole = format!("payload.{}", path.text);
                if !attrs.iter().any(|d| d.field.path == whole) {
                    return;
                }
                let help = format!("write payload(EVENT).{} for the field, self.{whole} for the attribute", path.text);
                ("payload", path.span, "what the event carries, and an attribute", help)
            }
            Source::Name(name) if is_value(&name.text) && is_attribute(attrs, &name.text) => {
                let help = format!("write '{0}' in quotes for the value, self.{0} for the attribute", name.text);
                (name.text.as_str(), name.span, "a value, and an attribute", help)
            }
            _ => return,
        };
        let message = format!("'{word}' has two meanings here: {either}");
        self.diags.push(Diagnostic::new(&expressions::TWO_MEANINGS, span, message).help(help));
    }

    /// `a = self` is right in a creation, for a reference to this type.
    fn check_itself(
        &mut self,
        target: &Word,
        at: Span,
        declared: &[Vec<Decl>],
        own: usize,
        created: Option<usize>,
        names: &Names,
    ) {
        let Some(created) = created else {
            let d = Diagnostic::new(&codes::NOT_REFERENCE, at, "'self' can only be given to a new instance");
            self.diags.push(d.help("write create Type { attribute = self }"));
            return;
        };
        let decl = declared.get(created).and_then(|d| d.iter().find(|d| d.field.path == target.text));
        let (id, name) = &names[own];
        let refers = |d: &Decl| d.refers.as_ref().is_some_and(|r| r.text == *id || r.text == *name);
        let by_name = [id, name].iter().any(|n| target.text == format!("Parent{n}"));
        if decl.is_none_or(|d| !refers(d) && !by_name) {
            let message = format!("'{}' of '{}' does not refer to '{id}'", target.text, names[created].0);
            let d = Diagnostic::new(&codes::NOT_REFERENCE, target.span, message);
            self.diags.push(d.help(format!("declare it as '{}: ref {id}'", target.text)));
        }
    }
}

/// Is this the path of an attribute, or the end of one?
fn is_attribute(attrs: &[Decl], path: &str) -> bool {
    let ends = |full: &str| full.strip_suffix(path).is_some_and(|head| head.ends_with('.'));
    attrs.iter().any(|d| d.field.path == path || ends(&d.field.path))
}

fn word(text: &str, span: Span) -> Option<Word> {
    Some(Word { text: text.to_string(), span })
}

fn artifact(path: Word) -> RawEnd {
    let span = path.span;
    RawEnd { ids: Vec::new(), ref_type: word("artifact", span), path: Some(path), expression: None, span }
}
