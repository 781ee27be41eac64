//! The GSM operators and their spellings.

use crate::lang::gsm::{MilestoneIs, StageIs};

/// What an operator asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// About a stage of the context slot (or of some slot of a type).
    Stage(StageIs),
    /// About a milestone of the context slot (or of some slot of a type).
    Milestone(MilestoneIs),
    /// Is the event occurring at the context slot?
    Event,
    /// Does the task of the context slot complete now?
    Task,
    /// Some related slot of a type has the stage.
    RelatedStage(StageIs),
    /// Some related slot of a type has the milestone.
    RelatedMilestone(MilestoneIs),
    /// There are related slots of the type and all have the milestone.
    AllRelatedMilestone,
}

/// Canonical spellings. Others differ in the case of the first letter or a leading `is`.
pub const OPERATORS: [(&str, Operator); 17] = [
    ("isStageActive", Operator::Stage(StageIs::Active)),
    ("isStageCompleted", Operator::Stage(StageIs::Completed)),
    ("stageActivatedOnEvent", Operator::Stage(StageIs::Opened)),
    ("stageClosedOnEvent", Operator::Stage(StageIs::Closed)),
    ("isMilestoneAchieved", Operator::Milestone(MilestoneIs::Achieved)),
    ("milestoneAchievedOnEvent", Operator::Milestone(MilestoneIs::JustAchieved)),
    ("milestoneInvalidatedOnEvent", Operator::Milestone(MilestoneIs::JustInvalidated)),
    ("isEventOccurring", Operator::Event),
    ("hasTaskCompleted", Operator::Task),
    ("isRelatedArtifactStageActive", Operator::RelatedStage(StageIs::Active)),
    ("hasRelatedArtifactMilestoneBeenAchieved", Operator::RelatedMilestone(MilestoneIs::Achieved)),
    ("hasGroupOfAnyRelatedArtifactsMilestoneBeenAchieved", Operator::RelatedMilestone(MilestoneIs::Achieved)),
    ("hasGroupOfAllRelatedArtifactsMilestoneBeenAchieved", Operator::AllRelatedMilestone),
    ("RelatedArtifactMilestoneAchievedOnEvent", Operator::RelatedMilestone(MilestoneIs::JustAchieved)),
    ("outOfOrder", Operator::Stage(StageIs::OutOfOrder)),
    ("skipped", Operator::Stage(StageIs::Skipped)),
    ("faulty", Operator::Stage(StageIs::Faulty)),
];

/// The operator of that name.
pub fn operator(name: &str) -> Option<Operator> {
    let wanted = normal(name);
    OPERATORS.iter().find(|(spelling, _)| normal(spelling) == wanted).map(|(_, op)| *op)
}

/// First letter in lower case, without a leading `is`.
fn normal(name: &str) -> String {
    let rest = name.strip_prefix("is").or(name.strip_prefix("Is")).filter(|r| r.starts_with(char::is_uppercase));
    let mut chars = rest.unwrap_or(name).chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

impl Operator {
    /// Does it speak about a step rather than a snapshot?
    pub fn about_step(self) -> bool {
        use Operator::*;
        match self {
            Event | Task => true,
            Stage(is) | RelatedStage(is) => matches!(is, StageIs::Opened | StageIs::Closed),
            Milestone(is) | RelatedMilestone(is) => is != MilestoneIs::Achieved,
            AllRelatedMilestone => false,
        }
    }

    /// Is it about related artifacts, and so takes a type always?
    pub fn about_related(self) -> bool {
        matches!(self, Operator::RelatedStage(_) | Operator::RelatedMilestone(_) | Operator::AllRelatedMilestone)
    }

    /// An E-GSM observer?
    pub fn is_observer(self) -> bool {
        matches!(self, Operator::Stage(StageIs::OutOfOrder | StageIs::Skipped | StageIs::Faulty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_differ_in_first_letter_and_leading_is() {
        for name in ["isStageActive", "IsStageActive", "stageActive", "StageActive"] {
            assert_eq!(operator(name), Some(Operator::Stage(StageIs::Active)), "{name}");
        }
        for name in ["isMilestoneAchievedOnEvent", "MilestoneAchievedOnEvent", "milestoneAchievedOnEvent"] {
            assert_eq!(operator(name), Some(Operator::Milestone(MilestoneIs::JustAchieved)), "{name}");
        }
        assert_eq!(operator("HasTaskCompleted"), Some(Operator::Task));
        assert_eq!(
            operator("relatedArtifactMilestoneAchievedOnEvent"),
            operator("RelatedArtifactMilestoneAchievedOnEvent")
        );
        assert_eq!(operator("stageactive"), None);
        assert_eq!(operator("is"), None);
    }
}
