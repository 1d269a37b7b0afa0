//! A context with no window and no display: the first EGL device that gives OpenGL 4.5.

use std::rc::Rc;

use glutin::api::egl::{device::Device, display::Display};
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::PossiblyCurrentContext;
use glutin::display::GlDisplay;

use super::context::{self, ContextError, Gl};

/// Makes a context current on this thread, on the first EGL device that offers one. Mesa lists its software device last.
pub fn open() -> Result<Rc<Gl>, ContextError> {
    let devices = Device::query_devices().map_err(|error| ContextError::NoEgl(error.to_string()))?;
    let mut refusal = ContextError::NoDevice("the list is empty".into());
    for device in devices {
        match open_on(&device) {
            Ok(gl) => return Ok(gl),
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

fn open_on(device: &Device) -> Result<Rc<Gl>, ContextError> {
    let no_device = |error: glutin::error::Error| ContextError::NoDevice(error.to_string());
    // SAFETY: no native display is passed.
    let display = unsafe { Display::with_device(device, None) }.map_err(no_device)?;
    // The default template asks for windows, which a device without a display cannot give.
    let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
    let config = unsafe { display.find_configs(template) }
        .map_err(no_device)?
        .next()
        .ok_or_else(|| ContextError::NoDevice("it has no configuration".into()))?;
    let refused = |error: glutin::error::Error| ContextError::Refused(error.to_string());
    let mut last = None;
    for attributes in context::attributes(None) {
        match unsafe { display.create_context(&config, &attributes) } {
            Ok(context) => {
                let context = context.make_current_surfaceless().map_err(refused)?;
                return Gl::new(
                    |name| display.get_proc_address(name).cast(),
                    Some(PossiblyCurrentContext::Egl(context)),
                );
            }
            Err(error) => last = Some(error),
        }
    }
    // What is there instead? A context of any version tells, and is then refused as too old.
    if let Ok(context) = unsafe { display.create_context(&config, &context::any_attributes(None)) }
        && let Ok(context) = context.make_current_surfaceless()
    {
        return Gl::new(|name| display.get_proc_address(name).cast(), Some(PossiblyCurrentContext::Egl(context)));
    }
    Err(ContextError::Refused(last.map_or_else(|| "no reason given".into(), |error| error.to_string())))
}
