//! What stands below the options of each command: examples, and what its exit codes mean.

/// Of commands that ask engines.
macro_rules! verdicts {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\nExit codes: 0 every property as expected, 1 some is not, 2 usage or input error, 3 inconclusive, 4 engines disagree or a run did \
             not replay"
        )
    };
}

/// Of commands that do something or cannot.
macro_rules! plain {
    ($examples:literal) => {
        concat!("Examples:\n", $examples, "\n\nExit codes: 0 done, 2 usage or input error")
    };
}

pub const CHECK: &str = verdicts!(
    "  gsmc check loans                       a verdict for each property, with a reason and a run
  gsmc check loans --property no-loss    one of them
  gsmc check loans --builtin             the standard questions, too
  gsmc check loans --backend all         by every engine that is there, compared
  gsmc check loans --instances Loan=any  for any number of loans
  gsmc check loans --abstract            numbers without bounds
  gsmc check loans --backend spin --swarm 20   runs that violate something, where states do not fit into memory
  gsmc check garage.amber                a model in one file, whatever its language
  gsmc check loans --format junit -o results.xml"
);
pub const MERGE: &str = verdicts!(
    "  gsmc merge 1.json 2.json               what 'gsmc check loans --partition 1/2 --format json -o 1.json' and 2/2 wrote
  gsmc merge part-*.json --format junit -o results.xml"
);
pub const VALIDATE: &str = concat!(
    "Examples:\n",
    "  gsmc validate loans                    numbers of the model, order of its rules, what looks wrong
  gsmc validate loans --format json",
    "\n\nExit codes: 0 no error, 2 usage or input error"
);
pub const SIMULATE: &str = concat!(
    "Examples:\n",
    "  gsmc simulate loans                    asks for each step; why NAME, whynot NAME, undo, help
  gsmc simulate loans --random 20 --seed 7
  gsmc simulate loans --trace run.json   replays what check or simulate saved",
    "\n\nExit codes: 0 done, 2 usage or input error, 4 the trace did not replay"
);
pub const REPLAY: &str = concat!(
    "Examples:\n",
    "  gsmc replay shipment log.csv           did each recorded case follow the model?
  gsmc replay shipment log.xes --suggest-map
  gsmc replay shipment log.csv --map map.toml --format json",
    "\n\nExit codes: 0 every case follows the model and its properties, 1 some does not, 2 usage or input error, 3 inconclusive"
);
pub const REPORT: &str = verdicts!(
    "  gsmc report loans -o loans.html        picture, verdicts, every run to step through
  gsmc report loans --backend all
  gsmc report loans --against loans-1    with what changed since another version
  gsmc report shipment --replay log.csv  with the recorded cases, each to step through"
);
pub const EXPLORE: &str = concat!(
    "Examples:\n",
    "  gsmc explore loans --open              walk it in the browser; the page follows changes of the files
  gsmc explore loans --path Create_Loan/Borrow
  gsmc explore loans --trace results.json
  gsmc explore shipment log.csv --case S-2   a recorded case",
    "\n\nExit codes: 0 stopped by Ctrl-C, 2 usage or input error, 4 the trace did not replay"
);
pub const GRAPH: &str = plain!(
    "  gsmc graph loans -o loans.svg          the model drawn; .png and .dot work, too
  gsmc graph loans --view rules -o rules.svg"
);
pub const EXPORT: &str = plain!(
    "  gsmc export loans -o out               SMV, Promela and ISPL, with name maps
  gsmc export loans --to smv -o out
  gsmc export loans --partition 2/5 -o out     the second of five parts of the properties"
);
pub const FMT: &str = concat!(
    "Examples:\n",
    "  gsmc fmt loans/model.gsm               rewrites it in the one style, comments kept
  gsmc fmt --check loans/model.gsm       for builds: changes nothing",
    "\n\nExit codes: 0 done or already so, 1 with --check: a file is not in the style, 2 usage or input error"
);
pub const NEW: &str = plain!("  gsmc new loans                         makes loans/gsmc.toml and loans/model.gsm");
pub const CONVERT: &str = plain!(
    "  gsmc convert model.xml -o model.gsm
  gsmc convert loans --one-file -o loans.gsm
  gsmc convert loans.gsm --to barcelona -o xml"
);
pub const DIFF: &str = concat!(
    "Examples:\n",
    "  gsmc diff loans-1 loans                what changed in the model, and whose verdicts did
  gsmc diff old.gsm new.gsm --format json",
    "\n\nExit codes: 0 no verdict changed, 1 some did, 2 usage or input error, 3 one is open"
);
pub const DOCTOR: &str = concat!(
    "Examples:\n",
    "  gsmc doctor                            which checkers are there, do they work, how to get the others
  gsmc doctor --format json",
    "\n\nExit codes: 0 what is there works, 2 usage error, 3 something that is installed does not work"
);
pub const EXPLAIN: &str = plain!(
    "  gsmc explain E012                      what a message means and what to do
  gsmc explain can-still-finish          what a standard question asks"
);
pub const COMPLETIONS: &str = plain!("  gsmc completions bash > ~/.local/share/bash-completion/completions/gsmc");
pub const MAN: &str = plain!(
    "  gsmc man > gsmc.1
  gsmc man -o man                        a page per command"
);

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn every_command_shows_examples_that_parse_and_its_exit_codes() {
        for command in Cli::command().get_subcommands() {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(text.starts_with("Examples:\n") && text.contains("\nExit codes: 0 "), "{}", command.get_name());
            let shown: Vec<&str> = text.lines().filter(|l| l.starts_with("  gsmc ")).collect();
            assert!(!shown.is_empty(), "{}", command.get_name());
            for line in shown {
                let typed = line.trim().split("  ").next().unwrap_or_default();
                let words = typed.split(" > ").next().unwrap_or_default().split(' ');
                let parsed = Cli::try_parse_from(words);
                assert!(parsed.is_ok(), "{typed}: {}", parsed.map(|_| ()).unwrap_err());
                assert!(typed.starts_with(&format!("gsmc {}", command.get_name())), "{typed}");
            }
        }
    }
}
