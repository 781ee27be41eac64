//! From names to indices, from untyped to typed: the meaning of a model.
//!
//! Expressions are resolved by a [`Resolver`] that stands at a [`Place`]: a sentry, a window, a protocol line or a property. The
//! place decides which names and operators exist. [`model`] builds the application itself.

mod bags;
mod calls;
mod data;
mod elements;
mod events;
mod expr;
mod holds;
mod meanings;
mod messages;
pub mod model;
pub mod names;
mod notation;
mod ocl;
mod operators;
mod paths;
mod schemas;
mod sets;
mod tasks;
#[cfg(test)]
pub(crate) mod tests;
mod unknown;

pub use data::{Declared, Ends, Facets, Initial};
pub use expr::{Ty, Typed};
pub use model::{Draft, ModelOptions, build};
pub use schemas::Schemas;
pub use tasks::Constant;

use crate::lang::gsm::{Application, EventIx, Expr, ExprKind, PrivateVar, TypeIx};
use crate::lang::syntax::Ast;
use crate::machine::Domain;
use crate::source::codes::{model as model_codes, typing};
use crate::source::{Diagnostic, Diagnostics, Span};

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// In a guard or condition of a type.
    Sentry {
        /// The type.
        ty: TypeIx,
        /// In an E-GSM model?
        egsm: bool,
        /// In the notation, where a bare name may be a stage or milestone?
        notation: bool,
        /// Other names that may stand in front of attribute paths.
        aliases: &'a [String],
    },
    /// In a role's window over a type.
    Window {
        /// The type.
        ty: TypeIx,
    },
    /// In a protocol line for a target type.
    Protocol {
        /// The target's type.
        ty: TypeIx,
        /// The agent's future index in [`Application::agents`].
        agent: usize,
        /// Its private variables.
        vars: &'a [PrivateVar],
        /// The event.
        event: EventIx,
    },
    /// In a property: no context slot.
    Property,
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Its name; `None` for the unnamed element of an OCL operator.
    pub name: Option<String>,
    /// Its number.
    pub var: u32,
    /// Its type.
    pub ty: TypeIx,
}

/// Resolves expressions at one place.
pub struct Resolver<'a> {
    app: &'a Application,
    place: Place<'a>,
    diags: &'a mut Diagnostics,
    /// Ids of agents, which may stand unquoted in agents files.
    agent_names: &'a [String],
    bound: Vec<Bound>,
    /// The element of a bag that is being spoken of.
    element: Option<bags::Element>,
    /// Names that `let` gives, innermost last.
    lets: Vec<ocl::Let>,
    /// How often such names have been used.
    uses: usize,
    next: u32,
    /// Variables for "some created instance" in the current atom.
    free: Vec<(TypeIx, u32)>,
    /// What this type lacks although the model has it elsewhere.
    lacking: Option<(String, Span)>,
    quiet: bool,
    silenced: Diagnostics,
}

impl<'a> Resolver<'a> {
    /// At a place.
    pub fn new(app: &'a Application, place: Place<'a>, diags: &'a mut Diagnostics) -> Resolver<'a> {
        Resolver {
            app,
            place,
            diags,
            agent_names: &[],
            bound: Vec::new(),
            element: None,
            lets: Vec::new(),
            uses: 0,
            next: 0,
            free: Vec::new(),
            lacking: None,
            quiet: false,
            silenced: Diagnostics::new(),
        }
    }

    /// Lets the ids of agents stand unquoted.
    pub fn with_agents(mut self, names: &'a [String]) -> Resolver<'a> {
        self.agent_names = names;
        self
    }

    /// Puts quantified variables in scope, innermost last, and says which number is free next.
    pub fn with_variables(mut self, bound: Vec<Bound>, next: u32) -> Resolver<'a> {
        (self.bound, self.next) = (bound, next);
        self
    }

    /// The next free variable number, after resolving.
    pub fn next_variable(&self) -> u32 {
        self.next
    }

    /// The type of the context slot.
    fn own_type(&self) -> Option<TypeIx> {
        match self.place {
            Place::Sentry { ty, .. } | Place::Window { ty } | Place::Protocol { ty, .. } => Some(ty),
            Place::Property => None,
        }
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn report(&mut self, d: Diagnostic) {
        self.loud().push(d);
    }

    /// Where reports go.
    fn loud(&mut self) -> &mut Diagnostics {
        if self.quiet { &mut self.silenced } else { self.diags }
    }

    fn reported(&self) -> usize {
        self.diags.iter().count()
    }

    /// A condition; where it speaks about something that this type lacks and another one has, `false` and a warning.
    fn condition(&mut self, ast: &Ast, what: &str) -> Option<Expr> {
        let before = self.diags.count(crate::source::Severity::Error);
        let result = self.boolean(ast);
        let Some((name, span)) = self.lacking.take() else { return result };
        if self.diags.count(crate::source::Severity::Error) > before {
            return None;
        }
        let ty = self.own_type().map_or("", |t| self.app.types[t].id.as_str());
        let message = format!("type '{ty}' has no '{name}': {what} is false for it");
        self.report(Diagnostic::new(&typing::NOT_IN_TYPE, span, message));
        Some(Expr { kind: ExprKind::Bool(false), span: ast.span })
    }
}

/// The window of a role over a type. `agents`: ids that may stand unquoted.
pub fn window(app: &Application, ty: TypeIx, ast: &Ast, agents: &[String], diags: &mut Diagnostics) -> Option<Expr> {
    Resolver::new(app, Place::Window { ty }, diags).with_agents(agents).condition(ast, "this window")
}

/// What a protocol line is about.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The target's type.
    pub ty: TypeIx,
    /// The agent's index in the list of agents.
    pub agent: usize,
    /// Its private variables.
    pub vars: &'a [PrivateVar],
    /// The event.
    pub event: EventIx,
    /// Ids of all agents.
    pub agents: &'a [String],
}

impl<'a> Line<'a> {
    fn resolver(self, app: &'a Application, diags: &'a mut Diagnostics) -> Resolver<'a> {
        let Line { ty, agent, vars, event, agents } = self;
        Resolver::new(app, Place::Protocol { ty, agent, vars, event }, diags).with_agents(agents)
    }
}

/// The condition of a protocol line.
pub fn protocol_condition(app: &Application, line: Line, ast: &Ast, diags: &mut Diagnostics) -> Option<Expr> {
    line.resolver(app, diags).condition(ast, "this condition")
}

/// The right side of an update of a private variable.
pub fn protocol_update(
    app: &Application,
    line: Line,
    var: &PrivateVar,
    ast: &Ast,
    diags: &mut Diagnostics,
) -> Option<Expr> {
    line.resolver(app, diags).assigned(&var.domain, &var.name, ast)
}

/// A state formula of a property: Boolean, without temporal operators. `next` is the first free variable number; it is moved on.
pub fn property_atom(
    app: &Application,
    bound: &[Bound],
    next: &mut u32,
    ast: &Ast,
    diags: &mut Diagnostics,
) -> Option<Expr> {
    let mut resolver = Resolver::new(app, Place::Property, diags).with_variables(bound.to_vec(), *next);
    let result = resolver.boolean(ast);
    *next = resolver.next_variable();
    result
}

impl Resolver<'_> {
    /// A value for a variable with these values.
    fn assigned(&mut self, domain: &Domain, name: &str, ast: &Ast) -> Option<Expr> {
        use crate::lang::syntax::AstKind;
        if let (Domain::Enum { values, .. }, AstKind::Path(steps)) = (domain, &ast.kind)
            && let [word] = steps.as_slice()
            && values.contains(&word.text)
            && self.means_nothing(word)
        {
            return Some(Expr { kind: ExprKind::Text(word.text.clone()), span: ast.span });
        }
        let value = self.value(ast)?;
        let e = self.expect(value, Ty::of_domain(domain))?;
        let problem = match (&e.kind, domain) {
            (ExprKind::Text(text), Domain::Enum { values, .. }) if !values.contains(text) => {
                let message = format!("'{text}' is not one of the values of '{name}'");
                let d = Diagnostic::new(&typing::NO_SUCH_VALUE, e.span, message).note(expr::list_values(values));
                d.nearest(text, values.iter().map(String::as_str))
            }
            (ExprKind::Decimal(d), Domain::Int { .. }) if d.parts() > 1 => {
                let message = format!("{} is read as {}, because '{name}' is a whole number", d.text(), d.whole());
                self.report(Diagnostic::new(&model_codes::TRUNCATED, e.span, message));
                return Some(e);
            }
            (ExprKind::Int(n), Domain::Int { lo, hi }) if !(lo..=hi).contains(&n) => {
                let message = format!("{n} is outside the range {lo}..{hi} of '{name}'");
                Diagnostic::new(&typing::OUT_OF_RANGE, e.span, message)
            }
            _ => return Some(e),
        };
        self.report(problem);
        None
    }
}
