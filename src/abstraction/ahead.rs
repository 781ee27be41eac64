//! Predicates looked for while it is still open whether any are needed.
//!
//! Whether the first predicates suffice is known when all instances have been looked at. Meanwhile a second thread looks, with one instance
//! of each kind and a solver of its own, for what would be needed ([`super::scout`]). What it finds is taken if what it was found for
//! turns out to be open, and counts for nothing otherwise: so results do not depend on who is faster.

use super::decide::{More, Options};
use super::question::Told;
use super::{Asker, Predicates, Stopped, System};
use crate::native::bdd::deep;
use crate::smt::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::Duration;

/// How often somebody's wish to stop is looked at.
const WATCH: Duration = Duration::from_millis(20);

/// Somebody who looks ahead; dropped, he stops.
pub struct Ahead {
    hear: Receiver<Result<Found, Stopped>>,
    over: Arc<AtomicBool>,
}

/// What was found, and what the solver said on the way.
pub struct Found {
    /// The properties that were open with one instance of each kind.
    open: Vec<usize>,
    more: More,
    told: Told,
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Ahead {
    /// Sends somebody ahead to look for what these properties need, in so many rounds; `None` where that would not help or cannot be done.
    pub fn send<'s>(
        scope: &'s Scope<'s, '_>,
        system: &'s System<'s>,
        predicates: &'s Predicates,
        options: &Options,
        (properties, most): (&'s [usize], u32),
        asker: &Asker,
    ) -> Option<Ahead> {
        if most == 0 || !super::scout::helps(system, options) {
            return None;
        }
        let (tell, hear): (Sender<Result<Found, Stopped>>, _) = channel();
        let over = Arc::<AtomicBool>::default();
        let limits = Limits { cancel: over.clone(), ..options.limits.clone() };
        let (options, second) = (Options { limits, ..options.clone() }, asker.second());
        let look = move || {
            let look = || {
                let mut asker = second.start(&options.limits)?;
                let open = super::scout::open(system, predicates, &options, properties, &mut asker)?;
                let more = super::scout::atoms(system, predicates, &options, (&open, most), &mut asker)?;
                Ok(Found { open, more, told: asker.ended() })
            };
            // Nobody may be waiting any more.
            let _ = tell.send(look());
        };
        deep().spawn_scoped(scope, look).ok().map(|_| Ahead { hear, over })
    }

    /// What was found, if only these properties asked for it. The answers that led there are remembered.
    ///
    /// # Errors
    /// When a solver was wrong.
    pub fn found(self, open: &[usize], options: &Options, asker: &mut Asker) -> Result<Option<More>, Stopped> {
        loop {
            match self.hear.recv_timeout(WATCH) {
                // What is open with all instances and decided with one of each kind asks for nothing there.
                Ok(Ok(found)) if found.open.iter().all(|p| open.contains(p)) => {
                    asker.learn(found.told);
                    return Ok(Some(found.more));
                }
                Ok(Err(stopped)) if stopped.is_alarm() => return Err(stopped),
                Err(RecvTimeoutError::Timeout) if !options.limits.cancel.load(Ordering::Relaxed) => {}
                // Other limits are hit again, if at all, by whoever looks then.
                Ok(_) | Err(_) => return Ok(None),
            }
        }
    }
}
