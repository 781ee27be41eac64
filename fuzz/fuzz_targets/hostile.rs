//! Names and texts of a model in everything that is generated from it: any of them leaves the program that harmless ones would have.
#![no_main]

use gsmc::backend::comment::Comment;
use gsmc::backend::names::Namer;
use gsmc::picture::{dot, xml};
use gsmc::source::{is_unprintable, on_one_line, printable, printable_json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: Vec<&str>| {
    let ascii = |text: &str| text.bytes().all(|b| (b' '..=b'~').contains(&b));
    for language in gsmc::backend::languages() {
        let mut namer = Namer::new(language);
        for text in &texts {
            let name = namer.give('v', "variable", text);
            assert!(name.starts_with("v_") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{name}");
        }
        namer.map("fuzz").json().expect("a name map");
    }
    for text in texts {
        let comment = Comment::of(text).to_string();
        assert!(ascii(&comment) && !comment.contains('\\'), "{comment}");
        assert!(["*/", "/*", "//", "??", "#"].iter().all(|end| !comment.contains(end)), "{comment}");
        let string = dot::string(text);
        assert!(ascii(&string) && string.matches('"').count() == 2, "{string}");
        assert!(!xml::escape(text).contains(|c| "<>\"'".contains(c) || is_unprintable(c)));
        assert!(!printable(text).contains(is_unprintable));
        assert!(!on_one_line(text).contains(|c| c == '\n' || c == '\t' || is_unprintable(c)));
        let json = serde_json::Value::from(text).to_string();
        let shown = printable_json(&json);
        assert!(!shown.contains(is_unprintable) && serde_json::from_str::<String>(&shown).ok().as_deref() == Some(text));
    }
});
