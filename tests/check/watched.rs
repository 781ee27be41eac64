//! `gsmc check --watch` as a process: files change under it.

use super::copy_xml;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than any round may take.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watching {
    child: Child,
    said: Receiver<String>,
    dir: tempfile::TempDir,
}

impl Watching {
    /// Starts gsmc on a copy of an example.
    fn start(arguments: &[&str]) -> Watching {
        let dir = tempfile::tempdir().expect("a folder");
        for file in ["gsmc.toml", "model.xml", "properties.gsmp"] {
            copy_xml("examples/teaching/reopen", file, &dir.path().join(file));
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_gsmc"))
            .args(["check", ".", "--watch", "--brief"])
            .args(arguments)
            .env("XDG_CACHE_HOME", dir.path().join("xdg"))
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("gsmc starts");
        let (sender, said) = channel();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("stdout")), Box::new(child.stderr.take().expect("stderr"))];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
            });
        }
        Watching { child, said, dir }
    }

    /// Everything up to a line with some text.
    fn until(&self, text: &str) -> String {
        let mut seen = String::new();
        while !seen.contains(text) {
            match self.said.recv_timeout(PATIENCE) {
                Ok(line) => seen += &format!("{line}\n"),
                Err(e) => panic!("'{text}' never comes ({e}):\n{seen}"),
            }
        }
        seen
    }

    /// One whole round.
    fn round(&self) -> String {
        let said = self.until("Ctrl-C ends");
        // The result goes another way than the last line and may come a moment later.
        let rest: Vec<String> =
            std::iter::from_fn(|| self.said.recv_timeout(Duration::from_millis(300)).ok()).collect();
        said + &rest.join("\n")
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn properties(&self) -> String {
        std::fs::read_to_string(self.path().join("properties.gsmp")).expect("properties")
    }

    /// Ctrl-C; gives the exit code.
    fn end(mut self) -> i32 {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
        for _ in 0..200 {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.code().expect("an exit code");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("Ctrl-C does not end it");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_checks_again_when_files_change() {
    let watching = Watching::start(&[]);
    let first = watching.round();
    assert!(first.contains("5 as expected, 0 not as expected") && !first.contains("cache"), "{first}");
    assert!(first.contains("Watching 3 files"), "{first}");
    assert!(!first.contains('\x1b'), "no escape codes where there is no terminal");
    assert!(watching.path().join("xdg/gsmc").is_dir(), "answers are kept in the user's cache folder");

    // An editor that writes aside and renames.
    let aside = watching.path().join(".properties.gsmp.swp");
    let renamed = watching.properties().replace("x.Approved && EX x.Review", "x.Review && EX x.Approved");
    std::fs::write(&aside, &renamed).expect("aside");
    std::fs::rename(&aside, watching.path().join("properties.gsmp")).expect("renamed");
    let second = watching.round();
    assert!(second.contains("Changed: properties.gsmp"), "{second}");
    assert!(second.contains("4 from the cache"), "{second}");
    let fresh = second.lines().find(|l| l.starts_with("lost-by-reopening")).expect("its row");
    assert!(!fresh.contains("cached"), "{second}");

    // A mistake is shown, and watching goes on.
    std::fs::write(watching.path().join("properties.gsmp"), format!("{renamed}\nbad: AG nothing.There;\n"))
        .expect("bad");
    let third = watching.round();
    assert!(third.contains("error[") && !third.contains("as expected"), "{third}");

    // A file vanishes and comes back.
    std::fs::remove_file(watching.path().join("properties.gsmp")).expect("removed");
    let fourth = watching.round();
    assert!(fourth.contains("properties.gsmp' not found"), "{fourth}");
    std::fs::write(watching.path().join("properties.gsmp"), renamed).expect("back");
    let fifth = watching.round();
    assert!(fifth.contains("5 from the cache"), "{fifth}");

    assert_eq!(watching.end(), 0, "the code of the last round");
}

#[test]
fn a_file_that_is_only_touched_is_no_change() {
    let watching = Watching::start(&["--no-cache", "--property", "approval-lasts"]);
    let first = watching.round();
    assert!(first.contains("1 as expected"), "{first}");
    assert!(!watching.path().join("xdg").exists());
    let text = watching.properties();
    std::fs::write(watching.path().join("properties.gsmp"), &text).expect("the same");
    assert!(watching.said.recv_timeout(Duration::from_millis(1500)).is_err(), "something is said");
    std::fs::write(watching.path().join("properties.gsmp"), text.replace("@expect false", "")).expect("changed");
    let second = watching.round();
    assert!(second.contains("1 not as expected") && !second.contains("cache"), "{second}");
    assert_eq!(watching.end(), 1);
}
