//! `tartan color`: primitives coloured without a window, and how good the colouring is.

mod check;
mod export;
mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::cli::{ColorArgs, UsageError};
use crate::coloring::gpu::{self as gpu_coloring, GpuColoring, point_order};
use crate::coloring::{
    Algorithm, Colored, ColoringOptions, Elements, GridShape, Incidence, Worksets, color_on_cpu, validate,
};
use crate::gpu::{self, Shaders};
use crate::headless::{report_import, shaders};
use crate::output::{OutputFile, print};
use crate::scene::Model;

pub use check::{ColoringFile, check};
pub use report::ColorReport;

/// Where the results go; every place was tried.
struct Outputs {
    json: Option<OutputFile>,
    json_to_stdout: bool,
    out: Option<(OutputFile, export::Shape)>,
    conflict_graph: Option<(OutputFile, export::Graph)>,
    coloring: Option<OutputFile>,
}

/// What an algorithm made of an incidence.
struct Outcome {
    colored: Colored,
    worksets: Worksets,
    finished: bool,
    time_ms: f64,
}

/// `tartan color`.
pub fn run(args: &ColorArgs) -> Result<()> {
    let options = options(args).map_err(UsageError)?;
    let elements: Elements = args.elements.parse().map_err(UsageError)?;
    let scene = args.scene.as_deref().map(|name| args.cloth.scene(name)).transpose().map_err(UsageError)?;
    if let Some(path) = &args.check {
        let model = scene.as_ref().map(|scene| elements.of(&scene.build()));
        return check::run(path, model.as_deref());
    }
    let scene = scene.expect("clap asks for a scene where there is no --check");
    let shaders = shaders(&args.cloth)?;
    let outputs = Outputs::new(args).map_err(UsageError)?;
    report_import(&scene);
    let model = scene.build();
    let primitives = elements.of(&model);
    if primitives.is_empty() {
        return Err(UsageError(format!("{} has no {elements} to colour: choose other --elements", scene.name)).into());
    }
    let pinned = |particle: u32| args.skip_pinned && model.positions[particle as usize].w == 0.0;
    let incidence = Incidence::without(model.positions.len(), &primitives, pinned);
    let graph =
        outputs.conflict_graph.as_ref().map(|(_, graph)| graph.text(&incidence)).transpose().map_err(UsageError)?;

    let grid = scene.grid().filter(|_| elements == Elements::Edges);
    let result = color(&shaders, &incidence, &options, grid)?;
    let report = ColorReport::new(&scene.name, elements, &options, &incidence, &result.colored, result.finished)
        .with_worksets(&result.worksets, result.time_ms);
    write(&outputs, &report, &model, &primitives, &result.colored, graph)?;
    if !result.finished {
        let left = result.colored.coloring.colors.iter().filter(|color| **color == crate::coloring::UNCOLORED).count();
        return Err(anyhow!(
            "not finished: {left} of {} {elements} have no colour after {} rounds; more --max-rounds may do",
            primitives.len(),
            options.max_rounds
        ));
    }
    validate(&incidence, &result.colored.coloring)?;
    Ok(())
}

fn options(args: &ColorArgs) -> Result<ColoringOptions, String> {
    Ok(ColoringOptions {
        algorithm: args.algorithm.parse()?,
        priority: args.priority.parse()?,
        choice: args.choice.parse()?,
        max_valence: args.max_valence,
        recolor: !args.no_recolor,
        balance: args.balance,
        seed: args.seed,
        max_rounds: args.max_rounds,
    })
}

/// Colours and sorts, and takes the time of that alone: the context, the shaders and the driver's compiling come before.
fn color(
    shaders: &Shaders,
    incidence: &Incidence,
    options: &ColoringOptions,
    grid: Option<GridShape>,
) -> Result<Outcome> {
    if options.algorithm != Algorithm::GebremedhinManne {
        let start = Instant::now();
        let colored = color_on_cpu(incidence, options, grid).map_err(|error| UsageError(error.to_string()))?;
        let worksets = Worksets::sorted(&colored.coloring, &point_order(incidence));
        return Ok(Outcome { colored, worksets, finished: true, time_ms: start.elapsed().as_secs_f64() * 1e3 });
    }
    let gl = gpu::headless::open()?;
    let kernels = gpu_coloring::kernels(&gl, shaders)?;
    gpu_coloring::warm_up(&gl, &kernels)?;
    let start = Instant::now();
    let mut run = GpuColoring::new(&gl, &kernels, incidence.clone(), *options)?;
    run.run_to_end();
    let finished = run.left() == 0;
    let worksets = if finished { run.worksets(&point_order(incidence)) } else { Worksets::default() };
    let time_ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(Outcome { colored: run.colored(), worksets, finished, time_ms })
}

impl Outputs {
    fn new(args: &ColorArgs) -> Result<Self, String> {
        let file = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::new).transpose();
        let json_to_stdout = args.json.as_deref() == Some(Path::new("-"));
        let out = args.out.as_deref().map(|path| Ok::<_, String>((export::Shape::of(path)?, path))).transpose()?;
        let graph =
            args.conflict_graph.as_deref().map(|path| Ok::<_, String>((export::Graph::of(path)?, path))).transpose()?;
        Ok(Self {
            json: if json_to_stdout { None } else { file(&args.json)? },
            json_to_stdout,
            out: out.map(|(shape, path)| OutputFile::new(path).map(|file| (file, shape))).transpose()?,
            conflict_graph: graph.map(|(graph, path)| OutputFile::new(path).map(|file| (file, graph))).transpose()?,
            coloring: file(&args.coloring)?,
        })
    }
}

fn write(
    outputs: &Outputs,
    report: &ColorReport,
    model: &Model,
    primitives: &[Vec<u32>],
    colored: &Colored,
    graph: Option<String>,
) -> Result<()> {
    let put = |file: &OutputFile, text: &str| file.write(text.as_bytes()).map_err(anyhow::Error::msg);
    let json = serde_json::to_string_pretty(report)?;
    if let Some(file) = &outputs.json {
        put(file, &json)?;
    }
    if let Some((file, shape)) = &outputs.out {
        put(file, &shape.text(model, report.elements, primitives, &colored.coloring))?;
    }
    if let (Some((file, _)), Some(text)) = (&outputs.conflict_graph, graph) {
        put(file, &text)?;
    }
    if let Some(file) = &outputs.coloring {
        put(file, &serde_json::to_string(&ColoringFile::new(report.elements.into(), primitives, &colored.coloring))?)?;
    }
    if outputs.json_to_stdout { print(json) } else { print(report) }?;
    Ok(())
}
