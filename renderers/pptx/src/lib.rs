//! The native PPTX renderer.
