//! The buffers of a colouring on the GPU.

use std::rc::Rc;

use crate::coloring::{Incidence, UNCOLORED};
use crate::gpu::layout::{ColorParams, Plan, Round, color_storage, color_texture, uniform};
use crate::gpu::{Buffer, BufferTexture, Gl};

/// What the kernels read and write, in the layout of `glsl/common/layout.glsl`.
pub struct ColorState {
    pub params: Buffer<ColorParams>,
    pub colors: Buffer<u32>,
    /// Two lists of primitives without colours, for even and odd rounds.
    pub lists: Buffer<u32>,
    pub rounds: Buffer<Round>,
    /// By primitive.
    pub plans: Buffer<Plan>,
    color_texture: BufferTexture,
    list_texture: BufferTexture,
    plan_texture: BufferTexture,
}

/// What kernels over primitives of any number of points look neighbours up in.
pub struct IncidenceTables {
    /// Offsets of primitives, their points, offsets of points, their primitives.
    pub incidence: Buffer<u32>,
    pub speculations: Buffer<u32>,
    incidence_texture: BufferTexture,
    speculation_texture: BufferTexture,
}

/// What kernels over edges look colours up in, see `glsl/common/edges.glsl`.
pub struct EdgeTables {
    /// The two points of each edge; one point twice, or [`UNCOLORED`] twice, of those that have fewer.
    pub edges: Buffer<[u32; 2]>,
    /// By point and word of 32 colours.
    pub masks: Buffer<u32>,
    /// By point and colour.
    pub slots: Buffer<u32>,
    /// By point and colour.
    pub claims: Buffer<u32>,
    edge_texture: BufferTexture,
    mask_texture: BufferTexture,
    slot_texture: BufferTexture,
    claim_texture: BufferTexture,
}

/// `PLAN_WAIT` of `glsl/common/edges.glsl`: nothing to be done in this round.
pub const PLAN_WAIT: u32 = 0;

/// A round whose list is empty.
pub const EMPTY_ROUND: Round = Round { groups: 0, groups_y: 1, groups_z: 1, count: 0 };

impl ColorState {
    /// These colours, nothing listed, and room for `round_count` rounds.
    pub fn new(gl: &Rc<Gl>, colors: &[u32], round_count: usize) -> Self {
        let count = colors.len();
        let colors = Buffer::new(gl, "colors", colors);
        let lists = Buffer::zeroed(gl, "lists", 2 * count);
        let plans = Buffer::zeroed(gl, "plans", count);
        Self {
            params: Buffer::zeroed(gl, "color_params", 1),
            color_texture: BufferTexture::new(gl, "colors", glow::R32UI, &colors),
            colors,
            list_texture: BufferTexture::new(gl, "lists", glow::R32UI, &lists),
            lists,
            rounds: Buffer::new(gl, "rounds", &vec![EMPTY_ROUND; round_count]),
            plan_texture: BufferTexture::new(gl, "plans", glow::RGBA32UI, &plans),
            plans,
        }
    }

    /// Binds it all.
    pub fn bind(&self) {
        self.params.bind_uniform(uniform::COLOR_PARAMS);
        self.colors.bind_storage(color_storage::COLORS);
        self.lists.bind_storage(color_storage::LISTS);
        self.rounds.bind_storage(color_storage::ROUNDS);
        self.plans.bind_storage(color_storage::PLANS);
        self.color_texture.bind(color_texture::COLORS);
        self.list_texture.bind(color_texture::LISTS);
        self.plan_texture.bind(color_texture::PLANS);
    }
}

impl IncidenceTables {
    pub fn new(gl: &Rc<Gl>, incidence: &Incidence) -> Self {
        let speculations = Buffer::new(gl, "speculations", &vec![UNCOLORED; incidence.primitive_count()]);
        let incidence = Buffer::new(gl, "incidence", &words(incidence));
        Self {
            incidence_texture: BufferTexture::new(gl, "incidence", glow::R32UI, &incidence),
            speculation_texture: BufferTexture::new(gl, "speculations", glow::R32UI, &speculations),
            incidence,
            speculations,
        }
    }

    /// Binds it all.
    pub fn bind(&self) {
        self.incidence.bind_storage(color_storage::INCIDENCE);
        self.speculations.bind_storage(color_storage::SPECULATIONS);
        self.incidence_texture.bind(color_texture::INCIDENCE);
        self.speculation_texture.bind(color_texture::SPECULATIONS);
    }

    /// Binds the speculations where kernels look for colours: the new colours while classes are recoloured.
    pub fn bind_speculations_as_colors(&self) {
        self.speculations.bind_storage(color_storage::COLORS);
        self.speculation_texture.bind(color_texture::COLORS);
    }
}

impl EdgeTables {
    /// Nothing entered, and room for `stride` colours at a point.
    pub fn new(gl: &Rc<Gl>, incidence: &Incidence, stride: u32) -> Self {
        let (points, stride) = (incidence.point_count(), stride as usize);
        let edges: Vec<[u32; 2]> = incidence.primitives().map(ends).collect();
        let edges = Buffer::new(gl, "edges", &edges);
        let masks = Buffer::zeroed(gl, "masks", points * stride.div_ceil(32));
        let slots = Buffer::new(gl, "slots", &vec![UNCOLORED; points * stride]);
        let claims = Buffer::zeroed(gl, "claims", points * stride);
        Self {
            claim_texture: BufferTexture::new(gl, "claims", glow::R32UI, &claims),
            edge_texture: BufferTexture::new(gl, "edges", glow::RG32UI, &edges),
            mask_texture: BufferTexture::new(gl, "masks", glow::R32UI, &masks),
            slot_texture: BufferTexture::new(gl, "slots", glow::R32UI, &slots),
            edges,
            masks,
            slots,
            claims,
        }
    }

    /// Binds it all.
    pub fn bind(&self) {
        self.edges.bind_storage(color_storage::EDGES);
        self.masks.bind_storage(color_storage::MASKS);
        self.slots.bind_storage(color_storage::SLOTS);
        self.claims.bind_storage(color_storage::CLAIMS);
        self.edge_texture.bind(color_texture::EDGES);
        self.mask_texture.bind(color_texture::MASKS);
        self.slot_texture.bind(color_texture::SLOTS);
        self.claim_texture.bind(color_texture::CLAIMS);
    }
}

/// The two ends of an edge, as [`EdgeTables::edges`] has them.
pub fn ends(points: &[u32]) -> [u32; 2] {
    match points {
        [] => [UNCOLORED; 2],
        [only] => [*only; 2],
        [first, .., last] => [*first, *last],
    }
}

/// The four parts of an incidence, one after the other; [`super::schedule::params`] says where each starts.
pub fn words(incidence: &Incidence) -> Vec<u32> {
    [incidence.primitive_offsets(), incidence.all_points(), incidence.point_offsets(), incidence.all_primitives()]
        .concat()
}
