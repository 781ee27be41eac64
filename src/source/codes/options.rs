//! Codes of gsmc.toml and command-line options.
codes! {
    NOT_TOML = "E100", "not TOML",
        "gsmc.toml does not follow the TOML grammar: keys and values stand as key = value, texts in double quotes, tables in brackets. \
         A file of more than 1 MiB is refused.",
        "write key = value, with texts in double quotes";
    UNKNOWN_KEY = "E101", "unknown key",
        "gsmc.toml knows the keys model, agents, properties and schemas, and the tables instances, ranges, relations and options \
         (idle, creation, strict_order, keep_all). A key that is not known is an error, so that a misspelt one is not silently \
         ignored.",
        "write one of the known keys";
    WRONG_VALUE = "E102", "value of the wrong kind",
        "The key takes another kind of value: a text, a list of texts, a whole number, a pair of numbers, true or false, or one of \
         the words that the message lists.",
        "write texts in quotes, numbers and true or false without: model = \"model.xml\", Order = 2";
    BOUND = "E103", "wrong number of instances",
        "Every artifact type has at least one slot; more than 1000 are taken for a slip.",
        "write a number from 1 to 1000, or any";
    EMPTY_RANGE = "E104", "empty range",
        "A range [lo, hi] needs lo <= hi.",
        "write the smaller number first";
    OVERRIDE = "E106", "option cannot be read",
        "Overrides on the command line are written --instances Type=3, --range Type.attribute=0..7 and --relation Type.attribute=Type.",
        "write Type=3, Type.attribute=0..7 or Type.attribute=Type";
    NO_MODEL = "E107", "no model is named",
        "Name a project folder whose gsmc.toml has a 'model', or a model file; without a name, the current folder is taken if it has a gsmc.toml.",
        "name a project folder or a model file";
    IDLE_PREDICATE = "W110", "predicate about nothing abstracted",
        "A predicate of [abstraction] mentions no attribute that is abstracted and part of the machine, so that it would tell nothing apart. \
         It is ignored.",
        "write a condition on an attribute that is abstracted, or remove it";
    STAYS_FINITE = "W111", "number that stays finite",
        "A number with fractions that [abstraction] attributes does not name has one value for each constant that it meets and one for each \
         interval between, as without --abstract.",
        "name it in [abstraction] attributes, or leave them out";
    NOT_FOR_LANGUAGE = "E109", "setting of another language",
        "The setting is about models of another language and would silently do nothing here. The message says where this language \
         has it.",
        "remove it here";
    NOT_A_FOLDER = "E108", "not a project folder",
        "The argument of a command is a folder with a gsmc.toml, or such a file itself. A model alone is named with -m.",
        "name a folder with a gsmc.toml, or a model file";
}
