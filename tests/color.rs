//! `tartan color`, end to end: what it prints and writes, and how it ends.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tartan::color::{ColoringFile, check};
use tartan::render::palette;

/// Runs `tartan color` in a folder of its own.
fn color(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tartan"))
        .arg("color")
        .args(args)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The report, and the colouring that was written beside it.
fn colored(args: &[&str]) -> (Value, ColoringFile) {
    let folder = folder();
    let output = color(&[args, &["--json", "-", "--coloring", "c.json"]].concat(), folder.path());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let text = std::fs::read_to_string(folder.path().join("c.json")).expect("written");
    (report, serde_json::from_str(&text).expect("a colouring"))
}

/// That it ends with `status` and one sentence with these words, and leaves nothing.
fn refused(args: &[&str], status: i32, words: &[&str]) {
    let folder = folder();
    let output = color(args, folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?} said {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{args:?} said {said}");
    for word in words {
        assert!(said.contains(word), "{args:?} said {said} and not {word}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{args:?} left a file");
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// Panics unless each primitive has one colour and no point sees one twice.
fn assert_proper(what: &str, file: &ColoringFile) {
    let mut seen = HashSet::new();
    let mut had = BTreeSet::new();
    for (color, primitives) in file.colors.iter().enumerate() {
        for &primitive in primitives {
            assert!(had.insert(primitive), "{what}: primitive {primitive} twice");
            for point in &file.points[primitive as usize] {
                assert!(seen.insert((color, *point)), "{what}: colour {color} twice at point {point}");
            }
        }
    }
    assert_eq!(had.len(), file.points.len(), "{what}");
}

#[test]
fn every_kind_of_primitive_is_coloured_by_every_algorithm() {
    for (elements, arity) in [("edges", 2), ("faces", 3), ("hinges", 4), ("points", 0)] {
        for algorithm in [
            "gebremedhin-manne",
            "first-fit",
            "largest-first",
            "smallest-last",
            "dsatur",
            "jones-plassmann",
            "misra-gries",
            "grid",
        ] {
            if elements != "edges" && ["misra-gries", "grid"].contains(&algorithm) {
                continue;
            }
            let what = format!("{elements} by {algorithm}");
            let (report, file) =
                colored(&["hanging", "--resolution", "9", "--elements", elements, "--algorithm", algorithm]);
            assert_proper(&what, &file);
            assert_eq!(file.elements, elements);
            assert!(file.points.iter().all(|points| arity == 0 || points.len() == arity), "{what}");
            assert_eq!((&report["valid"], &report["finished"]), (&true.into(), &true.into()), "{what}");
            assert_eq!(report["algorithm"], algorithm);
            let sizes: Vec<u64> = file.colors.iter().map(|primitives| primitives.len() as u64).collect();
            assert_eq!(numbers(&report["sizes"]), sizes, "{what}");
            assert_eq!(numbers(&report["worksets"]["length"]), sizes, "{what}");
            let begin: Vec<u64> =
                sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
            assert_eq!(numbers(&report["worksets"]["begin"]), begin, "{what}");
            assert_eq!(report["primitives"], file.points.len());
            // The most primitives at a point, counted here.
            let mut at: BTreeMap<u64, u64> = BTreeMap::new();
            file.points.iter().flatten().for_each(|point| *at.entry(*point).or_default() += 1);
            assert_eq!(report["lower_bound"].as_u64(), at.values().max().copied(), "{what}");
            assert!(report["colors"].as_u64() >= report["lower_bound"].as_u64(), "{what}");
            assert!(report["time_ms"].as_f64().expect("a time") > 0.0);
        }
    }
}

#[test]
fn primitives_are_those_of_the_mesh() {
    // 2 × 2 cells: 8 triangles, of which 8 sides are within; 9 points, all with neighbours.
    let count = |elements: &str| colored(&["curtain", "--resolution", "3", "--elements", elements]).1.points.len();
    assert_eq!(count("faces"), 8);
    assert_eq!(count("hinges"), 8);
    assert_eq!(count("points"), 9);
    assert_eq!(count("edges"), 12 + 8 + 6);
    let (_, chain) = colored(&["chain", "--elements", "points"]);
    assert_eq!(chain.points[0], [0, 1]);
    assert_eq!(chain.points[1], [1, 0, 2]);
    refused(&["chain", "--elements", "faces"], 2, &["chain has no faces"]);
}

#[test]
fn pinned_particles_can_be_left_out() {
    let (all, _) = colored(&["curtain", "--resolution", "4", "--springs", "shear"]);
    let (free, file) = colored(&["curtain", "--resolution", "4", "--springs", "shear", "--skip-pinned"]);
    assert!(free["lower_bound"].as_u64() <= all["lower_bound"].as_u64());
    // Two that meet at a pinned particle only may have one colour.
    let color_of = |primitive: usize| file.colors.iter().position(|list| list.contains(&(primitive as u64)));
    let top: Vec<usize> = (0..file.points.len()).filter(|&i| file.points[i].contains(&1)).collect();
    assert_eq!(top.len(), 2);
    let (one, other) = (color_of(top[0]), color_of(top[1]));
    assert!(one.is_some() && other.is_some());
    let hung = colored(&["curtain", "--resolution", "2", "--springs", "shear", "--skip-pinned"]).0;
    assert_eq!((&hung["colors"], &hung["lower_bound"]), (&1.into(), &1.into()), "two diagonals from two pins");
}

#[test]
fn what_is_not_finished_says_so() {
    let folder = folder();
    let output = color(&["hanging", "--max-rounds", "2", "--json", "-"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("not finished") && said.contains("2 rounds") && said.contains("--max-rounds"), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report all the same");
    assert_eq!((&report["finished"], &report["valid"]), (&false.into(), &false.into()));
    assert!(numbers(&report["worksets"]["begin"]).is_empty());
}

#[test]
fn the_same_seed_gives_the_same_colouring_on_any_number_of_threads() {
    let coloring = |threads: &str, seed: &str| {
        let folder = folder();
        let status = Command::new(env!("CARGO_BIN_EXE_tartan"))
            .args(["color", "hammock", "--resolution", "40", "--seed", seed, "--coloring", "c.json"])
            .current_dir(folder.path())
            .env("LP_NUM_THREADS", threads)
            .output()
            .expect("the program starts")
            .status;
        assert!(status.success());
        std::fs::read(folder.path().join("c.json")).expect("written")
    };
    let first = coloring("0", "1");
    for threads in ["0", "1", "2"] {
        assert_eq!(coloring(threads, "1"), first, "with {threads} threads");
    }
    assert_ne!(coloring("0", "2"), first);
}

#[test]
fn hubs_and_large_primitives_are_counted() {
    let folder = folder();
    let mut fan = String::from("v 0 0 0\n");
    for i in 0..90 {
        let angle = f64::from(i) / 90.0 * std::f64::consts::TAU;
        fan += &format!("v {} {} 0\n", angle.cos(), angle.sin());
    }
    for i in 0..90 {
        fan += &format!("f 1 {} {}\n", i + 2, (i + 1) % 90 + 2);
    }
    std::fs::write(folder.path().join("fan.obj"), fan).expect("written");
    let run = |elements: &str| -> Value {
        let output =
            color(&["fan.obj", "--springs", "structural", "--elements", elements, "--json", "-"], folder.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("a report")
    };
    let edges = run("edges");
    assert_eq!((&edges["colors"], &edges["lower_bound"]), (&90.into(), &90.into()));
    assert_eq!((&edges["hubs"]["count"], &edges["hubs"]["max"]), (&1.into(), &90.into()));
    assert_eq!(edges["high_valence"]["count"], 0);
    let points = run("points");
    assert_eq!((&points["high_valence"]["count"], &points["high_valence"]["max"]), (&1.into(), &91.into()));
    assert_eq!(points["high_valence"]["threshold"], 20);
    assert_eq!(points["valid"], true);
}

/// Vertices with colours and faces, read back without the program's readers.
fn shape(text: &str, is_ply: bool) -> (Vec<[f64; 6]>, Vec<Vec<usize>>) {
    let numbers = |line: &str| line.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).collect::<Vec<_>>();
    if is_ply {
        let (header, body) = text.split_once("end_header\n").expect("a header");
        let count = |what: &str| -> usize {
            let line = header.lines().find(|line| line.starts_with(&format!("element {what} "))).expect("an element");
            line.rsplit(' ').next().expect("a count").parse().expect("a number")
        };
        let lines: Vec<&str> = body.lines().collect();
        assert_eq!(lines.len(), count("vertex") + count("face"));
        let (vertices, faces) = lines.split_at(count("vertex"));
        let vertex = |line: &&str| {
            let n = numbers(line);
            [n[0], n[1], n[2], n[3], n[4], n[5]]
        };
        let face = |line: &&str| numbers(line)[1..].iter().map(|&n| n as usize).collect();
        (vertices.iter().map(vertex).collect(), faces.iter().map(face).collect())
    } else {
        let of = |mark: &str| {
            text.lines().filter_map(|line| line.strip_prefix(mark)).map(numbers).collect::<Vec<Vec<f64>>>()
        };
        let vertex = |n: &Vec<f64>| [n[0], n[1], n[2], n[3] * 255.0, n[4] * 255.0, n[5] * 255.0];
        let face = |n: &Vec<f64>| n.iter().map(|&n| n as usize - 1).collect();
        (of("v ").iter().map(vertex).collect(), of("f ").iter().map(face).collect())
    }
}

#[test]
fn primitives_are_written_in_the_colours_of_their_batches() {
    for (elements, corners, faces_each) in [("edges", 6, 6), ("faces", 3, 1), ("hinges", 6, 2), ("points", 6, 8)] {
        for name in ["c.ply", "c.obj"] {
            let folder = folder();
            let args = ["curtain", "--resolution", "5", "--elements", elements, "--out", name, "--coloring", "c.json"];
            assert!(color(&args, folder.path()).status.success());
            let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
            let file: ColoringFile = serde_json::from_str(&read("c.json")).expect("a colouring");
            let (vertices, faces) = shape(&read(name), name.ends_with("ply"));
            assert_eq!(vertices.len(), corners * file.points.len(), "{elements} {name}");
            assert_eq!(faces.len(), faces_each * file.points.len(), "{elements} {name}");
            assert!(faces.iter().flatten().all(|&corner| corner < vertices.len()));
            for (color, primitives) in file.colors.iter().enumerate() {
                let wanted = palette::color(color).map(f64::from);
                for &primitive in primitives {
                    let first = primitive as usize * corners;
                    for vertex in &vertices[first..first + corners] {
                        let near = (0..3).all(|channel| (vertex[3 + channel] - wanted[channel]).abs() < 0.6);
                        assert!(near, "{elements} {name}: primitive {primitive} of colour {color} is {vertex:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn conflicts_are_written_for_others() {
    let folder = folder();
    for name in ["g.col", "g.mtx"] {
        let args = ["hammock", "--resolution", "4", "--conflict-graph", name, "--coloring", "c.json"];
        assert!(color(&args, folder.path()).status.success());
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
    let file: ColoringFile = serde_json::from_str(&read("c.json")).expect("a colouring");
    let sets: Vec<BTreeSet<u64>> = file.points.iter().map(|points| points.iter().copied().collect()).collect();
    let wanted: BTreeSet<(usize, usize)> = (0..sets.len())
        .flat_map(|a| (0..a).map(move |b| (a, b)))
        .filter(|&(a, b)| !sets[a].is_disjoint(&sets[b]))
        .collect();
    let pair = |line: &str| {
        let mut words = line.split(' ').map(|word| word.parse::<usize>().expect("a number") - 1);
        (words.next().expect("two"), words.next().expect("two"))
    };
    let dimacs = read("g.col");
    let mut lines = dimacs.lines();
    assert_eq!(lines.next(), Some(format!("p edge {} {}", sets.len(), wanted.len()).as_str()));
    let pairs: Vec<_> = lines.map(|line| pair(line.strip_prefix("e ").expect("an edge"))).collect();
    assert_eq!(pairs.len(), wanted.len());
    assert_eq!(pairs.into_iter().collect::<BTreeSet<_>>(), wanted);
    let market = read("g.mtx");
    let mut lines = market.lines();
    assert_eq!(lines.next(), Some("%%MatrixMarket matrix coordinate pattern symmetric"));
    assert_eq!(lines.next(), Some(format!("{0} {0} {1}", sets.len(), wanted.len()).as_str()));
    assert_eq!(lines.map(pair).collect::<BTreeSet<_>>(), wanted);
}

#[test]
fn colourings_from_elsewhere_are_checked() {
    let file = |points: &[&[u64]], colors: &[&[u64]]| ColoringFile {
        elements: String::new(),
        points: points.iter().map(|points| points.to_vec()).collect(),
        colors: colors.iter().map(|list| list.to_vec()).collect(),
    };
    let far = u64::MAX;
    let points: &[&[u64]] = &[&[0, 1], &[1, far], &[far, 3]];
    assert_eq!(check(&file(points, &[&[0, 2], &[1]])), Ok(()));
    for (colors, words) in [
        (&[&[0u64, 1, 2][..]][..], "primitives 0 and 1 both have colour 0 and share point 1".to_string()),
        (&[&[0], &[1, 2]], format!("primitives 1 and 2 both have colour 1 and share point {far}")),
        (&[&[0, 2]], "1 of 3 primitives have no colour, the first of them 1".into()),
        (&[&[0, 2], &[1, 0]], "primitive 0 has colour 0 and colour 1".into()),
        (&[&[0, 2], &[1, 3]], "names primitive 3".into()),
        (&[&[0, 2], &[1, far]], "names primitive".into()),
    ] {
        let error = check(&file(points, colors)).expect_err("it is wrong");
        assert!(error.contains(&words), "{error} and not {words}");
    }

    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    let run = |args: &[&str]| {
        let output = color(args, folder.path());
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    assert_eq!(run(&["curtain", "--coloring", "c.json"]).0, Some(0));
    let (status, said) = run(&["--check", "c.json"]);
    assert!(status == Some(0) && said.contains("c.json is valid"), "{said}");
    assert_eq!(run(&["curtain", "--check", "c.json"]).0, Some(0));
    let (status, said) = run(&["curtain", "--resolution", "9", "--check", "c.json"]);
    assert!(status == Some(1) && said.contains("and the scene"), "{said}");
    let (status, said) = run(&["chain", "--resolution", "3", "--check", "d.json"]);
    assert!(status == Some(2) && said.contains("cannot read d.json"), "{said}");
    write("d.json", r#"{"points": [[0, 1], [1, 2]], "colors": [[0], [1]]}"#);
    assert_eq!(run(&["chain", "--resolution", "3", "--check", "d.json"]).0, Some(0));
    write("d.json", r#"{"points": [[0, 1], [0, 2]], "colors": [[0], [1]]}"#);
    let (status, said) = run(&["chain", "--resolution", "3", "--check", "d.json"]);
    assert!(status == Some(1) && said.contains("primitive 1"), "{said}");
    write("d.json", r#"{"points": [[0, 1], [1, 2]], "colors": [[0, 1]]}"#);
    let (status, said) = run(&["--check", "d.json"]);
    assert!(status == Some(1) && said.contains("primitives 0 and 1 both have colour 0"), "{said}");
    for bad in ["", "[]", r#"{"points": [[-1]], "colors": []}"#, "{\"points\": [[0,\n1]], \"colors\": 3}", "{"] {
        write("d.json", bad);
        let (status, said) = run(&["--check", "d.json"]);
        assert!(status == Some(2) && said.contains("line ") && said.lines().count() == 1, "{bad}: {said}");
    }
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    refused(&["hangin"], 2, &["`hanging`"]);
    refused(&[], 2, &["SCENE"]);
    refused(&["hanging", "--elements", "quads"], 2, &["`quads`", "hinges"]);
    refused(&["hanging", "--algorithm", "greedy"], 2, &["`greedy`", "first-fit"]);
    refused(&["hanging", "--priority", "high"], 2, &["`high`", "degree"]);
    refused(&["hanging", "--choice", "best"], 2, &["`best`", "lowest"]);
    refused(&["hanging", "--max-rounds", "0"], 2, &["--max-rounds"]);
    refused(&["hanging", "--elements", "faces", "--algorithm", "misra-gries"], 2, &["misra-gries", "3 points"]);
    refused(&["hanging", "--elements", "faces", "--algorithm", "grid"], 2, &["grid"]);
    refused(&["hanging", "--pin", "top"], 2, &["--pin", "mesh"]);
    refused(&["nowhere.obj"], 2, &["nowhere.obj", "cannot be read"]);
    refused(&["hanging", "--out", "a.png"], 2, &["a.png", ".ply"]);
    refused(&["hanging", "--conflict-graph", "a.txt"], 2, &["a.txt", ".col"]);
    for option in ["--json", "--coloring"] {
        refused(&["hanging", "--resolution", "1024", option, "nowhere/file"], 2, &["nowhere/file", "no folder"]);
    }
    refused(&["hanging", "--resolution", "1024", "--out", "nowhere/file.ply"], 2, &["nowhere/file", "no folder"]);
}
