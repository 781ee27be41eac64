//! Readers on small texts, good and bad.

use super::{Event, Fault, Format, Options, TimeFormat, open};
use std::io::Write;
use std::path::PathBuf;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("folder"))
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("parent")).expect("folders");
        std::fs::write(&path, bytes).expect("file");
        path
    }
}

fn all(name: &str, bytes: impl AsRef<[u8]>, options: &Options) -> (Vec<Event>, Vec<Fault>) {
    let folder = Folder::new();
    match open(&folder.file(name, bytes).into(), options) {
        Err(fault) => (vec![], vec![fault]),
        Ok(events) => {
            let (good, bad): (Vec<_>, Vec<_>) = events.partition(Result::is_ok);
            (good.into_iter().flatten().collect(), bad.into_iter().filter_map(Result::err).collect())
        }
    }
}

fn shown(events: &[Event]) -> Vec<String> {
    let one = |e: &Event| {
        let mut text = format!("{} {}", e.case, e.activity);
        if let Some(t) = &e.time {
            text += &format!(" @{}", t.at / 1_000_000);
        }
        if let Some(a) = &e.agent {
            text += &format!(" by {a}");
        }
        e.attributes.iter().for_each(|(k, v)| text += &format!(" {k}={v}"));
        text
    };
    events.iter().map(one).collect()
}

const XES: &str = r#"<?xml version="1.0"?>
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
 <extension name="Concept" prefix="concept" uri="u"/>
 <global scope="event"><string key="concept:name" value="none"/></global>
 <trace>
  <string key="concept:name" value="c &amp; 1"/>
  <event>
   <string key="concept:name" value="pay"><string key="inner" value="x"/></string>
   <date key="time:timestamp" value="2026-01-02T03:04:05.006+01:00"/>
   <string key="org:resource" value="u17"/>
   <int key="amount" value="5"/>
   <list key="l"><values><string key="a" value="b"/></values></list>
  </event>
  <event><string key="concept:name" value="ship"/></event>
 </trace>
 <trace><event><string key="concept:name" value="pay"/></event></trace>
</log>"#;

#[test]
fn xes() {
    let (events, faults) = all("a.xes", XES, &Options::default());
    assert_eq!(faults, []);
    assert_eq!(shown(&events), ["c & 1 pay @1767319445006 by u17 amount=5", "c & 1 ship", "trace 2 pay"]);
    assert_eq!(events[0].line, 7);
}

#[test]
fn packed_files_are_unpacked() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(XES.as_bytes()).expect("packs");
    let (events, faults) = all("a.bin", packed.finish().expect("packs"), &Options::default());
    assert_eq!((events.len(), faults.len()), (3, 0));
}

#[test]
fn a_log_cut_in_the_middle_gives_what_was_there() {
    let cut = &XES[..XES.find("<trace><event>").expect("second") + 20];
    let (events, faults) = all("a.xes", cut, &Options::default());
    assert_eq!(shown(&events)[1], "c & 1 ship");
    assert_eq!(faults.len(), 1);
    assert!(faults[0].message.contains("breaks off"), "{}", faults[0]);
}

/// What is known of the row at which a table or lines break off.
#[test]
fn mixed_logs_say_that_they_break_off_and_in_which_case() {
    let cut = |name: &str, text: &str| {
        let (events, faults) = all(name, text, &Options::default());
        let told: Vec<_> = faults.iter().map(|f| (f.cut, f.case.clone(), f.line)).collect();
        (events.len(), told)
    };
    let case = |c: &str| Some(c.to_string());
    let table = "case,activity,time\nc10,a,1\nc11,a,2\nc10,b,3\n";
    assert_eq!(cut("a.csv", table), (3, vec![]));
    // 'c1' may be the beginning of another name.
    assert_eq!(cut("a.csv", &format!("{table}c1")), (3, vec![(true, None, Some(5))]));
    assert_eq!(cut("a.csv", &format!("{table}c10,")), (3, vec![(true, case("c10"), Some(5))]));
    assert_eq!(cut("a.csv", &format!("{table}c10,b\nc11,b,4\n")), (4, vec![(false, case("c10"), Some(5))]));
    let lines = "{\"case\":\"c10\",\"activity\":\"a\"}\n";
    assert_eq!(cut("a.jsonl", &format!("{lines}{{\"case\":\"c1")), (1, vec![(true, None, Some(2))]));
    let inner = "{\"case\":\"c10\",\"data\":{\"n\":1,\"m";
    assert_eq!(cut("a.jsonl", &format!("{lines}{inner}")), (1, vec![(true, case("c10"), Some(2))]));
    assert_eq!(cut("a.jsonl", &format!("{lines}{inner}\n{lines}")), (2, vec![(false, None, Some(2))]));
}

#[test]
fn bombs_are_refused() {
    let bomb = r#"<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><log><trace><string key="concept:name" value="&b;"/></trace></log>"#;
    let (events, faults) = all("a.xes", bomb, &Options::default());
    assert!(events.is_empty() && faults[0].message.contains("document types"), "{faults:?}");
    let unknown = r#"<log><trace><string key="concept:name" value="&b;"/></trace></log>"#;
    assert_eq!(all("a.xes", unknown, &Options::default()).1.len(), 1);
    let deep = "<a>".repeat(100_000);
    assert_eq!(all("a.xes", deep, &Options::default()).1.len(), 1);
}

#[test]
fn tables() {
    let text = "Case ID;Activity;Timestamp;method\n1;\"pay; now\";2026-01-02;card\n2;ship;;\n";
    let (events, faults) = all("a.csv", text, &Options::default());
    assert_eq!(faults, []);
    assert_eq!(shown(&events), ["1 pay; now @1767312000000 method=card", "2 ship"]);
    let tabs = "case\tactivity\n1\ta,b\n";
    assert_eq!(shown(&all("a.tsv", tabs, &Options::default()).0), ["1 a,b"]);
}

#[test]
fn what_is_wrong_in_a_table_is_told_with_its_line_and_the_rest_is_read() {
    let text = b"case,activity,time\n1,pay,yesterday\n2,ship\n3,p\xffy,\n4,ok,5\n";
    let (events, faults) = all("a.csv", text, &Options::default());
    assert_eq!(shown(&events), ["4 ok @5"]);
    let told: Vec<String> = faults.iter().map(|f| format!("{:?} {} {:?}", f.line, f.message, f.case)).collect();
    assert_eq!(
        told,
        [
            "Some(2) 'yesterday' is not a time Some(\"1\")",
            "Some(3) 2 columns where the header has 3 Some(\"2\")",
            "Some(4) the text is not UTF-8 Some(\"3\")"
        ]
    );
    let (_, faults) = all("a.csv", "a,b\n1,2\n", &Options::default());
    assert!(faults[0].message.starts_with("no column for the case"), "{faults:?}");
    assert!(all("a.csv", " \n", &Options::default()).1[0].message.contains("empty"));
}

#[test]
fn columns_and_times_of_ones_own() {
    let options = Options {
        case: Some("Order".into()),
        activity: Some("What".into()),
        time: Some("When".into()),
        time_format: TimeFormat::Pattern("%d.%m.%Y %H:%M".into()),
        ..Options::default()
    };
    let text = "Order,What,When,case\n7,pay,02.01.2026 00:00,x\n";
    assert_eq!(shown(&all("a.csv", text, &options).0), ["7 pay @1767312000000 case=x"]);
}

#[test]
fn json_lines() {
    let text = "{\"case\":1,\"activity\":\"pay\",\"data\":{\"method\":\"card\",\"n\":[1]}}\n\n[1]\n{\"activity\":\"x\"}\n{\"case\":2,\"activity\":\"ok\"}";
    let (events, faults) = all("a.jsonl", text, &Options::default());
    assert_eq!(shown(&events), ["1 pay data.method=card", "2 ok"]);
    assert_eq!(faults.iter().map(|f| f.line).collect::<Vec<_>>(), [Some(3), Some(4)]);
}

#[test]
fn pairs_of_the_emulator() {
    let folder = Folder::new();
    let states = folder.file("leg/02-LEG-uncompliant.csv", "500;status;Still\n700;status;Moving\n");
    folder.file("leg/02-LEG-shipper.csv", "500;eventid;started;data;a48\n");
    let options = Options { item: Some("Truck".into()), ..Options::default() };
    let events: Vec<Event> =
        open(&states.clone().into(), &options).expect("opens").map(|e| e.expect("event")).collect();
    assert_eq!(
        shown(&events),
        [
            "leg/02 started @500",
            "leg/02 Truck @500 item=Truck status=Still",
            "leg/02 Truck @700 item=Truck status=Moving"
        ]
    );
    assert_eq!(super::emulator::label_of(&states), Some(super::Label::Uncompliant));
    let forced = Options { format: Some(Format::Emulator), ..options };
    assert_eq!(all("x.csv", "abc\n", &forced).1.len(), 1);
}

/// More: `GSMC_MUTATIONS=20000 cargo test --lib damaged_logs`.
#[test]
fn damaged_logs_never_panic() {
    let wished = std::env::var("GSMC_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let rounds: u64 = wished.unwrap_or(600);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(XES.as_bytes()).expect("packs");
    let texts: [(&str, Vec<u8>); 5] = [
        ("a.xes", XES.into()),
        ("a.csv", "case;activity;time;x\n1;\"a\"\"b\";2026-01-02T03:04:05Z;\n2;b;5;y\n".into()),
        (
            "a.jsonl",
            "{\"case\":1,\"activity\":\"a\",\"d\":{\"e\":[1,{}]}}\n{\"case\":2,\"activity\":\"b\",\"time\":7}\n".into(),
        ),
        ("01-L-compliant.csv", "1;status;A\n2;eventid;b\n".into()),
        ("a.xes.gz", packed.finish().expect("packs")),
    ];
    let pieces: [&[u8]; 9] = [b"<", b"\"", b"\xff", b"{", b"\n", b";", b"\0", b"&a;", b"99999999999999999999"];
    let folder = Folder::new();
    let mut rng = fastrand::Rng::with_seed(rounds);
    for round in 0..rounds as usize {
        let (name, text) = &texts[round % texts.len()];
        let mut bytes = text.clone();
        for _ in 0..rng.usize(1..5) {
            let at = rng.usize(0..=bytes.len());
            let to = (at + rng.usize(0..30)).min(bytes.len());
            match rng.u8(0..4) {
                0 => drop(bytes.drain(at..to)),
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at..to].iter_mut().for_each(|b| *b = b.wrapping_add(1 << (round % 8))),
                _ => drop(bytes.splice(at..at, pieces[rng.usize(..pieces.len())].iter().copied())),
            }
        }
        let options = Options { item: Some("T".into()), ..Options::default() };
        let Ok(events) = open(&folder.file(name, &bytes).into(), &options) else { continue };
        // What cannot be read ends: there are not more pieces than bytes.
        assert!(events.take(10_000).count() < 10_000, "{name}: {bytes:?}");
    }
}
