//! Tartan: a desktop laboratory for GPU cloth.
//!
//! Position-Based Dynamics runs wholly in `#version 450` compute shaders; the constraints are coloured, so that each batch
//! of one colour is solved in parallel without races, and every batch is drawn on the cloth in its colour.
//!
//! # The flow
//! `scene → constraints → coloring → workset → solver (GPU) → renderer / ui`
//!
//! | module | what it holds |
//! |---|---|
//! | [`scene`] | what hangs where; [`scene::Scene::build`] makes particles, triangles and constraints of it |
//! | [`mesh`] | triangles of a grid; meshes from files, repaired |
//! | [`constraint`] | one file a constraint type |
//! | [`coloring`] | a colour for each primitive, in sequence or on the GPU; validation; worksets, the constraints in solve order |
//! | [`color`], [`bench`], [`headless`] | `tartan color`, `bench` and `run` |
//! | [`export`] | the cloth as a mesh file |
//! | [`recoloring`] | a colouring under way beside the simulation |
//! | [`gpu`] | OpenGL: context, buffers, programs, timings |
//! | [`solver`] | the kernels and [`solver::Simulation`], the one path that is stepped |
//! | [`params`] | parameters as plain values |
//!
//! # Its two rules
//! 1. Each arrow up to the workset is one function from plain data to plain data. All of that is tested without OpenGL, but
//!    for the colouring that itself runs on the GPU, whose result is checked like any other's.
//! 2. The UI reads figures and edits plain parameters; the solver knows neither ui, render nor winit. The window and the
//!    headless run are thin shells around one [`solver::Simulation::step`] and one `Renderer::draw`.

pub mod app;
pub mod bench;
pub mod cli;
pub mod clock;
pub mod color;
pub mod coloring;
pub mod constraint;
pub mod export;
pub mod gpu;
pub mod headless;
pub mod mesh;
pub mod output;
pub mod params;
pub mod recoloring;
pub mod render;
pub mod report;
pub mod scene;
pub mod solver;
pub mod ui;
pub mod viewer;
pub mod watch;
