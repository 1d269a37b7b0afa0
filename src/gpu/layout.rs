//! What host and shaders share: structs, bindings, locations. `glsl/common/layout.glsl` holds the other side, and
//! [`super::reflect`] compares the two.

use bytemuck::{Pod, Zeroable};

/// Storage blocks, by binding. OpenGL 4.5 promises eight, numbered from 0.
pub mod storage {
    pub const POSITIONS: u32 = 0;
    pub const CONSTRAINTS: u32 = 1;
    pub const PREV_POSITIONS: u32 = 2;
    pub const VELOCITIES: u32 = 3;
    pub const DELTAS: u32 = 4;
    pub const VALENCES: u32 = 5;
    pub const RESIDUALS: u32 = 6;
    pub const LAMBDAS: u32 = 7;
    /// In kernels to second order, in the place of the deltas.
    pub const HISTORIES: u32 = 4;
}

/// Storage blocks of the drawing kernels, which do not run beside the solver's.
pub mod draw_storage {
    pub const NORMALS: u32 = 2;
    pub const FAN_OFFSETS: u32 = 3;
    pub const FANS: u32 = 4;
}

/// Storage blocks of the colouring kernels, which do not run beside the others.
pub mod color_storage {
    pub const INCIDENCE: u32 = 0;
    pub const COLORS: u32 = 1;
    pub const SPECULATIONS: u32 = 2;
    pub const LISTS: u32 = 3;
    pub const ROUNDS: u32 = 4;
    pub const CLAIMS: u32 = 5;
    pub const PLANS: u32 = 6;
    // Instead of some of them, in kernels over edges,
    pub const EDGES: u32 = 0;
    pub const MASKS: u32 = 2;
    pub const SLOTS: u32 = 7;
    // in kernels that balance,
    pub const CLASSES: u32 = 5;
    // and in kernels that sort.
    pub const BATCHES: u32 = 4;
    pub const BASE_ORDER: u32 = 5;
    pub const ORDER: u32 = 6;
    pub const COUNTERS: u32 = 7;
}

/// Uniform blocks, by binding.
pub mod uniform {
    pub const PARAMS: u32 = 0;
    pub const VIEW: u32 = 1;
    pub const COLOR_PARAMS: u32 = 2;
}

/// Texture units of the buffer textures.
pub mod texture {
    pub const POSITIONS: u32 = 0;
    pub const CONSTRAINTS: u32 = 1;
    /// One `uint` a constraint: its group in the low byte, its side in bit 8.
    pub const TAGS: u32 = 2;
    pub const NORMALS: u32 = 3;
    /// Two `uint`s a mark: the particle, and what it is marked as.
    pub const MARKS: u32 = 4;
    /// A colour a constraint.
    pub const PAINT: u32 = 5;
}

/// Texture units of the colouring kernels' buffer textures: a `uint` a texel, of an edge two.
pub mod color_texture {
    pub const INCIDENCE: u32 = 0;
    pub const COLORS: u32 = 1;
    pub const SPECULATIONS: u32 = 2;
    // Instead of some of them, in kernels over edges.
    pub const EDGES: u32 = 0;
    pub const MASKS: u32 = 2;
    pub const SLOTS: u32 = 3;
    pub const LISTS: u32 = 4;
    pub const PLANS: u32 = 5;
    pub const CLAIMS: u32 = 6;
    // In kernels that sort.
    pub const BASE_ORDER: u32 = 3;
}

/// Locations of the colouring kernels' loose uniforms; those of a batch are in [`location`].
pub mod color_location {
    /// `u_Round`, from 1.
    pub const ROUND: u32 = 0;
    /// `u_Epoch`: rounds since the claims were cleared, from 1.
    pub const EPOCH: u32 = 1;
    /// `u_ColorCount` of the worksets.
    pub const COLOR_COUNT: u32 = 0;
}

/// Locations of the loose uniforms.
pub mod location {
    /// `u_BatchOffset`: the first constraint of the batch.
    pub const BATCH_OFFSET: u32 = 0;
    /// `u_BatchCount`: constraints in the batch.
    pub const BATCH_COUNT: u32 = 1;
    /// `u_ResidualOffset`: where the batch's partial sums start.
    pub const RESIDUAL_OFFSET: u32 = 2;
    /// `u_First`: 1 where the constraints are taken for the first time in the substep.
    pub const FIRST: u32 = 3;
}

/// Name, size and fields of a struct that shaders declare too.
#[derive(Clone, Copy, Debug)]
pub struct StructLayout {
    pub name: &'static str,
    pub size: usize,
    /// Field names as in Rust (`index_a` is `indexA` in GLSL) and byte offsets.
    pub fields: &'static [(&'static str, usize)],
}

/// Every struct shared with the shaders.
pub const SHARED: &[StructLayout] = &[
    Constraint::LAYOUT,
    Params::LAYOUT,
    Residual::LAYOUT,
    History::LAYOUT,
    View::LAYOUT,
    ColorParams::LAYOUT,
    Round::LAYOUT,
    Plan::LAYOUT,
    ClassCounter::LAYOUT,
    Batch::LAYOUT,
];

macro_rules! shared_struct {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $kind:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
        pub struct $name { $($(#[$field_meta])* pub $field: $kind,)* }

        impl $name {
            pub const LAYOUT: StructLayout = StructLayout {
                name: stringify!($name),
                size: size_of::<$name>(),
                fields: &[$((stringify!($field), std::mem::offset_of!($name, $field)),)*],
            };
        }
    };
}

shared_struct! {
    /// A distance constraint: keeps two particles `rest_length` metres apart.
    pub struct Constraint {
        pub index_a: u32,
        pub index_b: u32,
        pub rest_length: f32,
        pub padding: f32,
    }
}

shared_struct! {
    /// What one substep needs to know; uniform block, std140.
    pub struct Params {
        /// Acceleration of free particles, m/s².
        pub gravity: [f32; 3],
        /// Length of the substep, s.
        pub dt: f32,
        /// Factor on velocities in a substep: exp(−damping·dt).
        pub velocity_scale: f32,
        /// ω of the Jacobi solver.
        pub relaxation: f32,
        /// Fixed-point steps in a metre; a power of two.
        pub delta_scale: f32,
        /// Largest single correction that is summed, in fixed-point steps; a power of two.
        pub delta_limit: f32,
        /// Rest length over original length.
        pub rest_scale: f32,
        pub particle_count: u32,
        /// Of distance constraints, m/N.
        pub compliance: f32,
        pub padding: f32,
    }
}

shared_struct! {
    /// Where a particle was, and how fast, a substep before the last one.
    pub struct History {
        /// m
        pub position: [f32; 4],
        /// m/s
        pub velocity: [f32; 4],
    }
}

shared_struct! {
    /// Sums over up to one workgroup of constraints, as `residual.comp` writes them.
    pub struct Residual {
        /// Σ |C| / rest_length
        pub sum: f32,
        /// Σ (|C| / rest_length)²
        pub sum_squares: f32,
        /// max |C| / rest_length
        pub max: f32,
        /// Σ length / original length
        pub length_ratio_sum: f32,
    }
}

shared_struct! {
    /// The camera and the look of a frame; uniform block, std140.
    pub struct View {
        pub view_projection: [[f32; 4]; 4],
        /// Eye position, m.
        pub eye: [f32; 3],
        /// Pixels in a point, the unit of sizes on the screen.
        pub pixels_per_point: f32,
        /// Size of the target, pixels.
        pub viewport: [f32; 2],
        /// Widest ribbon, points.
        pub ribbon_width: f32,
        /// Strain at either end of the strain colours.
        pub strain_range: f32,
    }
}

shared_struct! {
    /// What the colouring kernels are told; uniform block, std140.
    pub struct ColorParams {
        pub primitive_count: u32,
        pub point_count: u32,
        /// Points of every primitive; 0 when they differ.
        pub arity: u32,
        /// Where the parts of the incidence start, words.
        pub points_start: u32,
        pub point_offsets_start: u32,
        pub primitives_start: u32,
        /// Colours to choose from.
        pub palette: u32,
        /// 1: edges pair their colours, and paths may be long.
        pub paired: u32,
        /// 0: the lowest free colour; 1: a random one.
        pub choice: u32,
        /// 0: index; 1: hash; 2: degree.
        pub priority: u32,
        pub seed: u32,
        /// Bits that number the primitives.
        pub priority_bits: u32,
        /// Edges of a path that is followed; 0: none are.
        pub max_path: u32,
        /// Colours that there is room for at a point, in the kernels over edges.
        pub stride: u32,
        /// Primitives that one invocation sorts.
        pub chunk: u32,
        pub chunk_count: u32,
    }
}

shared_struct! {
    /// A round of colouring: the arguments of its indirect dispatch, then the length of its list.
    pub struct Round {
        pub groups: u32,
        pub groups_y: u32,
        pub groups_z: u32,
        pub count: u32,
    }
}

shared_struct! {
    /// What an edge means to do; see `glsl/common/edges.glsl`.
    pub struct Plan {
        pub kind: u32,
        pub first: u32,
        pub second: u32,
        pub end: u32,
    }
}

shared_struct! {
    /// What balancing knows of a class.
    pub struct ClassCounter {
        pub size: u32,
        /// Primitives to give to its partner in this round.
        pub transfer: u32,
        /// Primitives or paths that could.
        pub candidates: u32,
        /// Primitives that came in this round, less those that left.
        pub moved: i32,
    }
}

shared_struct! {
    /// A run of primitives of one colour, in batch order.
    pub struct Batch {
        pub begin: u32,
        pub length: u32,
    }
}
