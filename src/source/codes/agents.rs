//! Codes of agents files.
codes! {
    UNKNOWN_FIELD = "E060", "unknown field",
        "A role has the fields view, window, instantiation and transformation; an agent has role, vars and protocol.";
    REPEATED = "E061", "field is given twice",
        "Every field stands at most once in a role or agent. Put the parts of a list behind one another, with commas.";
    COUNT = "E062", "wrong number of agents",
        "agent Buyer[5] makes five agents, Buyer1 to Buyer5. The number must be between 1 and 1000, and a file may hold \
         10000 roles and agents.";
    DUPLICATE = "E063", "name is declared twice",
        "Two roles, or two agents, have the same name. The agents of a range count too: Buyer[2] makes Buyer1 and Buyer2.";
    RESERVED = "E064", "name is reserved",
        "AutoAgent is the agent that runs tasks. It is always there and cannot be declared.";
    NO_ROLE = "E065", "agent has no role",
        "Every agent names one role: role: Customer;";
    UNKNOWN_ROLE = "E066", "unknown role",
        "The agent's role is not declared in the agents file.";
    UNKNOWN_TRANSFORMATION = "E067", "unknown transformation",
        "Transformations are hide_stage_status, hide_milestone, delegate_sentry, condense_stage and eliminate_stage.";
    TRANSFORMATION_ARGUMENTS = "E068", "wrong arguments of a transformation",
        "A transformation takes an artifact type and the stage, milestone or sentry that it is about: \
         condense_stage(CustomerOrder, Preparing). The type may be left out where only one type has something of that name.";
    UNKNOWN_SENTRY = "E069", "unknown sentry",
        "delegate_sentry takes the id or name of a guard, a milestone's condition or its invalidating condition.";
    UNKNOWN_VARIABLE = "E070", "unknown private variable",
        "The updates of a protocol change private variables of the agent, declared in vars. Data attributes are changed by the model \
         only; what an event carries is said in the condition.";
    VARIABLE_TWICE = "E071", "private variable is declared twice",
        "Two private variables of one agent have the same name, or a list of values holds a value twice.";
    VARIABLE_RANGE = "E072", "empty range",
        "The range lo..hi of a private variable needs lo <= hi, and at most 2^31 values.";
    INITIAL = "E073", "wrong initial value",
        "The initial value of a private variable is a constant of its type: true or false, a number in the range, or one of the \
         listed values.";
    UPDATED_TWICE = "E074", "variable is updated twice",
        "All updates of a protocol entry happen at once, so a variable can get one value only.";
    UNKNOWN_ATTRIBUTE = "E075", "unknown attribute in a view",
        "A view lists data attributes: by path, by a unique last step, or with the type in front. A name counts for every type that \
         has it. The status of stages and milestones is visible anyway, unless a transformation hides it.";
    NOT_UNIQUE = "E076", "name fits several types",
        "A transformation without a type names something that several types have.";
    ROLE_UNUSED = "W060", "role has no agents",
        "No agent has this role, so it has no effect.";
    NO_AGENTS = "W061", "agents file without agents",
        "With an agents file there is no default agent: nobody sends events, and only tasks can run.";
    NOT_ALLOWED = "W062", "role does not allow the event",
        "The protocol lists an event that the agent can never send: no sentry that the role may trigger names it, or, for a creation \
         event, the type is not in the role's instantiation.";
    SET_IN_VIEW = "W063", "set-valued attribute in a view",
        "Attributes that may occur more than once have no values in the concrete engines. The view goes without it.";
}
