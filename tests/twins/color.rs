//! A twin for each kernel of colouring: one sequential function of the same name, written from what the kernel's header says.
//! Kernels append to lists in any order; the twins do so in the order of the list before, and lists are compared as sets.

#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};

use tartan::coloring::{Incidence, UNCOLORED};
use tartan::gpu::layout::{Batch, ClassCounter, ColorParams, Plan, Round};

const GROUP: u32 = 256;

pub const WAIT: u32 = 0;
pub const DIRECT: u32 = 1;
pub const CHAIN: u32 = 2;
pub const SHIFT: u32 = 3;
pub const SWAP: u32 = 4;
/// Added where a path starts at the second point.
pub const FROM_Y: u32 = 8;

/// What the kernels of colouring read and write.
#[derive(Clone, Debug, Default)]
pub struct Colors {
    pub params: ColorParams,
    pub incidence: Incidence,
    /// The two points of each edge, as the host uploads them; empty where primitives are no edges.
    pub ends: Vec<[u32; 2]>,
    pub colors: Vec<u32>,
    pub speculations: Vec<u32>,
    /// By round, odd and even.
    pub lists: [Vec<u32>; 2],
    pub rounds: Vec<Round>,
    pub plans: Vec<Plan>,
    pub masks: Vec<u32>,
    pub slots: Vec<u32>,
    pub claims: Vec<u32>,
    pub classes: Vec<ClassCounter>,
    pub base_order: Vec<u32>,
    pub order: Vec<u32>,
    pub counters: Vec<u32>,
    pub batches: Vec<Batch>,
}

/// What a pass is told beside the parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call {
    pub round: u32,
    pub epoch: u32,
    pub batch: (u32, u32),
    pub color_count: u32,
}

type Twin = fn(&mut Colors, Call);

/// Every twin by its kernel's name.
pub const TWINS: [(&str, Twin); 16] = [
    ("color_assign", color_assign),
    ("color_resolve", color_resolve),
    ("color_recolor", color_recolor),
    ("color_balance_plan", color_balance_plan),
    ("color_balance_count", color_balance_count),
    ("color_balance_move", color_balance_move),
    ("edge_enter", edge_enter),
    ("edge_assign", edge_assign),
    ("edge_resolve", edge_resolve),
    ("edge_plan", edge_plan),
    ("edge_apply", edge_apply),
    ("edge_balance_count", edge_balance_count),
    ("edge_balance_move", edge_balance_move),
    ("workset_histogram", workset_histogram),
    ("workset_scan", workset_scan),
    ("workset_scatter", workset_scatter),
];

pub fn twin(name: &str) -> Twin {
    TWINS.iter().find(|(twin, _)| *twin == name).unwrap_or_else(|| panic!("{name} has no twin")).1
}

/// Steele's and Vigna's kind of finaliser with Wellons' constants, as `hash.glsl` says.
pub fn mix(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x7feb352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846ca68b);
    x ^ (x >> 16)
}

fn hash(a: u32, b: u32) -> u32 {
    mix(a ^ mix(b.wrapping_add(0x9e3779b9)))
}

impl Colors {
    /// The entries of a round's list.
    pub fn list(&self, round: u32) -> &[u32] {
        &self.lists[round as usize % 2][..self.rounds[round as usize].count as usize]
    }

    fn append(&mut self, round: u32, primitive: u32) {
        let row = &mut self.rounds[round as usize];
        self.lists[round as usize % 2][row.count as usize] = primitive;
        row.count += 1;
        row.groups = row.count.div_ceil(GROUP);
    }

    fn neighbors(&self, primitive: u32) -> Vec<u32> {
        self.incidence.neighbors(primitive)
    }

    /// The colours of a primitive's neighbours.
    fn taken(&self, primitive: u32) -> BTreeSet<u32> {
        self.neighbors(primitive).iter().map(|&neighbor| self.colors[neighbor as usize]).collect()
    }

    fn slot(&self, point: u32, color: u32) -> usize {
        (point * self.params.stride + color) as usize
    }

    fn edge_at(&self, point: u32, color: u32) -> Option<u32> {
        Some(self.slots[self.slot(point, color)]).filter(|&edge| edge != UNCOLORED)
    }

    fn mask(&self, point: u32, color: u32) -> (usize, u32) {
        ((point * self.params.stride.div_ceil(32) + color / 32) as usize, 1 << (color % 32))
    }

    fn is_free(&self, point: u32, color: u32) -> bool {
        let (word, bit) = self.mask(point, color);
        self.masks[word] & bit == 0
    }

    fn set_mask(&mut self, point: u32, color: u32, taken: bool) {
        let (word, bit) = self.mask(point, color);
        if taken {
            self.masks[word] |= bit;
        } else {
            self.masks[word] &= !bit;
        }
    }

    fn far(&self, edge: u32, point: u32) -> u32 {
        let [x, y] = self.ends[edge as usize];
        if x == point { y } else { x }
    }

    fn partner(&self, color: u32, round: u32) -> u32 {
        (round % self.params.palette + self.params.palette - color) % self.params.palette
    }

    /// A random colour free at both points: words of 32 colours from a random one on, the first that has any.
    fn free_color(&self, points: [u32; 2], bits: u32) -> Option<u32> {
        let palette = self.params.palette;
        let words = palette.div_ceil(32);
        let first = if words > 1 { (bits >> 20) % words } else { 0 };
        (0..words).map(|i| (first + i) % words).find_map(|word| {
            let free: Vec<u32> = (word * 32..(word * 32 + 32).min(palette))
                .filter(|&color| points.iter().all(|&point| self.is_free(point, color)))
                .collect();
            (!free.is_empty()).then(|| free[bits as usize % free.len()])
        })
    }

    fn give(&mut self, edge: u32, color: u32) {
        self.colors[edge as usize] = color;
        for point in self.ends[edge as usize] {
            let slot = self.slot(point, color);
            self.slots[slot] = edge;
            self.set_mask(point, color, true);
        }
    }

    /// The edges of a path and the points along it; `None` when there are more than are followed.
    fn path(&self, start: u32, first: u32, second: u32) -> (Vec<u32>, Vec<u32>, bool) {
        let (mut edges, mut points) = (Vec::new(), vec![start]);
        let mut colors = [first, second].into_iter().cycle();
        loop {
            if edges.len() as u32 > self.params.max_path {
                return (edges, points, false);
            }
            let at = *points.last().expect("the start");
            let Some(edge) = self.edge_at(at, colors.next().expect("a cycle")) else { break };
            edges.push(edge);
            points.push(self.far(edge, at));
            if points[points.len() - 1] == at {
                break;
            }
        }
        let ends = edges.len() as u32 <= self.params.max_path;
        (edges, points, ends)
    }

    /// Takes a path's edges out and puts them in again with the other colour.
    fn swap(&mut self, start: u32, first: u32, second: u32) {
        let (edges, points, _) = self.path(start, first, second);
        let in_turn = |i: usize| if i.is_multiple_of(2) { [first, second] } else { [second, first] };
        for i in 0..edges.len() {
            for point in [points[i], points[i + 1]] {
                let slot = self.slot(point, in_turn(i)[0]);
                self.slots[slot] = UNCOLORED;
                self.set_mask(point, in_turn(i)[0], false);
            }
        }
        for (i, &edge) in edges.iter().enumerate() {
            self.colors[edge as usize] = in_turn(i)[1];
            for point in [points[i], points[i + 1]] {
                let slot = self.slot(point, in_turn(i)[1]);
                self.slots[slot] = edge;
                self.set_mask(point, in_turn(i)[1], true);
            }
        }
    }

    /// The round's mark of an edge, as `claims.glsl` says: the epoch above, a bijection of the edge's number below.
    fn mark(&self, edge: u32, epoch: u32) -> u32 {
        let bits = self.params.priority_bits;
        let mask = if bits == 0 { 0 } else { u32::MAX >> (32 - bits) };
        let number = if self.params.priority == 0 {
            mask.wrapping_sub(edge) & mask
        } else {
            let salt = epoch.wrapping_add(self.params.seed).wrapping_mul(0x85ebca6b);
            let x = edge.wrapping_mul(0x9e3779b1).wrapping_add(salt) & mask;
            (x ^ (x >> (bits / 2 + 1))).wrapping_mul(0xc2b2ae35) & mask
        };
        if bits >= 32 { number } else { epoch << bits | number }
    }

    fn claim(&mut self, point: u32, color: u32, mark: u32) {
        let slot = self.slot(point, color);
        // The greatest of marks that all differ, in whatever order they come.
        self.claims[slot] = self.claims[slot].max(mark);
    }

    fn granted(&self, point: u32, color: u32, mark: u32) -> bool {
        self.claims[self.slot(point, color)] == mark
    }

    /// The places that a plan needs.
    fn places(&self, edge: u32, plan: &Plan, round: u32) -> Vec<(u32, u32)> {
        let paired = self.params.paired != 0;
        let name = |color: u32| if paired { color.min(self.partner(color, round)) } else { color };
        let [x, y] = self.ends[edge as usize];
        let mut places = vec![(x, name(plan.first)), (y, name(plan.first))];
        match plan.kind & 7 {
            DIRECT => {}
            CHAIN if !paired => {
                let start = if plan.kind & FROM_Y == 0 { x } else { y };
                let (_, points, _) = self.path(start, plan.first, plan.second);
                places.extend(points.iter().flat_map(|&point| [(point, plan.first), (point, plan.second)]));
            }
            _ => places.push((plan.end, name(plan.first))),
        }
        places
    }
}

pub fn color_assign(w: &mut Colors, call: Call) {
    let ColorParams { palette, seed, choice, primitive_count, .. } = w.params;
    for primitive in w.list(call.round).to_vec() {
        let taken = w.taken(primitive);
        let lowest = |mut colors: std::ops::Range<u32>| colors.find(|color| !taken.contains(color));
        let chosen = if choice == 0 {
            lowest(0..palette)
        } else {
            let bits = hash(primitive, seed.wrapping_add(call.round));
            let windows = palette.div_ceil(64);
            let first = if windows > 1 { mix(bits) % windows } else { 0 };
            (0..windows).map(|i| (first + i) % windows).find_map(|window| {
                let free: Vec<u32> =
                    (window * 64..(window * 64 + 64).min(palette)).filter(|color| !taken.contains(color)).collect();
                (!free.is_empty()).then(|| free[bits as usize % free.len()])
            })
        };
        w.speculations[primitive as usize] = chosen.or_else(|| lowest(palette..primitive_count)).unwrap_or(UNCOLORED);
    }
}

pub fn color_resolve(w: &mut Colors, call: Call) {
    let ColorParams { priority, seed, .. } = w.params;
    let arity = |one: u32| w.incidence.points_of(one).len();
    let degree = |one: u32| -> usize {
        w.incidence.points_of(one).iter().map(|&point| w.incidence.primitives_at(point).len() - 1).sum()
    };
    // What comes first is greater.
    let rank = |one: u32| {
        let by_priority = match priority {
            0 => (0, u32::MAX - one),
            1 => (0, mix(one ^ seed)),
            _ => (degree(one), mix(one ^ seed)),
        };
        (arity(one), by_priority)
    };
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for &primitive in w.list(call.round) {
        let color = w.speculations[primitive as usize];
        let rivals = w.neighbors(primitive).into_iter().filter(|&other| w.speculations[other as usize] == color);
        if color != UNCOLORED && rivals.map(rank).all(|rival| rival < rank(primitive)) {
            kept.push(primitive);
        } else {
            lost.push(primitive);
        }
    }
    kept.iter().for_each(|&one| w.colors[one as usize] = w.speculations[one as usize]);
    lost.iter().for_each(|&one| w.append(call.round + 1, one));
}

pub fn color_recolor(w: &mut Colors, call: Call) {
    let (begin, length) = call.batch;
    for place in begin..begin + length {
        let primitive = w.order[place as usize];
        let taken = w.taken(primitive);
        if let Some(color) = (0..w.params.palette).find(|color| !taken.contains(color)) {
            w.colors[primitive as usize] = color;
        }
    }
}

pub fn color_balance_plan(w: &mut Colors, call: Call) {
    let ColorParams { palette, primitive_count, .. } = w.params;
    for class in &mut w.classes[..palette as usize] {
        class.size = class.size.wrapping_add_signed(class.moved);
        (class.moved, class.candidates) = (0, 0);
    }
    let (low, high) = (primitive_count / palette, primitive_count.div_ceil(palette));
    let sizes: Vec<u32> = w.classes.iter().map(|class| class.size).collect();
    for color in 0..palette {
        let (size, other) = (sizes[color as usize], sizes[w.partner(color, call.round) as usize]);
        let gives = size > low && other < high && size > other + 1;
        w.classes[color as usize].transfer = if gives { (size - low).min(high - other) } else { 0 };
    }
}

pub fn color_balance_count(w: &mut Colors, call: Call) {
    for primitive in 0..w.params.primitive_count {
        let color = w.colors[primitive as usize];
        if color >= w.params.palette || w.classes[color as usize].transfer == 0 {
            continue;
        }
        let partner = w.partner(color, call.round);
        let has_it = |one: u32| w.colors[one as usize] == partner;
        // A primitive that is its own partner's is not free of it.
        let own = has_it(primitive) && !w.incidence.points_of(primitive).is_empty();
        if !own && !w.neighbors(primitive).into_iter().any(has_it) {
            w.classes[color as usize].candidates += 1;
            w.append(call.round + 1, primitive);
        }
    }
}

fn goes(class: &ClassCounter, bits: u32) -> bool {
    class.transfer >= class.candidates || bits % class.candidates < class.transfer
}

fn book(w: &mut Colors, giver: u32, taker: u32) {
    w.classes[giver as usize].moved -= 1;
    w.classes[taker as usize].moved += 1;
}

pub fn color_balance_move(w: &mut Colors, call: Call) {
    for primitive in w.list(call.round).to_vec() {
        let giver = w.colors[primitive as usize];
        if goes(&w.classes[giver as usize], hash(primitive, w.params.seed.wrapping_add(call.round))) {
            let taker = w.partner(giver, call.round - 1);
            w.colors[primitive as usize] = taker;
            book(w, giver, taker);
        }
    }
}

pub fn edge_enter(w: &mut Colors, call: Call) {
    for edge in 0..w.params.primitive_count {
        if w.ends[edge as usize][0] == UNCOLORED {
            continue;
        }
        let color = w.colors[edge as usize];
        if color < w.params.palette {
            w.give(edge, color);
        } else {
            w.colors[edge as usize] = UNCOLORED;
            w.append(call.round + 1, edge);
        }
    }
}

pub fn edge_assign(w: &mut Colors, call: Call) {
    for edge in w.list(call.round).to_vec() {
        let points = w.ends[edge as usize];
        let color = w.free_color(points, hash(edge, w.params.seed.wrapping_add(call.round)));
        w.plans[edge as usize].first = color.unwrap_or(UNCOLORED);
        if let Some(color) = color {
            let mark = w.mark(edge, call.epoch);
            points.iter().for_each(|&point| w.claim(point, color, mark));
        }
    }
}

pub fn edge_resolve(w: &mut Colors, call: Call) {
    for edge in w.list(call.round).to_vec() {
        let color = w.plans[edge as usize].first;
        let mark = w.mark(edge, call.epoch);
        if color != UNCOLORED && w.ends[edge as usize].iter().all(|&point| w.granted(point, color, mark)) {
            w.give(edge, color);
        } else {
            w.append(call.round + 1, edge);
        }
    }
}

/// What an edge can do, and the edges that were followed to find out.
fn plan_of(w: &Colors, edge: u32, round: u32) -> (Plan, u32) {
    let wait = (Plan::default(), 0);
    let [x, y] = w.ends[edge as usize];
    let bits = hash(edge, w.params.seed.wrapping_add(round));
    if let Some(color) = w.free_color([x, y], bits >> 4) {
        return (Plan { kind: DIRECT, first: color, second: 0, end: x }, 0);
    }
    let [u, v] = if bits & 1 != 0 { [y, x] } else { [x, y] };
    let mut swaps = false;
    let (start, first, second) = if w.params.paired == 0 {
        let bits = bits >> 4;
        let (a, b) = (w.free_color([u, u], bits), w.free_color([v, v], bits >> 8));
        let (Some(a), Some(b)) = (a, b) else { return wait };
        (v, a, b)
    } else {
        let bits = bits >> 1;
        let free = (0..w.params.palette).filter(|&a| w.is_free(u, a)).take(8);
        let pair = free.map(|a| (a, w.partner(a, round))).find(|&(a, b)| a != b && w.is_free(v, b));
        match (pair, w.free_color([u, u], bits >> 2)) {
            (Some((a, b)), _) => (v, a, b),
            (None, Some(a)) if bits & 3 == 3 => {
                let b = w.partner(a, round);
                if a == b || w.is_free(u, b) {
                    return wait;
                }
                swaps = true;
                (u, b, a)
            }
            _ => return wait,
        }
    };
    let (edges, points, ends) = w.path(start, first, second);
    let end = *points.last().expect("the start");
    let from = if start == y { FROM_Y } else { 0 };
    let steps = edges.len() as u32;
    let plan = match (swaps, ends) {
        (true, true) => Plan { kind: SWAP | from, first, second, end },
        (true, false) => Plan::default(),
        (false, true) if end != u => Plan { kind: CHAIN | from, first, second, end },
        (false, _) => {
            let neighbor = w.edge_at(u, second).expect("what is not free is there");
            Plan { kind: SHIFT, first: second, second: neighbor, end: w.far(neighbor, u) }
        }
    };
    (plan, steps)
}

pub fn edge_plan(w: &mut Colors, call: Call) {
    for edge in w.list(call.round).to_vec() {
        let (plan, steps) = plan_of(w, edge, call.round);
        w.rounds[0].count += steps;
        w.plans[edge as usize] = plan;
        if plan.kind & 7 != WAIT {
            let mark = w.mark(edge, call.epoch);
            for (point, color) in w.places(edge, &plan, call.round) {
                w.claim(point, color, mark);
            }
        }
    }
}

pub fn edge_apply(w: &mut Colors, call: Call) {
    let list = w.list(call.round).to_vec();
    let granted: BTreeMap<u32, bool> = list
        .iter()
        .map(|&edge| {
            let plan = w.plans[edge as usize];
            let mark = w.mark(edge, call.epoch);
            let all = || w.places(edge, &plan, call.round).iter().all(|&(point, color)| w.granted(point, color, mark));
            (edge, plan.kind & 7 != WAIT && all())
        })
        .collect();
    for edge in list {
        let Plan { kind, first, second, end } = w.plans[edge as usize];
        let [x, y] = w.ends[edge as usize];
        let start = if kind & FROM_Y == 0 { x } else { y };
        if !granted[&edge] {
            w.append(call.round + 1, edge);
            continue;
        }
        match kind & 7 {
            SWAP => {
                w.swap(start, first, second);
                w.append(call.round + 1, edge);
                continue;
            }
            CHAIN => w.swap(start, first, second),
            SHIFT => {
                w.colors[second as usize] = UNCOLORED;
                if end != x && end != y {
                    let slot = w.slot(end, first);
                    w.slots[slot] = UNCOLORED;
                    w.set_mask(end, first, false);
                }
                w.append(call.round + 1, second);
            }
            _ => {}
        }
        w.give(edge, first);
    }
}

pub fn edge_balance_count(w: &mut Colors, call: Call) {
    for edge in 0..w.params.primitive_count {
        let color = w.colors[edge as usize];
        let [x, y] = w.ends[edge as usize];
        if color >= w.params.palette || w.classes[color as usize].transfer == 0 || x == UNCOLORED {
            continue;
        }
        let partner = w.partner(color, call.round);
        let start = match (w.is_free(x, partner), w.is_free(y, partner)) {
            (true, true) => Some(x),
            (false, false) => None,
            (free_x, _) => {
                let start = if free_x { x } else { y };
                let (edges, _, ends) = w.path(start, color, partner);
                let last = *edges.last().expect("the edge itself");
                Some(start).filter(|_| ends && edges.len() % 2 == 1 && edge < last)
            }
        };
        if let Some(start) = start {
            let from = if start == x { 0 } else { FROM_Y };
            w.plans[edge as usize] = Plan { kind: SWAP | from, first: color, second: partner, end: start };
            w.classes[color as usize].candidates += 1;
            w.append(call.round + 1, edge);
        }
    }
}

pub fn edge_balance_move(w: &mut Colors, call: Call) {
    for edge in w.list(call.round).to_vec() {
        let Plan { kind, first, second, .. } = w.plans[edge as usize];
        if goes(&w.classes[first as usize], hash(edge, w.params.seed.wrapping_add(call.round))) {
            let [x, y] = w.ends[edge as usize];
            w.swap(if kind & FROM_Y == 0 { x } else { y }, first, second);
            book(w, first, second);
        }
    }
}

/// The primitives of a chunk, in the base order.
fn chunk(w: &Colors, index: u32) -> Vec<u32> {
    let (from, to) = (index * w.params.chunk, ((index + 1) * w.params.chunk).min(w.params.primitive_count));
    w.base_order[from as usize..to as usize].to_vec()
}

pub fn workset_histogram(w: &mut Colors, call: Call) {
    for index in 0..w.params.chunk_count {
        for color in 0..call.color_count {
            let of_color = chunk(w, index).into_iter().filter(|&one| w.colors[one as usize] == color).count();
            w.counters[(color * w.params.chunk_count + index) as usize] = of_color as u32;
        }
    }
}

pub fn workset_scan(w: &mut Colors, call: Call) {
    let total = (call.color_count * w.params.chunk_count) as usize;
    let mut sum = 0;
    for counter in &mut w.counters[..total] {
        sum += std::mem::replace(counter, sum);
    }
    for color in 0..call.color_count {
        let begin = w.counters[(color * w.params.chunk_count) as usize];
        let end = if color + 1 == call.color_count {
            w.params.primitive_count
        } else {
            w.counters[((color + 1) * w.params.chunk_count) as usize]
        };
        w.batches[color as usize] = Batch { begin, length: end - begin };
    }
}

pub fn workset_scatter(w: &mut Colors, _: Call) {
    for index in 0..w.params.chunk_count {
        for primitive in chunk(w, index) {
            let counter = (w.colors[primitive as usize] * w.params.chunk_count + index) as usize;
            w.order[w.counters[counter] as usize] = primitive;
            w.counters[counter] += 1;
        }
    }
}
