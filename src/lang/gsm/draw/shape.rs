//! The shapes that a stage and an artifact type can take, and their contents placed in a given room.

use super::flow::{dependencies, reading_order};
use super::{StageBox, TypeBox};
use crate::lang::gsm::{Application, AttrIx, StageIx, TypeIx};
use crate::lang::plain::widest;
use crate::picture::font::{BODY, Face, HEAD, SMALL, TITLE, lines, width};
use crate::picture::pack::{Gap, Packing, Size, frontier, pack};
use crate::picture::{Label, Point, Rect};

/// Around the whole picture.
pub const MARGIN: i32 = 10;
/// Between artifact types.
pub const TYPE_GAP: Gap = Gap { across: 20, down: 20 };
/// Between sibling stages: across there is room for circles and diamonds.
const GAP: Gap = Gap { across: 24, down: 12 };
/// Left and right of what is in a stage.
const SIDE: i32 = 16;
/// Above and below what is in a stage.
const PAD: i32 = 9;
/// Distance of guards on an edge.
const PITCH: i32 = 17;
/// Between parts of a stage.
const SPACE: i32 = 7;
/// Between sub-stages and the names of milestones beside them.
const BESIDE: i32 = 18;
/// Between the name of a milestone and its circle's edge of the box.
const CIRCLE: i32 = 12;
/// Room for a value beside the name of an attribute, at most.
const WIDEST_VALUE: i32 = 86;

/// One way to draw a stage.
#[derive(Clone, Debug)]
struct StageShape {
    size: Size,
    title: Vec<String>,
    task: Vec<String>,
    milestones: Vec<Vec<String>>,
    /// Milestones beside the contents, or below them.
    beside: bool,
    children: Packing,
    /// Which shape each child takes is in `children`; this is which child comes when.
    order: Vec<StageIx>,
}

/// All stages of a type with the shapes they can take.
struct Shapes {
    of: Vec<Vec<StageShape>>,
}

/// One way to draw an artifact type.
#[derive(Clone, Debug)]
pub struct TypeShape {
    /// Its size.
    pub size: Size,
    stages: std::rc::Rc<Vec<Vec<StageShape>>>,
    order: Vec<StageIx>,
    packing: Packing,
    title: Vec<String>,
    attrs: Vec<(AttrIx, Rect, Vec<String>)>,
    head: i32,
}

fn block(text: &[String], face: Face) -> Size {
    let w = text.iter().map(|l| width(l, face)).max().unwrap_or(0);
    Size { w, h: text.len() as i32 * face.line }
}

/// Several labels below each other.
fn list(labels: &[Vec<String>], face: Face) -> Size {
    let w = labels.iter().map(|l| block(l, face).w).max().unwrap_or(0);
    let h: i32 = labels.iter().map(|l| block(l, face).h + 4).sum();
    Size { w, h: (h - 4).max(0) }
}

impl Shapes {
    fn of(app: &Application, ty: TypeIx, most: i32) -> Shapes {
        let needs = dependencies(app, ty);
        let stages = &app.types[ty].stages;
        let mut shapes = Shapes { of: vec![Vec::new(); stages.len()] };
        // Stages are in pre-order: children come after their parent.
        for stage in StageIx::all(stages).rev() {
            shapes.of[stage.0] = shapes.stage(app, ty, stage, &needs, most);
        }
        shapes
    }

    fn sizes(&self, stages: &[StageIx]) -> Vec<Vec<Size>> {
        stages.iter().map(|s| self.of[s.0].iter().map(|shape| shape.size).collect()).collect()
    }

    fn stage(
        &self,
        app: &Application,
        ty: TypeIx,
        stage: StageIx,
        needs: &[(StageIx, StageIx)],
        most: i32,
    ) -> Vec<StageShape> {
        let t = &app.types[ty];
        let s = &t.stages[stage];
        let order = reading_order(app, ty, &s.children, needs);
        let packings = pack(&self.sizes(&order), most - 2 * SIDE, GAP);
        let leaf = order.is_empty();
        let titles: &[i32] = if leaf { &[84, 120, 180] } else { &[240] };
        let names: &[i32] = if leaf { &[84, 120, 180] } else { &[96, 170] };
        let mut found = Vec::new();
        for most_title in titles {
            for most_name in names {
                for beside in [true, false] {
                    for children in &packings {
                        let mut shape = StageShape {
                            size: Size::default(),
                            title: lines(&s.name, TITLE, *most_title),
                            task: task_name(app, ty, stage).map_or(vec![], |n| lines(&n, SMALL, *most_title)),
                            milestones: s
                                .milestones
                                .iter()
                                .map(|m| lines(&t.milestones[*m].name, BODY, *most_name))
                                .collect(),
                            beside,
                            children: children.clone(),
                            order: order.clone(),
                        };
                        shape.size = shape.measure(s.guards.len());
                        found.push(shape);
                    }
                }
            }
        }
        let sizes: Vec<Size> = found.iter().map(|s| s.size).collect();
        frontier(&sizes).into_iter().map(|i| found[i].clone()).collect()
    }

    /// Places a stage with everything in it.
    fn place(&self, app: &Application, ty: TypeIx, stage: StageIx, variant: usize, at: Rect, out: &mut [StageBox]) {
        let Some(shape) = self.of[stage.0].get(variant) else { return };
        out[stage.0] = shape.place(app, ty, stage, at);
        let room = shape.room(at);
        let places = shape.children.arrange(Size { w: room.w, h: room.h }, GAP);
        for (child, place) in shape.order.iter().zip(places) {
            let at = Rect { x: room.x + place.at.x, y: room.y + place.at.y, ..place.at };
            self.place(app, ty, *child, place.variant, at, out);
        }
    }
}

/// The task's name where it says more than the stage's.
fn task_name(app: &Application, ty: TypeIx, stage: StageIx) -> Option<String> {
    let t = &app.types[ty];
    let task = t.stages[stage].task.and_then(|k| t.tasks.get(k.0))?;
    (task.name != t.stages[stage].name).then(|| task.name.clone())
}

impl StageShape {
    fn head(&self) -> Size {
        let (title, task) = (block(&self.title, TITLE), block(&self.task, SMALL));
        Size { w: title.w.max(task.w), h: title.h + if task.h > 0 { task.h + 1 } else { 0 } }
    }

    /// Name and task, then sub-stages.
    fn inside(&self) -> Size {
        let (head, body) = (self.head(), self.children.size);
        let h = if body.h > 0 { head.h + SPACE + body.h } else { head.h };
        Size { w: head.w.max(body.w), h }
    }

    /// Between the contents and the names beside them: sub-stages have circles on their edges, from which lines go out.
    fn aside(&self) -> i32 {
        if self.order.is_empty() { SPACE } else { BESIDE }
    }

    fn measure(&self, guards: usize) -> Size {
        let (inside, names) = (self.inside(), list(&self.milestones, BODY));
        let names = Size { w: if names.h > 0 { names.w + CIRCLE } else { 0 }, ..names };
        let (w, h) = match self.beside {
            true => (inside.w + if names.h > 0 { self.aside() + names.w } else { 0 }, inside.h.max(names.h)),
            false => (inside.w.max(names.w), inside.h + if names.h > 0 { SPACE + names.h } else { 0 }),
        };
        let least = guards as i32 * PITCH + 6;
        // Where names stand beside, the circles are the right border; otherwise sub-stages need the border on both sides.
        let right = if names.h > 0 && (self.beside || self.children.size.w + SIDE < names.w) { 0 } else { SIDE };
        let w = if self.beside { SIDE + w + right } else { SIDE + inside.w.max(names.w - CIRCLE) + SIDE };
        Size { w, h: (h + 2 * PAD).max(least) }
    }

    /// The room of the sub-stages in a box.
    fn room(&self, at: Rect) -> Rect {
        let top = PAD + self.head().h + SPACE;
        let names = list(&self.milestones, BODY);
        let (right, below) = match (names.h > 0, self.beside) {
            (false, _) => (SIDE, 0),
            (true, true) => (self.aside() + names.w + CIRCLE, 0),
            (true, false) => (SIDE, SPACE + names.h),
        };
        Rect { x: at.x + SIDE, y: at.y + top, w: at.w - SIDE - right, h: at.h - top - PAD - below }
    }

    fn place(&self, app: &Application, ty: TypeIx, stage: StageIx, at: Rect) -> StageBox {
        let s = &app.types[ty].stages[stage];
        let title = label(&self.title, TITLE, at.x + SIDE, at.y + PAD);
        let task = label(&self.task, SMALL, at.x + SIDE, at.y + PAD + title.at.h + 1);
        let first = at.y + PAD + 8;
        let pitch = if s.guards.len() > 1 {
            ((at.h - 2 * PAD - 10) / (s.guards.len() as i32 - 1)).clamp(12, PITCH)
        } else {
            PITCH
        };
        let guards = (0..s.guards.len() as i32).map(|g| Point { x: at.x, y: first + g * pitch }).collect();
        let names = list(&self.milestones, BODY);
        let mut y = if self.beside { at.y + PAD + 1 } else { at.y + at.h - PAD - names.h };
        let mut milestones = Vec::new();
        for (m, text) in s.milestones.iter().zip(&self.milestones) {
            let size = block(text, BODY);
            let room = Rect { x: at.x + at.w - CIRCLE - size.w, y, w: size.w, h: size.h };
            let centre = Point { x: at.x + at.w, y: y + size.h / 2 };
            milestones.push((*m, centre, Label { at: room, lines: text.clone() }));
            y += size.h + 4;
        }
        StageBox {
            stage,
            depth: app.types[ty].ancestors(stage).count(),
            at,
            title,
            task: (!self.task.is_empty()).then_some(task),
            guards,
            milestones,
        }
    }
}

fn label(text: &[String], face: Face, x: i32, y: i32) -> Label {
    let size = block(text, face);
    Label { at: Rect { x, y, w: size.w, h: size.h }, lines: text.to_vec() }
}

/// The shapes of an artifact type.
pub fn type_shapes(app: &Application, ty: TypeIx, most: i32) -> Vec<TypeShape> {
    let t = &app.types[ty];
    let top: Vec<StageIx> = t.top_stages().collect();
    let order = reading_order(app, ty, &top, &dependencies(app, ty));
    let shapes = Shapes::of(app, ty, most - 2 * SIDE);
    let sizes = shapes.sizes(&order);
    let stages = std::rc::Rc::new(shapes.of);
    let one = |packing: Packing| {
        let inner = packing.size.w.max(width(&t.name, HEAD).min(most - 2 * SIDE)).max(120);
        let title = lines(&title(app, ty), HEAD, inner);
        let top = PAD + block(&title, HEAD).h + 4;
        let attrs = chips(app, ty, inner, top);
        let below = attrs.iter().map(|(_, at, _)| at.y + at.h).max().unwrap_or(top);
        let head = below + PAD;
        let size = Size { w: inner + 2 * SIDE, h: head + packing.size.h + SIDE };
        TypeShape { size, stages: stages.clone(), order: order.clone(), packing, title, attrs, head }
    };
    pack(&sizes, most - 2 * SIDE, GAP).into_iter().map(one).collect()
}

/// Name, id where it differs, number of instances where there are several.
fn title(app: &Application, ty: TypeIx) -> String {
    let t = &app.types[ty];
    let id = if t.id == t.name { String::new() } else { format!(" ({})", t.id) };
    let many = if t.bound == 1 { String::new() } else { format!(" × {}", t.bound) };
    format!("{}{id}{many}", t.name)
}

/// The data attributes as chips, in lines of a width.
fn chips(app: &Application, ty: TypeIx, inner: i32, top: i32) -> Vec<(AttrIx, Rect, Vec<String>)> {
    let (mut x, mut y, mut high) = (0, top, 0);
    let mut out = Vec::new();
    for (a, attr) in AttrIx::each(&app.types[ty].attrs) {
        let text = lines(&attr.path, SMALL, (inner - 16).max(60));
        let size = block(&text, SMALL);
        // On a page that steps, its value stands beside it; a long one is cut.
        let value = width(&widest("", &attr.domain), SMALL).min(WIDEST_VALUE);
        let value = if attr.set || text.len() > 1 { 0 } else { value };
        let (w, h) = ((size.w + value + 14).min(inner), size.h + 5);
        if x > 0 && x + w > inner {
            x = 0;
            y += high + 5;
            high = 0;
        }
        out.push((a, Rect { x, y, w, h }, text));
        x += w + 6;
        high = high.max(h);
    }
    out
}

impl TypeShape {
    /// Places a type with everything in it.
    pub fn place(&self, app: &Application, ty: TypeIx, at: Rect) -> TypeBox {
        let (x, y) = (at.x + SIDE, at.y);
        let room = Size { w: at.w - 2 * SIDE, h: at.h - self.head - SIDE };
        let mut stages = vec![StageBox::default(); app.types[ty].stages.len()];
        let shapes = Shapes { of: self.stages.as_ref().clone() };
        for (stage, place) in self.order.iter().zip(self.packing.arrange(room, GAP)) {
            let at = Rect { x: x + place.at.x, y: y + self.head + place.at.y, ..place.at };
            shapes.place(app, ty, *stage, place.variant, at, &mut stages);
        }
        let chip = |(a, at, text): &(AttrIx, Rect, Vec<String>)| {
            (*a, Label { at: Rect { x: x + at.x, y: y + at.y, ..*at }, lines: text.clone() })
        };
        TypeBox {
            ty,
            at,
            title: label(&self.title, HEAD, x, y + PAD),
            attrs: self.attrs.iter().map(chip).collect(),
            stages,
        }
    }
}
