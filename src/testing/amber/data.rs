//! Data of random models.

/// A variable (with definitions about it), what can be assigned to it, and what can be asked about it.
pub(super) struct Datum {
    pub lines: &'static str,
    /// What an actor can see of it.
    pub seen: &'static str,
    pub assigned: &'static [&'static str],
    pub asked: &'static [&'static str],
    /// How often it is there, in percent.
    pub often: usize,
}

pub(super) const DATA: [Datum; 7] = [
    Datum {
        lines: "var flag: bool",
        seen: "flag",
        assigned: &["flag := !flag", "flag := true", "flag := any"],
        asked: &["flag", "!flag"],
        often: 20,
    },
    Datum {
        lines: "const top = 1 + 1\nvar n: 0..top\ndefine high = n > 1 || n + 1 == top",
        seen: "n",
        assigned: &[
            "n := n + 1",
            "n := any 0..1",
            "n := any {0, 2}",
            "n := top - n",
            "n := 1 / n",
            "if n > 1 { n := 0 } else { n := any }",
        ],
        asked: &["n > 0", "n == 1", "n + 1 < 3", "n / 0 == n", "high", "!high"],
        often: 35,
    },
    Datum {
        lines: "var colour: {red, green, blue}",
        seen: "colour",
        assigned: &[
            "colour := green",
            "colour := any {red, blue}",
            "if colour == red { colour := any } else { colour := red }",
        ],
        asked: &["colour == red", "colour != blue"],
        often: 25,
    },
    Datum {
        lines: "var list: 0..2[2]",
        seen: "list",
        assigned: &[
            "list[0] := any",
            "list[list[0]] := 1",
            "list[list[1] + 1] := list[0]",
            "list := { list[1], list[0] }",
        ],
        asked: &["list[0] == list[1]", "list[list[0]] > 0"],
        often: 15,
    },
    Datum {
        lines: "type Side = {me, you}\nvar file: record { ok: bool, who: Side }[2]",
        seen: "file.ok",
        assigned: &[
            "file[1].ok := any",
            "file[0] := file[1]",
            "file[1] := { true, you }",
            "if file[0].ok { file[1].who := any }",
        ],
        asked: &["file[0].ok", "file[1].who == you || file[0].ok"],
        often: 10,
    },
    Datum {
        lines: "var sum: -10..2000 = 5",
        seen: "sum",
        assigned: &[
            "sum := any {0, 1000, 3000}",
            "sum := 7",
            "if sum > 6 { sum := 1000 } else { sum := any {-20, 7} }",
        ],
        asked: &["sum > 5", "sum * 2 == 2000", "sum == 7"],
        often: 10,
    },
    Datum {
        lines: "var low: -3..-1",
        seen: "low",
        assigned: &["low := low - 1", "low := -2", "if low < -2 { low := any } else { low := low * 2 }"],
        asked: &["low == -1", "low / 2 < -1"],
        often: 10,
    },
];
