//! Solvers that are there when they are needed.

use super::{Limits, Oracle, SmtError, Which};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

type Started = JoinHandle<Result<Oracle, SmtError>>;

/// Which solvers are asked; perhaps they are under way already, since finding and starting one takes as long as reading a model.
#[derive(Clone, Debug)]
pub struct Ready {
    which: Which,
    memory: Option<u64>,
    /// For whoever comes first.
    early: Arc<Early>,
}

/// Solvers under way. Where nobody wants them any more, they still have to come and be sent away: half started they would leave
/// files behind.
#[derive(Debug, Default)]
struct Early(Mutex<Option<Started>>);

impl Early {
    fn take(&self) -> Option<Started> {
        self.0.lock().ok().and_then(|mut early| early.take())
    }
}

impl Drop for Early {
    fn drop(&mut self) {
        // Whether they came does not matter.
        let _ = self.take().map(JoinHandle::join);
    }
}

impl From<Which> for Ready {
    /// Solvers that are started when somebody asks.
    fn from(which: Which) -> Ready {
        Ready { which, memory: None, early: Arc::default() }
    }
}

impl Ready {
    /// Solvers that are looked for and started now, with so much memory, while others work.
    pub fn soon(which: Which, memory: Option<u64>) -> Ready {
        let limits = Limits { memory, ..Limits::default() };
        let early = std::thread::Builder::new().spawn(move || Oracle::start(which, &limits));
        Ready { which, memory, early: Arc::new(Early(Mutex::new(early.ok()))) }
    }

    /// Solvers within these limits.
    ///
    /// # Errors
    /// When one is missing or does not start.
    pub fn oracle(&self, limits: &Limits) -> Result<Oracle, SmtError> {
        match self.early.take().filter(|_| self.memory == limits.memory).map(JoinHandle::join) {
            Some(Ok(started)) => Ok(started?.within(limits)),
            // Nothing was started, or the thread did not get that far.
            Some(Err(_)) | None => Oracle::start(self.which, limits),
        }
    }
}
