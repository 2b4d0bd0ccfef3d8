//! Sealing, hashing, task trees, the evidence journal, review packets and their private mapping.
