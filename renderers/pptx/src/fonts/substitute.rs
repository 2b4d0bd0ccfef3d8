// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which family of the set stands in for a font that a deck names.
//!
//! Carlito, Caladea and the Liberation families have the widths of Calibri, Cambria, Arial, Times New Roman and Courier
//! New. For the others the nearest family is taken, with a factor on the widths that brings an average line to the
//! length it had; such a stand-in is a diagnostic. A name that ends with a weight or a width (`Montserrat SemiBold`,
//! `Roboto Condensed Light`) is the family without it, drawn bold where the weight is nearer to bold than to regular.

use super::public;

/// A stand-in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Substitute {
    /// A family of the set.
    pub family: &'static str,
    /// Factor on all widths.
    pub width: f64,
    /// Factor on all heights.
    pub height: f64,
    /// Whether the name asks for a bold face.
    pub bold: bool,
    /// Whether the wanted font has one weight alone, of which PowerPoint makes bold text by thickening it.
    pub single: bool,
    /// Whether the widths are those of the wanted font.
    pub exact: bool,
}

const fn exact(family: &'static str) -> Substitute {
    Substitute {
        family,
        width: 1.0,
        height: 1.0,
        bold: false,
        single: false,
        exact: true,
    }
}

/// A family with another width.
pub(super) const fn near(family: &'static str, width: f64) -> Substitute {
    tall(family, width, 1.0)
}

/// A family with another width and height.
pub(super) const fn tall(family: &'static str, width: f64, height: f64) -> Substitute {
    Substitute {
        family,
        width,
        height,
        bold: false,
        single: false,
        exact: false,
    }
}

impl Substitute {
    /// The same for a font of one weight.
    const fn single(self) -> Self {
        Self {
            single: true,
            ..self
        }
    }

    /// The same in bold.
    pub(super) const fn heavy(self) -> Self {
        Self { bold: true, ..self }
    }
}

/// The end of a name that says a weight or a width: the word, whether that is nearer to bold, factor on the widths.
type Style = (&'static str, bool, f64);

/// Most such words that a name is freed of.
const MAX_STYLES: usize = 5;

const STYLES: [Style; 22] = [
    ("thin", false, 1.0),
    ("hairline", false, 1.0),
    ("extralight", false, 1.0),
    ("ultralight", false, 1.0),
    ("light", false, 1.0),
    ("semilight", false, 1.0),
    ("book", false, 1.0),
    ("regular", false, 1.0),
    ("medium", false, 1.0),
    ("italic", false, 1.0),
    ("extra", false, 1.0),
    ("ultra", false, 1.0),
    ("semi", false, 1.0),
    ("demi", true, 1.0),
    ("demibold", true, 1.0),
    ("semibold", true, 1.0),
    ("bold", true, 1.0),
    ("extrabold", true, 1.0),
    ("heavy", true, 1.0),
    ("black", true, 1.0),
    ("narrow", false, 0.82),
    ("condensed", false, 0.82),
];

/// The stand-in for a font name.
#[must_use]
pub fn substitute(name: &str) -> Substitute {
    let n = name.trim().to_ascii_lowercase();
    let (mut family, mut bold, mut width) = (n.as_str(), false, 1.0);
    for _ in 0..MAX_STYLES {
        if let Some(plain) = listed(family) {
            let styled = family.len() < n.len();
            return Substitute {
                bold: plain.bold || bold,
                width: plain.width * width,
                exact: plain.exact && !styled,
                ..plain
            };
        }
        let Some((head, style)) = styled(family) else {
            break;
        };
        family = head;
        bold |= style.1;
        width *= style.2;
    }
    let plain = by_words(family);
    Substitute {
        bold,
        width: plain.width * width,
        ..plain
    }
}

/// A name without the style that it ends with.
fn styled(name: &str) -> Option<(&str, &'static Style)> {
    let (head, word) = name.rsplit_once(' ')?;
    Some((head.trim_end(), STYLES.iter().find(|s| s.0 == word)?))
}

/// The stand-in that the words of a name suggest.
fn by_words(n: &str) -> Substitute {
    let mono = ["mono", "code", "consol", "courier", "typewriter"];
    if mono.iter().any(|w| n.contains(w)) {
        return near("Liberation Mono", 1.0);
    }
    let serif_words = [
        "serif",
        "roman",
        "times",
        "garamond",
        "bodoni",
        "caslon",
        "book",
        "baskerville",
        "didot",
        "minion",
    ];
    let sans = n.contains("sans") || n.contains("gothic");
    if serif_words.iter().any(|w| n.contains(w)) && !sans {
        return near("Liberation Serif", 1.0);
    }
    near("Liberation Sans", 1.0)
}

fn listed(n: &str) -> Option<Substitute> {
    Some(match n {
        "calibri" | "carlito" => exact("Carlito"),
        "calibri light" => near("Carlito", 1.0),
        "cambria" | "caladea" | "cambria math" => exact("Caladea"),
        "arial"
        | "helvetica"
        | "liberation sans"
        | "arimo"
        | "arial unicode ms"
        | "helvetica neue"
        | "microsoft sans serif" => exact("Liberation Sans"),
        "times new roman" | "times" | "liberation serif" | "tinos" => exact("Liberation Serif"),
        "courier new" | "courier" | "liberation mono" | "cousine" => exact("Liberation Mono"),
        "dejavu sans" | "bitstream vera sans" => exact("DejaVu Sans"),
        "dejavu serif" => exact("DejaVu Serif"),
        "dejavu sans mono" => exact("DejaVu Sans Mono"),
        "noto sans" => exact("Noto Sans"),
        "noto serif" => exact("Noto Serif"),
        "droid sans" => near("Noto Sans", 0.989),
        "segoe ui" | "segoe ui web" => near("Noto Sans", 0.955),
        "segoe ui light" | "segoe ui semilight" | "segoe light" => near("Noto Sans", 0.935),
        "segoe ui semibold" => near("Noto Sans", 0.98),
        "aptos" | "aptos light" => tall("Noto Sans", 0.918, 0.90),
        "aptos display" => tall("Noto Sans", 0.861, 0.90),
        "aptos narrow" => tall("Noto Sans", 0.83, 0.96),
        "verdana" | "lucida sans" | "lucida grande" => near("DejaVu Sans", 0.99),
        "lucida sans unicode" => near("DejaVu Sans", 0.965).single(),
        "tahoma" => near("DejaVu Sans", 0.885),
        "trebuchet ms" => near("Noto Sans", 0.925),
        "corbel" | "candara" => near("Carlito", 1.03),
        "gill sans mt" | "gill sans" => near("Carlito", 1.05),
        "century gothic" | "avant garde" => near("Noto Sans", 1.03),
        "futura" => near("Carlito", 1.04),
        "franklin gothic" | "franklin gothic book" | "franklin gothic medium" => {
            near("Liberation Sans", 0.95)
        }
        "arial narrow" | "liberation sans narrow" => near("Liberation Sans", 0.82),
        "arial black" => near("DejaVu Sans", 1.05),
        "impact" | "haettenschweiler" => near("Liberation Sans", 0.85),
        "twentieth century" | "tw cen mt" => near("Carlito", 1.0),
        "tw cen mt condensed" => near("Carlito", 0.75),
        "georgia" => near("DejaVu Serif", 0.87),
        "constantia" => near("Caladea", 0.98),
        "palatino linotype" | "palatino" | "book antiqua" => near("Liberation Serif", 1.11),
        "bookman old style" => near("Noto Serif", 1.03),
        "century schoolbook" | "century" => near("Noto Serif", 0.97),
        "garamond" | "perpetua" | "goudy old style" => near("Liberation Serif", 0.93),
        "rockwell" => near("Noto Serif", 0.95),
        "consolas" | "lucida console" | "menlo" | "monaco" | "source code pro"
        | "cascadia code" => near("Liberation Mono", 0.917),
        "comic sans ms" => near("DejaVu Sans", 0.9),
        "symbol" | "wingdings" | "wingdings 2" | "wingdings 3" | "webdings" => exact("DejaVu Sans"),
        _ => return public::listed(n).or_else(|| east_asian(n)),
    })
}

fn east_asian(n: &str) -> Option<Substitute> {
    let has = |words: &[&str]| words.iter().any(|w| n.contains(w));
    if has(&[
        "ｍｓ",
        "ms gothic",
        "ms pgothic",
        "ms mincho",
        "ms pmincho",
        "meiryo",
        "yu gothic",
        "yu mincho",
        "游",
        "メイリオ",
        "hiragino",
        "ms ui gothic",
        "noto sans jp",
    ]) {
        return Some(near("Noto Sans CJK JP", 1.0));
    }
    if has(&[
        "malgun", "맑은", "gulim", "굴림", "dotum", "돋움", "batang", "바탕", "hy", "나눔", "nanum",
    ]) && !n.starts_with("hyper")
    {
        return Some(near("Noto Sans CJK KR", 1.0));
    }
    if has(&[
        "simsun", "宋体", "simhei", "黑体", "yahei", "雅黑", "dengxian", "等线", "kaiti", "楷体",
        "fangsong", "仿宋", "pingfang", "华文",
    ]) {
        return Some(near("Noto Sans CJK SC", 1.0));
    }
    if has(&["jhenghei", "正黑", "mingliu", "細明體", "標楷"]) {
        return Some(near("Noto Sans CJK TC", 1.0));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metric_twins_are_exact_and_others_are_not() {
        assert!(substitute("Calibri").exact);
        assert!(!substitute("Aptos").exact);
        assert_eq!(substitute("Nobody Knows Serif").family, "Liberation Serif");
        assert_eq!(substitute("MS PGothic").family, "Noto Sans CJK JP");
    }

    #[test]
    fn a_weight_in_the_name_is_not_part_of_the_family() {
        let plain = substitute("Montserrat");
        assert_eq!(substitute("Montserrat Light"), plain);
        assert_eq!(substitute("Montserrat Extra Bold"), plain.heavy());
        let narrow = substitute("Roboto Slab Condensed Black");
        assert!(narrow.bold && narrow.width < substitute("Roboto Slab").width);
        assert!(!substitute("Arial Bold").exact);
        assert_eq!(substitute("Black"), substitute("Nobody Knows"));
    }
}
