//! Data without bounds: which attributes are abstracted, and the application with their whole domains.

use super::flow::{Copy, copies};
use super::gather::Key;
use super::{dates, reals, texts};
pub use crate::lang::config::Abstracted;
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::resolve::names;
use crate::lang::gsm::{Application, AttrIx, Attribute, DataKind, EventIx, Field, Given, ModelProperty, Wide};
use crate::machine::Domain;
use crate::source::codes::typing;
use crate::source::{Diagnostic, Diagnostics};

/// An application with the whole domains of what is abstracted.
pub struct Wider {
    /// The application.
    pub app: Application,
    /// Its properties.
    pub properties: Vec<ModelProperty>,
    /// Predicates that the user gives.
    pub given: Vec<Given>,
    /// Per type and attribute: is it abstracted?
    pub chosen: Vec<Vec<bool>>,
    /// Points of time are compared, of which the application with bounds knows nothing.
    pub in_time: bool,
}

/// The application with the whole domains of what is abstracted.
pub fn abstracted(
    app: &Application,
    which: &Abstracted,
    properties: &[ModelProperty],
    given: &[Given],
    diags: &mut Diagnostics,
) -> Wider {
    let mut points = dates::compared(app, properties, given);
    let every = || TypeIx::each(&app.types).flat_map(|(ty, t)| AttrIx::all(&t.attrs).map(move |a| Key::Attr(ty, a)));
    match which {
        Abstracted::Auto => {}
        Abstracted::All => points.extend(every().filter(|k| dates::is_date(app, *k))),
        Abstracted::Named(list) => {
            let named = list.iter().filter_map(|n| names::typed_attribute(app, n, &mut Diagnostics::new()));
            points.extend(named.map(|(ty, a)| Key::Attr(ty, a)).filter(|k| dates::is_date(app, *k)));
        }
    }
    let in_time = !points.is_empty();
    let dates::Told { app, properties, given } = dates::tell(app, points, properties, given, diags);
    let (app, chosen) = widened(&app, which, &properties, &given, diags);
    Wider { app, properties, given, chosen, in_time }
}

/// The domains of an event's fields: of a number, that of the attribute of its name, or its own ends and those of what it fills where it has none.
fn sent(app: &Application, copies: &[Copy], event: EventIx, some_real: bool) -> Vec<Domain> {
    let one = |(at, field): (usize, &Field)| {
        if field.kind != DataKind::Integer {
            return field.domain.clone();
        }
        let wide = field.wide.filter(|w| some_real || !w.is_real());
        let own = || wide.and_then(|w| w.domain(app.parts, app.seconds)).unwrap_or_else(|| field.domain.clone());
        match filled(app, copies, event, at) {
            Some((attr, true)) => attr.domain.clone(),
            Some((Attribute { domain: Domain::Points(_), .. }, false)) => field.domain.clone(),
            Some((attr, false)) => field.wide.map_or_else(|| attr.domain.clone(), |w| w.within(&attr.domain)),
            None => own(),
        }
    };
    app.events[event].payload.iter().enumerate().map(one).collect()
}

/// The number that a payload field fills: the attribute of its name in every target (true), else the first that a task copies it into.
fn filled<'a>(app: &'a Application, copies: &[Copy], event: EventIx, at: usize) -> Option<(&'a Attribute, bool)> {
    let name = &app.events[event].payload[at].name;
    let own = |ty: &TypeIx| app.types[*ty].attrs.iter().find(|a| a.path == *name && !a.set);
    let named: Option<Vec<&Attribute>> = app.targets_of(event).iter().map(own).collect();
    let copied = || copies.iter().filter(|c| c.from == Key::Field(event, at)).find_map(|c| c.to.attribute(app));
    let named = named.and_then(|all| all.first().copied());
    let found = named.map(|a| (a, true)).or_else(|| copied().map(|a| (a, false)));
    found.filter(|(a, _)| a.kind == DataKind::Integer)
}

fn widened(
    app: &Application,
    which: &Abstracted,
    properties: &[ModelProperty],
    given: &[Given],
    diags: &mut Diagnostics,
) -> (Application, Vec<Vec<bool>>) {
    let mut chosen: Vec<Vec<bool>> = app
        .types
        .iter()
        .map(|t| {
            let is = |a: &Attribute| match which {
                // Bounds do not make what has fractions finite.
                Abstracted::Auto => !a.ranged || reals::is_real(a),
                Abstracted::All => true,
                Abstracted::Named(_) => a.wide == Some(Wide::Date),
            };
            t.attrs.iter().map(|a| a.wide.is_some() && is(a)).collect()
        })
        .collect();
    let mut words = texts::Texts::new();
    match which {
        Abstracted::Auto => words = texts::compared(app, properties),
        Abstracted::All => {
            let all = TypeIx::each(&app.types).flat_map(|(ty, t)| AttrIx::all(&t.attrs).map(move |a| Key::Attr(ty, a)));
            words.extend(all.filter(|k| texts::is_text(app, *k)));
        }
        Abstracted::Named(_) => {}
    }
    if let Abstracted::Named(list) = which {
        for name in list {
            if let Some((ty, bag)) = names::typed_bag(app, &name.text) {
                app.types[ty].bags[bag].regions.iter().for_each(|r| chosen[ty.0][r.counter.0] = true);
                continue;
            }
            let Some((ty, attr)) = names::typed_attribute(app, name, diags) else { continue };
            if dates::is_date(app, Key::Attr(ty, attr)) {
                continue;
            }
            if texts::is_text(app, Key::Attr(ty, attr)) {
                words.insert(Key::Attr(ty, attr));
            } else if app.types[ty].attrs[attr].wide.is_none() {
                let message = format!("'{}' is not a number, a text or a date, so it is not abstracted", name.text);
                let d = Diagnostic::new(&typing::TYPE_MISMATCH, name.span, message);
                diags.push(d.help("remove it, or name an attribute that is a number, a text or a date"));
            } else {
                chosen[ty.0][attr.0] = true;
            }
        }
    }
    // What elements of a bag have in a field is not kept, so that it needs no bounds.
    for (t, chosen) in app.types.iter().zip(&mut chosen) {
        for (bag, f) in t.bags.iter().flat_map(|b| b.fields.iter().map(move |f| (b, f))) {
            chosen[f.0] = t.attrs[*f].wide.is_some_and(|w| !w.is_real() || bag.exact.contains(f));
        }
    }
    // Points of what keeps its bounds are whole numbers of parts, too.
    let bounded = app.types.iter().zip(&chosen).flat_map(|(t, chosen)| t.attrs.iter().zip(chosen));
    let points = bounded.filter(|(a, c)| !**c && reals::is_real(a)).map(|_| app.unit).max();
    let parts = reals::parts(app, properties, given).max(points.unwrap_or(1));
    let mut app = Application { parts, ..app.clone() };
    reals::widen(&mut app, &chosen, diags);
    for (t, chosen) in app.types.iter_mut().zip(&chosen) {
        for (attr, _) in t.attrs.iter_mut().zip(chosen).filter(|(a, c)| **c && !reals::is_real(a)) {
            attr.domain =
                attr.wide.and_then(|w| w.domain(app.parts, app.seconds)).unwrap_or_else(|| attr.domain.clone());
        }
    }
    let copies = copies(&app);
    let some_real =
        chosen.iter().zip(&app.types).any(|(c, t)| t.attrs.iter().zip(c).any(|(a, c)| *c && reals::is_real(a)));
    let domains: Vec<Vec<Domain>> = EventIx::all(&app.events).map(|e| sent(&app, &copies, e, some_real)).collect();
    for (event, domains) in app.events.iter_mut().zip(domains) {
        event.payload.iter_mut().zip(domains).for_each(|(field, domain)| field.domain = domain);
    }
    reals::constants(&mut app, &chosen, diags);
    let words = texts::closed(&app, words);
    texts::widen(&mut app, &words, properties);
    for key in &words {
        if let Key::Attr(ty, attr) = key {
            chosen[ty.0][attr.0] = true;
        }
    }
    (app, chosen)
}
