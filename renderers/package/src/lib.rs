//! Opens PPTX packages within limits and follows their relationships.
