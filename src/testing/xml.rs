//! A sketch as files: model, schemas, options.

use super::sketch::{Attr, Event, Kind, Sent, Sentry, Sketch, Stage, Step, Task, Type, WORDS};
use std::fmt::Write;

/// The model file.
pub(super) fn model(sketch: &Sketch) -> String {
    let mut out = String::from(
        "<ca:CompositeApplication xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"random\">\n",
    );
    out.push_str("<ca:EventModel id=\"events\">\n");
    for event in sketch.events.iter().filter(|e| e.declared) {
        out.push_str(&declare(event));
    }
    out.push_str("</ca:EventModel>\n");
    for t in &sketch.types {
        let _ = writeln!(out, "<ca:Component id=\"{}\" name=\"{}\">", t.id, t.name);
        if !t.attrs.is_empty() {
            let data = format!("<ca:DataItem id=\"{0}\" schemaUri=\"{0}.xsd\" rootElement=\"{0}\"/>", t.id);
            let _ = writeln!(out, "<ca:InformationModel rootDataItemId=\"{}\">{data}</ca:InformationModel>", t.id);
        }
        let _ = writeln!(out, "<ca:GuardedStageModel id=\"{}\">", t.id);
        for s in (0..t.stages.len()).filter(|&s| t.stages[s].parent.is_none()) {
            stage(sketch, t, s, &mut out);
        }
        out.push_str("</ca:GuardedStageModel>\n</ca:Component>\n");
    }
    out.push_str("</ca:CompositeApplication>\n");
    out
}

fn declare(event: &Event) -> String {
    if event.fields.is_empty() {
        return format!("<ca:Event id=\"{0}\" name=\"{0}\"/>\n", event.id);
    }
    let message = format!("<ca:InputMsg id=\"{0}Msg\" schemaUri=\"messages.xsd\" rootElement=\"{0}Msg\"/>", event.id);
    format!("<ca:Event id=\"{0}\" name=\"{0}\">{message}</ca:Event>\n", event.id)
}

fn stage(sketch: &Sketch, t: &Type, at: usize, out: &mut String) {
    let Stage { id, name, parent, guards, milestones, task } = &t.stages[at];
    let tag = if parent.is_some() { "SubStage" } else { "Stage" };
    let _ = writeln!(out, "<ca:{tag} id=\"{id}\" name=\"{name}\">");
    guards.iter().for_each(|g| out.push_str(&sentry("StageGuard", g)));
    for m in milestones {
        let events = if m.events.is_empty() { String::new() } else { format!(" eventIds=\"{}\"", m.events.join(" ")) };
        let _ = writeln!(out, "<ca:Milestone id=\"{0}\" name=\"{0}\"{events}>", m.id);
        m.achieving.iter().for_each(|g| out.push_str(&sentry("Condition", g)));
        m.invalidating.iter().for_each(|g| out.push_str(&sentry("InvalidateCondition", g)));
        out.push_str("</ca:Milestone>\n");
    }
    for inner in (0..t.stages.len()).filter(|&s| t.stages[s].parent == Some(at)) {
        stage(sketch, t, inner, out);
    }
    if let Some(task) = task {
        out.push_str(&task_text(sketch, t, task));
    }
    let _ = writeln!(out, "</ca:{tag}>");
}

fn sentry(tag: &str, s: &Sentry) -> String {
    let escaped = s.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let events = if s.events.is_empty() { String::new() } else { format!(" eventIds=\"{}\"", s.events.join(", ")) };
    let text = if s.text.is_empty() { String::new() } else { format!(" expression=\"{escaped}\"") };
    let ocl = ["->", " implies ", " xor "].iter().any(|w| s.text.contains(w));
    let language = if ocl { " language=\"OCL\"" } else { "" };
    format!("<ca:{tag} id=\"{}\"{events}{text}{language}/>\n", s.id)
}

fn task_text(sketch: &Sketch, t: &Type, task: &Task) -> String {
    let mut out = format!("<ca:Task id=\"{0}\" name=\"{0}\">\n", task.id);
    let target =
        |ty: &str, attr: &str| format!("<ca:Target targetId=\"{ty}\" refType=\"artifact\" XPath=\"{ty}/{attr}\"/>");
    let constant = |v: &str| format!("<ca:Source refType=\"constant\" expression=\"{v}\"/>");
    let assign = |kind: &str, source: String, to: &str| {
        format!("<ca:Assign><ca:Mapping{kind}>{source}{}</ca:Mapping></ca:Assign>\n", target(&t.id, to))
    };
    for step in &task.steps {
        let text = match step {
            Step::Constant(to, value) => assign("", constant(value), to),
            Step::Add(to) => assign(" type=\"add\"", constant("1"), to),
            Step::Copy { from, to } => {
                let source = format!("<ca:Source sourceId=\"{0}\" refType=\"artifact\" XPath=\"{0}/{from}\"/>", t.id);
                assign(" type=\"set\"", source, to)
            }
            Step::Field { event, field, to } => {
                let id = event.as_ref().map_or(String::new(), |e| format!(" sourceId=\"{e}\""));
                assign("", format!("<ca:Source{id} refType=\"serviceRequest\" XPath=\"{field}\"/>"), to)
            }
            Step::Create(ty, data) => {
                let created = &sketch.types[*ty].id;
                let mapping = |(to, v): &(String, String)| {
                    format!("<ca:Mapping>{}{}</ca:Mapping>", constant(v), target(created, to))
                };
                let mappings: String = data.iter().map(mapping).collect();
                format!("<ca:Invoke serviceDefinitionId=\"Create_{created}\">{mappings}</ca:Invoke>\n")
            }
            Step::Send(event, to, fields) => {
                let mapping = |(field, value): &(String, Sent)| {
                    let source = match value {
                        Sent::Constant(v) => constant(v),
                        Sent::Copy(from) => {
                            format!("<ca:Source sourceId=\"{0}\" refType=\"artifact\" XPath=\"{0}/{from}\"/>", t.id)
                        }
                        Sent::Field(event, field) => {
                            let id = event.as_ref().map_or(String::new(), |e| format!(" sourceId=\"{e}\""));
                            format!("<ca:Source{id} refType=\"serviceRequest\" XPath=\"{field}\"/>")
                        }
                    };
                    format!(
                        "<ca:Mapping>{source}<ca:Target refType=\"serviceRequest\" XPath=\"{field}\"/></ca:Mapping>"
                    )
                };
                let mappings: String = fields.iter().map(mapping).collect();
                let to = to.map_or(String::new(), |to| format!(" componentId=\"{}\"", sketch.types[to].id));
                format!("<ca:Invoke serviceDefinitionId=\"{event}\"{to}>{mappings}</ca:Invoke>\n")
            }
            Step::Call(fills) => {
                let source = "<ca:Source refType=\"serviceRequest\" XPath=\"answer\"/>";
                let mapping = |a: &String| format!("<ca:OutputMapping>{source}{}</ca:OutputMapping>", target(&t.id, a));
                let mappings: String = fills.iter().map(mapping).collect();
                format!("<ca:Invoke serviceDefinitionId=\"Ask\">{mappings}</ca:Invoke>\n")
            }
        };
        out.push_str(&text);
    }
    out.push_str("</ca:Task>\n");
    out
}

/// The schema files: one per type with data, one for the messages.
pub(super) fn schemas(sketch: &Sketch) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for t in sketch.types.iter().filter(|t| !t.attrs.is_empty()) {
        let fields: String = t.attrs.iter().map(|a| field(&a.name, &a.kind, Some(a))).collect();
        files.push((format!("{}.xsd", t.id), schema(&element(&t.id, &fields))));
    }
    let messages: Vec<&Event> = sketch.events.iter().filter(|e| e.declared && !e.fields.is_empty()).collect();
    if !messages.is_empty() {
        let one = |e: &&Event| {
            let fields: String = e.fields.iter().map(|(name, kind)| field(name, kind, None)).collect();
            element(&format!("{}Msg", e.id), &fields)
        };
        files.push(("messages.xsd".into(), schema(&messages.iter().map(one).collect::<String>())));
    }
    files
}

fn schema(content: &str) -> String {
    format!("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n{content}</xs:schema>\n")
}

fn element(name: &str, fields: &str) -> String {
    format!("<xs:element name=\"{name}\"><xs:complexType>\n{fields}</xs:complexType></xs:element>\n")
}

fn field(name: &str, kind: &Kind, attr: Option<&Attr>) -> String {
    let default = attr.and_then(|a| a.default.as_ref()).map_or(String::new(), |d| format!(" default=\"{d}\""));
    let simple = match kind {
        Kind::Bool => "xs:boolean",
        Kind::Int | Kind::Reference(_) => "xs:int",
        Kind::Real => match attr.map_or("", |a| a.facets) {
            "" => "xs:decimal",
            facets => {
                let restriction = format!("<xs:restriction base=\"xs:double\">{facets}</xs:restriction>");
                return format!(
                    "<xs:attribute name=\"{name}\"{default}><xs:simpleType>{restriction}</xs:simpleType></xs:attribute>\n"
                );
            }
        },
        Kind::Text => "xs:string",
        Kind::Date => "xs:date",
        Kind::Enum => {
            let values: String = WORDS.iter().map(|w| format!("<xs:enumeration value=\"{w}\"/>")).collect();
            let restriction = format!("<xs:restriction base=\"xs:string\">{values}</xs:restriction>");
            return format!(
                "<xs:attribute name=\"{name}\"{default}><xs:simpleType>{restriction}</xs:simpleType></xs:attribute>\n"
            );
        }
    };
    format!("<xs:attribute name=\"{name}\" type=\"{simple}\"{default}/>\n")
}

/// The options file.
pub(super) fn options(sketch: &Sketch, agents: bool, extra: &[&str]) -> String {
    let mut out = String::from("model = \"model.xml\"\nproperties = [\"properties.gsmp\"]\n");
    if agents {
        out.push_str("agents = \"agents.gsma\"\n");
    }
    out.push_str("[instances]\n");
    for t in &sketch.types {
        let _ = writeln!(out, "{} = {}", t.id, t.bound);
    }
    out.push_str("[ranges]\n");
    for t in &sketch.types {
        for a in &t.attrs {
            if let Some((lo, hi)) = a.range {
                let _ = writeln!(out, "\"{}.{}\" = [{lo}, {hi}]", t.id, a.name);
            }
        }
    }
    if !extra.is_empty() {
        out.push_str("[options]\n");
        extra.iter().for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
    }
    out
}
