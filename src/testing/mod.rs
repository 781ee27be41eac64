//! Random small applications, as files. For tests only: engines are compared on them.
//!
//! [`random_app`] draws a project from a seed, [`Project::from_choices`] from a list of numbers, which a property-test library can
//! shrink. What comes out is text, so that the readers are exercised too, and it always loads without an error.

mod agents;
pub mod amber;
pub mod bags;
pub mod blocks;
pub mod cascade;
mod choices;
pub mod cmmn;
pub mod egsm;
mod formulas;
pub mod reference;
mod sentries;
mod sketch;
mod skipped;
mod xml;

pub use choices::Choices;
pub use skipped::skipped;

/// How large and how rich an application may be.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Artifact types: 1 or 2.
    pub types: usize,
    /// Stages over all types, at least 1.
    pub stages: usize,
    /// Slots per type: 1 or 2.
    pub slots: usize,
    /// Agents in the agents file; 0: never an agents file.
    pub agents: usize,
    /// Properties.
    pub properties: usize,
    /// Data attributes and payload?
    pub data: bool,
    /// Tasks?
    pub tasks: bool,
    /// A second type that tasks of the first alone create?
    pub children: bool,
    /// Operators about related artifacts?
    pub related: bool,
    /// Knowledge operators?
    pub knowledge: bool,
    /// Linear time?
    pub linear: bool,
    /// Strategies?
    pub strategies: bool,
    /// Fixpoints?
    pub fixpoints: bool,
    /// Fairness constraints?
    pub fairness: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            types: 2,
            stages: 6,
            slots: 2,
            agents: 2,
            properties: 4,
            data: true,
            tasks: true,
            children: false,
            related: true,
            knowledge: true,
            linear: true,
            strategies: true,
            fixpoints: true,
            fairness: true,
        }
    }
}

/// The files of a project folder, `gsmc.toml` first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Name and text of each file.
    pub files: Vec<(String, String)>,
}

/// A random project; the same for the same seed.
pub fn random_app(seed: u64) -> Project {
    random_app_with(seed, &Limits::default())
}

/// A random project within limits; the same for the same seed.
pub fn random_app_with(seed: u64, limits: &Limits) -> Project {
    Project::draw(&mut Choices::seeded(seed), limits)
}

impl Project {
    /// The project that a list of choices describes; shorter lists and smaller numbers describe simpler projects.
    pub fn from_choices(choices: &[u16], limits: &Limits) -> Project {
        Project::draw(&mut Choices::listed(choices), limits)
    }

    /// Draws a project.
    pub fn draw(c: &mut Choices, limits: &Limits) -> Project {
        let mut sketch = sketch::sketch(c, limits);
        sentries::fill(c, limits, &mut sketch);
        if limits.children {
            sketch::children(c, &mut sketch);
        }
        let with_agents = limits.agents > 0 && (limits.children || c.chance(60));
        let (agents_text, agents) =
            if with_agents { agents::agents(c, limits, &sketch) } else { (String::new(), Vec::new()) };
        let mut extra = Vec::new();
        if c.chance(10) {
            extra.push("creation = \"overflow\"");
        }
        if c.chance(10) {
            extra.push(c.one_of(["idle = \"always\"", "idle = \"terminal\""]));
        }
        if c.chance(10) {
            extra.push("keep_all = true");
        }
        let properties = formulas::properties(c, limits, &sketch, &agents);
        // Drawn last, so that it changes nothing else.
        if c.chance(15) {
            extra.push("events = \"any\"");
        }
        if limits.tasks && c.chance(30) {
            sketch::messages(c, &mut sketch);
        }
        let mut files = vec![("gsmc.toml".to_string(), xml::options(&sketch, with_agents, &extra))];
        files.push(("model.xml".into(), xml::model(&sketch)));
        files.extend(xml::schemas(&sketch));
        if with_agents {
            files.push(("agents.gsma".into(), agents_text));
        }
        files.push(("properties.gsmp".into(), properties));
        Project { files }
    }

    /// The text of a file.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|(n, _)| n == name).map(|(_, text)| text.as_str())
    }

    /// Writes the files into a folder.
    pub fn write_to(&self, folder: &std::path::Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        self.files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    }
}

impl std::fmt::Display for Project {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.files.iter().try_for_each(|(name, text)| writeln!(f, "--- {name}\n{text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_for_the_same_seed_and_well_formed() {
        for seed in 0..300 {
            let project = random_app(seed);
            assert_eq!(project, random_app(seed));
            for (name, text) in project.files.iter().filter(|(n, _)| n.ends_with(".xml") || n.ends_with(".xsd")) {
                assert!(roxmltree::Document::parse(text).is_ok(), "{name} of seed {seed}:\n{text}");
            }
        }
    }

    #[test]
    fn no_choices_give_the_smallest_project() {
        let smallest = Project::from_choices(&[], &Limits::default());
        let model = smallest.file("model.xml").unwrap();
        assert_eq!(model.matches("<ca:Stage ").count(), 1);
        assert_eq!(smallest.file("agents.gsma"), None);
    }
}
