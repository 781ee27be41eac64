//! `gsmc explore` as a program: its address, its refusals, its end. The page itself is tested in a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

fn gsmc(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.arg("explore").args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

struct Server {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(args: &[&str]) -> Server {
    let mut child = gsmc(args).args(["--port", "0"]).spawn().expect("gsmc starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("http://") {
        line.clear();
        assert!(stderr.read_line(&mut line).expect("text") > 0, "it ended without an address");
    }
    let address = line.split("http://").nth(1).and_then(|r| r.split('/').next()).expect("an address").to_string();
    Server { child, stderr, address }
}

fn get(server: &Server, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn it_serves_on_loopback_and_ends_in_order_on_an_interrupt() {
    let mut server = serve(&[&example("teaching/one-stage")]);
    let address = server.address.clone();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(get(&server, "/", &address).starts_with("HTTP/1.1 200"));
    assert!(get(&server, "/api/model", &address).contains("\"variables\""));
    assert!(get(&server, "/api/model", "rebound.example").starts_with("HTTP/1.1 403"));
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
    let mut rest = String::new();
    server.stderr.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "Stopped.\n");
}

#[test]
fn a_path_and_a_trace_are_where_the_page_starts() {
    let server = serve(&[&example("teaching/real-race"), "--path", "1/Visit"]);
    let about = get(&server, "/api/model", &server.address);
    assert!(about.contains("\"run\":{\"title\":\"\",\"path\":\"Create_Car/Visit\",\"loop_start\":null}"), "{about}");
    let folder = tempfile::tempdir().expect("a folder");
    let (lasso, file) = (example("teaching/lasso"), folder.path().join("results.json").display().to_string());
    let check = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["check", &lasso, "--property", "comes-in-the-end", "--format", "json", "-o", &file])
        .output()
        .expect("gsmc runs");
    assert!(Path::new(&file).is_file(), "{}", String::from_utf8_lossy(&check.stderr));
    let server = serve(&[&lasso, "--trace", &file]);
    assert!(get(&server, "/api/model", &server.address).contains("\"loop_start\":2"));
}

#[test]
fn what_cannot_be_started_says_why() {
    let ends = |args: &[&str]| {
        let output = gsmc(args).output().expect("gsmc runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let race = example("teaching/real-race");
    let (code, said) = ends(&[&race, "--path", "1/Sell"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("error: step 2 of the path, 'Sell': nothing called 'Sell'"), "{said}");
    let (code, said) = ends(&[&race, "--trace", "no such file"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("'no such file'"), "{said}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("t.json");
    let trace = r#"{"kind":"run","certified":true,"loop_start":null,"steps":[{"agent":null,"event":"Confirm","target":"Car[1]"}]}"#;
    std::fs::write(&file, trace).expect("a file");
    let (code, said) = ends(&[&race, "--trace", &file.display().to_string()]);
    assert_eq!(code, Some(4), "{said}");
    assert_eq!(ends(&["no such folder"]).0, Some(2));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (code, said) = ends(&[&race, "--port", &port]);
    assert_eq!(code, Some(2));
    assert!(said.contains(&format!("cannot listen on port {port}")), "{said}");
}

#[test]
fn a_recorded_case_is_where_the_page_starts() {
    let (project, log) = (example("shipment"), example("shipment/log.csv"));
    let server = serve(&[&project, &log, "--case", "S-2"]);
    let about = get(&server, "/api/model", &server.address);
    assert!(about.contains("\"title\":\"recorded case S-2\",\"path\":\"booked"), "{about}");
    let refused = |args: &[&str]| {
        let run = gsmc(args).output().expect("gsmc runs");
        (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned())
    };
    let (code, said) = refused(&[&project, &log, "--case", "S-99"]);
    assert!(code == Some(2) && said.contains("the log has no case 'S-99'"), "{said}");
    let (code, said) = refused(&[&project, "--case", "S-2"]);
    assert!(code == Some(2) && said.contains("no log is named"), "{said}");
}
