//! Constraint types: one file each, with its data and how it is built.

pub mod distance;

pub use distance::{DistanceConstraint, Group};
