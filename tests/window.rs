//! The window, used as a person uses it: an X server without a screen, real keys and mouse, and what is seen.

mod common;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::shader_folder;
use image::RgbImage;
use tartan::render::palette;
use tempfile::TempDir;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    self, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, ImageFormat,
    InputFocus, PropMode, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Long enough for a debug build on two busy cores; a wait ends as soon as what it waits for is there.
const PATIENCE: Duration = Duration::from_secs(60);

/// The part of a 1280 × 800 window between the panels.
const SCENE: [u32; 4] = [280, 10, 740, 780];

/// An X server that shows nothing to anybody.
struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts (.ci/setup installs it)");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb names its display");
        Self { server, display: format!(":{}", number.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Tartan in a window.
struct Desk {
    app: Child,
    log: Arc<Mutex<Vec<String>>>,
    x: RustConnection,
    root: Window,
    window: Window,
    folder: TempDir,
    _screen: Screen,
}

impl Desk {
    /// Starts `tartan` with `args` and waits for its first frame.
    fn open(args: &[&str]) -> Self {
        let screen = Screen::start();
        let folder = tempfile::tempdir().expect("a folder for pictures");
        let mut app = Command::new(env!("CARGO_BIN_EXE_tartan"))
            .args(args)
            .current_dir(folder.path())
            .env("DISPLAY", &screen.display)
            .env_remove("WAYLAND_DISPLAY")
            .env("RUST_LOG", "warn,tartan=debug")
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let log = Arc::new(Mutex::new(Vec::new()));
        let (stderr, lines) = (app.stderr.take().expect("piped"), log.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                lines.lock().expect("no test panics while it holds the log").push(line);
            }
        });
        let (x, number) = RustConnection::connect(Some(&screen.display)).expect("the X server answers");
        let root = x.setup().roots[number].root;
        let mut desk = Self { app, log, x, root, window: 0, folder, _screen: screen };
        desk.wait_for("ready: ", 0);
        desk.window = desk.find_window();
        // No window manager gives the focus, and without it keys go nowhere.
        desk.x
            .set_input_focus(InputFocus::PARENT, desk.window, x11rb::CURRENT_TIME)
            .expect("sent")
            .check()
            .expect("focused");
        desk
    }

    fn find_window(&self) -> Window {
        until("a window with the program's title", || {
            let tree = self.x.query_tree(self.root).ok()?.reply().ok()?;
            tree.children.into_iter().find(|window| self.title_of(*window).starts_with("Tartan"))
        })
    }

    fn title_of(&self, window: Window) -> String {
        let atom = |name: &[u8]| self.x.intern_atom(false, name).expect("sent").reply().expect("an atom").atom;
        let (name, utf8) = (atom(b"_NET_WM_NAME"), atom(b"UTF8_STRING"));
        let property = self.x.get_property(false, window, name, utf8, 0, 256).expect("sent").reply();
        property.map(|property| String::from_utf8_lossy(&property.value).into_owned()).unwrap_or_default()
    }

    fn title(&self) -> String {
        self.title_of(self.window)
    }

    /// How many lines have been logged.
    fn log_len(&self) -> usize {
        self.log.lock().expect("unpoisoned").len()
    }

    /// Waits for a line, after the first `from`, that contains `text`.
    fn wait_for(&self, text: &str, from: usize) -> String {
        until(text, || {
            let log = self.log.lock().expect("unpoisoned");
            log.get(from..)?.iter().find(|line| line.contains(text)).cloned()
        })
    }

    /// The stretch, rms, after the next `frames` frames with this solver.
    fn stretch_after(&self, frames: usize, solver: &str) -> f64 {
        let (from, wanted) = (self.log_len(), format!("solver {solver} rms "));
        until(&wanted, || {
            let log = self.log.lock().expect("unpoisoned");
            let line = log[from..].iter().filter(|line| line.contains(&wanted)).nth(frames)?;
            line.rsplit(' ').next()?.parse().ok()
        })
    }

    /// Waits until no frame is simulated for a while.
    fn wait_until_paused(&self) {
        until("the simulation to pause", || {
            let before = self.log_len();
            std::thread::sleep(Duration::from_millis(700));
            (self.log_len() == before).then_some(())
        });
    }

    fn key(&self, keysym: u32) {
        let setup = self.x.setup();
        let (min, max) = (setup.min_keycode, setup.max_keycode);
        let mapping = self.x.get_keyboard_mapping(min, max - min + 1).expect("sent").reply().expect("a mapping");
        let per_code = usize::from(mapping.keysyms_per_keycode);
        let place = mapping.keysyms.iter().position(|sym| *sym == keysym).expect("the keyboard has the key");
        let (code, shifted) = (min + (place / per_code) as u8, place % per_code == 1);
        const SHIFT_L: u32 = 0xffe1;
        let shift =
            min + (mapping.keysyms.iter().position(|sym| *sym == SHIFT_L).expect("a shift key") / per_code) as u8;
        if shifted {
            self.fake(xproto::KEY_PRESS_EVENT, shift, [0, 0]);
        }
        self.fake(xproto::KEY_PRESS_EVENT, code, [0, 0]);
        self.fake(xproto::KEY_RELEASE_EVENT, code, [0, 0]);
        if shifted {
            self.fake(xproto::KEY_RELEASE_EVENT, shift, [0, 0]);
        }
    }

    fn letter(&self, letter: char) {
        self.key(letter as u32);
    }

    fn move_to(&self, [x, y]: [i16; 2]) {
        self.fake(xproto::MOTION_NOTIFY_EVENT, 0, [x, y]);
    }

    fn button(&self, press: bool) {
        self.fake(if press { xproto::BUTTON_PRESS_EVENT } else { xproto::BUTTON_RELEASE_EVENT }, 1, [0, 0]);
    }

    fn click(&self, at: [i16; 2]) {
        self.move_to(at);
        std::thread::sleep(Duration::from_millis(150));
        self.button(true);
        self.button(false);
    }

    fn fake(&self, kind: u8, detail: u8, [x, y]: [i16; 2]) {
        self.x
            .xtest_fake_input(kind, detail, 0, self.root, x, y, 0)
            .expect("sent")
            .check()
            .expect("the server plays it");
    }

    fn resize(&self, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.x.configure_window(self.window, &size).expect("sent").check().expect("resized");
    }

    /// What the window shows.
    fn picture(&self) -> RgbImage {
        let size = self.x.get_geometry(self.window).expect("sent").reply().expect("a size");
        let image = self
            .x
            .get_image(ImageFormat::Z_PIXMAP, self.window, 0, 0, size.width, size.height, !0)
            .expect("sent")
            .reply()
            .expect("a picture");
        RgbImage::from_fn(size.width.into(), size.height.into(), |x, y| {
            let at = 4 * (y as usize * usize::from(size.width) + x as usize);
            image::Rgb([image.data[at + 2], image.data[at + 1], image.data[at]])
        })
    }

    /// Waits for a picture of which `wanted` is true.
    fn picture_where(&self, what: &str, wanted: impl Fn(&RgbImage) -> bool) -> RgbImage {
        until(what, || Some(self.picture()).filter(&wanted))
    }

    /// Drops a file onto the window, as another program does it: by the XDND protocol, version 5.
    fn drop_file(&self, path: &Path) {
        let atom =
            |name: &str| self.x.intern_atom(false, name.as_bytes()).expect("sent").reply().expect("an atom").atom;
        let source = self.x.generate_id().expect("an id");
        let setup = WindowClass::INPUT_ONLY;
        let create = self.x.create_window(0, source, self.root, 0, 0, 1, 1, 0, setup, 0, &CreateWindowAux::new());
        create.expect("sent").check().expect("a window to drop from");
        let (selection, uris) = (atom("XdndSelection"), atom("text/uri-list"));
        self.x.set_selection_owner(source, selection, x11rb::CURRENT_TIME).expect("sent").check().expect("owned");
        let send = |name: &str, data: [u32; 5]| {
            let event = ClientMessageEvent::new(32, self.window, atom(name), data);
            self.x
                .send_event(false, self.window, EventMask::NO_EVENT, event)
                .expect("sent")
                .check()
                .expect("delivered");
        };
        // Answers what the window asks, until it says `wanted`.
        let answer_until = |wanted: &str| {
            let wanted = atom(wanted);
            until("an answer to the drop", || match self.x.poll_for_event().expect("connected")? {
                Event::SelectionRequest(asked) => {
                    let text = format!("file://{}\r\n", path.display());
                    let put = self.x.change_property8(
                        PropMode::REPLACE,
                        asked.requestor,
                        asked.property,
                        asked.target,
                        text.as_bytes(),
                    );
                    put.expect("sent").check().expect("put");
                    let told = SelectionNotifyEvent {
                        response_type: xproto::SELECTION_NOTIFY_EVENT,
                        sequence: 0,
                        time: asked.time,
                        requestor: asked.requestor,
                        selection: asked.selection,
                        target: asked.target,
                        property: asked.property,
                    };
                    let told = self.x.send_event(false, asked.requestor, EventMask::NO_EVENT, told);
                    told.expect("sent").check().expect("told");
                    None
                }
                Event::ClientMessage(message) => (message.type_ == wanted).then_some(()),
                _ => None,
            });
        };
        send("XdndEnter", [source, 5 << 24, uris, 0, 0]);
        send("XdndPosition", [source, 0, (640 << 16) | 400, x11rb::CURRENT_TIME, atom("XdndActionCopy")]);
        answer_until("XdndStatus");
        send("XdndDrop", [source, 0, x11rb::CURRENT_TIME, 0, 0]);
        answer_until("XdndFinished");
    }

    /// Closes the window as its frame's cross does, and checks how the program ended.
    fn close(mut self) {
        let atom = |name: &[u8]| self.x.intern_atom(false, name).expect("sent").reply().expect("an atom").atom;
        let event =
            ClientMessageEvent::new(32, self.window, atom(b"WM_PROTOCOLS"), [atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0]);
        self.x.send_event(false, self.window, EventMask::NO_EVENT, event).expect("sent").check().expect("delivered");
        let status = until("the program to end", || self.app.try_wait().expect("a child"));
        let log = self.log.lock().expect("unpoisoned").join("\n");
        assert!(status.success(), "the program ended with {status}:\n{log}");
        assert!(!log.contains("ERROR") && !log.contains("WARN"), "the log holds errors or warnings:\n{log}");
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.app.kill();
        let _ = self.app.wait();
        if std::thread::panicking() {
            eprintln!(
                "the log's end:\n{}",
                self.log.lock().map(|log| log[log.len().saturating_sub(20)..].join("\n")).unwrap_or_default()
            );
        }
    }
}

/// Waits until `found` finds something.
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} for: {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// The batches, of the first `count`, whose exact colour the scene shows.
fn batches_seen(picture: &RgbImage, count: usize) -> Vec<usize> {
    let [x, y, width, height] = SCENE;
    let scene =
        image::imageops::crop_imm(picture, x, y, width.min(picture.width() - x), height.min(picture.height() - y))
            .to_image();
    (0..count).filter(|batch| scene.pixels().filter(|pixel| pixel.0 == palette::color(*batch)).count() >= 8).collect()
}

const BATCHES: usize = 12;

fn shows_all_batches(picture: &RgbImage) -> bool {
    batches_seen(picture, BATCHES).len() == BATCHES
}

#[test]
fn the_default_scene_shows_a_colour_for_each_batch() {
    let desk = Desk::open(&[]);
    assert!(desk.title().contains("12 colours"), "{}", desk.title());
    desk.picture_where("a picture with the colours of all batches", shows_all_batches);
    desk.close();
}

#[test]
fn j_switches_the_solver_its_title_and_the_residual() {
    let desk = Desk::open(&[]);
    assert!(desk.title().contains("Gauss-Seidel"), "{}", desk.title());
    let gauss_seidel = desk.stretch_after(60, "gauss-seidel");
    desk.letter('j');
    let jacobi = desk.stretch_after(60, "jacobi");
    assert!(jacobi > 2.0 * gauss_seidel, "rms {gauss_seidel} with Gauss-Seidel, {jacobi} with Jacobi");
    until("Jacobi in the title", || desk.title().contains("Jacobi").then_some(()));
    desk.letter('j');
    until("Gauss-Seidel in the title", || desk.title().contains("Gauss-Seidel").then_some(()));
    desk.close();
}

#[test]
fn a_window_of_one_pixel_comes_back_whole() {
    let desk = Desk::open(&[]);
    desk.resize(1, 1);
    desk.stretch_after(5, "gauss-seidel");
    desk.resize(1280, 800);
    desk.picture_where("all batches after the resize", |picture| picture.width() == 1280 && shows_all_batches(picture));
    desk.close();
}

#[test]
fn the_mouse_drags_a_particle() {
    let desk = Desk::open(&[]);
    // A particle is within reach of almost every point of the cloth; the middle of the window lies on it.
    let place =
        |line: &str| -> Vec<f64> { line.rsplit(' ').take(3).filter_map(|number| number.parse().ok()).collect() };
    let held = until("a particle to be held", || {
        let from = desk.log_len();
        desk.move_to([650, 300]);
        std::thread::sleep(Duration::from_millis(100));
        desk.button(true);
        std::thread::sleep(Duration::from_millis(400));
        let log = desk.log.lock().expect("unpoisoned");
        let line = log[from..].iter().find(|line| line.contains("holding particle")).cloned();
        drop(log);
        if line.is_none() {
            desk.button(false);
        }
        line
    });
    let from = desk.log_len();
    for step in 1..=20 {
        desk.move_to([650 + 8 * step, 300]);
        std::thread::sleep(Duration::from_millis(20));
    }
    desk.stretch_after(2, "gauss-seidel");
    desk.button(false);
    let released = desk.wait_for("let go of particle", from);
    let (before, after) = (place(&held), place(&released));
    let moved = before.iter().zip(&after).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!(moved > 0.1, "{held}\n{released}\nmoved by {moved} m");
    desk.close();
}

#[test]
fn p_pins_the_particle_under_the_cursor_and_lets_it_go() {
    let desk = Desk::open(&[]);
    let at = [650, 450];
    // A pin is a white disc.
    let pinned = |picture: &RgbImage| {
        let around = image::imageops::crop_imm(picture, at[0] as u32 - 24, at[1] as u32 - 24, 48, 48).to_image();
        around.pixels().filter(|pixel| pixel.0 == [0xff; 3]).count() >= 60
    };
    desk.stretch_after(100, "gauss-seidel");
    for (said, wanted) in [("pinned", true), ("let go", false)] {
        let from = desk.log_len();
        desk.move_to(at);
        desk.stretch_after(2, "gauss-seidel");
        desk.letter('p');
        desk.wait_for(said, from);
        // The ring around the particle under the cursor is white too.
        desk.move_to([300, 780]);
        desk.picture_where(said, |picture| pinned(picture) == wanted);
    }
    desk.close();
}

#[test]
fn each_key_changes_what_is_seen() {
    let desk = Desk::open(&["view", "hanging", "--resolution", "16"]);
    let bright = |picture: &RgbImage| batches_seen(picture, BATCHES).len();
    let full = desk.picture_where("the scene", |picture| bright(picture) == BATCHES);
    for coloring in ["strain", "type", "none"] {
        desk.letter('c');
        desk.picture_where(coloring, |picture| bright(picture) < BATCHES);
    }
    desk.letter('c');
    desk.picture_where("batches again", |picture| bright(picture) == BATCHES);
    let in_panel = |picture: &RgbImage| *picture.get_pixel(4, 400);
    desk.letter('h');
    desk.picture_where("no panels", |picture| in_panel(picture) != in_panel(&full));
    desk.letter('h');
    desk.picture_where("the panels", |picture| in_panel(picture) == in_panel(&full));
    desk.key(0x20);
    desk.wait_until_paused();
    let from = desk.log_len();
    desk.letter('n');
    desk.wait_for("rms", from);
    let from = desk.log_len();
    desk.letter('r');
    desk.wait_for("frame 0 ", from);
    let still = desk.picture();
    desk.letter('?');
    desk.picture_where("the list of keys", |picture| picture != &still);
    desk.key(0xff1b);
    desk.key(0xffc9);
    let saved = desk.wait_for("picture saved: ", from);
    let path = desk.folder.path().join(saved.rsplit(' ').next().expect("a name"));
    let png = image::open(&path).expect("a picture").to_rgb8();
    assert_eq!(png.dimensions(), (1280, 800));
    assert_eq!(batches_seen(&png, BATCHES).len(), BATCHES);
    desk.close();
}

#[test]
fn a_click_on_a_batch_shows_it_alone() {
    let desk = Desk::open(&["view", "hanging", "--resolution", "16"]);
    let full = desk.picture_where("all batches", shows_all_batches);
    // The bar of batch 4 in the histogram, then its swatch in the list below.
    let mut of_4 = full.enumerate_pixels().filter(|(x, _, pixel)| *x > 1028 && pixel.0 == palette::color(4));
    let bar = of_4.next().expect("a bar in the histogram");
    let swatch = of_4.find(|(_, y, _)| *y > bar.1 + 50).expect("a swatch in the list");
    for (x, y, _) in [bar, swatch] {
        desk.click([x as i16 + 4, y as i16 + 5]);
        desk.picture_where("batch 4 alone", |picture| batches_seen(picture, BATCHES) == [4]);
        desk.move_to([650, 700]);
        desk.key(0xff1b);
        desk.picture_where("all batches again", shows_all_batches);
    }
    desk.close();
}

/// Buttons of the panel, in a window of 1280 × 800.
const COLOR: [i16; 2] = [52, 646];
const ROUND: [i16; 2] = [138, 646];
const CANCEL: [i16; 2] = [224, 646];

#[test]
fn a_colouring_is_watched_round_by_round_given_up_and_run() {
    let desk = Desk::open(&["view", "hanging", "--coloring", "gebremedhin-manne"]);
    let seen = |picture: &RgbImage, color: [u8; 3]| {
        let [left, top, width, height] = SCENE;
        let inside = |x: u32, y: u32| (left..left + width).contains(&x) && (top..top + height).contains(&y);
        picture.enumerate_pixels().filter(|(x, y, pixel)| inside(*x, *y) && pixel.0 == color).count()
    };
    let left_in = |line: String| line.rsplit(' ').next().and_then(|left| left.parse::<u32>().ok()).expect("a count");
    desk.picture_where("all batches", shows_all_batches);
    let from = desk.log_len();
    desk.click(ROUND);
    let first = left_in(desk.wait_for("coloring round 1 left ", from));
    desk.move_to([650, 760]);
    let picture = desk.picture_where("conflicts", |picture| seen(picture, palette::CONFLICT) > 2000);
    let conflicts = seen(&picture, palette::CONFLICT);
    desk.click(ROUND);
    let second = left_in(desk.wait_for("coloring round 2 left ", from));
    assert!(second < first, "{second} of {first} are left");
    desk.move_to([650, 760]);
    desk.picture_where("fewer conflicts", |picture| {
        let now = seen(picture, palette::CONFLICT);
        now > 0 && now < conflicts * 3 / 4
    });
    // The solver goes on with the batches that it has.
    desk.stretch_after(3, "gauss-seidel");
    desk.click(CANCEL);
    desk.picture_where("no conflicts", |picture| seen(picture, palette::CONFLICT) == 0 && shows_all_batches(picture));
    let from = desk.log_len();
    desk.click(COLOR);
    desk.wait_for("12 colours in ", from);
    desk.move_to([650, 760]);
    desk.picture_where("the new batches", |picture| {
        seen(picture, palette::CONFLICT) == 0 && shows_all_batches(picture)
    });
    desk.close();
}

#[test]
fn a_mesh_dropped_onto_the_window_is_hung_and_a_bad_one_is_not() {
    let desk = Desk::open(&[]);
    let (good, bad) = (desk.folder.path().join("flag.obj"), desk.folder.path().join("bad.obj"));
    let mut flag = String::new();
    for row in 0..=8 {
        (0..=8).for_each(|column| flag += &format!("v {} {} 0\n", f64::from(column) / 8.0, f64::from(row) / 8.0));
    }
    for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
        let a = row * 9 + column + 1;
        flag += &format!("f {} {} {} {}\n", a, a + 1, a + 10, a + 9);
    }
    std::fs::write(&good, flag).expect("written");
    std::fs::write(&bad, "v 0 0 0\nv 1 0 0\nf 1 2 3\n").expect("written");
    let from = desk.log_len();
    desk.drop_file(&bad);
    let line = desk.wait_for("bad.obj:3: vertex 3 is named", from);
    assert!(line.contains("there are 2 so far"), "{line}");
    desk.stretch_after(3, "gauss-seidel");
    assert!(desk.title().contains("hanging"), "{}", desk.title());
    let from = desk.log_len();
    desk.drop_file(&good);
    desk.wait_for("flag.obj: 81 particles", from);
    until("the title of the mesh", || desk.title().contains("flag.obj · Gauss-Seidel").then_some(()));
    desk.stretch_after(3, "gauss-seidel");
    desk.close();
}

#[test]
fn a_saved_shader_is_reloaded_and_a_broken_one_is_not() {
    let folder = shader_folder::with("", |text| text);
    let desk = Desk::open(&["view", "hanging", "--shader-dir", folder.path().to_str().expect("a path in UTF-8")]);
    let kernel = folder.path().join("solve/predict.comp");
    let good = std::fs::read_to_string(&kernel).expect("a kernel");
    let from = desk.log_len();
    std::fs::write(&kernel, good.replace("vec3 v =", "vec3 v = nonsense +")).expect("saved");
    let error = desk.wait_for("shaders not reloaded", from);
    assert!(error.contains("predict.comp:") && error.contains("nonsense"), "{error}");
    desk.stretch_after(5, "gauss-seidel");
    let from = desk.log_len();
    std::fs::write(&kernel, good).expect("saved");
    desk.wait_for("shaders reloaded", from);
    desk.stretch_after(5, "gauss-seidel");
}

#[test]
fn without_a_display_the_default_scene_runs_offscreen() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = Command::new(env!("CARGO_BIN_EXE_tartan"))
        .current_dir(folder.path())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = [String::new(), String::new()];
    app.stdout.take().expect("piped").read_to_string(&mut said[0]).expect("text");
    app.stderr.take().expect("piped").read_to_string(&mut said[1]).expect("text");
    assert!(app.wait().expect("a child").success(), "{said:?}");
    assert!(said[0].contains("hanging: 240 frames of Gauss-Seidel"), "{}", said[0]);
    assert_eq!(said[1].lines().filter(|line| line.contains("no display")).count(), 1, "{}", said[1]);
    assert!(said[1].contains("DISPLAY") && !said[1].contains(".rs:"), "{}", said[1]);
    assert_eq!(image::open(folder.path().join("tartan.png")).expect("a picture").width(), 1280);
}
