//! What the papers print, typed as they print it: every formula, agents file, excerpt of a model and AMBER text is read, resolved against the paper's
//! model, and means what the same formula means in plain notation. Slips of the pen are corrected, and the table of each paper says which.

#[path = "papers/rows.rs"]
mod rows;

#[path = "papers/agents.rs"]
mod agents;
#[path = "papers/amber.rs"]
mod amber;
#[path = "papers/artifacts.rs"]
mod artifacts;
#[path = "papers/deliverable.rs"]
mod deliverable;
#[path = "papers/predicates.rs"]
mod predicates;
#[path = "papers/schemas.rs"]
mod schemas;
#[path = "papers/sentries.rs"]
mod sentries;
