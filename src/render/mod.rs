//! The picture: ground, cloth, constraints and marks, drawn into the window or offscreen by the same calls.

mod camera;
mod cloth;
mod constraints;
mod ground;
mod marks;
pub mod palette;
mod target;

use std::rc::Rc;

use glam::Vec2;
use glow::HasContext;

use crate::coloring::Workset;
use crate::gpu::layout::{View, uniform};
use crate::gpu::source::ShaderError;
use crate::gpu::{Buffer, Gl, Program, Shaders};
use crate::params::{ConstraintColoring, ViewOptions};
use crate::solver::{ReadPath, Simulation};

pub use camera::Camera;
pub use cloth::Cloth;
pub use constraints::Paint;
pub use target::{Target, Viewport, read_window};

/// The drawing programs.
struct Programs {
    ground: Program,
    normals: Program,
    cloth: Program,
    constraint: Program,
    mark: Program,
}

/// Draws a simulation.
pub struct Renderer {
    gl: Rc<Gl>,
    programs: Programs,
    /// Core profiles draw with a vertex array only; this one is empty, since every shader pulls what it needs.
    vertex_array: glow::VertexArray,
    view: Buffer<View>,
    cloth: Cloth,
    constraints: constraints::Constraints,
    marks: marks::Marks,
}

impl Renderer {
    /// Uploads what the drawing of `sim` needs beside its state.
    pub fn new(gl: &Rc<Gl>, shaders: &Shaders, sim: &Simulation) -> Result<Self, ShaderError> {
        let programs = Programs::new(gl, shaders)?;
        let vertex_array = unsafe { gl.create_vertex_array().expect("OpenGL 4.5 creates vertex arrays") };
        Ok(Self {
            gl: gl.clone(),
            programs,
            vertex_array,
            view: Buffer::zeroed(gl, "view", 1),
            cloth: Cloth::new(gl, sim.model()),
            constraints: constraints::Constraints::new(gl, sim.workset()),
            marks: marks::Marks::new(gl),
        })
    }

    /// Compiles all drawing programs anew. On an error those that draw stay.
    pub fn reload(&mut self, shaders: &Shaders) -> Result<(), ShaderError> {
        self.programs = Programs::new(&self.gl, shaders)?;
        Ok(())
    }

    /// Takes over another workset of the simulation that it was made for.
    pub fn set_workset(&mut self, workset: &Workset) {
        self.constraints = constraints::Constraints::new(&self.gl, workset);
    }

    /// Gives each constraint a look of its own, in solve order, where the view would colour by batch; `None`: by batch.
    pub fn set_paint(&mut self, paint: Option<&[Paint]>) {
        self.constraints.set_paint(paint);
    }

    /// Draws the state as it is. Every piece of GL state that a pass needs is set here or in the pass: the panels leave their own.
    pub fn draw(&mut self, sim: &Simulation, camera: &Camera, options: &ViewOptions, target: &Target) {
        let viewport = target.viewport();
        let size = Vec2::new(viewport.width as f32, viewport.height as f32);
        self.view.write(
            0,
            &[View {
                view_projection: camera.view_projection(size).to_cols_array_2d(),
                eye: camera.eye().to_array(),
                pixels_per_point: options.pixels_per_point,
                viewport: size.max(Vec2::ONE).to_array(),
                ribbon_width: options.ribbon_width,
                strain_range: options.strain_range,
            }],
        );
        self.view.bind_uniform(uniform::VIEW);
        sim.state().bind_textures();
        self.cloth.bind_normals();
        let gl = &self.gl;
        let programs = &self.programs;
        let show_constraints = options.constraint_coloring != ConstraintColoring::Hidden;
        if options.show_cloth || show_constraints {
            group(gl, "normals", || self.cloth.update_normals(&programs.normals));
        }
        unsafe {
            target.bind(gl);
            gl.bind_vertex_array(Some(self.vertex_array));
            gl.color_mask(true, true, true, true);
            gl.depth_mask(true);
            gl.disable(glow::CULL_FACE);
            gl.disable(glow::STENCIL_TEST);
            gl.disable(glow::FRAMEBUFFER_SRGB);
            gl.enable(glow::DEPTH_TEST);
            gl.depth_func(glow::LEQUAL);
            gl.blend_equation(glow::FUNC_ADD);
            gl.blend_func_separate(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA, glow::ONE, glow::ONE_MINUS_SRC_ALPHA);
            let [r, g, b, a] = palette::rgba(palette::BACKGROUND);
            gl.clear_color(r, g, b, a);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
        if options.show_cloth {
            group(gl, "cloth", || self.cloth.draw(&programs.cloth));
        }
        if options.show_ground {
            group(gl, "ground", || ground::draw(gl, &programs.ground, camera));
        }
        if show_constraints {
            group(gl, "constraint", || self.constraints.draw(&programs.constraint, sim.workset(), options));
        }
        group(gl, "mark", || self.marks.draw(&programs.mark, sim, options));
        unsafe {
            gl.depth_mask(true);
            gl.bind_vertex_array(None);
        }
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        unsafe { self.gl.delete_vertex_array(self.vertex_array) };
    }
}

impl Programs {
    fn new(gl: &Rc<Gl>, shaders: &Shaders) -> Result<Self, ShaderError> {
        // Through textures: OpenGL 4.5 allows a driver to have no storage blocks in vertex shaders.
        let defines = ReadPath::Texture.defines();
        let program = |paths: &[&str]| Program::new(gl, shaders, paths, &defines);
        Ok(Self {
            ground: program(&["draw/ground.vert", "draw/ground.frag"])?,
            normals: program(&["draw/normals.comp"])?,
            cloth: program(&["draw/cloth.vert", "draw/cloth.frag"])?,
            constraint: program(&["draw/constraint.vert", "draw/constraint.frag"])?,
            mark: program(&["draw/mark.vert", "draw/mark.frag"])?,
        })
    }
}

/// Runs `pass` as a debug group.
fn group(gl: &Gl, name: &str, pass: impl FnOnce()) {
    unsafe { gl.push_debug_group(glow::DEBUG_SOURCE_APPLICATION, 0, name) };
    pass();
    unsafe { gl.pop_debug_group() };
}
