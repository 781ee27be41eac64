//! Questions about sets: artifacts and bags, chosen with `select` and `reject`.

use super::bags::Element;
use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::{Bound, Place, Resolver};
use crate::lang::gsm::{BagIx, Expr, ExprKind, Over, Subject, TypeIx, odd_part};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::machine::CompareOp;
use crate::source::codes::typing;
use crate::source::{Diagnostic, Span};

/// What can be asked of a set, and whether it takes a condition.
const OPERATIONS: [(&str, bool); 7] = [
    ("size", false),
    ("isEmpty", false),
    ("notEmpty", false),
    ("exists", true),
    ("forAll", true),
    ("one", true),
    ("count", true),
];

/// What stands in parentheses behind an operation.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The operation.
    pub op: &'a Name,
    /// What an element is called.
    pub var: Option<&'a Name>,
    /// The type written behind that name.
    pub ty: Option<&'a Name>,
    /// What is asked of it.
    pub body: Option<&'a Ast>,
}

/// The elements that a question is about.
#[derive(Clone, Copy)]
enum Set {
    /// Artifacts of a type.
    Slots(TypeIx, Over),
    /// Elements of a bag.
    Bag(Subject, TypeIx, BagIx),
}

impl Resolver<'_> {
    /// `Set->exists(x | …)`, `Set->select(x | …)->size()`, `Bag.count(…)`, …
    pub(super) fn arrow(&mut self, set: &Ast, asked: Asked, span: Span) -> Option<Typed> {
        if asked.op.text == "isEmpty"
            && let Some(answer) = self.empty_value(set, span)
        {
            return answer;
        }
        let (base, chosen) = chosen(set);
        let found = self.set(base)?;
        let arrow = if matches!(found, Set::Slots(..)) { "->" } else { "" };
        let name = self.operation(asked, arrow, span)?;
        if let Set::Slots(_, _) = found
            && name == "count"
        {
            let d = Diagnostic::new(&typing::UNKNOWN_OPERATOR, asked.op.span, "'count' counts elements of bags");
            self.report(d.help("count artifacts with ->select(x | …)->size()"));
            return None;
        }
        let number = self.fresh();
        let mut which = Vec::new();
        for part in &chosen {
            let condition = self.of_each(found, number, *part)?;
            which.push(match part.op.text.as_str() {
                "reject" => not(condition),
                _ => condition,
            });
        }
        let condition = match asked.body {
            Some(_) => Some(self.of_each(found, number, asked)?),
            None => None,
        };
        Some(self.question(found, number, name, which, condition, span))
    }

    fn question(
        &mut self,
        set: Set,
        var: u32,
        name: &str,
        mut which: Vec<Expr>,
        condition: Option<Expr>,
        span: Span,
    ) -> Typed {
        // For all: there is none for which it does not hold.
        let negated = matches!(name, "isEmpty" | "forAll");
        which.extend(condition.map(|c| if name == "forAll" { not(c) } else { c }));
        let compared = |number: Expr, op: CompareOp, n: i64| {
            let n = Box::new(Expr { kind: ExprKind::Int(n), span });
            Typed::new(ExprKind::Compare(op, Box::new(number), n), span, Ty::Bool)
        };
        let counted = matches!(name, "size" | "count" | "one");
        let (ty, over) = match set {
            Set::Bag(of, ty, bag) => {
                let which = all(which, span).map(Box::new);
                let tally = Expr { kind: ExprKind::Tally { of, ty, bag, which }, span };
                return match name {
                    "size" | "count" => Typed { expr: tally, ty: Ty::Int },
                    "one" => compared(tally, CompareOp::Eq, 1),
                    _ if negated => compared(tally, CompareOp::Eq, 0),
                    _ => compared(tally, CompareOp::Ge, 1),
                };
            }
            Set::Slots(ty, over) => (ty, over),
        };
        if counted {
            let which = all(which, span).map(|body| (var, Box::new(body)));
            let count = Expr { kind: ExprKind::Count { ty, over, which }, span };
            return match name {
                "one" => compared(count, CompareOp::Eq, 1),
                _ => Typed { expr: count, ty: Ty::Int },
            };
        }
        let kind = match (name, which.pop()) {
            // Said as it is written: every one of those chosen.
            ("forAll", Some(Expr { kind: ExprKind::Not(claim), .. })) => {
                let body = match all(which, span) {
                    Some(chosen) => Box::new(Expr { kind: ExprKind::Implies(Box::new(chosen), claim), span }),
                    None => claim,
                };
                ExprKind::Quant { exists: false, var, ty, over, body }
            }
            (_, last) => {
                which.extend(last);
                let body = Box::new(all(which, span).unwrap_or(Expr::truth(span)));
                let some = Expr { kind: ExprKind::Quant { exists: true, var, ty, over, body }, span };
                if negated { ExprKind::Not(Box::new(some)) } else { some.kind }
            }
        };
        Typed::new(kind, span, Ty::Bool)
    }

    /// The operation, if there is such a one and it has a condition where it takes one.
    fn operation(&mut self, asked: Asked, arrow: &str, span: Span) -> Option<&'static str> {
        let op = asked.op;
        let Some((name, wants_body)) = OPERATIONS.iter().find(|(n, _)| *n == op.text) else {
            let d = Diagnostic::new(
                &typing::UNKNOWN_OPERATOR,
                op.span,
                format!("unknown operation on sets: '{}'", op.text),
            );
            self.report(match left_out(&op.text) {
                Some(instead) => d.help(instead),
                None => d.nearest(&op.text, OPERATIONS.iter().map(|(n, _)| *n)),
            });
            return None;
        };
        if *wants_body == asked.body.is_some() {
            return Some(name);
        }
        let (wanted, form) = match wants_body {
            true => ("takes a condition", format!("{arrow}{name}(x | x.Paid)")),
            false => ("takes no arguments", format!("{arrow}{name}()")),
        };
        let d = Diagnostic::new(&typing::ARGUMENTS, span, format!("'{arrow}{name}' {wanted}"));
        self.report(d.help(format!("write it as in {form}")));
        None
    }

    /// A condition on the elements of a set.
    fn of_each(&mut self, set: Set, var: u32, asked: Asked) -> Option<Expr> {
        let Some(body) = asked.body else {
            let d =
                Diagnostic::new(&typing::ARGUMENTS, asked.op.span, format!("'{}' takes a condition", asked.op.text));
            self.report(d.help(format!("write it as in ->{}(x | x.Paid)", asked.op.text)));
            return None;
        };
        let name = asked.var.map(|v| v.text.clone());
        let ty = match set {
            Set::Slots(ty, _) => ty,
            Set::Bag(_, ty, bag) => return self.of_elements((ty, bag), name, body),
        };
        if let Some(named) = asked.ty {
            let meant = names::artifact_type(self.app, named, self.loud())?;
            if meant != ty {
                let message = format!("these are instances of '{}', not of '{}'", self.app.types[ty].id, named.text);
                self.report(Diagnostic::new(&typing::TYPE_MISMATCH, named.span, message));
                return None;
            }
        }
        self.bound.push(Bound { name, var, ty });
        let condition = self.boolean(body);
        self.bound.pop();
        condition
    }

    /// A condition on the elements of a bag.
    fn of_elements(&mut self, bag: (TypeIx, BagIx), name: Option<String>, body: &Ast) -> Option<Expr> {
        let outer = self.element.replace(Element { bag, name });
        let condition = self.boolean(body);
        self.element = outer;
        let condition = condition?;
        let Some(odd) = odd_part(&condition, &[]) else { return Some(condition) };
        let message = "only comparisons of a field of the element with a constant can stand here";
        let d = Diagnostic::new(&typing::NOT_HERE, odd.span, message);
        let field = self.fields_of(bag).into_iter().next().unwrap_or_default();
        self.report(d.help(format!("such as {field} == 'text' or {field} >= 3, joined with &&, || and !")));
        None
    }

    /// What a set is: a bag, or the artifacts of a type.
    fn set(&mut self, set: &Ast) -> Option<Set> {
        if let Some((of, ty, bag)) = self.bag_of(set) {
            return Some(Set::Bag(of, ty, bag));
        }
        if let Some(ty) = self.all_instances(set) {
            return ty.map(|ty| Set::Slots(ty, Over::Created));
        }
        let AstKind::Path(steps) = &set.kind else { return self.no_set(set) };
        let found = |r: &Self, name: &Name| match names::find_type(r.app, &name.text) {
            Found::One(ty) => Some(ty),
            _ => None,
        };
        match steps.as_slice() {
            [x, name] if let (Some((var, of)), Some(ty)) = (self.bound_variable(x), found(self, name)) => {
                Some(Set::Slots(ty, Over::RelatedTo { var, ty: of }))
            }
            [name] | [_, name]
                if let Some(ty) = found(self, name)
                    && (steps.len() == 1 || matches!(steps[0].text.as_str(), "this" | "self")) =>
            {
                match self.place {
                    Place::Sentry { .. } => Some(Set::Slots(ty, Over::Related)),
                    Place::Property if steps.len() == 1 => Some(Set::Slots(ty, Over::Created)),
                    _ => {
                        let message = "related artifacts cannot be asked here";
                        let d = Diagnostic::new(&typing::NOT_HERE, set.span, message);
                        self.report(d.help("in a property quantify: exists x : Type (x.…)"));
                        None
                    }
                }
            }
            _ => self.no_set(set),
        }
    }

    /// `Type.allInstances()`. `Some(None)`: reported.
    fn all_instances(&mut self, set: &Ast) -> Option<Option<TypeIx>> {
        let AstKind::Call { path, args } = &set.kind else { return None };
        let [.., ty, last] = path.as_slice() else { return None };
        if last.text != "allInstances" || !args.is_empty() {
            return None;
        }
        if !matches!(self.place, Place::Sentry { .. } | Place::Property) {
            self.report(Diagnostic::new(&typing::NOT_HERE, set.span, "other artifacts cannot be asked here"));
            return Some(None);
        }
        Some(names::artifact_type(self.app, ty, self.loud()))
    }

    fn no_set(&mut self, set: &Ast) -> Option<Set> {
        // A set-valued attribute is reported as such; anything else is not a set.
        let before = self.reported();
        if self.value(set).is_none() && self.reported() > before {
            return None;
        }
        let types: Vec<String> = self.app.types.iter().map(|t| format!("'{}'", t.id)).collect();
        let d = Diagnostic::new(&typing::NOT_A_SET, set.span, "only artifacts and bags are sets here");
        self.report(d.help(format!("name an artifact type: {}", types.join(", "))));
        None
    }
}

/// The set that `select` and `reject` choose from, and their conditions.
fn chosen(mut set: &Ast) -> (&Ast, Vec<Asked<'_>>) {
    let mut parts = Vec::new();
    while let AstKind::Arrow { set: inner, op, var, ty, body } = &set.kind
        && matches!(op.text.as_str(), "select" | "reject")
    {
        parts.push(Asked { op, var: var.as_ref(), ty: ty.as_ref(), body: body.as_deref() });
        set = inner;
    }
    parts.reverse();
    (set, parts)
}

/// What OCL has and gsmc has not, and what to write instead.
fn left_out(op: &str) -> Option<&'static str> {
    Some(match op {
        "collect" | "sum" | "max" | "min" | "sortedBy" | "any" | "first" | "last" => {
            "values of several elements are not gathered: ask each with ->exists(x | …) or ->forAll(x | …)"
        }
        "select" | "reject" => {
            "say what is asked of those chosen: ->select(x | …)->notEmpty(), ->size(), ->exists(y | …)"
        }
        "includes" => "ask whether one is so: ->exists(x | x.n == …)",
        "excludes" => "ask that none is so: ->select(x | x.n == …)->isEmpty()",
        "isUnique" | "iterate" | "closure" | "union" | "intersection" | "including" | "asSet" => {
            "operations of OCL that are read: exists, forAll, one, select, reject, size, isEmpty, notEmpty"
        }
        _ => return None,
    })
}

fn not(e: Expr) -> Expr {
    Expr { span: e.span, kind: ExprKind::Not(Box::new(e)) }
}

/// All of them; `None` where there is nothing to hold.
fn all(mut conditions: Vec<Expr>, span: Span) -> Option<Expr> {
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Expr { kind: ExprKind::And(conditions), span }),
    }
}
