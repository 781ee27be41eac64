//! The example cases: what is found in them, and that their repaired twins are clean.

use super::case;
use crate::lang::cmmn::lower::{MOST_ROUNDS, lower};
use crate::lang::cmmn::model::Profile;

#[test]
fn findings() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cmmn");
    for name in ["loan", "loan-repaired", "admission", "admission-repaired", "claim", "claim-repaired"] {
        let read = |ending: &str| std::fs::read_to_string(folder.join(format!("{name}.{ending}"))).expect("a file");
        let case = case(&read("cmmn"), Profile::Flowable);
        let lowered = lower(&case, MOST_ROUNDS, true, &mut |_, _, _| Vec::new()).expect("machine");
        let options = crate::native::verdict::Options { builtin: true, ..Default::default() };
        let report = crate::native::verdict::check(&lowered.machine, &options);
        let failed = report.answers.iter().filter(|a| a.result.verdict.holds() != Some(true));
        let found: Vec<&str> = failed.map(|a| a.result.property.as_str()).collect();
        assert_eq!(found.join("\n"), read("findings").trim_end(), "{name}");
    }
}
