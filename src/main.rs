//! Opens a context and says what it is.

fn main() -> anyhow::Result<()> {
    env_logger::init();
    let gl = tartan::gpu::headless::open()?;
    println!("{} on {}", gl.driver.version, gl.driver.renderer);
    Ok(())
}
