// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who a deck thinks is looking. Pictures are drawn for a person at a desk; a second time they are
//! drawn for a program that makes no secret of itself. A deck that shows the two something else
//! shows reviewers something that people would not see.

use serde_json::{Value, json};

use crate::{CANVAS_HEIGHT, CANVAS_WIDTH};

/// Runs before anything of the page, in a function whose argument says who is looking.
const SCRIPT: &str = include_str!("js/viewer.js");

/// Who is looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Viewer {
    /// Somebody with a window on a larger screen, plug-ins and a mouse.
    Person,
    /// An automated browser, as tools that test pages start it.
    Program,
}

impl Viewer {
    /// The script for every new document, with the seed's first.
    pub(super) fn script(self, seed: &str) -> String {
        match self {
            Self::Person => format!("{seed}\n({SCRIPT})(true);"),
            Self::Program => format!("{seed}\n({SCRIPT})(false);"),
        }
    }

    /// The canvas, and the screen that it is on. A person presents in full screen, for frameworks
    /// lay slides out by the screen's size.
    pub(super) fn metrics(self) -> Value {
        let (width, height) = match self {
            Self::Person => (CANVAS_WIDTH, CANVAS_HEIGHT),
            Self::Program => (1920, 1080),
        };
        json!({
            "width": CANVAS_WIDTH, "height": CANVAS_HEIGHT, "deviceScaleFactor": 1.0, "mobile": false,
            "screenWidth": width, "screenHeight": height,
        })
    }

    /// What the browser says about itself; `product` is such as `HeadlessChrome/156.0.8078.108`.
    pub(super) fn agent(self, product: &str) -> Value {
        let prefix = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)";
        if self == Self::Program {
            return json!({
                "userAgent": format!("{prefix} {product} Safari/537.36"),
                "acceptLanguage": "en-US", "platform": "Linux x86_64",
            });
        }
        let product = product.replace("Headless", "");
        let version = product.rsplit('/').next().unwrap_or_default();
        let major = version.split('.').next().unwrap_or_default();
        let brands = |version: &str| {
            let brand = |name: &str, version: &str| json!({"brand": name, "version": version});
            json!([
                brand("Chromium", version),
                brand("Google Chrome", version),
                brand("Not/A)Brand", "24")
            ])
        };
        json!({
            "userAgent": format!("{prefix} {product} Safari/537.36"),
            "acceptLanguage": "en-US,en", "platform": "Linux x86_64",
            "userAgentMetadata": {
                "brands": brands(major), "fullVersionList": brands(version), "fullVersion": version,
                "platform": "Linux", "platformVersion": "6.12.0", "architecture": "x86", "model": "",
                "mobile": false, "bitness": "64", "wow64": false,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_told_from_a_program() {
        let product = "HeadlessChrome/156.0.8078.108";
        let text = |viewer: Viewer| viewer.agent(product)["userAgent"].to_string();
        assert!(!text(Viewer::Person).contains("Headless"));
        assert!(text(Viewer::Program).contains("HeadlessChrome/156"));
        assert_ne!(Viewer::Person.script("s"), Viewer::Program.script("s"));
        let brands = &Viewer::Person.agent(product)["userAgentMetadata"]["brands"];
        assert_eq!(brands[0]["version"], "156");
    }
}
