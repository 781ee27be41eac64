//! Codes of CMMN case models.
codes! {
    NOT_CMMN = "E250", "not a CMMN file",
        "The root element of a case model is 'definitions' in one of OMG's CMMN namespaces (1.0 or 1.1) or in none. A root element \
         'case' is the source format of a modelling tool, which exports the standard format as well.",
        "export the case in CMMN 1.1 and name that file";
    NO_PLAN = "E251", "no case with a plan",
        "The file holds no case with a casePlanModel, so that there is nothing to run. A definitions file of Cafienne may hold tasks \
         or processes only.",
        "add a casePlanModel, or name the file that has one";
    UNKNOWN_CASE = "E252", "no such case",
        "--case-id names a case of the file by its id.",
        "write the id of a case of the file";
    STAGE_IN_ITSELF = "E253", "a stage inside itself",
        "A plan item inside a stage refers to that stage, directly or by way of others, so that the plan would never end.",
        "take the inner plan item out of the stage";
    TOO_MANY_INSTANCES = "E254", "too many instances",
        "gsmc lists every instance a case can have at the same time, and refuses more than 400. Repeating stages multiply what is inside \
         them: give fewer instances with --instances ITEM=1.",
        "give fewer instances: --instances ITEM=1";
    SEVERAL_CASES = "W250", "several cases",
        "The file holds several cases and gsmc checks one of them at a time: the first, unless --case-id ID chooses another.",
        "choose one with --case-id ID";
    NO_DEFINITION = "W251", "plan item without definition",
        "The definitionRef of this plan item names nothing in its case, so the item is left out, as if it were not there.",
        "write the id of a task, stage, milestone or listener of the case in definitionRef";
    NO_SENTRY = "W252", "criterion without sentry",
        "The sentryRef of this criterion names no sentry (or there is no such attribute), so it never fires. Flowable also reads \
         flowable:sentryRef; the standard does not.",
        "write the id of a sentry in sentryRef";
    NO_SOURCE = "W253", "on-part without source",
        "The sourceRef of this on-part names no plan item or case file item of the case, or its exitCriterionRef no exit criterion of \
         that item, so its event never occurs and the criterion never fires.",
        "write the id of a plan item or case file item in sourceRef, of an exit criterion of that item in exitCriterionRef";
    NEVER_OCCURS = "W254", "an event that never occurs",
        "The source of this on-part never has this event: tasks and stages complete, milestones and listeners occur; only what is \
         started by hand is enabled; gsmc does not run suspension, closing and reactivation. The criterion never fires.",
        "write an event that the source has: complete for tasks and stages, occur for milestones and listeners";
    EMPTY_SENTRY = "W255", "empty sentry",
        "This sentry has neither on-part nor if-part. Flowable takes it for satisfied at once; the standard forbids it, so under the \
         profile 'spec' it may be satisfied or not in every step.",
        "add an on-part or an if-part, or remove the sentry";
    SENTRY_ELSEWHERE = "W256", "sentry in another container",
        "A criterion should use a sentry of the stage (or plan) its item stands in. Flowable finds it elsewhere too; Camunda drops \
         such a criterion.",
        "move the sentry into the stage of its item";
    DUPLICATE_ID = "W257", "id is used twice",
        "Ids are unique in a file. References to this id mean its first use.",
        "give one of them another id";
    IDLE_MILESTONE = "W258", "milestone without entry criterion",
        "A milestone without entry criterion occurs as soon as its stage starts, so it says nothing.",
        "add an entry criterion, or remove the milestone";
    UNUSED_LISTENER = "W259", "listener nobody uses",
        "No criterion waits for this listener: that it occurs changes nothing, and while it is available it may keep its stage open.",
        "add a criterion that waits for it, or remove it";
    LISTENER_ENTRY = "W260", "entry criteria of a listener",
        "Listeners listen as soon as their stage starts; their entry criteria are ignored.",
        "remove the criteria";
    CONDITION = "W261", "condition not understood",
        "gsmc understands comparisons of variables with constants, their Boolean combinations, the functions 'variables:…' and queries \
         of plan item instances. Every other condition is taken to hold or not, freely in every step: nothing is missed, but a run may \
         show what the real condition forbids. Verdicts list such conditions as assumed.",
        "write comparisons of variables with constants, joined by && and ||";
    VARIABLE_PART = "W262", "variable on-part",
        "Events of variables are not run: the on-part occurs or not, freely in every step.",
        "wait for a plan item's event, or write an if-part";
    CODE = "W263", "code that may set variables",
        "Scripts, expressions, classes and listeners may set variables when they run. gsmc does not run them: variables change when \
         tasks complete, as '[writes]' in gsmc.toml says.",
        "say what tasks write in gsmc.toml, under [writes]";
    START_TRIGGER = "W264", "start trigger not read",
        "A timer that starts to run when a plan item has an event is taken for one that runs from the start of its stage.",
        "nothing, if the timer may as well run from the start";
    DISCRETIONARY = "W265", "discretionary item left out",
        "Flowable's engine does not run discretionary items and planning tables; the profile 'spec' does.",
        "check with --profile spec to have it run";
    UNKNOWN_ITEM = "W266", "no such item",
        "--instances, --manual or [writes] names an item that the case does not have, or for which it does nothing: one that cannot have \
         several instances, or to which this is not done by hand.",
        "write the name or id of an item of the case for which the option does something";
    FRAGMENT_CRITERIA = "W267", "criteria of a plan fragment",
        "A plan fragment is a group in the drawing and has no life of its own: its items belong to the stage around it. Criteria and \
         rules of the fragment itself are ignored.",
        "move the criteria to the items or to the stage around them";
    UNKNOWN_PART = "W268", "part of a case that is not read",
        "The element or attribute means nothing at this place and is skipped with everything inside. There is one warning per kind.",
        "remove it, or put it where it belongs";
    ODD_VALUE = "W269", "value that means nothing",
        "The attribute takes one of a few words, and this is none of them. It is taken as if it were not there.",
        "write one of the words that the attribute takes";
    DETAILS = "W270", "details that change nothing",
        "Forms, names for people, parameters of calls and other details of an engine do not change which events can happen in which order. \
         They are ignored; one warning lists them all.",
        "nothing: this is for your information";
    TOO_MANY_VALUES = "E255", "too many values of a variable",
        "Conditions compare this variable with more constants than gsmc tells apart (60). Give the ones that matter in gsmc.toml, under \
         [data].",
        "give the values that matter in gsmc.toml, under [data]";
    UNKNOWN_NAME = "E256", "no such item or variable",
        "A property names something that the case does not have. Items are called by their name if it is unique, else by their id: \
         'Check invoice'.active; variables by the path that conditions read: outcome == 'no'.",
        "write the name of an item, or its id: 'Check invoice'.active";
    NO_ATOM = "E257", "not a statement about a case",
        "Properties of a case are made of states of items ('Item'.active, 'Milestone'.occurred, case.completed), comparisons of variables \
         with constants, overflow and endless.",
        "write 'Item'.active, 'Milestone'.occurred, case.completed or a comparison: outcome == 'no'";
    NOT_TOLD_APART = "E258", "a value that is not told apart",
        "A variable has the values that conditions of the case can tell apart: those they compare it with, and '(other)' for all the \
         rest, or regions of numbers. A property that compares it with something else asks what is not known. Give all values that \
         matter in gsmc.toml, under [data].",
        "compare with a value that some condition names, or give the variable's values in gsmc.toml, under [data]";
}
