//! What a stranger's files can do: the lines of docs/security.md, attacked one by one.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const MODEL: &str = "application Club\nevent Join\ntype Card { stage Member { guard on Join } }\n";

/// A folder with a small project, and what lies beside it.
struct Strange {
    all: tempfile::TempDir,
}

impl Strange {
    fn new() -> Strange {
        let strange = Strange { all: tempfile::tempdir().expect("a folder") };
        std::fs::create_dir(strange.project()).expect("a project");
        strange.put("gsmc.toml", "model = \"model.gsm\"\nproperties = [\"p.gsmp\"]\n");
        strange.put("model.gsm", MODEL);
        strange.put("p.gsmp", "@expect false\n'../../escaped': AG !(exists c: Card (c.Member));\n");
        std::fs::write(strange.secret(), "PASSWORD = hunter2\n").expect("a secret");
        strange
    }

    fn project(&self) -> PathBuf {
        self.all.path().join("project")
    }

    /// A file outside of the project.
    fn secret(&self) -> PathBuf {
        self.all.path().join("secret")
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.project().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Runs gsmc in the project's folder, half a minute at most.
    fn run(&self, args: &[&str]) -> Output {
        self.run_with(args, &[])
    }

    fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Output {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "30", env!("CARGO_BIN_EXE_gsmc")]).args(args).current_dir(self.project());
        command.stdin(Stdio::null()).envs(env.iter().copied()).output().expect("gsmc runs")
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[test]
fn programs_of_the_folder_are_not_run() {
    let strange = Strange::new();
    let mark = strange.all.path().join("started");
    let inner = strange.project().join("inner");
    for folder in [strange.project(), strange.project().join(".tools/bin"), strange.all.path().join(".tools/bin")] {
        std::fs::create_dir_all(&folder).expect("a folder");
        for name in ["z3", "cvc5", "NuSMV", "nusmv", "nuXmv", "spin", "mcmas", "gcc", "cc", "clang", "xdg-open"] {
            let text = format!("#!/bin/sh\necho {name} >> '{}'\necho 'Z3 version 4.8.12'\n", mark.display());
            std::fs::write(folder.join(name), text).expect("a program");
            std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o755)).expect("a program");
        }
    }
    std::fs::create_dir(&inner).expect("a folder");
    for path in ["", ":", ".", "..:", ".tools/bin", "/nowhere::../.tools/bin", "/usr/bin:/bin:."] {
        let env = [("PATH", path), ("GSMC_TOOLS", ""), ("GSMC_Z3", ""), ("GSMC_SPIN", ""), ("GSMC_NUSMV", "")];
        for at in [strange.project(), inner.clone()] {
            let model = strange.project().display().to_string();
            for args in [&["doctor"][..], &["check", &model, "--abstract"], &["check", &model, "--backend", "all"]] {
                let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
                command.args(args).current_dir(&at).envs(env).stdin(Stdio::null()).output().expect("gsmc runs");
            }
        }
    }
    // Nor does the page open in a browser of theirs.
    for path in [":", ".:.tools/bin"] {
        let args = ["-s", "INT", "2", env!("CARGO_BIN_EXE_gsmc"), "explore", ".", "--open", "--port", "0"];
        let mut explore = Command::new("/usr/bin/timeout");
        let done = explore.args(args).current_dir(strange.project()).env("PATH", path).output().expect("gsmc runs");
        assert!(said(&done).contains("'xdg-open' cannot be started"), "{}", said(&done));
    }
    assert!(!mark.exists(), "{}", std::fs::read_to_string(&mark).unwrap_or_default());
}

#[test]
fn a_project_names_no_program() {
    let strange = Strange::new();
    let keys =
        ["backend", "smt", "nusmv", "spin", "mcmas", "z3", "cvc5", "run_dir", "cache", "output", "jobs", "memory"];
    for key in keys.iter().flat_map(|key| [key.to_string(), key.replace('_', "-"), format!("--{key}")]) {
        for section in ["", "[options]\n", "[abstraction]\n", "[replay]\n", "[tools]\n", "[backend]\n"] {
            let quoted = format!("\"{key}\" = \"./evil\"\n");
            let top = if section.is_empty() { quoted.as_str() } else { "" };
            let below = if section.is_empty() { String::new() } else { format!("{section}{quoted}") };
            strange.put("gsmc.toml", &format!("model = \"model.gsm\"\n{top}{below}"));
            let done = strange.run(&["validate", "."]);
            assert_eq!(done.status.code(), Some(2), "{section}{key}: {}", said(&done));
        }
    }
}

#[test]
fn a_project_reads_no_file_but_those_of_projects() {
    let strange = Strange::new();
    let secret = strange.secret().display().to_string();
    symlink(strange.secret(), strange.project().join("link.gsma")).expect("a link");
    for name in ["../secret", &secret, "link.gsma", "./../project/../secret", "/etc/passwd", "/dev/stdin"] {
        for key in [
            "model = \"N\"",
            "model = \"model.gsm\"\nagents = \"N\"",
            "model = \"model.gsm\"\nproperties = [\"N\"]",
            "model = \"model.gsm\"\nschemas = [\"N\"]",
        ] {
            strange.put("gsmc.toml", &key.replace('N', name));
            let done = strange.run(&["check", "."]);
            let told = said(&done);
            assert!(done.status.code() == Some(2) && told.contains("[E004]"), "{name} {key}: {told}");
            assert!(!told.contains("hunter2") && !told.contains("root:"), "{name} {key}: {told}");
        }
    }
    std::fs::remove_file(strange.project().join("gsmc.toml")).expect("it was there");
    symlink(strange.secret(), strange.project().join("gsmc.toml")).expect("a link");
    let told = said(&strange.run(&["check", "."]));
    assert!(told.contains("[E004]") && !told.contains("hunter2"), "{told}");
}

const XML: &str = r#"<ca:CompositeApplication xmlns:ca="http://siena.ibm.com/model/CompositeApplication" name="Shop">
<ca:Component id="Order" name="Order">
<ca:InformationModel id="m" rootDataItemId="d"><ca:DataItem id="d" schemaUri="URI" rootElement="Order"/></ca:InformationModel>
<ca:GuardedStageModel id="l"><ca:Stage id="S" name="S"><ca:StageGuard id="g" eventIds="E"/></ca:Stage></ca:GuardedStageModel>
</ca:Component><ca:EventModel id="e"><ca:Event id="E" name="E"/></ca:EventModel></ca:CompositeApplication>"#;

const XSD: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">MORE<xs:element name="Order"><xs:complexType>
<xs:sequence><xs:element name="parts" type="xs:int"/></xs:sequence></xs:complexType></xs:element></xs:schema>"#;

#[test]
fn schemas_lie_in_the_folder() {
    let strange = Strange::new();
    let schema = strange.all.path().join("outside.xsd");
    std::fs::write(&schema, XSD.replace("MORE", "")).expect("a schema");
    symlink(&schema, strange.project().join("link.xsd")).expect("a link");
    let whole = schema.display().to_string();
    for uri in
        ["../outside.xsd", &whole, "link.xsd", "file:///etc/passwd", "http://localhost:9/x.xsd", "..\\outside.xsd"]
    {
        let model = strange.put("model.xml", &XML.replace("URI", uri));
        let done = strange.run(&["validate", "-m", &model.display().to_string()]);
        let told = said(&done);
        assert!(done.status.code() == Some(2) && (told.contains("[E004]") || told.contains("[E001]")), "{uri}: {told}");
    }
    // What a schema redefines or imports is not looked for, and what it includes is read like a schema: a pipe that nobody writes to
    // does not keep us.
    fifo(&strange.project().join("more.xsd"));
    let more = |words: &[&str], at: &str| {
        words.iter().map(|w| format!("<xs:{w} schemaLocation=\"{at}\"/>")).collect::<String>()
    };
    let model = strange.put("model.xml", &XML.replace("URI", "data.xsd"));
    let validate = |inside: &str| {
        strange.put("data.xsd", &XSD.replace("MORE", inside));
        strange.run(&["validate", "-m", &model.display().to_string()])
    };
    let done = validate(&more(&["redefine", "import"], "more.xsd"));
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    for at in ["more.xsd", "../outside.xsd", whole.as_str(), "link.xsd", "file:///etc/passwd"] {
        let done = validate(&more(&["include"], at));
        assert_eq!(done.status.code(), Some(2), "{at}: {}", said(&done));
    }
}

#[test]
fn entities_are_not_expanded() {
    let strange = Strange::new();
    let doctype = format!(
        "<!DOCTYPE a [<!ENTITY b \"{}\"><!ENTITY x SYSTEM \"file://{}\">]>",
        "&c;".repeat(20),
        strange.secret().display()
    );
    strange.put("data.xsd", &(doctype.clone() + &XSD.replace("MORE", "<!-- &b;&x; -->")));
    strange.put("a.xml", &(doctype.clone() + &XML.replace("name=\"Shop\"", "name=\"&b;&x;\"")));
    strange.put("b.xml", &XML.replace("URI", "data.xsd"));
    strange.put("c.cmmn", &format!("{doctype}<definitions>&b;&x;</definitions>"));
    strange.put("d.xes", &format!("{doctype}<log><trace><string key=\"concept:name\" value=\"&x;\"/></trace></log>"));
    for args in [["check", "a.xml"], ["check", "b.xml"], ["check", "c.cmmn"]] {
        let done = strange.run(&args);
        let told = said(&done);
        assert!(
            done.status.code() == Some(2) && told.contains("[E010]") && !told.contains("hunter2"),
            "{args:?}: {told}"
        );
    }
    let told = said(&strange.run(&["replay", ".", "d.xes"]));
    assert!(told.contains("document types are refused") && !told.contains("hunter2"), "{told}");
}

#[test]
fn only_files_are_read() {
    let strange = Strange::new();
    let pipe = strange.project().join("pipe.gsm");
    fifo(&pipe);
    let _socket = std::os::unix::net::UnixListener::bind(strange.project().join("socket")).expect("a socket");
    let begin = Instant::now();
    for file in ["pipe.gsm", "socket", "/dev/zero"] {
        for args in [
            &["check", file][..],
            &["check", "-m", file],
            &["check", ".", "-a", file],
            &["check", ".", "-s", file],
            &["replay", ".", file],
            &["replay", ".", "x.csv", "--map", file],
            &["simulate", ".", "--trace", file],
            &["graph", ".", "--trace", file],
            &["explore", ".", "--port", "0", "--trace", file],
            &["merge", file],
            &["convert", file],
            &["diff", file, "."],
            &["diff", ".", file],
        ] {
            let done = strange.run(args);
            let told = said(&done);
            let kinds = ["it is a named pipe", "it is a socket", "it is a device"];
            assert!(done.status.code() == Some(2) && kinds.iter().any(|k| told.contains(k)), "{args:?}: {told}");
        }
    }
    // A link to a pipe, named by the project.
    strange.put("gsmc.toml", "model = \"model.gsm\"\nproperties = [\"p2.gsmp\"]\n");
    symlink(&pipe, strange.project().join("p2.gsmp")).expect("a link");
    assert_eq!(strange.run(&["check", "."]).status.code(), Some(2));
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    // What the shell opens is read.
    let script = format!("printf 'case,activity\\n1,Join\\n' | '{}' replay . /dev/stdin", env!("CARGO_BIN_EXE_gsmc"));
    strange.put("gsmc.toml", "model = \"model.gsm\"\n");
    let mut done = Command::new("sh");
    let done = done.args(["-c", &script]).current_dir(strange.project());
    let done = done.output().expect("sh runs");
    assert!(String::from_utf8_lossy(&done.stdout).contains("1 case"), "{}", said(&done));
}

/// Much to read, whatever the machine: comments take their time.
fn long_properties(strange: &Strange) {
    strange.put("p.gsmp", &"/* nothing */ ".repeat(4 << 20));
}

#[test]
fn reading_ends_with_the_time() {
    let strange = Strange::new();
    long_properties(&strange);
    for command in [&["check", "."][..], &["report", "."], &["diff", ".", "."]] {
        let done = strange.run(&[command, &["--timeout", "0.05"]].concat());
        assert_eq!(done.status.code(), Some(3), "{command:?}: {}", said(&done));
        assert!(said(&done).contains("--timeout"), "{}", said(&done));
    }
}

#[test]
fn the_first_signal_ends_reading() {
    let strange = Strange::new();
    long_properties(&strange);
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut gsmc = Command::new(env!("CARGO_BIN_EXE_gsmc"))
            .args(["check", "."])
            .current_dir(strange.project())
            .stdout(Stdio::null())
            .spawn()
            .expect("gsmc runs");
        std::thread::sleep(Duration::from_millis(150));
        assert!(Command::new("kill").arg(signal).arg(gsmc.id().to_string()).status().expect("kill").success());
        assert_eq!(gsmc.wait().expect("it ends").code(), Some(code), "{signal}");
    }
}

/// Names and stages are looked up, not compared one by one.
#[test]
fn many_values_and_stages_are_read_soon() {
    let strange = Strange::new();
    let list = |of: &dyn Fn(usize) -> String| (0..100_000).map(of).collect::<Vec<_>>().join("");
    let values = list(&|i| format!("v{i}, "));
    let values =
        format!("application M\nevent E\ntype T {{ k: {{ {values} w }}\nstage S {{ guard on E when k == 'v3' }} }}\n");
    let stages =
        format!("application M\nevent E\ntype T {{ {} }}\n", list(&|i| format!("stage S{i} {{ guard on E }}\n")));
    for model in [values, stages] {
        let file = strange.put("large.gsm", &model).display().to_string();
        let done = strange.run(&["validate", &file]);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    }
}

#[test]
fn without_memory_it_says_so() {
    let strange = Strange::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/order-to-cash");
    let mut open = 0;
    for kilobytes in [120_000, 200_000, 300_000, 400_000, 600_000, 800_000] {
        let script =
            format!("ulimit -v {kilobytes}; exec '{}' check '{}'", env!("CARGO_BIN_EXE_gsmc"), example.display());
        let done = Command::new("sh").args(["-c", &script]).current_dir(strange.project()).output().expect("sh runs");
        let told = said(&done);
        assert!(!told.contains("panicked") && !told.contains("backtrace"), "{kilobytes}: {told}");
        match done.status.code() {
            Some(0) => {}
            Some(3) => {
                open += 1;
                assert!(told.contains("memory"), "{kilobytes}: {told}");
            }
            code => panic!("{kilobytes}: {code:?} {told}"),
        }
    }
    assert!(open > 0, "there was always enough");
}

#[test]
fn packed_logs_that_explode_are_refused() {
    use std::io::Write;
    let strange = Strange::new();
    for (name, start) in
        [("a.csv.gz", "case,activity\n1,\""), ("b.jsonl.gz", "{\"case\":\""), ("c.xes.gz", "<log a=\"")]
    {
        let file = std::fs::File::create(strange.project().join(name)).expect("a log");
        let mut pack = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        pack.write_all(start.as_bytes()).expect("packed");
        let much = vec![b'a'; 1 << 20];
        (0..300).for_each(|_| pack.write_all(&much).expect("packed"));
        pack.finish().expect("packed");
        let done = strange.run(&["replay", ".", name]);
        assert_eq!(done.status.code(), Some(2), "{name}: {}", said(&done));
        assert!(said(&done).contains("a hundred times its size"), "{name}: {}", said(&done));
    }
}

#[test]
fn links_left_for_results_are_replaced() {
    let strange = Strange::new();
    let precious = strange.all.path().join("precious");
    let link = |name: &str| {
        let path = strange.project().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        symlink(&precious, &path).expect("a link");
        path
    };
    std::fs::write(&precious, "mine").expect("a file");
    let names = [
        "report.html",
        "t/_.._escaped.native.json",
        "out/model.smv",
        "out/model.pml",
        "out/model.ispl",
        "xml/gsmc.toml",
    ];
    let links: Vec<PathBuf> = names.into_iter().map(link).collect();
    for args in [
        &["report", "."][..],
        &["check", ".", "--trace-dir", "t"],
        &["export", ".", "-o", "out"],
        &["convert", ".", "--to", "barcelona", "-o", "xml"],
    ] {
        let done = strange.run(args);
        assert!(matches!(done.status.code(), Some(0 | 1)), "{args:?}: {}", said(&done));
    }
    assert_eq!(std::fs::read_to_string(&precious).expect("it is there"), "mine");
    let replaced = links.iter().filter(|link| !link.is_symlink()).count();
    assert!(replaced >= 3, "{links:?}");
}

/// A property's name becomes a file's name.
#[test]
fn names_lead_out_of_no_folder() {
    let strange = Strange::new();
    let before: Vec<_> = std::fs::read_dir(strange.all.path()).expect("a folder").flatten().map(|e| e.path()).collect();
    for format in ["json", "itf", "text", "dot"] {
        let done = strange.run(&["check", ".", "--trace-dir", "t", "--trace-format", format]);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    }
    assert_eq!(std::fs::read_dir(strange.project().join("t")).expect("traces").count(), 4);
    let after: Vec<_> = std::fs::read_dir(strange.all.path()).expect("a folder").flatten().map(|e| e.path()).collect();
    assert_eq!(before, after);
}

/// A pipe in the folder is not waited for.
#[test]
fn watching_reads_only_files() {
    let strange = Strange::new();
    fifo(&strange.project().join("other.gsm"));
    let mut gsmc = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["check", ".", "--watch", "--no-cache"])
        .current_dir(strange.project())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gsmc runs");
    let (send, told) = std::sync::mpsc::channel();
    let stderr = gsmc.stderr.take().expect("its words");
    std::thread::spawn(move || {
        for line in std::io::BufRead::lines(std::io::BufReader::new(stderr)).map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let mut watching = false;
    while let Ok(line) = told.recv_timeout(Duration::from_secs(20)) {
        watching |= line.contains("Watching");
        if watching {
            break;
        }
    }
    gsmc.kill().expect("it ends");
    gsmc.wait().expect("it ends");
    assert!(watching, "it waits for the pipe");
}
