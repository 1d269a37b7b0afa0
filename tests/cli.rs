//! The built program, end to end: what it prints, what it writes, how it ends.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::shader_folder;
use serde_json::Value;

/// Runs `tartan` without a display.
fn tartan(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tartan"))
        .args(args)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

fn run_json(args: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [&["run"], args, &["--json", "-"]].concat();
    let output = tartan(&args, folder.path());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object on standard output")
}

/// That `args` are refused with status 2 and one sentence that contains each of `words`.
fn refused(args: &[&str], words: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = tartan(args, folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?} said {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{args:?} said {said}");
    for word in words {
        assert!(said.contains(word), "{args:?} said {said} and not {word}");
    }
    assert_eq!(output.stdout.len(), 0, "{args:?} printed something");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{args:?} left a file");
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    refused(&["run", "hangin"], &["no scene `hangin`", "`hanging`"]);
    refused(&["hangin"], &["`hanging`"]);
    refused(&["run"], &["SCENE"]);
    refused(&["run", "hanging", "--iterations", "0"], &["--iterations 0", "1 to"]);
    refused(&["run", "hanging", "--iterations", "many"], &["--iterations", "many"]);
    refused(&["run", "hanging", "--substeps", "0"], &["--substeps 0"]);
    refused(&["run", "hanging", "--dt", "-0.01"], &["--dt -0.01"]);
    refused(&["run", "hanging", "--dt", "NaN"], &["--dt NaN"]);
    refused(&["run", "hanging", "--omega", "inf"], &["--omega inf"]);
    refused(&["run", "hanging", "--gravity", "nan"], &["--gravity NaN"]);
    refused(&["run", "hanging", "--compliance", "-1"], &["--compliance -1"]);
    refused(&["run", "hanging", "--compliance", "0.1", "--solver", "jacobi"], &["--compliance 0.1", "gauss-seidel"]);
    refused(&["run", "hanging", "--smooth", "20000"], &["--smooth 20000"]);
    refused(&["run", "hanging", "--integrator", "third"], &["`third`", "second"]);
    refused(&["run", "hanging", "--order", "random"], &["`random`", "shuffled"]);
    refused(&["run", "hanging", "--rest-scale", "0"], &["--rest-scale 0"]);
    refused(&["run", "hanging", "--resolution", "1"], &["--resolution 1", "2 to 1024", "two particles"]);
    refused(&["run", "hanging", "--resolution", "100000"], &["--resolution 100000", "2 to 1024", "memory"]);
    refused(&["run", "hanging", "--solver", "newton"], &["newton", "gauss-seidel", "jacobi"]);
    refused(&["run", "hanging", "--springs", "sheer"], &["sheer", "shear"]);
    refused(&["run", "chain", "--springs", "shear"], &["no constraints"]);
    refused(&["run", "hanging", "--size", "huge"], &["--size huge"]);
    refused(&["run", "hanging", "--iteration", "3"], &["--iteration", "--iterations"]);
}

#[test]
fn the_cloth_is_exported_as_it_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| {
        let output = tartan(&[&["run"], args].concat(), folder.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let read = |name: &str| {
        let path = folder.path().join(name);
        tartan::mesh::read(&path).unwrap_or_else(|error| panic!("{error}"))
    };
    let cloth = ["curtain", "--resolution", "6", "--frames", "3"];
    run(&[&cloth[..], &["--export", "last.obj"]].concat());
    run(&[&cloth[..], &["--export", "last.ply"]].concat());
    run(&[&cloth[..], &["--export", "cloth-###.obj"]].concat());
    let last = read("last.obj");
    assert_eq!((last.positions.len(), last.faces.len()), (36, 50));
    assert_eq!(read("last.ply"), last);
    assert_eq!(read("cloth-003.obj"), last);
    assert_ne!(read("cloth-001.obj").positions, last.positions, "it moved");
    assert!(folder.path().join("cloth-002.obj").exists() && !folder.path().join("cloth-004.obj").exists());
    // The pinned row is where it was: the curtain's first particle hangs at its top edge.
    assert!((last.positions[0].y - 1.5).abs() < 1e-6);
    run(&["chain", "--frames", "2", "--export", "chain.ply"]);
    assert_eq!(read("chain.ply").lines.len(), 19);
    refused(&["run", "hanging", "--export", "cloth.stl"], &["cloth.stl", ".ply"]);
    refused(&["run", "hanging", "--frames", "1000000", "--export", "nowhere/c.obj"], &["nowhere", "no folder"]);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_run() {
    for option in ["--json", "--csv", "--screenshot"] {
        // A million frames would take an hour.
        refused(&["run", "hanging", "--frames", "1000000", option, "nowhere/file"], &["nowhere/file", "no folder"]);
        refused(&["run", "hanging", "--frames", "1000000", option, "/"], &["it is a folder"]);
    }
    refused(&["run", "hanging", "--frames", "1000000", "--record", "/dev/null/x"], &["/dev/null/x"]);
}

#[test]
fn a_broken_shader_folder_is_refused_with_file_and_line() {
    let folder = tempfile::tempdir().expect("a folder");
    refused(&["run", "hanging", "--shader-dir", folder.path().to_str().expect("UTF-8")], &["cannot read shader"]);
    refused(&["view", "hanging", "--shader-dir", "nowhere"], &["cannot read shader", "nowhere"]);

    let path = "common/distance.glsl";
    let text = tartan::gpu::Shaders::embedded().read(path).expect("embedded");
    let line = text.lines().position(|line| line.contains("float error =")).expect("the line to break") + 1;
    let folder = shader_folder::with(path, |text| text.replace("float error =", "float error = nonsense +"));
    let wide = shader_folder::with("common/params.glsl", |text| {
        text.replace("float padding;", "float padding;\n    float more;")
    });
    refused(
        &["run", "hanging", "--shader-dir", wide.path().to_str().expect("UTF-8")],
        &["struct Params has `more`", "nothing more"],
    );

    let place = format!("common/distance.glsl:{line}:");
    refused(&["run", "hanging", "--shader-dir", folder.path().to_str().expect("UTF-8")], &[&place, "nonsense"]);
}

#[test]
fn a_run_that_leaves_the_numbers_says_so() {
    let folder =
        shader_folder::with("solve/predict.comp", |text| text.replace("= x + v * dt", "= sqrt(-x * x - 1.0) + v * dt"));
    let report = run_json(&["chain", "--frames", "2", "--shader-dir", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(report["finite"], false);
    assert_eq!(report["pinned_drift_max"], 0.0);
}

#[test]
fn a_run_reports_what_it_found() {
    let report = run_json(&["hanging", "--resolution", "12", "--frames", "30"]);
    assert_eq!(report["scene"], "hanging");
    assert_eq!(report["solver"], "gauss-seidel");
    assert_eq!(report["frames"], 30);
    assert_eq!(report["particles"], 144);
    // 2·12·11 structural, 2·11·11 shear, 2·12·10 skip-one.
    assert_eq!(report["constraints"]["distance"], 264 + 242 + 240);
    assert_eq!(report["lower_bound"], 12);
    let sizes = report["worksets"].as_array().expect("a list");
    assert_eq!(sizes.len() as u64, report["colors"].as_u64().expect("a number"));
    assert_eq!(sizes.iter().filter_map(Value::as_u64).sum::<u64>(), 746);
    let rows = report["by_color"].as_array().expect("a list");
    assert_eq!(rows.iter().filter_map(|row| row["count"].as_u64()).sum::<u64>(), 746);
    assert_eq!(report["pinned_drift_max"], 0.0);
    assert_eq!(report["finite"], true);
    assert_eq!(report["gl"]["errors"], 0);
    for figure in ["mean", "rms", "max"] {
        assert!(report["residual"][figure].as_f64().expect("a number") < 0.5, "{report}");
    }
    for kernel in ["predict", "project_distance", "update_velocity"] {
        assert!(report["time"]["passes"][kernel].as_f64().expect("a time") > 0.0, "{report}");
    }
    assert_eq!(
        report["time"]["passes"].as_object().expect("an object").len(),
        3,
        "a kernel that is no part of the step has a time"
    );
}

#[test]
fn the_same_run_ends_in_the_same_state() {
    for solver in ["gauss-seidel", "jacobi"] {
        let hashes: Vec<Value> = (0..3)
            .map(|_| {
                run_json(&["curtain", "--resolution", "16", "--frames", "20", "--solver", solver])["state_hash"].clone()
            })
            .collect();
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{solver}: {hashes:?}");
    }
}

#[test]
fn files_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [
        "run",
        "chain",
        "--frames",
        "5",
        "--json",
        "a.json",
        "--csv",
        "a.csv",
        "--screenshot",
        "a.png",
        "--record",
        "frames",
    ];
    let output = tartan(&[&args[..], &["--size", "320x200"]].concat(), folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
    let report: Value = serde_json::from_str(&read("a.json")).expect("JSON");
    assert_eq!(report["particles"], 20);
    assert_eq!(read("a.csv").lines().count(), 6);
    assert_eq!(image::open(folder.path().join("a.png")).expect("a picture").to_rgb8().dimensions(), (320, 200));
    assert_eq!(std::fs::read_dir(folder.path().join("frames")).expect("a folder").count(), 5);
    assert!(String::from_utf8_lossy(&output.stdout).contains("20 particles, 19 constraints in 2 colours"));
}

#[cfg(unix)]
#[test]
fn devices_and_links_are_written_to_and_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};

    // A link of our own to the device: were it replaced, the machine's would stay.
    let folder = tempfile::tempdir().expect("a folder");
    let run = |file: &str| tartan(&["run", "chain", "--frames", "1", "--json", file], folder.path());
    symlink("/dev/full", folder.path().join("full")).expect("a link");
    let output = run("full");
    assert_eq!(output.status.code(), Some(1), "a full device takes nothing");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    let linked = folder.path().join("full");
    assert!(std::fs::metadata(&linked).expect("it is there").file_type().is_char_device());
    assert!(std::fs::symlink_metadata(&linked).expect("it is there").is_symlink());

    std::fs::write(folder.path().join("file"), "before").expect("a file");
    symlink("file", folder.path().join("link")).expect("a link");
    assert!(run("link").status.success());
    assert!(std::fs::symlink_metadata(folder.path().join("link")).expect("it is there").is_symlink());
    assert!(std::fs::read_to_string(folder.path().join("file")).expect("written").starts_with('{'));
}

#[test]
fn scenes_and_info_say_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let scenes = String::from_utf8(tartan(&["scenes"], folder.path()).stdout).expect("text");
    for name in tartan::scene::NAMES {
        assert!(scenes.lines().any(|line| line.starts_with(name)), "{scenes}");
    }
    let info = String::from_utf8(tartan(&["info"], folder.path()).stdout).expect("text");
    assert!(info.contains("4.5") && info.contains("kernels read through"), "{info}");
}

#[test]
fn a_reader_that_goes_is_no_failure() {
    for args in [&["scenes"][..], &["info"], &["--help"], &["run", "chain", "--frames", "3", "--json", "-"]] {
        let mut app = Command::new(env!("CARGO_BIN_EXE_tartan"))
            .args(args)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(app.stdout.take());
        let output = app.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{args:?} said {said}");
    }
}

#[test]
fn without_egl_or_with_an_old_driver_one_sentence_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = |name: &str, value: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tartan"))
            .args(["run", "chain", "--frames", "1"])
            .current_dir(folder.path())
            .env(name, value)
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        said
    };
    let none = with("__EGL_VENDOR_LIBRARY_DIRS", "/nowhere");
    assert!(none.contains("EGL") && none.contains("install"), "{none}");
    let old = with("MESA_GL_VERSION_OVERRIDE", "3.3");
    assert!(old.contains("3.3") && old.contains("needs 4.5"), "{old}");
}
