// SPDX-License-Identifier: MIT OR Apache-2.0
//! Embeds the demo's files into the program: `demo` and `init` need nothing but the binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders of `demo/` that the program writes out or reads. The scripts that made them stay out.
const EMBEDDED: [&str; 3] = ["suite", "reviews", "outcomes"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(
        env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| missing("CARGO_MANIFEST_DIR"))?,
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| missing("OUT_DIR"))?);
    let demo = root.join("demo");
    let mut files = Vec::new();
    for folder in EMBEDDED {
        println!("cargo::rerun-if-changed=demo/{folder}");
        walk(&demo.join(folder), &mut files)?;
    }
    files.sort();
    let mut code = String::from("pub(crate) static FILES: &[(&str, &[u8])] = &[\n");
    for path in files {
        let name = path.strip_prefix(&demo).map_err(io::Error::other)?;
        let name = name.display().to_string();
        // The compiler finds the folder, so that a copy of the repository never names the first one's.
        let from_root = format!("/demo/{name}");
        let _ = writeln!(
            code,
            "    ({name:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {from_root:?}))),"
        );
    }
    code.push_str("];\n");
    fs::write(out.join("embedded.rs"), code)
}

fn missing(name: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("cargo did not set {name}"))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
