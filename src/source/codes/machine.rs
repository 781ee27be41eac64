//! Codes of this room.
codes! {
    BAD_MACHINE = "E120", "internal error: the machine is not well-formed",
        "gsmc proves every machine well-formed before an engine may run it. This proof failed, which is a bug in gsmc and not in \
         your model. Please report it with the model.";
}
