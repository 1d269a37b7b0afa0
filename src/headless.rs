//! `tartan run`: a scene without a window, with figures and pictures.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::{ClothArgs, RunArgs, UsageError, picture_size};
use crate::coloring::gpu::GpuColoring;
use crate::coloring::{
    self, Algorithm, Colored, ColoredStats, ColoringOptions, GridShape, Incidence, Workset, Worksets, color_on_cpu,
    solve_order,
};
use crate::export::Export;
use crate::gpu::source::{self, ShaderError};
use crate::gpu::{self, Gl, Shaders, Stage, layout};
use crate::output::{OutputFile, png, print};
use crate::params::ViewOptions;
use crate::render::{Camera, Renderer, Target};
use crate::report::Report;
use crate::scene::{Cloth, Scene};
use crate::solver::{ReadPath, Residual, Simulation, SimulationError};

/// Where the results of a run go; every place was tried.
#[derive(Default)]
struct Outputs {
    json: Option<OutputFile>,
    json_to_stdout: bool,
    csv: Option<OutputFile>,
    screenshot: Option<OutputFile>,
    export: Option<Export>,
    record: Option<PathBuf>,
}

/// `tartan run`.
pub fn run(args: &RunArgs) -> Result<()> {
    let scene = args.options.scene(&args.scene).map_err(UsageError)?;
    let size = picture_size(&args.size).map_err(UsageError)?;
    let shaders = shaders(&args.options.cloth)?;
    let outputs = Outputs::new(args).map_err(UsageError)?;
    report_import(&scene);
    let frames = args.frames.unwrap_or(scene.frames);
    let report = simulate(&scene, &shaders, frames, size, &outputs)?;
    if outputs.json_to_stdout {
        print(serde_json::to_string_pretty(&report)?)?;
    } else {
        print(report)?;
    }
    Ok(())
}

/// Says what was found in a mesh file and done with it.
pub fn report_import(scene: &Scene) {
    if let Cloth::Mesh(mesh) = &scene.cloth {
        let (pieces, loose) = mesh.pieces();
        let falling =
            if loose > 0 { format!("; {loose} of {pieces} pieces hang by no pin and fall") } else { String::new() };
        eprintln!("{}\n  {} particles pinned{falling}", mesh.import.report, mesh.pin_count());
    }
}

/// What `tartan` does where it cannot open a window: the scene offscreen, its summary and a picture in this folder.
pub fn run_instead_of_window(scene: &Scene, shaders: &Shaders) -> Result<()> {
    let path = Path::new("tartan.png");
    let outputs = Outputs { screenshot: Some(OutputFile::new(path).map_err(UsageError)?), ..Outputs::default() };
    let report = simulate(scene, shaders, scene.frames, [1280, 800], &outputs)?;
    print(format_args!("{report}\npicture: {}", path.display()))?;
    Ok(())
}

/// The shaders that the options ask for. Those of a folder are all there and all compile.
pub fn shaders(options: &ClothArgs) -> Result<Shaders> {
    let Some(folder) = &options.shader_dir else { return Ok(Shaders::embedded()) };
    let shaders = Shaders::in_folder(folder).map_err(|error| UsageError(error.to_string()))?;
    for path in source::files().iter().filter(|path| Stage::of(path).is_some()) {
        let checked = shaders.compile(path, &ReadPath::Texture.defines()).and_then(|compiled| {
            let layout = compiled.reflection.check(layout::SHARED);
            layout.map_err(|reason| ShaderError::Layout { path: path.clone(), reason })
        });
        checked.map_err(|error| {
            let text = error.to_string();
            let more = text.lines().count() - 1;
            let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            UsageError(format!("{}/{}{more}", folder.display(), text.lines().next().unwrap_or_default()))
        })?;
    }
    Ok(shaders)
}

/// A coloured simulation of a scene, and how the colouring came about.
pub fn simulation(gl: &Rc<Gl>, shaders: &Shaders, scene: &Scene) -> Result<(Simulation, ColoredStats)> {
    let model = scene.build();
    let incidence = model.incidence();
    let order = solve_order(&model.constraints);
    let (colored, worksets, time) = color(gl, shaders, &incidence, scene.grid(), &scene.coloring, &order)?;
    let stats = ColoredStats { algorithm: scene.coloring.algorithm, rounds: colored.rounds, time };
    let workset = Workset::sorted(&model.constraints, &incidence, &colored.coloring, worksets);
    let workset = workset.map_err(SimulationError::from)?;
    Ok((Simulation::new(gl, shaders, ReadPath::for_driver(gl), model, workset, scene.params)?, stats))
}

/// Colours and sorts from `order`, on the GPU or the CPU, as the algorithm says. What an algorithm cannot colour is an error of
/// usage; what is not finished has no worksets. The time is that of colouring and sorting.
fn color(
    gl: &Rc<Gl>,
    shaders: &Shaders,
    incidence: &Incidence,
    grid: Option<GridShape>,
    options: &ColoringOptions,
    order: &[u32],
) -> Result<(Colored, Worksets, Duration)> {
    if options.algorithm != Algorithm::GebremedhinManne {
        let start = Instant::now();
        let colored = color_on_cpu(incidence, options, grid).map_err(|error| UsageError(error.to_string()))?;
        let worksets = Worksets::sorted(&colored.coloring, order);
        return Ok((colored, worksets, start.elapsed()));
    }
    let kernels = coloring::gpu::kernels(gl, shaders)?;
    let start = Instant::now();
    let mut run = GpuColoring::new(gl, &kernels, incidence.clone(), *options)?;
    run.run_to_end();
    let worksets = if run.left() == 0 { run.worksets(order) } else { Worksets::default() };
    Ok((run.colored(), worksets, start.elapsed()))
}

impl Outputs {
    fn new(args: &RunArgs) -> Result<Self, String> {
        let file = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::new).transpose();
        let json_to_stdout = args.json.as_deref() == Some(Path::new("-"));
        let outputs = Self {
            json: if json_to_stdout { None } else { file(&args.json)? },
            json_to_stdout,
            csv: file(&args.csv)?,
            screenshot: file(&args.screenshot)?,
            export: args.export.as_deref().map(Export::new).transpose()?,
            record: args.record.clone(),
        };
        if let Some(export) = &outputs.export {
            OutputFile::new(&export.path(1))?;
        }
        // Last, since it makes a folder.
        if let Some(folder) = &args.record {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot write into {}: {}", folder.display(), error.kind()))?;
            OutputFile::new(&folder.join("frame.png"))?;
        }
        Ok(outputs)
    }
}

fn simulate(
    scene: &Scene,
    shaders: &Shaders,
    frames: u32,
    [width, height]: [u32; 2],
    outputs: &Outputs,
) -> Result<Report> {
    let gl = gpu::headless::open()?;
    let (mut sim, colored) = simulation(&gl, shaders, scene)?;
    let mut picture = if outputs.screenshot.is_some() || outputs.record.is_some() {
        Some((Renderer::new(&gl, shaders, &sim)?, Target::offscreen(&gl, width, height)))
    } else {
        None
    };
    let camera = Camera::new(scene.camera);
    let mut draw = |sim: &Simulation| {
        let (renderer, target) = picture.as_mut().expect("made where a picture is wanted");
        renderer.draw(sim, &camera, &ViewOptions::default(), target);
        png(&target.read(&gl))
    };

    let start = Instant::now();
    let mut steps = Vec::with_capacity(frames as usize);
    let mut table = String::from("frame,time_s,residual_mean,residual_rms,residual_max,step_ms\n");
    let progress = ProgressBar::new(u64::from(frames)).with_style(progress_style());
    for frame in 1..=frames {
        let before = Instant::now();
        sim.step();
        sim.finish();
        let step = before.elapsed();
        steps.push(step);
        if outputs.csv.is_some() {
            let residual = Residual::merge(sim.residuals().iter().map(|row| &row.residual));
            let time = frame as f32 * sim.params.dt;
            let ms = step.as_secs_f64() * 1e3;
            table += &format!("{frame},{time},{},{},{},{ms:.3}\n", residual.mean, residual.rms, residual.max);
        }
        if let Some(folder) = &outputs.record {
            let file = OutputFile::new(&folder.join(format!("frame-{frame:05}.png")));
            file.and_then(|file| file.write(&draw(&sim))).map_err(anyhow::Error::msg)?;
        }
        if let Some(export) = outputs.export.as_ref().filter(|export| export.is_sequence()) {
            write_export(export, &sim, frame)?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let total = start.elapsed();

    if let Some(file) = &outputs.screenshot {
        file.write(&draw(&sim)).map_err(anyhow::Error::msg)?;
    }
    if let Some(export) = outputs.export.as_ref().filter(|export| !export.is_sequence()) {
        write_export(export, &sim, frames)?;
    }
    if let Some(file) = &outputs.csv {
        file.write(table.as_bytes()).map_err(anyhow::Error::msg)?;
    }
    let report = Report::new(&gl, &scene.name, &colored, &mut sim, &steps, total);
    if let Some(file) = &outputs.json {
        file.write(serde_json::to_string_pretty(&report)?.as_bytes()).map_err(anyhow::Error::msg)?;
    }
    Ok(report)
}

fn write_export(export: &Export, sim: &Simulation, frame: u32) -> Result<()> {
    let file = OutputFile::new(&export.path(frame)).map_err(anyhow::Error::msg)?;
    file.write(export.text(sim.model(), &sim.read_positions()).as_bytes()).map_err(anyhow::Error::msg)
}

fn progress_style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40.cyan/blue} {pos}/{len} frames, {eta} left").expect("the template is valid")
}
