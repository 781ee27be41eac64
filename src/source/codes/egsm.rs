//! 180–199: E-GSM models.

codes! {
    NOT_IN_EGSM = "E180", "not possible in an E-GSM model",
        "An E-GSM model has one component with one instance and no tasks, and its sentries know isEventOccurring, isMilestoneAchieved, isStageActive and comparisons with == and !=. If the file means plain GSM, say --profile gsm.",
        "say it with isEventOccurring, isMilestoneAchieved, isStageActive, == and !=; or check as plain GSM: --profile gsm";
    UNKNOWN_NAME = "E181", "a sentry names a stage, milestone or item that does not exist",
        "The engine of this dialect would silently take the sentry for false. Correct the name, or remove the part.",
        "correct the name, or remove the part";
    SAME_ID = "E182", "two stages or two sentries have the same id",
        "Listeners are found by id, so ids must be unique among stages, and among guards, flow guards, fault loggers and milestones.",
        "give one of them another id";
    UNDECLARED_EVENT = "W183", "an event is not declared",
        "A sentry whose evaluation reaches an undeclared event is false as a whole, also under 'not'. Declare the event in the EventModel.",
        "declare it in the EventModel: <Event id=\"…\"/>";
    EVENT_IDS = "W184", "eventIds does not fit the expression",
        "The dialect's engine ignores eventIds; what counts are the events in the expression. A sentry with eventIds and no expression \
         always holds. (In the notation 'on E' is part of the condition: it asks whether E occurs.)",
        "ask for the event in the expression: GSM.isEventOccurring(E)";
    UNHEARD_ITEM = "W185", "changes of an item are not heard",
        "A change of the item X is told to sentries only if the events X_l (leaving) and X_e (entering) are both declared.",
        "declare both events, X_l and X_e";
    NO_ELEMENT = "W186", "an event has no element in the schema",
        "Messages about the event would not fit the schema. Nothing changes in the model's behaviour.",
        "add an element of that name to the schema";
    OTHER_NAME = "W187", "an event's name is not its id",
        "The id counts.",
        "write the same text as id and name";
    NOT_READ = "W190", "data that plays no part",
        "In an E-GSM model data is the status of items, and a status is a text or not set: what events carry, elements without a status and \
         initial values are ignored.",
        "remove it, or check as plain GSM: --profile gsm";
    TOO_LONG = "E189", "the rules cannot be written down",
        "Stages and sentries set each other off without end, or so often that one move would take more than 200,000 assignments. Look at the named stages: what one opens or closes comes back to it through the others.",
        "break the circle at one of the named stages";
    NEVER_ACHIEVED = "W188", "a milestone has no condition",
        "It is never achieved, so it never closes its stage.",
        "add a Condition, or remove the milestone";
}
