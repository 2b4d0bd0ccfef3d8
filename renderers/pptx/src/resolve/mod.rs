// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the package's XML to the plain tree: every inheritance is settled here and nowhere else.

pub mod background;
pub mod chart_axis;
pub mod chart_ex;
pub mod chart_ex_data;
pub mod chart_series;
pub mod charts;
pub mod context;
pub mod effect;
pub mod embedded_fonts;
pub mod fill;
pub mod frames;
pub mod line;
pub mod numbering;
pub mod placeholder;
pub mod shape;
pub mod slide;
pub mod smartart;
pub mod table;
pub mod table_style;
pub mod text;
pub mod text_props;
pub mod theme;
