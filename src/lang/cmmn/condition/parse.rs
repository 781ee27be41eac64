//! Text to tests. Only what gsmc can decide is understood; everything else is an error that makes the condition free.

use super::domain::Uses;
use super::lex::{Token, tokens};
use super::tree::{Literal, Tree};
use super::{MOST_VALUES, Select};
use crate::lang::cmmn::model::DataIx;
use crate::machine::CompareOp;

/// Deepest nesting.
const DEPTH: usize = 60;

/// What names mean.
pub(super) struct Scope<'a> {
    pub counter: Option<&'a str>,
    pub uses: &'a mut Vec<Uses>,
}

impl Scope<'_> {
    fn variable(&mut self, name: String) -> DataIx {
        if let Some(found) = self.uses.iter().position(|u| u.name == name) {
            return found;
        }
        self.uses.push(Uses::new(name));
        self.uses.len() - 1
    }
}

/// Parses a condition; the error says why it is not understood.
pub(super) fn parse(text: &str, scope: &mut Scope) -> Result<Tree, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, scope };
    let term = parser.either()?;
    match parser.tokens.get(parser.at) {
        None => parser.truth(term),
        Some(more) => Err(format!("{} is not expected", show(more))),
    }
}

fn show(token: &Token) -> String {
    match token {
        Token::Word(w) => format!("'{w}'"),
        Token::Number(n) => format!("'{n}'"),
        Token::Text(t) => format!("the text '{t}'"),
        Token::Symbol(s) => format!("'{s}'"),
    }
}

/// A part of a condition.
enum Term {
    Literal(Literal),
    Variable(DataIx, Option<Literal>),
    /// The counter less this.
    Counter(i64),
    Count(Select),
    Tree(Tree),
}

struct Parser<'t, 's, 'u> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    scope: &'s mut Scope<'u>,
}

type Parsed<T> = Result<T, String>;

impl Parser<'_, '_, '_> {
    fn is(&self, words: &[&str]) -> bool {
        match self.tokens.get(self.at) {
            Some(Token::Symbol(s)) => words.contains(s),
            Some(Token::Word(w)) => words.contains(&w.as_str()),
            _ => false,
        }
    }

    fn take(&mut self, words: &[&str]) -> bool {
        let found = self.is(words);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.take(&[symbol]) { Ok(()) } else { Err(format!("'{symbol}' is missing")) }
    }

    fn truth(&mut self, term: Term) -> Parsed<Tree> {
        match term {
            Term::Tree(tree) => Ok(tree),
            Term::Literal(Literal::Bool(b)) => Ok(Tree::Const(b)),
            Term::Variable(v, default) => {
                self.scope.uses[v].truth(default.as_ref());
                Ok(Tree::Truth(v, default))
            }
            _ => Err("a value stands where a condition is needed".into()),
        }
    }

    fn either(&mut self) -> Parsed<Term> {
        self.chain(&["||", "or"], Parser::both, Tree::Any)
    }

    fn both(&mut self) -> Parsed<Term> {
        self.chain(&["&&", "and"], Parser::comparison, Tree::All)
    }

    fn chain(
        &mut self,
        ops: &[&str],
        part: fn(&mut Self) -> Parsed<Term>,
        make: fn(Vec<Tree>) -> Tree,
    ) -> Parsed<Term> {
        let first = part(self)?;
        if !self.is(ops) {
            return Ok(first);
        }
        let mut parts = vec![self.truth(first)?];
        while self.take(ops) {
            let next = part(self)?;
            parts.push(self.truth(next)?);
        }
        Ok(Term::Tree(make(parts)))
    }

    fn comparison(&mut self) -> Parsed<Term> {
        let left = self.unary()?;
        let op = match self.tokens.get(self.at) {
            Some(Token::Symbol(s)) => operator(s),
            Some(Token::Word(w)) => operator(w),
            _ => None,
        };
        let Some(op) = op else { return Ok(left) };
        self.at += 1;
        let right = self.unary()?;
        match (left, right) {
            (left, Term::Literal(l)) => self.compare(left, op, l),
            (Term::Literal(l), right) => self.compare(right, swapped(op), l),
            _ => Err("one side of a comparison is a literal".into()),
        }
    }

    fn compare(&mut self, term: Term, op: CompareOp, with: Literal) -> Parsed<Term> {
        let whole = |n: f64| match n.fract() == 0.0 && n.abs() < 1e9 {
            true => Ok(n as i64),
            false => Err("a whole number below 1000000000 is needed"),
        };
        let ordered = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        let tree = match (term, with) {
            (Term::Variable(v, default), with) => {
                if ordered && !matches!(with, Literal::Number(_)) {
                    return Err("only numbers have an order".into());
                }
                self.scope.uses[v].compare(default.as_ref(), ordered, &with);
                Tree::Compare(v, default, op, with)
            }
            (Term::Counter(less), Literal::Number(n)) => match whole(n)? + less {
                far if far > MOST_VALUES as i64 => return Err(format!("counters are followed up to {MOST_VALUES}")),
                value => Tree::Count(op, value),
            },
            (Term::Count(select), Literal::Number(n)) => Tree::Query(select, op, whole(n)?),
            (Term::Tree(tree), Literal::Bool(b)) if !ordered => {
                if b == (op == CompareOp::Eq) {
                    tree
                } else {
                    Tree::Not(Box::new(tree))
                }
            }
            (Term::Literal(a), b) if !ordered => Tree::Const((a == b) == (op == CompareOp::Eq)),
            _ => return Err("such values are not compared".into()),
        };
        Ok(Term::Tree(tree))
    }

    fn unary(&mut self) -> Parsed<Term> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("it is nested too deep".into());
        }
        let term = if self.take(&["!", "not"]) {
            let inner = self.unary()?;
            Term::Tree(Tree::Not(Box::new(self.truth(inner)?)))
        } else if self.take(&["empty"]) {
            match self.unary()? {
                Term::Variable(v, _) => {
                    self.scope.uses[v].null = true;
                    Term::Tree(Tree::Empty(v))
                }
                _ => return Err("'empty' is asked of variables".into()),
            }
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(term)
    }

    fn primary(&mut self) -> Parsed<Term> {
        if self.take(&["("]) {
            let inner = self.either()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(literal) = self.literal() {
            return Ok(Term::Literal(literal));
        }
        let Some(Token::Word(word)) = self.tokens.get(self.at).cloned() else {
            let found = self.tokens.get(self.at).map_or("the end".to_string(), show);
            return Err(format!("{found} is not expected"));
        };
        self.at += 1;
        if self.take(&[":"]) {
            return self.function(&word);
        }
        match word.as_str() {
            "planItemInstances" if self.is(&["."]) => self.query(),
            "task" | "stage" if self.called(&["index"]) => match self.scope.counter {
                Some(_) => Ok(Term::Counter(1)),
                None => Err("only the rules of an item that repeats know its index".into()),
            },
            "caseInstance" | "caseExecution" | "planItemInstance" | "execution" | "task"
                if self.called(&["getVariable", "hasVariable"]) =>
            {
                self.variable_call()
            }
            _ if self.scope.counter == Some(word.as_str()) && !self.is(&[".", "[", "("]) => Ok(Term::Counter(0)),
            _ => {
                let path = self.path(word)?;
                Ok(Term::Variable(self.scope.variable(path), None))
            }
        }
    }

    /// Does one of these names follow a dot?
    fn called(&mut self, names: &[&str]) -> bool {
        let next = (self.tokens.get(self.at), self.tokens.get(self.at + 1));
        let found = matches!(next, (Some(Token::Symbol(".")), Some(Token::Word(w))) if names.contains(&w.as_str()));
        self.at += usize::from(found);
        // `index` needs no arguments; the calls keep their name for `variable_call`.
        if found && names == ["index"] {
            self.at += 1;
        }
        found
    }

    fn literal(&mut self) -> Option<Literal> {
        let negative = self.is(&["-"]);
        let token = self.tokens.get(self.at + usize::from(negative))?;
        let literal = match token {
            Token::Number(n) => Literal::Number(if negative { -n } else { *n }),
            _ if negative => return None,
            Token::Text(t) => Literal::Text(t.clone()),
            Token::Word(w) => match w.as_str() {
                "true" => Literal::Bool(true),
                "false" => Literal::Bool(false),
                "null" => Literal::Null,
                _ => return None,
            },
            Token::Symbol(_) => return None,
        };
        self.at += 1 + usize::from(negative);
        Some(literal)
    }

    /// `a.b[0].c` after its first name; a call is not understood.
    fn path(&mut self, first: String) -> Parsed<String> {
        let mut path = first;
        loop {
            if self.take(&["."]) {
                let Some(Token::Word(word)) = self.tokens.get(self.at) else { return Err("a name is missing".into()) };
                path = format!("{path}.{word}");
                self.at += 1;
            } else if self.take(&["["]) {
                let inside = match self.literal() {
                    Some(Literal::Number(n)) => n.to_string(),
                    Some(Literal::Text(t)) => t,
                    _ => return Err("only constants can stand in brackets".into()),
                };
                path = format!("{path}[{inside}]");
                self.expect("]")?;
            } else if self.is(&["("]) {
                return Err(format!("the call of '{path}' is not known"));
            } else {
                return Ok(path);
            }
        }
    }

    /// `caseInstance.getVariable('x')`, from the name of the call on.
    fn variable_call(&mut self) -> Parsed<Term> {
        let has = self.take(&["hasVariable"]);
        self.at += usize::from(!has);
        self.expect("(")?;
        let Some(Literal::Text(name)) = self.literal() else { return Err("a variable's name is missing".into()) };
        self.expect(")")?;
        if has {
            let v = self.scope.variable(name);
            self.scope.uses[v].null = true;
            return Ok(Term::Tree(Tree::Not(Box::new(Tree::Null(v)))));
        }
        let path = self.path(name)?;
        Ok(Term::Variable(self.scope.variable(path), None))
    }

    /// `vars:get(x)` and the like, after the colon.
    fn function(&mut self, prefix: &str) -> Parsed<Term> {
        let Some(Token::Word(name)) = self.tokens.get(self.at).cloned() else {
            return Err("a function is missing".into());
        };
        self.at += 1;
        self.expect("(")?;
        match (prefix, name.as_str()) {
            ("cmmn", "isStageCompletable") => {
                self.expect(")")?;
                Ok(Term::Tree(Tree::Completable))
            }
            ("cmmn", "isPlanItemCompleted") => {
                let ids = self.texts()?;
                Ok(Term::Tree(Tree::Done(Select { ids: Some(ids), ..Select::default() })))
            }
            ("var" | "vars" | "variables", _) => self.variable_function(&name),
            _ => Err(format!("the function '{prefix}:{name}' is not known")),
        }
    }

    fn variable_function(&mut self, name: &str) -> Parsed<Term> {
        let variable = match (self.literal(), self.tokens.get(self.at).cloned()) {
            (Some(Literal::Text(t)), _) => t,
            (None, Some(Token::Word(w))) => {
                self.at += 1;
                self.path(w)?
            }
            _ => return Err("a variable's name is missing".into()),
        };
        let v = self.scope.variable(variable);
        let given = if self.take(&[","]) { Some(self.literal().ok_or("a literal is missing")?) } else { None };
        self.expect(")")?;
        let op = match name {
            "eq" | "equals" => Some(CompareOp::Eq),
            "ne" | "notEquals" => Some(CompareOp::Ne),
            "lt" | "lessThan" | "lowerThan" => Some(CompareOp::Lt),
            "lte" | "lessThanOrEquals" | "lowerThanOrEquals" => Some(CompareOp::Le),
            "gt" | "greaterThan" => Some(CompareOp::Gt),
            "gte" | "greaterThanOrEquals" => Some(CompareOp::Ge),
            _ => None,
        };
        match (name, op, given) {
            (_, Some(op), Some(with)) => self.compare(Term::Variable(v, None), op, with),
            ("get", _, None) => Ok(Term::Variable(v, None)),
            ("getOrDefault", _, Some(default)) => Ok(Term::Variable(v, Some(default))),
            ("exists" | "exist" | "isEmpty" | "empty" | "isNotEmpty" | "notEmpty", _, None) => {
                self.scope.uses[v].null = true;
                let tree = if name.starts_with("exist") { Tree::Null(v) } else { Tree::Empty(v) };
                let is = matches!(name, "isEmpty" | "empty");
                Ok(Term::Tree(if is { tree } else { Tree::Not(Box::new(tree)) }))
            }
            _ => Err(format!("the function 'variables:{name}' is not known")),
        }
    }

    /// `planItemInstances.definitionId('x').active().count()`, after the first word.
    fn query(&mut self) -> Parsed<Term> {
        let mut select = Select::default();
        while self.take(&["."]) {
            let Some(Token::Word(call)) = self.tokens.get(self.at).cloned() else {
                return Err("a call is missing".into());
            };
            self.at += 1;
            self.expect("(")?;
            let texts = self.texts()?;
            match call.as_str() {
                "count" => return Ok(Term::Count(select)),
                "exists" => return Ok(Term::Tree(Tree::Query(select, CompareOp::Gt, 0))),
                call if select.narrow(call, texts) => {}
                _ => return Err(format!("the call '{call}' is not known")),
            }
        }
        Err("a count is missing".into())
    }

    /// Texts up to the closing parenthesis.
    fn texts(&mut self) -> Parsed<Vec<String>> {
        let mut texts = Vec::new();
        while !self.take(&[")"]) {
            match self.literal() {
                Some(Literal::Text(t)) => texts.push(t),
                _ => return Err("a text is missing".into()),
            }
            self.take(&[","]);
        }
        Ok(texts)
    }
}

fn operator(text: &str) -> Option<CompareOp> {
    Some(match text {
        "==" | "eq" => CompareOp::Eq,
        "!=" | "ne" => CompareOp::Ne,
        "<" | "lt" => CompareOp::Lt,
        "<=" | "le" => CompareOp::Le,
        ">" | "gt" => CompareOp::Gt,
        ">=" | "ge" => CompareOp::Ge,
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
