//! What the tests share: a headless context, seeded inputs, comparisons.

// Each test binary uses its own part.
#![allow(dead_code)]

pub mod shader_folder;
pub mod start;
pub mod world;

use std::ops::Deref;
use std::rc::Rc;

use glam::Vec4;
use glow::HasContext;
use tartan::gpu::{Gl, headless};

/// A context of its own for each test. A test fails where there is none, and where the driver has reported an error or
/// a message of HIGH severity by the end.
pub struct Gpu(Rc<Gl>);

impl Gpu {
    pub fn open() -> Self {
        Self(headless::open().unwrap_or_else(|error| panic!("this test needs OpenGL 4.5: {error}")))
    }
}

impl Deref for Gpu {
    type Target = Rc<Gl>;

    fn deref(&self) -> &Rc<Gl> {
        &self.0
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let pending = unsafe { self.0.get_error() };
        assert_eq!(self.0.messages.errors(), 0, "the driver reported errors: RUST_LOG=error shows them");
        assert_eq!(pending, glow::NO_ERROR, "an OpenGL error is pending");
    }
}

/// SplitMix64: seeded inputs that are the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// Even over `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// Each component even over `-size..size`.
    pub fn point(&mut self, size: f32) -> glam::Vec3 {
        glam::Vec3::from_array(std::array::from_fn(|_| self.between(-size, size)))
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// Panics where a component of `got` is further than `tolerance` from `wanted`, or is no number.
pub fn assert_near(what: &str, got: &[Vec4], wanted: &[Vec4], tolerance: f32) {
    assert_eq!(got.len(), wanted.len(), "{what}: lengths");
    for (index, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        let off = (*got - *wanted).abs();
        let near = off.to_array().into_iter().all(|off| off <= tolerance);
        assert!(near, "{what}[{index}] is {got}, not {wanted}: off by {off}, {tolerance:e} is allowed");
    }
}

/// The bits of positions, for "the same" in the strict sense.
pub fn bits(values: &[Vec4]) -> Vec<[u32; 4]> {
    values.iter().map(|value| value.to_array().map(f32::to_bits)).collect()
}
