//! The window: winit's events in, frames out. All that it shows is a [`Viewer`].

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use egui_glow::EguiGlow;
use glam::Vec2;
use glow::HasContext;
use glutin::config::{Config, ConfigTemplateBuilder};
use glutin::context::{NotCurrentContext, NotCurrentGlContext, PossiblyCurrentContext};
use glutin::display::{GetGlDisplay, GlDisplay};
use glutin::surface::{GlSurface, Surface, SwapInterval, WindowSurface};
use glutin_winit::{ApiPreference, DisplayBuilder, GlWindow};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, ModifiersState, NamedKey};
use winit::raw_window_handle::HasWindowHandle;
use winit::window::{Window, WindowAttributes, WindowId};

use crate::gpu::context::{self, ContextError};
use crate::gpu::{Gl, Shaders};
use crate::output::{OutputFile, png};
use crate::render::{Target, Viewport, read_window};
use crate::scene::{MeshOptions, Scene};
use crate::ui;
use crate::viewer::{Cursor, Viewer};

/// The shortest time between two frames, where the swap does not wait for the display.
const FRAME: Duration = Duration::from_micros(8_333);

/// A connection to the display; the error says why there is none.
pub fn event_loop() -> Result<EventLoop<()>, String> {
    EventLoop::new().map_err(|error| {
        let text = error.to_string();
        // winit puts the place in its own source before the reason.
        text.rsplit(": ").next().unwrap_or(&text).trim_end_matches('.').to_owned()
    })
}

/// Opens the viewer on a scene and returns when its window is closed.
pub fn run(event_loop: EventLoop<()>, scene: Scene, shaders: Shaders, mesh_options: MeshOptions) -> Result<()> {
    let mut app = App { start: Some((scene, shaders, mesh_options)), running: None, error: None };
    event_loop.run_app(&mut app).context("the window system ended the program")?;
    app.error.map_or(Ok(()), Err)
}

struct App {
    /// What to open, until the window is there.
    start: Option<(Scene, Shaders, MeshOptions)>,
    running: Option<Running>,
    error: Option<anyhow::Error>,
}

/// An open window. Fields are dropped in order: what lives in the context before the context.
struct Running {
    viewer: Viewer,
    egui: EguiGlow,
    gl: Rc<Gl>,
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    window: Window,
    input: Input,
    /// Where the scene is drawn, points.
    scene_rect: egui::Rect,
    last_frame: Instant,
    titled: Instant,
    first_frame: bool,
}

/// The mouse and the modifiers as they are.
#[derive(Default)]
struct Input {
    /// In pixels of the window, origin top left.
    cursor: Option<Vec2>,
    modifiers: ModifiersState,
    drag: Drag,
}

/// What moving the mouse does.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Drag {
    #[default]
    None,
    Orbit,
    Pan,
    Particle,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((scene, shaders, mesh_options)) = self.start.take() else { return };
        match Running::open(event_loop, scene, shaders, mesh_options) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                self.error = Some(error);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        let Some(running) = &mut self.running else { return };
        if matches!(event, WindowEvent::CloseRequested | WindowEvent::Destroyed) {
            event_loop.exit();
        } else if event == WindowEvent::RedrawRequested {
            match running.frame() {
                Ok(next) => event_loop.set_control_flow(next),
                Err(error) => {
                    self.error = Some(error);
                    event_loop.exit();
                }
            }
        } else {
            running.event(&event);
        }
    }

    fn new_events(&mut self, _event_loop: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(running)) = (cause, &self.running) {
            running.window.request_redraw();
        }
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        if let Some(running) = &mut self.running {
            running.egui.destroy();
        }
        self.running = None;
    }
}

impl Running {
    fn open(event_loop: &ActiveEventLoop, scene: Scene, shaders: Shaders, mesh_options: MeshOptions) -> Result<Self> {
        let attributes = WindowAttributes::default()
            .with_title("Tartan")
            .with_inner_size(LogicalSize::new(1280.0, 800.0))
            .with_visible(false);
        let template = ConfigTemplateBuilder::new().with_depth_size(24).with_alpha_size(0);
        let (window, config) = DisplayBuilder::new()
            .with_preference(ApiPreference::FallbackEgl)
            .with_window_attributes(Some(attributes.clone()))
            .build(event_loop, template, |mut configs| {
                configs.next().expect("the display offers at least one configuration")
            })
            .map_err(|error| anyhow!("this display offers no OpenGL ({error}): install a graphics driver"))?;
        let window = match window {
            Some(window) => window,
            None => glutin_winit::finalize_window(event_loop, attributes, &config)?,
        };
        let handle = window.window_handle()?.as_raw();
        let context = create_context(&config, handle)?;
        let surface_attributes = window.build_surface_attributes(Default::default())?;
        // SAFETY: the window outlives the surface, see the order of the fields.
        let surface = unsafe { config.display().create_window_surface(&config, &surface_attributes)? };
        let context = context.make_current(&surface)?;
        if let Err(error) = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN)) {
            log::debug!("frames are not held back for the display: {error}");
        }
        let gl = Gl::new(|name| config.display().get_proc_address(name).cast(), None)?;
        let viewer = Viewer::new(&gl, scene, shaders, mesh_options)?;
        let egui = EguiGlow::new(event_loop, gl.shared(), None, None, true);
        ui::apply_theme(&egui.egui_ctx);
        window.set_visible(true);
        window.request_redraw();
        let now = Instant::now();
        Ok(Self {
            viewer,
            egui,
            gl,
            surface,
            context,
            window,
            input: Input::default(),
            scene_rect: egui::Rect::ZERO,
            last_frame: now,
            titled: now,
            first_frame: true,
        })
    }

    /// Draws a frame; when the next one is due.
    fn frame(&mut self) -> Result<ControlFlow> {
        let now = Instant::now();
        self.viewer.update((now - self.last_frame).as_secs_f64());
        self.last_frame = now;

        let viewer = &mut self.viewer;
        let mut scene_rect = self.scene_rect;
        let before = viewer.controls.clone();
        self.egui.run(&self.window, |root| scene_rect = ui::show(root, &mut viewer.controls, &viewer.stats));
        if viewer.controls != before {
            // What was asked for is done in the next frame.
            self.window.request_redraw();
        }
        self.scene_rect = scene_rect;

        let size = self.window.inner_size();
        let cursor = self.scene_cursor();
        self.viewer.hover(cursor);
        unsafe {
            // The panels stand on this. Painted by egui, their area costs a software driver as much as half of the scene.
            let [r, g, b] = ui::PANEL.map(|channel| f32::from(channel) / 255.0);
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.clear_color(r, g, b, 1.0);
            self.gl.clear(glow::COLOR_BUFFER_BIT);
        }
        let viewport = self.viewport();
        if viewport.width > 0 && viewport.height > 0 {
            let scale = self.scale();
            self.viewer.draw(&Target::window(viewport), scale);
        }
        self.egui.paint(&self.window);
        if std::mem::take(&mut self.viewer.controls.requests.screenshot) {
            self.save_picture(size);
        }
        self.surface.swap_buffers(&self.context).context("the driver did not show the frame")?;

        if std::mem::take(&mut self.first_frame) {
            self.window.set_title(&self.viewer.title());
            log::info!("ready: {}", self.viewer.title());
        } else if self.titled.elapsed() >= Duration::from_millis(500) {
            self.window.set_title(&self.viewer.title());
            self.titled = now;
        }
        if self.egui.egui_ctx.has_requested_repaint() {
            self.window.request_redraw();
        }
        Ok(if self.viewer.is_live() { ControlFlow::WaitUntil(now + FRAME) } else { ControlFlow::Wait })
    }

    fn event(&mut self, event: &WindowEvent) {
        let response = self.egui.on_window_event(&self.window, event);
        if response.repaint {
            self.window.request_redraw();
        }
        match event {
            WindowEvent::Resized(size) => {
                self.resize(*size);
                self.window.request_redraw();
            }
            WindowEvent::DroppedFile(path) => {
                self.viewer.open(path);
                self.window.request_redraw();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.input.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. } if !response.consumed => self.key(event),
            WindowEvent::CursorMoved { position, .. } => self.cursor_moved(*position),
            WindowEvent::CursorLeft { .. } if self.input.drag == Drag::None => self.input.cursor = None,
            WindowEvent::MouseInput { state, button, .. } => match state {
                ElementState::Pressed => self.button_pressed(*button),
                ElementState::Released => {
                    self.input.drag = Drag::None;
                    self.viewer.release();
                }
            },
            WindowEvent::MouseWheel { delta, .. } if self.scene_cursor().is_some() => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 50.0,
                };
                self.viewer.camera_mut().zoom(notches);
            }
            _ => {}
        }
    }

    fn resize(&mut self, size: PhysicalSize<u32>) {
        if let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) {
            self.surface.resize(&self.context, width, height);
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        if event.state != ElementState::Pressed || self.input.modifiers.control_key() || self.input.modifiers.alt_key()
        {
            return;
        }
        let key = match &event.logical_key {
            Key::Named(NamedKey::Space) => ui::keys::Key::Space,
            Key::Named(NamedKey::Escape) => ui::keys::Key::Escape,
            Key::Named(NamedKey::F12) => ui::keys::Key::F12,
            Key::Character(text) => match text.chars().next() {
                Some(letter) => ui::keys::Key::Character(letter),
                None => return,
            },
            _ => return,
        };
        // A button that has the keyboard's focus takes the space bar for a click.
        if key == ui::keys::Key::Space && self.egui.egui_ctx.memory(|memory| memory.focused().is_some()) {
            return;
        }
        // Held down, a key steps on, and does nothing else again.
        if !event.repeat || key == ui::keys::Key::Character('n') {
            ui::keys::press(key, &mut self.viewer.controls);
            self.window.request_redraw();
        }
    }

    fn button_pressed(&mut self, button: MouseButton) {
        let Some(cursor) = self.scene_cursor() else { return };
        self.input.drag = match button {
            MouseButton::Left if self.input.modifiers.shift_key() => Drag::Pan,
            MouseButton::Left if self.viewer.grab(cursor) => Drag::Particle,
            MouseButton::Left => Drag::Orbit,
            MouseButton::Right | MouseButton::Middle => Drag::Pan,
            _ => return,
        };
    }

    fn cursor_moved(&mut self, position: PhysicalPosition<f64>) {
        let cursor = Vec2::new(position.x as f32, position.y as f32);
        let moved = self.input.cursor.map_or(Vec2::ZERO, |before| cursor - before);
        self.input.cursor = Some(cursor);
        let viewport = self.viewport();
        let viewport = Vec2::new(viewport.width as f32, viewport.height as f32);
        let scale = self.scale();
        match self.input.drag {
            Drag::Orbit => self.viewer.camera_mut().orbit(moved / scale),
            Drag::Pan => self.viewer.camera_mut().pan(moved, viewport),
            Drag::Particle | Drag::None => {}
        }
        self.window.request_redraw();
    }

    /// The cursor over the scene; `None` where a panel or nothing is under it.
    fn scene_cursor(&self) -> Option<Cursor> {
        let cursor = self.input.cursor?;
        let scale = self.scale();
        let point = egui::pos2(cursor.x / scale, cursor.y / scale);
        let layer = self.egui.egui_ctx.layer_id_at(point);
        let free = self.scene_rect.contains(point) && layer.is_none_or(|layer| layer.order == egui::Order::Background);
        (free || self.input.drag != Drag::None).then(|| {
            let corner = Vec2::new(self.scene_rect.min.x, self.scene_rect.min.y) * scale;
            let viewport = self.viewport();
            Cursor { at: cursor - corner, viewport: Vec2::new(viewport.width as f32, viewport.height as f32), scale }
        })
    }

    /// Where the scene is drawn.
    fn viewport(&self) -> Viewport {
        let scale = self.scale();
        let height = self.window.inner_size().height as f32;
        let rect = self.scene_rect;
        Viewport {
            x: (rect.min.x * scale).round() as i32,
            y: (height - rect.max.y * scale).round() as i32,
            width: (rect.width() * scale).round().max(0.0) as i32,
            height: (rect.height() * scale).round().max(0.0) as i32,
        }
    }

    /// Pixels in a point.
    fn scale(&self) -> f32 {
        self.egui.egui_ctx.pixels_per_point()
    }

    fn save_picture(&mut self, size: PhysicalSize<u32>) {
        if size.width == 0 || size.height == 0 {
            return;
        }
        let path = free_path(self.viewer.scene_title());
        let image = read_window(&self.gl, size.width, size.height);
        let saved = OutputFile::new(&path).and_then(|file| file.write(&png(&image)));
        self.viewer.notify(match saved {
            Ok(()) => format!("picture saved: {}", path.display()),
            Err(error) => error,
        });
    }
}

/// The first name of a picture of this scene that is not taken in the current folder.
fn free_path(scene: &str) -> PathBuf {
    (1..)
        .map(|number| PathBuf::from(format!("tartan-{scene}-{number:03}.png")))
        .find(|path| !path.exists())
        .expect("a number is free")
}

fn create_context(
    config: &Config,
    window: winit::raw_window_handle::RawWindowHandle,
) -> Result<NotCurrentContext, ContextError> {
    let display = config.display();
    let mut last = None;
    for attributes in context::attributes(Some(window)) {
        // SAFETY: the handle belongs to a window that lives.
        match unsafe { display.create_context(config, &attributes) } {
            Ok(context) => return Ok(context),
            Err(error) => last = Some(error),
        }
    }
    // A context of any version is looked at, and refused as too old, by Gl::new.
    unsafe { display.create_context(config, &context::any_attributes(Some(window))) }
        .map_err(|_| ContextError::Refused(last.map_or_else(|| "no reason given".into(), |error| error.to_string())))
}
