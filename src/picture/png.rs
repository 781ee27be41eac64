//! Pictures as PNG, drawn with a font of our own: what a machine has installed changes nothing.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Letters of the widths that [`super::font`] measures.
const FONTS: [&[u8]; 2] = [include_bytes!("fonts/gsmc-sans-regular.ttf"), include_bytes!("fonts/gsmc-sans-bold.ttf")];
const FAMILY: &str = "Gsmc Sans";

/// Pixels of a picture's unit, so that it is sharp on fine screens.
const SHARP: f32 = 2.0;
/// Pixels of a picture at most; a larger one is drawn less sharp.
const MOST: f32 = 100e6;
/// Less sharp than this, nothing can be read any more.
const LEAST: f32 = 0.5;

/// A picture that stands alone, given as SVG, as a PNG file.
pub fn file(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: FAMILY.into(), ..Options::default() };
    let fonts = options.fontdb_mut();
    FONTS.iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    fonts.set_sans_serif_family(FAMILY);
    let tree = Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let too_large = || format!("a picture of {width} by {height} is too large for PNG; write SVG");
    let scale = scale(width, height).ok_or_else(too_large)?;
    let pixels = |length: f32| (length * scale).ceil() as u32;
    let mut paper = Pixmap::new(pixels(width), pixels(height)).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut paper.as_mut());
    paper.encode_png().map_err(|e| e.to_string())
}

/// Pixels of a unit; nothing for a picture that could not be read.
fn scale(width: f32, height: f32) -> Option<f32> {
    Some(SHARP.min((MOST / (width * height)).sqrt())).filter(|scale| *scale >= LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(inner: &str, size: u32) -> Result<Pixmap, String> {
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\">{inner}</svg>");
        file(&svg).map(|png| Pixmap::decode_png(&png).expect("a PNG"))
    }

    fn ink(paper: &Pixmap) -> usize {
        paper.pixels().iter().filter(|p| p.alpha() > 0).count()
    }

    #[test]
    fn text_shows_without_the_system_s_fonts() {
        let text = |style: &str, said: &str| drawn(&format!("<text x=\"5\" y=\"60\" {style}>{said}</text>"), 100);
        let (plain, bold) = (text("", "Stage é Ω Ж").unwrap(), text("font-weight=\"700\"", "Stage é Ω Ж").unwrap());
        assert_eq!(plain.width(), 200);
        assert!(ink(&plain) > 200 && ink(&bold) > ink(&plain), "{} {}", ink(&plain), ink(&bold));
        assert_eq!(ink(&text("", " ").unwrap()), 0);
    }

    #[test]
    fn large_pictures_are_less_sharp_and_huge_ones_are_refused() {
        let pixels = |size: f32| scale(size, size).map(|s| (s * size).round());
        assert_eq!(
            [100.0, 6000.0, 20_000.0, 20_001.0].map(pixels),
            [Some(200.0), Some(10_000.0), Some(10_000.0), None]
        );
        assert!(drawn("", 1_000_000).is_err_and(|why| why.contains("write SVG")));
        assert!(file("<svg").is_err());
    }
}
