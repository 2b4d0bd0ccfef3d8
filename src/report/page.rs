// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page as it grows: markup of ours by type apart from text of others.
//!
//! Markup is `&'static str`, so it can only come from this program; everything else goes through
//! [`Page::text`], which leaves nothing that a browser takes for a tag, an attribute or an order to
//! turn the direction of reading.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deckproof_packets::hash::Sha256Hex;

/// An HTML page under construction.
#[derive(Debug, Default)]
pub(super) struct Page {
    html: String,
}

impl Page {
    /// Markup of ours.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.html.push_str(markup);
        self
    }

    /// Text of anybody, in an element or in a quoted attribute.
    pub(super) fn text(&mut self, text: impl AsRef<str>) -> &mut Self {
        text.as_ref()
            .chars()
            .for_each(|c| push_escaped(&mut self.html, c));
        self
    }

    /// A whole number, as coordinates need it.
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.html.push_str(&number.to_string());
        self
    }

    /// An element of text. `open` is its name, with attributes if it has any.
    pub(super) fn tag(&mut self, open: &'static str, text: impl AsRef<str>) -> &mut Self {
        let name = open.split(' ').next().unwrap_or(open);
        self.raw("<").raw(open).raw(">").text(text);
        self.raw("</").raw(name).raw(">")
    }

    /// A cell of a name, which may break behind its underscores, colons and hyphens alone.
    pub(super) fn name(&mut self, name: &str) -> &mut Self {
        self.raw("<td><code class=\"name\">");
        for part in name.split_inclusive(['_', ':', '-']) {
            self.text(part).raw("<wbr>");
        }
        self.raw("</code></td>")
    }

    /// A hash in full.
    pub(super) fn hash(&mut self, open: &'static str, hash: &Sha256Hex) -> &mut Self {
        self.raw("<").raw(open).raw("><code>").text(hash.as_str());
        self.raw("</code></")
            .raw(open.split(' ').next().unwrap_or(open))
            .raw(">")
    }

    /// A picture's bytes as the value of an attribute.
    pub(super) fn png(&mut self, bytes: &[u8]) -> &mut Self {
        self.raw("data:image/png;base64,");
        STANDARD.encode_string(bytes, &mut self.html);
        self
    }

    /// A table's head, in a box that scrolls by itself when the window is narrow.
    pub(super) fn table(&mut self, titles: &[&'static str]) -> &mut Self {
        self.raw("<div class=\"scroll\"><table><thead><tr>");
        for title in titles {
            match title.strip_prefix('#') {
                Some(number) => self.tag("th class=\"n\"", number),
                None => self.tag("th", title),
            };
        }
        self.raw("</tr></thead><tbody>\n")
    }

    /// The end of a table.
    pub(super) fn end_table(&mut self) -> &mut Self {
        self.raw("</tbody></table></div>\n")
    }

    /// Whether something holds, as a word and not as a colour alone.
    pub(super) fn verdict(&mut self, passed: bool) -> &mut Self {
        if passed {
            self.raw("<span class=\"mark pass\">pass</span>")
        } else {
            self.raw("<span class=\"mark fail\">FAIL</span>")
        }
    }

    /// A list of at most `most` lines, and how many it leaves out.
    pub(super) fn lines(&mut self, lines: &[String], most: usize) -> &mut Self {
        if lines.is_empty() {
            return self;
        }
        self.raw("<ul>");
        for line in lines.iter().take(most) {
            self.tag("li", line);
        }
        if let Some(rest) = lines.len().checked_sub(most).filter(|rest| *rest > 0) {
            let said = format!("and {rest} more, all of them in summary.json");
            self.tag("li class=\"quiet\"", said);
        }
        self.raw("</ul>\n")
    }

    /// The page's bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.html.into_bytes()
    }
}

fn push_escaped(html: &mut String, c: char) {
    match c {
        '&' => html.push_str("&amp;"),
        '<' => html.push_str("&lt;"),
        '>' => html.push_str("&gt;"),
        '"' => html.push_str("&quot;"),
        '\'' => html.push_str("&#39;"),
        '\n' | '\t' => html.push(c),
        c if c.is_control() || turns_text(c) => html.push(char::REPLACEMENT_CHARACTER),
        c => html.push(c),
    }
}

/// Characters that change the order in which the text after them is read.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `1234567` as `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds as seconds, nothing rounded away.
pub(super) fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", grouped(ms / 1000), ms % 1000)
}

/// A count, or the word for one that is not known.
pub(super) fn known(count: Option<u64>) -> String {
    count.map_or_else(|| "unknown".to_owned(), grouped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut page = Page::default();
        page.text(text);
        String::from_utf8(page.into_bytes()).unwrap()
    }

    #[test]
    fn text_of_others_stays_text() {
        assert_eq!(
            shown("<script>alert('x')</script> & \"y\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;"
        );
        assert_eq!(
            shown("a\0b\u{1b}[2J\u{202e}c\nd"),
            "a\u{fffd}b\u{fffd}[2J\u{fffd}c\nd"
        );
    }

    #[test]
    fn an_element_closes_by_its_name_alone() {
        let mut page = Page::default();
        page.tag("td class=\"n\"", "<7>");
        assert_eq!(page.into_bytes(), b"<td class=\"n\">&lt;7&gt;</td>");
    }

    #[test]
    fn long_lists_say_what_they_leave_out() {
        let mut page = Page::default();
        let lines: Vec<_> = (0..5).map(|n| n.to_string()).collect();
        page.lines(&lines, 3);
        let html = String::from_utf8(page.into_bytes()).unwrap();
        assert!(html.contains("<li>2</li>") && !html.contains("<li>3</li>"));
        assert!(html.contains("and 2 more"), "{html}");
    }

    #[test]
    fn figures_keep_every_digit() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(seconds(1_240_305), "1,240.305 s");
        assert_eq!(known(None), "unknown");
    }
}
