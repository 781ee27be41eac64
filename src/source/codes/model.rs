//! Codes of models and schemas.
codes! {
    XML_MALFORMED = "E010", "not well-formed XML",
        "The file is not XML: a tag that is not closed, a stray '<' or '&' in an attribute, a name used twice. Inside attributes \
         write &amp;&amp; for &&, &lt; for < and &quot; for a double quote. Document type definitions are refused, and so are \
         entities other than the five that XML predefines.",
        "correct the XML here; inside attributes write &amp;&amp; for &&, &lt; for <, &quot; for a quote";
    NOT_AN_APPLICATION = "E011", "not a GSM application",
        "The root element must be CompositeApplication or CompositeApplicationType in the namespace \
         http://siena.ibm.com/model/CompositeApplication. The prefix does not matter, the namespace does.",
        "begin with <CompositeApplication xmlns=\"http://siena.ibm.com/model/CompositeApplication\">, or name another file";
    UNKNOWN_MILESTONE = "E012", "unknown milestone",
        "An operator names a milestone that the artifact type does not have. Milestones are looked up by id first, then by name, \
         in the type that the expression is about: the type of the guard's own artifact, or the type given as first argument. \
         The message lists the nearest names.\n\nExample: GSM.isMilestoneAchieved('Draftet') where the milestone is 'Drafted'.",
        "write the id of a milestone of this type, or declare it: <Milestone id=\"…\">";
    UNKNOWN_STAGE = "E013", "unknown stage",
        "An operator names a stage that the artifact type does not have. Stages are looked up by id first, then by name, in the \
         type that the expression is about.",
        "write the id of a stage of this type, or declare it: <Stage id=\"…\">";
    UNKNOWN_EVENT = "E014", "unknown event",
        "An expression, mapping or protocol names an event that is neither declared in the EventModel nor a creation event \
         Create_<Type>. An unknown name in eventIds is only a warning (W033).",
        "write the id of an event, Create_ and a type for creation, or declare it: <Event id=\"…\">";
    UNKNOWN_TASK = "E015", "unknown task",
        "GSM.hasTaskCompleted names a task that the artifact type does not have.",
        "write the id of a task of this type";
    UNKNOWN_TYPE = "E016", "unknown artifact type",
        "A type is named by the id or the name of its Component. The message lists the nearest ones.",
        "write the id of a Component (in the notation, of a type)";
    MISSING_ATTRIBUTE = "E017", "a required XML attribute is missing",
        "Components, stages, milestones, tasks and events need an id; an Invoke needs a serviceDefinitionId; a DataItem needs a \
         schemaUri. Guards and conditions may go without an id: gsmc then makes one up from their owner.",
        "add the attribute";
    DUPLICATE_ID = "E018", "id used twice",
        "Ids are unique per kind: two stages of a type may not share one, nor two milestones, two tasks, two events or two types. \
         A stage and an event may.",
        "give one of them another id";
    AMBIGUOUS = "E019", "ambiguous name",
        "The name fits more than one thing: several elements bear it as name, several nested attributes end in it, or several \
         types have it. Use the id, the full path, or name the type.",
        "write the id, the full path, or the type in front";
    TASK_NOT_ATOMIC = "E020", "task where none can be",
        "Only a stage without sub-stages can have a task, and only one: its opening starts the task. Put further tasks into \
         sub-stages of their own.",
        "put the task into a sub-stage of its own, one task a stage";
    XML_LIMITS = "E021", "XML file is larger than any model",
        "gsmc bounds the nesting of elements (128 levels), the number of tags, of attributes per element and of namespaces, so that a \
         file made to hurt gives this error instead of taking all memory.",
        "split the file, or check whether it is the right one";
    NOT_A_SCHEMA = "E022", "not an XML schema",
        "A schemaUri leads to a file whose root element is not xs:schema.",
        "name a file whose root element is <xs:schema>";
    UNKNOWN_ROOT = "E023", "unknown root element",
        "The rootElement of a DataItem or message is not among the global elements of its schema. In E-GSM models, whose root element \
         'infoModel' is never declared, all global elements are taken as its children instead.",
        "write the name of a global element of the schema in rootElement";
    UNKNOWN_SCHEMA_TYPE = "E024", "unknown schema type",
        "A type or ref in the schema names neither a built-in type of XML schema nor something declared in the same file.",
        "write a built-in type such as xs:string, xs:integer, xs:boolean, or declare the type in this file";
    DATA_TOO_LARGE = "E025", "data type contains itself or is too large",
        "Nested elements are flattened to paths such as Address.City, so an element cannot contain itself. There is also a bound on \
         the number of fields.",
        "leave out the parts that no sentry reads, or make the nesting end";
    TOO_MANY_REGIONS = "E137", "too many kinds of elements",
        "A bag is kept as one counter for each kind of element that the comparisons anywhere in model, agents and properties tell apart: \
         every combination of their answers that an element can have. With more than 64 kinds gsmc gives up. Ask for fewer fields, or \
         compare them with fewer constants.",
        "ask for fewer fields, or compare them with fewer constants";
    BAD_MAPPING = "E026", "mapping makes no sense",
        "A Mapping needs a Target that is an attribute of the artifact and, unless its type is 'add', a Source: a constant, a field of \
         an event's message (refType serviceRequest) or an attribute of the same artifact (refType artifact). 'add' counts up a \
         number by one. Where the Target is a field of a bag, or a bag of plain values, 'add' puts an element in, 'remove' takes out one \
         that has these values, and both have a Source; 'clear' has none and empties the bag. Bags cannot be set.",
        "write <Mapping><Source …/><Target …/></Mapping>, or type=\"add\" with a Target alone";
    BAD_MESSAGE = "E097", "message that cannot be sent",
        "A task that names a declared event (XML: the serviceDefinitionId of an Invoke; notation: send) sends it as a one-way message, \
         and does nothing else: a second Assign or Invoke beside it is an error. An event that creates an instance is not sent but \
         created. Every field of the message is given at most once.",
        "write task t: send Event { field = value } alone, and put other steps into a stage of their own";
    BAD_FACET = "E027", "value does not fit its schema type",
        "A default, fixed, minInclusive or maxInclusive in the schema is not a value of the type it belongs to, or the bounds leave no \
         value.",
        "write a value of the type, or change the type's bounds";
    UNKNOWN_FIELD = "E028", "unknown payload field",
        "A mapping reads a field that no message of the event has. Fields are the attributes and simple elements of the message's root \
         element.",
        "write the name of a field of the event's message";
    UNKNOWN_LANGUAGE = "E029", "unknown expression language",
        "The language of a sentry is JEXL (the default) or OCL.",
        "write language=\"JEXL\" or language=\"OCL\", or leave it out";
    NO_TYPES = "E030", "the model has no artifact type",
        "An application needs at least one Component.",
        "add a Component (in the notation: type Order { … })";
    UNKNOWN_ELEMENT = "W031", "unknown element",
        "The element means nothing to gsmc at this place and is skipped with everything inside. There is one warning per kind of element, \
         not one per element.",
        "remove it, or put it where it belongs";
    UNKNOWN_ATTRIBUTE = "W032", "unknown XML attribute",
        "The attribute means nothing to gsmc on this element and is skipped. There is one warning per kind.",
        "remove it, or correct its name";
    EVENT_IDS = "W033", "eventIds names no event",
        "One of the words in eventIds is not an event. It is left out; a sentry all of whose events are unknown can never hold.",
        "write the id of a declared event, or declare it: <Event id=\"…\">";
    UNUSED_EVENT = "W034", "unused event",
        "No guard and no milestone waits for this event, so it never has an effect and is never sent.",
        "let a guard or condition wait for it, or remove it";
    MAPPING_PART = "W139", "part of a mapping is ignored",
        "The mapping says something that plays no part: 'add' counts up by one whatever its Source says; a Mapping of an Invoke has no type; \
         an Assign writes attributes of its own artifact, whatever targetId and refType say; an end has an XPath or an expression, not both.",
        "remove that part of the mapping";
    SCHEMA_IGNORED = "W035", "schema construct is ignored",
        "gsmc reads elements, attributes, complex types and restrictions with enumeration, minInclusive and maxInclusive. The rest of \
         XML schema does not change what it checks.",
        "remove it, or say the values in gsmc.toml: [ranges]";
    TRUNCATED = "W036", "number is cut to a whole one",
        "A whole number begins with a number with a fraction, or a task or an update gives it one: it takes the whole part. Constants \
         in conditions are never cut: n < 2.5 is n <= 2.",
        "write a whole number, or declare the attribute as xs:decimal (real)";
    SAME_SENTRY_ID = "W037", "two guards or conditions share an id",
        "Messages and traces name guards and conditions by id, so two of a type with one id cannot be told apart there. The behaviour is not \
         affected.",
        "give one of them another id";
    LOSSY_COPY = "W038", "copy can lose values",
        "A mapping copies an attribute into another one that distinguishes more values. Values are inferred from what each attribute is \
         compared with; give the source a range in gsmc.toml to let it carry more.",
        "give the source a range: --range Type.attribute=0..9, or [ranges] in gsmc.toml";
    NEVER_CHANGES = "W039", "stage or milestone that nothing can reach",
        "A stage without a guard never opens, and a milestone without a Condition is never achieved. A guard or Condition without an \
         expression holds always (or whenever one of its events occurs).",
        "add a guard (for a milestone, a condition), or remove it";
}
