//! 280–289: recorded logs.

codes! {
    UNKNOWN_NAME = "E280", "the mapping of a log names something that the model does not have",
        "Under [replay] in gsmc.toml, or in the file of --map, activities are given events, items, payload fields and agents of the model. Correct the name; 'gsmc replay --suggest-map' prints a section from a log.",
        "correct the name; 'gsmc replay --suggest-map' prints a section from a log";
    UNUSED_ENTRY = "W281", "the mapping of a log has an entry that no event uses",
        "The log has no such activity. It may be misspelled, or the entry may be left from another log.",
        "correct the name, or remove the entry";
    NO_CASE_TYPE = "E283", "it is not clear what a case of the log is",
        "A case of a log is one instance of a type that the environment creates. Where there are several such types, say which: type = \"Order\" under [replay].",
        "write type = \"Order\" under [replay]";
    NOT_A_STATE_FORMULA = "E284", "when a case is completed must be a statement about one snapshot",
        "The formula under complete in [replay] is looked at in the last snapshot of a case, so it has no temporal operators.",
        "leave out AG, EF and the like";
    SAME_TRANSITION = "E285", "two entries of a mapping are about the same transition",
        "Under [replay.events] an entry \"activity:transition\" is about events of that activity with that transition, in small or capital letters: \"work:start\" and \"work:START\" are the same.",
        "keep one of the two";
}
