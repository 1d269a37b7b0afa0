//! Meshes: the triangles of a grid, and files from other programs made fit to hang as cloth.
//!
//! `file → source → import`: a reader turns a file into a [`Source`] as it is, and [`import`] welds, drops, triangulates and
//! scales, and says what it did.

mod grid;
mod import;
mod obj;
mod pins;
mod ply;
mod source;
mod stl;
pub mod topology;
mod units;

pub use grid::grid_triangles;
pub use import::{DROPPED, Import, ImportOptions, Report, Weld, import};
pub use pins::PinRule;
pub use source::{Format, MeshError, Source, read, read_bytes};
pub use units::{Scale, Unit, UnitChoice};
