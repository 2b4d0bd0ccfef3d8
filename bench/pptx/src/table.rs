// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is printed.
#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

/// A line.
pub fn line(text: &str) {
    println!("{text}");
}

/// A figure with its unit and what it should be.
pub fn figure(name: &str, value: f64, unit: &str, goal: &str) {
    let goal = if goal.is_empty() {
        String::new()
    } else {
        format!("   (goal: {goal})")
    };
    println!("{name:<52} {value:>9.3} {unit:<2}{goal}");
}
