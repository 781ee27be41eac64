//! One child process within limits.
//!
//! The child leads a process group of its own, so that everything it starts can be ended with it. Its output goes to files. While
//! it runs, time, memory of the whole group and size of the run folder are watched; whichever limit is passed first ends the group
//! with a signal that cannot be ignored.

use super::RunFolder;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits on a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall-clock time of a run.
    pub time: Option<Duration>,
    /// Resident memory of all its processes together.
    pub memory: Option<u64>,
    /// Bytes in the run folder.
    pub disk: u64,
    /// Set from outside (Ctrl-C) to end everything.
    pub cancel: Arc<AtomicBool>,
    /// The `gsmc` program, to stand between us and the child and end it should we be killed.
    pub guard: Option<PathBuf>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: None, memory: None, disk: 2 << 30, cancel: Arc::default(), guard: None }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code (none: by a signal).
    Itself(Option<i32>),
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The run folder grew too large.
    Disk,
    /// It was cancelled.
    Cancelled,
}

/// What a run left behind.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// How long it took.
    pub elapsed: Duration,
}

/// How often limits other than time are looked at.
const WATCH: Duration = Duration::from_millis(50);
/// How long a child that was killed may take to go.
const LAST_BREATH: Duration = Duration::from_secs(2);
/// Output larger than this is read only to here; its tail is of no use then.
const MOST_OUTPUT: u64 = 256 << 20;

/// Runs `program` in `folder` with its output in `<stage>.out` and `<stage>.err`, and notes the command in `commands.txt`.
pub fn run(
    folder: &RunFolder,
    stage: &str,
    program: &Path,
    args: &[OsString],
    limits: &Limits,
) -> io::Result<Finished> {
    folder.note_command(program, args)?;
    let (out, err) = (folder.file(&format!("{stage}.out")), folder.file(&format!("{stage}.err")));
    let started = Instant::now();
    let (command, lifeline) = guarded(program, args, limits)?;
    let handle = command
        .dir(folder.path())
        .env("TMPDIR", folder.path())
        .env("LC_ALL", "C")
        .stdout_path(&out)
        .stderr_path(&err)
        .unchecked()
        .before_spawn(|command| {
            own_group(command);
            Ok(())
        })
        .start()?;
    let group = handle.pids().first().copied();
    let ended = watch(&handle, group, started, folder, limits);
    end_group(group);
    if !matches!(ended, Ok(Ended::Itself(_))) {
        let _ = handle.kill();
        let _ = handle.wait_timeout(LAST_BREATH);
    }
    drop(lifeline);
    Ok(Finished { ended: ended?, stdout: text(&out), stderr: text(&err), elapsed: started.elapsed() })
}

/// The command, behind a guard where there is one. A guard holds one end of a pipe whose other end is held here: whatever becomes of
/// us, it notices.
fn guarded(
    program: &Path,
    args: &[OsString],
    limits: &Limits,
) -> io::Result<(duct::Expression, Option<io::PipeWriter>)> {
    let Some(guard) = &limits.guard else { return Ok((duct::cmd(program, args).stdin_null(), None)) };
    let (theirs, ours) = io::pipe()?;
    let words = [super::guard::WORD.into(), program.as_os_str().to_owned()];
    let command = duct::cmd(guard, words.iter().chain(args));
    Ok((command.stdin_file(theirs), Some(ours)))
}

fn watch(
    handle: &duct::Handle,
    group: Option<u32>,
    started: Instant,
    folder: &RunFolder,
    limits: &Limits,
) -> io::Result<Ended> {
    loop {
        let left = limits.time.map(|t| t.saturating_sub(started.elapsed()));
        let pause = left.map_or(WATCH, |l| l.min(WATCH));
        if let Some(output) = handle.wait_timeout(pause)? {
            return Ok(Ended::Itself(output.status.code()));
        }
        if limits.cancel.load(Ordering::Relaxed) {
            return Ok(Ended::Cancelled);
        }
        if left.is_some_and(|l| l.is_zero()) {
            return Ok(Ended::Time);
        }
        if let (Some(most), Some(group)) = (limits.memory, group)
            && memory_of(group) > most
        {
            return Ok(Ended::Memory);
        }
        if folder.size() > limits.disk {
            return Ok(Ended::Disk);
        }
    }
}

fn text(path: &Path) -> String {
    use std::io::Read;
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        let _ = file.take(MOST_OUTPUT).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(unix)]
fn own_group(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut std::process::Command) {}

/// Ends every process of a group that is still there.
#[cfg(unix)]
fn end_group(group: Option<u32>) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = group.and_then(|g| i32::try_from(g).ok()).and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: Option<u32>) {}

/// Resident bytes of all processes of a group; 0 where the system does not tell.
fn memory_of(group: u32) -> u64 {
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    let ids = processes.flatten().filter(|p| p.file_name().to_string_lossy().parse::<u32>().is_ok());
    ids.filter_map(|p| std::fs::read_to_string(p.path().join("stat")).ok())
        .filter_map(|stat| resident(&stat, group))
        .sum()
}

/// Resident bytes from a line of `/proc/<pid>/stat` if the process is in the group. The fields after the command's name, which may
/// itself contain blanks and parentheses: state, parent, group, …; the resident pages are the 22nd of them.
fn resident(stat: &str, group: u32) -> Option<u64> {
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 1..)?.split_whitespace().collect();
    if fields.get(2)?.parse::<u32>().ok()? != group {
        return None;
    }
    Some(fields.get(21)?.parse::<u64>().ok()?.saturating_mul(rustix::param::page_size() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::drive::RunFolder;

    fn shell(script: &str, limits: &Limits) -> (RunFolder, Finished) {
        let folder = RunFolder::new(None, "test").unwrap();
        let args = ["-c".into(), script.into()];
        let done = run(&folder, "sh", Path::new("/bin/sh"), &args, limits).unwrap();
        (folder, done)
    }

    #[test]
    fn output_and_exit_code_come_back() {
        let (_f, done) = shell("echo out; echo err >&2; exit 3", &Limits::default());
        assert_eq!(done.ended, Ended::Itself(Some(3)));
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("out\n", "err\n"));
    }

    #[test]
    fn a_deaf_child_and_its_children_end_in_time() {
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let (folder, done) = shell("trap '' TERM INT; sleep 60 & echo $! > child; while :; do sleep 1; done", &limits);
        assert_eq!(done.ended, Ended::Time);
        assert!(done.elapsed < Duration::from_secs(5));
        let child = std::fs::read_to_string(folder.path().join("child")).unwrap();
        let gone = || match std::fs::read_to_string(format!("/proc/{}/stat", child.trim())) {
            Ok(stat) => stat.contains(") Z "),
            Err(_) => true,
        };
        let until = Instant::now() + Duration::from_secs(5);
        while !gone() && Instant::now() < until {
            std::thread::yield_now();
        }
        assert!(gone(), "the child's child is still running");
    }

    #[test]
    fn children_left_behind_are_ended() {
        let (folder, done) = shell("sleep 60 & echo $! > child", &Limits::default());
        assert_eq!(done.ended, Ended::Itself(Some(0)));
        assert!(done.elapsed < Duration::from_secs(10));
        assert!(folder.path().join("child").exists());
    }

    #[test]
    fn memory_and_disk_are_watched() {
        let limits = Limits { memory: Some(30 << 20), time: Some(Duration::from_secs(20)), ..Limits::default() };
        let (_f, done) = shell("x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 10; echo $x | wc -c", &limits);
        assert_eq!(done.ended, Ended::Memory);
        let limits = Limits { disk: 1 << 20, time: Some(Duration::from_secs(20)), ..Limits::default() };
        let (_f, done) = shell("while :; do echo filling; done", &limits);
        assert_eq!(done.ended, Ended::Disk);
    }

    #[test]
    fn cancelling_ends_a_run() {
        let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
        limits.cancel.store(true, Ordering::Relaxed);
        assert_eq!(shell("sleep 60", &limits).1.ended, Ended::Cancelled);
    }

    #[test]
    fn memory_of_one_process() {
        let line = "7 (a (b) c) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 100 4096 250 18446744073709551615 1";
        assert_eq!(resident(line, 42), Some(250 * rustix::param::page_size() as u64));
        assert_eq!(resident(line, 41), None);
        assert_eq!(resident("", 42), None);
    }
}
