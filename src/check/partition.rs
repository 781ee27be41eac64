//! The properties of a check spread over several machines: who takes which, the same on all of them without a word between them.

use super::Plan;
use super::cache::digest::{Digest, of_machine};
use crate::answer::{EVERY, Share, Taken};
use crate::lang::standard;
use crate::logic::{Property, cost};
use crate::machine::{ExprId, Machine};
use std::cmp::Reverse;

/// What the standard questions weigh, all of them together.
const STANDARD: u64 = 200;

/// One part of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Part {
    /// The plan of this part of a check, and what is said about it in the results. `options` is what else the answers depend on.
    pub fn of_plan(self, machine: &Machine, plan: &Plan, options: &str) -> (Plan, Share) {
        let asked: Vec<(&str, u64)> = machine
            .properties
            .iter()
            .filter(|p| plan.asks(&p.name))
            .map(|p| (p.name.as_str(), weight(p)))
            .chain(plan.builtin.then_some(("", STANDARD)))
            .collect();
        let parts = balanced(&asked, self.of);
        let properties = machine.properties.iter().filter(|p| plan.asks(&p.name));
        let mut takes: Vec<Taken> = properties.zip(&parts).map(|(p, part)| taken(p, *part)).collect();
        // The standard questions are asked together.
        let standard = parts.last().copied().filter(|_| plan.builtin);
        let questions = machine.questions.iter().filter(|q| plan.asks(&q.name));
        takes.extend(
            standard.iter().flat_map(|part| questions.clone().map(|q| Taken::question(q, asks(&q.name), *part))),
        );
        let mine = takes.iter().filter(|t| t.part == self.number && !t.standard);
        let own: Vec<String> = mine.map(|t| t.property.clone()).collect();
        let share = self.share(machine, plan, options, takes);
        (plan.of(own, machine, standard == Some(self.number)), share)
    }

    fn share(self, machine: &Machine, plan: &Plan, options: &str, takes: Vec<Taken>) -> Share {
        let engines = plan.engines.clone();
        Share { part: self.number, of: self.of, question: question(machine, plan, options), engines, takes }
    }

    /// What is said in the results of a swarm, of which every part makes searches of its own for every property.
    pub fn of_swarm(self, machine: &Machine, plan: &Plan, options: &str) -> Share {
        let asked = machine.properties.iter().filter(|p| plan.asks(&p.name));
        self.share(machine, plan, options, asked.map(|p| taken(p, EVERY)).collect())
    }

    /// The properties of this part, given by their positions, among some of them.
    pub fn of_properties(self, machine: &Machine, properties: &[usize]) -> Vec<usize> {
        let work = |p: &usize| (machine.properties[*p].name.as_str(), weight(&machine.properties[*p]));
        let asked: Vec<(&str, u64)> = properties.iter().map(work).collect();
        let taken = balanced(&asked, self.of).into_iter().zip(properties);
        taken.filter(|(part, _)| *part == self.number).map(|(_, p)| *p).collect()
    }
}

/// A property; one that is a standard question says what it asks, as its result does.
fn taken(p: &Property<ExprId>, part: u32) -> Taken {
    let taken = Taken::property(p, part);
    let comment = if taken.comment.is_empty() { asks(&p.name).to_string() } else { taken.comment };
    Taken { comment, ..taken }
}

/// What a standard question asks.
fn asks(name: &str) -> &'static str {
    standard::find(name).map_or("", |known| known.asks)
}

/// A guess at the work that a property takes.
fn weight(p: &Property<ExprId>) -> u64 {
    p.fair.iter().map(cost).sum::<u64>() + cost(&p.formula)
}

/// What is asked, as a number.
fn question(machine: &Machine, plan: &Plan, options: &str) -> String {
    let mut question = Digest::default();
    question.part(of_machine(machine));
    question.part(options);
    machine.properties.iter().for_each(|p| question.part((&p.name, &p.text, p.expect)));
    plan.engines.iter().for_each(|e| question.part(e.name()));
    question.hex()
}

/// The largest first, each to whoever has least so far; among equals, in the order given.
fn balanced(jobs: &[(&str, u64)], parts: u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|job| Reverse(jobs[*job].1));
    let mut load = vec![0u64; parts.max(1) as usize];
    let mut taken = vec![1; jobs.len()];
    for job in order {
        let least = (0..load.len()).min_by_key(|part| load[*part]).unwrap_or(0);
        load[least] = load[least].saturating_add(jobs[job].1.max(1));
        taken[job] = least as u32 + 1;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::balanced;

    #[test]
    fn work_is_spread_evenly() {
        let jobs = [("a", 5), ("b", 9), ("c", 4), ("d", 3), ("e", 3)];
        // 9 and 3; 5, 4 and 3.
        assert_eq!(balanced(&jobs, 2), [2, 1, 2, 1, 2]);
        assert_eq!(balanced(&jobs, 1), [1; 5]);
        assert_eq!(balanced(&jobs, 9), [2, 1, 3, 4, 5], "more machines than work");
        assert!(balanced(&[], 3).is_empty());
    }
}
