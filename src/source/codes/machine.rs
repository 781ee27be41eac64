//! The serialized order and the machine.
codes! {
    CYCLIC_ORDER = "E110", "cyclic rule graph",
        "In a B-step the PAC rules run one after another, each after the rules that change what it reads. Here some rules wait for \
         each other, so that no such order exists: each line of the message names a rule, what it changes and which rule reads \
         that. A parent's milestone that asks for a child's milestone, while the child's guard needs the parent open, is the usual \
         case. gsmc refuses such a model only under --strict-order (strict_order in gsmc.toml). Otherwise closing rules run before \
         opening rules, what is still cyclic runs in document order, and the built-in property 'order-independent' tells whether \
         any reachable step depends on that choice.",
        "ask for less in one of these sentries, or leave --strict-order out and check order-independent";
    BAD_MACHINE = "E120", "internal error: the machine is not well-formed",
        "gsmc proves every machine well-formed before an engine may run it. This proof failed, which is a bug in gsmc and not in \
         your model. Please report it with the model.",
        "this is a mistake of gsmc: please report it with the model";
}
