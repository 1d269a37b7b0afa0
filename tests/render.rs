//! The picture, by properties of its pixels.

mod common;

use std::collections::HashSet;

use common::{Gpu, shader_folder};
use glam::{Vec2, Vec3, Vec4};
use image::RgbaImage;
use tartan::constraint::Group;
use tartan::gpu::layout::texture;
use tartan::gpu::{Buffer, BufferTexture, Program, Shaders};
use tartan::headless::simulation;
use tartan::params::{ConstraintColoring, ViewOptions};
use tartan::render::{Camera, Cloth, Renderer, Target, palette};
use tartan::scene::{self, Model, SceneOptions};
use tartan::solver::{Kernel, ReadPath, Simulation};

const SIZE: [u32; 2] = [800, 800];

/// A scene, some frames on, with what draws it.
struct Studio {
    gpu: Gpu,
    sim: Simulation,
    renderer: Renderer,
    camera: Camera,
}

impl Studio {
    fn new(name: &str, resolution: u32, frames: u32) -> Self {
        let gpu = Gpu::open();
        let options = SceneOptions { resolution: Some(resolution), ..SceneOptions::default() };
        let scene = scene::builtin(name).and_then(|scene| scene.with(&options)).expect("a scene");
        let (mut sim, _) = simulation(&gpu, &Shaders::embedded(), &scene).expect("it starts");
        (0..frames).for_each(|_| sim.step());
        let renderer = Renderer::new(&gpu, &Shaders::embedded(), &sim).expect("it draws");
        Self { camera: Camera::new(scene.camera), gpu, sim, renderer }
    }

    fn picture_of(&mut self, options: &ViewOptions, [width, height]: [u32; 2]) -> RgbaImage {
        let target = Target::offscreen(&self.gpu, width, height);
        self.renderer.draw(&self.sim, &self.camera, options, &target);
        target.read(&self.gpu)
    }

    fn picture(&mut self, options: &ViewOptions) -> RgbaImage {
        self.picture_of(options, SIZE)
    }

    /// The pixel at a point of the scene.
    fn pixel_at(&self, picture: &RgbaImage, point: Vec3) -> [u8; 3] {
        let at =
            self.camera.project(point, Vec2::new(picture.width() as f32, picture.height() as f32)).expect("in front");
        rgb(picture.get_pixel(at.x as u32, at.y as u32))
    }
}

fn rgb(pixel: &image::Rgba<u8>) -> [u8; 3] {
    [pixel[0], pixel[1], pixel[2]]
}

/// Pixels that have exactly this colour.
fn count(picture: &RgbaImage, color: [u8; 3]) -> usize {
    picture.pixels().filter(|pixel| rgb(pixel) == color).count()
}

fn batches_seen(picture: &RgbaImage, batches: usize) -> Vec<usize> {
    (0..batches).filter(|batch| count(picture, palette::color(*batch)) >= 8).collect()
}

#[test]
fn every_batch_of_every_scene_has_its_colour_in_the_picture() {
    for name in scene::NAMES {
        let mut studio = Studio::new(name, 20, 30);
        let batches = studio.sim.workset().batches.len();
        let picture = studio.picture(&ViewOptions::default());
        assert_eq!(batches_seen(&picture, batches), (0..batches).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn the_middle_of_a_thread_has_the_colour_of_its_batch() {
    let mut studio = Studio::new("artifact", 12, 0);
    let options = ViewOptions { show_pins: false, ..ViewOptions::default() };
    let picture = studio.picture(&options);
    let positions = studio.sim.read_positions();
    for (color, batch) in studio.sim.workset().batches.iter().enumerate() {
        for place in batch.offset..batch.offset + batch.count {
            let [a, b] = studio.sim.workset().constraints[place as usize].particles;
            let middle = (positions[a as usize] + positions[b as usize]).truncate() * 0.5;
            assert_eq!(studio.pixel_at(&picture, middle), palette::color(color), "constraint {place} of batch {color}");
        }
    }
}

#[test]
fn bending_threads_lie_beside_those_along_them() {
    // Three particles in a row: two threads end to end, and a bending one over both.
    let mut studio = Studio::new("hanging", 3, 0);
    let options = ViewOptions { show_pins: false, show_ground: false, ..ViewOptions::default() };
    let picture = studio.picture(&options);
    let bend = studio.sim.workset().rows.iter().filter(|row| row.group == Group::Bend);
    for row in bend {
        assert!(
            count(&picture, palette::color(row.color as usize)) > 50,
            "the bending thread of batch {} is hidden",
            row.color
        );
    }
}

#[test]
fn an_isolated_batch_is_alone() {
    let mut studio = Studio::new("hanging", 20, 30);
    let options = ViewOptions { isolated_batch: Some(5), ..ViewOptions::default() };
    let picture = studio.picture(&options);
    assert_eq!(batches_seen(&picture, 12), [5]);
}

#[test]
fn other_colourings_show_no_batches() {
    let mut studio = Studio::new("hanging", 20, 30);
    let mut of = |constraint_coloring| studio.picture(&ViewOptions { constraint_coloring, ..ViewOptions::default() });
    let (strain, group, hidden) =
        (of(ConstraintColoring::Strain), of(ConstraintColoring::Group), of(ConstraintColoring::Hidden));
    assert!(batches_seen(&strain, 12).is_empty());
    assert!(batches_seen(&hidden, 12).is_empty());
    for kind in Group::ALL {
        assert!(count(&group, palette::group_color(kind)) > 50, "{kind}");
        assert_eq!(count(&hidden, palette::group_color(kind)), 0, "{kind}");
    }
}

#[test]
fn strain_is_shown_by_its_colour() {
    // All rest lengths are half the length: a strain of 1, as far as the scale goes.
    let mut studio = Studio::new("artifact", 12, 0);
    let options = ViewOptions {
        constraint_coloring: ConstraintColoring::Strain,
        strain_range: 1.0,
        show_pins: false,
        ..ViewOptions::default()
    };
    let picture = studio.picture(&options);
    assert!(count(&picture, palette::strain_color(1.0)) > 1000);
    assert_eq!(count(&picture, palette::strain_color(-1.0)), 0);
    // On a scale of 2 it is half way; the shader mixes in floats and rounds once.
    let picture = studio.picture(&ViewOptions { strain_range: 2.0, ..options });
    let half = palette::strain_color(0.5);
    let near = |pixel: &image::Rgba<u8>| (0..3).all(|channel| pixel[channel].abs_diff(half[channel]) <= 1);
    assert!(picture.pixels().filter(|pixel| near(pixel)).count() > 1000);
}

#[test]
fn pins_are_marked_and_so_is_the_particle_under_the_cursor() {
    let mut studio = Studio::new("hanging", 20, 10);
    let pins: Vec<Vec3> = studio.sim.pins().values().copied().collect();
    assert_eq!(pins.len(), 2);
    let options = ViewOptions { show_pins: true, ..ViewOptions::default() };
    let with = studio.picture(&options);
    for pin in &pins {
        assert_eq!(studio.pixel_at(&with, *pin), [0xff; 3]);
    }
    let without = studio.picture(&ViewOptions { show_pins: false, ..options });
    for pin in &pins {
        assert_ne!(studio.pixel_at(&without, *pin), [0xff; 3]);
    }
    let marked = studio.picture(&ViewOptions { marked_particle: Some(200), ..options });
    let at = studio.sim.read_positions()[200].truncate();
    let (before, after) = (studio.pixel_at(&with, at), studio.pixel_at(&marked, at));
    assert_eq!(before, after, "a ring leaves the middle as it is");
    assert!(count(&marked, [0xff; 3]) > count(&with, [0xff; 3]) + 50, "no ring around particle 200");
}

#[test]
fn more_pins_than_there_was_room_for_are_marked_too() {
    // 128 of them; the list starts with room for 64.
    let mut studio = Studio::new("artifact", 64, 0);
    let picture = studio.picture(&ViewOptions::default());
    let pins: Vec<Vec3> = studio.sim.pins().values().copied().collect();
    assert_eq!(pins.len(), 128);
    for pin in pins {
        assert_eq!(studio.pixel_at(&picture, pin), [0xff; 3], "at {pin}");
    }
}

#[test]
fn cloth_and_ground_can_be_left_out() {
    let mut studio = Studio::new("hanging", 20, 10);
    let hidden = ViewOptions {
        constraint_coloring: ConstraintColoring::Hidden,
        show_cloth: false,
        show_pins: false,
        show_ground: false,
        ..ViewOptions::default()
    };
    let pixels = (SIZE[0] * SIZE[1]) as usize;
    assert_eq!(count(&studio.picture(&hidden), palette::BACKGROUND), pixels);
    let ground = studio.picture(&ViewOptions { show_ground: true, ..hidden });
    assert!(count(&ground, palette::BACKGROUND) < pixels - 1000);
    let cloth = studio.picture(&ViewOptions { show_cloth: true, ..hidden });
    assert!(count(&cloth, palette::BACKGROUND) < pixels - pixels / 10);
}

/// Where a driver collects a picture and runs dispatches at once, a timestamp has to be taken in its turn all the same.
#[test]
fn kernels_are_timed_while_a_picture_is_under_way() {
    let mut studio = Studio::new("hanging", 20, 1);
    let target = Target::offscreen(&studio.gpu, 64, 64);
    let start = std::time::Instant::now();
    for _ in 0..5 {
        studio.renderer.draw(&studio.sim, &studio.camera, &ViewOptions::default(), &target);
        studio.sim.residuals();
    }
    studio.sim.finish();
    let wall_ms = start.elapsed().as_secs_f64() * 1e3;
    let kernel_ms = studio.sim.pass_times()[&Kernel::Residual].total_ms;
    // A fortieth here, where drawing compiles too; a millionth where both timestamps were taken at the end.
    assert!(kernel_ms > 0.001 * wall_ms && kernel_ms < wall_ms, "{kernel_ms} ms of {wall_ms} ms");
}

#[test]
fn any_size_of_picture_is_drawn() {
    let mut studio = Studio::new("curtain", 8, 3);
    for size in [[1, 1], [1, 700], [700, 1], [33, 77]] {
        assert_eq!(studio.picture_of(&ViewOptions::default(), size).dimensions(), (size[0], size[1]));
    }
}

#[test]
fn dense_threads_fade_and_the_isolated_batch_does_not() {
    // Two and a half pixels a cell.
    let mut studio = Studio::new("hanging", 64, 5);
    let small = [320, 256];
    let all = studio.picture_of(&ViewOptions::default(), small);
    assert!(batches_seen(&all, 12).is_empty(), "{:?} at full strength", batches_seen(&all, 12));
    for batch in [0, 5, 9] {
        let options = ViewOptions { isolated_batch: Some(batch), ..ViewOptions::default() };
        assert_eq!(batches_seen(&studio.picture_of(&options, small), 12), [batch]);
    }
}

#[test]
fn a_thread_is_drawn_up_to_the_eye_that_it_passes() {
    let mut studio = Studio::new("artifact", 3, 0);
    // Looks along the cloth: the thread from (0, 1, 0) to (0.5, 1, 0) ends behind the eye.
    studio.camera = Camera { target: Vec3::new(-0.25, 1.02, 0.0), distance: 0.5, yaw: 1.4, pitch: 0.0 };
    let workset = studio.sim.workset();
    let place = workset.constraints.iter().position(|constraint| constraint.particles == [4, 5]).expect("a thread");
    let color = workset.batches.iter().position(|batch| (place as u32) < batch.offset + batch.count).expect("a batch");
    let picture = studio.picture(&ViewOptions::default());
    assert_eq!(studio.pixel_at(&picture, Vec3::new(0.07, 1.0, 0.0)), palette::color(color));
}

#[test]
fn a_reload_that_fails_leaves_the_picture() {
    let mut studio = Studio::new("hanging", 10, 5);
    let before = studio.picture(&ViewOptions::default());
    let folder = shader_folder::with("draw/cloth.frag", |_| "#version 450\nnonsense\n".into());
    let shaders = Shaders::in_folder(folder.path()).expect("all are there");
    let error = studio.renderer.reload(&shaders).expect_err("it does not compile").to_string();
    assert!(error.contains("draw/cloth.frag:2"), "{error}");
    assert!(studio.picture(&ViewOptions::default()) == before, "the picture changed");
}

/// The twin of `normals.comp`: face normals by area, added up triangle by triangle.
fn normals(positions: &[Vec4], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| positions[corner as usize].truncate());
        for corner in triangle {
            sums[*corner as usize] += (b - a).cross(c - a);
        }
    }
    sums.into_iter().map(Vec3::normalize_or_zero).collect()
}

#[test]
fn normals_equal_their_twin() {
    let gpu = Gpu::open();
    let mut model = scene::builtin("curtain").expect("a scene").build();
    // A triangle without area, a particle without triangles.
    model.triangles.push([3, 3, 9]);
    model.positions.push(Vec4::new(7.0, 7.0, 7.0, 1.0));
    let program = Program::new(&gpu, &Shaders::embedded(), &["draw/normals.comp"], &ReadPath::Texture.defines())
        .expect("a kernel");
    let run = |model: &Model| {
        let positions = Buffer::new(&gpu, "positions", &model.positions);
        let view = BufferTexture::new(&gpu, "positions", glow::RGBA32F, &positions);
        view.bind(texture::POSITIONS);
        let cloth = Cloth::new(&gpu, model);
        cloth.update_normals(&program);
        cloth.read_normals()
    };
    for (particle, (got, wanted)) in run(&model).iter().zip(normals(&model.positions, &model.triangles)).enumerate() {
        // Six cross products of edges of a few centimetres, each to float accuracy.
        assert!(got.truncate().distance(wanted) < 1e-5, "particle {particle}: {got} and not {wanted}");
    }
    let alone = Model { positions: vec![Vec4::ONE; 3], triangles: vec![[0, 1, 2]], ..model };
    assert!(run(&alone).iter().all(|normal| *normal == Vec4::ZERO), "coincident particles have no normal");
}

/// A colour in CIELAB as a kind of vision sees it, from published definitions and apart from the palette's own.
fn lab(rgb: [u8; 3], vision: &[[f64; 3]; 3]) -> [f64; 3] {
    let linear = rgb.map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    let through = |matrix: &[[f64; 3]; 3], v: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|row| matrix[row].iter().zip(v).map(|(m, x)| m * x).sum())
    };
    let seen = through(vision, linear).map(|value| value.clamp(0.0, 1.0));
    // sRGB to XYZ, D65 (IEC 61966-2-1).
    const XYZ: [[f64; 3]; 3] = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
    let white = [0.9505, 1.0, 1.089];
    let f: Vec<f64> = through(&XYZ, seen)
        .iter()
        .zip(white)
        .map(|(value, white)| {
            let t = value / white;
            if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
        })
        .collect();
    [116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])]
}

/// The distance in CIELAB, CIE 1976.
fn distance_1976(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

/// The difference after CIEDE2000; Sharma, Wu, Dalal 2005, equations 2 to 22.
fn difference_2000([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let saturation = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25f64.powi(7))).sqrt();
    let g = 0.5 * (1.0 - saturation(0.5 * (a1.hypot(b1) + a2.hypot(b2))));
    let (a1, a2) = ((1.0 + g) * a1, (1.0 + g) * a2);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let (h1, h2) = (b1.atan2(a1).to_degrees().rem_euclid(360.0), b2.atan2(a2).to_degrees().rem_euclid(360.0));
    let turn = (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0;
    let hue = 2.0 * (c1 * c2).sqrt() * (0.5 * turn).to_radians().sin();
    let (l, c, h) = (0.5 * (l1 + l2), 0.5 * (c1 + c2), (h1 + 0.5 * turn).rem_euclid(360.0));
    let cos = |factor: f64, offset: f64| (factor * h + offset).to_radians().cos();
    let t = 1.0 - 0.17 * cos(1.0, -30.0) + 0.24 * cos(2.0, 0.0) + 0.32 * cos(3.0, 6.0) - 0.20 * cos(4.0, -63.0);
    let light = (l2 - l1) / (1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt());
    let chroma = (c2 - c1) / (1.0 + 0.045 * c);
    let hue = hue / (1.0 + 0.015 * c * t);
    let rotation = -(60.0 * (-((h - 275.0) / 25.0).powi(2)).exp()).to_radians().sin() * 2.0 * saturation(c);
    (light * light + chroma * chroma + hue * hue + rotation * chroma * hue).sqrt()
}

#[test]
fn differences_of_colours_are_those_of_the_published_pairs() {
    // Sharma, Wu, Dalal 2005, table 1, pairs 1, 11, 17 and 24.
    for (a, b, published) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -0.001, 2.49], [50.0, 0.0009, -2.49], 4.8045),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.335], 1.0),
    ] {
        assert!((difference_2000(a, b) - published).abs() < 1e-4, "{}", difference_2000(a, b));
    }
}

/// Machado, Oliveira, Fernandes 2009, table for severity 1, on linear RGB; the first is normal vision.
const VISIONS: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
];

#[test]
fn the_first_twelve_colours_stay_apart_for_every_eye() {
    for (kind, vision) in VISIONS.iter().enumerate() {
        for a in 0..12 {
            for b in 0..a {
                let (a_seen, b_seen) = (lab(palette::color(a), vision), lab(palette::color(b), vision));
                let (old, new) = (distance_1976(a_seen, b_seen), difference_2000(a_seen, b_seen));
                assert!(old > 23.0, "colours {a} and {b} are {old:.1} apart in vision {kind}");
                assert!(new > 11.9, "colours {a} and {b} differ by {new:.1} in vision {kind}");
            }
            let off = distance_1976(lab(palette::color(a), vision), lab(palette::BACKGROUND, vision));
            assert!(off > 18.0, "colour {a} is {off:.1} from the background in vision {kind}");
        }
    }
}

#[test]
fn the_palette_has_256_colours_and_then_begins_again() {
    let all: HashSet<[u8; 3]> = (0..palette::LEN).map(palette::color).collect();
    assert_eq!(all.len(), 256);
    assert!(!all.contains(&palette::BACKGROUND));
    assert_eq!(palette::color(256), palette::color(0));
}
