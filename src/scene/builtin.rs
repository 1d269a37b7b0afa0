//! The scenes that come with the program.

use glam::Vec3;

use super::{CameraPose, Cloth, GridCloth, Pins, Scene};
use crate::coloring::{Algorithm, ColoringOptions};
use crate::constraint::distance::Springs;
use crate::params::SimParams;
use crate::scene::shape::Shape;

/// The built-in scenes, the default first.
pub const NAMES: [&str; 5] = ["hanging", "curtain", "chain", "artifact", "hammock"];

/// The built-in scene of this name; the error names the nearest one.
pub fn builtin(name: &str) -> Result<Scene, String> {
    let upright = CameraPose { target: Vec3::new(0.0, 0.84, 0.0), distance: 2.25, yaw: 0.38, pitch: 0.1 };
    let grid = GridCloth {
        resolution: 24,
        springs: Springs::ALL,
        chain: false,
        shape: Shape::Gathered { top: 1.5, width: 0.86, waves: 1.5 },
        pins: Pins::TopCorners,
    };
    let scene = Scene {
        name: name.into(),
        description: "a cloth hung by two corners: structural, shear and skip-one springs",
        params: SimParams::default(),
        rest_scale: 1.0,
        frames: 240,
        camera: upright,
        // In the order that a grid is built in, it needs as few colours as there can be, and its batches are the regular ones
        // of the textbook.
        coloring: ColoringOptions { algorithm: Algorithm::FirstFit, ..ColoringOptions::default() },
        cloth: Cloth::Grid(grid),
    };
    Ok(match name {
        "hanging" => scene,
        "curtain" => Scene {
            description: "a cloth gathered along its pinned top row",
            cloth: Cloth::Grid(GridCloth {
                shape: Shape::Gathered { top: 1.5, width: 0.7, waves: 4.0 },
                pins: Pins::TopRow,
                ..grid
            }),
            ..scene
        },
        "chain" => Scene {
            description: "twenty particles in a row that swing from the first",
            camera: CameraPose { target: Vec3::new(0.0, 1.0, 0.0), yaw: 0.0, distance: 2.6, ..upright },
            cloth: Cloth::Grid(GridCloth {
                resolution: 20,
                springs: Springs::STRUCTURAL,
                chain: true,
                shape: Shape::Outstretched { height: 1.5 },
                ..grid
            }),
            ..scene
        },
        "artifact" => Scene {
            description: "pinned at both sides, rest lengths halved, no gravity: Gauss-Seidel satisfies its last batch only, whatever its iterations and order; smoothing helps",
            params: SimParams { iterations: 100, substeps: 1, gravity: Vec3::ZERO, damping: 5.0, ..scene.params },
            rest_scale: 0.5,
            camera: CameraPose { target: Vec3::new(0.0, 1.0, 0.0), distance: 1.9, yaw: 0.0, pitch: 0.0 },
            cloth: Cloth::Grid(GridCloth {
                resolution: 32,
                springs: Springs::STRUCTURAL,
                shape: Shape::Flat { top: 1.5 },
                pins: Pins::SideColumns,
                ..grid
            }),
            ..scene
        },
        "hammock" => Scene {
            description: "a cloth slung by its four corners",
            camera: CameraPose { target: Vec3::new(0.0, 0.85, 0.0), distance: 2.35, yaw: 0.5, pitch: 0.5 },
            cloth: Cloth::Grid(GridCloth {
                shape: Shape::Sagging { height: 1.1, width: 0.85 },
                pins: Pins::Corners,
                ..grid
            }),
            ..scene
        },
        _ => {
            let nearest =
                NAMES.iter().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
            let nearest = nearest.expect("there are scenes");
            return Err(format!("no scene `{name}`: did you mean `{nearest}`? There are {}", NAMES.join(", ")));
        }
    })
}
