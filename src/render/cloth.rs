//! The surface of the cloth.

use std::rc::Rc;

use glam::Vec4;
use glow::HasContext;

use crate::gpu::layout::{draw_storage, texture};
use crate::gpu::{Buffer, BufferTexture, Gl, Program};
use crate::scene::Model;

use super::palette;

/// Triangles, and a normal at each particle.
pub struct Cloth {
    gl: Rc<Gl>,
    indices: Buffer<[u32; 3]>,
    normals: Buffer<Vec4>,
    normal_texture: BufferTexture,
    fan_offsets: Buffer<u32>,
    fans: Buffer<[u32; 2]>,
}

impl Cloth {
    pub fn new(gl: &Rc<Gl>, model: &Model) -> Self {
        let (fan_offsets, fans) = fans(model.positions.len(), &model.triangles);
        let normals = Buffer::zeroed(gl, "normals", model.positions.len());
        Self {
            gl: gl.clone(),
            indices: Buffer::new(gl, "triangles", &model.triangles),
            normal_texture: BufferTexture::new(gl, "normals", glow::RGBA32F, &normals),
            normals,
            fan_offsets: Buffer::new(gl, "fan_offsets", &fan_offsets),
            fans: Buffer::new(gl, "fans", &fans),
        }
    }

    /// Runs `normals.comp` over the positions that are bound as a texture.
    pub fn update_normals(&self, program: &Program) {
        if self.indices.is_empty() {
            return;
        }
        self.normals.bind_storage(draw_storage::NORMALS);
        self.fan_offsets.bind_storage(draw_storage::FAN_OFFSETS);
        self.fans.bind_storage(draw_storage::FANS);
        program.bind();
        program.set_u32(0, self.normals.len() as u32);
        program.dispatch(self.normals.len() as u32);
        // The cloth's vertex shader fetches them.
        unsafe { self.gl.memory_barrier(glow::TEXTURE_FETCH_BARRIER_BIT) };
    }

    /// Binds the normals as a texture, for drawing.
    pub(super) fn bind_normals(&self) {
        self.normal_texture.bind(texture::NORMALS);
    }

    /// The normals, as they are.
    pub fn read_normals(&self) -> Vec<Vec4> {
        self.normals.read()
    }

    pub(super) fn draw(&self, program: &Program) {
        if self.indices.is_empty() {
            return;
        }
        program.bind();
        program.set_vec4(0, palette::rgba(palette::CLOTH_FRONT));
        program.set_vec4(1, palette::rgba(palette::CLOTH_BACK));
        self.indices.bind_indices();
        unsafe {
            self.gl.disable(glow::BLEND);
            self.gl.depth_mask(true);
            self.gl.draw_elements(glow::TRIANGLES, 3 * self.indices.len() as i32, glow::UNSIGNED_INT, 0);
        }
    }
}

/// For each particle the triangles at it: where its run starts, and for each triangle the two other corners, in its order.
fn fans(particle_count: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut offsets = vec![0u32; particle_count + 1];
    for corner in triangles.iter().flatten() {
        offsets[*corner as usize + 1] += 1;
    }
    for particle in 0..particle_count {
        offsets[particle + 1] += offsets[particle];
    }
    let mut next = offsets.clone();
    let mut fans = vec![[0; 2]; 3 * triangles.len()];
    for &[a, b, c] in triangles {
        for (corner, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            fans[next[corner as usize] as usize] = others;
            next[corner as usize] += 1;
        }
    }
    (offsets, fans)
}
