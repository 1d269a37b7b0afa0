//! Simulations to test.

use std::rc::Rc;

use tartan::coloring::{Workset, first_fit};
use tartan::gpu::{Gl, Shaders};
use tartan::params::{SimParams, SolverKind};
use tartan::scene::{Model, Scene, builtin};
use tartan::solver::{ReadPath, Simulation};

pub const READ_PATHS: [ReadPath; 2] = [ReadPath::Storage, ReadPath::Texture];

pub fn simulate(gl: &Rc<Gl>, read_path: ReadPath, model: Model, params: SimParams) -> Simulation {
    let workset = workset(&model);
    Simulation::new(gl, &Shaders::embedded(), read_path, model, workset, params).expect("the simulation starts")
}

pub fn scene(name: &str) -> Scene {
    builtin(name).expect("it is built in")
}

/// A scene on the read path that is the faster one here.
pub fn start(gl: &Rc<Gl>, scene: &Scene, solver: SolverKind) -> Simulation {
    simulate(gl, ReadPath::for_driver(gl), scene.build(), SimParams { solver, ..scene.params })
}

/// The constraints of a model, coloured by first-fit.
pub fn workset(model: &Model) -> Workset {
    let incidence = model.incidence();
    Workset::new(&model.constraints, &incidence, &first_fit(&incidence)).expect("first-fit is valid")
}
