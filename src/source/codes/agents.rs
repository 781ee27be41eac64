//! Codes of agents files.
codes! {
    UNKNOWN_FIELD = "E060", "unknown field",
        "A role has the fields view, window, instantiation and transformation; an agent has role, vars and protocol.",
        "write one of the fields: view, window, instantiation, transformation for a role; role, vars, protocol for an agent";
    REPEATED = "E061", "field is given twice",
        "Every field stands at most once in a role or agent. Put the parts of a list behind one another, with commas.",
        "put both lists behind one another, with commas";
    COUNT = "E062", "wrong number of agents",
        "agent Buyer[5] makes five agents, Buyer1 to Buyer5. The number must be between 1 and 1000, and a file may hold \
         10000 roles and agents.",
        "write a number between 1 and 1000: agent Buyer[5]";
    DUPLICATE = "E063", "name is declared twice",
        "Two roles, or two agents, have the same name. The agents of a range count too: Buyer[2] makes Buyer1 and Buyer2.",
        "give one of them another name";
    RESERVED = "E064", "name is reserved",
        "AutoAgent is the agent that runs tasks. It is always there and cannot be declared.",
        "write another name than AutoAgent";
    NO_ROLE = "E065", "agent has no role",
        "Every agent names one role: role: Customer;",
        "add a line: role: Customer;";
    UNKNOWN_ROLE = "E066", "unknown role",
        "The agent's role is not declared in the agents file.",
        "write a declared role, or declare it: role Name { … };";
    UNKNOWN_TRANSFORMATION = "E067", "unknown transformation",
        "Transformations are hide_stage_status, hide_milestone, delegate_sentry, condense_stage and eliminate_stage.",
        "write hide_stage_status, hide_milestone, delegate_sentry, condense_stage or eliminate_stage";
    TRANSFORMATION_ARGUMENTS = "E068", "wrong arguments of a transformation",
        "A transformation takes an artifact type and the stage, milestone or sentry that it is about: \
         condense_stage(CustomerOrder, Preparing). The type may be left out where only one type has something of that name.",
        "write the type and the name: condense_stage(Type, Stage)";
    UNKNOWN_SENTRY = "E069", "unknown sentry",
        "delegate_sentry takes the id or name of a guard, a milestone's condition or its invalidating condition.",
        "write the id of a guard or condition";
    UNKNOWN_VARIABLE = "E070", "unknown private variable",
        "The updates of a protocol change private variables of the agent, declared in vars. Data attributes are changed by the model \
         only; what an event carries is said in the condition.",
        "declare it: vars: bool name = false; data of the model cannot be changed here";
    VARIABLE_TWICE = "E071", "private variable is declared twice",
        "Two private variables of one agent have the same name, or a list of values holds a value twice.",
        "give one of them another name, or remove it";
    VARIABLE_RANGE = "E072", "empty range",
        "The range lo..hi of a private variable needs lo <= hi, at most 2^31 values, and a beginning not below -2^62.",
        "write a range such as 0..9";
    INITIAL = "E073", "wrong initial value",
        "The initial value of a private variable is a constant of its type: true or false, a number in the range, or one of the \
         listed values.",
        "write a value of its type";
    UPDATED_TWICE = "E074", "variable is updated twice",
        "All updates of a protocol entry happen at once, so a variable can get one value only.",
        "keep one of the updates";
    UNKNOWN_ATTRIBUTE = "E075", "unknown attribute in a view",
        "A view lists data attributes: by path, by a unique last step, or with the type in front. A name counts for every type that \
         has it. The status of stages and milestones is visible anyway, unless a transformation hides it.",
        "write attributes of the types: their path, or its last step where that is unique";
    NOT_UNIQUE = "E076", "name fits several types",
        "A transformation without a type names something that several types have.",
        "write the type in front: (Type, Name)";
    EMPTY_WINDOW = "E077", "window without a condition",
        "A window is a condition: without the line an agent sees every instance, so an empty one cannot be meant. Lists may be empty: \
         'protocol: ;' sends nothing, 'view: ;' sees no data, 'instantiation: ;' creates nothing.",
        "write a condition, true or false";
    ROLE_UNUSED = "W060", "role has no agents",
        "No agent has this role, so it has no effect.",
        "give it to an agent (role: Name;), or remove it";
    NO_AGENTS = "W061", "agents file without agents",
        "With an agents file there is no default agent: nobody sends events, and only tasks can run.",
        "add one: agent Name { role: Role; protocol: Event: true -> ; };";
    NOT_ALLOWED = "W062", "role does not allow the event",
        "The protocol lists an event that the agent can never send: no sentry that the role may trigger names it, or, for a creation \
         event, the type is not in the role's instantiation.",
        "remove the line, or let the role allow it (instantiation: Type; for creation)";
    SET_IN_VIEW = "W063", "set-valued attribute in a view",
        "Attributes that may occur more than once have no values in the concrete engines. The view goes without it.",
        "remove it from the view";
}
