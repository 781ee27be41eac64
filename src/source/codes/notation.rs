//! Codes of the notation.
codes! {
    KEYWORD = "E130", "this word cannot start a line here",
        "Every line of a .gsm file starts with a keyword or with the name of an attribute. Outside of types: application, event, sends, \
         type, agents, properties, instances, options. In a type: attributes (name: type), created by, stage. In a stage: guard, \
         milestone, task, stage, flow guard, fault; after a milestone also achieved and cleared.",
        "begin the line with one of the keywords that can stand here";
    MISSING_BRACE = "E131", "a block is not closed",
        "A '{' has no '}'. The message names the block that is still open where something starts that cannot stand inside it.",
        "add '}'";
    DATA_TYPE = "E132", "unknown data type",
        "An attribute or field is declared as name: type. Types are int, int 0..9, bool, string, real, date, datetime, { a, b } (one of these \
         values), ref Type, bag { … }, record { … }, or Type.attribute (the type of that attribute).",
        "write int, int 0..9, bool, string, real, date, datetime, { a, b }, ref Type, bag { … } or record { … }";
    NOT_REFERENCE = "E133", "only a reference can be 'self'",
        "In create R { a = self } the attribute a of R must be declared as 'a: ref' with the type whose task this is.",
        "declare the attribute as ref and the type whose task this is";
    BORROWED = "E134", "no such attribute to take the type from",
        "A field may be declared with the type of an attribute: reader: Loan.reader. Without a type, a field has that of the attribute of the \
         same name.",
        "write Type.attribute with an attribute that exists, or a type of its own";
    SECOND = "E135", "this is said twice",
        "A file has one application line, one agents block and one properties block; a type has one created-by line.",
        "keep one of them";
    ALWAYS = "W130", "guard that always holds",
        "A guard with neither 'on' nor 'when' holds in every step: the stage opens as soon as it can and opens again after every closing. \
         Write 'on create' for a stage that opens when its instance is created, or 'when true' if it is meant.",
        "write 'on create', or 'when true' if it is meant";
}
