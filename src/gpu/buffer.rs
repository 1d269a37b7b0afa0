//! Storage buffers with a type, a length and a label, and buffer textures over their memory.

use std::marker::PhantomData;
use std::rc::Rc;

use bytemuck::Pod;
use glow::HasContext;

use super::Gl;

/// A buffer of `len` elements of `T`, read and written by kernels.
pub struct Buffer<T> {
    gl: Rc<Gl>,
    raw: glow::Buffer,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// A buffer that holds `data`. An empty one still has memory for one element: GL binds no buffer of size 0.
    pub fn new(gl: &Rc<Gl>, label: &str, data: &[T]) -> Self {
        let padding = [T::zeroed()];
        let bytes: &[u8] = bytemuck::cast_slice(if data.is_empty() { &padding } else { data });
        let raw = unsafe {
            let raw = gl.create_named_buffer().expect("OpenGL 4.5 creates buffer names");
            gl.named_buffer_data_u8_slice(raw, bytes, glow::DYNAMIC_COPY);
            gl.object_label(glow::BUFFER, raw.0.get(), Some(label));
            raw
        };
        Self { gl: gl.clone(), raw, len: data.len(), element: PhantomData }
    }

    /// A buffer of `len` zeroed elements.
    pub fn zeroed(gl: &Rc<Gl>, label: &str, len: usize) -> Self {
        Self::new(gl, label, &vec![T::zeroed(); len])
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Overwrites the elements from `first` on.
    pub fn write(&self, first: usize, data: &[T]) {
        assert!(first + data.len() <= self.len, "a write of {} elements at {first} into {}", data.len(), self.len);
        let offset = (first * size_of::<T>()) as i32;
        unsafe { self.gl.named_buffer_sub_data_u8_slice(self.raw, offset, bytemuck::cast_slice(data)) };
    }

    /// All elements, read back once the GPU has written them.
    pub fn read(&self) -> Vec<T> {
        self.read_range(0, self.len)
    }

    /// `count` elements from `first` on, read back once the GPU has written them.
    pub fn read_range(&self, first: usize, count: usize) -> Vec<T> {
        assert!(first + count <= self.len, "a read of {count} elements at {first} from {}", self.len);
        let mut data = vec![T::zeroed(); count];
        unsafe {
            // What a kernel wrote is seen by a readback only after this barrier.
            self.gl.memory_barrier(glow::BUFFER_UPDATE_BARRIER_BIT);
            self.gl.bind_buffer(glow::COPY_READ_BUFFER, Some(self.raw));
            self.gl.get_buffer_sub_data(
                glow::COPY_READ_BUFFER,
                (first * size_of::<T>()) as i32,
                bytemuck::cast_slice_mut(&mut data),
            );
            self.gl.bind_buffer(glow::COPY_READ_BUFFER, None);
        }
        data
    }

    /// Binds it as the storage block at `binding`.
    pub fn bind_storage(&self, binding: u32) {
        unsafe { self.gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, binding, Some(self.raw)) };
    }

    /// Binds it as the uniform block at `binding`.
    pub fn bind_uniform(&self, binding: u32) {
        unsafe { self.gl.bind_buffer_base(glow::UNIFORM_BUFFER, binding, Some(self.raw)) };
    }

    /// Binds it as the source of a dispatch's arguments.
    pub fn bind_indirect(&self) {
        unsafe { self.gl.bind_buffer(glow::DISPATCH_INDIRECT_BUFFER, Some(self.raw)) };
    }

    /// Overwrites all elements with those of `from`, on the GPU.
    pub fn copy_from(&self, from: &Self) {
        assert_eq!(self.len, from.len, "buffers of one length");
        let bytes = (self.len * size_of::<T>()) as i32;
        unsafe {
            self.gl.memory_barrier(glow::BUFFER_UPDATE_BARRIER_BIT);
            self.gl.bind_buffer(glow::COPY_READ_BUFFER, Some(from.raw));
            self.gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(self.raw));
            self.gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::COPY_WRITE_BUFFER, 0, 0, bytes);
            self.gl.bind_buffer(glow::COPY_READ_BUFFER, None);
            self.gl.bind_buffer(glow::COPY_WRITE_BUFFER, None);
        }
    }

    /// Binds it as the source of indices of the bound vertex array.
    pub fn bind_indices(&self) {
        unsafe { self.gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(self.raw)) };
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        unsafe { self.gl.delete_buffer(self.raw) };
    }
}

/// The last of the units that OpenGL 4.5 promises each stage.
const SCRATCH_UNIT: u32 = 15;

/// A buffer seen as a one-dimensional texture, for reads by `texelFetch`.
///
/// Same memory, other path: on Mesa's software driver a fetch is five times faster than a load from a storage block.
pub struct BufferTexture {
    gl: Rc<Gl>,
    raw: glow::Texture,
}

impl BufferTexture {
    /// A view of `buffer` in which each element is one texel of `format` (`RGBA32F`, `RGBA32UI`, `R32UI`).
    pub fn new<T>(gl: &Rc<Gl>, label: &str, format: u32, buffer: &Buffer<T>) -> Self {
        let raw = unsafe {
            let raw = gl.create_named_texture(glow::TEXTURE_BUFFER).expect("OpenGL 4.5 creates texture names");
            // glow has no glTextureBuffer: a unit that no shader reads is bound for the call, so that no other is unbound.
            gl.active_texture(glow::TEXTURE0 + SCRATCH_UNIT);
            gl.bind_texture(glow::TEXTURE_BUFFER, Some(raw));
            gl.tex_buffer(glow::TEXTURE_BUFFER, format, Some(buffer.raw));
            gl.bind_texture(glow::TEXTURE_BUFFER, None);
            gl.active_texture(glow::TEXTURE0);
            gl.object_label(glow::TEXTURE, raw.0.get(), Some(label));
            raw
        };
        Self { gl: gl.clone(), raw }
    }

    /// Binds it to texture unit `unit`.
    pub fn bind(&self, unit: u32) {
        unsafe { self.gl.bind_texture_unit(unit, Some(self.raw)) };
    }
}

impl Drop for BufferTexture {
    fn drop(&mut self) {
        unsafe { self.gl.delete_texture(self.raw) };
    }
}
