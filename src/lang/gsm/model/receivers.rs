//! Which types an event goes to, and which sentries name it.

use super::{Application, ArtifactType, EventIx, ExprKind, Guard, TypeIx};
use std::collections::BTreeSet;

impl Guard {
    /// The events that the sentry names, in its list or in atoms; one may come twice.
    pub fn named_events(&self) -> Vec<EventIx> {
        let mut named = self.sentry.events.clone();
        self.sentry.expr.walk(&mut |part| {
            if let ExprKind::Occurring(event) = part.kind {
                named.push(event);
            }
        });
        named
    }
}

impl ArtifactType {
    /// Guards and conditions, observers not included.
    pub fn sentries(&self) -> impl Iterator<Item = &Guard> {
        let guards = self.stages.iter().flat_map(|s| &s.guards);
        guards.chain(self.milestones.iter().flat_map(|m| m.achieving.iter().chain(&m.invalidating)))
    }

    fn has_data(&self, path: &str) -> bool {
        self.attrs.iter().any(|a| a.path == path) || self.bags.iter().any(|b| b.path == path)
    }
}

impl Application {
    /// Per event, the types that have a sentry which names it.
    pub fn named(&self) -> Vec<BTreeSet<TypeIx>> {
        let mut named = vec![BTreeSet::new(); self.events.len()];
        for (ty, t) in TypeIx::each(&self.types) {
            for event in t.sentries().flat_map(Guard::named_events) {
                named[event.0].insert(ty);
            }
        }
        named
    }

    /// Per event, the types to whose instances it goes.
    pub fn receivers(&self) -> Vec<Vec<TypeIx>> {
        let all = EventIx::all(&self.events).zip(self.named());
        all.map(|(event, named)| self.receivers_given(event, named)).collect()
    }

    /// The types to whose instances an event goes.
    pub fn receivers_of(&self, event: EventIx) -> Vec<TypeIx> {
        let names_it = |ty: &TypeIx| self.types[*ty].sentries().any(|g| g.named_events().contains(&event));
        self.receivers_given(event, TypeIx::all(&self.types).filter(names_it).collect())
    }

    /// Those with a sentry that names it; where there is none, those that have one of its fields as an attribute; where there is none,
    /// all. A creation goes to the type that it creates, too.
    fn receivers_given(&self, event: EventIx, named: BTreeSet<TypeIx>) -> Vec<TypeIx> {
        let Some(e) = self.events.get(event.0) else { return Vec::new() };
        let mut types = named;
        types.extend(e.creates);
        if types.is_empty() {
            let fields = || e.payload.iter().map(|f| &f.name).chain(&e.bags);
            types.extend(TypeIx::all(&self.types).filter(|ty| fields().any(|name| self.types[*ty].has_data(name))));
        }
        if types.is_empty() {
            types.extend(TypeIx::all(&self.types));
        }
        types.into_iter().collect()
    }
}
