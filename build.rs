//! Which gsmc this is, by what it is made of: answers that are kept (`--cache`) are those of the very same sources.

use std::path::{Path, PathBuf};

/// What goes into the program.
const PARTS: [&str; 7] = [
    "Cargo.lock",
    "Cargo.toml",
    "backends/mcmas/reserved.txt",
    "backends/nusmv/reserved.txt",
    "backends/spin/reserved.txt",
    "src",
    "templates",
];

fn main() -> std::io::Result<()> {
    let mut files = Vec::new();
    for part in PARTS.map(Path::new).into_iter().filter(|part| part.exists()) {
        println!("cargo::rerun-if-changed={}", part.display());
        list(part, &mut files)?;
    }
    files.sort();
    // FNV-1a with 128 bits, as of entries in the cache.
    let mut digest: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        for byte in name.bytes().chain([0]).chain(std::fs::read(&file)?).chain([0]) {
            digest = (digest ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    println!("cargo::rustc-env=GSMC_SOURCES={digest:032x}");
    Ok(())
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}
