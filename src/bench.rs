//! `tartan bench`: how fast this machine is, as ratios within one run.

use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::{BenchArgs, UsageError};
use crate::coloring::gpu::{self as gpu_coloring, ColorKernels, GpuColoring, point_order};
use crate::coloring::{Algorithm, ColoringOptions, GridShape, Incidence, Worksets, color_on_cpu};
use crate::constraint::distance::{Springs, grid};
use crate::gpu::{self, Gl, Shaders};
use crate::output::{OutputFile, print};

/// Runs of each row after a warm-up, interleaved so that what else the machine does hits all alike.
const RUNS: usize = 5;

/// A row that took longer than this in its warm-up runs once more, and not five times, ms.
const SLOW_MS: f64 = 2_000.0;

#[derive(Clone, Debug, Serialize)]
struct Report {
    machine: String,
    renderer: String,
    resolution: u32,
    primitives: usize,
    lower_bound: u32,
    coloring: Vec<Row>,
}

/// From incidence to worksets.
#[derive(Clone, Debug, Serialize)]
struct Row {
    name: String,
    ms_median: f64,
    ms_min: f64,
    ms_max: f64,
    /// The colouring alone, without sorting into worksets.
    ms_coloring: f64,
    runs: usize,
    colors: u32,
    rounds: u32,
    /// The largest batch over the smallest.
    balance: f64,
}

/// What a row runs.
struct Case {
    name: String,
    options: ColoringOptions,
    times: Vec<f64>,
    coloring_times: Vec<f64>,
    colors: u32,
    rounds: u32,
    balance: f64,
}

/// `tartan bench`.
pub fn run(args: &BenchArgs) -> Result<()> {
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    let file = |path: &Option<std::path::PathBuf>| path.as_deref().map(OutputFile::new).transpose();
    let json = if to_stdout { None } else { file(&args.json).map_err(UsageError)? };
    let csv = file(&args.csv).map_err(UsageError)?;
    let gl = gpu::headless::open()?;
    let report = coloring(&gl, args.resolution)?;
    let text = serde_json::to_string_pretty(&report)?;
    if let Some(file) = json {
        file.write(text.as_bytes()).map_err(anyhow::Error::msg)?;
    }
    if let Some(file) = csv {
        file.write(report.csv().as_bytes()).map_err(anyhow::Error::msg)?;
    }
    print(if to_stdout { text } else { report.table() })?;
    Ok(())
}

/// Colours the structural and shear springs of a grid by each algorithm.
fn coloring(gl: &Rc<Gl>, resolution: u32) -> Result<Report> {
    let springs = Springs { structural: true, shear: true, skip: false };
    let shape = GridShape { columns: resolution, rows: resolution, springs };
    let edges = grid(resolution, resolution, 1.0, springs, 1.0);
    let incidence = Incidence::new((resolution * resolution) as usize, edges.iter().map(|edge| edge.particles));
    let kernels = gpu_coloring::kernels(gl, &Shaders::embedded())?;
    gpu_coloring::warm_up(gl, &kernels)?;

    let mut cases: Vec<Case> = Vec::new();
    for algorithm in Algorithm::ALL {
        let on_gpu = algorithm == Algorithm::GebremedhinManne;
        for balance in if on_gpu { vec![false, true] } else { vec![false] } {
            let suffix = if balance { " --balance" } else { "" };
            cases.push(Case {
                name: format!("{algorithm}{suffix}"),
                options: ColoringOptions { algorithm, balance, ..ColoringOptions::default() },
                times: Vec::new(),
                coloring_times: Vec::new(),
                colors: 0,
                rounds: 0,
                balance: 0.0,
            });
        }
    }
    let progress = ProgressBar::new(((RUNS + 1) * cases.len()) as u64).with_style(
        ProgressStyle::with_template("{bar:40.cyan/blue} {pos}/{len} runs, {msg}").expect("the template is valid"),
    );
    for run in 0..=RUNS {
        for case in &mut cases {
            progress.set_message(case.name.clone());
            let slow = case.times.first().is_some_and(|&ms| ms > SLOW_MS);
            if run < 2 || !slow {
                case.run(gl, &kernels, &incidence, shape)?;
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(Report {
        machine: machine(),
        renderer: gl.driver.renderer.clone(),
        resolution,
        primitives: incidence.primitive_count(),
        lower_bound: incidence.lower_bound(),
        coloring: cases.into_iter().map(Case::row).collect(),
    })
}

impl Case {
    /// From incidence to worksets, once.
    fn run(&mut self, gl: &Rc<Gl>, kernels: &Rc<ColorKernels>, incidence: &Incidence, shape: GridShape) -> Result<()> {
        // A run keeps the incidence that it is given; copying it is not part of colouring.
        let own = incidence.clone();
        let start = Instant::now();
        let (colored, worksets) = if self.options.algorithm == Algorithm::GebremedhinManne {
            let mut run = GpuColoring::new(gl, kernels, own, self.options)?;
            run.run_to_end();
            self.coloring_times.push(start.elapsed().as_secs_f64() * 1e3);
            let worksets = run.worksets(&point_order(incidence));
            (run.colored(), worksets)
        } else {
            let colored = color_on_cpu(incidence, &self.options, Some(shape))?;
            self.coloring_times.push(start.elapsed().as_secs_f64() * 1e3);
            let worksets = Worksets::sorted(&colored.coloring, &point_order(incidence));
            (colored, worksets)
        };
        self.times.push(start.elapsed().as_secs_f64() * 1e3);
        let length = worksets.length.iter().copied();
        self.balance = f64::from(length.clone().max().unwrap_or(0)) / f64::from(length.min().unwrap_or(0).max(1));
        (self.colors, self.rounds) = (colored.coloring.color_count, colored.rounds);
        Ok(())
    }

    /// Without the warm-up.
    fn row(self) -> Row {
        let sorted = |times: &[f64]| {
            let mut times = times[1..].to_vec();
            times.sort_by(f64::total_cmp);
            times
        };
        let (times, coloring_times) = (sorted(&self.times), sorted(&self.coloring_times));
        Row {
            name: self.name,
            ms_median: times[times.len() / 2],
            ms_min: times[0],
            ms_max: times[times.len() - 1],
            ms_coloring: coloring_times[coloring_times.len() / 2],
            runs: times.len(),
            colors: self.colors,
            rounds: self.rounds,
            balance: self.balance,
        }
    }
}

impl Report {
    fn table(&self) -> String {
        let Self { machine, renderer, resolution, primitives, lower_bound, coloring } = self;
        let mut text = format!(
            "{machine}; {renderer}\n{resolution} × {resolution} grid, structural and shear: {primitives} edges, at least \
             {lower_bound} colours; from incidence to worksets\n{:28} {:>9} {:>9} {:>9} {:>9} {:>5} {:>7} {:>7} {:>8}\n",
            "", "median ms", "min", "max", "colouring", "runs", "colours", "rounds", "balance"
        );
        for row in coloring {
            let _ = writeln!(
                text,
                "{:28} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>5} {:>7} {:>7} {:>8.3}",
                row.name,
                row.ms_median,
                row.ms_min,
                row.ms_max,
                row.ms_coloring,
                row.runs,
                row.colors,
                row.rounds,
                row.balance
            );
        }
        text.pop();
        text
    }

    fn csv(&self) -> String {
        let mut text = String::from("name,ms_median,ms_min,ms_max,ms_coloring,runs,colors,rounds,balance\n");
        for row in &self.coloring {
            let Row { name, ms_median, ms_min, ms_max, ms_coloring, runs, colors, rounds, balance } = row;
            let _ =
                writeln!(text, "{name},{ms_median},{ms_min},{ms_max},{ms_coloring},{runs},{colors},{rounds},{balance}");
        }
        text
    }
}

/// The processor's name where the system tells it, and the system's.
fn machine() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores, {}", model.unwrap_or_else(|| std::env::consts::ARCH.into()), std::env::consts::OS)
}
