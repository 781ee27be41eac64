//! What the papers about GSMC report. Order-to-Cash without abstraction: Fedora 17, Core i7 at 2.10 GHz, 4 GB; Fixed Price:
//! Fedora 16, Core i5 at 3.47 GHz, 8 GB. CPU seconds.

/// Reachable states, megabytes, seconds.
pub type Published = (&'static str, u32, f64);

/// Order-to-Cash with 3 agents, by the number of orders from 1.
pub const THREE_AGENTS: [Published; 6] = [
    ("1.17e2", 27, 0.1),
    ("3.71e3", 52, 0.7),
    ("1.16e5", 64, 5.9),
    ("3.67e6", 96, 42.1),
    ("1.18e8", 195, 176.7),
    ("3.83e9", 375, 500.5),
];

/// Order-to-Cash with 15 agents; six orders were too many.
pub const FIFTEEN_AGENTS: [Published; 5] =
    [("2.92e3", 31, 0.2), ("4.16e6", 70, 4.9), ("5.82e9", 84, 65.5), ("8.01e12", 222, 360.2), ("1.09e16", 539, 1419.6)];

/// Order-to-Cash abstracted by predicates, seconds and megabytes: 3 agents, 15 agents, by the number of orders from 1.
pub const ABSTRACTED: [[(f64, u32); 2]; 6] = [
    [(0.2, 55), (2.1, 69)],
    [(0.9, 78), (4.6, 106)],
    [(4.8, 93), (31.9, 124)],
    [(25.5, 112), (168.8, 233)],
    [(90.4, 172), (596.2, 463)],
    [(257.2, 273), (2014.2, 898)],
];

/// The same: snapshots that may and must be reached.
pub const ABSTRACTED_COUNTS: [[(&str, &str); 2]; 6] = [
    [("0.91e2", "0.45e2"), ("1.65e3", "5.89e2")],
    [("2.23e3", "5.27e2"), ("1.32e6", "1.55e5")],
    [("5.34e4", "5.45e3"), ("1.03e9", "3.83e7")],
    [("1.28e6", "5.46e4"), ("7.99e11", "9.02e9")],
    [("3.10e7", "5.42e5"), ("6.05e14", "2.05e12")],
    [("7.57e8", "5.36e6"), ("4.53e17", "4.57e14")],
];

/// Research funding, one ReviewBoard, all properties: seconds, megabytes, snapshots that may and must be reached.
pub const REVIEW_BOARD: (f64, u32, &str, &str) = (43.9, 395, "7.1e9", "8.4e7");

/// Fixed Price: what, our properties (a prefix of their names), verdict, megabytes, seconds.
pub const FIXED_PRICE: [(&str, &str, &str, u32, f64); 4] = [
    ("every milestone can be achieved (37 formulas)", "reach-", "true", 100, 129.21),
    ("winner can be assigned", "winner-can-be-assigned", "true", 112, 26.52),
    ("winner assignment consistent", "winner-assignment-consistent", "false", 84, 9.10),
    ("order consistent", "order-consistent", "false", 73, 3.72),
];

/// Fixed Price: the transition relation.
pub const FIXED_PRICE_RELATION: (u32, f64) = (72, 3.76);
