//! What properties of a case speak of: states of items, values of variables, `overflow` and `endless`.

use super::condition::{Literal, Value};
use super::lower::Map;
use super::model::{Case, DataIx, InstIx, State};
use crate::lang::properties::{self, Atoms};
use crate::lang::syntax::{Ast, AstKind, Name, Text};
use crate::logic::Property;
use crate::machine::{CompareOp, ExprId, Exprs, VarId};
use crate::source::codes::{cmmn as codes, expressions};
use crate::source::{Diagnostic, Diagnostics};

/// Reads properties of a case whose machine is under construction.
pub fn properties(
    texts: &[Text],
    case: &Case,
    map: &Map,
    overflow: VarId,
    exprs: &mut Exprs,
    diags: &mut Diagnostics,
) -> Vec<Property<ExprId>> {
    properties::read(texts, &mut Speaks { case, map, overflow, exprs }, diags)
}

struct Speaks<'a> {
    case: &'a Case,
    map: &'a Map,
    overflow: VarId,
    exprs: &'a mut Exprs,
}

impl Atoms for Speaks<'_> {
    type Atom = ExprId;

    fn atom(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<ExprId> {
        match &ast.kind {
            AstKind::Bool(b) => Some(self.exprs.bool(*b)),
            AstKind::Not(a) => {
                let a = self.atom(a, diags)?;
                Some(self.exprs.not(a))
            }
            AstKind::And(parts) => {
                let parts = self.atoms(parts, diags)?;
                Some(self.exprs.and(parts))
            }
            AstKind::Or(parts) => {
                let parts = self.atoms(parts, diags)?;
                Some(self.exprs.or(parts))
            }
            AstKind::Implies(a, b) => {
                let (a, b) = (self.atom(a, diags), self.atom(b, diags));
                Some(self.exprs.implies(a?, b?))
            }
            AstKind::Iff(a, b) => {
                let (a, b) = (self.atom(a, diags), self.atom(b, diags));
                Some(self.exprs.iff(a?, b?))
            }
            AstKind::Xor(a, b) => {
                let (a, b) = (self.atom(a, diags), self.atom(b, diags));
                let same = self.exprs.iff(a?, b?);
                Some(self.exprs.not(same))
            }
            AstKind::Path(path) => self.path(path, ast, diags),
            AstKind::Call { path, args } if args.is_empty() && path.len() == 1 => match self.flag(&path[0].text) {
                None => self.no_atom(ast, diags),
                flag => flag,
            },
            AstKind::Compare(op, a, b) => match (literal(a), literal(b)) {
                (None, Some(with)) => self.compare(*op, a, &with, diags),
                (Some(with), None) => self.compare(swapped(*op), b, &with, diags),
                _ => self.no_atom(ast, diags),
            },
            _ => self.no_atom(ast, diags),
        }
    }

    fn agents(&self) -> Vec<Option<String>> {
        let mut agents: Vec<Option<String>> = self.case.roles.iter().cloned().map(Some).collect();
        if agents.is_empty() {
            agents.push(None);
        }
        agents.push(Some("AutoAgent".into()));
        agents
    }
}

impl Speaks<'_> {
    fn atoms(&mut self, parts: &[Ast], diags: &mut Diagnostics) -> Option<Vec<ExprId>> {
        let found: Vec<Option<ExprId>> = parts.iter().map(|p| self.atom(p, diags)).collect();
        found.into_iter().collect()
    }

    fn no_atom(&self, ast: &Ast, diags: &mut Diagnostics) -> Option<ExprId> {
        let d = Diagnostic::new(&codes::NO_ATOM, ast.span, "this says nothing about a case");
        diags.push(d.help("write 'Item'.active, case.completed or variable == 'value'"));
        None
    }

    /// `'Item'.active`, `overflow`, a Boolean variable.
    fn path(&mut self, path: &[Name], ast: &Ast, diags: &mut Diagnostics) -> Option<ExprId> {
        match path {
            [one] if matches!(one.text.as_str(), "overflow" | "endless") => {
                return match self.variable(path) {
                    None => self.flag(&one.text),
                    Some(_) => {
                        self.two_meanings(one, "a flag", &format!("{0}() for the flag, {0} == true", one.text), diags)
                    }
                };
            }
            [item, state]
                if !item.quoted && !self.instances(&item.text).is_empty() && self.variable(path).is_some() =>
            {
                let form = format!("'{0}'.{1} for the item, {0}.{1} == true", item.text, state.text);
                return self.two_meanings(state, "a state of an item", &form, diags);
            }
            [item, state] => {
                let instances = self.instances(&item.text);
                let state = if state.text == "occurred" { Some(State::Completed) } else { State::of(&state.text) };
                if let (false, Some(state)) = (instances.is_empty(), state) {
                    let parts: Vec<ExprId> =
                        instances.into_iter().map(|i| self.map.state_is(self.exprs, i, state)).collect();
                    return Some(self.exprs.or(parts));
                }
            }
            _ => {}
        }
        match self.variable(path) {
            Some(v) => Some(self.among(v, self.case.data[v].codes(CompareOp::Eq, &Literal::Bool(true)))),
            None => self.unknown(path, ast, diags),
        }
    }

    fn flag(&mut self, name: &str) -> Option<ExprId> {
        match name {
            "overflow" => Some(self.exprs.cur(self.overflow)),
            "endless" => Some(self.exprs.cur(self.map.endless)),
            _ => None,
        }
    }

    fn two_meanings(&self, word: &Name, what: &str, form: &str, diags: &mut Diagnostics) -> Option<ExprId> {
        let message = format!("'{}' has two meanings here: {what}, and a variable", word.text);
        let d = Diagnostic::new(&expressions::TWO_MEANINGS, word.span, message);
        diags.push(d.help(format!("write {form} for the variable")));
        None
    }

    /// An instance by its own name, else all of an item.
    fn instances(&self, name: &str) -> Vec<InstIx> {
        let case = self.case;
        if let Some(one) = case.instances.iter().position(|i| i.name == name) {
            return vec![one];
        }
        let item = case.items.iter().position(|i| i.name == name);
        item.map_or_else(Vec::new, |ix| case.instances_of(ix).collect())
    }

    fn variable(&self, path: &[Name]) -> Option<DataIx> {
        let name = path.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(".");
        self.case.data.iter().position(|d| d.name == name)
    }

    fn compare(&mut self, op: CompareOp, of: &Ast, with: &Literal, diags: &mut Diagnostics) -> Option<ExprId> {
        let AstKind::Path(path) = &of.kind else { return self.no_atom(of, diags) };
        let Some(v) = self.variable(path) else { return self.unknown(path, of, diags) };
        let data = &self.case.data[v];
        let other = *with == Literal::Text("(other)".into());
        let codes = match data.code_of(&Value::Other).filter(|_| other) {
            Some(code) => (0..data.values.len()).filter(|c| (*c == code) == (op == CompareOp::Eq)).collect(),
            None if !data.tells(with) => return self.not_told(v, of, with, diags),
            None => data.codes(op, with),
        };
        Some(self.among(v, codes))
    }

    /// No condition compares the variable with this value, so that it is not known when it has it.
    fn not_told(&self, v: DataIx, of: &Ast, with: &Literal, diags: &mut Diagnostics) -> Option<ExprId> {
        let data = &self.case.data[v];
        let (value, known) = (Value::of(with), data.values.iter().map(Value::to_string).collect::<Vec<_>>());
        let message =
            format!("'{value}' is not told apart from other values of {}: no condition compares with it", data.name);
        let d = Diagnostic::new(&codes::NOT_TOLD_APART, of.span, message);
        let given = format!("{} = [\"{value}\", …]", data.name);
        let d = d.note(format!("its values are {}", known.join(", ")));
        let d = d.help(format!("give its values in gsmc.toml, under [data]: {given}"));
        diags.push(if let Literal::Text(t) = with { d.nearest(t, known.iter().map(String::as_str)) } else { d });
        None
    }

    /// A variable has one of these values.
    fn among(&mut self, v: DataIx, codes: Vec<usize>) -> ExprId {
        let cur = self.exprs.cur(self.map.data[v]);
        let boolean = matches!(self.case.data[v].values.as_slice(), [Value::Bool(false), Value::Bool(true)]);
        let mut parts = Vec::new();
        for code in codes {
            parts.push(match boolean {
                true if code == 1 => cur,
                true => self.exprs.not(cur),
                false => {
                    let code = self.exprs.int(code as i64);
                    self.exprs.compare(CompareOp::Eq, cur, code)
                }
            });
        }
        self.exprs.or(parts)
    }

    fn unknown(&self, path: &[Name], ast: &Ast, diags: &mut Diagnostics) -> Option<ExprId> {
        let first = path.first().map_or("", |n| n.text.as_str());
        let case = self.case;
        let items = case.instances.iter().map(|i| i.name.as_str()).chain(case.items.iter().map(|i| i.name.as_str()));
        let d = match path {
            [item, state] if !self.instances(&item.text).is_empty() => {
                let message = format!("'{}' is no state of an item", state.text);
                let states = State::ALL.map(State::name);
                Diagnostic::new(&codes::UNKNOWN_NAME, state.span, message).nearest(&state.text, states)
            }
            [_, _] => {
                let d = Diagnostic::new(&codes::UNKNOWN_NAME, ast.span, format!("the case has no item '{first}'"));
                d.nearest(first, items)
            }
            _ => {
                let d =
                    Diagnostic::new(&codes::UNKNOWN_NAME, ast.span, format!("no condition reads a variable '{first}'"));
                d.nearest(first, case.data.iter().map(|d| d.name.as_str()))
            }
        };
        diags.push(d);
        None
    }
}

fn literal(ast: &Ast) -> Option<Literal> {
    Some(match &ast.kind {
        AstKind::Bool(b) => Literal::Bool(*b),
        AstKind::Int(n) => Literal::Number(*n as f64),
        AstKind::Decimal(text) => Literal::Number(text.parse().ok()?),
        AstKind::Text(text) => Literal::Text(text.clone()),
        AstKind::Path(path) if path.len() == 1 && path[0].text == "null" => Literal::Null,
        _ => return None,
    })
}

fn swapped(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        same => same,
    }
}
