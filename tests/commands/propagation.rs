//! `why` and `whynot` on E-GSM models: what was propagated, and what is waited for. Worked out by hand from the model.

use gsmc::Project;
use gsmc::explain::session::Session;
use gsmc::interp::Interp;
use gsmc::lang::load::Request;
use std::path::Path;

/// Each line of a session on an example beside the last line that answers it.
fn talk(example: &str, lines: &[(&str, &str)]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(example);
    let project = Project::open(folder, &Request::default()).expect("a model");
    let interp = Interp::new(project.machine());
    let mut session = Session::new(project.lens(), &interp, &project.sources, false);
    for (line, wanted) in lines {
        let reply = session.command(line).text;
        match wanted.is_empty() {
            true => assert!(reply.contains("What next?"), "{line}: {reply}"),
            false => assert_eq!(reply.trim_end(), *wanted, "{line}"),
        }
    }
}

#[test]
fn a_shipment_that_drives_off_empty() {
    talk(
        "examples/shipment",
        &[
            (
                "whynot Load",
                "Load has not opened: its guard Load_g waits for event loading; and Shipment, around it, is not open.",
            ),
            ("booked", ""),
            (
                "why Shipment",
                "Step 1: Shipment opened because booked occurred: its guard Shipment_g held: booked was occurring.",
            ),
            (
                "whynot Drive",
                "Drive has not opened: its guard Drive_g waits for Truck to become 'OnRoad'; \
                 opened now it would be outOfOrder: Drive_p waits for Load_done to be achieved.",
            ),
            ("Truck, status = OnRoad", ""),
            (
                "why Drive",
                "Step 2: Drive opened because Truck became 'OnRoad': its guard Drive_g held: Truck was 'OnRoad' and Truck_e was \
                 occurring; it is outOfOrder because no ProcessFlowGuard of Drive held: Load_done was not achieved.",
            ),
            (
                "why Load",
                "Step 2: Load was skipped because Drive opened out of order, and its ProcessFlowGuard names Load.",
            ),
            ("why Truck", "Step 2: Truck became 'OnRoad'."),
            (
                "whynot Drive",
                "Drive is open: it closes when its milestone Drive_done is achieved, which waits for Truck to become \
                 'AtCustomer', or when Shipment closes; it is outOfOrder.",
            ),
            ("overheated", ""),
            (
                "why Drive",
                "Step 3: Drive turned faulty because the fault logger Drive_f held: overheated was occurring.",
            ),
            (
                "whynot Load",
                "Load has not opened: its guard Load_g waits for event loading; it was skipped, and will be outOfOrder if it opens.",
            ),
            ("Truck, status = AtCustomer", ""),
            (
                "why Drive_done",
                "Step 4: Drive_done was achieved because Truck became 'AtCustomer': Truck was 'AtCustomer' and Truck_e was \
                 occurring.",
            ),
            (
                "whynot Deliver_done",
                "The milestone Deliver_done of Deliver is not achieved: it waits for event signed, while Deliver is open.",
            ),
            ("handover", ""),
            ("signed", ""),
            (
                "why Shipment",
                "Step 6: Shipment closed because its milestone Shipment_done held: Deliver_done was achieved.",
            ),
            ("booked", ""),
            ("why Drive", "Step 7: Drive was forgotten because a stage around it opened again."),
            (
                "why Drive_done",
                "Step 7: Drive_done is no longer achieved because booked occurred: Drive was forgotten.",
            ),
        ],
    );
}

/// `c` before `b`: everything about C happens within one move.
#[test]
fn several_things_in_one_move() {
    talk(
        "tests/egsm/skipped",
        &[
            (
                "why C",
                "C has not opened: its guard C_g1 waits for event c; and Root, around it, is not open; opened now it would \
                       be outOfOrder: C_p1 waits for B_m1 to be achieved.",
            ),
            ("c", ""),
            (
                "why C",
                "Step 1: C opened because c occurred: its guard C_g1 held: c was occurring; it is outOfOrder because no \
                 ProcessFlowGuard of C held: B_m1 was not achieved; it closed because its milestone C_m1 held: c was occurring.",
            ),
            ("why B", "Step 1: B was skipped because C opened out of order, and its ProcessFlowGuard names B."),
            (
                "why C_g1",
                "Step 1: C_g1 became true because c occurred: c was occurring; it became false because c occurred: c was not \
                 occurring.",
            ),
            (
                "whynot Root",
                "Root is open: it closes when its milestone Root_m1 is achieved, which waits for what never is so.",
            ),
        ],
    );
}
