// SPDX-License-Identifier: MIT OR Apache-2.0
//! A chart with every property settled.

use std::collections::BTreeMap;

use crate::color::Color;
use crate::geometry::Rect;
use crate::text::model::{RunStyle, TextBody};
use crate::tree::{Fill, Line};

/// A chart.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// Fill of the chart area.
    pub fill: Fill,
    /// Border of the chart area.
    pub border: Option<Line>,
    /// Title.
    pub title: Option<Title>,
    /// Legend.
    pub legend: Option<Legend>,
    /// Fill of the plot area.
    pub plot_fill: Fill,
    /// Border of the plot area.
    pub plot_border: Option<Line>,
    /// Where the plot area is, as fractions of the chart, and whether that is without the axis labels.
    pub plot_layout: Option<(Rect, bool)>,
    /// Groups of series of one kind.
    pub groups: Vec<SeriesGroup>,
    /// Axes.
    pub axes: Vec<Axis>,
    /// Text that nothing else styles.
    pub text: RunStyle,
    /// Whether gaps in lines are bridged, drawn as zero, or left.
    pub gaps: Gaps,
    /// Extra room around the plot in points; half as much on the right.
    pub plot_room: f64,
    /// The data table below the plot.
    pub data_table: Option<DataTable>,
    /// A treemap or sunburst in the place of a plot.
    pub hierarchy: Option<Hierarchy>,
    /// Boxes with whiskers over the categories of the first group.
    pub boxes: Vec<BoxSeries>,
}

/// A tree of sizes.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    /// Rings instead of nested rectangles.
    pub sunburst: bool,
    /// The branches of the trunk.
    pub branches: Vec<Branch>,
    /// Text on the pieces.
    pub text: RunStyle,
}

/// A branch of a hierarchy.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// Name.
    pub name: String,
    /// Sum of what is in it.
    pub size: f64,
    /// Colour, the same for a whole branch of the trunk.
    pub color: Color,
    /// Branches on it.
    pub branches: Vec<Branch>,
}

/// The boxes of one series.
#[derive(Debug, Clone)]
pub struct BoxSeries {
    /// Colour of the boxes.
    pub color: Color,
    /// One box a category.
    pub boxes: Vec<Option<Spread>>,
}

/// How values spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Ends of the whiskers.
    pub whiskers: (f64, f64),
    /// First quartile, median, third quartile.
    pub quartiles: [f64; 3],
    /// Mean.
    pub mean: f64,
    /// Values beyond the whiskers.
    pub outliers: Vec<f64>,
}

/// The data table below a plot.
#[derive(Debug, Clone)]
pub struct DataTable {
    /// Lines between rows.
    pub rows: bool,
    /// Lines between columns.
    pub columns: bool,
    /// A line around it.
    pub outline: bool,
    /// Keys before the names of the series.
    pub keys: bool,
    /// Text.
    pub text: RunStyle,
    /// How its lines look.
    pub line: Option<Line>,
}

/// How missing values are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gaps {
    /// Left out.
    #[default]
    Gap,
    /// As zero.
    Zero,
    /// Bridged.
    Span,
}

/// A title of the chart or of an axis.
#[derive(Debug, Clone)]
pub struct Title {
    /// Its text.
    pub text: TextBody,
    /// Whether it lies over the plot.
    pub overlay: bool,
    /// Its corner as fractions of the chart.
    pub at: Option<(f64, f64)>,
    /// Rotation in degrees.
    pub rot: f64,
    /// Fill behind it.
    pub fill: Fill,
    /// Room above it in points, besides that of the chart's edge.
    pub above: f64,
}

/// Sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    #[default]
    Right,
    /// Top.
    Top,
    /// Bottom.
    Bottom,
    /// Top right corner.
    TopRight,
}

/// The legend.
#[derive(Debug, Clone, Default)]
pub struct Legend {
    /// Side.
    pub side: Side,
    /// Whether it lies over the plot.
    pub overlay: bool,
    /// Where, as fractions of the chart; zero sizes are automatic.
    pub layout: Option<Rect>,
    /// Text.
    pub text: RunStyle,
    /// Entries that are left out.
    pub hidden: Vec<usize>,
    /// Fill.
    pub fill: Fill,
    /// Border.
    pub border: Option<Line>,
}

/// Kinds of series groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Bars and columns.
    Bar {
        /// Bars lie.
        horizontal: bool,
        /// Gap between categories as a fraction of a bar.
        gap: f64,
        /// Overlap of the bars of one category, from -1 to 1.
        overlap: f64,
    },
    /// Lines over categories.
    Line,
    /// Areas over categories.
    Area,
    /// Pie; the angle of the first slice in degrees.
    Pie(f64),
    /// Doughnut; angle of the first slice, hole as a fraction.
    Doughnut(f64, f64),
    /// Points with x and y.
    Scatter,
    /// Bubbles; scale of their size.
    Bubble(f64),
    /// Radar; whether it is filled.
    Radar(bool),
}

/// How series of a group are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Each for itself.
    #[default]
    Plain,
    /// On top of each other.
    Stacked,
    /// On top of each other, as shares of the whole.
    Percent,
}

/// Series of one kind that share axes.
#[derive(Debug, Clone)]
pub struct SeriesGroup {
    /// Kind.
    pub kind: Kind,
    /// Grouping.
    pub grouping: Grouping,
    /// Series.
    pub series: Vec<Series>,
    /// Indices of the category (or x) axis and the value (or y) axis in the chart's list.
    pub axes: [Option<usize>; 2],
    /// Whether points take different colours.
    pub vary: bool,
    /// Whether high and low are joined.
    pub high_low: Option<Line>,
    /// Drop lines.
    pub drop: Option<Line>,
    /// Up and down bars: fills.
    pub up_down: Option<(Fill, Fill)>,
}

/// A series.
#[derive(Debug, Clone)]
pub struct Series {
    /// Number by which automatic colours go.
    pub index: usize,
    /// Name.
    pub name: String,
    /// Categories.
    pub categories: Vec<String>,
    /// Outer levels of the categories, from the inside out.
    pub levels: Vec<super::levels::Level>,
    /// Values.
    pub values: Vec<Option<f64>>,
    /// X values of scatter and bubble charts.
    pub xs: Vec<Option<f64>>,
    /// Bubble sizes.
    pub sizes: Vec<Option<f64>>,
    /// Fill of bars, areas, slices.
    pub fill: Fill,
    /// Line.
    pub line: Option<Line>,
    /// Marker.
    pub marker: Option<Marker>,
    /// Points with a look of their own.
    pub points: BTreeMap<usize, Point>,
    /// Data labels.
    pub labels: Option<Labels>,
    /// Whether the line is smoothed.
    pub smooth: bool,
    /// Number format of the values in the data.
    pub format: String,
    /// Explosion of slices as a fraction of the radius.
    pub explosion: f64,
    /// Trend lines.
    pub trends: Vec<Trend>,
    /// Error bars.
    pub errors: Vec<ErrorBars>,
    /// Fill of negative bars is turned to white.
    pub invert: bool,
}

/// A point with a look of its own.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// Fill.
    pub fill: Option<Fill>,
    /// Line: unset, none or a line.
    pub line: Option<Option<Line>>,
    /// Marker.
    pub marker: Option<Marker>,
    /// Explosion.
    pub explosion: Option<f64>,
}

/// A marker.
#[derive(Debug, Clone)]
pub struct Marker {
    /// ST_MarkerStyle.
    pub symbol: String,
    /// Size in points.
    pub size: f64,
    /// Fill.
    pub fill: Fill,
    /// Line.
    pub line: Option<Line>,
}

/// Data labels.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// Values.
    pub value: bool,
    /// Category names.
    pub category: bool,
    /// Series name.
    pub series: bool,
    /// Percentages.
    pub percent: bool,
    /// Separator.
    pub separator: Option<String>,
    /// Position (`ctr`, `inEnd`, `outEnd`, `bestFit`, `t`, …).
    pub position: Option<String>,
    /// Text.
    pub text: RunStyle,
    /// Number format.
    pub format: Option<String>,
    /// Fill behind the label.
    pub fill: Fill,
    /// Border around the label.
    pub border: Option<Line>,
    /// Labels of single points.
    pub points: BTreeMap<usize, PointLabel>,
}

/// The label of a single point.
#[derive(Debug, Clone)]
pub enum PointLabel {
    /// Left out.
    Deleted,
    /// With settings of its own.
    Own(Box<Labels>),
    /// With a text of its own.
    Text(String, Box<RunStyle>),
}

/// A trend line.
#[derive(Debug, Clone)]
pub struct Trend {
    /// `linear`, `exp`, `log`, `poly`, `power`, `movingAvg`.
    pub kind: String,
    /// Order of a polynomial, period of an average.
    pub order: usize,
    /// Forward and backward extension.
    pub extend: (f64, f64),
    /// Its line.
    pub line: Option<Line>,
}

/// Error bars.
#[derive(Debug, Clone)]
pub struct ErrorBars {
    /// Along x.
    pub along_x: bool,
    /// `fixedVal`, `percentage`, `stdDev`, `stdErr`, `cust`.
    pub kind: String,
    /// Value.
    pub value: f64,
    /// Custom values, plus and minus.
    pub custom: (Vec<Option<f64>>, Vec<Option<f64>>),
    /// Whether plus and minus are drawn.
    pub both: (bool, bool),
    /// Whether ends have caps.
    pub cap: bool,
    /// Line.
    pub line: Option<Line>,
}

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Id in the file.
    pub id: String,
    /// Id of the axis it crosses.
    pub cross_id: String,
    /// Whether it counts categories.
    pub category: bool,
    /// Whether categories are dates.
    pub date: bool,
    /// Side.
    pub side: Side,
    /// Not drawn.
    pub deleted: bool,
    /// Least value.
    pub min: Option<f64>,
    /// Greatest value.
    pub max: Option<f64>,
    /// Distance of major marks.
    pub major: Option<f64>,
    /// From high to low.
    pub reversed: bool,
    /// Base of a logarithmic scale.
    pub log: Option<f64>,
    /// Where it crosses the other axis.
    pub crosses: Crosses,
    /// Whether values sit on the marks instead of between them.
    pub on_marks: bool,
    /// Labels: `nextTo`, `low`, `high`, `none`.
    pub label_place: String,
    /// Number format; `None` takes the data's.
    pub format: Option<String>,
    /// Major grid lines.
    pub grid: Option<Line>,
    /// Minor grid lines.
    pub minor_grid: Option<Line>,
    /// The axis line.
    pub line: Option<Line>,
    /// Major tick marks: `out`, `in`, `cross`, `none`.
    pub ticks: String,
    /// Text.
    pub text: RunStyle,
    /// Rotation of labels in degrees.
    pub rot: Option<f64>,
    /// Every n-th label.
    pub skip: Option<usize>,
    /// Title.
    pub title: Option<Title>,
    /// Divisor and name of display units.
    pub units: Option<(f64, String)>,
}

/// Where an axis crosses.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Crosses {
    /// At zero, or the end nearest to it.
    #[default]
    Zero,
    /// At the least value.
    Min,
    /// At the greatest value.
    Max,
    /// At a value.
    At(f64),
}
