//! Conditions and values as ISPL spells them.

use super::diagram::{Dd, Diagrams};
use super::emit::Emitter;
use super::symbolic::Symbolic;
use crate::backend::written::IMPOSSIBLE;
use crate::machine::Domain;
use crate::machine::VarId;
use rustc_hash::FxHashMap;

impl Emitter<'_> {
    pub(super) fn condition(&self, d: Dd, prefix: &str) -> String {
        let overflow = &self.vars[self.m.overflow.0 as usize];
        match d {
            Dd::TRUE => format!("({prefix}{overflow}=true or {prefix}{overflow}=false)"),
            Dd::FALSE => format!("({prefix}{overflow}=true and {prefix}{overflow}=false)"),
            _ => self.written(&self.pieces.sym.dds, d, prefix, &mut FxHashMap::default()),
        }
    }

    /// A diagram as nested conditions; children that are constants leave no trace.
    pub(super) fn written(&self, dds: &Diagrams, d: Dd, prefix: &str, memo: &mut FxHashMap<Dd, String>) -> String {
        if let Some(text) = memo.get(&d) {
            return text.clone();
        }
        let Some((level, children)) = dds.node(d) else { return String::new() };
        let var = Symbolic::var_of(level);
        let mut parts = Vec::new();
        let mut seen: Vec<Dd> = Vec::new();
        for child in children {
            if *child == Dd::FALSE || seen.contains(child) {
                continue;
            }
            seen.push(*child);
            let positions: Vec<usize> = (0..children.len()).filter(|i| children[*i] == *child).collect();
            let test = self.is_one_of(var, &positions, children.len(), prefix);
            parts.push(match *child {
                Dd::TRUE => test,
                _ => format!("({test} and {})", self.written(dds, *child, prefix, memo)),
            });
        }
        let text = if parts.len() == 1 { parts.swap_remove(0) } else { format!("({})", parts.join(" or ")) };
        memo.insert(d, text.clone());
        text
    }

    pub(super) fn is_one_of(&self, var: VarId, positions: &[usize], size: usize, prefix: &str) -> String {
        let name = format!("{prefix}{}", self.vars[var.0 as usize]);
        let domain = &self.m.var(var).domain;
        let lo = domain.bounds().0;
        let equal = |i: &usize| format!("{name}={}", self.value(domain, lo + *i as i64));
        let any = |list: &[usize]| match list {
            [one] => equal(one),
            _ => format!("({})", list.iter().map(equal).collect::<Vec<_>>().join(" or ")),
        };
        if positions.len() * 2 <= size {
            return any(positions);
        }
        let others: Vec<usize> = (0..size).filter(|i| !positions.contains(i)).collect();
        format!("!({})", any(&others))
    }

    /// A value; numbers are spelled as identifiers, since an integer type wastes codes and lets MCMAS miscount.
    pub(super) fn value(&self, domain: &Domain, code: i64) -> String {
        match domain {
            Domain::Bool => if code == 0 { "false" } else { "true" }.to_string(),
            Domain::Int { .. } if code < 0 => format!("im{}", code.unsigned_abs()),
            Domain::Int { .. }
            | Domain::Real { .. }
            | Domain::Points(_)
            | Domain::Date { .. }
            | Domain::Text { .. } => {
                format!("i{code}")
            }
            Domain::Enum { .. } => self.values.name(domain, code).unwrap_or(IMPOSSIBLE).to_string(),
        }
    }

    pub(super) fn value_names(&self, domain: &Domain) -> Vec<(String, i64)> {
        let (lo, hi) = domain.bounds();
        (lo..=hi).map(|c| (self.value(domain, c), c)).collect()
    }

    pub(super) fn kind(&self, domain: &Domain) -> String {
        match domain {
            Domain::Bool => "boolean".into(),
            _ => {
                let names: Vec<String> = self.value_names(domain).into_iter().map(|(n, _)| n).collect();
                format!("{{{}}}", names.join(", "))
            }
        }
    }
}
