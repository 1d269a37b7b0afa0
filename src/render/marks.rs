//! Marks on particles: pins, and the particle under the cursor.

use std::rc::Rc;

use glow::HasContext;

use crate::gpu::layout::texture;
use crate::gpu::{Buffer, BufferTexture, Gl, Program};
use crate::params::ViewOptions;
use crate::solver::Simulation;

use super::palette;

/// More pins than this are drawn smaller: they stand side by side.
const MANY_PINS: usize = 16;

/// The list that `mark.vert` draws: a particle and what it is marked as (0 a pin, 1 under the cursor).
pub struct Marks {
    gl: Rc<Gl>,
    list: Buffer<[u32; 2]>,
    list_texture: BufferTexture,
}

impl Marks {
    pub fn new(gl: &Rc<Gl>) -> Self {
        let (list, list_texture) = allocate(gl, 64);
        Self { gl: gl.clone(), list, list_texture }
    }

    pub fn draw(&mut self, program: &Program, sim: &Simulation, options: &ViewOptions) {
        let pins = sim.pins().keys().filter(|_| options.show_pins).map(|particle| [*particle, 0]);
        let marks: Vec<[u32; 2]> = pins.chain(options.marked_particle.map(|particle| [particle, 1])).collect();
        if marks.is_empty() {
            return;
        }
        if marks.len() > self.list.len() {
            (self.list, self.list_texture) = allocate(&self.gl, marks.len().next_power_of_two());
        }
        self.list.write(0, &marks);
        self.list_texture.bind(texture::MARKS);
        program.bind();
        program.set_vec4(0, palette::rgba(palette::PIN));
        program.set_vec4(1, palette::rgba(palette::PIN_EDGE));
        program.set_vec4(2, palette::rgba(palette::CURSOR));
        program.set_f32(3, if sim.pins().len() > MANY_PINS { 3.5 } else { 6.0 });
        unsafe {
            self.gl.enable(glow::BLEND);
            self.gl.depth_mask(false);
            self.gl.draw_arrays(glow::TRIANGLES, 0, 6 * marks.len() as i32);
        }
    }
}

fn allocate(gl: &Rc<Gl>, capacity: usize) -> (Buffer<[u32; 2]>, BufferTexture) {
    let list = Buffer::zeroed(gl, "marks", capacity);
    let texture = BufferTexture::new(gl, "marks", glow::RG32UI, &list);
    (list, texture)
}
