//! Reading files.

use super::load;
use crate::lang::cmmn::model::{Choices, Profile};

/// Real files, if somebody points to a folder of them.
#[test]
fn a_folder_of_real_files() {
    let Ok(folder) = std::env::var("GSMC_CMMN_FILES") else { return };
    let mut stack = vec![std::path::PathBuf::from(folder)];
    let mut count = 0;
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(std::fs::read_dir(&path).expect("folder").map(|e| e.expect("entry").path()));
            continue;
        }
        let name = path.display().to_string();
        if !(name.ends_with(".cmmn") || name.ends_with(".cmmn.xml")) {
            continue;
        }
        for profile in super::PROFILES {
            let text = std::fs::read_to_string(&path).expect("text");
            let (case, findings) = load(&text, &Choices { profile, ..Choices::default() });
            count += 1;
            println!(
                "== {name} {} {}",
                profile.name(),
                case.as_ref().map_or("refused".into(), |c| c.items.len().to_string())
            );
            if profile == Profile::Flowable {
                println!("{findings}");
            }
            if let Some(case) = case {
                let found = crate::testing::cmmn::explore(&case, 300);
                println!(
                    "   {} instances, {} snapshots{}, {} rounds",
                    case.instances.len(),
                    found.snapshots.len(),
                    if found.cut { "+" } else { "" },
                    found.rounds
                );
            }
        }
    }
    println!("{count} readings");
}
