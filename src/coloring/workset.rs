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

/// Primitives in solve order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worksets {
    /// Primitives by colour, and within a colour in the order that was given.
    pub order: Vec<u32>,
    pub begin: Vec<u32>,
    pub length: Vec<u32>,
}

impl Worksets {
    /// The same in sequence, for colourings from the CPU; each primitive has a colour.
    pub fn sorted(coloring: &Coloring, base_order: &[u32]) -> Self {
        let length = coloring.sizes();
        let begin: Vec<u32> = length
            .iter()
            .scan(0, |next, length| {
                let begin = *next;
                *next += length;
                Some(begin)
            })
            .collect();
        let (mut next, mut order) = (begin.clone(), vec![0; base_order.len()]);
        for &primitive in base_order {
            let place = &mut next[coloring.colors[primitive as usize] as usize];
            order[*place as usize] = primitive;
            *place += 1;
        }
        Self { order, begin, length }
    }
}

/// The constraints by group, then by their lower particle: the order within a batch.
pub fn solve_order(constraints: &[DistanceConstraint]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..constraints.len() as u32).collect();
    order.sort_by_key(|&index| {
        let constraint = &constraints[index as usize];
        let [a, b] = constraint.particles;
        (constraint.group, a.min(b), a.max(b))
    });
    order
}

impl Workset {
    /// Reorders `constraints` by colour. `incidence` is theirs; a colouring that is unfinished or has a conflict is refused.
    pub fn new(
        constraints: &[DistanceConstraint],
        incidence: &Incidence,
        coloring: &Coloring,
    ) -> Result<Self, Invalid> {
        validate(incidence, coloring)?;
        Self::sorted(constraints, incidence, coloring, Worksets::sorted(coloring, &solve_order(constraints)))
    }

    /// Takes over constraints that are sorted already, from [`solve_order`], as the GPU does it.
    ///
    /// # Panics
    /// When they are not sorted by the colouring.
    pub fn sorted(
        constraints: &[DistanceConstraint],
        incidence: &Incidence,
        coloring: &Coloring,
        worksets: Worksets,
    ) -> Result<Self, Invalid> {
        validate(incidence, coloring)?;
        let Worksets { order, begin, length } = worksets;
        assert_eq!(order.len(), constraints.len(), "each constraint once");
        let batches: Vec<Batch> =
            begin.into_iter().zip(length).map(|(offset, count)| Batch { offset, count }).collect();
        let mut rows: Vec<Row> = Vec::new();
        for (color, batch) in (0u32..).zip(&batches) {
            for place in batch.offset..batch.offset + batch.count {
                let index = order[place as usize] as usize;
                assert_eq!(coloring.colors[index], color, "constraint {index} stands in the batch of its colour");
                let group = constraints[index].group;
                match rows.last_mut() {
                    Some(row) if (row.color, row.group) == (color, group) => row.count += 1,
                    _ => rows.push(Row { color, group, offset: place, count: 1 }),
                }
            }
        }
        let valences = incidence.valences().collect();
        let constraints = order.iter().map(|&index| constraints[index as usize]).collect();
        Ok(Self { constraints, order, batches, rows, lower_bound: incidence.lower_bound(), valences })
    }
}
