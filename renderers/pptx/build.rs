// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes the renderer's own sources and the versions of the crates that put pixels down: part of its identity.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// Crates whose version may change a pixel.
const PIXELS: [&str; 14] = [
    "fontique",
    "harfrust",
    "icu_segmenter",
    "icu_segmenter_data",
    "image",
    "parley_engine",
    "png",
    "read-fonts",
    "resvg",
    "roxmltree",
    "skrifa",
    "tiny-skia",
    "usvg",
    "zune-jpeg",
];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for f in &files {
        println!("cargo::rerun-if-changed={}", f.display());
        let name = f
            .strip_prefix(&root)
            .unwrap_or(f)
            .to_string_lossy()
            .replace('\\', "/");
        let bytes = fs::read(f)?;
        hash.update(format!("{} {}\n", name, bytes.len()));
        hash.update(&bytes);
    }
    let lock = root.join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed={}", root.join("src").display());
    for (name, version) in versions(&fs::read_to_string(lock).unwrap_or_default()) {
        hash.update(format!("{name} {version}\n"));
    }
    let hex: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    println!("cargo::rustc-env=DECKPROOF_PPTX_SOURCES={hex}");
    Ok(())
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else {
            out.push(path);
        }
    }
    Ok(())
}

fn versions(lock: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    for block in lock.split("[[package]]") {
        let value = |key: &str| {
            block
                .lines()
                .find_map(|l| l.strip_prefix(key)?.strip_prefix(" = \""))
                .and_then(|v| v.strip_suffix('"'))
        };
        if let (Some(name), Some(version)) = (value("name"), value("version"))
            && PIXELS.contains(&name)
        {
            out.push((name, version));
        }
    }
    out.sort_unstable();
    out
}
