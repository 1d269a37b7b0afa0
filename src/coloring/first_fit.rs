//! First-fit: each constraint in turn takes the lowest colour that its particles have not seen.

use super::Coloring;

/// Colours taken at a particle: one word for the first 64, more where a hub needs them.
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

/// Colours `primitives` in their order. Takes at most 2Δ − 1 colours, where Δ is [`super::lower_bound`].
pub fn first_fit(particle_count: usize, primitives: &[[u32; 2]]) -> Coloring {
    let mut taken = vec![ColorSet::default(); particle_count];
    let mut color_count = 0;
    let colors = primitives
        .iter()
        .map(|&[a, b]| {
            let mut word = 0;
            let color = loop {
                let free = !(taken[a as usize].word(word) | taken[b as usize].word(word));
                if free != 0 {
                    break word as u32 * 64 + free.trailing_zeros();
                }
                word += 1;
            };
            taken[a as usize].insert(color);
            taken[b as usize].insert(color);
            color_count = color_count.max(color + 1);
            color
        })
        .collect();
    Coloring { colors, color_count }
}
