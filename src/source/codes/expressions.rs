//! Codes of expressions and formulas.
codes! {
    SYNTAX = "E040", "expression does not parse",
        "The text does not follow the grammar. The message says what was expected and what stands there instead; the caret marks \
         the place. From tightest to loosest the operators are: * /, + -, comparisons, ! and prefix operators such as AG or K, \
         U W R, && (and), || (or), -> (implies), <-> (iff). Texts stand in single or double quotes.",
        "correct the text at the caret; 'gsmc explain E040' lists the operators";
    UNCLOSED = "E041", "text, comment, parenthesis or data term is not closed",
        "A quote, '(', '{', '[' or '/*' was opened and the line (for comments, the file) ends before it is closed.",
        "close it where it should end: ) } ] ' \" or */";
    TOO_DEEP = "E042", "expression is nested too deeply or too large",
        "Expressions may be nested 100 levels deep, and a file may hold a million names and operators. Written by hand they never \
         reach that; generated ones can use long chains of && and ||, which count as one level.",
        "split the expression into several, or join its parts in one chain of && or ||";
    NUMBER = "E043", "number is too large",
        "Integers are held in 64 bits: from -9223372036854775807 to 9223372036854775807.",
        "write a number between -9223372036854775807 and 9223372036854775807";
    CHARACTER = "E044", "character has no meaning here",
        "The character is not part of the language. Typical cases: a single & or |, a semicolon inside an expression, or a \
         typographic sign pasted from a document.",
        "remove it; connectives are && || ! -> <->, or and, or, not, implies, iff";
    TWO_MEANINGS = "E138", "word with two meanings",
        "A word that means something by itself (created, id, overflow, self, payload, create, the value of an enumeration, an agent) is also what the \
         model calls a stage, milestone, attribute, event or item. Nothing is guessed: the message says how to write either. As a rule \
         what stands in quotes is a name or value of the model, and what has parentheses is built in: created(x), overflow().",
        "write one of the two forms";
    CHAINED = "E045", "comparisons cannot be chained",
        "a < b < c is not a condition in this language. Write a < b && b < c, or put one comparison in parentheses.",
        "write a < b && b < c";
}
