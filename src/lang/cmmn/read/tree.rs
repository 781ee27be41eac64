//! Elements and attributes by local name, in the namespaces that count.

use crate::picture::Rect;
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};

const CMMN_1_1: &str = "http://www.omg.org/spec/CMMN/20151109/MODEL";
/// Namespace of the older version.
pub const CMMN_1_0: &str = "http://www.omg.org/spec/CMMN/20131201/MODEL";
/// Namespace of Flowable's extensions.
pub const FLOWABLE: &str = "http://flowable.org/cmmn";
const CAMUNDA: &str = "http://camunda.org/schema/1.0/cmmn";

/// Is the element in a CMMN namespace, or in none?
pub fn in_cmmn(node: Node) -> bool {
    matches!(node.tag_name().namespace(), None | Some(CMMN_1_0 | CMMN_1_1))
}

/// Is this the namespace of an engine whose extensions are read?
pub fn is_vendor(namespace: &str) -> bool {
    matches!(namespace, FLOWABLE | CAMUNDA)
}

/// Is it this CMMN element?
pub fn is_cmmn(node: Node, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name && in_cmmn(node)
}

/// The children of that name.
pub fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |c| is_cmmn(*c, name))
}

/// The first child of that name.
pub fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// An attribute of the standard.
pub fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let own = node.attributes().find(|a| a.name() == name && a.namespace().is_none());
    own.map(|a| a.value().trim())
}

/// An attribute of Flowable, Camunda, or without a namespace on their elements.
pub fn extension<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attribute((FLOWABLE, name)).or_else(|| node.attribute((CAMUNDA, name))).map(str::trim)
}

/// A Flowable attribute.
pub fn flowable<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attribute((FLOWABLE, name)).map(str::trim).filter(|t| !t.is_empty())
}

/// Flowable's or Camunda's element among the extensions of an element.
pub fn extension_element<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    let vendor = |n: &Node| matches!(n.tag_name().namespace(), Some(FLOWABLE | CAMUNDA));
    children(node, "extensionElements")
        .flat_map(|e| e.children())
        .filter(move |c| c.is_element() && vendor(c) && c.tag_name().name() == name)
}

/// All text below an element.
pub fn text_of(node: Node) -> String {
    node.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect()
}

/// The stage or plan around an element; plan fragments are transparent.
pub fn container<'a, 'i>(node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    node.ancestors().skip(1).find(|n| is_cmmn(*n, "stage") || is_cmmn(*n, "casePlanModel"))
}

/// Places in the diagram of a file, by the ids of what is drawn; an id that is drawn twice has none.
pub fn shapes(root: Node) -> BTreeMap<String, Rect> {
    let mut all: BTreeMap<String, Rect> = BTreeMap::new();
    let mut twice: BTreeSet<String> = BTreeSet::new();
    for shape in root.descendants().filter(|n| n.tag_name().name() == "CMMNShape") {
        let Some(id) = shape.attribute("cmmnElementRef") else { continue };
        let Some(bounds) = shape.children().find(|c| c.tag_name().name() == "Bounds") else { continue };
        let number = |name| bounds.attribute(name).and_then(|t| t.trim().parse::<f64>().ok());
        let number = |name| number(name).filter(|n| n.abs() < 1e6).map(|n| n.round() as i32);
        let place = (number("x"), number("y"), number("width"), number("height"));
        if let (Some(x), Some(y), Some(w), Some(h)) = place
            && all.insert(id.to_string(), Rect { x, y, w, h }).is_some()
        {
            twice.insert(id.to_string());
        }
    }
    all.retain(|id, _| !twice.contains(id));
    all
}
