//! The `gsmc` command.

fn main() -> std::process::ExitCode {
    gsmc::cli::run(std::env::args_os())
}
