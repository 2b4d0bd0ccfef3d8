// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of font files that the renderer knows, by package of Debian.

/// A face the renderer knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// File name.
    pub file: &'static str,
    /// Index in a collection.
    pub index: u32,
    /// Family it belongs to.
    pub family: &'static str,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is italic.
    pub italic: bool,
}

/// Folders where Debian puts them.
pub const FOLDERS: &[&str] = &[
    "/usr/share/fonts/truetype/liberation2",
    "/usr/share/fonts/truetype/liberation",
    "/usr/share/fonts/truetype/crosextra",
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/truetype/noto",
    "/usr/share/fonts/opentype/noto",
];

/// The package a file name belongs to, for messages.
#[must_use]
pub fn package_of(file: &str) -> &'static str {
    match file {
        f if f.starts_with("Liberation") => "fonts-liberation2",
        f if f.starts_with("Carlito") => "fonts-crosextra-carlito",
        f if f.starts_with("Caladea") => "fonts-crosextra-caladea",
        f if f.starts_with("DejaVu") => "fonts-dejavu-core",
        f if f.contains("CJK") => "fonts-noto-cjk",
        "NotoColorEmoji.ttf" => "fonts-noto-color-emoji",
        _ => "fonts-noto-core",
    }
}

const fn k(file: &'static str, family: &'static str, bold: bool, italic: bool) -> Known {
    Known {
        file,
        index: 0,
        family,
        bold,
        italic,
    }
}

const fn c(file: &'static str, index: u32, family: &'static str, bold: bool) -> Known {
    Known {
        file,
        index,
        family,
        bold,
        italic: false,
    }
}

/// Every face, in the order in which fallback looks at them.
#[rustfmt::skip]
pub const FACES: &[Known] = &[
    k("Carlito-Regular.ttf", "Carlito", false, false), k("Carlito-Bold.ttf", "Carlito", true, false),
    k("Carlito-Italic.ttf", "Carlito", false, true), k("Carlito-BoldItalic.ttf", "Carlito", true, true),
    k("LiberationSans-Regular.ttf", "Liberation Sans", false, false), k("LiberationSans-Bold.ttf", "Liberation Sans", true, false),
    k("LiberationSans-Italic.ttf", "Liberation Sans", false, true), k("LiberationSans-BoldItalic.ttf", "Liberation Sans", true, true),
    k("LiberationSerif-Regular.ttf", "Liberation Serif", false, false), k("LiberationSerif-Bold.ttf", "Liberation Serif", true, false),
    k("LiberationSerif-Italic.ttf", "Liberation Serif", false, true), k("LiberationSerif-BoldItalic.ttf", "Liberation Serif", true, true),
    k("LiberationMono-Regular.ttf", "Liberation Mono", false, false), k("LiberationMono-Bold.ttf", "Liberation Mono", true, false),
    k("LiberationMono-Italic.ttf", "Liberation Mono", false, true), k("LiberationMono-BoldItalic.ttf", "Liberation Mono", true, true),
    k("Caladea-Regular.ttf", "Caladea", false, false), k("Caladea-Bold.ttf", "Caladea", true, false),
    k("Caladea-Italic.ttf", "Caladea", false, true), k("Caladea-BoldItalic.ttf", "Caladea", true, true),
    k("NotoSans-Regular.ttf", "Noto Sans", false, false), k("NotoSans-Bold.ttf", "Noto Sans", true, false),
    k("NotoSans-Italic.ttf", "Noto Sans", false, true), k("NotoSans-BoldItalic.ttf", "Noto Sans", true, true),
    k("NotoSerif-Regular.ttf", "Noto Serif", false, false), k("NotoSerif-Bold.ttf", "Noto Serif", true, false),
    k("NotoSerif-Italic.ttf", "Noto Serif", false, true), k("NotoSerif-BoldItalic.ttf", "Noto Serif", true, true),
    k("DejaVuSans.ttf", "DejaVu Sans", false, false), k("DejaVuSans-Bold.ttf", "DejaVu Sans", true, false),
    k("DejaVuSerif.ttf", "DejaVu Serif", false, false), k("DejaVuSerif-Bold.ttf", "DejaVu Serif", true, false),
    k("DejaVuSansMono.ttf", "DejaVu Sans Mono", false, false), k("DejaVuSansMono-Bold.ttf", "DejaVu Sans Mono", true, false),
    k("NotoNaskhArabic-Regular.ttf", "Noto Naskh Arabic", false, false), k("NotoNaskhArabic-Bold.ttf", "Noto Naskh Arabic", true, false),
    k("NotoSansArabic-Regular.ttf", "Noto Sans Arabic", false, false), k("NotoSansArabic-Bold.ttf", "Noto Sans Arabic", true, false),
    k("NotoSansHebrew-Regular.ttf", "Noto Sans Hebrew", false, false), k("NotoSansHebrew-Bold.ttf", "Noto Sans Hebrew", true, false),
    k("NotoSansThai-Regular.ttf", "Noto Sans Thai", false, false), k("NotoSansThai-Bold.ttf", "Noto Sans Thai", true, false),
    k("NotoSansDevanagari-Regular.ttf", "Noto Sans Devanagari", false, false), k("NotoSansDevanagari-Bold.ttf", "Noto Sans Devanagari", true, false),
    k("NotoSansBengali-Regular.ttf", "Noto Sans Bengali", false, false), k("NotoSansBengali-Bold.ttf", "Noto Sans Bengali", true, false),
    k("NotoSansGujarati-Regular.ttf", "Noto Sans Gujarati", false, false), k("NotoSansGujarati-Bold.ttf", "Noto Sans Gujarati", true, false),
    k("NotoSansGurmukhi-Regular.ttf", "Noto Sans Gurmukhi", false, false), k("NotoSansGurmukhi-Bold.ttf", "Noto Sans Gurmukhi", true, false),
    k("NotoSansKannada-Regular.ttf", "Noto Sans Kannada", false, false), k("NotoSansKannada-Bold.ttf", "Noto Sans Kannada", true, false),
    k("NotoSansMalayalam-Regular.ttf", "Noto Sans Malayalam", false, false), k("NotoSansMalayalam-Bold.ttf", "Noto Sans Malayalam", true, false),
    k("NotoSansOriya-Regular.ttf", "Noto Sans Oriya", false, false), k("NotoSansOriya-Bold.ttf", "Noto Sans Oriya", true, false),
    k("NotoSansTamil-Regular.ttf", "Noto Sans Tamil", false, false), k("NotoSansTamil-Bold.ttf", "Noto Sans Tamil", true, false),
    k("NotoSansTelugu-Regular.ttf", "Noto Sans Telugu", false, false), k("NotoSansTelugu-Bold.ttf", "Noto Sans Telugu", true, false),
    k("NotoSansSinhala-Regular.ttf", "Noto Sans Sinhala", false, false), k("NotoSansSinhala-Bold.ttf", "Noto Sans Sinhala", true, false),
    k("NotoSansLao-Regular.ttf", "Noto Sans Lao", false, false), k("NotoSansLao-Bold.ttf", "Noto Sans Lao", true, false),
    k("NotoSansKhmer-Regular.ttf", "Noto Sans Khmer", false, false), k("NotoSansKhmer-Bold.ttf", "Noto Sans Khmer", true, false),
    k("NotoSansMyanmar-Regular.ttf", "Noto Sans Myanmar", false, false), k("NotoSansMyanmar-Bold.ttf", "Noto Sans Myanmar", true, false),
    k("NotoSansArmenian-Regular.ttf", "Noto Sans Armenian", false, false), k("NotoSansArmenian-Bold.ttf", "Noto Sans Armenian", true, false),
    k("NotoSansGeorgian-Regular.ttf", "Noto Sans Georgian", false, false), k("NotoSansGeorgian-Bold.ttf", "Noto Sans Georgian", true, false),
    k("NotoSansEthiopic-Regular.ttf", "Noto Sans Ethiopic", false, false), k("NotoSansEthiopic-Bold.ttf", "Noto Sans Ethiopic", true, false),
    k("NotoSerifTibetan-Regular.ttf", "Noto Serif Tibetan", false, false), k("NotoSansMongolian-Regular.ttf", "Noto Sans Mongolian", false, false),
    k("NotoSansSyriac-Regular.ttf", "Noto Sans Syriac", false, false), k("NotoSansThaana-Regular.ttf", "Noto Sans Thaana", false, false),
    k("NotoSansCherokee-Regular.ttf", "Noto Sans Cherokee", false, false), k("NotoSansTifinagh-Regular.ttf", "Noto Sans Tifinagh", false, false),
    c("NotoSansCJK-Regular.ttc", 0, "Noto Sans CJK JP", false), c("NotoSansCJK-Bold.ttc", 0, "Noto Sans CJK JP", true),
    c("NotoSansCJK-Regular.ttc", 1, "Noto Sans CJK KR", false), c("NotoSansCJK-Bold.ttc", 1, "Noto Sans CJK KR", true),
    c("NotoSansCJK-Regular.ttc", 2, "Noto Sans CJK SC", false), c("NotoSansCJK-Bold.ttc", 2, "Noto Sans CJK SC", true),
    c("NotoSansCJK-Regular.ttc", 3, "Noto Sans CJK TC", false), c("NotoSansCJK-Bold.ttc", 3, "Noto Sans CJK TC", true),
    k("NotoSansSymbols-Regular.ttf", "Noto Sans Symbols", false, false), k("NotoSansSymbols-Bold.ttf", "Noto Sans Symbols", true, false),
    k("NotoSansSymbols2-Regular.ttf", "Noto Sans Symbols2", false, false), k("NotoSansMath-Regular.ttf", "Noto Sans Math", false, false),
    k("NotoColorEmoji.ttf", "Noto Color Emoji", false, false),
];

/// Families without which text cannot be drawn as meant; each absence is a diagnostic.
pub const CORE: &[&str] = &[
    "Carlito",
    "Liberation Sans",
    "Liberation Serif",
    "Liberation Mono",
    "Caladea",
    "Noto Sans",
    "DejaVu Sans",
];
