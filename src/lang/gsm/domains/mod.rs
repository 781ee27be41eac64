//! Domains: which values every attribute and payload field needs, once everything that reads or writes it is known.
//!
//! A range given by the user beats one of the schema, which beats one inferred from constants. Texts have the values they are
//! compared with, and ⊥ for every other text.

mod abstracted;
mod bags;
pub(in crate::lang::gsm) mod constants;
mod dates;
mod flow;
mod gather;
mod guess;
mod payload;
mod points;
mod reals;
mod strange;
#[cfg(test)]
mod tests;
mod texts;

use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::model::TypeIx;
pub use abstracted::{Abstracted, Wider, abstracted};
pub use texts::number as text_number;

use crate::lang::gsm::resolve::{Draft, Facets, names};
use crate::lang::gsm::{Application, AttrIx, DataKind, Decimal};
use crate::lang::syntax::Name;
use crate::machine::{Domain, code};
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics, Span};
pub use gather::Key;
use gather::{Gatherer, Met, PrivateUse};
use guess::Known;
use points::Number;
use std::collections::BTreeMap;

/// Most values a domain may have.
const MAX_VALUES: u64 = 1 << 40;

/// A range for a number: `Type.attr`, smallest and largest value.
pub type Range = (Name, (i64, i64));

/// Settles all domains and initial values. The draft's agents and roles must be in place.
pub fn infer(mut draft: Draft, properties: &[ModelProperty], ranges: &[Range], diags: &mut Diagnostics) -> Application {
    payload::of_creations(&mut draft);
    bags::count(&mut draft, properties, diags);
    let mut gathered = Gatherer::walk(&draft.app, properties);
    let (mut met, private) = (std::mem::take(&mut gathered.met), std::mem::take(&mut gathered.private));
    private_constants(&draft.app, &private, diags);
    let ranges = given(&draft.app, ranges, diags);
    constants::meet(&draft, &mut met, diags);
    let copies = flow::copies(&draft.app);
    strange::warn(&draft, &gathered, &copies, diags);
    points::share(&draft, &ranges, &copies, &mut met);
    let (reals, rounded) = (points::ends(&draft.app, &met), points::rounded(&draft, &gathered.compared, &copies));
    let unit = points::unit(&draft.app, properties, &met);
    let known = Known { draft: &draft, ranges: &ranges, copies: &copies, reals: &reals };
    let guessed = known.settle(&gathered.compared, &mut met);
    flow::texts(&draft.app, &copies, &mut met);
    draft.app.unit = unit;
    attributes(&mut draft, &met, &ranges, diags);
    payload::settle(&mut draft, &copies, &met, diags);
    constants::encode(&mut draft, diags);
    flow::warn_lossy(&draft.app, &copies, &met, &ranges, diags);
    let guesses = Known::told(&draft, &guessed);
    Application { constants: draft.constants, guesses, rounded, ..draft.app }
}

/// Numbers compared with private variables must be values of theirs.
fn private_constants(app: &Application, uses: &[PrivateUse], diags: &mut Diagnostics) {
    for u in uses {
        let var = app.agents.as_ref().and_then(|a| a.get(u.agent)).and_then(|a| a.vars.get(u.var));
        if let Some(var) = var
            && let Domain::Int { lo, hi } = var.domain
        {
            outside(u.number, (lo, hi), &var.name, u.span, diags);
        }
    }
}

/// Reports a constant outside a range; a fraction is told by the whole numbers around it.
fn outside(n: Decimal, (lo, hi): (i64, i64), name: &str, span: Span, diags: &mut Diagnostics) -> bool {
    let wrong = n.ceil() < lo || n.floor() > hi;
    if wrong {
        let message = format!("{} is outside the range {lo}..{hi} of '{name}'", n.text());
        diags.push(Diagnostic::new(&typing::OUT_OF_RANGE, span, message));
    }
    wrong
}

/// Ranges given by the user, by attribute.
fn given(app: &Application, ranges: &[Range], diags: &mut Diagnostics) -> BTreeMap<Key, (i64, i64)> {
    let mut out = BTreeMap::new();
    for (name, range) in ranges {
        if let Some((ty, bag)) = names::typed_bag(app, &name.text) {
            if range.0 != 0 {
                let message = format!("how many elements '{}' has begins at 0, not at {}", name.text, range.0);
                let d = Diagnostic::new(&typing::OUT_OF_RANGE, name.span, message);
                diags.push(d.help(format!("give it 0..{}", range.1.max(1))));
                continue;
            }
            let regions = app.types[ty].bags[bag].regions.iter();
            out.extend(regions.map(|r| (Key::Attr(ty, r.counter), *range)));
            continue;
        }
        let Some((ty, attr)) = names::typed_attribute(app, name, diags) else { continue };
        if app.types[ty].attrs[attr].kind != DataKind::Integer {
            let message = format!("'{}' is not a number, so it has no range", name.text);
            let d = Diagnostic::new(&typing::TYPE_MISMATCH, name.span, message);
            diags.push(d.help("remove it, or name an attribute that is a number"));
            continue;
        }
        out.insert(Key::Attr(ty, attr), *range);
    }
    out
}

fn attributes(
    draft: &mut Draft,
    met: &BTreeMap<Key, Met>,
    ranges: &BTreeMap<Key, (i64, i64)>,
    diags: &mut Diagnostics,
) {
    let bounds: Vec<i64> = draft.app.types.iter().map(|t| i64::from(t.bound)).collect();
    let (none, unit) = (Met::default(), draft.app.unit);
    for (ty, t) in draft.app.types.iter_mut().enumerate() {
        let counters: Vec<AttrIx> = t.bags.iter().flat_map(|b| b.regions.iter().map(|r| r.counter)).collect();
        for (at, attr) in t.attrs.iter_mut().enumerate() {
            let (key, facets) = (Key::Attr(TypeIx(ty), AttrIx(at)), &draft.facets[ty][at]);
            let met = met.get(&key).unwrap_or(&none);
            match attr.kind {
                DataKind::Reference(to) => {
                    attr.domain = Domain::Int { lo: 0, hi: bounds[to.0] };
                    attr.wide = None;
                }
                DataKind::Integer => {
                    let fixed = ranges.get(&key).copied();
                    attr.wide = attr.wide.as_ref().map(|_| facets.wide(fixed));
                    attr.ranged = fixed.is_some() || (facets.min.is_some() && facets.max.is_some());
                    let usual = counters.contains(&AttrIx(at)).then_some(bags::USUAL);
                    if facets.real {
                        let name = format!("{}.{}", t.id, attr.path);
                        let number = Number { name: &name, span: attr.span, facets, range: fixed };
                        (attr.domain, attr.init) = number.points(met, unit, diags);
                    } else {
                        attr.domain = range(fixed.or(usual), facets, &met.points, &attr.path, attr.span, diags);
                    }
                }
                DataKind::Text => attr.domain = Domain::Enum { values: met.texts.clone(), bottom: true },
                DataKind::Boolean | DataKind::Date { .. } => attr.domain = Domain::Bool,
                DataKind::Enumeration => {}
            }
            if let Domain::Int { lo, hi } = attr.domain {
                let name = format!("{}.{}", t.id, attr.path);
                met.constants.iter().for_each(|(n, span)| {
                    outside(*n, (lo, hi), &name, *span, diags);
                });
                attr.init = 0i64.clamp(lo, hi);
            }
            attr.initial = facets.initial.as_ref().map(|word| word.text.clone());
            if let Some(initial) = facets.initial.as_ref().filter(|_| !matches!(attr.domain, Domain::Points(_))) {
                attr.init = constants::code(attr.kind, &attr.domain, initial, diags).unwrap_or(attr.init);
            }
        }
    }
}

/// The range of a number: given, or of the schema, or inferred.
fn range(
    fixed: Option<(i64, i64)>,
    facets: &Facets,
    points: &[i64],
    name: &str,
    span: Span,
    diags: &mut Diagnostics,
) -> Domain {
    let inferred_lo = points.iter().copied().min().unwrap_or(0).min(0);
    let inferred_hi = points.iter().copied().max().unwrap_or(0).max(0);
    let (mut lo, mut hi) = (facets.min.unwrap_or(inferred_lo), facets.max.unwrap_or(inferred_hi));
    // One end from the schema, the other inferred: they may cross, and a single value is widened upwards.
    match (facets.min, facets.max) {
        (Some(_), Some(_)) => {}
        (_, Some(max)) => lo = lo.min(max.saturating_sub(i64::from(lo >= max))),
        _ => hi = hi.max(lo.saturating_add(1)),
    }
    if let Some(range) = fixed {
        (lo, hi) = range;
    }
    let domain = Domain::Int { lo, hi: hi.max(lo) };
    if lo > hi {
        let message = format!("the bounds {lo}..{hi} of '{name}' leave no value");
        diags.push(Diagnostic::new(&model::BAD_FACET, span, message));
    } else if domain.size() > MAX_VALUES || !code::is_plain(lo) {
        let message = match code::is_plain(lo) {
            true => format!("'{name}' has too many values: {lo}..{hi}"),
            false => format!("'{name}' begins at {lo}, and ranges begin at {} or above", code::FIRST),
        };
        let d = Diagnostic::new(&typing::EMPTY_RANGE, span, message);
        diags.push(d.help("give it a smaller range in gsmc.toml or with --range"));
        return Domain::Int { lo: 0, hi: 1 };
    }
    domain
}
