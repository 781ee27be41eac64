//! Conditions written out again, in the notation or as JEXL.

use super::names::{self, plain, quoted};
use crate::lang::gsm::resolve::names::{Found, find_attr, find_milestone, find_stage};
use crate::lang::gsm::{
    Application, ArtifactType, AttrIx, Expr, ExprKind, MilestoneIs, MilestoneIx, Over, StageIs, StageIx, Subject,
    TypeIx,
};
use crate::lang::syntax::Level;
use crate::machine::ArithOp;

/// How conditions are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `+m && days > 3`
    Notation,
    /// `GSM.milestoneAchievedOnEvent('m') && days > 3`
    Jexl,
}

/// Writes the conditions of one type.
pub struct Printer<'a> {
    /// The application.
    pub app: &'a Application,
    /// The type.
    pub ty: TypeIx,
    /// How.
    pub spelling: Spelling,
}

/// Variables in scope, by number.
type Bound = Vec<(u32, String)>;

impl Printer<'_> {
    /// A whole condition.
    pub fn condition(&self, e: &Expr) -> String {
        self.print(e, Level::LOWEST, &mut Vec::new())
    }

    fn own(&self) -> &ArtifactType {
        &self.app.types[self.ty]
    }

    fn print(&self, e: &Expr, min: Level, bound: &mut Bound) -> String {
        let (level, text) = self.written(e, bound);
        if level < min { format!("({text})") } else { text }
    }

    fn list(&self, parts: &[Expr], sign: &str, level: Level, bound: &mut Bound) -> (Level, String) {
        let inner = level.tighter();
        let texts: Vec<String> = parts.iter().map(|p| self.print(p, inner, bound)).collect();
        (level, texts.join(sign))
    }

    fn two(&self, (a, la): (&Expr, Level), sign: &str, (b, lb): (&Expr, Level), bound: &mut Bound) -> String {
        format!("{} {sign} {}", self.print(a, la, bound), self.print(b, lb, bound))
    }

    fn written(&self, e: &Expr, bound: &mut Bound) -> (Level, String) {
        if let Some(text) = self.all_related(e, bound) {
            return (Level::OPERAND, text);
        }
        match &e.kind {
            ExprKind::Not(a) => (Level::PREFIX, format!("!{}", self.print(a, Level::OPERAND, bound))),
            ExprKind::And(parts) => self.list(parts, " && ", Level::AND, bound),
            ExprKind::Or(parts) => self.list(parts, " || ", Level::OR, bound),
            ExprKind::Implies(a, b) => {
                (Level::IMPLIES, self.two((a, Level::XOR), "implies", (b, Level::IMPLIES), bound))
            }
            ExprKind::Iff(a, b) => (Level::IFF, self.two((a, Level::IFF), "<->", (b, Level::IMPLIES), bound)),
            ExprKind::Compare(op, a, b) => {
                (Level::COMPARE, self.two((a, Level::SUM), op.symbol(), (b, Level::SUM), bound))
            }
            ExprKind::Arith(op, a, b) => {
                let level = if matches!(op, ArithOp::Add | ArithOp::Sub) { Level::SUM } else { Level::PRODUCT };
                (level, self.two((a, level), op.symbol(), (b, level.tighter()), bound))
            }
            _ => (Level::OPERAND, self.atom(e, bound)),
        }
    }

    fn atom(&self, e: &Expr, bound: &mut Bound) -> String {
        match &e.kind {
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Decimal(d) => d.to_string(),
            ExprKind::Text(text) => quoted(text),
            ExprKind::Attr { of: Subject::Element, ty, attr } => self.field(*ty, *attr),
            ExprKind::Attr { of, ty, attr } => self.attribute(*of, *ty, &self.app.types[*ty].attrs[*attr].path, bound),
            ExprKind::Stage { of, ty, stage, is } => self.stage(*of, *ty, *stage, *is, bound),
            ExprKind::Milestone { of, ty, milestone, is } => self.milestone(*of, *ty, *milestone, *is, bound),
            ExprKind::Occurring(event) => self.asked("occurs", "isEventOccurring", &self.app.events[*event].id),
            ExprKind::TaskCompleted(task) => self.asked("done", "hasTaskCompleted", &self.own().tasks[*task].id),
            ExprKind::Quant { exists, var, ty, over, body } => self.quantified(*exists, *var, *ty, *over, body, bound),
            ExprKind::Count { ty, over, which } => {
                let set = self.set(*ty, *over, bound);
                match which {
                    None => format!("{set}->size()"),
                    Some((var, body)) => {
                        let (name, body) = self.of_each(*var, body, bound);
                        format!("{set}->select({name} | {body})->size()")
                    }
                }
            }
            ExprKind::Tally { of, ty, bag, which } => {
                let path = self.attribute(*of, *ty, &self.app.types[*ty].bags[*bag].path, bound);
                match which {
                    Some(which) => format!("{path}.count({})", self.print(which, Level::LOWEST, bound)),
                    None => format!("{path}.size()"),
                }
            }
            // These stand in agents files and properties only, which are kept as text.
            ExprKind::SelfId => "$$".to_string(),
            ExprKind::Field(name) => name.clone(),
            ExprKind::Overflow => "overflow".to_string(),
            ExprKind::Created { .. } | ExprKind::Id { .. } | ExprKind::Private { .. } => "true".to_string(),
            _ => format!("({})", self.print(e, Level::LOWEST, bound)),
        }
    }

    /// `word(name)` in the notation, `GSM.operator('name')` in JEXL.
    fn asked(&self, word: &str, operator: &str, name: &str) -> String {
        match self.spelling {
            Spelling::Notation => format!("{word}({})", names::name(name)),
            Spelling::Jexl => format!("GSM.{operator}({})", quoted(name)),
        }
    }

    /// A field of an element of a bag.
    fn field(&self, ty: TypeIx, attr: AttrIx) -> String {
        let t = &self.app.types[ty];
        let path = &t.attrs[attr].path;
        let bag = t.bags.iter().find(|b| b.fields.contains(&attr)).map_or("", |b| b.path.as_str());
        let field = path.strip_prefix(bag).and_then(|f| f.strip_prefix('.'));
        field.map_or("self".into(), |f| f.split('.').map(names::name).collect::<Vec<_>>().join("."))
    }

    fn variable(&self, of: Subject, bound: &Bound) -> Option<String> {
        let Subject::Bound(var) = of else { return None };
        bound.iter().rev().find(|(v, _)| *v == var).map(|(_, name)| name.clone())
    }

    fn attribute(&self, of: Subject, ty: TypeIx, path: &str, bound: &Bound) -> String {
        let steps: Vec<&str> = path.split('.').collect();
        let joined = steps.iter().map(|s| names::name(s)).collect::<Vec<_>>().join(".");
        if let Some(x) = self.variable(of, bound) {
            return format!("{x}.{joined}");
        }
        let t = &self.app.types[ty];
        let taken = find_stage(t, path) != Found::Nothing || find_milestone(t, path) != Found::Nothing;
        let hidden = bound.iter().any(|(_, name)| steps.first() == Some(&name.as_str()));
        let simple = steps.first().is_some_and(|s| plain(s)) && !hidden;
        match self.spelling {
            Spelling::Notation if simple && !taken => joined,
            Spelling::Notation => format!("self.{joined}"),
            Spelling::Jexl if simple => joined,
            Spelling::Jexl => format!("this.{joined}"),
        }
    }

    fn stage(&self, of: Subject, ty: TypeIx, stage: StageIx, is: StageIs, bound: &Bound) -> String {
        let t = &self.app.types[ty];
        let id = &t.stages[stage].id;
        let (sign, operator) = match is {
            StageIs::Active => (Some(""), "isStageActive"),
            StageIs::Opened => (Some("+"), "stageActivatedOnEvent"),
            StageIs::Closed => (Some("-"), "stageClosedOnEvent"),
            StageIs::Completed => (None, "isStageCompleted"),
            StageIs::OutOfOrder => (None, "outOfOrder"),
            StageIs::Skipped => (None, "skipped"),
            StageIs::Faulty => (None, "faulty"),
        };
        let alone = find_milestone(t, id) == Found::Nothing;
        if is == StageIs::Completed && of == Subject::This && self.spelling == Spelling::Notation {
            return format!("completed({})", names::name(id));
        }
        self.status(of, t, ("stage", id), sign.map(|s| (s, alone)), operator, bound)
    }

    fn milestone(&self, of: Subject, ty: TypeIx, milestone: MilestoneIx, is: MilestoneIs, bound: &Bound) -> String {
        let t = &self.app.types[ty];
        let id = &t.milestones[milestone].id;
        let (sign, operator) = match is {
            MilestoneIs::Achieved => ("", "isMilestoneAchieved"),
            MilestoneIs::JustAchieved => ("+", "milestoneAchievedOnEvent"),
            MilestoneIs::JustInvalidated => ("-", "milestoneInvalidatedOnEvent"),
        };
        let alone = find_stage(t, id) == Found::Nothing;
        self.status(of, t, ("milestone", id), Some((sign, alone)), operator, bound)
    }

    /// A status by its sign and name where that is clear, by the word `stage` or `milestone` where not, by its operator otherwise.
    fn status(
        &self,
        of: Subject,
        t: &ArtifactType,
        (word, id): (&str, &str),
        signed: Option<(&str, bool)>,
        operator: &str,
        bound: &Bound,
    ) -> String {
        let x = self.variable(of, bound);
        let (Spelling::Notation, Some((sign, alone))) = (self.spelling, signed) else {
            let whose = x.unwrap_or_else(|| "GSM".to_string());
            return format!("{whose}.{operator}({})", quoted(id));
        };
        let alone = alone && (!sign.is_empty() || find_attr(t, id) == Found::Nothing);
        match x {
            Some(x) if alone && plain(id) => format!("{sign}{x}.{id}"),
            Some(x) => format!("{x}.{operator}({})", quoted(id)),
            None if alone && plain(id) && !bound.iter().any(|(_, name)| name == id) => format!("{sign}{id}"),
            None => format!("{sign}{word} {}", names::name(id)),
        }
    }

    fn set(&self, ty: TypeIx, over: Over, bound: &Bound) -> String {
        let id = &self.app.types[ty].id;
        let word = if plain(id) { id.clone() } else { quoted(id) };
        match over {
            Over::RelatedTo { var, .. } => {
                let name = bound.iter().rev().find(|(v, _)| *v == var).map_or("", |(_, name)| name.as_str());
                format!("{name}.{word}")
            }
            Over::Related if plain(id) => word,
            Over::Created if plain(id) => format!("{word}.allInstances()"),
            Over::Related => format!("this.{word}"),
            Over::Created => format!("this.{word}.allInstances()"),
        }
    }

    /// What a variable is called, and what is asked of it.
    fn of_each(&self, var: u32, body: &Expr, bound: &mut Bound) -> (String, String) {
        let name = self.fresh(bound);
        bound.push((var, name.clone()));
        let body = self.print(body, Level::LOWEST, bound);
        bound.pop();
        (name, body)
    }

    fn quantified(&self, exists: bool, var: u32, ty: TypeIx, over: Over, body: &Expr, bound: &mut Bound) -> String {
        if exists && matches!(body.kind, ExprKind::Bool(true)) {
            return format!("{}->notEmpty()", self.set(ty, over, bound));
        }
        if exists
            && over == Over::Related
            && let Some(text) = self.some_related(false, var, ty, over, body, bound)
        {
            return text;
        }
        let set = self.set(ty, over, bound);
        let (name, body) = self.of_each(var, body, bound);
        format!("{set}->{}({name} | {body})", if exists { "exists" } else { "forAll" })
    }

    /// A variable that nothing else is called.
    fn fresh(&self, bound: &Bound) -> String {
        let taken = |name: &str| {
            let in_type = |t: &ArtifactType| {
                t.id == name
                    || t.name == name
                    || t.attrs.iter().any(|a| a.path.split('.').next() == Some(name))
                    || find_stage(t, name) != Found::Nothing
                    || find_milestone(t, name) != Found::Nothing
            };
            bound.iter().any(|(_, b)| b == name) || self.app.types.iter().any(in_type)
        };
        let mut names = ["x", "y", "z"].map(String::from).into_iter().chain((1..).map(|n| format!("x{n}")));
        names.find(|n| !taken(n)).unwrap_or_default()
    }

    /// `some R.m`, `all R.m`, or the operator that says it.
    fn some_related(&self, all: bool, var: u32, ty: TypeIx, over: Over, body: &Expr, bound: &Bound) -> Option<String> {
        let t = &self.app.types[ty];
        let me = Subject::Bound(var);
        let (id, sign, alone, operator) = match &body.kind {
            ExprKind::Stage { of, stage, is, .. } if *of == me => {
                let id = &t.stages[*stage].id;
                let (sign, operator) = match is {
                    StageIs::Active if all => ("", None),
                    StageIs::Active => ("", Some("isRelatedArtifactStageActive")),
                    StageIs::Opened => ("+", None),
                    StageIs::Closed => ("-", None),
                    _ => return None,
                };
                (id, sign, find_milestone(t, id) == Found::Nothing, operator)
            }
            ExprKind::Milestone { of, milestone, is, .. } if *of == me => {
                let id = &t.milestones[*milestone].id;
                let (sign, operator) = match is {
                    MilestoneIs::Achieved if all => ("", Some("hasGroupOfAllRelatedArtifactsMilestoneBeenAchieved")),
                    MilestoneIs::Achieved => ("", Some("hasRelatedArtifactMilestoneBeenAchieved")),
                    MilestoneIs::JustAchieved if all => ("+", None),
                    MilestoneIs::JustAchieved => ("+", Some("RelatedArtifactMilestoneAchievedOnEvent")),
                    MilestoneIs::JustInvalidated => ("-", None),
                };
                (id, sign, find_stage(t, id) == Found::Nothing, operator)
            }
            _ => return None,
        };
        let subject = match over {
            Over::RelatedTo { var, .. } => Some(self.variable(Subject::Bound(var), bound)?),
            Over::Related => None,
            Over::Created => return None,
        };
        if self.spelling == Spelling::Notation && alone {
            let whose = subject.map_or(String::new(), |x| format!("{x}."));
            let word = if all { "all" } else { "some" };
            return Some(format!("{whose}{word} {sign}{}.{}", names::name(&t.id), names::name(id)));
        }
        let whose = subject.unwrap_or_else(|| "GSM".to_string());
        operator.map(|operator| format!("{whose}.{operator}({}, {})", quoted(&t.id), quoted(id)))
    }

    /// "There is one, and all have it", as one question.
    fn all_related(&self, e: &Expr, bound: &Bound) -> Option<String> {
        let ExprKind::And(parts) = &e.kind else { return None };
        let [any, all] = parts.as_slice() else { return None };
        let ExprKind::Quant { exists: true, ty: first, over: among, body: truth, .. } = &any.kind else { return None };
        let ExprKind::Quant { exists: false, var, ty, over, body } = &all.kind else { return None };
        let same = matches!(truth.kind, ExprKind::Bool(true)) && first == ty && among == over;
        if same { self.some_related(true, *var, *ty, *over, body, bound) } else { None }
    }
}
