// SPDX-License-Identifier: MIT OR Apache-2.0
//! Colours and DrawingML's colour transforms (ECMA-376 Part 1, 20.1.2.3), applied in document order.

use roxmltree::Node;

use crate::xml::Xml;

/// An sRGB colour with alpha; components from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Color {
    /// Red.
    pub r: f64,
    /// Green.
    pub g: f64,
    /// Blue.
    pub b: f64,
    /// Alpha: 1 is opaque.
    pub a: f64,
}

impl Color {
    /// Opaque black.
    pub const BLACK: Self = Self {
        r: 0.0,
        g: 0.0,
        b: 0.0,
        a: 1.0,
    };
    /// Opaque white.
    pub const WHITE: Self = Self {
        r: 1.0,
        g: 1.0,
        b: 1.0,
        a: 1.0,
    };

    /// From 0xRRGGBB.
    #[must_use]
    pub fn hex(v: u32) -> Self {
        let part = |s: u32| f64::from((v >> s) & 255) / 255.0;
        Self {
            r: part(16),
            g: part(8),
            b: part(0),
            a: 1.0,
        }
    }

    /// From six hexadecimal digits.
    #[must_use]
    pub fn parse_hex(s: &str) -> Option<Self> {
        let s = s.trim().trim_start_matches('#');
        if s.len() != 6 || !s.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(s, 16).ok().map(Self::hex)
    }

    /// As `#rrggbb`, without alpha.
    #[must_use]
    pub fn css(&self) -> String {
        let [r, g, b] = self.rgb8();
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Red, green and blue in a byte each.
    #[must_use]
    pub fn rgb8(&self) -> [u8; 3] {
        [self.r, self.g, self.b].map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// With another alpha.
    #[must_use]
    pub fn with_alpha(self, a: f64) -> Self {
        Self {
            a: a.clamp(0.0, 1.0),
            ..self
        }
    }

    /// A mixture: `t` of `other`.
    #[must_use]
    pub fn mix(self, other: Self, t: f64) -> Self {
        let m = |a: f64, b: f64| a + (b - a) * t;
        Self {
            r: m(self.r, other.r),
            g: m(self.g, other.g),
            b: m(self.b, other.b),
            a: m(self.a, other.a),
        }
    }

    /// Perceived brightness from 0 to 1.
    #[must_use]
    pub fn luma(&self) -> f64 {
        0.299 * self.r + 0.587 * self.g + 0.114 * self.b
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            r: f(self.r).clamp(0.0, 1.0),
            g: f(self.g).clamp(0.0, 1.0),
            b: f(self.b).clamp(0.0, 1.0),
            a: self.a,
        }
    }

    fn in_linear(self, f: impl Fn(f64) -> f64) -> Self {
        self.map(|v| to_srgb(f(to_linear(v)).clamp(0.0, 1.0)))
    }

    fn hsl(&self) -> (f64, f64, f64) {
        let (max, min) = (
            self.r.max(self.g).max(self.b),
            self.r.min(self.g).min(self.b),
        );
        let l = f64::midpoint(max, min);
        let d = max - min;
        if d <= 0.0 {
            return (0.0, 0.0, l);
        }
        let s = if l > 0.5 {
            d / (2.0 - max - min)
        } else {
            d / (max + min)
        };
        let h = if max == self.r {
            ((self.g - self.b) / d).rem_euclid(6.0)
        } else if max == self.g {
            (self.b - self.r) / d + 2.0
        } else {
            (self.r - self.g) / d + 4.0
        };
        (h * 60.0, s, l)
    }

    fn from_hsl(h: f64, s: f64, l: f64, a: f64) -> Self {
        let (s, l) = (s.clamp(0.0, 1.0), l.clamp(0.0, 1.0));
        let c = (1.0 - (2.0 * l - 1.0).abs()) * s;
        let h6 = h.rem_euclid(360.0) / 60.0;
        let x = c * (1.0 - (h6 % 2.0 - 1.0).abs());
        let m = l - c / 2.0;
        let (r, g, b) = match h6 as u32 {
            0 => (c, x, 0.0),
            1 => (x, c, 0.0),
            2 => (0.0, c, x),
            3 => (0.0, x, c),
            4 => (x, 0.0, c),
            _ => (c, 0.0, x),
        };
        Self {
            r: r + m,
            g: g + m,
            b: b + m,
            a,
        }
    }

    fn with_hsl(self, f: impl Fn(f64, f64, f64) -> (f64, f64, f64)) -> Self {
        let (h, s, l) = self.hsl();
        let (h, s, l) = f(h, s, l);
        Self::from_hsl(h, s, l, self.a)
    }
}

/// sRGB component to linear light.
#[must_use]
pub fn to_linear(v: f64) -> f64 {
    if v <= 0.04045 {
        v / 12.92
    } else {
        ((v + 0.055) / 1.055).powf(2.4)
    }
}

/// Linear light to sRGB component.
#[must_use]
pub fn to_srgb(v: f64) -> f64 {
    if v <= 0.003_130_8 {
        v * 12.92
    } else {
        1.055 * v.powf(1.0 / 2.4) - 0.055
    }
}

/// Mixes towards white in linear light, as `a:tint` does: 1 keeps the colour.
#[must_use]
pub fn tint(c: Color, keep: f64) -> Color {
    c.in_linear(|v| v * keep + (1.0 - keep))
}

/// Scales linear light, as `a:shade` does: 1 keeps the colour.
#[must_use]
pub fn shade(c: Color, keep: f64) -> Color {
    c.in_linear(|v| v * keep)
}

/// Finds scheme colours: `val` of `a:schemeClr` to a colour.
pub trait Scheme {
    /// The colour of a scheme name such as `accent1`, `tx1` or `phClr`.
    fn scheme(&self, name: &str) -> Option<Color>;
}

/// Reads the colour element itself (`a:srgbClr`, `a:schemeClr`, …).
#[must_use]
pub fn read(node: Node<'_, '_>, scheme: &dyn Scheme) -> Option<Color> {
    let base = match node.name() {
        "srgbClr" => Color::parse_hex(node.attr("val")?)?,
        "schemeClr" => scheme.scheme(node.attr("val")?)?,
        "sysClr" => node
            .attr("lastClr")
            .and_then(Color::parse_hex)
            .unwrap_or_else(|| system(node.attr("val").unwrap_or(""))),
        "prstClr" => named(node.attr("val")?)?,
        "scrgbClr" => {
            let part = |k| to_srgb(node.pct(k).unwrap_or(0.0).clamp(0.0, 1.0));
            Color {
                r: part("r"),
                g: part("g"),
                b: part("b"),
                a: 1.0,
            }
        }
        "hslClr" => Color::from_hsl(
            node.num("hue").unwrap_or(0.0) / 60_000.0,
            node.pct("sat").unwrap_or(0.0),
            node.pct("lum").unwrap_or(0.0),
            1.0,
        ),
        _ => return None,
    };
    Some(node.elements().fold(base, transform))
}

/// Reads the first colour among the children of a node.
#[must_use]
pub fn read_child(parent: Node<'_, '_>, scheme: &dyn Scheme) -> Option<Color> {
    parent.elements().find_map(|c| read(c, scheme))
}

fn transform(c: Color, t: Node<'_, '_>) -> Color {
    let v = t.pct("val").unwrap_or(0.0);
    match t.name() {
        "alpha" => c.with_alpha(v),
        "alphaMod" => c.with_alpha(c.a * v),
        "alphaOff" => c.with_alpha(c.a + v),
        "tint" => tint(c, v),
        "shade" => shade(c, v),
        "lumMod" => c.with_hsl(|h, s, l| (h, s, l * v)),
        "lumOff" => c.with_hsl(|h, s, l| (h, s, l + v)),
        "lum" => c.with_hsl(|h, s, _| (h, s, v)),
        "satMod" => c.with_hsl(|h, s, l| (h, s * v, l)),
        "satOff" => c.with_hsl(|h, s, l| (h, s + v, l)),
        "sat" => c.with_hsl(|h, _, l| (h, v, l)),
        "hueMod" => c.with_hsl(|h, s, l| (h * v, s, l)),
        "hueOff" => c.with_hsl(|h, s, l| (h + t.num("val").unwrap_or(0.0) / 60_000.0, s, l)),
        "hue" => c.with_hsl(|_, s, l| (t.num("val").unwrap_or(0.0) / 60_000.0, s, l)),
        "comp" => c.with_hsl(|h, s, l| (h + 180.0, s, l)),
        "inv" => c.in_linear(|x| 1.0 - x),
        "gray" => {
            let y = 0.2126 * to_linear(c.r) + 0.7152 * to_linear(c.g) + 0.0722 * to_linear(c.b);
            c.map(|_| to_srgb(y))
        }
        "gamma" => c.map(to_srgb),
        "invGamma" => c.map(to_linear),
        "red" => Color {
            r: to_srgb(v.clamp(0.0, 1.0)),
            ..c
        },
        "green" => Color {
            g: to_srgb(v.clamp(0.0, 1.0)),
            ..c
        },
        "blue" => Color {
            b: to_srgb(v.clamp(0.0, 1.0)),
            ..c
        },
        "redMod" => Color {
            r: to_srgb((to_linear(c.r) * v).clamp(0.0, 1.0)),
            ..c
        },
        "greenMod" => Color {
            g: to_srgb((to_linear(c.g) * v).clamp(0.0, 1.0)),
            ..c
        },
        "blueMod" => Color {
            b: to_srgb((to_linear(c.b) * v).clamp(0.0, 1.0)),
            ..c
        },
        _ => c,
    }
}

fn system(name: &str) -> Color {
    match name {
        "window" | "btnHighlight" | "highlightText" | "captionText" => Color::WHITE,
        "btnFace" | "3dLight" | "menu" | "scrollBar" => Color::hex(0x00F0_F0F0),
        "btnShadow" | "grayText" => Color::hex(0x006D_6D6D),
        "highlight" => Color::hex(0x0000_78D7),
        _ => Color::BLACK,
    }
}

/// ST_PresetColorVal: the CSS names, with `dk`, `lt` and `med` for dark, light and medium.
fn named(name: &str) -> Option<Color> {
    let full = name.replacen("dk", "dark", usize::from(name.starts_with("dk")));
    let full = full.replacen("lt", "light", usize::from(full.starts_with("lt")));
    let full = if full.starts_with("med") && !full.starts_with("medium") {
        full.replacen("med", "medium", 1)
    } else {
        full
    };
    let full = full.to_ascii_lowercase();
    let at = NAMED
        .binary_search_by(|(n, _)| (*n).cmp(full.as_str()))
        .ok()?;
    NAMED.get(at).map(|(_, v)| Color::hex(*v))
}

#[rustfmt::skip]
const NAMED: &[(&str, u32)] = &[
    ("aliceblue", 0x00F0_F8FF), ("antiquewhite", 0x00FA_EBD7), ("aqua", 0x0000_FFFF), ("aquamarine", 0x007F_FFD4),
    ("azure", 0x00F0_FFFF), ("beige", 0x00F5_F5DC), ("bisque", 0x00FF_E4C4), ("black", 0x0000_0000),
    ("blanchedalmond", 0x00FF_EBCD), ("blue", 0x0000_00FF), ("blueviolet", 0x008A_2BE2), ("brown", 0x00A5_2A2A),
    ("burlywood", 0x00DE_B887), ("cadetblue", 0x005F_9EA0), ("chartreuse", 0x007F_FF00), ("chocolate", 0x00D2_691E),
    ("coral", 0x00FF_7F50), ("cornflowerblue", 0x0064_95ED), ("cornsilk", 0x00FF_F8DC), ("crimson", 0x00DC_143C),
    ("cyan", 0x0000_FFFF), ("darkblue", 0x0000_008B), ("darkcyan", 0x0000_8B8B), ("darkgoldenrod", 0x00B8_860B),
    ("darkgray", 0x00A9_A9A9), ("darkgreen", 0x0000_6400), ("darkgrey", 0x00A9_A9A9), ("darkkhaki", 0x00BD_B76B),
    ("darkmagenta", 0x008B_008B), ("darkolivegreen", 0x0055_6B2F), ("darkorange", 0x00FF_8C00),
    ("darkorchid", 0x0099_32CC), ("darkred", 0x008B_0000), ("darksalmon", 0x00E9_967A), ("darkseagreen", 0x008F_BC8F),
    ("darkslateblue", 0x0048_3D8B), ("darkslategray", 0x002F_4F4F), ("darkslategrey", 0x002F_4F4F),
    ("darkturquoise", 0x0000_CED1), ("darkviolet", 0x0094_00D3), ("deeppink", 0x00FF_1493),
    ("deepskyblue", 0x0000_BFFF), ("dimgray", 0x0069_6969), ("dimgrey", 0x0069_6969), ("dodgerblue", 0x001E_90FF),
    ("firebrick", 0x00B2_2222), ("floralwhite", 0x00FF_FAF0), ("forestgreen", 0x0022_8B22), ("fuchsia", 0x00FF_00FF),
    ("gainsboro", 0x00DC_DCDC), ("ghostwhite", 0x00F8_F8FF), ("gold", 0x00FF_D700), ("goldenrod", 0x00DA_A520),
    ("gray", 0x0080_8080), ("green", 0x0000_8000), ("greenyellow", 0x00AD_FF2F), ("grey", 0x0080_8080),
    ("honeydew", 0x00F0_FFF0), ("hotpink", 0x00FF_69B4), ("indianred", 0x00CD_5C5C), ("indigo", 0x004B_0082),
    ("ivory", 0x00FF_FFF0), ("khaki", 0x00F0_E68C), ("lavender", 0x00E6_E6FA), ("lavenderblush", 0x00FF_F0F5),
    ("lawngreen", 0x007C_FC00), ("lemonchiffon", 0x00FF_FACD), ("lightblue", 0x00AD_D8E6),
    ("lightcoral", 0x00F0_8080), ("lightcyan", 0x00E0_FFFF), ("lightgoldenrodyellow", 0x00FA_FAD2),
    ("lightgray", 0x00D3_D3D3), ("lightgreen", 0x0090_EE90), ("lightgrey", 0x00D3_D3D3), ("lightpink", 0x00FF_B6C1),
    ("lightsalmon", 0x00FF_A07A), ("lightseagreen", 0x0020_B2AA), ("lightskyblue", 0x0087_CEFA),
    ("lightslategray", 0x0077_8899), ("lightslategrey", 0x0077_8899), ("lightsteelblue", 0x00B0_C4DE),
    ("lightyellow", 0x00FF_FFE0), ("lime", 0x0000_FF00), ("limegreen", 0x0032_CD32), ("linen", 0x00FA_F0E6),
    ("magenta", 0x00FF_00FF), ("maroon", 0x0080_0000), ("mediumaquamarine", 0x0066_CDAA), ("mediumblue", 0x0000_00CD),
    ("mediumorchid", 0x00BA_55D3), ("mediumpurple", 0x0093_70DB), ("mediumseagreen", 0x003C_B371),
    ("mediumslateblue", 0x007B_68EE), ("mediumspringgreen", 0x0000_FA9A), ("mediumturquoise", 0x0048_D1CC),
    ("mediumvioletred", 0x00C7_1585), ("midnightblue", 0x0019_1970), ("mintcream", 0x00F5_FFFA),
    ("mistyrose", 0x00FF_E4E1), ("moccasin", 0x00FF_E4B5), ("navajowhite", 0x00FF_DEAD), ("navy", 0x0000_0080),
    ("oldlace", 0x00FD_F5E6), ("olive", 0x0080_8000), ("olivedrab", 0x006B_8E23), ("orange", 0x00FF_A500),
    ("orangered", 0x00FF_4500), ("orchid", 0x00DA_70D6), ("palegoldenrod", 0x00EE_E8AA), ("palegreen", 0x0098_FB98),
    ("paleturquoise", 0x00AF_EEEE), ("palevioletred", 0x00DB_7093), ("papayawhip", 0x00FF_EFD5),
    ("peachpuff", 0x00FF_DAB9), ("peru", 0x00CD_853F), ("pink", 0x00FF_C0CB), ("plum", 0x00DD_A0DD),
    ("powderblue", 0x00B0_E0E6), ("purple", 0x0080_0080), ("rebeccapurple", 0x0066_3399), ("red", 0x00FF_0000),
    ("rosybrown", 0x00BC_8F8F), ("royalblue", 0x0041_69E1), ("saddlebrown", 0x008B_4513), ("salmon", 0x00FA_8072),
    ("sandybrown", 0x00F4_A460), ("seagreen", 0x002E_8B57), ("seashell", 0x00FF_F5EE), ("sienna", 0x00A0_522D),
    ("silver", 0x00C0_C0C0), ("skyblue", 0x0087_CEEB), ("slateblue", 0x006A_5ACD), ("slategray", 0x0070_8090),
    ("slategrey", 0x0070_8090), ("snow", 0x00FF_FAFA), ("springgreen", 0x0000_FF7F), ("steelblue", 0x0046_82B4),
    ("tan", 0x00D2_B48C), ("teal", 0x0000_8080), ("thistle", 0x00D8_BFD8), ("tomato", 0x00FF_6347),
    ("turquoise", 0x0040_E0D0), ("violet", 0x00EE_82EE), ("wheat", 0x00F5_DEB3), ("white", 0x00FF_FFFF),
    ("whitesmoke", 0x00F5_F5F5), ("yellow", 0x00FF_FF00), ("yellowgreen", 0x009A_CD32),
];

#[cfg(test)]
mod tests {
    use super::*;

    struct Accent;
    impl Scheme for Accent {
        fn scheme(&self, name: &str) -> Option<Color> {
            (name == "accent1").then(|| Color::hex(0x004F_81BD))
        }
    }

    fn css(xml: &str) -> Option<String> {
        let doc = roxmltree::Document::parse(xml).expect("well-formed");
        read(doc.root_element(), &Accent).map(|c| c.css())
    }

    #[test]
    fn luminance_is_changed_in_hsl() {
        let got = css(r#"<schemeClr val="accent1"><lumMod val="75000"/></schemeClr>"#);
        assert_eq!(
            got.as_deref(),
            Some("#376092"),
            "PowerPoint's accent 1, darker 25%"
        );
        let got = css(
            r#"<schemeClr val="accent1"><lumMod val="40000"/><lumOff val="60000"/></schemeClr>"#,
        );
        assert_eq!(
            got.as_deref(),
            Some("#b9cde5"),
            "PowerPoint's accent 1, lighter 60%"
        );
    }

    #[test]
    fn names_are_abbreviated_as_in_the_standard() {
        assert_eq!(
            css(r#"<prstClr val="dkBlue"/>"#).as_deref(),
            Some("#00008b")
        );
        assert_eq!(
            css(r#"<prstClr val="ltGray"/>"#).as_deref(),
            Some("#d3d3d3")
        );
        assert_eq!(css(r#"<prstClr val="nope"/>"#), None);
    }

    #[test]
    fn unknown_scheme_names_give_no_colour() {
        assert_eq!(css(r#"<schemeClr val="accent9"/>"#), None);
    }

    #[test]
    fn shade_works_in_linear_light() {
        assert_eq!(
            css(r#"<srgbClr val="FFFFFF"><shade val="50000"/></srgbClr>"#).as_deref(),
            Some("#bcbcbc")
        );
    }
}
