//! The solver: one step of Position-Based Dynamics as a list of kernels, run on the GPU.

mod kernels;
pub mod passes;
mod residual;
mod simulation;
mod state;

pub use crate::gpu::{LOCAL_SIZE, ReadPath};
pub use kernels::{KERNELS, Kernel, Kernels};
pub use passes::{Pass, substep_passes};
pub use residual::{Residual, RowResidual};
pub use simulation::{PassTime, Simulation, SimulationError};
pub use state::State;
