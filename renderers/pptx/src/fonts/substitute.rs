// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which family of the set stands in for a font that a deck names.
//!
//! Carlito, Caladea and the Liberation families have the widths of Calibri, Cambria, Arial, Times New Roman and Courier
//! New. For the others the nearest family is taken, with a factor on the widths that brings an average line to the
//! length it had; such a stand-in is a diagnostic.

/// A stand-in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Substitute {
    /// A family of the set.
    pub family: &'static str,
    /// Factor on all widths.
    pub width: f64,
    /// Factor on all heights.
    pub height: f64,
    /// Whether the widths are those of the wanted font.
    pub exact: bool,
}

const fn exact(family: &'static str) -> Substitute {
    Substitute {
        family,
        width: 1.0,
        height: 1.0,
        exact: true,
    }
}

const fn near(family: &'static str, width: f64) -> Substitute {
    Substitute {
        family,
        width,
        height: 1.0,
        exact: false,
    }
}

const fn tall(family: &'static str, width: f64, height: f64) -> Substitute {
    Substitute {
        family,
        width,
        height,
        exact: false,
    }
}

/// The stand-in for a font name. `serif` and `mono` say what the deck knows of an unknown font.
#[must_use]
pub fn substitute(name: &str, serif: bool, mono: bool) -> Substitute {
    let n = name.trim().to_ascii_lowercase();
    if let Some(s) = listed(&n) {
        return s;
    }
    if mono
        || ["mono", "code", "consol", "courier", "typewriter"]
            .iter()
            .any(|w| n.contains(w))
    {
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
    if (serif || serif_words.iter().any(|w| n.contains(w))) && !sans {
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
        "open sans" | "droid sans" => near("Noto Sans", 0.975),
        "segoe ui" | "segoe ui web" => near("Noto Sans", 0.955),
        "segoe ui light" | "segoe ui semilight" | "segoe light" => near("Noto Sans", 0.935),
        "segoe ui semibold" => near("Noto Sans", 0.98),
        "aptos" | "aptos light" => tall("Noto Sans", 0.918, 0.90),
        "aptos display" => tall("Noto Sans", 0.861, 0.90),
        "aptos narrow" => tall("Noto Sans", 0.83, 0.96),
        "verdana" | "lucida sans unicode" | "lucida sans" | "lucida grande" => {
            near("DejaVu Sans", 0.99)
        }
        "tahoma" => near("DejaVu Sans", 0.885),
        "trebuchet ms" => near("Noto Sans", 0.925),
        "corbel" | "candara" => near("Carlito", 1.03),
        "gill sans mt" | "gill sans" => near("Carlito", 1.05),
        "century gothic" | "avant garde" | "futura" => near("Noto Sans", 1.0),
        "franklin gothic book" | "franklin gothic medium" => near("Liberation Sans", 0.95),
        "arial narrow" | "liberation sans narrow" => near("Liberation Sans", 0.82),
        "arial black" => near("DejaVu Sans", 1.05),
        "impact" | "haettenschweiler" | "bebas neue" => near("Liberation Sans", 0.85),
        "twentieth century" | "tw cen mt" => near("Carlito", 1.0),
        "tw cen mt condensed" => near("Carlito", 0.75),
        "georgia" => near("DejaVu Serif", 0.87),
        "constantia" => near("Caladea", 0.98),
        "palatino linotype" | "palatino" | "book antiqua" => near("Liberation Serif", 1.09),
        "bookman old style" | "century schoolbook" | "century" => near("Noto Serif", 0.98),
        "garamond" | "perpetua" | "goudy old style" => near("Liberation Serif", 0.93),
        "rockwell" => near("Noto Serif", 0.95),
        "consolas" | "lucida console" | "menlo" | "monaco" | "source code pro"
        | "cascadia code" => near("Liberation Mono", 0.917),
        "roboto" | "inter" | "lato" | "source sans pro" | "montserrat" | "poppins" | "nunito"
        | "raleway" | "work sans" => modern(n),
        "comic sans ms" => near("DejaVu Sans", 0.9),
        "symbol" | "wingdings" | "wingdings 2" | "wingdings 3" | "webdings" => exact("DejaVu Sans"),
        _ => return east_asian(n),
    })
}

fn modern(n: &str) -> Substitute {
    match n {
        "roboto" | "inter" | "work sans" => near("Liberation Sans", 1.0),
        "lato" => near("Carlito", 1.06),
        "source sans pro" => near("Carlito", 1.02),
        "montserrat" | "poppins" => near("Noto Sans", 1.05),
        _ => near("Noto Sans", 0.96),
    }
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
        assert!(substitute("Calibri", false, false).exact);
        assert!(!substitute("Aptos", false, false).exact);
        assert_eq!(
            substitute("Nobody Knows Serif", false, false).family,
            "Liberation Serif"
        );
        assert_eq!(
            substitute("MS PGothic", false, false).family,
            "Noto Sans CJK JP"
        );
    }
}
