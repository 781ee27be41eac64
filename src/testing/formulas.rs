//! Random property files: CTL, knowledge, linear time, strategies, fixpoints, patterns, fairness.

use super::agents::{Agent, range_of};
use super::sentries::compare;
use super::sketch::{Kind, Sketch, Type};
use super::{Choices, Limits};
use crate::lang::gsm::AUTO_AGENT;

/// Draws a property file.
pub(super) fn properties(c: &mut Choices, limits: &Limits, sketch: &Sketch, agents: &[Agent]) -> String {
    let mut pen = Pen { c, limits, sketch, agents, bound: Vec::new(), fixed: Vec::new(), drawn: 0 };
    let mut out = String::new();
    for i in 0..limits.properties {
        let fair = limits.fairness && pen.c.chance(15);
        if fair {
            out.push_str(&format!("@fair {}\n", pen.closed(1)));
        }
        if pen.c.chance(20) {
            out.push_str("@expect false\n");
        }
        if pen.c.chance(50) {
            out.push_str(&format!("q{i}: "));
        }
        out.push_str(&pen.property(fair));
        out.push_str(";\n");
    }
    out
}

struct Pen<'a> {
    c: &'a mut Choices,
    limits: &'a Limits,
    sketch: &'a Sketch,
    agents: &'a [Agent],
    /// Quantified variables in scope, with their types.
    bound: Vec<(String, usize)>,
    /// Fixpoint variables in scope.
    fixed: Vec<String>,
    /// Fixpoints drawn so far; each variable is bound once.
    drawn: usize,
}

/// Most fixpoints inside each other.
const NESTED: usize = 3;

impl<'a> Pen<'a> {
    fn property(&mut self, fair: bool) -> String {
        let depth = 1 + self.c.below(2);
        match self.c.below(12) {
            10 | 11 if self.limits.fixpoints && !fair => {
                let around = self.c.one_of(["", "", "!", "AG ", "EF "]);
                format!("{around}{}", self.fixpoint(depth + 2))
            }
            0..2 => self.pattern(),
            2..4 if self.limits.linear => format!("LTL {}", self.linear(depth + 1)),
            _ => self.temporal(depth + 1),
        }
    }

    fn pattern(&mut self) -> String {
        let name = self.c.one_of(["never", "always", "reachable"]);
        let two = self.c.one_of(["response", "possible_response", "precedence", "absence_after"]);
        let p = self.closed(1);
        if self.c.chance(50) { format!("{two}({p}, {})", self.closed(1)) } else { format!("{name}({p})") }
    }

    /// Branching time, knowledge and strategies.
    fn temporal(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.state(1);
        }
        let a = self.temporal(depth - 1);
        match self.c.below(16) {
            0..2 => self.state(1),
            2 => format!("!({a})"),
            3 => format!("(({a}) {} ({}))", self.c.one_of(["&&", "||", "->", "<->"]), self.temporal(depth - 1)),
            4..10 => format!("{} ({a})", self.c.one_of(["AG", "EF", "AF", "EG", "AX", "EX"])),
            10 => {
                let until = self.c.one_of(["U", "UNTIL"]);
                format!("{}(({a}) {until} ({}))", self.c.one_of(["A", "E"]), self.temporal(depth - 1))
            }
            11 => self.quantified(|pen| pen.temporal(depth - 1)),
            12 | 13 if self.limits.knowledge => self.know(a),
            14 | 15 if self.limits.strategies => {
                let group = self.group().join(",");
                match self.c.below(4) {
                    0 => format!("<<{group}>> F ({a})"),
                    1 => format!("<<{group}>> G ({a})"),
                    2 => format!("<<{group}>> X ({a})"),
                    _ => format!("<<{group}>> (({a}) U ({}))", self.temporal(depth - 1)),
                }
            }
            _ => a,
        }
    }

    /// A fixpoint, others inside: least and greatest ones as they come.
    fn fixpoint(&mut self, depth: usize) -> String {
        let (kind, dot) = (self.c.one_of(["mu", "nu"]), self.c.one_of([". ", ".", " . "]));
        let name = ["Z", "Y", "V"].get(self.drawn).map_or_else(|| format!("Z{}", self.drawn), |v| v.to_string());
        self.drawn += 1;
        self.fixed.push(name.clone());
        let body = self.monotone(depth);
        self.fixed.pop();
        format!("{kind} {name}{dot}({body})")
    }

    /// Something that can only grow with the fixpoint variables around it.
    fn monotone(&mut self, depth: usize) -> String {
        if depth == 0 {
            let var = self.c.pick(&self.fixed).cloned();
            return var.filter(|_| self.c.chance(70)).unwrap_or_else(|| self.state(1));
        }
        let a = self.monotone(depth - 1);
        match self.c.below(12) {
            0..4 => format!("{} ({a})", self.c.one_of(["EX", "AX"])),
            4..7 => format!("(({a}) {} ({}))", self.c.one_of(["&&", "||"]), self.monotone(depth - 1)),
            7 => format!("({} -> ({a}))", self.state(0)),
            8 if self.fixed.len() < NESTED => self.fixpoint(depth - 1),
            9 if self.limits.knowledge => self.know(a),
            10 => self.quantified(|pen| pen.monotone(depth - 1)),
            11 => format!("!{} (!({a}))", self.c.one_of(["EX", "AX", "AG", "EF"])),
            _ => format!("({a} || {})", self.state(0)),
        }
    }

    fn know(&mut self, a: String) -> String {
        match self.c.below(5) {
            0..2 => format!("K({}, {a})", self.agent()),
            n => format!("{}({{{}}}, {a})", ["EK", "CK", "DK"][n - 2], self.group().join(",")),
        }
    }

    fn linear(&mut self, depth: usize) -> String {
        if depth == 0 {
            let state = self.state(1);
            let knows = self.limits.knowledge && self.c.chance(10);
            return if knows { self.know(state) } else { state };
        }
        let a = self.linear(depth - 1);
        match self.c.below(10) {
            0..4 => format!("{} ({a})", self.c.one_of(["G", "F", "[]", "<>"])),
            4 => format!("X ({a})"),
            5 | 6 => format!("(({a}) {} ({}))", self.c.one_of(["U", "W", "R"]), self.linear(depth - 1)),
            7 => format!("!({a})"),
            8 => format!("(({a}) {} ({}))", self.c.one_of(["&&", "||", "->"]), self.linear(depth - 1)),
            _ => self.quantified(|pen| pen.linear(depth - 1)),
        }
    }

    fn agent(&mut self) -> String {
        let names: Vec<&str> = self.agents.iter().map(|a| a.name.as_str()).collect();
        if names.is_empty() || self.c.chance(5) {
            return AUTO_AGENT.to_string();
        }
        self.c.pick(&names).map_or(String::new(), |n| n.to_string())
    }

    fn group(&mut self) -> Vec<String> {
        let names: Vec<String> = self.agents.iter().map(|a| a.name.clone()).collect();
        let drawn = self.c.some_of(&names, 60);
        if drawn.is_empty() { vec![self.agent()] } else { drawn }
    }

    /// `forall x : T (…)` with something about x inside.
    fn quantified(&mut self, body: impl FnOnce(&mut Self) -> String) -> String {
        let ty = self.c.below(self.sketch.types.len());
        let var =
            ["x", "y", "z"].get(self.bound.len()).map_or_else(|| format!("v{}", self.bound.len()), |v| v.to_string());
        let quantifier = self.c.one_of(["exists", "forall"]);
        self.bound.push((var.clone(), ty));
        let body = body(self);
        self.bound.pop();
        format!("{quantifier} {var} : {} ({body})", self.sketch.types[ty].id)
    }

    /// A statement about one snapshot that stands alone.
    fn closed(&mut self, depth: usize) -> String {
        let outside = std::mem::take(&mut self.bound);
        let text = self.state(depth);
        self.bound = outside;
        text
    }

    fn state(&mut self, depth: usize) -> String {
        let a = self.atom();
        if depth == 0 {
            return a;
        }
        match self.c.below(6) {
            0..3 => a,
            3 => format!("!({a})"),
            _ => format!("({a} {} {})", self.c.one_of(["&&", "||", "->"]), self.state(depth - 1)),
        }
    }

    fn atom(&mut self) -> String {
        if let Some((var, ty)) = self.c.pick(&self.bound).cloned()
            && !self.c.chance(15)
        {
            return self.pair(&var, ty).unwrap_or_else(|| self.member(&var, ty));
        }
        match self.c.below(10) {
            0..4 if self.bound.len() < 2 => self.quantified(|pen| pen.state(0)),
            0..4 => "overflow".to_string(),
            4..7 => {
                let t = self.some_type();
                let stage = self.c.pick(&t.stages).map_or("", |s| s.id.as_str());
                let milestones = t.milestones();
                match self.c.pick(&milestones) {
                    Some(m) if self.c.chance(60) => format!("GSM.isMilestoneAchieved('{}','{m}')", t.id),
                    _ => {
                        let operator = self.c.one_of(["isStageActive", "isStageCompleted"]);
                        format!("GSM.{operator}('{}','{stage}')", t.id)
                    }
                }
            }
            7 => self.private().unwrap_or_else(|| "true".to_string()),
            8 => {
                let t = self.some_type();
                let data = self.c.pick(&t.attrs).and_then(|a| compare(self.c, &a.name, &a.kind, a.bounds()));
                data.unwrap_or_else(|| "false".to_string())
            }
            _ => self.c.one_of(["overflow", "!overflow", "true"]).to_string(),
        }
    }

    fn some_type(&mut self) -> &'a Type {
        &self.sketch.types[self.c.below(self.sketch.types.len())]
    }

    fn private(&mut self) -> Option<String> {
        let agent = self.c.pick(self.agents)?;
        let (var, kind) = self.c.pick(&agent.vars)?;
        compare(self.c, &format!("{}.{var}", agent.name), kind, range_of(var))
    }

    /// Sometimes: whether an instance is another one, or refers to it.
    fn pair(&mut self, var: &str, ty: usize) -> Option<String> {
        let refers = self.sketch.types[ty].attrs.iter().find_map(|a| match a.kind {
            Kind::Reference(to) => Some((a.name.as_str(), to)),
            _ => None,
        });
        let others: Vec<(String, Option<&str>)> = self
            .bound
            .iter()
            .filter(|(other, _)| other != var)
            .filter_map(|(other, of)| {
                let path = refers.filter(|(_, to)| to == of).map(|(path, _)| path);
                (path.is_some() || *of == ty).then(|| (other.clone(), path))
            })
            .collect();
        if others.is_empty() || self.c.chance(70) {
            return None;
        }
        let (other, path) = self.c.pick(&others)?;
        let left = path.map_or(var.to_string(), |path| format!("{var}.{path}"));
        Some(format!("{left} {} {other}", self.c.one_of(["!=", "=="])))
    }

    /// Something about an instance.
    fn member(&mut self, var: &str, ty: usize) -> String {
        let t = &self.sketch.types[ty];
        let milestones = t.milestones();
        match self.c.below(8) {
            0..3 => self.c.pick(&t.stages).map_or(String::new(), |s| format!("{var}.{}", quoted(&s.id))),
            3..5 if !milestones.is_empty() => format!("{var}.{}", milestones[self.c.below(milestones.len())]),
            5 => format!("{var}.created"),
            _ => {
                let data = self.c.pick(&t.attrs).filter(|a| a.kind != Kind::Date);
                let data = data.and_then(|a| compare(self.c, &format!("{var}.{}", a.name), &a.kind, a.bounds()));
                data.unwrap_or_else(|| format!("{var}.created"))
            }
        }
    }
}

/// A name as it may stand in a path.
fn quoted(id: &str) -> String {
    if id.chars().all(char::is_alphanumeric) { id.to_string() } else { format!("'{id}'") }
}
