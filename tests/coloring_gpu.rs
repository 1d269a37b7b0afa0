//! Colouring on the GPU, from end to end: valid by brute force, near the bound, the same in every run.

mod common;

use std::collections::HashSet;
use std::rc::Rc;

use tartan::coloring::gpu::{ColorKernels, GpuColoring, kernels};
use tartan::coloring::{Colored, ColoringOptions, Incidence, UNCOLORED, validate};
use tartan::constraint::distance::{Springs, grid};
use tartan::gpu::Shaders;

use common::Gpu;

/// Panics unless no point sees a colour twice: written apart from the program's own validation.
fn assert_no_point_sees_a_colour_twice(incidence: &Incidence, colors: &[u32]) {
    let mut seen = HashSet::new();
    for (points, color) in incidence.primitives().zip(colors) {
        assert_ne!(*color, UNCOLORED);
        for point in points {
            assert!(seen.insert((*point, *color)), "colour {color} twice at point {point}");
        }
    }
}

fn color(gpu: &Gpu, kernels: &Rc<ColorKernels>, incidence: &Incidence, options: ColoringOptions) -> Colored {
    let mut run = GpuColoring::new(gpu, kernels, incidence.clone(), options).expect("it fits");
    run.run_to_end();
    let colored = run.colored();
    assert_no_point_sees_a_colour_twice(incidence, &colored.coloring.colors);
    assert_eq!(validate(incidence, &colored.coloring), Ok(()));
    colored
}

fn grid_edges(side: u32, springs: Springs) -> Incidence {
    let constraints = grid(side, side, 0.1, springs, 1.0);
    Incidence::new((side * side) as usize, constraints.iter().map(|constraint| constraint.particles))
}

#[test]
fn grids_take_as_few_colours_as_the_bound_or_one_more() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    let structural = Springs::STRUCTURAL;
    let shear = Springs { shear: true, ..structural };
    for (springs, side, most) in [(structural, 64, 4), (shear, 64, 9), (Springs::ALL, 64, 13), (shear, 128, 9)] {
        let incidence = grid_edges(side, springs);
        let colored = color(&gpu, &kernels, &incidence, ColoringOptions::default());
        let colors = colored.coloring.color_count;
        assert!(colors <= most, "{side} {springs:?}: {colors} colours, bound {}", incidence.lower_bound());
    }
}
