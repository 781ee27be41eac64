//! Files and paths.
codes! {
    FILE_MISSING = "E001", "file not found",
        "A file named on the command line, in gsmc.toml or in the model could not be found. The message lists every place \
         where gsmc looked. File names inside a model are taken relative to the model's folder.",
        "check the spelling; names inside a model are relative to the model's folder";
    FILE_UNREADABLE = "E002", "file cannot be read",
        "The file exists but could not be read as UTF-8 text, for instance because of its permissions or its encoding.",
        "save it as UTF-8 text that you may read";
    FILE_TOO_LARGE = "E003", "file too large",
        "gsmc refuses files over 64 MiB: a hand-written model is far smaller, so this is nearly always the wrong file.",
        "name the model itself; this is probably another file";
    PATH_OUTSIDE = "E004", "path leaves the model's folder",
        "Files that a model refers to must lie in the model's folder or below it. Absolute paths and paths with '..' are \
         refused, so that a model from a stranger cannot read other files of yours. A gsmc.toml may name files elsewhere, as \
         those of another project, but only such as end in .gsm, .gsma, .gsmp, .xml, .xmi, .xsd, .amber or .cmmn. Links count \
         as what they lead to. What you name on the command line is read wherever it lies.",
        "copy the file into the model's folder and name it from there";
    TOO_MANY = "E005", "too many mistakes",
        "gsmc stops looking after a thousand findings in one model: such a file is usually of another kind than expected. Correct the \
         first ones and try again.",
        "correct the first ones and try again";
}
