//! What people type into the simulator.

/// A step as people write it, as paths do: `Ann: Pay at Order[1] (Amount = 3)` is `Ann:Pay@Order.1,Amount=3`.
pub fn as_path(line: &str) -> String {
    let line = line.replace(": ", ":").replace(" = ", "=").replace("= ", "=").replace(" =", "=").replace(',', " ");
    // The payload stands in brackets; a value may have its own.
    let closed = line.matches(')').count() <= line.matches('(').count();
    let mut line = line.replace(" (", " ");
    if closed && line.matches(')').count() > line.matches('(').count() {
        line.pop();
    }
    let mut words = line.split_whitespace().peekable();
    let mut step = String::new();
    while let Some(word) = words.next() {
        if word == "at" && words.peek().is_some() {
            let slot = words.next().unwrap_or_default().replace('[', ".").replace(']', "");
            step += &format!("@{slot}");
        } else if word.contains('=') && !step.is_empty() {
            step += &format!(",{word}");
        } else {
            // Events of tasks have a blank: `done Ask`.
            step += if step.is_empty() || step.ends_with(':') { "" } else { "+" };
            step += word;
        }
    }
    step
}

/// The words that a line can begin with.
pub const COMMANDS: [&str; 16] = [
    "choices", "undo", "jump", "fork", "runs", "run", "why", "whynot", "rules", "full", "trace", "save", "load",
    "help", "quit", "idle",
];

/// What they can type.
pub const HELP: &str = "  NUMBER        take that choice; or by its name: Pay, or Pay Amount=3, or Ann: Pay at Order[2]
  (empty line)  show the choices again; choices shows all of them
  undo [N]      take back the last step, or the last N
  jump N        go to snapshot N of this run, back or forth
  fork          keep this run and go on with a copy; runs lists them, run K goes to one
  why NAME      what made THING what it is
  whynot NAME   why the last step did not change it, or why an event cannot happen now
  rules         every rule of the last step with its conditions
  full          all values
  trace         the run so far
  save FILE     write the run so far; load FILE reads one (gsmc or ITF)
  quit
";
