// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet's page as it is served: the same page with a draft to begin from and one more script.
//!
//! The page in the packet cannot reach any network, and stays so. What is served may talk to the
//! server that it came from, which is a matter of this one change.

const SCRIPT: &str = include_str!("../../../reviews/page/served.js");
/// The page's own policy, in whose place the server's header stands.
const META: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
/// What begins the page's one script.
const SCRIPT_TAG: &str = "<script>\n\"use strict\";\n";
const END: &str = "</body>";

/// The page with what is needed to serve it; `None` when it is not a page of ours.
pub(super) fn served(page: &[u8], draft: Option<&str>) -> Option<Vec<u8>> {
    let page = std::str::from_utf8(page).ok()?;
    let (before, rest) = page.split_once(META)?;
    let (_, rest) = rest.split_once("\">\n")?;
    let meta = format!(
        "{META}{}\">\n",
        super::http::POLICY.replace("; frame-ancestors 'none'", "")
    );
    let (body, rest) = rest.split_once(SCRIPT_TAG)?;
    let (script, end) = rest.rsplit_once(END)?;
    let draft = draft.map_or_else(String::new, from_draft);
    let more = format!("<script>\n\"use strict\";\n{SCRIPT}</script>\n");
    let parts = [
        before, &meta, body, &draft, SCRIPT_TAG, script, &more, END, end,
    ];
    Some(parts.concat().into_bytes())
}

/// Puts the draft where the page looks for earlier answers, unless this browser has some.
fn from_draft(draft: &str) -> String {
    // `<` stands in strings alone and would end the script element there.
    let draft = draft.replace('<', "\\u003c");
    format!(
        "<script type=\"application/json\" id=\"draft\">{draft}</script>\n<script>\n\"use strict\";\n\
         {{\n  const key = `deckproof.review.v1.${{JSON.parse(document.getElementById(\"packet-data\").textContent).packet}}`;\n\
         \x20 const draft = document.getElementById(\"draft\").textContent;\n\
         \x20 try {{ if (localStorage.getItem(key) === null) localStorage.setItem(key, draft); }} catch {{ /* The page says that nothing is kept. */ }}\n}}\n</script>\n"
    )
}

/// The media type of a packet's file.
pub(super) fn kind(extension: &str) -> &'static str {
    match extension {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "txt" | "md" | "csv" | "json" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
