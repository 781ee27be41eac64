//! How each property is decided for any number of instances: what is known of the types, and how many suffice.

use super::couple::{self, Coupling, Obstacle};
use super::model::{Data, Failed, Model};
use super::{Question, idling, is_asked, is_many, lasts, settled};
use crate::answer::{By, Extent, PropertyResult, Scope, Why};
use crate::check::Plan;
use crate::lang::Lens;
use crate::lang::config::SOME_INSTANCES;
use crate::lang::counted::{Counted, CountedType};
use crate::logic::cutoff::{Cutoff, Idling, Leaf, Setting, cutoff, endless, inherited, sandwich, universal};
use crate::logic::{Formula, Path, Temporal, TypeNo};
use crate::machine::{Idle, Machine, Valid};
use crate::native::bdd::Limits;
use crate::native::views;
use crate::source::Sources;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// With how many instances a property is decided, and what that says.
pub(super) struct Planned {
    pub(super) bounds: Vec<u32>,
    /// How it is known that they suffice and what they are for; or, for some type, why no number does.
    pub(super) outcome: Result<(By, Vec<String>), Vec<Obstacle>>,
}

/// What is known of the types of which there may be any number.
pub(super) struct Study<'a> {
    counted: &'a dyn Counted,
    sources: &'a Sources,
    machine: &'a Valid,
    data: &'a Data,
    pub(super) types: Vec<CountedType>,
    /// Per type that may have any number: its setting, and what couples its instances.
    settings: BTreeMap<usize, (Setting, Vec<Obstacle>)>,
    /// Somebody may always create one more, of each of them.
    endless: bool,
    /// The numbers are given, and only large.
    pub(super) given: bool,
    /// The numbers to decide with where none suffices.
    pub(super) fallback: Vec<u32>,
}

impl<'a> Study<'a> {
    pub(super) fn new(counted: &'a dyn Counted, question: &'a Question<'a>, plan: &Plan) -> Result<Study<'a>, Failed> {
        let (mut types, machine, data) = (counted.types(), question.lens.machine(), &question.data);
        let given = !is_asked(question.lens);
        let fallback = types.iter().map(|t| if t.any { SOME_INSTANCES } else { t.bound }).collect();
        types.iter_mut().for_each(|t| t.any |= given && is_many(question.lens, t));
        let mut study = Study {
            counted,
            sources: question.sources,
            machine,
            data,
            types,
            settings: BTreeMap::new(),
            endless: true,
            given,
            fallback,
        };
        let open: Vec<usize> = (0..study.types.len()).filter(|t| study.types[*t].any).collect();
        let two = counted.resized(&study.bounds(2), question.sources)?;
        let one = counted.resized(&study.bounds(1), question.sources)?;
        let two = Model::new(&*two, data, question.sources)?;
        let one = Model::new(&*one, data, question.sources)?;
        for ty in open {
            let found = couple::couple(two.machine(), ty);
            study.endless &= found.always_created;
            let setting = study.setting(ty, found, (&two, &one), plan);
            study.settings.insert(ty, setting);
        }
        Ok(study)
    }

    /// The bounds with one number for all types that may have any.
    fn bounds(&self, n: u32) -> Vec<u32> {
        self.types.iter().map(|t| if t.any { n } else { t.bound }).collect()
    }

    /// Of a type, what is found on models with two instances and with one.
    fn setting(
        &self,
        ty: usize,
        found: Coupling,
        (two, one): (&Model, &Model),
        plan: &Plan,
    ) -> (Setting, Vec<Obstacle>) {
        let mut obstacles = Vec::new();
        let plain = |text: String, span| Obstacle { text, span, at_a_distance: false };
        if let Some((text, span)) = &self.types[ty].refused {
            obstacles.push(plain(text.clone(), Some(*span)));
        } else if self.counted.overflows() {
            obstacles.push(plain("creation = \"overflow\" makes the bound part of the system".into(), None));
        } else {
            obstacles.extend(found.obstacles.iter().cloned());
            if obstacles.is_empty() {
                obstacles = settled::waiting(two.machine(), &found, |flagged| two.verdicts_on(flagged, plan));
            }
        }
        let idling = idling(self.machine);
        let setting = Setting {
            ty: TypeNo(ty),
            bounds: self.types.iter().map(|t| (!t.any).then_some(t.bound)).collect(),
            idling,
            acyclic: idling == Idling::Terminal && obstacles.is_empty() && one.is_acyclic(ty),
            memory: found.memory,
            memory_names: found.memory_names,
            counting_overflow: found.counting_overflow,
            remembers: found.remembers,
            sees_apart: found.sees_apart,
        };
        if found.tangled {
            obstacles.iter_mut().for_each(|o| o.at_a_distance = false);
        }
        (setting, obstacles)
    }

    /// How to decide a property.
    pub(super) fn planned(&self, property: usize, plan: &Plan) -> Result<Planned, Failed> {
        let Some(formula) = self.counted.quantified(property) else {
            let text = "properties with fairness are not studied for any number".to_string();
            let why = vec![Obstacle { text, span: None, at_a_distance: false }];
            return Ok(Planned { bounds: self.fallback.clone(), outcome: Err(why) });
        };
        let mut bounds = self.fallback.clone();
        let (mut reasons, mut obstacles) = (Vec::new(), Vec::new());
        for (ty, (setting, coupled)) in &self.settings {
            let found = match coupled.is_empty() {
                false => Err(coupled.clone()),
                true => {
                    cutoff(&formula, setting).map_err(|text| vec![Obstacle { text, span: None, at_a_distance: true }])
                }
            };
            match found {
                Ok(Cutoff { instances, .. }) if self.given && instances > self.fallback[*ty] => {
                    let text = "more would have to be asked than there are".to_string();
                    obstacles.push(Obstacle { text, span: None, at_a_distance: false });
                }
                Ok(Cutoff { instances, why }) => {
                    bounds[*ty] = instances;
                    reasons.extend(why);
                }
                Err(why) => obstacles.extend(why),
            }
        }
        if obstacles.is_empty() {
            return Ok(Planned { bounds, outcome: Ok((By::Cutoff, reasons)) });
        }
        if let Some(planned) = self.sandwiched(property, &formula, plan)? {
            return Ok(planned);
        }
        Ok(Planned { bounds: if self.given { self.fallback.clone() } else { bounds }, outcome: Err(obstacles) })
    }

    /// Decides a relaxed form first, where there is one type of which there may be any number.
    fn sandwiched(&self, property: usize, f: &Formula<Leaf>, plan: &Plan) -> Result<Option<Planned>, Failed> {
        let mut settings = self.settings.values();
        let (Some((setting, coupled)), None) = (settings.next(), settings.next()) else { return Ok(None) };
        if !coupled.is_empty() {
            return Ok(None);
        }
        if inherited(f, setting) {
            let bounds = self.bounds(1);
            let lens = self.counted.resized(&bounds, self.sources)?;
            let why = vec!["alone, which is how each sees itself among others".to_string()];
            let planned = Planned { bounds, outcome: Ok((By::Sandwich, why)) };
            return Ok((self.decided(&*lens, property, plan)? == Some(true)).then_some(planned));
        }
        let Some((holds, cutoff)) = sandwich(f, setting) else { return Ok(None) };
        let bounds = self.bounds(cutoff.instances);
        let lens = self.counted.relaxed(property, &bounds, self.sources)?;
        let decided = self.decided(&*lens, 0, plan)?;
        Ok((decided == Some(holds)).then_some(Planned { bounds, outcome: Ok((By::Sandwich, cutoff.why)) }))
    }

    /// The verdict on a property of a model.
    fn decided(&self, lens: &dyn Lens, property: usize, plan: &Plan) -> Result<Option<bool>, Failed> {
        Ok(Model::new(lens, self.data, self.sources)?.verdict(property, plan))
    }

    pub(super) fn scope(&self, property: usize, planned: &Planned, result: &PropertyResult, plan: &Plan) -> Scope {
        let why = match &planned.outcome {
            Ok((by, reasons)) => {
                let mut why = counted_reasons(reasons);
                if self.counted.quantified(property).is_some_and(|f| needs_an_end(&f)) {
                    let text = match (self.endless(property, plan), result.verdict.holds()) {
                        (Some(there), Some(here)) if there == here => "also with new ones arriving for ever".into(),
                        (Some(there), _) => format!("with new ones arriving for ever: {there}"),
                        (None, _) => "with new ones arriving for ever it may be otherwise".to_string(),
                    };
                    why.push(Why { text, place: None });
                }
                return Scope { extent: Extent::Any, cutoff: self.cutoffs(&planned.bounds), by: Some(*by), why };
            }
            Err(obstacles) => obstacles,
        };
        let told = |o: &[Obstacle]| o.iter().take(MOST_REASONS).map(|o| self.why(o)).collect();
        if result.verdict.holds() == Some(true)
            && why.iter().all(|o| o.at_a_distance)
            && let Some(k) = self.viewed(property, plan)
        {
            let cutoff = self.cutoffs(&self.bounds(k));
            return Scope { extent: Extent::Any, cutoff, by: Some(By::Views), why: told(why) };
        }
        let why: Vec<Why> = told(why);
        if lasts(self.counted, self.machine, property, result) && (result.exact || !self.needs_exact()) {
            return Scope { extent: Extent::From, cutoff: self.cutoffs(&planned.bounds), by: Some(By::Growth), why };
        }
        self.at_most(&planned.bounds, why)
    }

    /// The verdict where new instances may arrive for ever, if it is known.
    fn endless(&self, property: usize, plan: &Plan) -> Option<bool> {
        let mut settings = self.settings.values();
        let (Some((setting, _)), None, true) = (settings.next(), settings.next(), self.endless) else { return None };
        let enough =
            endless(&self.counted.quantified(property)?, setting).filter(|_| setting.idling != Idling::Never)?;
        let lens = self.counted.resized(&self.bounds(enough.instances), self.sources).ok()?;
        let model = Model::new(&*lens, self.data, self.sources).ok()?;
        let mut machine = Machine { idle: Idle::Always, ..model.machine().clone() };
        machine.properties = machine.properties.get(property).cloned().into_iter().collect();
        model.verdicts_on(machine, plan).first().copied().flatten()
    }

    /// On how many instances at a time a property is proved for any number, if it is.
    fn viewed(&self, property: usize, plan: &Plan) -> Option<u32> {
        let mut settings = self.settings.values();
        let (Some((setting, _)), None, Data::Bounded) = (settings.next(), settings.next(), self.data) else {
            return None;
        };
        let least = universal(&self.counted.quantified(property)?, setting)?.max(1);
        let proved = |k: &u32| -> bool {
            let Ok(lens) = self.counted.resized(&self.bounds(k + 1), self.sources) else { return false };
            let deadline = Instant::now().checked_add(plan.timeout.unwrap_or(VIEWS).min(VIEWS));
            let interrupt = plan.interrupt.clone();
            let limits = Limits { memory: plan.memory, deadline, interrupt, patience: None };
            views::proved(lens.machine(), setting.ty.0, &[property], &limits).is_ok_and(|p| p == [true])
        };
        (least..=(least + 1).max(MOST_VIEWED)).find(proved)
    }

    fn needs_exact(&self) -> bool {
        self.counted.overflows() || self.types.iter().any(|t| t.made_by_steps)
    }

    pub(super) fn at_most(&self, bounds: &[u32], why: Vec<Why>) -> Scope {
        Scope { extent: Extent::AtMost, cutoff: self.cutoffs(bounds), by: None, why }
    }

    /// The numbers of the types that may have any.
    fn cutoffs(&self, bounds: &[u32]) -> BTreeMap<String, u32> {
        let open = self.types.iter().zip(bounds).filter(|(t, _)| t.any);
        open.map(|(t, n)| (t.name.clone(), *n)).collect()
    }

    fn why(&self, obstacle: &Obstacle) -> Why {
        let place = obstacle.span.and_then(|span| {
            let file = self.sources.file(span.file)?;
            let name = std::path::Path::new(&file.name).file_name()?.to_string_lossy().into_owned();
            Some(format!("{name}:{}", self.sources.line_col(span).0))
        });
        Why { text: obstacle.text.clone(), place }
    }
}

/// Instances that are looked at together, at least where a property speaks of so many.
const MOST_VIEWED: u32 = 3;

/// Time for one proof on a few instances.
const VIEWS: Duration = Duration::from_secs(60);

/// Reasons that are told; more help nobody.
const MOST_REASONS: usize = 3;

/// Reasons, equal ones once with their number.
fn counted_reasons(reasons: &[String]) -> Vec<Why> {
    let mut told: Vec<(String, usize)> = Vec::new();
    for reason in reasons {
        match told.iter_mut().find(|(r, _)| r == reason) {
            Some((_, n)) => *n += 1,
            None => told.push((reason.clone(), 1)),
        }
    }
    let text = |(reason, n): (String, usize)| if n == 1 { reason } else { format!("{reason}, {n} times") };
    told.into_iter().map(|t| Why { text: text(t), place: None }).collect()
}

/// Does a formula say what comes in the end? Where new instances arrive for ever, that is another matter than with any bound.
fn needs_an_end(f: &Formula<Leaf>) -> bool {
    match f {
        Formula::Ltl(_) | Formula::Quantified(Path::A, Temporal::Finally(_) | Temporal::Until(..)) => true,
        Formula::Quantified(Path::E, Temporal::Globally(_)) => true,
        _ => f.parts().into_iter().any(needs_an_end),
    }
}
