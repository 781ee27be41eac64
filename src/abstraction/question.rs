//! Questions to the solver: which truth values can come out of a step, and for whom.
//!
//! A [`Question`] is about data alone. Its unknowns are numbered in the order they appear, so that questions that differ in slots,
//! agents or statuses only are the same question, and are asked once.

use super::linear::{Atom, Leaf, Linear};
use super::paths::Post;
use super::system::Wide;
use super::way::{Way, any, in_range, symbol};
use crate::machine::VarId;
use crate::smt::{Limits, Oracle, Recipe, Sat, SmtError, Sort, Symbol, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Duration;

/// Which outcomes does each concrete snapshot have?
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Unknowns with their ranges.
    unknowns: Vec<Wide>,
    /// What is given of them.
    given: Vec<(Atom, bool)>,
    /// The ways.
    ways: Vec<Way>,
}

/// An outcome: the finite part, and predicates after.
pub type Outcome = (usize, Vec<bool>);

/// The outcomes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What can come out at all.
    pub outcomes: Vec<Outcome>,
    /// The smallest sets among those of the concrete snapshots, as positions in `outcomes`.
    pub family: Vec<Vec<usize>>,
    /// The solver knew everything.
    pub sure: bool,
}

/// A solver that remembers.
pub struct Asker {
    oracle: Oracle,
    answers: FxHashMap<Question, Answer>,
    /// Whether something speaks against an edge for a view, by the text of the question.
    pub(super) edges: FxHashMap<String, Sat>,
    /// The solver did not know about some edge for a view; it was then left out.
    pub puzzled: bool,
    /// How often the solver is asked at most.
    most: u64,
}

/// What is needed to ask the same solvers in another place.
pub struct Second {
    recipe: Recipe,
    answers: FxHashMap<Question, Answer>,
    most: u64,
}

impl Second {
    /// Starts the solvers.
    ///
    /// # Errors
    /// When one does not start.
    pub fn start(self, limits: &Limits) -> Result<Asker, SmtError> {
        Ok(Asker { answers: self.answers, most: self.most, ..Asker::new(self.recipe.start(limits)?) })
    }
}

/// What somebody was told.
pub struct Told {
    answers: FxHashMap<Question, Answer>,
    calls: u64,
    time: Duration,
}

/// More truth values than this at once are not enumerated.
const MOST_OUTCOMES: usize = 2048;
/// Where the solver does not know, both truth values are possible: of at most so many atoms.
const MOST_OPEN: usize = 10;

impl Question {
    /// A question about ways, under what is known of their unknowns: `known` holds ground predicates, of which those connected to the
    /// ways matter.
    pub fn new(ways: Vec<Way>, known: &[(Atom, bool)], range: &impl Fn(VarId) -> Wide) -> Question {
        let mut names = Names { numbers: BTreeMap::new(), unknowns: Vec::new(), range };
        let ways: Vec<Way> = ways.into_iter().map(|w| names.way(w)).collect();
        // What shares an unknown with what is asked matters, and so on.
        let mut rest: Vec<&(Atom, bool)> = known.iter().collect();
        let mut given = Vec::new();
        loop {
            let before = rest.len();
            let (near, far): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(a, _)| names.touches(a));
            given.extend(near.into_iter().map(|(a, b)| (names.atom(a), *b)));
            rest = far;
            if rest.len() == before {
                break;
            }
        }
        Question { unknowns: names.unknowns, given, ways }
    }

    /// Has every concrete snapshot exactly one outcome, whatever it is?
    fn is_settled(&self) -> bool {
        matches!(self.ways.as_slice(), [way] if way.inputs.is_empty() && way.conditions.is_empty())
    }
}

struct Names<'r, R> {
    numbers: BTreeMap<VarId, u32>,
    unknowns: Vec<Wide>,
    range: &'r R,
}

impl<R: Fn(VarId) -> Wide> Names<'_, R> {
    fn touches(&self, atom: &Atom) -> bool {
        let mut found = false;
        atom.leaves(&mut |l| found |= matches!(l, Leaf::Var(v, _) if self.numbers.contains_key(v)));
        found
    }

    fn linear(&mut self, sum: &Linear) -> Linear {
        sum.map(&mut |leaf| match leaf {
            Leaf::Var(v, sort) => {
                let next = self.unknowns.len() as u32;
                let number = *self.numbers.entry(*v).or_insert(next);
                if number == next {
                    self.unknowns.push((self.range)(*v));
                }
                Linear::leaf(Leaf::Var(VarId(number), *sort))
            }
            other => Linear::leaf(other.clone()),
        })
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        Atom { sum: self.linear(&atom.sum), ..atom.clone() }
    }

    fn way(&mut self, way: Way) -> Way {
        let conditions = way.conditions.iter().map(|(a, b)| (self.atom(a), *b)).collect();
        let posts = way.posts.iter().map(|p| match p {
            Post::Known(b) => Post::Known(*b),
            Post::Ask(a, b) => Post::Ask(self.atom(a), *b),
        });
        Way { conditions, posts: posts.collect(), ..way }
    }
}

impl Asker {
    /// Asks this oracle.
    pub fn new(oracle: Oracle) -> Asker {
        Asker { oracle, answers: FxHashMap::default(), edges: FxHashMap::default(), puzzled: false, most: u64::MAX }
    }

    /// Asks so often at most.
    pub fn at_most(self, most: u64) -> Asker {
        Asker { most, ..self }
    }

    /// For another place: the same solvers, and what they have answered so far.
    pub fn second(&self) -> Second {
        Second { recipe: self.oracle.recipe(), answers: self.answers.clone(), most: self.most }
    }

    /// Ends the solvers; what they answered remains.
    pub fn ended(self) -> Told {
        let (calls, time) = self.oracle.effort();
        Told { answers: self.answers, calls, time }
    }

    /// What another one was told, and what that took.
    pub fn learn(&mut self, told: Told) {
        self.answers.extend(told.answers);
        self.oracle.add_effort(told.calls, told.time);
    }

    /// The oracle behind.
    pub fn oracle(&mut self) -> &mut Oracle {
        &mut self.oracle
    }

    /// Answers a question, from memory if it has been asked before.
    pub fn ask(&mut self, question: Question) -> Result<Answer, SmtError> {
        if let Some(known) = self.answers.get(&question) {
            return Ok(known.clone());
        }
        if self.oracle.effort().0 > self.most {
            return Err(SmtError::TooMuch(format!("more than {} questions to the solver", self.most)));
        }
        self.oracle.push();
        let answer = self.solve(&question);
        self.oracle.pop();
        let answer = answer?;
        self.answers.insert(question, answer.clone());
        Ok(answer)
    }

    /// The truth values that can come out of a question's only way, and whether the solver knew everything.
    pub fn cells(&mut self, question: Question) -> Result<(Vec<Vec<bool>>, bool), SmtError> {
        // Nothing before the step is given, and no payload sent: each cell is what some snapshots have, and all they have.
        let answer = self.ask(question)?;
        Ok((answer.outcomes.into_iter().map(|(_, truths)| truths).collect(), answer.sure))
    }

    fn solve(&mut self, q: &Question) -> Result<Answer, SmtError> {
        for (i, wide) in q.unknowns.iter().enumerate() {
            let leaf = Leaf::Var(VarId(i as u32), wide.sort);
            self.oracle.declare(&symbol(&leaf));
            in_range(&symbol(&leaf), wide).into_iter().for_each(|t| self.oracle.assert(t));
        }
        for (atom, holds) in &q.given {
            self.oracle.assert(atom.term(*holds, &symbol));
        }
        let (mut outcomes, mut sure): (BTreeMap<Outcome, Vec<usize>>, bool) = (BTreeMap::new(), true);
        for (w, way) in q.ways.iter().enumerate() {
            let (found, certain) = self.outcomes(way)?;
            sure &= certain;
            for truths in found {
                outcomes.entry((way.class, truths)).or_default().push(w);
            }
        }
        if sure && q.is_settled() && !outcomes.is_empty() {
            let family = (0..outcomes.len()).map(|o| vec![o]).collect();
            return Ok(Answer { outcomes: outcomes.into_keys().collect(), family, sure });
        }
        let conditions = outcomes.iter().map(|((_, truths), ways)| {
            let terms = ways.iter().filter_map(|w| q.ways.get(*w)).map(|way| way.condition(truths, sure));
            any(terms.collect())
        });
        let conditions: Vec<Term> = conditions.collect();
        let outcomes: Vec<Outcome> = outcomes.into_keys().collect();
        let family = if sure { self.family(&conditions)? } else { None };
        sure &= family.is_some();
        let family = match family {
            Some(family) => family,
            None => self.cautious(&conditions)?,
        };
        Ok(Answer { outcomes, family, sure })
    }

    /// The truth values that can come out of a way; all of them where the solver does not know.
    fn outcomes(&mut self, way: &Way) -> Result<(Vec<Vec<bool>>, bool), SmtError> {
        let asked: Vec<(&Atom, bool)> = way
            .posts
            .iter()
            .filter_map(|p| match p {
                Post::Ask(a, b) => Some((a, *b)),
                Post::Known(_) => None,
            })
            .collect();
        let whole = |bits: &[bool]| {
            let mut bits = bits.iter();
            let full = way.posts.iter().map(|p| match p {
                Post::Known(b) => *b,
                Post::Ask(..) => bits.next().copied().unwrap_or_default(),
            });
            full.collect::<Vec<bool>>()
        };
        if asked.is_empty() && way.conditions.is_empty() {
            return Ok((vec![whole(&[])], true));
        }
        self.oracle.push();
        for (i, wide) in &way.inputs {
            let leaf = way.input(*i);
            self.oracle.declare(&symbol(&leaf));
            in_range(&symbol(&leaf), wide).into_iter().for_each(|t| self.oracle.assert(t));
        }
        way.literals(None).into_iter().for_each(|l| self.oracle.assert(l.term));
        let bits: Vec<Symbol> = (0..asked.len()).map(|i| Symbol::numbered("p", i, Sort::Bool)).collect();
        for (bit, (atom, holds)) in bits.iter().zip(&asked) {
            self.oracle.declare(bit);
            self.oracle.assert(Term::equal(Term::Symbol(bit.clone()), atom.term(*holds, &symbol)));
        }
        let mut found = Vec::new();
        let result = loop {
            match self.oracle.check() {
                Ok(Sat::Yes) if found.len() < MOST_OUTCOMES => {
                    let truths: Vec<bool> =
                        bits.iter().map(|b| self.oracle.value(b) == Some(&Value::Bool(true))).collect();
                    let same = bits.iter().zip(&truths).map(|(b, t)| literal(b, *t));
                    self.oracle.assert(Term::And(same.collect()).negated());
                    found.push(truths);
                }
                Ok(Sat::No) => break Ok((found.iter().map(|t| whole(t)).collect(), true)),
                Ok(Sat::Yes) => {
                    break Err(SmtError::TooMuch(format!(
                        "{} comparisons hang together and can be true or false in more than {MOST_OUTCOMES} ways",
                        asked.len()
                    )));
                }
                Ok(_) if asked.len() > MOST_OPEN => {
                    let much = format!("the solver leaves {} truth values open at once", asked.len());
                    break Err(SmtError::TooMuch(much));
                }
                Ok(_) => break Ok((every(asked.len()).iter().map(|t| whole(t)).collect(), false)),
                Err(e) => break Err(e),
            }
        };
        self.oracle.pop();
        result
    }

    /// The smallest sets of outcomes, given when each outcome is one; `None` if the solver does not know.
    fn family(&mut self, conditions: &[Term]) -> Result<Option<Vec<Vec<usize>>>, SmtError> {
        if conditions.iter().all(|c| *c == Term::And(vec![])) {
            return Ok(Some(vec![(0..conditions.len()).collect()]));
        }
        self.oracle.push();
        let bits: Vec<Symbol> = (0..conditions.len()).map(|i| Symbol::numbered("e", i, Sort::Bool)).collect();
        for (bit, condition) in bits.iter().zip(conditions) {
            self.oracle.declare(bit);
            self.oracle.assert(Term::equal(Term::Symbol(bit.clone()), condition.clone()));
        }
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let result = loop {
            match self.oracle.check() {
                Ok(Sat::Yes) => {
                    let holds =
                        |i: &usize| bits.get(*i).is_some_and(|b| self.oracle.value(b) == Some(&Value::Bool(true)));
                    let set: Vec<usize> = (0..bits.len()).filter(holds).collect();
                    // Whoever has all of these is of no interest any more.
                    let lacks = set.iter().filter_map(|i| bits.get(*i)).map(|b| literal(b, false));
                    self.oracle.assert(Term::Or(lacks.collect()));
                    sets.push(set);
                }
                Ok(Sat::No) => break Ok(Some(smallest(sets))),
                Ok(Sat::Unknown) => break Ok(None),
                Err(e) => break Err(e),
            }
        };
        self.oracle.pop();
        result
    }

    /// Where the solver does not know: each outcome may be the only one, and nobody is sure to have one unless some way is always open.
    fn cautious(&mut self, conditions: &[Term]) -> Result<Vec<Vec<usize>>, SmtError> {
        self.oracle.push();
        conditions.iter().for_each(|c| self.oracle.assert(c.clone().negated()));
        let closed = self.oracle.check();
        self.oracle.pop();
        Ok(match closed? {
            Sat::No => (0..conditions.len()).map(|i| vec![i]).collect(),
            _ => vec![vec![]],
        })
    }
}

fn literal(symbol: &Symbol, holds: bool) -> Term {
    let term = Term::Symbol(symbol.clone());
    if holds { term } else { term.negated() }
}

fn every(bits: usize) -> Vec<Vec<bool>> {
    (0..1usize << bits).map(|n| (0..bits).map(|b| n >> b & 1 == 1).collect()).collect()
}

/// The sets that contain no other.
fn smallest(mut sets: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    sets.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for set in sets {
        if !kept.iter().any(|k| k.iter().all(|i| set.contains(i))) {
            kept.push(set);
        }
    }
    kept.sort();
    kept
}
