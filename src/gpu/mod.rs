//! OpenGL 4.5, thinly wrapped: a context with its messages, typed buffers, programs that shaderc has checked, timed passes.
//!
//! # Safety
//! Every `unsafe` block here calls OpenGL through [`glow`]. They are sound under three conditions that the wrappers keep:
//! the context was made current on this thread when [`Gl`] was made and stays so (one context a thread, and `Gl` is
//! neither `Send` nor `Sync`); names passed to GL are alive, since each wrapper owns its name and deletes it on drop; and
//! pointers handed over point into slices whose length is passed along.

pub mod buffer;
pub mod context;
pub mod headless;
pub mod layout;
pub mod program;
pub mod read_path;
pub mod reflect;
pub mod source;
pub mod timeline;

pub use buffer::{Buffer, BufferTexture};
pub use context::Gl;
pub use program::Program;
pub use read_path::{LOCAL_SIZE, ReadPath};
pub use source::{Shaders, Stage};
