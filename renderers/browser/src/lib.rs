//! Drives headless Chromium over a pipe.
