//! The model reader: what it builds, and the exact text of what it complains about.

mod corpus;
mod expressions;
mod files;
mod hostile;
mod meaning;
mod places;
mod structure;

use crate::lang::gsm::resolve::{Draft, ModelOptions, build};
use crate::lang::gsm::{Application, Expr, ExprKind, MilestoneIs, Over, StageIs, Subject};
use crate::lang::gsm::{domains, xml};
use crate::lang::syntax::Name;
use crate::source::{Diagnostics, FileId, Sources, Span, render_all};
use std::path::Path;

/// A model that was read from a folder of its own.
pub struct Case {
    folder: tempfile::TempDir,
    pub draft: Option<Draft>,
    pub diags: Diagnostics,
    pub sources: Sources,
}

/// Reads `model.xml` among the files, as [`crate::lang::load`] does, without agents and properties.
pub fn read(files: &[(&str, &str)]) -> Case {
    read_with(files, ModelOptions::default())
}

/// The same with options; their folder is filled in.
pub fn read_with(files: &[(&str, &str)], options: ModelOptions) -> Case {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let (mut diags, mut sources) = (Diagnostics::new(), Sources::new());
    let draft = read_file(&folder.path().join("model.xml"), options, &mut diags, &mut sources);
    Case { folder, draft, diags, sources }
}

fn read_file(path: &Path, mut options: ModelOptions, diags: &mut Diagnostics, sources: &mut Sources) -> Option<Draft> {
    let file = crate::lang::files::read(path, None, sources, diags)?;
    let raw = xml::read(file, sources, diags)?;
    options.folder = path.parent().map_or_else(Default::default, Path::to_path_buf);
    build(&raw, &options, sources, diags)
}

impl Case {
    /// All findings as the user sees them, with the folder left out.
    pub fn report(&self) -> String {
        let folder = format!("{}/", self.folder.path().display());
        render_all(&self.diags, &self.sources, false).replace(&folder, "")
    }

    /// The application with its domains; there must be no error.
    pub fn sound(mut self, ranges: &[domains::Range]) -> Application {
        let app = self.draft.take().map(|d| domains::infer(d, &[], ranges, &mut self.diags));
        assert!(!self.diags.has_errors(), "{}", self.report());
        app.expect("a model without errors")
    }

    /// Settles the domains and gives the findings.
    pub fn settled(mut self, ranges: &[domains::Range]) -> String {
        if let Some(draft) = self.draft.take() {
            domains::infer(draft, &[], ranges, &mut self.diags);
        }
        self.report()
    }
}

/// A name of an option, without a place that matters.
pub fn name(text: &str) -> Name {
    Name { text: text.to_string(), span: Span::new(FileId(0), 0, 1), quoted: false }
}

/// A file around events and components.
pub fn application(events: &str, components: &str) -> String {
    let namespace = "http://siena.ibm.com/model/CompositeApplication";
    format!(
        "<ca:CompositeApplication xmlns:ca=\"{namespace}\" name=\"test\">\n<ca:EventModel id=\"em\">\n{events}\n</ca:EventModel>\n\
         {components}\n</ca:CompositeApplication>\n"
    )
}

/// A component with data from `data.xsd` (root element = its id) and these stages.
pub fn component(id: &str, stages: &str) -> String {
    format!(
        "<ca:Component id=\"{id}\" name=\"{id}\">\n\
         <ca:InformationModel rootDataItemId=\"d\"><ca:DataItem id=\"d\" schemaUri=\"data.xsd\" rootElement=\"{id}\"/></ca:InformationModel>\n\
         <ca:GuardedStageModel>\n{stages}\n</ca:GuardedStageModel>\n</ca:Component>"
    )
}

/// A schema file around declarations.
pub fn schema(inner: &str) -> String {
    format!("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n{inner}\n</xs:schema>\n")
}

/// Data of the type `T` that most tests use, and of `U`, which refers to it.
pub const DATA: &str = r#"<xs:element name="T"><xs:complexType>
<xs:sequence>
<xs:element name="Address"><xs:complexType><xs:attribute name="City" type="xs:string"/><xs:attribute name="Zip" type="xs:int"/></xs:complexType></xs:element>
<xs:element name="Depot"><xs:complexType><xs:attribute name="City" type="xs:string"/></xs:complexType></xs:element>
<xs:element name="Line" type="xs:string" maxOccurs="unbounded"/>
</xs:sequence>
<xs:attribute name="Flag" type="xs:boolean"/>
<xs:attribute name="Count" type="xs:int"/>
<xs:attribute name="Note" type="xs:string"/>
<xs:attribute name="Day" type="xs:date"/>
<xs:attribute name="Status"><xs:simpleType><xs:restriction base="xs:string">
<xs:enumeration value="Open"/><xs:enumeration value="Shut"/></xs:restriction></xs:simpleType></xs:attribute>
</xs:complexType></xs:element>
<xs:element name="U"><xs:complexType><xs:attribute name="ParentT" type="xs:string"/><xs:attribute name="Price" type="xs:decimal"/></xs:complexType></xs:element>"#;

/// `T` with a guard of this expression on stage `A` (as it stands in the file, entities included), and `U`.
pub fn with_guard(guard: &str) -> Case {
    let stages = format!(
        r#"<ca:Stage id="A" name="First"><ca:StageGuard id="g" expression="{guard}"/>
<ca:Milestone id="a" name="Done"><ca:Condition eventIds="E"/></ca:Milestone>
<ca:SubStage id="B" name="Twin"><ca:StageGuard/><ca:Milestone id="b"><ca:Condition/></ca:Milestone><ca:Task id="Work"/></ca:SubStage>
<ca:SubStage id="C" name="Twin"><ca:StageGuard/><ca:Milestone id="c"><ca:Condition/></ca:Milestone></ca:SubStage></ca:Stage>"#
    );
    let other = r#"<ca:Stage id="Z"><ca:StageGuard/><ca:Milestone id="z"><ca:Condition/></ca:Milestone></ca:Stage>"#;
    let types = format!("{}\n{}", component("T", &stages), component("U", other));
    read(&[("model.xml", &application(r#"<ca:Event id="E"/>"#, &types)), ("data.xsd", &schema(DATA))])
}

/// An expression in a short form that shows all of it.
pub fn show(app: &Application, e: &Expr) -> String {
    let of = |s: &Subject| match s {
        Subject::This => "this".to_string(),
        Subject::Bound(n) => format!("v{n}"),
        Subject::Element => "element".to_string(),
    };
    let all = |xs: &[Expr], sep: &str| format!("({})", xs.iter().map(|x| show(app, x)).collect::<Vec<_>>().join(sep));
    match &e.kind {
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Decimal(d) => d.to_string(),
        ExprKind::Text(t) => format!("'{t}'"),
        ExprKind::Attr { of: s, ty, attr } => format!("{}.{}", of(s), app.types[*ty].attrs[*attr].path),
        ExprKind::Stage { of: s, ty, stage, is } => {
            let is = if *is == StageIs::Active { String::new() } else { format!(":{is:?}") };
            format!("{}.{}{is}", of(s), app.types[*ty].stages[*stage].id)
        }
        ExprKind::Milestone { of: s, ty, milestone, is } => {
            let is = if *is == MilestoneIs::Achieved { String::new() } else { format!(":{is:?}") };
            format!("{}.{}{is}", of(s), app.types[*ty].milestones[*milestone].id)
        }
        ExprKind::Occurring(e) => format!("@{}", app.events[*e].id),
        ExprKind::TaskCompleted(t) => format!("done {}", app.types[0].tasks[*t].id),
        ExprKind::Not(a) => format!("!{}", show(app, a)),
        ExprKind::And(xs) => all(xs, " & "),
        ExprKind::Or(xs) => all(xs, " | "),
        ExprKind::Implies(a, b) => format!("({} -> {})", show(app, a), show(app, b)),
        ExprKind::Iff(a, b) => format!("({} <-> {})", show(app, a), show(app, b)),
        ExprKind::Compare(op, a, b) => format!("{} {} {}", show(app, a), op.symbol(), show(app, b)),
        ExprKind::Arith(op, a, b) => format!("({} {} {})", show(app, a), op.symbol(), show(app, b)),
        ExprKind::Quant { exists, var, ty, over, body } => {
            let q = if *exists { "some" } else { "all" };
            let over = if *over == Over::Related { "related " } else { "" };
            format!("{q} {over}{} v{var}: {}", app.types[*ty].id, show(app, body))
        }
        ExprKind::Count { ty, .. } => format!("#{}", app.types[*ty].id),
        ExprKind::Tally { of: s, ty, bag, which } => {
            let which = which.as_ref().map_or(String::new(), |w| show(app, w));
            format!("#{}.{}[{which}]", of(s), app.types[*ty].bags[*bag].path)
        }
        ExprKind::SelfId => "$$".to_string(),
        ExprKind::Field(name) => format!("?{name}"),
        ExprKind::Private { agent, var } => {
            let agent = &app.agents.as_ref().expect("agents")[*agent];
            format!("{}.{}", agent.name, agent.vars[*var].name)
        }
        ExprKind::Id { of: s } => format!("{}.id", of(s)),
        ExprKind::Overflow => "overflow".to_string(),
        ExprKind::Created { of: s, .. } => format!("{}.created", of(s)),
    }
}
