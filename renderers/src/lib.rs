//! Turns decks into exact 1280x720 PNGs and into facts that checks can ask.
