//! The families: what grows in each, to which sizes, and how its models are made.

use super::common::case::{Asked, Case};
use super::models;
use gsmc::answer::Engine;
use std::io;
use std::path::{Path, PathBuf};

/// Models of one kind, from small to large.
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// What the models are.
    pub about: &'static str,
    /// What grows.
    pub grows: &'static str,
    pub sizes: &'static [u32],
    pub made: Made,
    /// What the native engine is asked.
    pub asked: Asked,
    /// Where another checker is faster, why, as far as it was looked into.
    pub why: &'static [(&'static str, &'static str)],
}

/// How models of a size are made.
pub enum Made {
    /// As text.
    Text(fn(u32) -> String),
    /// From an example.
    Example(fn(u32) -> Example),
}

/// An example with options.
#[derive(Default)]
pub struct Example {
    folder: &'static str,
    agents: Option<String>,
    instances: Vec<String>,
    ranges: Vec<String>,
}

/// One model of a family.
pub struct Member {
    /// Its size or name.
    pub label: String,
    /// For the native engine; other engines get the same model.
    pub case: Case,
    /// One of several that grow.
    pub grows: bool,
}

/// A folder with more E-GSM models: model files, or folders with a `gsmc.toml` or a `model.xml`.
pub const MORE: &str = "GSMC_EGSM_MODELS";

pub const FAMILIES: [Family; 8] = [
    Family {
        name: "orders",
        title: "Order-to-Cash",
        about: "`examples/order-to-cash` with 15 agents: independent instances, knowledge.",
        grows: "orders",
        sizes: &[1, 2, 3, 6, 12, 64, 256],
        made: Made::Example(|n| {
            let (agents, instances) = (Some("agents-15.gsma".into()), vec![format!("CustomerOrder={n}")]);
            Example { folder: "order-to-cash", agents, instances, ranges: vec![] }
        }),
        asked: Asked::Check,
        why: &[],
    },
    Family {
        name: "suppliers",
        title: "Fixed Price",
        about: "`examples/fixed-price` with so many suppliers asked: responses that wait for each other through the request.",
        grows: "suppliers",
        sizes: &[1, 2, 3, 4],
        made: Made::Example(|n| {
            if n == 1 {
                return Example { folder: "fixed-price", ..Example::default() };
            }
            let ranges = ["SupplierCount=1", "Invited=0"].map(|r| format!("FixedPriceRequest.{r}..{n}")).to_vec();
            let instances = vec![format!("SupplierResponse={n}")];
            Example { folder: "fixed-price-two", instances, ranges, agents: None }
        }),
        asked: Asked::Check,
        why: &[],
    },
    Family {
        name: "egsm",
        title: "E-GSM with standard questions",
        about: "A monitored transport over so many legs, and `examples/shipment`. What other checkers get are the standard questions written \
                as formulas; native answers the standard questions (`--builtin`), too.",
        grows: "legs",
        sizes: &[1, 2, 3, 4, 6, 8, 12],
        made: Made::Text(models::transport),
        asked: Asked::Builtin,
        why: &[],
    },
    Family {
        name: "parts",
        title: "Parents and children",
        about: "A job that waits for all of its parts and breaks with any of them; the parts wait for the job.",
        grows: "parts",
        sizes: &[2, 3, 4, 5, 6, 7, 8],
        made: Made::Text(models::parts),
        asked: Asked::Check,
        why: &[],
    },
    Family {
        name: "long",
        title: "Long lifecycles",
        about: "Stages one after the other, in phases of ten, done or skipped, with ways back.",
        grows: "stages",
        sizes: &[10, 20, 50, 100, 200, 400],
        made: Made::Text(models::long),
        asked: Asked::Check,
        why: &[],
    },
    Family {
        name: "numbers",
        title: "Large numbers",
        about: "An account with amounts up to the number: sums, comparisons of sums, amounts that somebody chooses.",
        grows: "largest number",
        sizes: &[10, 100, 1_000, 10_000, 100_000, 1_000_000],
        made: Made::Text(models::numbers),
        asked: Asked::Check,
        why: &[],
    },
    Family {
        name: "people",
        title: "Many agents",
        about: "Two tickets, opened by one of the agents and solved by another, who see their own only.",
        grows: "agents",
        sizes: &[3, 10, 30, 100],
        made: Made::Text(models::people),
        asked: Asked::Check,
        why: &[],
    },
    Family {
        name: "muddy",
        title: "Muddy children",
        about: "Children who see each other's foreheads and learn from silence; knowledge and common knowledge.",
        grows: "children",
        sizes: &[3, 4, 5, 6, 8, 10, 12],
        made: Made::Text(models::muddy),
        asked: Asked::Check,
        why: &[(
            "mcmas",
            "So few snapshots are decided in the time that a process takes to start: either is a hundredth of a second.",
        )],
    },
];

impl Family {
    /// Its models, the smallest first; texts are written into a folder.
    pub fn members(&self, folder: &Path, limit: u64) -> io::Result<Vec<Member>> {
        let mut members = Vec::new();
        for &n in self.sizes {
            let case = match self.made {
                Made::Text(text) => {
                    let file = folder.join(format!("{}-{n}.gsm", self.name));
                    std::fs::write(&file, text(n))?;
                    self.case(&file, limit)
                }
                Made::Example(of) => {
                    let Example { folder, agents, instances, ranges } = of(n);
                    Case { agents, instances, ranges, ..self.case(&examples().join(folder), limit) }
                }
            };
            members.push(Member { label: n.to_string(), case, grows: true });
        }
        if self.asked == Asked::Builtin {
            let own = ("shipment".to_string(), examples().join("shipment"));
            for (label, model) in std::iter::once(own).chain(more()?) {
                members.push(Member { label, case: self.case(&model, limit), grows: false });
            }
        }
        Ok(members)
    }

    fn case(&self, model: &Path, limit: u64) -> Case {
        Case { asked: self.asked, ..Case::of(Engine::NATIVE, model, limit) }
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// Names and models of the folder that the environment names.
fn more() -> io::Result<Vec<(String, PathBuf)>> {
    let Some(folder) = std::env::var_os(MORE) else { return Ok(vec![]) };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_model = path.extension().is_some_and(|e| e == "gsm" || e == "xml") || path.join("gsmc.toml").is_file();
        let inside = path.join("model.xml");
        found.extend(
            if is_model { Some(path) } else { Some(inside).filter(|m| m.is_file()) }.map(|model| (name, model)),
        );
    }
    found.sort();
    Ok(found)
}
