// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a package may cost its reader; one place, so that every refusal names a number found here.

/// Upper bounds on a package. The defaults are far above any deck of the corpora (382 entries, 3.8 MB
/// uncompressed there) and far below what would trouble a small machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the package file itself.
    pub file_bytes: u64,
    /// Entries of the archive, folders included.
    pub entries: usize,
    /// Uncompressed bytes of one part.
    pub part_bytes: u64,
    /// Uncompressed bytes of all parts together.
    pub total_bytes: u64,
    /// Uncompressed bytes for each compressed one, judged only for parts above [`Limits::ratio_floor_bytes`]:
    /// small blank pictures really do reach 667.
    pub ratio: u64,
    /// Parts of at most this many uncompressed bytes are exempt from [`Limits::ratio`].
    pub ratio_floor_bytes: u64,
    /// Bytes of one XML part after decoding to UTF-8.
    pub xml_bytes: u64,
    /// Elements, texts, comments and processing instructions of one XML part.
    pub xml_nodes: u32,
    /// Elements open at once, the root included. Users may walk the tree by recursion.
    pub xml_depth: usize,
    /// Attributes of one element, namespace declarations included.
    pub xml_attributes: usize,
    /// Namespace declarations in scope at once.
    pub xml_namespaces: usize,
    /// Slides that a presentation may list.
    pub slides: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            entries: 10_000,
            part_bytes: 128 << 20,
            total_bytes: 512 << 20,
            ratio: 200,
            ratio_floor_bytes: 8 << 20,
            xml_bytes: 32 << 20,
            xml_nodes: 2_000_000,
            xml_depth: 200,
            xml_attributes: 500,
            xml_namespaces: 300,
            slides: 2_000,
        }
    }
}
