//! Worksets: constraints reordered so that each batch can be solved in parallel.
//!
//! Input is the constraints and their [`Coloring`]; output is the order to upload and one [`Batch`] a colour. Within a batch
//! constraints stand by group, then by their lower particle: a kernel then walks memory forwards, and each [`Row`], the part
//! of a batch that belongs to one group, is a run of its own that the residual is taken over.

use crate::constraint::{DistanceConstraint, Group};

use super::{Coloring, Incidence, Invalid, validate};

/// A run of constraints of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    pub offset: u32,
    pub count: u32,
}

/// The part of a batch that belongs to one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub color: u32,
    pub group: Group,
    pub offset: u32,
    pub count: u32,
}

/// The constraints in solve order, with their batches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workset {
    /// Constraints in solve order.
    pub constraints: Vec<DistanceConstraint>,
    /// `order[i]` is the place of `constraints[i]` before the reordering.
    pub order: Vec<u32>,
    /// One a colour, in solve order.
    pub batches: Vec<Batch>,
    /// The batches cut by group, in the same order.
    pub rows: Vec<Row>,
    /// The most constraints at one particle, below which no colouring goes.
    pub lower_bound: u32,
    /// Constraints at each particle.
    pub valences: Vec<u32>,
}

impl Workset {
    /// Reorders `constraints` by colour. `incidence` is theirs; a colouring that is unfinished or has a conflict is refused.
    pub fn new(
        constraints: &[DistanceConstraint],
        incidence: &Incidence,
        coloring: &Coloring,
    ) -> Result<Self, Invalid> {
        validate(incidence, coloring)?;
        let mut order: Vec<u32> = (0..constraints.len() as u32).collect();
        order.sort_by_key(|&index| {
            let constraint = &constraints[index as usize];
            let [a, b] = constraint.particles;
            (coloring.colors[index as usize], constraint.group, a.min(b), a.max(b))
        });
        let mut batches = vec![Batch { offset: 0, count: 0 }; coloring.color_count as usize];
        let mut rows: Vec<Row> = Vec::new();
        for (place, &index) in (0u32..).zip(&order) {
            let (color, group) = (coloring.colors[index as usize], constraints[index as usize].group);
            batches[color as usize].count += 1;
            match rows.last_mut() {
                Some(row) if (row.color, row.group) == (color, group) => row.count += 1,
                _ => rows.push(Row { color, group, offset: place, count: 1 }),
            }
        }
        let mut offset = 0;
        for batch in &mut batches {
            batch.offset = offset;
            offset += batch.count;
        }
        let constraints = order.iter().map(|&index| constraints[index as usize]).collect();
        Ok(Self {
            constraints,
            order,
            batches,
            rows,
            lower_bound: incidence.lower_bound(),
            valences: incidence.valences().collect(),
        })
    }
}
