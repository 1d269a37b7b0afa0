//! The ground: a grid in the plane y = 0.

use glow::HasContext;

use crate::gpu::{Gl, Program};

use super::{Camera, palette};

/// How far the grid reaches, in distances of the eye from what it looks at.
const REACH: f32 = 2.5;

pub fn draw(gl: &Gl, program: &Program, camera: &Camera) {
    program.bind();
    program.set_vec4(0, camera.target.extend(camera.distance * REACH).to_array());
    program.set_vec4(1, palette::rgba(palette::GROUND));
    unsafe {
        gl.enable(glow::BLEND);
        gl.depth_mask(false);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    }
}
