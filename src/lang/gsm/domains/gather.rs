//! What every attribute and payload field is compared with or set to, anywhere in model, agents and properties.

use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::{
    Application, AttrIx, Attribute, Constant, DataKind, Decimal, EventIx, Expr, ExprKind, Guard, TypeIx,
};
use crate::machine::{ArithOp, CompareOp, Domain};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Something with a domain to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A data attribute.
    Attr(TypeIx, AttrIx),
    /// A payload field, by position, that no attribute of the target is named like.
    Field(EventIx, usize),
}

impl Key {
    /// The attribute that it is.
    pub fn attribute(self, app: &Application) -> Option<&Attribute> {
        match self {
            Key::Attr(ty, attr) => app.types.get(ty.0)?.attrs.get(attr.0),
            Key::Field(..) => None,
        }
    }
}

/// What was met.
#[derive(Clone, Debug, Default)]
pub struct Met {
    /// Numbers that the range must hold.
    pub points: Vec<i64>,
    /// Texts in order of appearance.
    pub texts: Vec<String>,
    /// Numbers it is compared with or set to directly, which must lie in the range.
    pub constants: Vec<(Decimal, Span)>,
    /// All numbers that it meets, with their fractions.
    pub decimals: BTreeSet<Decimal>,
}

impl Met {
    /// Adds a text once.
    pub fn text(&mut self, text: &str) {
        if !self.texts.iter().any(|t| t == text) {
            self.texts.push(text.to_string());
        }
    }

    /// Adds a number that is assigned.
    pub fn number(&mut self, n: i64, span: Span) {
        self.points.push(n);
        self.decimal(n.into(), span);
    }

    /// Adds a number that is assigned where there are fractions.
    pub fn decimal(&mut self, d: Decimal, span: Span) {
        self.decimals.insert(d);
        self.constants.push((d, span));
    }

    /// Adds a number that it is compared with: a whole number has the next ones beside it, a fraction those around it.
    fn compared(&mut self, op: CompareOp, d: Decimal) {
        self.decimals.insert(d);
        let n = d.whole();
        self.points.extend(match op {
            _ if d.parts() > 1 => vec![d.floor(), d.ceil()],
            CompareOp::Gt | CompareOp::Le => vec![n, n.saturating_add(1)],
            CompareOp::Lt | CompareOp::Ge => vec![n, n.saturating_sub(1)],
            CompareOp::Eq | CompareOp::Ne => vec![n],
        });
    }
}

/// A constant compared with a private variable.
pub struct PrivateUse {
    /// The agent.
    pub agent: usize,
    /// The variable.
    pub var: usize,
    /// The number.
    pub number: Decimal,
    /// Where.
    pub span: Span,
}

/// A comparison of two values, where it stands: in a protocol line its event and target type count.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// The operator.
    pub op: CompareOp,
    /// Both sides.
    pub sides: [&'a Expr; 2],
    line: Option<(EventIx, TypeIx)>,
}

impl Compared<'_> {
    /// The attribute or field that a part of it is.
    pub fn key(&self, app: &Application, e: &Expr) -> Option<Key> {
        key(app, self.line, e)
    }
}

/// Walks all expressions.
pub struct Gatherer<'a> {
    app: &'a Application,
    /// The event of the protocol line that is being walked, and its target type.
    line: Option<(EventIx, TypeIx)>,
    /// Ids that `$$` can be.
    ids: Vec<&'a str>,
    /// What was met so far.
    pub met: BTreeMap<Key, Met>,
    /// Numbers compared with private variables.
    pub private: Vec<PrivateUse>,
    /// The texts that the model and its agents compare something with.
    pub in_model: BTreeMap<Key, Vec<String>>,
    /// The texts that properties compare something with.
    pub asked: Vec<Asked>,
    /// Comparisons that are more than one of a number, or a shifted one, with a constant.
    pub compared: Vec<Compared<'a>>,
    /// Properties are being walked.
    in_properties: bool,
}

/// A text in a property.
pub struct Asked {
    /// What is compared with it.
    pub key: Key,
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl<'a> Gatherer<'a> {
    /// Walks everything.
    pub fn walk(app: &'a Application, properties: &'a [ModelProperty]) -> Gatherer<'a> {
        let mut g = Gatherer {
            app,
            line: None,
            ids: Vec::new(),
            met: BTreeMap::new(),
            private: Vec::new(),
            in_model: BTreeMap::new(),
            asked: Vec::new(),
            compared: Vec::new(),
            in_properties: false,
        };
        g.model();
        g.roles();
        g.protocols();
        g.ids.clear();
        g.in_model = g.met.iter().map(|(key, met)| (*key, met.texts.clone())).collect();
        g.in_properties = true;
        in_properties(properties, &mut |e| g.expr(e));
        g
    }

    /// Calls `f` on every expression of model, agents and properties.
    pub fn expressions(app: &'a Application, properties: &'a [ModelProperty], f: &mut dyn FnMut(&'a Expr)) {
        in_sentries(app, f);
        app.roles.iter().flat_map(|r| &r.types).for_each(|t| f(&t.window));
        let entries = app.agents.iter().flatten().flat_map(|a| a.protocol.iter().flatten());
        for target in entries.flat_map(|e| &e.targets) {
            f(&target.condition);
            target.updates.iter().for_each(|(_, e)| f(e));
        }
        in_properties(properties, f);
    }

    fn model(&mut self) {
        in_sentries(self.app, &mut |e| self.expr(e));
    }

    fn roles(&mut self) {
        let agents = self.app.agents.as_deref().unwrap_or_default();
        for (role, r) in self.app.roles.iter().enumerate() {
            self.ids = agents.iter().filter(|a| a.role == role).map(|a| a.name.as_str()).collect();
            r.types.iter().for_each(|t| self.expr(&t.window));
        }
    }

    fn protocols(&mut self) {
        for agent in self.app.agents.as_deref().unwrap_or_default() {
            self.ids = vec![agent.name.as_str()];
            for entry in agent.protocol.iter().flatten() {
                for target in &entry.targets {
                    self.line = Some((entry.event, target.ty));
                    self.expr(&target.condition);
                    target.updates.iter().for_each(|(_, e)| self.expr(e));
                }
            }
        }
        self.line = None;
    }

    fn expr(&mut self, e: &'a Expr) {
        e.walk(&mut |part| {
            if let ExprKind::Compare(op, a, b) = &part.kind {
                self.meets(*op, a, b);
                self.meets(op.flipped(), b, a);
                if !self.is_plain(a, b) && !self.is_plain(b, a) {
                    self.compared.push(Compared { op: *op, sides: [a, b], line: self.line });
                    self.meets_all([a, b]);
                }
            }
        });
    }

    /// `a op b`, seen from `a`.
    fn meets(&mut self, op: CompareOp, a: &Expr, b: &Expr) {
        if let (ExprKind::Private { agent, var }, Some(number)) = (&a.kind, constant(b)) {
            self.private.push(PrivateUse { agent: *agent, var: *var, number, span: b.span });
        }
        let Some((key, shift)) = self.shifted(a).filter(|(key, _)| !super::dates::is_date(self.app, *key)) else {
            return;
        };
        if let Some(c) = constant(b) {
            let met = self.met.entry(key).or_default();
            if let Some(point) = c.minus(shift) {
                met.compared(op, point);
            }
            if shift == Decimal::ZERO {
                met.constants.push((c, b.span));
            }
            return;
        }
        let texts: Vec<String> = match &b.kind {
            ExprKind::Text(text) => vec![text.clone()],
            ExprKind::SelfId => self.ids.iter().map(|id| id.to_string()).collect(),
            ExprKind::Attr { .. } | ExprKind::Private { .. } => self.declared_values(b),
            _ => return,
        };
        if let (true, ExprKind::Text(text)) = (self.in_properties, &b.kind) {
            self.asked.push(Asked { key, text: text.clone(), span: b.span });
        }
        let met = self.met.entry(key).or_default();
        texts.iter().for_each(|t| met.text(t));
    }

    /// What is compared in another way meets all numbers that stand there.
    fn meets_all(&mut self, sides: [&Expr; 2]) {
        let (mut keys, mut decimals) = (Vec::new(), Vec::new());
        for side in sides {
            side.walk(&mut |e| {
                keys.extend(self.key(e));
                decimals.extend(constant(e));
            });
        }
        for key in keys {
            self.met.entry(key).or_default().decimals.extend(&decimals);
        }
    }

    /// Is it a number, or a shifted one, and a constant?
    fn is_plain(&self, a: &Expr, b: &Expr) -> bool {
        let fixed = constant(b).is_some() || matches!(b.kind, ExprKind::Text(_) | ExprKind::SelfId | ExprKind::Bool(_));
        fixed && self.shifted(a).is_some()
    }

    /// The values of something enumerated.
    fn declared_values(&self, e: &Expr) -> Vec<String> {
        let domain = match &e.kind {
            ExprKind::Attr { ty, attr, .. } => {
                let a = &self.app.types[*ty].attrs[*attr];
                (a.kind == DataKind::Enumeration).then_some(&a.domain)
            }
            ExprKind::Private { agent, var } => {
                let agents = self.app.agents.as_deref().unwrap_or_default();
                agents.get(*agent).and_then(|a| a.vars.get(*var)).map(|v| &v.domain)
            }
            _ => None,
        };
        match domain {
            Some(Domain::Enum { values, .. }) => values.clone(),
            _ => Vec::new(),
        }
    }

    /// `x`, `x + 2`, `x - 1`: what is read and how far it is shifted.
    fn shifted(&self, e: &Expr) -> Option<(Key, Decimal)> {
        match &e.kind {
            ExprKind::Arith(ArithOp::Add, a, b) => match (constant(a), constant(b)) {
                (None, Some(c)) => self.shifted(a).and_then(|(k, s)| Some((k, s.plus(c)?))),
                (Some(c), None) => self.shifted(b).and_then(|(k, s)| Some((k, s.plus(c)?))),
                _ => None,
            },
            ExprKind::Arith(ArithOp::Sub, a, b) => {
                let c = constant(b)?;
                self.shifted(a).and_then(|(k, s)| Some((k, s.minus(c)?)))
            }
            _ => self.key(e).map(|k| (k, Decimal::ZERO)),
        }
    }

    fn key(&self, e: &Expr) -> Option<Key> {
        key(self.app, self.line, e)
    }
}

/// The attribute or field that an expression is; fields are those of a protocol line.
fn key(app: &Application, line: Option<(EventIx, TypeIx)>, e: &Expr) -> Option<Key> {
    match &e.kind {
        ExprKind::Attr { ty, attr, .. } => Some(Key::Attr(*ty, *attr)),
        ExprKind::Field(name) => line.and_then(|(event, ty)| field_key(app, event, ty, name)),
        _ => None,
    }
}

/// The attribute of `ty` that a field is named like, or the field itself.
pub fn field_key(app: &Application, event: EventIx, ty: TypeIx, name: &str) -> Option<Key> {
    let attr = app.types.get(ty.0)?.attr(name).map(|attr| Key::Attr(ty, attr));
    attr.or_else(|| {
        let field = app.events.get(event.0)?.payload.iter().position(|f| f.name == name)?;
        Some(Key::Field(event, field))
    })
}

fn in_sentries<'a>(app: &'a Application, f: &mut dyn FnMut(&'a Expr)) {
    let mut guards = |guards: &'a [Guard]| guards.iter().for_each(|g| f(&g.sentry.expr));
    for t in &app.types {
        for stage in &t.stages {
            guards(&stage.guards);
            for &m in &stage.milestones {
                guards(&t.milestones[m].achieving);
                guards(&t.milestones[m].invalidating);
            }
            guards(&stage.flow_guards);
            guards(&stage.fault_loggers);
        }
    }
}

fn in_properties<'a>(properties: &'a [ModelProperty], f: &mut dyn FnMut(&'a Expr)) {
    for property in properties {
        for formula in std::iter::once(&property.formula).chain(&property.fair) {
            formula.atoms(&mut |e| f(e));
        }
    }
}

/// The value of an expression without names.
pub fn constant(e: &Expr) -> Option<Decimal> {
    Constant::of(e).map(|c| c.value)
}
