//! Bags: which elements anything can tell apart, and a counter for each kind of them.

use super::constants::unquoted;
use super::gather::{Gatherer, Key};
use crate::lang::gsm::resolve::{Draft, Facets};
use crate::lang::gsm::xsd::whole;
use crate::lang::gsm::{
    Application, AttrIx, Attribute, BagIx, Change, DataKind, Datum, Decimal, Expr, ExprKind, Field,
};
use crate::lang::gsm::{ModelProperty, Region, TaskStep, Test, TypeIx, Wide, each_test, odd_part};
use crate::machine::Domain;
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics};
use std::collections::BTreeSet;

/// Most kinds of elements of one bag.
const MAX_REGIONS: usize = 64;
/// How far counters of bags go where nothing is said.
pub const USUAL: (i64, i64) = (0, 3);

/// Gives every bag that something asks for its counters; views of bags become views of counters, and messages with bags carry counters.
pub fn count(draft: &mut Draft, properties: &[ModelProperty], diags: &mut Diagnostics) {
    let mut asked: Vec<(TypeIx, BagIx, Option<Test>)> = Vec::new();
    exactly(draft);
    Gatherer::expressions(&draft.app, properties, &mut |e| tests(&draft.app, e, &mut asked, diags));
    removed(draft, &mut asked);
    for (ty, t) in TypeIx::each(&draft.app.types) {
        for (bag, b) in BagIx::each(&t.bags) {
            let seen = |v: &[AttrIx]| b.fields.iter().any(|f| v.contains(f));
            if draft.app.roles.iter().filter_map(|r| r.types.get(ty.0)).any(|r| seen(&r.view)) {
                asked.push((ty, bag, None));
            }
        }
    }
    for ty in TypeIx::all(&draft.app.types) {
        for bag in BagIx::all(&draft.app.types[ty].bags) {
            let mut own: Vec<Test> = Vec::new();
            let mut wanted = false;
            for (_, _, test) in asked.iter().filter(|(t, b, _)| (*t, *b) == (ty, bag)) {
                wanted = true;
                own.extend(test.iter().filter(|t| !own.contains(t)).cloned().collect::<Vec<_>>());
            }
            if wanted {
                counters(draft, ty, bag, own, diags);
            }
        }
    }
    views(draft);
    messages(draft);
}

/// Numbers with fractions are compared as they are.
fn exactly(draft: &mut Draft) {
    for (t, facets) in draft.app.types.iter_mut().zip(&draft.facets) {
        let real = |f: &AttrIx| facets.get(f.0).is_some_and(|f| f.real);
        t.bags.iter_mut().for_each(|b| b.exact = b.fields.iter().copied().filter(real).collect());
    }
}

/// The tests in an expression, and the bags that it asks anything of.
fn tests(app: &Application, e: &Expr, asked: &mut Vec<(TypeIx, BagIx, Option<Test>)>, diags: &mut Diagnostics) {
    e.walk(&mut |part| {
        if let ExprKind::Tally { ty, bag, which, .. } = &part.kind {
            asked.push((*ty, *bag, None));
            let exact = &app.types[*ty].bags[*bag].exact;
            let Some(inner) = which else { return };
            each_test(inner, exact, &mut |test| asked.push((*ty, *bag, Some(test))));
            if let Some(odd) = odd_part(inner, exact) {
                let message = "numbers with fractions are compared with decimal numbers here";
                let d = Diagnostic::new(&typing::NOT_HERE, odd.span, message);
                diags.push(d.help("write the number with its digits, as 2.5"));
            }
        }
    });
}

/// The constants by which elements are taken out.
fn removed(draft: &Draft, asked: &mut Vec<(TypeIx, BagIx, Option<Test>)>) {
    for c in &draft.constants {
        let step = draft.app.types[c.ty].tasks.get(c.task.0).and_then(|t| t.steps.get(c.step));
        let Some(TaskStep::Element { bag, change: Change::Remove, .. }) = step else { continue };
        let Key::Attr(ty, field) = c.target else { continue };
        let kind = draft.app.types[ty].attrs[field].kind;
        let is_exact = draft.app.types[c.ty].bags[*bag].exact.contains(&field);
        let than = match (kind, unquoted(&c.text.text)) {
            (_, text) if is_exact => Decimal::read(text.trim()).map(Datum::Exact),
            (DataKind::Integer | DataKind::Reference(_), text) => whole(text).map(|(n, _)| Datum::Number(n)),
            (DataKind::Text | DataKind::Enumeration, text) => Some(Datum::Text(Some(text.to_string()))),
            (DataKind::Boolean | DataKind::Date { .. }, text) => {
                Some(Datum::Truth(!matches!(text, "false" | "0" | "")))
            }
        };
        let test = than.map(|than| Test { field, less: false, than });
        // Only a bag that something else asks for is counted; then the constant tells elements apart.
        if asked.iter().any(|(ty, b, _)| (*ty, b) == (c.ty, bag)) {
            asked.push((c.ty, *bag, test));
        }
    }
}

fn counters(draft: &mut Draft, ty: TypeIx, bag: BagIx, tests: Vec<Test>, diags: &mut Diagnostics) {
    let t = &draft.app.types[ty];
    let (path, span) = (t.bags[bag].path.clone(), t.bags[bag].span);
    let mut all: Vec<Vec<bool>> = vec![vec![false; tests.len()]];
    for &field in &t.bags[bag].fields {
        let kinds = kinds_of(&tests, field, t.attrs[field].kind, &draft.facets[ty.0][field.0]);
        all = all
            .iter()
            .flat_map(|r| kinds.iter().map(move |k| r.iter().zip(k).map(|(a, b)| *a || *b).collect()))
            .collect();
        if all.len() > MAX_REGIONS {
            let message = format!("the elements of '{path}' fall into more than {MAX_REGIONS} kinds");
            let list: Vec<String> = tests.iter().map(|x| said(t, &path, x, true)).collect();
            diags.push(
                Diagnostic::new(&model::TOO_MANY_REGIONS, span, message).note(format!("asked are {}", list.join(", "))),
            );
            return;
        }
    }
    let mut regions = Vec::new();
    for holds in all {
        let told = tests.iter().zip(&holds).filter(|(x, h)| matters(&tests, &holds, x, **h));
        let parts: Vec<String> = told.map(|(x, h)| said(&draft.app.types[ty], &path, x, *h)).collect();
        let name = match parts.is_empty() {
            true => format!("{path}.size()"),
            false => format!("{path}.count({})", parts.join(" && ")),
        };
        let attrs = &mut draft.app.types[ty].attrs;
        regions.push(Region { holds, counter: AttrIx::next(attrs) });
        attrs.push(Attribute {
            path: name,
            span,
            kind: DataKind::Integer,
            domain: Domain::Int { lo: USUAL.0, hi: USUAL.1 },
            init: 0,
            set: false,
            initial: None,
            wide: Some(Wide::Whole { lo: Some(0), hi: None }),
            ranged: false,
        });
        draft.facets[ty.0].push(Facets { min: Some(0), ..Facets::default() });
    }
    let bag = &mut draft.app.types[ty].bags[bag];
    (bag.tests, bag.regions) = (tests, regions);
}

/// Does a test of a number with fractions, or its negation, say what no other of the region says better?
fn matters(tests: &[Test], holds: &[bool], test: &Test, value: bool) -> bool {
    let Some(own) = test.than.fraction() else { return true };
    let others = tests.iter().zip(holds).filter(|(t, _)| t.field == test.field && *t != test);
    let mut others = others.filter_map(|(t, h)| Some((t.less, t.than.fraction()?, *h)));
    !others.any(|(less, than, holds)| match (test.less, value) {
        // `== c` says it all.
        _ if !less && holds => true,
        (true, true) => less && holds && than < own,
        (true, false) => less && !holds && than > own,
        (false, true) => false,
        // `!= c` is said by `< c`, and by what lies beyond it.
        (false, false) => less && (holds && than <= own || !holds && than > own),
    })
}

/// A test, or its negation, in the words of the model.
fn said(t: &crate::lang::gsm::ArtifactType, bag: &str, test: &Test, holds: bool) -> String {
    let path = t.attrs[test.field].path.as_str();
    let field = path.strip_prefix(bag).and_then(|f| f.strip_prefix('.')).unwrap_or("self");
    let op = match (test.less, holds) {
        (true, true) => "<",
        (true, false) => ">=",
        (false, true) => "==",
        (false, false) => "!=",
    };
    match &test.than {
        Datum::Number(n) => format!("{field} {op} {n}"),
        Datum::Exact(d) => format!("{field} {op} {d}"),
        Datum::Text(t) => format!("{field} {op} '{}'", t.as_deref().unwrap_or_default()),
        Datum::Truth(b) if *b == holds => field.to_string(),
        Datum::Truth(_) => format!("!{field}"),
    }
}

/// The combinations of truth values that the tests of one field can have; tests of other fields are false in them.
fn kinds_of(tests: &[Test], field: AttrIx, kind: DataKind, facets: &Facets) -> Vec<Vec<bool>> {
    let own: Vec<&Test> = tests.iter().filter(|t| t.field == field).collect();
    let fractions: BTreeSet<Decimal> = own.iter().filter_map(|t| t.than.fraction()).collect();
    if !fractions.is_empty() {
        return kinds_of_fractions(tests, field, &fractions.into_iter().collect::<Vec<_>>(), facets);
    }
    let mut values: Vec<Datum> = match kind {
        DataKind::Boolean | DataKind::Date { .. } => vec![Datum::Truth(false), Datum::Truth(true)],
        DataKind::Text | DataKind::Enumeration => {
            own.iter().map(|t| t.than.clone()).chain([Datum::Text(None)]).collect()
        }
        DataKind::Integer | DataKind::Reference(_) => {
            let near = |t: &&Test| match t.than {
                Datum::Number(n) => [n.saturating_sub(1), n, n.saturating_add(1)].map(Datum::Number).to_vec(),
                _ => Vec::new(),
            };
            own.iter().flat_map(near).collect()
        }
    };
    let within = |v: &Datum| match v {
        Datum::Number(n) => facets.min.is_none_or(|lo| lo <= *n) && facets.max.is_none_or(|hi| *n <= hi),
        _ => true,
    };
    values.retain(within);
    let mut kinds: Vec<Vec<bool>> = Vec::new();
    for value in &values {
        let holds: Vec<bool> = tests.iter().map(|t| t.field == field && t.holds(value)).collect();
        if !kinds.contains(&holds) {
            kinds.push(holds);
        }
    }
    if kinds.is_empty() { vec![vec![false; tests.len()]] } else { kinds }
}

/// The same for numbers with fractions: each constant, and what lies between two neighbours, of which there is always something.
fn kinds_of_fractions(tests: &[Test], field: AttrIx, constants: &[Decimal], facets: &Facets) -> Vec<Vec<bool>> {
    let (lo, hi) = (facets.ends.lo, facets.ends.hi);
    let above = |c: &Decimal| lo.is_none_or(|lo| if facets.ends.open.0 { lo < *c } else { lo <= *c });
    let below = |c: &Decimal| hi.is_none_or(|hi| if facets.ends.open.1 { *c < hi } else { *c <= hi });
    let within = |c: &&Decimal| above(c) && below(c);
    let mut kinds: Vec<Vec<bool>> = Vec::new();
    for at in 0..=constants.len() {
        let (below, above) = (at.checked_sub(1).and_then(|i| constants.get(i)), constants.get(at));
        let reaches = |c: &Decimal| lo.is_none_or(|lo| lo < *c);
        if above.is_none_or(reaches) && below.is_none_or(|c| hi.is_none_or(|hi| *c < hi)) {
            let holds = |t: &Test| t.less && above.is_some_and(|c| t.than.fraction().is_some_and(|than| *c <= than));
            kinds.push(tests.iter().map(|t| t.field == field && holds(t)).collect());
        }
        if let Some(c) = above.filter(within) {
            kinds.push(tests.iter().map(|t| t.field == field && t.holds(&Datum::Exact(*c))).collect());
        }
    }
    // What lies below a constant and what lies above it may differ in nothing that is asked.
    let mut seen = BTreeSet::new();
    kinds.retain(|k| seen.insert(k.clone()));
    if kinds.is_empty() { vec![vec![false; tests.len()]] } else { kinds }
}

/// Who sees a bag sees its counters.
fn views(draft: &mut Draft) {
    let types = &draft.app.types;
    for role in &mut draft.app.roles {
        for (ty, seen) in role.types.iter_mut().enumerate() {
            let bags: Vec<_> =
                types[ty].bags.iter().filter(|b| b.fields.iter().any(|f| seen.view.contains(f))).collect();
            seen.view.retain(|a| !types[ty].attrs[*a].set);
            seen.view.extend(bags.iter().flat_map(|b| b.regions.iter().map(|r| r.counter)));
            seen.view.sort_unstable();
            seen.view.dedup();
        }
    }
}

/// A message that carries a bag carries arbitrary counters.
fn messages(draft: &mut Draft) {
    for event in 0..draft.app.events.len() {
        for path in draft.app.events[event].bags.clone() {
            let holders = draft.app.types.iter().filter_map(|t| Some((t, t.bags.get(t.bag(&path)?.0)?)));
            let counters = holders.flat_map(|(t, b)| b.regions.iter().map(|r| &t.attrs[r.counter]));
            let field =
                |a: &Attribute| Field { name: a.path.clone(), kind: a.kind, domain: a.domain.clone(), wide: a.wide };
            let mut fields: Vec<Field> = counters.map(field).collect();
            let e = &mut draft.app.events[event];
            fields.retain(|f| e.payload.iter().all(|g| g.name != f.name));
            draft.field_facets[event].extend(fields.iter().map(|_| Facets { min: Some(0), ..Facets::default() }));
            e.payload.extend(fields);
        }
    }
}
