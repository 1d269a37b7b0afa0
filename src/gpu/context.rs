//! The OpenGL context: what it offers, what it says, and the sentence a user gets when there is none.

use std::ffi::CStr;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glow::HasContext;
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, PossiblyCurrentContext, Robustness, Version};
use raw_window_handle::RawWindowHandle;
use winit::raw_window_handle;

/// Why there is no context. Each message says what was found and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    #[error(
        "no EGL on this machine ({0}): install it (Debian and Ubuntu: `apt install libegl1 libgl1-mesa-dri`) or a graphics \
         driver that brings it"
    )]
    NoEgl(String),
    #[error(
        "EGL lists no device to draw on ({0}): install a graphics driver, or Mesa's software one (Debian and Ubuntu: `apt \
         install libgl1-mesa-dri`)"
    )]
    NoDevice(String),
    #[error(
        "this driver offers OpenGL {found}, and Tartan needs 4.5: update the graphics driver, or run Mesa's software one \
         with LIBGL_ALWAYS_SOFTWARE=1"
    )]
    Old { found: String },
    #[error(
        "no OpenGL 4.5 context ({0}): update the graphics driver, or run Mesa's software one with LIBGL_ALWAYS_SOFTWARE=1"
    )]
    Refused(String),
}

/// The names a driver gives itself.
#[derive(Clone, Debug, serde::Serialize)]
pub struct DriverNames {
    pub vendor: String,
    pub renderer: String,
    pub version: String,
}

/// Limits of the driver that decide whether a scene fits.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes in one shader storage block.
    pub storage_block_bytes: u64,
    /// Texels in one buffer texture; a particle or a constraint is one texel.
    pub buffer_texels: u64,
    /// Workgroups along x in one dispatch.
    pub workgroups: u32,
    /// Storage blocks that a vertex shader may read; 0 is allowed in OpenGL 4.5.
    pub vertex_storage_blocks: u32,
}

/// Errors and warnings that the driver has reported through `KHR_debug`.
#[derive(Debug, Default)]
pub struct Messages {
    errors: AtomicU32,
    warnings: AtomicU32,
}

impl Messages {
    /// Errors, and messages of HIGH severity.
    pub fn errors(&self) -> u32 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Messages of MEDIUM severity that are no errors.
    pub fn warnings(&self) -> u32 {
        self.warnings.load(Ordering::Relaxed)
    }

    fn take(&self, kind: u32, severity: u32, text: &str) {
        let text = text.trim_end();
        if kind == glow::DEBUG_TYPE_ERROR || severity == glow::DEBUG_SEVERITY_HIGH {
            self.errors.fetch_add(1, Ordering::Relaxed);
            log::error!("OpenGL: {text}");
        } else if severity == glow::DEBUG_SEVERITY_MEDIUM {
            self.warnings.fetch_add(1, Ordering::Relaxed);
            log::warn!("OpenGL: {text}");
        } else {
            log::debug!("OpenGL: {text}");
        }
    }
}

/// A current OpenGL 4.5 core context. Cloned as `Rc` into every object made in it, so that it outlives them.
pub struct Gl {
    raw: Arc<glow::Context>,
    pub driver: DriverNames,
    pub limits: Limits,
    pub messages: Arc<Messages>,
    /// Where the debug callback and the robust access that were asked for are on.
    pub debug: bool,
    pub robust: bool,
    /// Dropped last: everything above lives in it.
    _context: Option<PossiblyCurrentContext>,
}

impl Gl {
    /// Loads the functions of the context that is current on this thread. A headless context is handed over in `context`;
    /// a window keeps its own beside its surface.
    pub fn new(
        load: impl FnMut(&CStr) -> *const std::ffi::c_void,
        context: Option<PossiblyCurrentContext>,
    ) -> Result<Rc<Self>, ContextError> {
        // SAFETY: a context is current, see the module.
        let mut raw = unsafe { glow::Context::from_loader_function_cstr(load) };
        let version = raw.version();
        let text = |name| unsafe { raw.get_parameter_string(name) };
        let driver =
            DriverNames { vendor: text(glow::VENDOR), renderer: text(glow::RENDERER), version: text(glow::VERSION) };
        if (version.major, version.minor) < (4, 5) || version.is_embedded {
            return Err(ContextError::Old { found: format!("{} ({})", driver.version, driver.renderer) });
        }
        let messages = Arc::new(Messages::default());
        let flags = unsafe { raw.get_parameter_i32(glow::CONTEXT_FLAGS) } as u32;
        let sink = messages.clone();
        unsafe {
            raw.enable(glow::DEBUG_OUTPUT);
            raw.enable(glow::DEBUG_OUTPUT_SYNCHRONOUS);
            raw.debug_message_callback(move |_source, kind, _id, severity, text| sink.take(kind, severity, text));
            // Our own debug groups would otherwise be reported back to us.
            raw.debug_message_control(glow::DONT_CARE, glow::DEBUG_TYPE_PUSH_GROUP, glow::DONT_CARE, &[], false);
            raw.debug_message_control(glow::DONT_CARE, glow::DEBUG_TYPE_POP_GROUP, glow::DONT_CARE, &[], false);
        }
        let integer = |name| unsafe { raw.get_parameter_i32(name) };
        let limits = Limits {
            storage_block_bytes: unsafe { raw.get_parameter_i64(glow::MAX_SHADER_STORAGE_BLOCK_SIZE) }.max(0) as u64,
            buffer_texels: integer(glow::MAX_TEXTURE_BUFFER_SIZE).max(0) as u64,
            workgroups: unsafe { raw.get_parameter_indexed_i32(glow::MAX_COMPUTE_WORK_GROUP_COUNT, 0) }.max(0) as u32,
            vertex_storage_blocks: integer(glow::MAX_VERTEX_SHADER_STORAGE_BLOCKS).max(0) as u32,
        };
        Ok(Rc::new(Self {
            raw: Arc::new(raw),
            driver,
            limits,
            messages,
            debug: flags & glow::CONTEXT_FLAG_DEBUG_BIT != 0,
            robust: flags & CONTEXT_FLAG_ROBUST_ACCESS_BIT != 0,
            _context: context,
        }))
    }

    /// The context as egui's painter takes it.
    pub fn shared(&self) -> Arc<glow::Context> {
        self.raw.clone()
    }

    /// Whether the driver runs on the CPU (Mesa's llvmpipe or softpipe, or SwiftShader).
    pub fn is_software(&self) -> bool {
        let renderer = self.driver.renderer.to_lowercase();
        ["llvmpipe", "softpipe", "swiftshader"].iter().any(|name| renderer.contains(name))
    }
}

impl Deref for Gl {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        &self.raw
    }
}

/// Not among glow's constants.
const CONTEXT_FLAG_ROBUST_ACCESS_BIT: u32 = 0x4;

/// The contexts to ask for, best first: 4.5 core with debug output and, where it is offered, robust access.
pub(crate) fn attributes(window: Option<RawWindowHandle>) -> [glutin::context::ContextAttributes; 2] {
    [Robustness::RobustLoseContextOnReset, Robustness::NotRobust].map(|robustness| {
        ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(4, 5))))
            .with_profile(GlProfile::Core)
            .with_debug(true)
            .with_robustness(robustness)
            .build(window)
    })
}

/// Any OpenGL context, for [`ContextError::Old`] to say what there is.
pub(crate) fn any_attributes(window: Option<RawWindowHandle>) -> glutin::context::ContextAttributes {
    ContextAttributesBuilder::new().with_context_api(ContextApi::OpenGl(None)).build(window)
}
