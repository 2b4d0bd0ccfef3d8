//! Review records, unblinding, gates and statistics.
