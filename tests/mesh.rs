//! Meshes from files: what is read, what is repaired, what is refused, and that it hangs.

mod common;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use common::{Gpu, Random};
use glam::Vec3;
use proptest::prelude::*;
use tartan::coloring::{Workset, first_fit, validate};
use tartan::constraint::Group;
use tartan::gpu::Shaders;
use tartan::mesh::{
    DROPPED, Format, Import, ImportOptions, MeshError, PinRule, Source, Unit, UnitChoice, Weld, import, read_bytes,
    topology,
};
use tartan::scene::{Cloth, MeshOptions, Scene, SceneOptions, of_mesh};
use tartan::solver::{ReadPath, Simulation};

/// Where Debian puts the models that Assimp is tested with.
const MODELS: &str = "/usr/share/assimp/models";

/// As large a mesh as is simulated here.
const PARTICLES: usize = 20_000;

fn obj(text: &str) -> Result<Source, MeshError> {
    read_bytes(text.as_bytes(), Format::Obj, "a.obj")
}

fn taken_in(source: &Source) -> Result<Import, MeshError> {
    import(source, "a.obj", &ImportOptions { unit: UnitChoice::Is(Unit::Metre), ..ImportOptions::default() })
}

/// Coloured properly, and finite after `frames` steps.
fn hangs(gpu: &Gpu, what: &str, scene: &Scene, frames: u32) {
    let model = scene.build();
    let incidence = model.incidence();
    let coloring = first_fit(&incidence);
    assert_eq!(validate(&incidence, &coloring), Ok(()), "{what}");
    let workset = Workset::new(&model.constraints, &incidence, &coloring).expect("it is valid");
    let read_path = ReadPath::for_driver(gpu);
    let mut sim =
        Simulation::new(gpu, &Shaders::embedded(), read_path, model, workset, scene.params).expect("it starts");
    (0..frames).for_each(|_| sim.step());
    let positions = sim.read_positions();
    assert!(positions.iter().all(|position| position.is_finite()), "{what} is not finite after {frames} frames");
    assert_eq!(sim.pinned_drift_max(&positions), 0.0, "{what}");
}

fn models() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for folder in ["OBJ", "PLY", "STL", "invalid"] {
        let folder = Path::new(MODELS).join(folder);
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|_| panic!("{} is missing: .ci/setup installs assimp-testmodels", folder.display()));
        paths.extend(entries.map(|entry| entry.expect("an entry").path()).filter(|path| Format::of(path).is_some()));
    }
    paths.sort();
    assert!(paths.len() > 35, "{} models", paths.len());
    paths
}

#[test]
fn every_model_of_assimp_hangs_or_is_refused_in_a_sentence() {
    let gpu = Gpu::open();
    let (mut hung, mut refused) = (0, 0);
    for path in models() {
        let what = path.display().to_string();
        let scene = of_mesh(&path, &MeshOptions::default())
            .map_err(|error| error.to_string())
            .and_then(|scene| scene.with(&SceneOptions::default()));
        match scene {
            Ok(scene) => {
                assert!(scene.build().positions.len() <= PARTICLES, "{what} is larger than what is tried");
                hangs(&gpu, &what, &scene, 60);
                hung += 1;
            }
            Err(error) => {
                assert!(error.starts_with(&what), "{error} does not name {what}");
                assert_eq!(error.lines().count(), 1, "{error}");
                assert!(error.len() < what.len() + 160, "{error}");
                refused += 1;
            }
        }
    }
    assert!(hung >= 25 && refused >= 5, "{hung} hung, {refused} were refused");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, line, word) in [
        ("v 0 0 0\nv 1 0\n", Some(2), "coordinates"),
        ("v 0 0 zero\n", Some(1), "`zero`"),
        ("v 0 nan 0\n", Some(1), "`nan`"),
        ("v 0 1e99 0\n", Some(1), "`1e99`"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", Some(4), "vertex 4"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", Some(4), "vertex 0"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", Some(4), "vertex -4"),
        ("v 0 0 0\nv 1 0 0\nf 1 2\n", Some(3), "a face of 2"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", Some(4), "names no vertex"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\nx\n", Some(4), "`x`"),
        ("v 0 0 0\nl 1\n", Some(2), "a line of one"),
        ("v 0 0 0\0\n", None, "no text"),
    ] {
        let error = obj(text).expect_err(text);
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.cause.contains(word), "{text:?}: {error}");
    }
    for (text, word) in [
        ("", "neither faces nor lines"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "neither faces nor lines"),
        ("v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", "at one place"),
        ("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "none of its faces"),
    ] {
        let error = obj(text).and_then(|source| taken_in(&source)).expect_err(text);
        assert!(error.cause.contains(word), "{text:?}: {error}");
    }
}

#[test]
fn obj_is_read_as_it_is_written() {
    let text = "# a roof\nmtllib x.mtl\no one\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng a b\n\
                f 1/1 2/1/1 3//1 4\no two\nv 0 2 0\nf -1 \\\n -2 -3\nl 1 2 3 # two lines\np 1\ncurv 1\n";
    let source = obj(text).expect("it is right");
    assert_eq!(source.positions.len(), 5);
    assert_eq!(source.faces, [vec![0, 1, 2, 3], vec![4, 3, 2]]);
    assert_eq!(source.lines, [[0, 1], [1, 2]]);
}

/// The same square of two triangles in each form.
fn square_in_every_form() -> Vec<(&'static str, Format, Vec<u8>)> {
    let corners: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let faces = [[0usize, 1, 2], [0, 2, 3]];
    let mut forms = Vec::new();
    let vertices: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let lines: String = faces.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).collect();
    forms.push(("obj", Format::Obj, format!("{vertices}{lines}").into_bytes()));
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
             element face 2\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let mut ascii = header("ascii");
    corners.iter().for_each(|[x, y, z]| ascii += &format!("{x} {y} {z}\n"));
    faces.iter().for_each(|[a, b, c]| ascii += &format!("3 {a} {b} {c}\n"));
    forms.push(("text ply", Format::Ply, ascii.into_bytes()));
    for (name, format, big) in [("little ply", "binary_little_endian", false), ("big ply", "binary_big_endian", true)] {
        let mut bytes = header(format).into_bytes();
        for number in corners.iter().flatten() {
            bytes.extend(if big { number.to_be_bytes() } else { number.to_le_bytes() });
        }
        for face in faces {
            bytes.push(3);
            for index in face {
                bytes.extend(if big { (index as i32).to_be_bytes() } else { (index as i32).to_le_bytes() });
            }
        }
        forms.push((name, Format::Ply, bytes));
    }
    let mut text = String::from("solid square\n");
    let mut binary = [vec![b's'; 80], 2u32.to_le_bytes().to_vec()].concat();
    binary[..5].copy_from_slice(b"solid");
    for face in faces {
        text += "facet normal 0 0 1\nouter loop\n";
        binary.extend([0u8; 12]);
        for [x, y, z] in face.map(|corner| corners[corner]) {
            text += &format!("vertex {x} {y} {z}\n");
            [x, y, z].iter().for_each(|number| binary.extend(number.to_le_bytes()));
        }
        text += "endloop\nendfacet\n";
        binary.extend([0u8; 2]);
    }
    text += "endsolid square\n";
    forms.push(("text stl", Format::Stl, text.into_bytes()));
    forms.push(("binary stl", Format::Stl, binary));
    forms
}

#[test]
fn every_form_gives_the_same_cloth() {
    for (name, format, bytes) in square_in_every_form() {
        let source = read_bytes(&bytes, format, name).unwrap_or_else(|error| panic!("{error}"));
        let import = taken_in(&source).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(import.positions.len(), 4, "{name}");
        assert_eq!(import.triangles, [[0, 1, 2], [0, 2, 3]], "{name}");
        assert_eq!(topology::edges(&import.triangles), [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]], "{name}");
        assert_eq!(topology::hinges(&import.triangles), [[0, 2, 1, 3]], "{name}");
    }
}

/// Whatever is cut off or changed, nothing panics, hangs, or takes memory that the file does not have.
#[test]
fn broken_files_are_read_or_refused() {
    let random = &mut Random(41);
    let mut inputs: Vec<(String, Format, Vec<u8>)> =
        square_in_every_form().into_iter().map(|(name, format, bytes)| (name.to_owned(), format, bytes)).collect();
    for path in models() {
        let bytes = std::fs::read(&path).expect("it is there");
        if bytes.len() < 60_000 {
            inputs.push((path.display().to_string(), Format::of(&path).expect("a mesh"), bytes));
        }
    }
    for (name, format, bytes) in inputs {
        for _ in 0..60 {
            let mut bytes = bytes.clone();
            match random.below(4) {
                0 => bytes.truncate(random.below(bytes.len() + 1)),
                1 => {
                    let places = 1 + random.below(8);
                    for _ in (0..places).take(bytes.len()) {
                        let at = random.below(bytes.len());
                        bytes[at] = random.bits() as u8;
                    }
                }
                2 => {
                    // A number becomes a huge one.
                    let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                    if !digits.is_empty() {
                        let at = digits[random.below(digits.len())];
                        bytes.splice(at..at, *b"99999999");
                    }
                }
                _ => {
                    let (from, to) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
                    let part = bytes[from.min(to)..from.max(to)].to_vec();
                    bytes.extend(part);
                }
            }
            if let Ok(source) = read_bytes(&bytes, format, &name)
                && let Ok(import) = taken_in(&source)
            {
                assert_sound(&source, &import);
            }
        }
    }
}

#[test]
fn a_header_is_not_believed() {
    for (text, word) in [
        ("element vertex 4000000000\nproperty float x\nproperty float y\nproperty float z", "4000000000 vertex"),
        ("element vertex 18446744073709551615\nproperty double x\nproperty double y\nproperty double z", "vertex"),
        ("element dust 4000000000", "4000000000 dust"),
    ] {
        for format in ["ascii", "binary_little_endian"] {
            let bytes = format!("ply\nformat {format} 1.0\n{text}\nend_header\n").into_bytes();
            let error = read_bytes(&bytes, Format::Ply, "a.ply").expect_err("it is too short");
            assert!(error.cause.contains(word) && error.cause.contains("too short"), "{error}");
        }
    }
    // A list of four thousand million entries.
    let mut bytes =
        b"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint int vertex_indices\nend_header\n"
            .to_vec();
    bytes.extend(u32::MAX.to_le_bytes());
    read_bytes(&bytes, Format::Ply, "a.ply").expect_err("the list is not there");
    let stl = [vec![0; 80], u32::MAX.to_le_bytes().to_vec(), vec![0; 50]].concat();
    read_bytes(&stl, Format::Stl, "a.stl").expect_err("the triangles are not there");
}

/// What holds for every mesh that is taken in.
fn assert_sound(source: &Source, import: &Import) {
    let count = import.positions.len() as u32;
    assert!(import.positions.iter().all(|position| position.is_finite()));
    let mut used: HashSet<u32> = HashSet::new();
    let mut seen = HashSet::new();
    for triangle in &import.triangles {
        let corners: BTreeSet<u32> = triangle.iter().copied().collect();
        assert_eq!(corners.len(), 3, "{triangle:?} has three corners");
        assert!(seen.insert(corners), "{triangle:?} is there once");
        used.extend(triangle);
    }
    for line in &import.lines {
        assert_ne!(line[0], line[1]);
        used.extend(line);
    }
    assert!(used.iter().all(|particle| *particle < count));
    assert_eq!(used.len() as u32, count, "no particle is alone");
    assert_eq!(import.particle_of.len(), source.positions.len());
    let reached: HashSet<u32> = import.particle_of.iter().copied().filter(|particle| *particle != DROPPED).collect();
    assert_eq!(reached.len() as u32, count, "every particle comes from a vertex");
}

#[test]
fn vertices_are_welded_dropped_and_kept_track_of() {
    // Two triangles that share an edge of doubled vertices, one vertex off by less than the tolerance, one that nobody names.
    let text =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 1 0 0.0000001\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 5 7 6\nf 7 6 5\nf 1 1 2\n";
    let source = obj(text).expect("it is right");
    let import = taken_in(&source).expect("a cloth");
    assert_sound(&source, &import);
    assert_eq!(import.particle_of, [0, 1, 2, DROPPED, 1, 2, 3]);
    assert_eq!(import.triangles, [[0, 1, 2], [1, 3, 2]]);
    let report = &import.report;
    assert_eq!((report.welded, report.isolated, report.repeated, report.degenerate), (2, 1, 1, 1));
    let text = report.to_string();
    for part in ["7 vertices, 4 faces", "4 particles, 2 triangles", "2 vertices welded", "1 isolated", "unit m"] {
        assert!(text.contains(part), "{text} and not {part}");
    }
    let apart = ImportOptions { weld: Weld(None), unit: UnitChoice::Is(Unit::Metre) };
    let import = tartan::mesh::import(&source, "a.obj", &apart).expect("a cloth");
    assert_eq!(import.positions.len(), 6, "nothing is welded");
    let equal = ImportOptions { weld: Weld(Some(0.0)), ..apart };
    let import = tartan::mesh::import(&source, "a.obj", &equal).expect("a cloth");
    assert_eq!(import.positions.len(), 5, "what is equal is welded");
}

#[test]
fn polygons_are_cut_without_leaving_their_outline() {
    // An L, whose corners no fan from the first one stays within.
    let text = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 3 4 5 6 1 2\n";
    let import = taken_in(&obj(text).expect("right")).expect("a cloth");
    assert_eq!(import.triangles.len(), 4);
    let area: f32 = import
        .triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|corner| import.positions[corner as usize]);
            0.5 * (b - a).cross(c - a).length()
        })
        .sum();
    assert!((area - 5.0).abs() < 1e-5, "the triangles cover {area} and not 5");
}

#[test]
fn a_polygon_that_names_its_corners_again_and_again_is_no_more_work() {
    let mut text = String::from("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf");
    for _ in 0..50_000 {
        text += " 1 2 3 4";
    }
    let import = taken_in(&obj(&text).expect("right")).expect("a cloth");
    assert_eq!(import.triangles.len(), 2);
    // Around a hole and back: the cut is passed twice.
    let text = "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\nv 2 1 0\nf 1 2 3 4 1 5 6 7 8 5\n";
    let import = taken_in(&obj(text).expect("right")).expect("a cloth");
    let corner = |corner: u32| import.positions[corner as usize];
    let area = |[a, b, c]: &[u32; 3]| 0.5 * (corner(*b) - corner(*a)).cross(corner(*c) - corner(*a)).length();
    let covered: f32 = import.triangles.iter().map(area).sum();
    assert!((covered - 8.0).abs() < 1e-5, "{covered} of 9 − 1");
}

#[test]
fn units_are_guessed_and_said() {
    for (size, metres, said) in [
        (1.5, 1.0, "unit taken to be m"),
        (150.0, 0.01, "unit taken to be cm"),
        (1500.0, 0.001, "unit taken to be mm"),
        (1e6, 2e-6, "scaled to 2 m"),
        (1e-6, 2e6, "scaled to 2 m"),
    ] {
        let side = size / f64::sqrt(2.0);
        let text = format!("v 0 0 0\nv {side} 0 0\nv 0 {side} 0\nv {side} {side} 0\nf 1 2 4 3\n");
        let import = import(&obj(&text).expect("right"), "a.obj", &ImportOptions::default()).expect("a cloth");
        let found = import.report.scale.metres;
        assert!((found / metres - 1.0).abs() < 1e-5, "{size}: {found} m and not {metres}");
        assert!(import.report.to_string().contains(said), "{}", import.report);
    }
    for (name, metres) in [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("ft", 0.3048)] {
        let options = ImportOptions { unit: name.parse().expect("a unit"), ..ImportOptions::default() };
        let source = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("right");
        let import = import(&source, "a.obj", &options).expect("a cloth");
        assert!((import.positions[1] - import.positions[0]).length() - metres < 1e-6, "{name}");
    }
    assert!("yard".parse::<UnitChoice>().expect_err("no such").contains("`yard`"));
}

#[test]
fn pins_are_chosen_by_rule() {
    let at = |text: &str| text.parse::<PinRule>().unwrap_or_else(|error| panic!("{error}"));
    let holds = |rule: &str, x: f32, y: f32| at(rule).holds(&[6], Vec3::new(x, y, 0.5));
    assert!(holds("top", 0.5, 1.0) && !holds("top", 0.5, 0.9));
    assert!(holds("bottom", 0.5, 0.0) && holds("left", 0.0, 0.5) && holds("right", 1.0, 0.5));
    assert!(at("front").holds(&[], Vec3::Z) && at("back").holds(&[], Vec3::ZERO));
    assert!(!holds("none", 0.5, 1.0));
    assert!(holds("corners", 0.0, 1.0) && holds("corners", 1.0, 0.0) && !holds("corners", 0.5, 1.0));
    assert!(holds("y>0.9", 0.5, 0.95) && !holds("y>0.9", 0.5, 0.85));
    assert!(holds("y>0.9&x<0.1", 0.05, 0.95) && !holds("y>0.9&x<0.1", 0.5, 0.95));
    assert!(holds("none, x<=0.1", 0.1, 0.0));
    assert!(holds("7", 0.5, 0.5) && holds("5-9", 0.5, 0.5) && !holds("8-9", 0.5, 0.5) && !holds("6", 0.5, 0.5));
    for bad in ["", "tops", "y>", "w>1", "9-5", "0", "y>nan", "top&"] {
        assert!(
            bad.parse::<PinRule>().expect_err(bad).contains(&format!("`{}`", bad.trim_end_matches("top&"))),
            "{bad}"
        );
    }
}

/// Writes a mesh file into a folder of its own.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    (folder, path)
}

/// A flag of `side` × `side` squares, hanging or lying.
fn sheet(side: u32, lying: bool) -> String {
    let mut text = String::new();
    for row in 0..=side {
        for column in 0..=side {
            let (x, y) = (column as f32 / side as f32, row as f32 / side as f32);
            text += &if lying { format!("v {x} 0 {y}\n") } else { format!("v {x} {y} 0\n") };
        }
    }
    for row in 0..side {
        for column in 0..side {
            let a = row * (side + 1) + column + 1;
            text += &format!("f {} {} {} {}\n", a, a + 1, a + side + 2, a + side + 1);
        }
    }
    text
}

#[test]
fn a_mesh_hangs_by_its_top_row() {
    let gpu = Gpu::open();
    let (_folder, path) = file("flag.obj", sheet(6, false).as_bytes());
    let scene = of_mesh(&path, &MeshOptions::default()).expect("a flag");
    assert_eq!(scene.title(), "flag.obj");
    let model = scene.build();
    let pinned: Vec<usize> = (0..model.positions.len()).filter(|&i| model.positions[i].w == 0.0).collect();
    assert_eq!(pinned, (42..49).collect::<Vec<_>>());
    let count = |group| model.constraints.iter().filter(|constraint| constraint.group == group).count();
    // 2·6·7 sides and 36 diagonals; across them the 84 − 24 inner sides and the 36 diagonals, less nothing.
    assert_eq!(count(Group::Edge), 84 + 36);
    assert_eq!(count(Group::Bend), 60 + 36);
    let mass: f32 = model.free_inv_masses.iter().map(|inv_mass| 1.0 / inv_mass).sum();
    assert!((mass - 0.2).abs() < 1e-4, "a square metre weighs {mass} kg");
    let lengths = model.constraints.iter().map(|constraint| {
        let [a, b] = constraint.particles.map(|particle| model.positions[particle as usize].truncate());
        (a.distance(b), constraint.rest_length)
    });
    lengths.for_each(|(length, rest)| assert!((length - rest).abs() < 1e-6));
    hangs(&gpu, "flag", &scene, 60);

    let (_folder, path) = file("lies.obj", sheet(6, true).as_bytes());
    let model = of_mesh(&path, &MeshOptions::default()).expect("a sheet").build();
    let pinned: Vec<usize> = (0..model.positions.len()).filter(|&i| model.positions[i].w == 0.0).collect();
    assert_eq!(pinned, [0, 6, 42, 48], "what lies hangs by its corners");
}

#[test]
fn options_of_grids_are_refused_for_meshes() {
    let (_folder, path) = file("flag.obj", sheet(2, false).as_bytes());
    let scene = of_mesh(&path, &MeshOptions::default()).expect("a flag");
    let with = |options: SceneOptions| scene.clone().with(&options);
    assert!(
        with(SceneOptions { resolution: Some(8), ..SceneOptions::default() })
            .expect_err("no grid")
            .contains("--resolution")
    );
    let springs =
        |text: &str| SceneOptions { springs: Some(text.parse().expect("springs")), ..SceneOptions::default() };
    assert!(with(springs("structural,shear")).expect_err("no grid").contains("shear"));
    let edges = with(springs("structural")).expect("edges alone").build();
    assert!(edges.constraints.iter().all(|constraint| constraint.group == Group::Edge));
    let Cloth::Mesh(mesh) = &scene.cloth else { panic!("a mesh") };
    assert_eq!(mesh.pieces(), (1, 0));
}

#[test]
fn pieces_without_a_pin_are_counted() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 0 0\nv 4 0 0\nv 3 0.5 0\nf 1 2 3\nf 4 5 6\n";
    let (_folder, path) = file("two.obj", text.as_bytes());
    let Cloth::Mesh(mesh) = of_mesh(&path, &MeshOptions::default()).expect("two").cloth else { panic!("a mesh") };
    assert_eq!(mesh.pieces(), (2, 1));
}

/// The welds of all pairs, in the order of the vertices.
fn weld_by_all_pairs(positions: &[Vec3], tolerance: f32) -> usize {
    let mut kept: Vec<Vec3> = Vec::new();
    for position in positions {
        if !kept.iter().any(|other| other.as_dvec3().distance(position.as_dvec3()) <= f64::from(tolerance)) {
            kept.push(*position);
        }
    }
    kept.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Duplicate, isolated, turned and repeated, more than two at an edge, in pieces, everything at one hub: all of it comes
    /// out sound, and what is no number is refused.
    #[test]
    fn generated_meshes_come_out_sound(
        places in prop::collection::vec(prop::array::uniform3(-3i8..4), 1..24),
        faces in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 3..7), 0..24),
        lines in prop::collection::vec(prop::array::uniform2(any::<prop::sample::Index>()), 0..6),
        hub in any::<bool>(),
        broken in prop::option::weighted(0.1, any::<prop::sample::Index>()),
        weld in prop_oneof![Just(Weld(None)), Just(Weld(Some(0.0))), Just(Weld(Some(1e-6))), Just(Weld(Some(0.1)))],
    ) {
        let number = |index: &prop::sample::Index| index.index(places.len()) as u32;
        let mut source = Source {
            positions: places.iter().map(|place| Vec3::from_array(place.map(f32::from))).collect(),
            faces: faces.iter().map(|face| face.iter().map(number).collect()).collect(),
            lines: lines.iter().map(|[a, b]| [number(a), number(b)]).collect(),
        };
        if hub {
            source.faces.iter_mut().for_each(|face| face[0] = 0);
        }
        let mut text = String::new();
        for (vertex, position) in source.positions.iter().enumerate() {
            let is_broken = broken.is_some_and(|index| index.index(places.len()) == vertex);
            let x = if is_broken { "NaN".to_owned() } else { position.x.to_string() };
            text += &format!("v {x} {} {}\n", position.y, position.z);
        }
        for face in &source.faces {
            text += "f";
            face.iter().for_each(|corner| text += &format!(" {}", corner + 1));
            text += "\n";
        }
        source.lines.iter().for_each(|[a, b]| text += &format!("l {} {}\n", a + 1, b + 1));
        match obj(&text) {
            Err(error) => {
                let line = broken.map(|index| index.index(places.len()) + 1);
                prop_assert!(broken.is_some() && error.line == line, "{}", error);
            }
            Ok(read) => {
                prop_assert!(broken.is_none());
                prop_assert_eq!(&read, &source);
                let options = ImportOptions { weld, unit: UnitChoice::Is(Unit::Metre) };
                if let Ok(import) = import(&source, "a.obj", &options) {
                    assert_sound(&source, &import);
                    let named: BTreeSet<u32> = source.faces.iter().flatten().chain(source.lines.as_flattened()).copied().collect();
                    let named: Vec<Vec3> = named.iter().map(|&vertex| source.positions[vertex as usize]).collect();
                    let (low, high) = named.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), at| (l.min(*at), h.max(*at)));
                    if let Weld(Some(share)) = weld {
                        // On a lattice no two distances are near a tolerance of a tenth of the diagonal.
                        let tolerance = share as f32 * (high - low).length();
                        if (tolerance - 1.0).abs() > 1e-3 {
                            prop_assert_eq!(import.report.welded, named.len() - weld_by_all_pairs(&named, tolerance));
                        }
                    } else {
                        prop_assert_eq!(import.report.welded, 0);
                    }
                }
            }
        }
    }
}
