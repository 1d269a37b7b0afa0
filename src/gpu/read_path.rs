//! How kernels read what differs between invocations, and how many of them make a workgroup.

use super::Gl;

/// Invocations in a workgroup. On Mesa's software driver 64 to 512 are equal within noise; real GPUs like 256 too.
pub const LOCAL_SIZE: u32 = 256;

/// How kernels read positions, constraints and incidence, see `glsl/common/fetch.glsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPath {
    /// As storage blocks.
    Storage,
    /// As buffer textures.
    Texture,
}

impl ReadPath {
    /// The faster one: textures on a software driver, storage blocks elsewhere.
    pub fn for_driver(gl: &Gl) -> Self {
        if gl.is_software() { Self::Texture } else { Self::Storage }
    }

    /// What the shaders are told.
    pub fn defines(self) -> [(&'static str, u32); 2] {
        [("LOCAL_SIZE", LOCAL_SIZE), ("FETCH_TEXTURE", u32::from(self == Self::Texture))]
    }
}
