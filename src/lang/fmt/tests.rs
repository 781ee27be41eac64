//! The style, by example; and for any text: twice is once, comments stay.

use super::pieces::{Kind, pieces};
use super::{dialect_of, format};
use crate::lang::syntax::Dialect;
use crate::testing::random_app;
use std::path::Path;

#[test]
fn a_model() {
    let text = "application  Library\r\n\r\n\r\n\r\nevent Borrow   {reader:Loan.reader}    // payload
type Loan {

 days :int 0..30=0
      /// One copy
 stage Lending{ // lent
guard start   on create; guard again on Borrow
  when x
        milestone Returned on Return when days>3&&a==-1
   cleared on Borrow
      && days > 0  /* why
         not */
    task t: create Fine { loan = self,
  amount=5 }, assign a = b,
 c = d
 }

}

agents {
 role R{view:a,b;};
  agent x { role: R;
   protocol:
 E: true -> ,
   F: a -> b=1; };
}
properties {
# the first
@expect false
name-of-it:
AG (a
-> b) // so
 EK({a,b}, p)
}";
    insta::assert_snapshot!(format(text, Dialect::Notation).unwrap());
}

/// All comments, blanks at line ends aside.
fn comments(text: &str, dialect: Dialect) -> Vec<String> {
    let all = pieces(text, dialect).unwrap();
    all.into_iter().filter(|p| !matches!(p.kind, Kind::Token(_))).map(|p| p.text).collect()
}

fn check(text: &str, dialect: Dialect, what: &str) {
    let once = format(text, dialect).unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
    assert_eq!(format(&once, dialect).as_deref(), Ok(once.as_str()), "{what}");
    assert_eq!(comments(text, dialect), comments(&once, dialect), "{what}");
}

/// A text with blanks, line ends and comments strewn between its tokens.
fn strewn(text: &str, dialect: Dialect, rng: &mut fastrand::Rng) -> String {
    const BITS: [&str; 9] = ["", " ", "   ", "\n", "\n\n\n", " // it's \n", " /* a\n  b */ ", "\t", " # so\n"];
    let mut out = String::new();
    for piece in pieces(text, dialect).unwrap() {
        let gap = if piece.lines > 0 {
            "\n"
        } else if piece.blank {
            " "
        } else {
            ""
        };
        out += gap;
        // Agents files know no `#`.
        let bits = if piece.dialect == Dialect::Agents { BITS.len() - 1 } else { BITS.len() };
        if rng.u8(0..4) == 0 {
            out += BITS[rng.usize(0..bits)];
        }
        out += &piece.text;
        if piece.kind == Kind::LineComment {
            out.push('\n');
        }
    }
    out
}

#[test]
fn twice_is_once_on_all_examples_and_on_random_texts() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if let Some(dialect) = dialect_of(&path) {
                let text = std::fs::read_to_string(&path).unwrap();
                check(&text, dialect, &path.display().to_string());
                (0..5).for_each(|_| check(&strewn(&text, dialect, &mut rng), dialect, "strewn"));
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "only {seen} files");
    for seed in 0..20 {
        for (name, text) in random_app(seed).files {
            let Some(dialect) = dialect_of(Path::new(&name)) else { continue };
            check(&text, dialect, &name);
            check(&strewn(&text, dialect, &mut rng), dialect, &name);
        }
    }
}

#[test]
fn every_kind_of_comment_stays() {
    let amber = "# top\n# of it\n\namber   X  # title\naction a,b# both\n/* over\n lines */\na->b // end\n# last\n";
    let wanted = "# top\n# of it\n\namber X  # title\naction a, b  # both\n/* over\n lines */\na->b  // end\n# last\n";
    assert_eq!(format(amber, Dialect::Amber).as_deref(), Ok(wanted));
    let model = "# top\napplication  X # name\ntype A {\n# none\n}\n";
    assert_eq!(
        format(model, Dialect::Notation).as_deref(),
        Ok("# top\napplication X  # name\ntype A {\n  # none\n}\n")
    );
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    assert_eq!(format("type A {\n x: 'b\n}", Dialect::Notation), Err("' is not closed in line 2".to_string()));
    assert_eq!(format("/* never closed", Dialect::Agents), Err("/* is not closed in line 1".to_string()));
}
