//! Arguments, and which of the program's parts they mean. The one place where an error is printed.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tartan::cli::{Cli, Command, UsageError, ViewArgs};
use tartan::{app, gpu, headless, scene};

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
        Some(Command::Scenes) => {
            for name in scene::NAMES {
                let scene = scene::builtin(name).map_err(anyhow::Error::msg)?;
                println!("{name:10} {}", scene.description);
            }
            Ok(())
        }
        Some(Command::Info) => info(),
    }
}

fn view(args: &ViewArgs) -> Result<()> {
    let scene = args.options.scene(args.scene.as_deref().unwrap_or(scene::NAMES[0])).map_err(UsageError)?;
    let shaders = headless::shaders(&args.options)?;
    match app::event_loop() {
        Ok(event_loop) => app::run(event_loop, scene, shaders),
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
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    println!("vendor                {}", gl.driver.vendor);
    println!("renderer              {}", gl.driver.renderer);
    println!("version               {}", gl.driver.version);
    println!("debug context         {}", if gl.debug { "yes" } else { "no" });
    println!("robust access         {}", if gl.robust { "yes" } else { "no" });
    println!("storage block         {:.0} MiB at most", mib(gl.limits.storage_block_bytes));
    println!("buffer texture        {} texels at most", gl.limits.buffer_texels);
    println!("workgroups            {} in a dispatch at most", gl.limits.workgroups);
    let path = match tartan::solver::ReadPath::for_driver(&gl) {
        tartan::solver::ReadPath::Texture => "buffer textures (faster on a software driver)",
        tartan::solver::ReadPath::Storage => "storage blocks",
    };
    println!("kernels read through  {path}");
    println!("workgroup             {} invocations", tartan::solver::LOCAL_SIZE);
    Ok(())
}

/// Prints help and versions as clap has them, and of an error its one sentence.
fn explain_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        print!("{error}");
        return ExitCode::SUCCESS;
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
