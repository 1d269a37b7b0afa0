//! First-fit: each primitive in turn takes the lowest colour that its points have not seen.

use super::{Coloring, Incidence, UNCOLORED};

/// Colours taken at a point: one word for the first 64, more where a hub needs them.
#[derive(Clone, Default)]
struct ColorSet {
    first: u64,
    rest: Vec<u64>,
}

impl ColorSet {
    fn word(&self, index: usize) -> u64 {
        if index == 0 { self.first } else { self.rest.get(index - 1).copied().unwrap_or(0) }
    }

    fn insert(&mut self, color: u32) {
        let (word, bit) = (color as usize / 64, 1 << (color % 64));
        if word == 0 {
            self.first |= bit;
        } else {
            self.rest.resize(self.rest.len().max(word), 0);
            self.rest[word - 1] |= bit;
        }
    }
}

/// Colours taken at each point while primitives are coloured one after the other.
pub(super) struct Taken(Vec<ColorSet>);

impl Taken {
    pub(super) fn new(point_count: usize) -> Self {
        Self(vec![ColorSet::default(); point_count])
    }

    /// The lowest colour that none of `points` has seen.
    pub(super) fn lowest_free(&self, points: &[u32]) -> u32 {
        let mut word = 0;
        loop {
            let taken = points.iter().fold(0, |taken, &point| taken | self.0[point as usize].word(word));
            if taken != u64::MAX {
                return word as u32 * 64 + taken.trailing_ones();
            }
            word += 1;
        }
    }

    /// Whether none of `points` has seen it.
    pub(super) fn is_free(&self, points: &[u32], color: u32) -> bool {
        let (word, bit) = (color as usize / 64, 1 << (color % 64));
        points.iter().all(|&point| self.0[point as usize].word(word) & bit == 0)
    }

    /// What `insert` put there is gone.
    pub(super) fn remove(&mut self, points: &[u32], color: u32) {
        let (word, bit) = (color as usize / 64, 1u64 << (color % 64));
        for &point in points {
            let set = &mut self.0[point as usize];
            let word = if word == 0 { &mut set.first } else { &mut set.rest[word - 1] };
            *word &= !bit;
        }
    }

    pub(super) fn insert(&mut self, points: &[u32], color: u32) {
        for &point in points {
            self.0[point as usize].insert(color);
        }
    }
}

/// Colours the primitives in their order. With two points each, takes at most 2Δ − 1 colours, where Δ is
/// [`Incidence::lower_bound`].
pub fn first_fit(incidence: &Incidence) -> Coloring {
    // A primitive has at most so many neighbours at each of its points.
    let neighbors = u64::from(incidence.max_arity()) * u64::from(incidence.lower_bound().saturating_sub(1));
    if neighbors < 64 {
        return first_fit_of_64(incidence);
    }
    let mut taken = Taken::new(incidence.point_count());
    let colors = incidence.primitives().map(|points| {
        let color = taken.lowest_free(points);
        taken.insert(points, color);
        color
    });
    Coloring::of(colors.collect())
}

/// The same where 64 colours are enough: a word a point.
fn first_fit_of_64(incidence: &Incidence) -> Coloring {
    let mut taken = vec![0u64; incidence.point_count()];
    let mut color_count = 0;
    let mut color = |points: &[u32]| {
        let color = points.iter().fold(0, |seen, &point| seen | taken[point as usize]).trailing_ones();
        points.iter().for_each(|&point| taken[point as usize] |= 1 << color);
        color_count = color_count.max(color + 1);
        color
    };
    let colors = match incidence.arity() {
        // Twice as fast as to look up where the points of each start.
        Some(2) => incidence.all_points().as_chunks::<2>().0.iter().map(|points| color(points)).collect(),
        _ => incidence.primitives().map(color).collect(),
    };
    Coloring { colors, color_count }
}

/// Colours the primitives in the order given, which names each at most once; the others stay [`UNCOLORED`].
pub fn first_fit_in_order(incidence: &Incidence, order: impl IntoIterator<Item = u32>) -> Coloring {
    let mut taken = Taken::new(incidence.point_count());
    let mut colors = vec![UNCOLORED; incidence.primitive_count()];
    for primitive in order {
        let points = incidence.points_of(primitive);
        let color = taken.lowest_free(points);
        taken.insert(points, color);
        colors[primitive as usize] = color;
    }
    Coloring::of(colors)
}
