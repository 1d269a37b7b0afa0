//! The constraints, as ribbons in the colour of their batch.

use std::rc::Rc;

use glow::HasContext;

use crate::coloring::Workset;
use crate::constraint::Group;
use crate::gpu::layout::{location, texture};
use crate::gpu::{Buffer, BufferTexture, Gl, Program};
use crate::params::{ConstraintColoring, ViewOptions};

use super::palette;

/// Locations of the uniforms of `constraint.vert`.
mod uniform {
    pub const MODE: u32 = 3;
    pub const COLOR: u32 = 4;
    pub const STRAIN: u32 = 5;
    pub const GROUPS: u32 = 8;
    pub const WIDTH: u32 = 13;
    pub const PROMINENT: u32 = 14;
}

/// Vertices of a constraint's quad.
const VERTICES: u32 = 6;

/// Tags of the constraints, in solve order.
pub struct Constraints {
    gl: Rc<Gl>,
    _tags: Buffer<u32>,
    tag_texture: BufferTexture,
    /// One a constraint, in solve order: red in the low byte, and in the high one the width.
    paint: Buffer<u32>,
    paint_texture: BufferTexture,
    painted: bool,
}

/// The look of a single constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    pub rgb: [u8; 3],
    /// Factor on the ribbon's width, up to 2.
    pub width: f32,
}

impl Constraints {
    pub fn new(gl: &Rc<Gl>, workset: &Workset) -> Self {
        let tags: Vec<u32> = workset
            .constraints
            .iter()
            .map(|constraint| constraint.group as u32 | u32::from(constraint.side) << 8)
            .collect();
        let tags = Buffer::new(gl, "tags", &tags);
        let paint = Buffer::zeroed(gl, "paint", tags.len());
        Self {
            gl: gl.clone(),
            tag_texture: BufferTexture::new(gl, "tags", glow::R32UI, &tags),
            paint_texture: BufferTexture::new(gl, "paint", glow::RGBA8, &paint),
            paint,
            painted: false,
            _tags: tags,
        }
    }

    /// Gives each constraint a look of its own, in solve order, or to all that of their batch.
    pub fn set_paint(&mut self, paint: Option<&[Paint]>) {
        if let Some(paint) = paint {
            let word =
                |&Paint { rgb: [r, g, b], width }: &Paint| u32::from_le_bytes([r, g, b, (width * 127.5).round() as u8]);
            self.paint.write(0, &paint.iter().map(word).collect::<Vec<_>>());
        }
        self.painted = paint.is_some();
    }

    /// One draw a batch, as the solver has one dispatch a batch.
    pub fn draw(&self, program: &Program, workset: &Workset, options: &ViewOptions) {
        program.bind();
        self.tag_texture.bind(texture::TAGS);
        self.paint_texture.bind(texture::PAINT);
        for (place, strain) in (uniform::STRAIN..).zip([-1.0, 0.0, 1.0]) {
            program.set_vec4(place, palette::rgba(palette::strain_color(strain)));
        }
        for (place, group) in (uniform::GROUPS..).zip(Group::ALL) {
            program.set_vec4(place, palette::rgba(palette::group_color(group)));
        }
        unsafe {
            self.gl.enable(glow::BLEND);
            // Ribbons cross at the same depth: the cloth hides what is behind it, and they do not hide one another.
            self.gl.depth_mask(false);
        }
        let shown = |batch: usize| options.isolated_batch.is_none_or(|isolated| isolated == batch);
        // What stands out is drawn last, over the rest.
        let faint_first = (0..workset.batches.len())
            .filter(|batch| !shown(*batch))
            .chain((0..workset.batches.len()).filter(|batch| shown(*batch)));
        for index in faint_first {
            let (mode, color, width) = if !shown(index) {
                (0, palette::faint(), 0.6)
            } else {
                match options.constraint_coloring {
                    ConstraintColoring::Batch if self.painted => (3, [1.0; 4], 1.0),
                    ConstraintColoring::Strain => (1, [1.0; 4], 1.0),
                    ConstraintColoring::Group => (2, [1.0; 4], 1.0),
                    ConstraintColoring::Batch | ConstraintColoring::Hidden => {
                        (0, palette::rgba(palette::color(index)), 1.0)
                    }
                }
            };
            let batch = workset.batches[index];
            program.set_u32(location::BATCH_OFFSET, batch.offset);
            program.set_i32(uniform::MODE, mode);
            program.set_vec4(uniform::COLOR, color);
            program.set_f32(uniform::WIDTH, width);
            program.set_i32(uniform::PROMINENT, i32::from(options.isolated_batch == Some(index)));
            unsafe { self.gl.draw_arrays(glow::TRIANGLES, 0, (VERTICES * batch.count) as i32) };
        }
        if let Some(constraint) = options.marked_constraint {
            program.set_u32(location::BATCH_OFFSET, constraint);
            program.set_i32(uniform::MODE, 0);
            program.set_vec4(uniform::COLOR, palette::rgba(palette::CURSOR));
            program.set_f32(uniform::WIDTH, 1.6);
            program.set_i32(uniform::PROMINENT, 1);
            unsafe { self.gl.draw_arrays(glow::TRIANGLES, 0, VERTICES as i32) };
        }
    }
}
