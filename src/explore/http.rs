//! The least of HTTP/1.1 that a browser on the same machine needs, and everything it must refuse.
//!
//! One request a connection, GET and HEAD only, no bodies. A page on the web must not reach a model through its reader's browser:
//! the server listens on loopback only, a request must name this server as its host (or a name that resolves here
//! could stand for it: DNS rebinding), and must not come from another origin's page. Heads are limited in size and time, and so are
//! connections in number: where there are too many, those that wait longest for the other side go.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of a request's head; a path of ten thousand steps fits.
pub const LONGEST_HEAD: usize = 1 << 20;
/// How long a head may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a waiting connection looks whether the server is to stop.
const SLICE: Duration = Duration::from_millis(100);
/// Connections at a time.
const CONNECTIONS: usize = 64;

/// A request, decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Only the head of the answer is wanted.
    pub head_only: bool,
    /// The path, decoded.
    pub path: String,
    /// Parameters in order, decoded.
    pub query: Vec<(String, String)>,
}

impl Request {
    /// The first parameter of a name; empty when there is none.
    pub fn get(&self, name: &str) -> &str {
        self.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Content type.
    pub kind: &'static str,
    /// The body.
    pub body: String,
}

impl Response {
    /// An answer.
    pub fn new(status: u16, kind: &'static str, body: String) -> Response {
        Response { status, kind, body }
    }

    /// A value as JSON.
    pub fn json(status: u16, value: &impl serde::Serialize) -> Response {
        match serde_json::to_string(value) {
            Ok(text) => Response::new(status, "application/json; charset=utf-8", text),
            Err(e) => Response::refuse(500, &format!("the answer cannot be written: {e}")),
        }
    }

    /// No, and why.
    pub fn refuse(status: u16, why: &str) -> Response {
        let body = serde_json::json!({ "error": why }).to_string();
        Response::new(status, "application/json; charset=utf-8", body)
    }
}

/// Opens a listener on loopback; port 0 picks a free one.
pub fn listen(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))
}

/// Answers requests until `stop` is set; a connection is then needed to wake it.
pub fn serve(listener: &TcpListener, stop: &AtomicBool, answer: &(dyn Fn(&Request) -> Response + Sync)) {
    let Ok(here) = listener.local_addr() else { return };
    let (open, waiting) = (AtomicUsize::new(0), Waiting::default());
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let Ok(stream) = stream else { continue };
            // Those that are being answered are not dropped: a new one waits for them.
            while open.load(Ordering::Relaxed) >= CONNECTIONS && !waiting.drop_oldest() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            open.fetch_add(1, Ordering::Relaxed);
            let (open, waiting) = (&open, &waiting);
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                converse(stream, here, waiting, stop, answer);
                open.fetch_sub(1, Ordering::Relaxed);
            });
            if spawned.is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
}

/// Connections that wait for the other side, the oldest first.
#[derive(Default)]
struct Waiting {
    streams: Mutex<VecDeque<(usize, TcpStream)>>,
    next: AtomicUsize,
}

impl Waiting {
    fn streams(&self) -> MutexGuard<'_, VecDeque<(usize, TcpStream)>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something that the other side may hold up.
    fn during<T>(&self, stream: &mut TcpStream, work: impl FnOnce(&mut TcpStream) -> T) -> T {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if let Ok(same) = stream.try_clone() {
            self.streams().push_back((number, same));
        }
        let done = work(stream);
        self.streams().retain(|(n, _)| *n != number);
        done
    }

    /// Ends the one that waits longest, if one waits.
    fn drop_oldest(&self) -> bool {
        let oldest = self.streams().pop_front();
        oldest.map(|(_, stream)| stream.shutdown(Shutdown::Both)).is_some()
    }
}

/// One connection: one request, one answer.
fn converse(
    mut stream: TcpStream,
    here: SocketAddr,
    waiting: &Waiting,
    stop: &AtomicBool,
    answer: &(dyn Fn(&Request) -> Response + Sync),
) {
    let loopback = |peer: SocketAddr| peer.ip().is_loopback();
    if !stream.peer_addr().is_ok_and(loopback) {
        return;
    }
    let _ = stream.set_read_timeout(Some(SLICE));
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let request = match waiting.during(&mut stream, |stream| read_head(stream, stop)) {
        Ok(Some(head)) => parse(&head, here.port()),
        Ok(None) => return,
        Err(refusal) => Err(refusal),
    };
    let (response, head_only) = match request {
        Ok(request) => {
            // A fault in one answer must not take the server down.
            let answered = catch_unwind(AssertUnwindSafe(|| answer(&request)));
            (answered.unwrap_or_else(|_| Response::refuse(500, "gsmc failed on this request")), request.head_only)
        }
        Err(refusal) => (refusal, false),
    };
    let _ = waiting.during(&mut stream, |stream| send(stream, &response, head_only));
}

/// Reads up to the empty line; `None` when the other side went away or the server is to stop.
fn read_head(stream: &mut impl Read, stop: &AtomicBool) -> Result<Option<Vec<u8>>, Response> {
    let started = Instant::now();
    let (mut head, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(n) => {
                let from = head.len().saturating_sub(3);
                head.extend_from_slice(&buffer[..n]);
                if head.len() > LONGEST_HEAD {
                    return Err(Response::refuse(431, "the request is too long"));
                }
                if let Some(end) = head[from..].windows(4).position(|w| w == b"\r\n\r\n") {
                    head.truncate(from + end);
                    return Ok(Some(head));
                }
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(_) => return Ok(None),
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if started.elapsed() > PATIENCE {
            return Err(Response::refuse(408, "the request took too long"));
        }
    }
}

/// Reads a head (without its empty line) and refuses what is not for us.
pub fn parse(head: &[u8], port: u16) -> Result<Request, Response> {
    let bad = |why: &str| Response::refuse(400, why);
    let head = std::str::from_utf8(head).map_err(|_| bad("the request is not text"))?;
    let mut lines = head.split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, target, "HTTP/1.1" | "HTTP/1.0"] = words.as_slice() else { return Err(bad("that is not HTTP/1.1")) };
    let headers = lines
        .map(|line| line.split_once(':').map(|(name, value)| (name.to_ascii_lowercase(), value.trim())))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| bad("a header line has no colon"))?;
    check_origin(&headers, port)?;
    if !matches!(*method, "GET" | "HEAD") {
        return Err(Response::refuse(405, "only GET and HEAD"));
    }
    let has_body = |(name, value): &(String, &str)| match name.as_str() {
        "transfer-encoding" => true,
        "content-length" => *value != "0",
        _ => false,
    };
    if headers.iter().any(has_body) {
        return Err(Response::refuse(413, "a request has no body here"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if !path.starts_with('/') {
        return Err(bad("the address does not begin with a slash"));
    }
    let decode = |text: &str| crate::trace::path::decode(text).map_err(|why| bad(&why));
    let pair = |part: &str| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        Ok((decode(key)?, decode(value)?))
    };
    let query = query.split('&').filter(|p| !p.is_empty()).map(pair).collect::<Result<_, Response>>()?;
    Ok(Request { head_only: *method == "HEAD", path: decode(path)?, query })
}

/// The request must name this server, and must not come from somebody else's page.
fn check_origin(headers: &[(String, &str)], port: u16) -> Result<(), Response> {
    let forbidden = |why: &str| Err(Response::refuse(403, why));
    let of = |name: &'static str| headers.iter().filter(move |(n, _)| n == name).map(|(_, value)| *value);
    let ours = |host: &str| {
        let host = host.to_ascii_lowercase();
        ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
            host.strip_prefix(name).is_some_and(|rest| rest == format!(":{port}") || (rest.is_empty() && port == 80))
        })
    };
    match of("host").collect::<Vec<_>>().as_slice() {
        [host] if ours(host) => {}
        _ => return forbidden("this server answers to localhost only"),
    }
    if of("origin").any(|origin| !origin.strip_prefix("http://").is_some_and(ours)) {
        return forbidden("this server answers its own page only");
    }
    let follows_a_link = of("sec-fetch-mode").any(|m| m == "navigate") && of("sec-fetch-dest").any(|d| d == "document");
    if of("sec-fetch-site").any(|site| matches!(site, "cross-site" | "same-site")) && !follows_a_link {
        return forbidden("this server answers its own page only");
    }
    Ok(())
}

const HEADERS: &str = "Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
     X-Content-Type-Options: nosniff\r\n\
     X-Frame-Options: DENY\r\n\
     Referrer-Policy: no-referrer\r\n\
     Cross-Origin-Opener-Policy: same-origin\r\n\
     Cross-Origin-Resource-Policy: same-origin\r\n\
     Cache-Control: no-store\r\n\
     Connection: close\r\n";

fn send(stream: &mut TcpStream, response: &Response, head_only: bool) -> std::io::Result<()> {
    let Response { status, kind, body } = response;
    let word = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status} {word}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{HEADERS}\r\n");
    stream.write_all(head.as_bytes())?;
    if !head_only {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()?;
    // Closing while the other side still sends would lose the answer: say that we are done, and take what is left for a moment.
    stream.shutdown(std::net::Shutdown::Write)?;
    let (mut rest, started) = ([0; 8192], Instant::now());
    while started.elapsed() < Duration::from_secs(1) && stream.read(&mut rest).is_ok_and(|n| n > 0) {}
    Ok(())
}
