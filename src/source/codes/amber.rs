//! Codes of AMBER models.
codes! {
    KEYWORD = "E200", "keyword used as a name",
        "The words of the AMBER notation (action, block, entry, any, …) are names only in quotes: action \"exit\".",
        "put it in quotes";
    DUPLICATE = "E201", "name is declared twice",
        "Nodes, blocks and relations of one block have different names, and so have variables, types and actors. Names may not differ \
         in blanks, dashes and other signs alone, because '_' stands for any of them in properties: 'pay invoice' and 'pay_invoice' are \
         the same name.",
        "give one of them another name";
    UNKNOWN_NODE = "E202", "no such node",
        "An arrow joins nodes that are declared: action a, b; then a -> b. It names the nodes, entries and exits of its own block and the \
         entries and exits of the blocks directly inside it, as Block.entry.",
        "declare it: action name";
    INCOMING = "E203", "wrong number of incoming arrows",
        "An action or interaction has at most one incoming single arrow (and any number of double ones), a split exactly one, an exit \
         exactly one, an entry at most one, a join at least one. Where several ways lead to one action, a join brings them together: \
         (a | b) -> c if one of them is enough, (a & b) -> c if all are needed.",
        "bring several ways together before it: (a | b) -> c for one of them, (a & b) -> c for all";
    OUTGOING = "E204", "wrong number of outgoing arrows",
        "An action or interaction has at most one outgoing arrow, a join exactly one, an entry exactly one, an exit at most one, a split at \
         least one. Where a way parts, a split says how: a -> (b & c) for both, a -> (b | c) for one of them.",
        "say how the way parts: a -> (b & c) for both, a -> (b | c) for one of them";
    BORDER = "E205", "arrow crosses the border of a block",
        "Arrows enter a block through its entries and leave it through its exits: entry in; in -> b inside, a -> x.in outside. Only \
         disabling arrows cross borders.",
        "lead the arrow through an entry or exit: entry in; in -> b inside, a -> x.in outside";
    WRONG_SIDE = "E206", "entry or exit from the wrong side",
        "From outside an entry is the end of an arrow and an exit its start; from inside it is the other way round.",
        "turn the arrow round, or use the other side";
    NO_LOOP = "E207", "double arrow closes no loop",
        "A double arrow leads back: from the action behind it there must be a path to where it starts. Anywhere else a single arrow is meant.",
        "write a single arrow: ->";
    NOT_REPEATED = "E208", "action on a loop is not repeated",
        "Actions and interactions on a loop can happen more than once and are declared so: repeated action b.",
        "write: repeated action name";
    SILENT_CYCLE = "E209", "cycle without an action",
        "Joins, splits, entries and exits happen at once with the action before them. A cycle of them alone would never come to an end.",
        "put an action into the cycle";
    DOUBLE_END = "E210", "double arrow ends at the wrong node",
        "A double arrow ends at an action or interaction, possibly through entries and exits. Put the join behind that action, or end the \
         double arrow at the action behind the join.",
        "end the double arrow at the action behind the join";
    ALONE = "E211", "interaction without a relation",
        "An interaction happens together with its partners, which a relation names: relation r: x.c, y.d. What happens alone is an action.",
        "join it: relation r: x.c, y.d; or write action";
    PARTIES = "E212", "wrong parties of a relation",
        "A relation joins two or more interactions, each of another block.",
        "write two or more interactions of different blocks: relation r: x.c, y.d";
    ELSE = "E213", "else outside an OrSplit",
        "'else' means: none of the other ways of this OrSplit. It stands once in an OrSplit and nowhere else.",
        "write the condition itself, or put 'else' before one way of a split";
    GROUP = "E214", "group does not fit",
        "A group holds two or more nodes with & between all of them (every one) or | between all of them (one of them). Mixed groups take \
         parentheses: a -> (b & (c | d)). Conditions and double arrows stand before the branches of a split.",
        "write & between all, or | between all, and parentheses for mixed ones";
    DISABLING = "E215", "disabling arrow does not fit",
        "A disabling arrow leads from an action or interaction to actions, interactions or whole blocks, and has no condition.",
        "write an action or interaction before the arrow and actions, interactions or blocks behind it";
    UNKNOWN_TYPE = "E216", "unknown type",
        "Types are bool, byte, a range such as 0..10, an enumeration {red, green}, record { f: T }, T[n], and those named with type.",
        "write bool, byte, 0..10, {red, green}, record { f: T }, T[n] or a type named with type";
    INFINITE = "E217", "integer without a range",
        "An int has infinitely many values, and a checker would have to try them all. Say which ones can occur: var n: 0..100.",
        "say which values occur: var n: 0..100";
    RANGE = "E218", "empty or too large type",
        "A range lo..hi needs lo <= hi, at most 2^31 values and a beginning not below -2^62; an array has 1 to 1000 elements; a model has at most 10000 cells of data.",
        "write a range such as 0..9";
    NOT_CONSTANT = "E219", "not a constant",
        "Constants, ranges, sizes, initial values and the values of 'any' are known before the process runs: numbers, values, and what \
         is computed from them and from constants.",
        "write a number, a value or a constant";
    NOT_INSIDE = "E220", "declaration stands outside blocks",
        "amber, bound, type, const, define and actor are about the whole model and stand outside its blocks.",
        "move it outside the blocks";
    UNKNOWN_NAME = "E221", "no such variable",
        "A name in an expression is a variable of the block or of one around it (elsewhere Block.variable), a define, a constant, or a \
         value of an enumeration where one is expected.",
        "write a variable, define, constant or value that exists here; elsewhere Block.variable";
    NOT_A_PLACE = "E222", "nothing that can be assigned",
        "Left of := stands a variable, a field of it or an element: x, file[i].status. Constants and defines have no place.",
        "write a variable, a field or an element left of :=, as in file[i].status";
    UNKNOWN_ACTOR = "E223", "unknown actor",
        "block X by A needs a line: actor A.",
        "declare it: actor Name";
    CIRCULAR = "E224", "defined by itself",
        "A define, constant or type says what it means in terms of itself, so it means nothing.",
        "write what it means without its own name";
    ONCE = "E225", "given twice",
        "A model has one title (amber …) and one bound.",
        "keep one of them";
    BOUND = "E226", "wrong bound",
        "The bound says how many occurrences of one action may wait at once: 1 to 100.",
        "write a number from 1 to 100";
    CROWDED = "E227", "occurrences can pile up",
        "An action can be triggered again while an earlier occurrence still waits, perhaps without end: such a model has infinitely many \
         states. The run shows how. Either change the model (wait for the action before the loop goes on), or say how many may wait: \
         bound 2 in the model, or --bound 2. What comes on top is then lost and sets 'overflow', so that a verdict tells whether it matters.",
        "wait for the action before the loop goes on, or say how many may wait: bound 2";
    TOO_MANY = "E228", "too many tokens in one step",
        "Splits and joins behind one action multiply the tokens that pass in a single step. More than 64 on one arrow, or more than 24 \
         choices in one step, are refused.",
        "put an action between the splits";
    WRONG_KIND = "E229", "not of that kind",
        "executed(x) asks of any node, triggered(x), disabled(x), enabled(x) and just(x) of actions and interactions (the last two also \
         of relations), blocked(s) of OrSplits, in_counter(j) of AndJoins.",
        "ask executed(x), or name a node of the right kind";
    AMBIGUOUS = "E230", "name fits several nodes",
        "In a property a node is called by its name where that is unique, and by its path in quotes elsewhere: 'Block.pay invoice'.",
        "write the path in quotes: 'Block.pay invoice'";
    NO_QUANTIFIER = "E231", "quantifier over nothing",
        "An AMBER model has no instances to quantify over. Elements of an array are named one by one: file[0].status == Idle.",
        "name the elements one by one: file[0].status == Idle";
    NOTHING = "E232", "no action",
        "A model without actions has nothing that could happen, and nothing to ask about.",
        "declare actions and what leads from one to the other: action a, b; a -> b";
    NO_ENTRY = "W200", "nothing enters here",
        "No arrow leads to this entry, so what is behind it never happens.",
        "lead an arrow to it, or remove it";
}
