//! How flows of random models grow.

use super::data::DATA;
use super::random::Draw;

impl Draw<'_> {
    /// Flows in all blocks, until everything is spent.
    pub(super) fn flows(&mut self) {
        self.flow(0, None, false);
        for b in 1..self.blocks.len() {
            if !self.blocks[b].entered {
                self.flow(b, None, false);
            }
        }
        while self.left > 0 {
            let b = self.c.below(self.blocks.len());
            self.flow(b, None, false);
        }
    }

    fn condition(&mut self) -> Option<String> {
        let list = &self.known.conditions;
        if list.is_empty() || !self.c.chance(30) { None } else { self.c.pick(list).cloned() }
    }

    /// A condition before a branch, where there is one.
    fn guard(&mut self) -> String {
        self.condition().map_or(String::new(), |c| format!("[{c}] "))
    }

    fn arrow(&mut self) -> String {
        self.condition().map_or("->".into(), |c| format!("-[{c}]->"))
    }

    /// A new action or interaction.
    fn action(&mut self, b: usize, looped: bool) -> String {
        self.left = self.left.saturating_sub(1);
        self.next += 1;
        let name = if self.c.chance(10) { format!("\"do {}\"", self.next) } else { format!("a{}", self.next) };
        let mut line = String::new();
        if looped || self.limits.loops && self.c.chance(15) {
            line += "repeated ";
        }
        if self.limits.disabling && self.c.chance(12) {
            line += "optional ";
        }
        let together = self.blocks.len() > 1 && self.c.chance(25);
        line += if together { "interaction " } else { "action " };
        line += &name;
        let fragment = self.fragment(b);
        self.blocks[b].declarations.push(line + &fragment);
        if together {
            self.blocks[b].interactions.push(name.clone());
        }
        let path = self.path(b, &name);
        self.known.happening.push(path);
        name
    }

    fn fragment(&mut self, b: usize) -> String {
        let mut statements = Vec::new();
        for (i, datum) in DATA.iter().enumerate() {
            if self.data.contains(&i) && self.c.chance(30) {
                statements.extend(self.c.pick(datum.assigned).map(|s| s.to_string()));
                if self.c.chance(15) {
                    statements.extend(self.c.pick(datum.assigned).map(|s| format!("if flag_or_true {{ {s} }}")));
                }
            }
        }
        if let Some(own) = &self.blocks[b].own
            && self.c.chance(50)
        {
            statements.push(self.c.one_of(["m := m + 1", "m := any", "m := 1 - m"]).replace('m', own));
        }
        // A condition that is there whatever data there is.
        let condition = self.known.conditions.first().cloned().unwrap_or("true".into());
        let text = statements.join("; ").replace("flag_or_true", &condition);
        if text.is_empty() { text } else { format!(" {{ {text} }}") }
    }

    /// Grows a flow from a node (or from nothing); what it ends with.
    fn flow(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let mut at = from;
        let steps = 1 + self.c.below(3);
        for step in 0..steps {
            if step > 0 && self.left == 0 {
                break;
            }
            at = match self.c.below(13) {
                5 | 6 => self.parting(b, at, looped),
                7 | 8 if self.limits.loops => self.around(b, at, looped),
                9 | 10 => self.through(b, at, looped),
                11 => Some(self.knot(b, at, looped)),
                12 => Some(self.cycle(b, at, looped)),
                _ => Some(self.next_action(b, at, looped)),
            };
            if at.is_none() {
                break;
            }
        }
        at
    }

    fn next_action(&mut self, b: usize, from: Option<String>, looped: bool) -> String {
        let action = self.action(b, looped);
        if let Some(from) = from {
            let arrow = self.arrow();
            self.blocks[b].arrows.push(format!("{from} {arrow} {action}"));
        }
        action
    }

    /// A split into two or three, and perhaps a join.
    fn parting(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let from = from.unwrap_or_else(|| self.next_action(b, None, looped));
        let and = self.c.chance(50);
        let mut first: Vec<String> = (0..self.c.one_of([2, 2, 2, 3])).map(|_| self.action(b, looped)).collect();
        let named = self.split_name(b, and);
        let mut branches: Vec<String> = first.iter().map(|_| self.guard()).collect();
        if !and && !branches[0].is_empty() && self.c.chance(50) {
            branches[1] = "[else] ".into();
        }
        let ways: Vec<String> = branches.iter().zip(&first).map(|(guard, a)| format!("{guard}{a}")).collect();
        let sign = if and { " & " } else { " | " };
        let parted = format!("{from} -> {named}({})", ways.join(sign));
        if self.c.chance(15) {
            let last = self.action(b, looped);
            self.blocks[b].arrows.push(format!("{parted} -> {last}"));
            return Some(last);
        }
        self.blocks[b].arrows.push(parted);
        let mut ends = Vec::new();
        for branch in first.drain(..) {
            let grows = self.left > 0 && self.c.chance(40);
            ends.extend(if grows { self.flow(b, Some(branch), looped) } else { Some(branch) });
        }
        if ends.len() < 2 || self.c.chance(30) {
            return ends.pop();
        }
        let and = if self.c.chance(70) { and } else { !and };
        let named = self.join_name(b, and);
        let (sign, other, last) =
            if and { (" & ", " | ", self.action(b, looped)) } else { (" | ", " & ", self.action(b, looped)) };
        let all = match ends.as_slice() {
            [x, y, z] if self.c.chance(50) => format!("({x}{other}{y}){sign}{z}"),
            _ => ends.join(sign),
        };
        self.blocks[b].arrows.push(format!("{named}({all}) -> {last}"));
        Some(last)
    }

    fn split_name(&mut self, b: usize, and: bool) -> String {
        if and || self.c.chance(40) {
            return String::new();
        }
        let name = self.functional(b, "orsplit");
        format!("{name}:")
    }

    fn join_name(&mut self, b: usize, and: bool) -> String {
        if !and || self.c.chance(40) {
            return String::new();
        }
        let name = self.functional(b, "andjoin");
        format!("{name}:")
    }

    /// A name for a join or split that properties can ask about.
    fn functional(&mut self, b: usize, kind: &str) -> String {
        self.next += 1;
        let name = format!("{}{}", if kind.ends_with("join") { "j" } else { "s" }, self.next);
        let path = self.path(b, &name);
        match kind {
            "orsplit" => self.known.or_splits.push(path),
            "andjoin" => self.known.and_joins.push(path),
            _ => {}
        }
        name
    }

    fn declared(&mut self, b: usize, kind: &str) -> String {
        let name = self.functional(b, kind);
        self.blocks[b].declarations.push(format!("{kind} {name}"));
        name
    }

    /// Joins and splits with nothing but arrows between them: one step can bring several tokens at once.
    fn knot(&mut self, b: usize, from: Option<String>, looped: bool) -> String {
        let from = from.unwrap_or_else(|| self.next_action(b, None, looped));
        let mut open = vec![from];
        for _ in 0..2 + self.c.below(4) {
            let at = self.c.below(open.len());
            if open.len() < 2 || self.c.chance(50) {
                let kind = self.c.one_of(["andsplit", "orsplit"]);
                let split = self.declared(b, kind);
                let (from, arrow) = (open.swap_remove(at), self.arrow());
                self.blocks[b].arrows.push(format!("{from} {arrow} {split}"));
                (0..1 + self.c.below(3)).for_each(|_| open.push(split.clone()));
            } else {
                let kind = self.c.one_of(["orjoin", "andjoin"]);
                let join = self.declared(b, kind);
                for _ in 0..(1 + self.c.below(3)).min(open.len()) {
                    let at = self.c.below(open.len());
                    let (from, arrow) = (open.swap_remove(at), self.arrow());
                    self.blocks[b].arrows.push(format!("{from} {arrow} {join}"));
                }
                open.push(join);
            }
            if open.len() > 4 {
                break;
            }
        }
        let ends: Vec<String> = open.into_iter().map(|end| self.next_action(b, Some(end), looped)).collect();
        self.c.pick(&ends).cloned().unwrap_or_default()
    }

    /// A cycle of single arrows: what lies on it happens once.
    fn cycle(&mut self, b: usize, from: Option<String>, looped: bool) -> String {
        let kind = self.c.one_of(["orjoin", "andjoin"]);
        let (join, first) = (self.declared(b, kind), self.action(b, looped));
        self.blocks[b].arrows.extend(from.map(|from| format!("{from} -> {join}")));
        self.blocks[b].arrows.push(format!("{join} -> {first}"));
        let out = self.action(b, looped);
        let (sign, guard) = (self.c.one_of(["&", "|"]), self.guard());
        self.blocks[b].arrows.push(format!("{first} -> ({guard}{join} {sign} {out})"));
        out
    }

    /// A loop.
    fn around(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        if from.is_none() && self.c.chance(30) {
            return self.round_a_block(b, looped);
        }
        let first = self.action(b, true);
        if let Some(from) = from {
            self.blocks[b].arrows.push(format!("{from} -> {first}"));
        }
        let end = if self.c.chance(50) { self.flow(b, Some(first.clone()), true) } else { Some(first.clone()) };
        let end = end?;
        let lone = end == first;
        if self.c.chance(25) && !lone {
            let closing = self.condition().map_or("=>".into(), |c| format!("=[{c}]=>"));
            self.blocks[b].arrows.push(format!("{end} {closing} {first}"));
            return None;
        }
        Some(self.back_or_out(b, &end, &first, looped))
    }

    /// After `end` back to `first`, or out of the loop; what is outside.
    fn back_or_out(&mut self, b: usize, end: &str, first: &str, looped: bool) -> String {
        let out = self.action(b, looped);
        // With `&` occurrences pile up behind the loop.
        let sign = if self.c.chance(25) { "&" } else { "|" };
        let (p, q) = (self.guard(), self.guard());
        self.blocks[b].arrows.push(format!("{end} -> (=> {p}{first} {sign} {q}{out})"));
        out
    }

    /// A loop that leaves a block and enters it again.
    fn round_a_block(&mut self, b: usize, looped: bool) -> Option<String> {
        let Some(x) = self.free(b) else { return Some(self.next_action(b, None, looped)) };
        let name = self.enter(x);
        let first = self.next_action(x, Some("in".into()), true);
        let end = self.flow(x, Some(first), true)?;
        self.leave(x, &end);
        Some(self.back_or_out(b, &format!("{name}.out"), &format!("{name}.in"), looped))
    }

    /// A block directly inside that nothing enters yet.
    fn free(&self, b: usize) -> Option<usize> {
        let mut inside = (1..self.blocks.len()).filter(|&x| self.blocks[x].parent == b);
        inside.find(|&x| !self.blocks[x].entered && self.blocks[x].arrows.is_empty())
    }

    fn enter(&mut self, x: usize) -> String {
        self.blocks[x].entered = true;
        self.blocks[x].declarations.push("entry in".into());
        self.blocks[x].name.clone()
    }

    fn leave(&mut self, x: usize, end: &str) {
        let arrow = self.arrow();
        self.blocks[x].declarations.push("exit out".into());
        self.blocks[x].arrows.push(format!("{end} {arrow} out"));
        let path = self.path(x, "out");
        self.known.exits.push(path);
    }

    /// Into a block that nothing enters yet, and perhaps out of it.
    fn through(&mut self, b: usize, from: Option<String>, looped: bool) -> Option<String> {
        let (Some(x), Some(from)) = (self.free(b), from.clone()) else {
            return Some(self.next_action(b, from, looped));
        };
        let (name, arrow) = (self.enter(x), self.arrow());
        self.blocks[b].arrows.push(format!("{from} {arrow} {name}.in"));
        if self.c.chance(5) {
            self.leave(x, "in");
            return Some(format!("{name}.out"));
        }
        let end = self.flow(x, Some("in".into()), looped)?;
        if self.c.chance(30) {
            return None;
        }
        self.leave(x, &end);
        Some(format!("{name}.out"))
    }
}
