//! Codes of property files.
codes! {
    DUPLICATE_PROPERTY = "E080", "property name is used twice",
        "Every property has a name of its own, in all property files together. Unnamed ones are called p1, p2, … by their position, \
         so a name such as p2 can collide with the second unnamed property.",
        "give one of them another name";
    UNKNOWN_ANNOTATION = "E081", "unknown annotation",
        "In front of a property may stand @expect true, @expect false and any number of @fair lines.",
        "write @expect true, @expect false or @fair and a condition";
    EXPECT_VALUE = "E082", "wrong expectation",
        "After @expect stands true or false, once per property.",
        "write @expect true or @expect false, once";
    DANGLING = "E083", "annotation without property",
        "Lines that start with @ belong to the property that follows them, and none follows.",
        "write the property below it, or remove it";
    NO_FORMULA = "E084", "property without formula",
        "A name is there but no formula. An empty line ends a property, also right behind its name.",
        "write a formula behind the name: can-end: EF Done;";
    LTL_INSIDE = "E085", "LTL inside a formula",
        "LTL speaks about whole runs from the start, so it stands outermost and only once. Inside other formulas use the operators of \
         branching time.",
        "write LTL once, at the start of the formula; inside, use AG, AF, EF";
    BRANCHING_IN_LTL = "E086", "branching-time operator inside LTL",
        "After LTL only G, F, X, U, W, R, connectives, quantifiers, atoms and knowledge are allowed. Operators such as AG, <<a>> F or the \
         patterns belong to branching time; inside K they are allowed.",
        "use G, F, X, U after LTL, or leave out LTL";
    UNKNOWN_AGENT = "E087", "unknown agent",
        "The agents of the agents file can be named, and AutoAgent, which runs tasks. Without an agents file one nameless agent acts.",
        "write an agent of the agents file, or AutoAgent";
    EMPTY_GROUP = "E088", "empty group",
        "EK, CK and DK need at least one agent. (<<>> without agents is allowed: what happens whatever the agents do.)",
        "write at least one agent: EK({a, b}, …)";
    COMPARED = "E089", "temporal formula where a value is needed",
        "Only values can be compared or computed with. Two formulas are compared with <->.",
        "write <-> between two formulas";
    FAIR_LTL = "E090", "LTL in a fairness constraint",
        "A fairness constraint is a set of snapshots that a run visits again and again; LTL speaks about runs.",
        "write a condition on one snapshot";
    NO_QUANTIFIERS = "E091", "quantifier where there are no instances",
        "forall and exists range over the instances of an artifact type. Models of other languages have none: name their parts.",
        "name the part itself, without forall and exists";
    FIX_NEGATED = "E092", "fixpoint variable under a negation",
        "mu Z. φ and nu Z. φ have a meaning only when φ holds in more snapshots as Z does: Z stands under an even number of negations \
         (the left side of -> counts as one) and not under <-> or xor.",
        "write Z under an even number of negations, and not under <-> or xor";
    FIX_UNBOUND = "E093", "fixpoint variable outside its fixpoint",
        "A fixpoint variable means something inside its own mu or nu only. mu Z. reaches as far as AG does, so a longer formula stands in \
         parentheses: mu Z. (p || EX Z).",
        "put the whole fixpoint in parentheses: mu Z. (p || EX Z)";
    FIX_TWICE = "E094", "fixpoint variable bound twice",
        "Every mu and nu of a property has a variable of its own, with a name that no quantifier around it uses.",
        "give one of them another variable";
    FIX_FAIR = "E095", "fixpoint under fairness",
        "@fair speaks of runs, mu and nu speak of single steps: what a fair run is would have to be part of the fixpoint itself. Use the \
         operators of CTL with @fair, or write the fairness into the formula.",
        "leave out @fair, or use AG, AF, EF instead of mu and nu";
    DEFINITION = "E096", "wrong definition",
        "#define gives a name to a condition, a value or a group of agents, in one line of a property file: #define late (days > 30), \
         #define Board {PM, PO}. The name holds from there to the end of the file. It has no parameters.",
        "write #define, a name, a blank and what it stands for";
    STRANGE_TEXT = "W081", "text that only a property knows",
        "A property compares an attribute with a text that neither the model nor an agent ever gives it, although they know others: nearly \
         always a typing mistake. The comparison can never hold.",
        "correct the text, or give it to the attribute in the model";
    NO_PROPERTIES = "W080", "file has no properties",
        "The property file is empty or holds comments only.",
        "write one: can-end: EF Done;";
}
