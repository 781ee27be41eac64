//! Models of the families, as text: the same for the same size.

use std::fmt::Write;

/// Lines with a number each.
fn lines(numbers: impl IntoIterator<Item = u32>, line: impl Fn(u32) -> String) -> String {
    numbers.into_iter().map(line).collect()
}

fn list(numbers: impl IntoIterator<Item = u32>, by: &str, word: impl Fn(u32) -> String) -> String {
    numbers.into_iter().map(word).collect::<Vec<_>>().join(by)
}

/// A job that waits for its parts, which wait for the job: sentries look at related instances in both directions.
pub fn parts(n: u32) -> String {
    let last = n + 1;
    format!(
        "application Parts

event Start, Work, Fail, Retry

type Job {{
  stage Planning {{ guard on create; milestone Planned on Start }}
  stage Running {{
    guard first when +Planned
    guard again when Broken && some +Part.Working
    milestone Finished when all Part.Done
    milestone Broken when some +Part.Failed
  }}
}}

type Part {{
  job: ref Job
  stage Waiting {{ guard on create; milestone Ready when some Job.Running }}
  stage Working {{
    guard first when +Ready
    guard again on Retry when Failed
    milestone Done on Work
    milestone Failed on Fail
  }}
}}

agents {{
  role Boss {{ view: job; instantiation: Job, Part; }};
  agent boss {{
    role: Boss;
    vars: 0..{last} n = 0;
    protocol:
      Create_Job: n == 0 -> n = 1,
      Create_Part: n > 0 && n < {last} && job == 1 -> n = n + 1,
      Start: n == {last} -> , Work: true -> , Fail: true -> , Retry: true -> ;
  }};
}}
instances {{ Job = 1; Part = {n} }}
properties {{
  can-finish: EF exists j: Job (j.Finished);
  finished-means-done: AG forall j: Job forall p: Part (j.Finished -> p.Done);
  all-parts-start: AG forall j: Job forall p: Part (j.Running -> p.Ready);
  can-still-finish: AG forall j: Job (j.Running -> EF j.Finished);
  @expect false
  never-breaks: AG forall j: Job (!j.Broken);
  @expect false
  ends: AG forall j: Job (j.Running -> AF j.Finished)
}}
"
    )
}

/// A lifecycle of phases with ten stages each, one after the other. A stage is done or, where the case is not urgent, skipped; every
/// fifth may send the case back to the one before.
pub fn long(n: u32) -> String {
    let stage = |i: u32| {
        let first = i % 10 == 1;
        let opens = if first { format!("+Phase{}", i / 10 + 1) } else { format!("+Done{p} || +Skipped{p}", p = i - 1) };
        let again = if i % 5 == 4 && i < n { format!(" || +Back{}", i + 1) } else { String::new() };
        let back = if i.is_multiple_of(5) { format!("; milestone Back{i} on Rework") } else { String::new() };
        let skip = format!("milestone Skipped{i} on Skip when !urgent");
        format!("    stage Stage{i} {{ guard when {opens}{again}; milestone Done{i} on Do; {skip}{back} }}\n")
    };
    let phases = n.div_ceil(10);
    let phase = |k: u32| {
        let opens = if k == 1 { "on create".to_string() } else { format!("when +Past{}", k - 1) };
        let last = (10 * k).min(n);
        let past = format!("Past{k} when +Done{last} || +Skipped{last}");
        let stages = lines(10 * k - 9..=last, stage);
        format!("  stage Phase{k} {{\n    guard {opens}\n    milestone {past}\n{stages}  }}\n")
    };
    let middle = n / 2;
    let before = if phases > 1 { format!("c.Past{} && ", phases - 1) } else { String::new() };
    format!(
        "application Long

event Do, Skip, Rework

type Case {{
  urgent: bool
  created by Create_Case {{ urgent }}
{}  stage Closing {{ guard when +Past{phases}; milestone Closed on Do }}
}}

properties {{
  can-close: EF exists c: Case (c.Closed);
  in-order: AG forall c: Case (c.Stage{n} -> {before}!c.Stage1);
  can-always-close: AG forall c: Case (c.created -> EF c.Closed);
  urgent-is-done: AG forall c: Case (c.urgent -> !c.Skipped{middle});
  @expect false
  nothing-is-skipped: AG forall c: Case (!c.Skipped{n});
  @expect false
  always-closes: AG forall c: Case (c.Stage{middle} -> AF c.Closed)
}}
",
        lines(1..=phases, phase),
    )
}

/// Money in numbers up to `most`: sums, comparisons of sums, and amounts that somebody chooses.
pub fn numbers(most: u32) -> String {
    let half = most / 2;
    format!(
        "application Numbers

event Book {{ amount: int 0..{most} }}
event Return {{ amount: int 0..{most} }}
event Close

type Account {{
  limit: int 0..{most}
  amount: int 0..{most}
  last: int 0..{most}
  created by Create_Account {{ limit }}
  stage Living {{
    guard on create
    milestone Closed on Close when last < limit
    stage Booking {{
      guard on Book when last + amount <= limit
      task note: assign last = amount
      milestone Booked when done(note)
    }}
    stage Returning {{
      guard on Return when amount <= last && amount + amount >= limit
      task forget: assign last = 0
      milestone Returned when done(forget)
    }}
  }}
}}

agents {{
  role Clerk {{ view: limit, amount, last; instantiation: Account; }};
  agent clerk {{
    role: Clerk;
    vars: 0..{most} total = 0;
    protocol:
      Create_Account: true -> ,
      Book: amount > 0 && total + amount <= {most} -> total = total + amount,
      Return: amount <= total -> total = total - amount,
      Close: true -> ;
  }};
}}
properties {{
  within-the-limit: AG forall a: Account (a.last <= a.limit);
  nothing-without-a-limit: AG forall a: Account (a.last > 0 -> a.limit > 0);
  can-take-half: EF exists a: Account (a.last == {half} && clerk.total == {most});
  can-use-up: EF exists a: Account (a.last == a.limit && a.last + a.last == clerk.total && a.last > 1);
  can-be-closed: AG forall a: Account (a.last < a.limit && a.Living -> EF a.Closed);
  @expect false
  always-room: AG forall a: Account (a.created -> a.last + 1 <= a.limit);
  @expect false
  totals-agree: AG forall a: Account (a.last <= clerk.total)
}}
"
    )
}

/// Tickets that one of many people opens and another solves; everybody sees their own.
pub fn people(n: u32) -> String {
    let askers = n / 3 + 1;
    let helpers = n - askers;
    let any = list(1..=helpers, " || ", |i| format!("helper == 'Helper{i}'"));
    format!(
        "application Desk

event Take, Solve, GiveUp, Confirm, Reopen

type Ticket {{
  asker: string
  helper: string
  created by Create_Ticket {{ asker, helper }}
  stage Waiting {{ guard on create; guard again on Reopen when Solved && !Confirmed; milestone Taken on Take }}
  stage Solving {{ guard when +Taken; milestone Solved on Solve; milestone GivenUp on GiveUp }}
  stage Confirming {{ guard when +Solved; milestone Confirmed on Confirm; milestone Reopened when +Waiting }}
}}

agents {{
  role Asker {{ view: asker, helper; window Ticket: asker == $$; instantiation: Ticket; transformation: condense_stage(Ticket, Solving); }};
  role Helper {{ view: helper; window Ticket: helper == $$; }};
  agent Asker[{askers}] {{
    role: Asker;
    protocol: Create_Ticket: asker == $$ && ({any}) -> , Confirm: true -> , Reopen: true -> ;
  }};
  agent Helper[{helpers}] {{ role: Helper; protocol: Take: true -> , Solve: true -> , GiveUp: true -> ; }};
}}
instances {{ Ticket = 2 }}
properties {{
  can-be-confirmed: EF exists t: Ticket (t.asker == 'Asker1' && t.Confirmed);
  confirmed-was-solved: AG forall t: Ticket (t.Confirmed -> t.Solved);
  knows-it-is-taken: AG forall t: Ticket (t.asker == 'Asker1' && t.Taken -> K(Asker1, t.Taken));
  knows-that-it-can-be: AG forall t: Ticket (t.asker == 'Asker1' && t.Waiting -> K(Asker1, EF t.Solved));
  @expect false
  learns-about-others: EF exists t: Ticket (t.asker == 'Asker1' && K(Asker2, t.Solved));
  @expect false
  always-solved: AG forall t: Ticket (t.Taken -> AF t.Solved)
}}
"
    )
}

/// Children see each other's foreheads, not their own. The father says that somebody is muddy, then asks in rounds, and nobody speaks.
pub fn muddy(n: u32) -> String {
    let m = |i: u32| format!("m{i}");
    let seen = |child: u32| list((1..=n).filter(|i| *i != child), ", ", m);
    let mut text = String::from("application Muddy\n\n");
    let _ = writeln!(text, "event {}\n\ntype Game {{", list(1..n, ", ", |k| format!("Ask{k}")));
    let _ = writeln!(text, "  {}", list(1..=n, "; ", |i| format!("m{i}: bool")));
    let _ = writeln!(text, "  created by Create_Game {{ {} }}", list(1..=n, ", ", m));
    for k in 1..n {
        let opens = if k == 1 { "on create".to_string() } else { format!("when +Silent{}", k - 1) };
        let more = at_least(k + 1, n);
        let _ = writeln!(text, "  stage Round{k} {{ guard {opens}; milestone Silent{k} on Ask{k} when {more} }}");
    }
    text.push_str("}\n\nagents {\n");
    let all = list(1..=n, ", ", m);
    let _ = writeln!(text, "  role Father {{ view: {all}; instantiation: Game; }};");
    text.push_str(&lines(1..=n, |i| format!("  role Child{i} {{ view: {}; }};\n", seen(i))));
    let asks = lines(1..n, |k| format!(", Ask{k}: true -> "));
    let some = at_least(1, n);
    let _ = writeln!(text, "  agent father {{ role: Father; protocol: Create_Game: {some} -> {asks}; }};");
    text.push_str(&lines(1..=n, |i| format!("  agent child{i} {{ role: Child{i}; protocol: Ask1: false -> ; }};\n")));
    text.push_str("}\nproperties {\n");
    let children = list(1..=n, ", ", |i| format!("child{i}"));
    let only = |k: u32| list(1..=n, " && ", |i| if i <= k { format!("g.m{i}") } else { format!("!g.m{i}") });
    let last = n - 1;
    let before = if n > 2 { format!("g.Silent{} && ", n - 2) } else { String::new() };
    let _ = write!(
        text,
        "  a-single-one-knows: AG forall g: Game (g.created && {} -> K(child1, g.m1));
  two-do-not: AG forall g: Game ({} && !g.Silent1 -> !K(child1, g.m1) && !K(child2, g.m2));
  two-know-after-a-silence: AG forall g: Game ({} && g.Silent1 -> K(child1, g.m1) && K(child2, g.m2));
  all-know-after-all-rounds: AG forall g: Game (g.Silent{last} -> K(child{n}, g.m{n}));
  not-one-round-earlier: AG forall g: Game ({before}{} && !g.Silent{last} -> !K(child{n}, g.m{n}));
  then-it-is-common: AG forall g: Game (g.Silent{last} -> CK({{{children}}}, {}));
  it-happens: EF exists g: Game (g.Silent{last});
  @expect false
  the-clean-one-knows: AG forall g: Game ({} && g.Silent1 -> K(child{n}, !g.m{n}))
}}
",
        only(1),
        only(2),
        only(2),
        only(n),
        only(n),
        only(2),
    );
    text
}

/// At least so many of the first `n` children are muddy.
fn at_least(k: u32, n: u32) -> String {
    match (k, n) {
        (0, _) => "true".into(),
        _ if k == n => list(1..=n, " && ", |i| format!("m{i}")),
        (1, _) => format!("({})", list(1..=n, " || ", |i| format!("m{i}"))),
        _ => format!("((m{n} && {}) || {})", at_least(k - 1, n - 1), at_least(k, n - 1)),
    }
}

/// A monitored transport over `n` legs: a truck that reports where it is, hand-overs, alarms; what comes too early or is left out is noted.
pub fn transport(n: u32) -> String {
    let leg = |i: u32| {
        let before = if i == 1 { "Loaded".to_string() } else { format!("Arrived{}", i - 1) };
        format!(
            "    stage Leg{i} {{
      guard Leg{i}_g when Truck.status == 'Road{i}' && occurs(Truck_e)
      flow guard Leg{i}_p when isMilestoneAchieved('{before}')
      fault Leg{i}_f when occurs(alarm)
      milestone Arrived{i} achieved Arrived{i}_c when Truck.status == 'Stop{i}' && occurs(Truck_e)
    }}\n"
        )
    };
    let questions = |i: u32| {
        // Nothing comes after the last leg but what waits for it.
        let left_out = if i == n { "@expect false\n  " } else { "" };
        format!(
            "  can-open-{i}: EF opens('Leg{i}');
  can-be-early-{i}: EF outOfOrder('Leg{i}');
  can-be-faulty-{i}: EF faulty('Leg{i}');
  {left_out}can-be-left-out-{i}: EF skipped('Leg{i}');\n"
        )
    };
    format!(
        "application Transport egsm

event booked, loaded, alarm, signed, Truck_l, Truck_e

type Transport {{
  Truck: record {{ status: string }}
  stage Transport {{
    guard Transport_g when occurs(booked)
    milestone Delivered achieved Delivered_c when isMilestoneAchieved('Signed')
    stage Load {{ guard Load_g when occurs(booked); milestone Loaded achieved Loaded_c when occurs(loaded) }}
{}    stage HandOver {{
      guard HandOver_g when isMilestoneAchieved('Arrived{n}')
      flow guard HandOver_p when isMilestoneAchieved('Arrived{n}') && isMilestoneAchieved('Loaded')
      milestone Signed achieved Signed_c when occurs(signed)
    }}
  }}
}}

properties {{
{}  can-end-well: EF (isMilestoneAchieved('Delivered') && !outOfOrder('HandOver'));
  @expect false
  never-early: AG !outOfOrder('HandOver');
  delivered-was-signed: AG (isMilestoneAchieved('Delivered') -> isMilestoneAchieved('Signed'))
}}
",
        lines(1..=n, leg),
        lines(1..=n, questions),
    )
}
