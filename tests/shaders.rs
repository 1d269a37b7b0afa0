//! Shader files against one another and against the host, without OpenGL.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use tartan::gpu::layout::{
    self, StructLayout, color_location, color_storage, color_texture, draw_storage, location, storage, texture, uniform,
};
use tartan::gpu::reflect::Reflection;
use tartan::gpu::source::{ShaderError, files};
use tartan::gpu::{Shaders, Stage};
use tartan::solver::ReadPath;

use common::shader_folder;

/// Workgroups are this large in every kernel of the solver and of colouring.
const LOCAL_SIZE: u32 = 256;

/// Every block and texture by its name in the shaders. Storage blocks, uniform blocks and textures are numbered apart.
const BINDINGS: &[(&str, u32)] = &[
    ("PositionBuffer", storage::POSITIONS),
    ("ConstraintBuffer", storage::CONSTRAINTS),
    ("PrevPositionBuffer", storage::PREV_POSITIONS),
    ("VelocityBuffer", storage::VELOCITIES),
    ("DeltaBuffer", storage::DELTAS),
    ("ValenceBuffer", storage::VALENCES),
    ("ResidualBuffer", storage::RESIDUALS),
    ("LambdaBuffer", storage::LAMBDAS),
    ("HistoryBuffer", storage::HISTORIES),
    ("Params", uniform::PARAMS),
    ("View", uniform::VIEW),
    ("u_Positions", texture::POSITIONS),
    ("u_Constraints", texture::CONSTRAINTS),
    ("u_Tags", texture::TAGS),
    ("u_Normals", texture::NORMALS),
    ("u_Marks", texture::MARKS),
    ("u_Paint", texture::PAINT),
    ("NormalBuffer", draw_storage::NORMALS),
    ("FanOffsetBuffer", draw_storage::FAN_OFFSETS),
    ("FanBuffer", draw_storage::FANS),
    ("IncidenceBuffer", color_storage::INCIDENCE),
    ("ColorBuffer", color_storage::COLORS),
    ("SpeculationBuffer", color_storage::SPECULATIONS),
    ("ListBuffer", color_storage::LISTS),
    ("RoundBuffer", color_storage::ROUNDS),
    ("ClaimBuffer", color_storage::CLAIMS),
    ("PlanBuffer", color_storage::PLANS),
    ("EdgeBuffer", color_storage::EDGES),
    ("MaskBuffer", color_storage::MASKS),
    ("SlotBuffer", color_storage::SLOTS),
    ("ClassBuffer", color_storage::CLASSES),
    ("BatchBuffer", color_storage::BATCHES),
    ("BaseOrderBuffer", color_storage::BASE_ORDER),
    ("OrderBuffer", color_storage::ORDER),
    ("CounterBuffer", color_storage::COUNTERS),
    ("ColorParams", uniform::COLOR_PARAMS),
    ("u_Incidence", color_texture::INCIDENCE),
    ("u_Colors", color_texture::COLORS),
    ("u_Speculations", color_texture::SPECULATIONS),
    ("u_Edges", color_texture::EDGES),
    ("u_Masks", color_texture::MASKS),
    ("u_Slots", color_texture::SLOTS),
    ("u_Lists", color_texture::LISTS),
    ("u_Plans", color_texture::PLANS),
    ("u_Claims", color_texture::CLAIMS),
    ("u_BaseOrder", color_texture::BASE_ORDER),
];

/// The loose uniforms of the kernels that solve and colour.
const LOCATIONS: &[(&str, u32)] = &[
    ("u_BatchOffset", location::BATCH_OFFSET),
    ("u_BatchCount", location::BATCH_COUNT),
    ("u_ResidualOffset", location::RESIDUAL_OFFSET),
    ("u_First", location::FIRST),
    ("u_Round", color_location::ROUND),
    ("u_Epoch", color_location::EPOCH),
    ("u_ColorCount", color_location::COLOR_COUNT),
];

/// Whether it is one of the kernels that solve and colour, as against those that draw.
fn is_kernel(path: &str) -> bool {
    path.starts_with("solve/") || path.starts_with("color/")
}

/// What every shader with a stage declares, by both read paths.
fn reflections() -> Vec<(String, Reflection)> {
    let shaders = Shaders::embedded();
    let staged = files().into_iter().filter(|path| Stage::of(path).is_some());
    let both =
        staged.flat_map(|path| [ReadPath::Storage, ReadPath::Texture].map(|read_path| (path.clone(), read_path)));
    both.map(|(path, read_path)| {
        let compiled = shaders.compile(&path, &read_path.defines()).unwrap_or_else(|error| panic!("{path}: {error}"));
        (path, compiled.reflection)
    })
    .collect()
}

#[test]
fn every_shader_compiles_on_both_read_paths() {
    assert!(reflections().len() >= 12);
    for path in files().iter().filter(|path| Stage::of(path).is_none()) {
        assert!(path.ends_with(".glsl"), "{path} has no stage and is nothing to include");
    }
}

#[test]
fn shared_structs_are_the_hosts() {
    let reflections = reflections();
    for (path, reflection) in &reflections {
        reflection.check(layout::SHARED).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    for host in layout::SHARED {
        let seen =
            reflections.iter().flat_map(|(_, reflection)| &reflection.structs).any(|seen| seen.name == host.name);
        // The camera's block belongs to the renderer; the solver is complete without it.
        assert!(seen || host.name == "View", "no shader declares struct {}", host.name);
    }
}

#[test]
fn blocks_and_textures_are_bound_where_the_host_binds_them() {
    let expected: BTreeMap<&str, u32> = BINDINGS.iter().copied().collect();
    for (path, reflection) in reflections() {
        for (name, binding) in &reflection.bindings {
            assert_eq!(expected.get(name.as_str()), Some(binding), "{path} binds {name} to {binding}");
        }
    }
}

/// Two storage blocks of one shader at one binding would be one buffer, and so would two textures.
#[test]
fn no_two_bindings_of_a_shader_are_the_same() {
    for (path, reflection) in reflections() {
        for kind in [is_storage, is_texture] {
            let mut at: Vec<u32> =
                reflection.bindings.iter().filter(|(name, _)| kind(name)).map(|(_, at)| *at).collect();
            at.sort_unstable();
            // OpenGL 4.5 promises eight storage blocks, numbered from 0.
            assert!(at.windows(2).all(|pair| pair[0] != pair[1]) && at.iter().all(|&at| at < 8), "{path}: {at:?}");
        }
    }
}

fn is_storage(name: &str) -> bool {
    name.ends_with("Buffer")
}

fn is_texture(name: &str) -> bool {
    name.starts_with("u_")
}

#[test]
fn uniforms_of_the_kernels_stand_where_the_host_sets_them() {
    let expected: BTreeMap<&str, u32> = LOCATIONS.iter().copied().collect();
    let mut seen = BTreeMap::new();
    for (path, reflection) in reflections().into_iter().filter(|(path, _)| is_kernel(path)) {
        for (name, location) in reflection.locations {
            assert_eq!(expected.get(name.as_str()), Some(&location), "{path} has {name} at {location}");
            seen.insert(name, location);
        }
    }
    assert_eq!(seen.len(), expected.len(), "each is used: {seen:?}");
}

#[test]
fn kernels_have_the_hosts_group_size() {
    assert_eq!(ReadPath::Storage.defines()[0], ("LOCAL_SIZE", LOCAL_SIZE));
    for (path, reflection) in reflections().into_iter().filter(|(path, _)| is_kernel(path)) {
        assert_eq!(reflection.local_size, LOCAL_SIZE, "{path}");
    }
}

/// What compiling `path` from `folder` says.
fn error_of(folder: &Path, path: &str) -> ShaderError {
    let shaders = Shaders::in_folder(folder).expect("all files are there");
    assert_eq!(shaders.folder(), Some(folder));
    shaders.compile(path, &ReadPath::Texture.defines()).expect_err("it is broken")
}

/// Puts a line that does not compile at the top of the function that starts with `start`; says which line it is.
fn break_after(text: &str, start: &str) -> (String, usize) {
    let line = text.lines().position(|line| line.starts_with(start)).expect("the function is there") + 1;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(line, "    int broken = vec2(0.0);");
    (lines.join("\n") + "\n", line + 1)
}

#[test]
fn a_folder_of_the_same_files_compiles_to_the_same_text() {
    let folder = shader_folder::with("", |text| text);
    let shaders = Shaders::in_folder(folder.path()).expect("all files are there");
    for path in files().iter().filter(|path| Stage::of(path).is_some()) {
        let compile =
            |shaders: &Shaders| shaders.compile(path, &ReadPath::Texture.defines()).expect("it compiles").text;
        assert_eq!(compile(&shaders), compile(&Shaders::embedded()), "{path}");
    }
}

#[test]
fn a_broken_shader_is_reported_with_file_and_line() {
    for (broken, start) in [("solve/predict.comp", "void main"), ("common/distance.glsl", "vec3 distanceCorrection")] {
        let (_, line) = break_after(&Shaders::embedded().read(broken).expect("it is embedded"), start);
        let folder = shader_folder::with(broken, |text| break_after(&text, start).0);
        let compiled = if Stage::of(broken).is_some() { broken } else { "solve/project_distance.comp" };
        let error = error_of(folder.path(), compiled).to_string();
        assert!(error.contains(&format!("{broken}:{line}: error:")), "{error}");
    }
}

#[test]
fn a_missing_file_is_reported_by_its_path() {
    let folder = shader_folder::with("", |text| text);
    let missing = folder.path().join("common/fetch.glsl");
    std::fs::remove_file(&missing).expect("it was there");
    let error = Shaders::in_folder(folder.path()).err().expect("a file is missing").to_string();
    assert!(error.contains(&missing.display().to_string()), "{error}");
}

#[test]
fn an_include_of_what_is_not_there_is_reported_with_file_and_line() {
    let folder =
        shader_folder::with("solve/predict.comp", |text| text.replace("common/params.glsl", "common/prams.glsl"));
    let error = error_of(folder.path(), "solve/predict.comp").to_string();
    let line = Shaders::embedded().read("solve/predict.comp").expect("it is embedded");
    let line = line.lines().position(|line| line.contains("common/params.glsl")).expect("it is included") + 1;
    assert!(error.contains(&format!("solve/predict.comp:{line}:")) && error.contains("common/prams.glsl"), "{error}");
}

#[test]
fn what_is_only_included_has_no_stage() {
    let error = Shaders::embedded().compile("common/fetch.glsl", &[]).expect_err("it has no stage").to_string();
    assert!(error.contains("common/fetch.glsl"), "{error}");
}

/// What the reflection says about the structs of `path` after `edit` of `file`.
fn check(path: &str, file: &str, edit: impl Fn(String) -> String, host: &[StructLayout]) -> Result<(), String> {
    let folder = shader_folder::with(file, |text| {
        let edited = edit(text.clone());
        assert_ne!(edited, text, "the edit finds its place");
        edited
    });
    let shaders = Shaders::in_folder(folder.path()).expect("all files are there");
    let compiled = shaders.compile(path, &ReadPath::Storage.defines()).unwrap_or_else(|error| panic!("{error}"));
    compiled.reflection.check(host)
}

/// Swaps the two lines that contain `first` and `second`.
fn swap_lines(text: &str, first: &str, second: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = |what| lines.iter().position(|line: &&str| line.contains(what)).expect("the line is there");
    let (first, second) = (at(first), at(second));
    lines.swap(first, second);
    lines.join("\n") + "\n"
}

#[test]
fn reflection_sees_a_renamed_member() {
    let rename = |text: String| text.replace("uint particleCount;", "uint count;\n#define particleCount count");
    let error = check("solve/predict.comp", "common/params.glsl", rename, layout::SHARED).expect_err("it is renamed");
    assert!(
        error.contains("struct Params has `count` at byte 36 where the host has `particleCount` at byte 36"),
        "{error}"
    );
}

/// Of the same size: a look at sizes alone would pass.
#[test]
fn reflection_sees_swapped_fields() {
    let swap = |text: String| swap_lines(&text, "float velocityScale", "float relaxation");
    let error = check("solve/predict.comp", "common/params.glsl", swap, layout::SHARED).expect_err("they are swapped");
    assert!(error.contains("struct Params"), "{error}");
    let swap = |text: String| swap_lines(&text, "uint indexA", "uint indexB");
    let error = check("solve/project_distance.comp", "common/layout.glsl", swap, layout::SHARED).expect_err("likewise");
    assert!(error.contains("struct Constraint"), "{error}");
}

/// The members are as on the host, but elements stand further apart.
#[test]
fn reflection_sees_a_wrong_stride() {
    const SHORT: StructLayout = StructLayout { size: 12, ..layout::Constraint::LAYOUT };
    let comment = |text: String| text + "// Nothing else is changed.\n";
    let error =
        check("solve/project_distance.comp", "common/layout.glsl", comment, &[SHORT]).expect_err("12 is not 16");
    assert!(error.contains("takes 16 bytes in the shader and 12 on the host"), "{error}");
}

#[test]
fn reflection_sees_a_wrong_offset() {
    let move_it =
        |text: String| text.replace("vec3 gravity;        // m/s²\n    float dt;", "vec4 gravity4;\n    float dt;");
    let widen = |text: String| move_it(text).replace("};\n\n#endif", "};\n#define gravity gravity4.xyz\n\n#endif");
    let error = check("solve/predict.comp", "common/params.glsl", widen, layout::SHARED).expect_err("dt moves on");
    assert!(error.contains("struct Params") && error.contains("`gravity4` at byte 0"), "{error}");
}
