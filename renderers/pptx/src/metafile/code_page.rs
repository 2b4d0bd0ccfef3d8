// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of text in metafiles, by the character set of the font that draws them.
//!
//! The sets are those of MS-WMF 2.1.1.5. `DEFAULT_CHARSET` is that of the machine that made the recording; the slide's
//! languages, and fonts of one script, tell which one that was.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

/// `DEFAULT_CHARSET`.
const DEFAULT: u8 = 1;

/// The text of `bytes` in a font's character set and name; `local` is the set of the machine that made the recording.
pub(super) fn decode(bytes: &[u8], charset: u8, font: &str, local: &'static Encoding) -> String {
    let encoding = match charset {
        128 => SHIFT_JIS,
        129 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        DEFAULT => of_font(font).unwrap_or(local),
        _ => WINDOWS_1252,
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The code page of a font that was made for one script.
fn of_font(name: &str) -> Option<&'static Encoding> {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["yahei", "simsun", "simhei", "fangsong", "kaiti", "dengxian"]) {
        Some(GBK)
    } else if has(&["jhenghei", "mingliu"]) {
        Some(BIG5)
    } else if has(&[
        "meiryo",
        "ms gothic",
        "ms pgothic",
        "ms mincho",
        "yu gothic",
    ]) {
        Some(SHIFT_JIS)
    } else if has(&["malgun", "gulim", "batang", "dotum"]) {
        Some(EUC_KR)
    } else {
        None
    }
}

/// The code page of Windows in a language such as `ru-RU` (MS-LCID); none where that is the Western one.
pub fn of_language(tag: &str) -> Option<&'static Encoding> {
    let tag = tag.to_lowercase();
    let (language, rest) = tag.split_once('-').unwrap_or((&tag, ""));
    Some(match language {
        "zh" if ["tw", "hk", "mo", "hant"]
            .iter()
            .any(|place| rest.starts_with(place)) =>
        {
            BIG5
        }
        "zh" => GBK,
        "ja" => SHIFT_JIS,
        "ko" => EUC_KR,
        "ru" | "uk" | "be" | "bg" | "mk" | "kk" | "ky" | "tg" | "tt" | "ba" | "mn" => WINDOWS_1251,
        "sr" if rest.contains("cyrl") => WINDOWS_1251,
        "pl" | "cs" | "sk" | "hu" | "ro" | "hr" | "sl" | "sr" | "bs" | "sq" => WINDOWS_1250,
        "el" => WINDOWS_1253,
        "tr" | "az" | "uz" => WINDOWS_1254,
        "he" | "iw" => WINDOWS_1255,
        "ar" | "fa" | "ur" => WINDOWS_1256,
        "et" | "lv" | "lt" => WINDOWS_1257,
        "vi" => WINDOWS_1258,
        "th" => WINDOWS_874,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_by_the_set_then_the_font_then_the_language() {
        let file = [0xD4, 0xE0, 0xE9, 0xEB];
        assert_eq!(decode(&file, 204, "Arial", WINDOWS_1252), "Файл");
        let russian = of_language("ru-UA").unwrap();
        assert_eq!(decode(&file, DEFAULT, "Segoe UI", russian), "Файл");
        assert_eq!(decode(&file, DEFAULT, "Segoe UI", WINDOWS_1252), "Ôàéë");
        let new = [0xD0, 0xC2, 0xBD, 0xA8];
        assert_eq!(
            decode(&new, DEFAULT, "Microsoft YaHei UI", WINDOWS_1252),
            "新建"
        );
        assert_eq!(decode(&[0x93, b'a', 0x94], 0, "Arial", russian), "“a”");
    }

    #[test]
    fn languages_have_the_code_pages_of_windows() {
        assert_eq!(of_language("zh-CN"), Some(GBK));
        assert_eq!(of_language("zh-TW"), Some(BIG5));
        assert_eq!(of_language("sr-Cyrl-RS"), Some(WINDOWS_1251));
        assert_eq!(of_language("sr-Latn-RS"), Some(WINDOWS_1250));
        assert_eq!(of_language("en-US"), None);
    }
}
