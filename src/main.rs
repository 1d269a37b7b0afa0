//! Arguments, and which of the program's parts they mean. The one place where an error is printed.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tartan::cli::{Cli, Command, UsageError, ViewArgs};
use tartan::output::print;
use tartan::solver::{LOCAL_SIZE, ReadPath};
use tartan::{app, bench, color, gpu, headless, scene};

fn main() -> ExitCode {
    use_software_driver_inline();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn,tartan=info")).init();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return explain_usage(&error),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tartan: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

fn run(cli: Cli) -> Result<()> {
    match cli.command {
        None => view(&cli.view),
        Some(Command::View(args)) => view(&args),
        Some(Command::Run(args)) => headless::run(&args),
        Some(Command::Color(args)) => color::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Scenes) => {
            for name in scene::NAMES {
                let scene = scene::builtin(name).map_err(anyhow::Error::msg)?;
                print(format_args!("{name:10} {}", scene.description))?;
            }
            Ok(())
        }
        Some(Command::Info) => info(),
    }
}

fn view(args: &ViewArgs) -> Result<()> {
    let scene = args.options.scene(args.scene.as_deref().unwrap_or(scene::NAMES[0])).map_err(UsageError)?;
    let mesh_options = args.options.cloth.mesh_options().map_err(UsageError)?;
    let shaders = headless::shaders(&args.options.cloth)?;
    match app::event_loop() {
        Ok(event_loop) => app::run(event_loop, scene, shaders, mesh_options),
        Err(reason) => {
            eprintln!(
                "tartan: no display ({reason}), so {} runs offscreen for {} frames; `tartan run --help` lists what that offers",
                scene.name, scene.frames
            );
            headless::run_instead_of_window(&scene, &shaders)
        }
    }
}

fn info() -> Result<()> {
    let gl = gpu::headless::open()?;
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let read_path = match ReadPath::for_driver(&gl) {
        ReadPath::Texture => "buffer textures (faster on a software driver)",
        ReadPath::Storage => "storage blocks",
    };
    let rows = [
        ("vendor", gl.driver.vendor.clone()),
        ("renderer", gl.driver.renderer.clone()),
        ("version", gl.driver.version.clone()),
        ("debug context", yes_no(gl.debug)),
        ("robust access", yes_no(gl.robust)),
        ("storage block", format!("{} MiB at most", gl.limits.storage_block_bytes >> 20)),
        ("buffer texture", format!("{} texels at most", gl.limits.buffer_texels)),
        ("workgroups", format!("{} in a dispatch at most", gl.limits.workgroups)),
        ("workgroup", format!("{LOCAL_SIZE} invocations")),
        ("kernels read through", read_path.to_owned()),
    ];
    for (name, value) in rows {
        print(format_args!("{name:21} {value}"))?;
    }
    Ok(())
}

/// Prints help and versions as clap has them, and of an error its one sentence.
fn explain_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return if error.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let text = error.to_string();
    let sentence: Vec<&str> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let tip = tip.map(|tip| format!("; {tip}")).unwrap_or_default();
    let sentence = sentence.join(" ");
    eprintln!("tartan: {}{tip}", sentence.strip_prefix("error: ").unwrap_or(&sentence));
    ExitCode::from(2)
}

/// Mesa's software driver hands each dispatch to threads that it wakes up, which takes longer (77 µs) than most batches;
/// with none it runs them in place (0.3 µs). Other drivers don't know the variable.
fn use_software_driver_inline() {
    if std::env::var_os("LP_NUM_THREADS").is_none() {
        // SAFETY: the first thing that the program does, before there is another thread.
        unsafe { std::env::set_var("LP_NUM_THREADS", "0") };
    }
}
