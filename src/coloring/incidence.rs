//! Which primitives touch which points, both ways, in compressed rows (CSR).
//!
//! A primitive is whatever is solved at once: an edge of two points, a face of three, a hinge of four, a cluster of any
//! number. Two primitives conflict when they share a point. Incidence says that in as many words as the primitives have
//! points, where a list of the neighbours of each primitive takes the square of a hub's valence.

/// Points of each primitive and primitives at each point. A point counts once in a primitive, however often it was named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incidence {
    /// The points of primitive `i` are `points[primitive_offsets[i] .. primitive_offsets[i + 1]]`.
    primitive_offsets: Vec<u32>,
    points: Vec<u32>,
    /// The primitives at point `p` are `primitives[point_offsets[p] .. point_offsets[p + 1]]`, in rising order.
    point_offsets: Vec<u32>,
    primitives: Vec<u32>,
    max_valence: u32,
    min_arity: u32,
    max_arity: u32,
}

impl Incidence {
    /// Of `point_count` points and of primitives that each list some of them.
    ///
    /// # Panics
    /// When a primitive lists a point that there is not, or when all of them list more than 2³² − 1 points.
    pub fn new<P: AsRef<[u32]>>(point_count: usize, primitives: impl IntoIterator<Item = P>) -> Self {
        Self::without(point_count, primitives, |_| false)
    }

    /// The same, leaving out the points that `left_out` picks. What nothing writes, as a pinned particle, is shared by any
    /// number of primitives without a race.
    pub fn without<P: AsRef<[u32]>>(
        point_count: usize,
        primitives: impl IntoIterator<Item = P>,
        left_out: impl Fn(u32) -> bool,
    ) -> Self {
        let mut primitive_offsets = vec![0];
        let mut points: Vec<u32> = Vec::new();
        let mut point_offsets = vec![0; point_count + 1];
        for primitive in primitives {
            let start = points.len();
            for &point in primitive.as_ref() {
                assert!((point as usize) < point_count, "point {point} of {point_count}");
                if !points[start..].contains(&point) && !left_out(point) {
                    points.push(point);
                    point_offsets[point as usize + 1] += 1;
                }
            }
            primitive_offsets.push(u32::try_from(points.len()).expect("fewer than 2³² points of primitives"));
        }
        for point in 0..point_count {
            point_offsets[point + 1] += point_offsets[point];
        }
        let mut next = point_offsets.clone();
        let mut at_points = vec![0; points.len()];
        for (primitive, row) in (0u32..).zip(primitive_offsets.windows(2)) {
            for &point in &points[row[0] as usize..row[1] as usize] {
                at_points[next[point as usize] as usize] = primitive;
                next[point as usize] += 1;
            }
        }
        let longest = |offsets: &[u32]| offsets.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0);
        let shortest = |offsets: &[u32]| offsets.windows(2).map(|row| row[1] - row[0]).min().unwrap_or(0);
        Self {
            max_valence: longest(&point_offsets),
            min_arity: shortest(&primitive_offsets),
            max_arity: longest(&primitive_offsets),
            primitive_offsets,
            points,
            point_offsets,
            primitives: at_points,
        }
    }

    pub fn primitive_count(&self) -> usize {
        self.primitive_offsets.len().saturating_sub(1)
    }

    pub fn point_count(&self) -> usize {
        self.point_offsets.len().saturating_sub(1)
    }

    /// The points of a primitive.
    pub fn points_of(&self, primitive: u32) -> &[u32] {
        row(&self.primitive_offsets, &self.points, primitive)
    }

    /// The primitives at a point, in rising order.
    pub fn primitives_at(&self, point: u32) -> &[u32] {
        row(&self.point_offsets, &self.primitives, point)
    }

    /// The points of every primitive, primitive by primitive.
    pub fn primitives(&self) -> impl Iterator<Item = &[u32]> {
        self.primitive_offsets.windows(2).map(|row| &self.points[row[0] as usize..row[1] as usize])
    }

    /// The primitives that share a point with this one, rising, each once.
    pub fn neighbors(&self, primitive: u32) -> Vec<u32> {
        let at_points = self.points_of(primitive).iter().flat_map(|&point| self.primitives_at(point));
        let mut neighbors: Vec<u32> = at_points.copied().filter(|&neighbor| neighbor != primitive).collect();
        neighbors.sort_unstable();
        neighbors.dedup();
        neighbors
    }

    /// Primitives at each point.
    pub fn valences(&self) -> impl Iterator<Item = u32> {
        self.point_offsets.windows(2).map(|row| row[1] - row[0])
    }

    /// The most primitives at one point. No colouring has fewer colours: these all conflict with one another.
    pub fn lower_bound(&self) -> u32 {
        let least = u32::from(self.primitive_count() > 0);
        self.max_valence.max(least)
    }

    /// The most points of one primitive.
    pub fn max_arity(&self) -> u32 {
        self.max_arity
    }

    /// The points of every primitive, where all have as many.
    pub fn arity(&self) -> Option<u32> {
        (self.min_arity == self.max_arity).then_some(self.max_arity)
    }

    /// Where the points of each primitive start; one more entry than primitives.
    pub fn primitive_offsets(&self) -> &[u32] {
        &self.primitive_offsets
    }

    /// Where the primitives at each point start; one more entry than points.
    pub fn point_offsets(&self) -> &[u32] {
        &self.point_offsets
    }

    /// All points of all primitives.
    pub fn all_points(&self) -> &[u32] {
        &self.points
    }

    /// All primitives at all points.
    pub fn all_primitives(&self) -> &[u32] {
        &self.primitives
    }
}

fn row<'a>(offsets: &[u32], items: &'a [u32], index: u32) -> &'a [u32] {
    &items[offsets[index as usize] as usize..offsets[index as usize + 1] as usize]
}
