//! Linked programs. A kernel is dispatched by the number of invocations it needs.

use std::rc::Rc;

use glow::HasContext;

use super::source::{Compiled, ShaderError};
use super::{Buffer, Gl, Shaders, Stage, layout};

/// A linked program with its label.
pub struct Program {
    gl: Rc<Gl>,
    raw: glow::Program,
    local_size: u32,
}

impl Program {
    /// Compiles and links the shaders at `paths`: one compute shader, or a vertex and a fragment shader.
    pub fn new(gl: &Rc<Gl>, shaders: &Shaders, paths: &[&str], defines: &[(&str, u32)]) -> Result<Self, ShaderError> {
        let compiled = paths.iter().map(|path| shaders.compile(path, defines)).collect::<Result<Vec<_>, _>>()?;
        for (path, stage) in paths.iter().zip(&compiled) {
            stage
                .reflection
                .check(layout::SHARED)
                .map_err(|reason| ShaderError::Layout { path: (*path).into(), reason })?;
        }
        let raw = link(gl, paths, &compiled)?;
        Ok(Self { gl: gl.clone(), raw, local_size: compiled[0].reflection.local_size })
    }

    pub fn bind(&self) {
        unsafe { self.gl.use_program(Some(self.raw)) };
    }

    /// Runs the bound kernel over `invocations` elements. The caller orders it against what follows.
    pub fn dispatch(&self, invocations: u32) {
        if invocations > 0 {
            unsafe { self.gl.dispatch_compute(invocations.div_ceil(self.local_size), 1, 1) };
        }
    }

    /// Runs the bound kernel over as many workgroups as `arguments` says at element `index`, which a kernel may have written.
    pub fn dispatch_indirect<T: bytemuck::Pod>(&self, arguments: &Buffer<T>, index: u32) {
        arguments.bind_indirect();
        unsafe { self.gl.dispatch_compute_indirect((index as usize * size_of::<T>()) as i32) };
    }

    /// Invocations in one workgroup.
    pub fn local_size(&self) -> u32 {
        self.local_size
    }

    /// Sets a `uint` of the bound program.
    pub fn set_u32(&self, location: u32, value: u32) {
        unsafe { self.gl.uniform_1_u32(Some(&glow::NativeUniformLocation(location)), value) };
    }

    /// Sets an `int` of the bound program.
    pub fn set_i32(&self, location: u32, value: i32) {
        unsafe { self.gl.uniform_1_i32(Some(&glow::NativeUniformLocation(location)), value) };
    }

    /// Sets a `float` of the bound program.
    pub fn set_f32(&self, location: u32, value: f32) {
        unsafe { self.gl.uniform_1_f32(Some(&glow::NativeUniformLocation(location)), value) };
    }

    /// Sets a `vec4` of the bound program.
    pub fn set_vec4(&self, location: u32, value: [f32; 4]) {
        unsafe { self.gl.uniform_4_f32_slice(Some(&glow::NativeUniformLocation(location)), &value) };
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        unsafe { self.gl.delete_program(self.raw) };
    }
}

fn link(gl: &Rc<Gl>, paths: &[&str], compiled: &[Compiled]) -> Result<glow::Program, ShaderError> {
    unsafe {
        let program = gl.create_program().expect("OpenGL 4.5 creates program names");
        let outcome = attach_and_link(gl, program, paths, compiled);
        if outcome.is_err() {
            gl.delete_program(program);
        }
        outcome.map(|()| program)
    }
}

unsafe fn attach_and_link(
    gl: &Gl,
    program: glow::Program,
    paths: &[&str],
    compiled: &[Compiled],
) -> Result<(), ShaderError> {
    unsafe {
        for (path, stage) in paths.iter().zip(compiled) {
            let kind = match Stage::of(path) {
                Some(Stage::Vertex) => glow::VERTEX_SHADER,
                Some(Stage::Fragment) => glow::FRAGMENT_SHADER,
                _ => glow::COMPUTE_SHADER,
            };
            let shader = gl.create_shader(kind).expect("OpenGL 4.5 creates shader names");
            gl.shader_source(shader, &stage.text);
            gl.compile_shader(shader);
            let taken = gl.get_shader_compile_status(shader);
            let log = gl.get_shader_info_log(shader);
            gl.attach_shader(program, shader);
            // Lives on until the program goes.
            gl.delete_shader(shader);
            if !taken {
                return Err(ShaderError::Link { path: (*path).into(), log: log.trim().into() });
            }
        }
        gl.link_program(program);
        if !gl.get_program_link_status(program) {
            let log = gl.get_program_info_log(program);
            return Err(ShaderError::Link { path: paths.join(" + "), log: log.trim().into() });
        }
        gl.object_label(glow::PROGRAM, program.0.get(), Some(stem(paths[0])));
        Ok(())
    }
}

/// `solve/predict.comp` to `predict`: the name of a kernel's label, timing row, twin and test.
pub fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split('.').next().unwrap_or(file)
}
