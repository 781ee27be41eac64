//! Codes of names and types in expressions.
codes! {
    UNKNOWN_NAME = "E046", "unknown name",
        "The name is not an attribute of the artifact (nor, where these are allowed, a private variable, a payload field, a quantified \
         variable or an agent). Nested attributes are written with dots, and the last step is enough where it is unique. Texts stand \
         in quotes.",
        "write a name that exists here, or a text in quotes";
    TYPE_MISMATCH = "E047", "types do not fit",
        "Both sides of a comparison must be of one kind: numbers with numbers, texts and enumerated values with texts, Booleans with \
         Booleans. Arithmetic needs numbers; guards, conditions and connectives need Booleans. A date is a Boolean: 'has \
         been set'. With --abstract it is also a point of time, to be compared with other dates and with constants such as '2026-11-16', \
         and numbers have fractions.",
        "compare numbers with numbers, texts with texts in quotes, and Booleans with true or false";
    UNKNOWN_OPERATOR = "E048", "unknown operator",
        "The function is none of the GSM operators. Their first letter may be upper or lower case, and a leading 'is' may be left out.",
        "write an operator such as isStageActive('S'), isMilestoneAchieved('M') or isEventOccurring('E')";
    ARGUMENTS = "E049", "wrong number of arguments",
        "GSM operators take the name of a stage, milestone, event or task; with two arguments the first one names the artifact type. \
         Operators about related artifacts always take two.",
        "write names in quotes, as in isStageActive('Stage') or isStageActive('Type', 'Stage')";
    NOT_HERE = "E050", "operator is not allowed here",
        "What happens in a B-step (events, completed tasks, '…OnEvent' operators) can be asked in guards and conditions only: windows, \
         protocols and properties speak about snapshots. Temporal operators belong into properties. E-GSM observers (outOfOrder, \
         skipped, faulty) can be asked in properties only.",
        "ask for the state instead: isStageActive('S'), isMilestoneAchieved('M') or a comparison of data";
    NO_SUCH_VALUE = "E051", "not a value of the enumeration",
        "An enumerated attribute is compared with or set to a text that is not among its values: nearly always a typing mistake. The \
         message lists the nearest values.",
        "write one of the values of the enumeration";
    OUT_OF_RANGE = "E052", "constant outside the range",
        "A number is compared with or set to a constant that it can never have. Either the constant is wrong or the range, which comes \
         from gsmc.toml, the command line or the schema.",
        "write a number within the range, or widen it: --range Type.attribute=0..9";
    SET_ATTRIBUTE = "E053", "set-valued attribute",
        "The attribute may occur more than once (maxOccurs above 1): it is a bag, or a field of one, and has no single value that could be \
         compared or copied. A bag is asked for its elements: Items.size(), Items.exists(price > 2), Items.forAll(…), Items.count(…). \
         Mappings of type add, remove and clear change it. Bags that nothing asks for are left out and do no harm.",
        "ask through .size(), .exists(…), .forAll(…) or .count(…), or set maxOccurs to 1";
    TEXT_ORDER = "E054", "texts are compared for equality only",
        "Only == and != work on texts, enumerated values and Booleans. Dates have an order with --abstract, where they are points of \
         time.",
        "write == or !=";
    NOT_A_SET = "E055", "not a set",
        "The operators after '->' work on related artifacts, named by their type: Order->exists(o | o.Paid), Order->size().",
        "write the type of related artifacts before the arrow: Order->exists(o | o.Paid)";
    SELF_ID = "E056", "'$$' without an agent",
        "'$$' is the id of the agent whose role or protocol the expression stands in; elsewhere there is no such agent.",
        "write the agent's name in quotes";
    NEVER_HOLDS = "W057", "guard or condition can never hold",
        "Whatever happens, the sentry is false: it contains 'false', waits for two events at once, or waits for events that do not \
         exist.",
        "correct the sentry, or remove it";
    NOT_IN_TYPE = "W058", "not part of this type",
        "A role's window or a protocol line speaks about something that one artifact type has and another one lacks. For the type that \
         lacks it, it is false.",
        "say which type is meant: window Type: …";
    EMPTY_RANGE = "E059", "attribute has no value",
        "The bounds of the schema leave no value, or more values than a checker can handle (over 2^40), or begin below -2^62.",
        "give it a range: --range Type.attribute=0..9, or bounds in the schema";
}
