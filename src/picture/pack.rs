//! Boxes of several possible shapes, packed in reading order into rows of columns.
//!
//! A row is a sequence of columns; a box that is low enough goes under the one before it instead of opening a new column. Which
//! shape each box takes and how wide the rows are is tried out: a handful of widths, three tastes. What comes back is every packing
//! that no other beats in both directions.

use super::Rect;

/// Width and height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

/// Space between boxes: across, down.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Between neighbours in a row.
    pub across: i32,
    /// Between rows.
    pub down: i32,
}

/// Boxes in rows of columns.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// The room it takes.
    pub size: Size,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    size: Size,
    columns: Vec<Column>,
}

#[derive(Clone, Debug, Default)]
struct Column {
    size: Size,
    /// Size and shape of each box, from the top.
    items: Vec<(Size, usize)>,
}

/// Where a box goes and which shape it has.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where.
    pub at: Rect,
    /// In which of its shapes.
    pub variant: usize,
}

/// Shapes kept of one box.
const KEPT: usize = 10;
/// Row widths tried.
const WIDTHS: i32 = 9;

/// The packings of boxes, given the shapes that each can take, narrowest first. Empty only where a box has no shape.
pub fn pack(boxes: &[Vec<Size>], most: i32, gap: Gap) -> Vec<Packing> {
    if boxes.is_empty() {
        return vec![Packing::default()];
    }
    let narrowest = |b: &Vec<Size>| b.iter().map(|s| s.w).min().unwrap_or(0);
    let least = boxes.iter().map(narrowest).max().unwrap_or(0);
    let widest = |b: &Vec<Size>| b.iter().map(|s| s.w).max().unwrap_or(0) + gap.across;
    let total = boxes.iter().map(widest).fold(0, i32::saturating_add).min(most.max(least));
    let mut found = Vec::new();
    for step in 0..WIDTHS {
        let limit = least + (total - least) * step / (WIDTHS - 1);
        for taste in [Taste::Small, Taste::Low, Taste::Narrow] {
            found.extend(Packing::greedy(boxes, limit, gap, taste));
        }
    }
    let sizes: Vec<Size> = found.iter().map(|p| p.size).collect();
    frontier(&sizes).into_iter().map(|i| found[i].clone()).collect()
}

/// The shape to take for a width: the lowest that fits, or else the narrowest.
pub fn best(packings: &[Packing], most: i32) -> Option<usize> {
    let fits = (0..packings.len()).filter(|i| packings[*i].size.w <= most);
    let lowest = fits.min_by_key(|i| (packings[*i].size.h, packings[*i].size.w));
    lowest.or_else(|| (0..packings.len()).min_by_key(|i| (packings[*i].size.w, packings[*i].size.h)))
}

/// The sizes that no other beats in both directions, narrowest first; thinned out evenly where there are many.
pub fn frontier(sizes: &[Size]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|i| (sizes[*i].w, sizes[*i].h, *i));
    let mut lowest = i32::MAX;
    order.retain(|i| {
        let better = sizes[*i].h < lowest;
        lowest = lowest.min(sizes[*i].h);
        better
    });
    if order.len() <= KEPT {
        return order;
    }
    (0..KEPT).map(|k| order[k * (order.len() - 1) / (KEPT - 1)]).collect()
}

/// Which shape of a box is preferred among those that fit.
#[derive(Clone, Copy, Debug)]
enum Taste {
    Small,
    Low,
    Narrow,
}

impl Taste {
    fn choose(self, shapes: &[Size], limit: i32) -> Option<usize> {
        let fits: Vec<usize> = (0..shapes.len()).filter(|i| shapes[*i].w <= limit).collect();
        let key = |i: &usize| match self {
            Taste::Small => i64::from(shapes[*i].w) * i64::from(shapes[*i].h),
            Taste::Low => i64::from(shapes[*i].h),
            Taste::Narrow => i64::from(shapes[*i].w),
        };
        fits.into_iter().min_by_key(key).or_else(|| (0..shapes.len()).min_by_key(|i| shapes[*i].w))
    }
}

impl Packing {
    fn greedy(boxes: &[Vec<Size>], limit: i32, gap: Gap, taste: Taste) -> Option<Packing> {
        let mut packing = Packing::default();
        let mut row = Row::default();
        for shapes in boxes {
            let variant = taste.choose(shapes, limit)?;
            let size = shapes[variant];
            if row.under(size, gap) {
                row.stack(size, variant, gap);
                continue;
            }
            if !row.columns.is_empty() && row.size.w + gap.across + size.w > limit {
                packing.close(std::mem::take(&mut row), gap);
            }
            row.open(size, variant, gap);
        }
        packing.close(row, gap);
        Some(packing)
    }

    fn close(&mut self, row: Row, gap: Gap) {
        if !self.rows.is_empty() {
            self.size.h += gap.down;
        }
        self.size.h += row.size.h;
        self.size.w = self.size.w.max(row.size.w);
        self.rows.push(row);
    }

    /// The places of the boxes in a room at least as large as the packing: rows are filled by growing their boxes, within reason.
    pub fn arrange(&self, room: Size, gap: Gap) -> Vec<Place> {
        let mut places = Vec::new();
        let spare = (room.h - self.size.h).max(0);
        let count = self.rows.len().max(1) as i32;
        let mut y = 0;
        for row in &self.rows {
            let grown = (spare / count).min(row.size.h / 2);
            let height = row.size.h + grown;
            row.arrange(room.w, height, y, gap, &mut places);
            y += height + gap.down;
        }
        places
    }
}

impl Row {
    /// Is there room under the last box, without making row or column larger?
    fn under(&self, size: Size, gap: Gap) -> bool {
        self.columns.last().is_some_and(|c| size.w <= c.size.w && c.size.h + gap.down + size.h <= self.size.h)
    }

    fn stack(&mut self, size: Size, variant: usize, gap: Gap) {
        if let Some(column) = self.columns.last_mut() {
            column.size.h += gap.down + size.h;
            column.items.push((size, variant));
        }
    }

    fn open(&mut self, size: Size, variant: usize, gap: Gap) {
        self.size.w += size.w + if self.columns.is_empty() { 0 } else { gap.across };
        self.size.h = self.size.h.max(size.h);
        self.columns.push(Column { size, items: vec![(size, variant)] });
    }

    fn arrange(&self, width: i32, height: i32, y: i32, gap: Gap, places: &mut Vec<Place>) {
        let spare = (width - self.size.w).max(0);
        let natural: i32 = self.columns.iter().map(|c| c.size.w).sum::<i32>().max(1);
        let mut x = 0;
        for column in &self.columns {
            let share = (i64::from(spare) * i64::from(column.size.w) / i64::from(natural)) as i32;
            let w = column.size.w + share.min(column.size.w / 2);
            column.arrange(Rect { x, y, w, h: height }, gap, places);
            x += w + gap.across;
        }
    }
}

impl Column {
    fn arrange(&self, room: Rect, gap: Gap, places: &mut Vec<Place>) {
        let spare = (room.h - self.size.h).max(0);
        let count = self.items.len().max(1) as i32;
        let mut y = room.y;
        for (size, variant) in &self.items {
            let h = size.h + spare / count;
            places.push(Place { at: Rect { y, h, ..room }, variant: *variant });
            y += h + gap.down;
        }
    }
}
