//! Where a picture goes: a part of the window, or a framebuffer of its own.

use std::rc::Rc;

use glow::HasContext;
use image::RgbaImage;

use crate::gpu::Gl;

/// A rectangle of a framebuffer in pixels; the origin is its bottom left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

/// Where a picture goes.
pub struct Target {
    viewport: Viewport,
    /// `None`: the window.
    offscreen: Option<Offscreen>,
}

struct Offscreen {
    gl: Rc<Gl>,
    framebuffer: glow::Framebuffer,
    color: glow::Renderbuffer,
    depth: glow::Renderbuffer,
}

impl Target {
    /// A part of the window.
    pub fn window(viewport: Viewport) -> Self {
        Self { viewport, offscreen: None }
    }

    /// A picture in memory, 8 bits a channel.
    pub fn offscreen(gl: &Rc<Gl>, width: u32, height: u32) -> Self {
        let viewport = Viewport { x: 0, y: 0, width: width as i32, height: height as i32 };
        let offscreen = unsafe {
            let renderbuffer = |format| {
                let raw = gl.create_renderbuffer().expect("OpenGL 4.5 creates renderbuffers");
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(raw));
                gl.renderbuffer_storage(glow::RENDERBUFFER, format, viewport.width, viewport.height);
                raw
            };
            let (color, depth) = (renderbuffer(glow::RGBA8), renderbuffer(glow::DEPTH_COMPONENT24));
            let framebuffer = gl.create_framebuffer().expect("OpenGL 4.5 creates framebuffers");
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            for (place, buffer) in [(glow::COLOR_ATTACHMENT0, color), (glow::DEPTH_ATTACHMENT, depth)] {
                gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
            }
            gl.object_label(glow::FRAMEBUFFER, framebuffer.0.get(), Some("offscreen"));
            Offscreen { gl: gl.clone(), framebuffer, color, depth }
        };
        Self { viewport, offscreen: Some(offscreen) }
    }

    pub fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Makes it what is drawn to, and nothing outside of it.
    pub(super) fn bind(&self, gl: &Gl) {
        let Viewport { x, y, width, height } = self.viewport;
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, self.offscreen.as_ref().map(|offscreen| offscreen.framebuffer));
            gl.viewport(x, y, width, height);
            gl.scissor(x, y, width, height);
            gl.enable(glow::SCISSOR_TEST);
        }
    }

    /// The picture, top row first, opaque.
    pub fn read(&self, gl: &Gl) -> RgbaImage {
        let framebuffer = self.offscreen.as_ref().map(|offscreen| offscreen.framebuffer);
        read(gl, framebuffer, self.viewport)
    }
}

impl Drop for Offscreen {
    fn drop(&mut self) {
        unsafe {
            self.gl.delete_framebuffer(self.framebuffer);
            self.gl.delete_renderbuffer(self.color);
            self.gl.delete_renderbuffer(self.depth);
        }
    }
}

/// What the window shows once the frame that is being drawn is shown, top row first, opaque.
pub fn read_window(gl: &Gl, width: u32, height: u32) -> RgbaImage {
    read(gl, None, Viewport { x: 0, y: 0, width: width as i32, height: height as i32 })
}

fn read(gl: &Gl, framebuffer: Option<glow::Framebuffer>, viewport: Viewport) -> RgbaImage {
    let Viewport { x, y, width, height } = viewport;
    let mut bytes = vec![0; 4 * width as usize * height as usize];
    unsafe {
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, framebuffer);
        gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        let pixels = glow::PixelPackData::Slice(Some(&mut bytes));
        gl.read_pixels(x, y, width, height, glow::RGBA, glow::UNSIGNED_BYTE, pixels);
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, None);
    }
    bytes.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    let mut image = RgbaImage::from_raw(width as u32, height as u32, bytes).expect("four bytes a pixel");
    image::imageops::flip_vertical_in_place(&mut image);
    image
}
