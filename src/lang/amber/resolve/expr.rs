//! Expressions: names found, types checked. The same for models and properties; properties may also ask about the control state.

use super::Found;
use crate::lang::amber::model::{BlockIx, ConstantValue, Control, Expr, Model, NodeKind, Place, Step};
use crate::lang::amber::types::Type;
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::machine::CompareOp;
use crate::source::codes::{amber as codes, expressions, typing};
use crate::source::{Diagnostic, Diagnostics, Span};

/// Looks names up from a block, or from a property.
pub struct Resolver<'m, 'd> {
    pub(super) model: &'m Model,
    pub(super) scope: BlockIx,
    pub(super) property: bool,
    pub(super) diags: &'d mut Diagnostics,
}

/// An expression and its type. The bounds of a number's type mean nothing here.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The expression.
    pub expr: Expr,
    /// Its type.
    pub ty: Type,
}

pub(super) const NUMBER: Type = Type::Int { lo: 0, hi: 0 };

impl Typed {
    fn bool(expr: Expr) -> Option<Typed> {
        Some(Typed { expr, ty: Type::Bool })
    }

    fn number(expr: Expr) -> Option<Typed> {
        Some(Typed { expr, ty: NUMBER })
    }
}

impl<'m, 'd> Resolver<'m, 'd> {
    /// For an expression of the model, written in a block.
    pub fn model(model: &'m Model, scope: BlockIx, diags: &'d mut Diagnostics) -> Resolver<'m, 'd> {
        Resolver { model, scope, property: false, diags }
    }

    /// For an expression of a property.
    pub fn property(model: &'m Model, diags: &'d mut Diagnostics) -> Resolver<'m, 'd> {
        Resolver { model, scope: 0, property: true, diags }
    }

    pub(super) fn fail<T>(&mut self, d: Diagnostic) -> Option<T> {
        self.diags.push(d);
        None
    }

    /// An expression that must be Boolean.
    pub fn condition(&mut self, ast: &Ast) -> Option<Expr> {
        let typed = self.typed(ast, Some(&Type::Bool))?;
        if typed.ty == Type::Bool {
            return Some(typed.expr);
        }
        let message = format!("this is {}, not a condition", typed.ty.describe());
        let d = Diagnostic::new(&typing::TYPE_MISMATCH, ast.span, message);
        self.fail(d.help("a condition compares: x + 1 > 2, colour == red"))
    }

    fn conditions(&mut self, parts: &[Ast]) -> Option<Vec<Expr>> {
        let all: Vec<Option<Expr>> = parts.iter().map(|p| self.condition(p)).collect();
        all.into_iter().collect()
    }

    fn two_conditions(&mut self, a: &Ast, b: &Ast) -> Option<(Box<Expr>, Box<Expr>)> {
        let (a, b) = (self.condition(a), self.condition(b));
        Some((Box::new(a?), Box::new(b?)))
    }

    fn numeric(&mut self, ast: &Ast) -> Option<Expr> {
        let typed = self.typed(ast, Some(&NUMBER))?;
        if matches!(typed.ty, Type::Int { .. }) {
            return Some(typed.expr);
        }
        let message = format!("this is {}, not a number", typed.ty.describe());
        self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, ast.span, message))
    }

    /// An expression of any type. `expected` says which enumeration a bare value belongs to.
    pub fn typed(&mut self, ast: &Ast, expected: Option<&Type>) -> Option<Typed> {
        let span = ast.span;
        match &ast.kind {
            AstKind::Bool(b) => Typed::bool(Expr::Bool(*b)),
            AstKind::Int(n) => Typed::number(Expr::Int(*n)),
            AstKind::Text(text) => {
                let name = Name { text: text.clone(), span, quoted: true };
                self.named(&[name], span, expected)
            }
            AstKind::Path(steps) => self.named(steps, span, expected),
            AstKind::Element { .. } => {
                let place = self.place(ast)?;
                let ty = place.ty.clone();
                Some(Typed { expr: Expr::Read(place), ty })
            }
            AstKind::Not(a) => Typed::bool(Expr::Not(Box::new(self.condition(a)?))),
            AstKind::And(parts) => Typed::bool(Expr::And(self.conditions(parts)?)),
            AstKind::Or(parts) => Typed::bool(Expr::Or(self.conditions(parts)?)),
            AstKind::Implies(a, b) => {
                let (a, b) = self.two_conditions(a, b)?;
                Typed::bool(Expr::Or(vec![Expr::Not(a), *b]))
            }
            AstKind::Iff(a, b) => self.two_conditions(a, b).and_then(|(a, b)| Typed::bool(Expr::Iff(a, b))),
            AstKind::Xor(a, b) => {
                let (a, b) = self.two_conditions(a, b)?;
                Typed::bool(Expr::Not(Box::new(Expr::Iff(a, b))))
            }
            AstKind::Compare(op, a, b) => self.compare(*op, a, b, span),
            AstKind::Arith(op, a, b) => {
                let (a, b) = (self.numeric(a), self.numeric(b));
                Typed::number(Expr::Arith(*op, Box::new(a?), Box::new(b?)))
            }
            AstKind::Call { path, args } => self.call(path, args, span),
            AstKind::Quant { .. } => {
                let d =
                    Diagnostic::new(&codes::NO_QUANTIFIER, span, "an AMBER model has no instances to quantify over");
                self.fail(d.help("name the elements one by one: file[0].status == Idle"))
            }
            AstKind::Decimal(text) => {
                let message = format!("'{text}' is no whole number");
                self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, span, message))
            }
            _ => {
                let message = "operators of properties and of other languages are not allowed here";
                self.fail(Diagnostic::new(&typing::NOT_HERE, span, message))
            }
        }
    }

    /// Is it a name that stands for no data: perhaps a value of an enumeration?
    fn is_word(&self, ast: &Ast) -> bool {
        match &ast.kind {
            AstKind::Text(text) => !self.is_data(text),
            AstKind::Path(steps) => steps.len() == 1 && steps.iter().all(|s| !self.is_data(&s.text)),
            _ => false,
        }
    }

    fn is_data(&self, name: &str) -> bool {
        let word = |v: &ConstantValue| matches!(v, ConstantValue::Word(_));
        self.model.variable(self.scope, &[name]).is_some()
            || self.model.defines.iter().any(|d| d.name == name)
            || self.model.constants.iter().any(|c| c.name == name && !word(&c.value))
    }

    fn compare(&mut self, op: CompareOp, a: &Ast, b: &Ast, span: Span) -> Option<Typed> {
        let (left, right) = if self.is_word(a) && !self.is_word(b) {
            let right = self.typed(b, None);
            let left = self.typed(a, right.as_ref().map(|r| &r.ty));
            (left, right)
        } else {
            let left = self.typed(a, None);
            let right = self.typed(b, left.as_ref().map(|l| &l.ty));
            (left, right)
        };
        let (left, right) = (left?, right?);
        if !left.ty.fits(&right.ty) || !left.ty.is_scalar() {
            let message = format!("{} cannot be compared with {}", left.ty.describe(), right.ty.describe());
            return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, span, message));
        }
        let (a, b) = (Box::new(left.expr), Box::new(right.expr));
        match (&left.ty, op) {
            (Type::Bool, CompareOp::Eq) => Typed::bool(Expr::Iff(a, b)),
            (Type::Bool, CompareOp::Ne) => Typed::bool(Expr::Not(Box::new(Expr::Iff(a, b)))),
            (Type::Int { .. }, _) | (Type::Enum(_), CompareOp::Eq | CompareOp::Ne) => {
                Typed::bool(Expr::Compare(op, a, b))
            }
            _ => {
                let message = "only numbers have an order";
                self.fail(Diagnostic::new(&typing::TEXT_ORDER, span, message).help("use == or !="))
            }
        }
    }

    fn named(&mut self, steps: &[Name], span: Span, expected: Option<&Type>) -> Option<Typed> {
        let names: Vec<&str> = steps.iter().map(|s| s.text.as_str()).collect();
        if let [word] = steps
            && self.is_two_things(word, expected)
        {
            return None;
        }
        if self.model.variable(self.scope, &names).is_some() {
            let place = self.path(steps, span)?;
            let ty = place.ty.clone();
            return Some(Typed { expr: Expr::Read(place), ty });
        }
        let text = names.join(".");
        if let Some(define) = self.model.defines.iter().find(|d| d.name == text) {
            return Typed::bool(define.expr.clone());
        }
        let constant = self.model.constants.iter().find(|c| c.name == text).map(|c| &c.value);
        let word = match constant {
            Some(ConstantValue::Bool(b)) => return Typed::bool(Expr::Bool(*b)),
            Some(ConstantValue::Int(n)) => return Typed::number(Expr::Int(*n)),
            Some(ConstantValue::Word(word)) => word.clone(),
            None => text,
        };
        if let Some(Type::Enum(values)) = expected {
            return self.value(&word, values, span);
        }
        if self.property {
            return self.control_name(&word, span);
        }
        self.unknown(&word, span)
    }

    /// Is an unquoted word built in, or a value of the other side, and declared as well? Then it is reported.
    fn is_two_things(&mut self, word: &Name, expected: Option<&Type>) -> bool {
        let text = word.text.as_str();
        let variable = self.model.variable(self.scope, &[text]).is_some();
        let defined = self.model.defines.iter().any(|d| d.name == text);
        let constant = self.model.constants.iter().any(|c| c.name == text);
        let node = self.property && self.model.in_property(text).iter().any(|f| self.model.path_of(*f).ends_with(text));
        let declared = [(variable, "a variable"), (defined, "a define"), (constant, "a constant"), (node, "a node")];
        let Some((_, what)) = declared.into_iter().find(|(is, _)| *is) else { return false };
        let value = matches!(expected, Some(Type::Enum(values)) if values.iter().any(|v| v == text));
        let either = if value && what != "a node" {
            Some(("a value".to_string(), format!("give {what} or the value another name")))
        } else if self.property && !word.quoted && control_word(text).is_some() {
            let form = if what == "a node" { format!("executed('{text}')") } else { format!("'{text}'") };
            Some((format!("that the process is {text}"), format!("write {text}() for that, {form} for {what}")))
        } else {
            None
        };
        let Some((meaning, help)) = either else { return false };
        let message = format!("'{text}' has two meanings here: {meaning}, and {what}");
        self.diags.push(Diagnostic::new(&expressions::TWO_MEANINGS, word.span, message).help(help));
        true
    }

    fn value(&mut self, word: &str, values: &[String], span: Span) -> Option<Typed> {
        if let Some(code) = values.iter().position(|v| v == word) {
            return Some(Typed { expr: Expr::Int(code as i64), ty: Type::Enum(values.to_vec()) });
        }
        let message = format!("'{word}' is none of the values {{{}}}", values.join(", "));
        let d = Diagnostic::new(&typing::NO_SUCH_VALUE, span, message);
        let d = d.help(format!("write one of {}", values.join(", "))).nearest(word, values.iter().map(String::as_str));
        self.fail(d)
    }

    fn unknown(&mut self, word: &str, span: Span) -> Option<Typed> {
        let vars = self.model.vars.iter().map(|v| v.path.as_str());
        let known: Vec<&str> = vars
            .chain(self.model.defines.iter().map(|d| d.name.as_str()))
            .chain(self.model.constants.iter().map(|c| c.name.as_str()))
            .collect();
        let d = Diagnostic::new(&codes::UNKNOWN_NAME, span, format!("no variable '{word}'"));
        let d = d.help(format!("declare it: var {word}: 0..10")).nearest(word, known);
        self.fail(d)
    }

    /// A variable, a field or an element.
    pub fn place(&mut self, ast: &Ast) -> Option<Place> {
        match &ast.kind {
            AstKind::Path(steps) => self.path(steps, ast.span),
            AstKind::Element { of, index, steps } => {
                let array = self.place(of);
                let at = self.numeric(index);
                let mut place = array?;
                let Type::Array(element, _) = place.ty else {
                    let message = format!("this is {}, not an array", place.ty.describe());
                    return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, of.span, message));
                };
                place.ty = *element;
                place.steps.push(Step::Index(at?));
                self.fields(place, steps)
            }
            _ => self.fail(Diagnostic::new(&codes::NOT_A_PLACE, ast.span, "this is no variable, field or element")),
        }
    }

    fn path(&mut self, steps: &[Name], span: Span) -> Option<Place> {
        let names: Vec<&str> = steps.iter().map(|s| s.text.as_str()).collect();
        let Some((var, taken)) = self.model.variable(self.scope, &names) else {
            self.unknown(&names.join("."), span);
            return None;
        };
        let place = Place { var, steps: Vec::new(), ty: self.model.vars[var].ty.clone() };
        self.fields(place, steps.get(taken..).unwrap_or(&[]))
    }

    fn fields(&mut self, mut place: Place, names: &[Name]) -> Option<Place> {
        for name in names {
            let Type::Record(fields) = &place.ty else {
                let message = format!("this is {} and has no field '{}'", place.ty.describe(), name.text);
                let d = Diagnostic::new(&typing::TYPE_MISMATCH, name.span, message);
                let array = matches!(place.ty, Type::Array(..));
                return self.fail(if array { d.help("name the element first: file[0].status") } else { d });
            };
            let Some(at) = fields.iter().position(|(f, _)| *f == name.text) else {
                let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, format!("no field '{}'", name.text));
                let known: Vec<&str> = fields.iter().map(|(f, _)| f.as_str()).collect();
                let d = d.help(format!("the fields are {}", known.join(", "))).nearest(&name.text, known);
                return self.fail(d);
            };
            let ty = fields[at].1.clone();
            place.steps.push(Step::Field(at));
            place.ty = ty;
        }
        Some(place)
    }

    fn call(&mut self, path: &[Name], args: &[Name], span: Span) -> Option<Typed> {
        const KNOWN: [&str; 7] = ["executed", "triggered", "disabled", "enabled", "just", "blocked", "in_counter"];
        let name = path.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(".");
        if let (Some(control), [], true) = (control_word(&name), args, self.property) {
            return Typed::bool(Expr::Control(control));
        }
        if !self.property || !KNOWN.contains(&name.as_str()) {
            let d = Diagnostic::new(&codes::UNKNOWN_NAME, span, format!("no function '{name}' here"));
            let d = if self.property { d.help(format!("ask {}", KNOWN.join(", "))).nearest(&name, KNOWN) } else { d };
            return self.fail(d);
        }
        let [arg] = args else {
            let message = format!("{name} asks about one node, not {}", args.len());
            return self.fail(Diagnostic::new(&typing::ARGUMENTS, span, message));
        };
        let asked: String = arg.text.chars().filter(|c| !matches!(c, '"' | '\'')).collect();
        let found = self.node_or_relation(&asked, arg.span, matches!(name.as_str(), "enabled" | "just"))?;
        self.control(&name, found, arg.span)
    }

    fn node_or_relation(&mut self, name: &str, span: Span, relations: bool) -> Option<Found> {
        let mut found = self.model.in_property(name);
        if !relations && found.len() > 1 {
            found.retain(|f| matches!(f, Found::Node(_)));
        }
        match found.as_slice() {
            [one] => Some(*one),
            [] => {
                let mut known: Vec<&str> = self.model.nodes.iter().map(|n| n.path.as_str()).collect();
                known.extend(self.model.nodes.iter().map(|n| n.name.as_str()));
                let d = Diagnostic::new(&codes::UNKNOWN_NODE, span, format!("no node '{name}'"));
                let d = d.help("the names of nodes are those of the model").nearest(name, known);
                self.fail(d)
            }
            several => {
                let all: Vec<String> = several.iter().map(|f| format!("'{}'", self.model.path_of(*f))).collect();
                let d = Diagnostic::new(&codes::AMBIGUOUS, span, format!("'{name}' fits several nodes"));
                self.fail(d.help(format!("write {}", all.join(" or "))))
            }
        }
    }

    /// A bare name in a property.
    fn control_name(&mut self, word: &str, span: Span) -> Option<Typed> {
        if let Some(control) = control_word(word).filter(|_| self.model.in_property(word).is_empty()) {
            return Typed::bool(Expr::Control(control));
        }
        if self.model.in_property(word).is_empty() {
            for kind in ["executed", "triggered"] {
                if let Some(rest) = word.strip_prefix(kind).and_then(|r| r.strip_prefix('_')) {
                    let found = self.node_or_relation(rest, span, false)?;
                    return self.control(kind, found, span);
                }
            }
            let nodes = self.model.nodes.iter().flat_map(|n| [n.path.as_str(), n.name.as_str()]);
            let vars = self.model.vars.iter().map(|v| v.path.as_str());
            let known: Vec<&str> =
                nodes.chain(vars).chain(self.model.defines.iter().map(|d| d.name.as_str())).collect();
            let d = Diagnostic::new(&codes::UNKNOWN_NAME, span, format!("no node, variable or define '{word}'"));
            let d = d.help("a property names what the model declares").nearest(word, known);
            return self.fail(d);
        }
        let found = self.node_or_relation(word, span, false)?;
        self.control("executed", found, span)
    }

    fn control(&mut self, name: &str, found: Found, span: Span) -> Option<Typed> {
        let control = match (name, found) {
            ("executed", Found::Node(n)) => Some(Control::Executed(n)),
            ("enabled", Found::Relation(r)) => Some(Control::EnabledRelation(r)),
            ("just", Found::Relation(r)) => Some(Control::JustRelation(r)),
            (_, Found::Node(n)) => match (name, self.model.nodes[n].kind) {
                ("blocked", NodeKind::OrSplit) => Some(Control::Blocked(n)),
                ("in_counter", NodeKind::AndJoin) => Some(Control::InCounter(n)),
                ("triggered", kind) if kind.happens() => Some(Control::Triggered(n)),
                ("disabled", kind) if kind.happens() => Some(Control::Disabled(n)),
                ("enabled", kind) if kind.happens() => Some(Control::Enabled(n)),
                ("just", kind) if kind.happens() => Some(Control::Just(n)),
                _ => None,
            },
            _ => None,
        };
        let Some(control) = control else {
            let what = match found {
                Found::Node(n) => self.model.nodes[n].kind.described(),
                Found::Relation(_) => "a relation",
                Found::Block(_) => "a block",
            };
            let wanted = match name {
                "blocked" => "an OrSplit",
                "in_counter" => "an AndJoin",
                "executed" => "a node",
                _ => "an action or interaction",
            };
            let message = format!("{name} asks about {wanted}; '{}' is {what}", self.model.path_of(found));
            let d = Diagnostic::new(&codes::WRONG_KIND, span, message);
            return self.fail(d.help("joins, splits, entries and exits happen at once: ask executed(x) of them"));
        };
        match control {
            Control::InCounter(_) => Typed::number(Expr::Control(control)),
            _ => Typed::bool(Expr::Control(control)),
        }
    }
}

/// What a property says of the process as a whole.
fn control_word(word: &str) -> Option<Control> {
    Some(match word {
        "stuck" => Control::Stuck,
        "finished" => Control::Finished,
        "ended" => Control::Ended,
        "overflow" => Control::Overflow,
        _ => return None,
    })
}
