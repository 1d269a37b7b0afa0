//! Misra–Gries: edges, with at most one colour more than the lower bound.

use super::first_fit::Taken;
use super::{Coloring, Incidence, UNCOLORED};

/// Misra and Gries 1992, a constructive proof of Vizing's theorem. Edges that join the same two points as another, and
/// primitives of fewer than two points, come last and take the lowest free colour, which may be above that.
///
/// # Panics
/// When a primitive has more than two points.
pub fn misra_gries(incidence: &Incidence) -> Coloring {
    let palette = incidence.lower_bound() as usize + 1;
    let mut graph = Graph {
        ends: incidence
            .primitives()
            .map(|points| match *points {
                [] | [_] => None,
                [u, v] => Some([u, v]),
                _ => panic!("an edge has two points"),
            })
            .collect(),
        colors: vec![UNCOLORED; incidence.primitive_count()],
        slots: vec![UNCOLORED; incidence.point_count() * palette],
        palette,
        in_fan: vec![UNCOLORED; incidence.point_count()],
    };
    let mut joined = std::collections::HashSet::new();
    let mut last = Vec::new();
    for edge in 0..incidence.primitive_count() as u32 {
        match graph.ends[edge as usize] {
            Some([u, v]) if joined.insert([u.min(v), u.max(v)]) => graph.color(edge, u, v),
            _ => last.push(edge),
        }
    }
    let mut colors = graph.colors;
    if !last.is_empty() {
        let mut taken = Taken::new(incidence.point_count());
        for (points, &color) in incidence.primitives().zip(&colors).filter(|(_, color)| **color != UNCOLORED) {
            taken.insert(points, color);
        }
        for edge in last {
            let points = incidence.points_of(edge);
            let color = taken.lowest_free(points);
            taken.insert(points, color);
            colors[edge as usize] = color;
        }
    }
    Coloring::of(colors)
}

/// Edges and their colours as they are.
struct Graph {
    ends: Vec<Option<[u32; 2]>>,
    colors: Vec<u32>,
    /// By point and colour: the edge.
    slots: Vec<u32>,
    palette: usize,
    /// The edge whose fan a point was last in.
    in_fan: Vec<u32>,
}

impl Graph {
    fn slot(&self, point: u32, color: usize) -> u32 {
        self.slots[point as usize * self.palette + color]
    }

    fn is_free(&self, point: u32, color: usize) -> bool {
        self.slot(point, color) == UNCOLORED
    }

    fn free_color(&self, point: u32) -> usize {
        (0..self.palette).find(|&color| self.is_free(point, color)).expect("one colour more than edges at a point")
    }

    fn far(&self, edge: u32, point: u32) -> u32 {
        let [u, v] = self.ends[edge as usize].expect("it has two points");
        if u == point { v } else { u }
    }

    /// Gives an edge a colour, or takes it away.
    fn set(&mut self, edge: u32, color: Option<usize>) {
        let old = std::mem::replace(&mut self.colors[edge as usize], color.map_or(UNCOLORED, |color| color as u32));
        for point in self.ends[edge as usize].expect("it has two points") {
            let row = point as usize * self.palette;
            if old != UNCOLORED {
                self.slots[row + old as usize] = UNCOLORED;
            }
            if let Some(color) = color {
                self.slots[row + color] = edge;
            }
        }
    }

    fn color(&mut self, edge: u32, u: u32, v: u32) {
        let fan = self.fan(edge, u, v);
        let tip = self.far(*fan.last().expect("the edge itself"), u);
        let (c, d) = (self.free_color(u), self.free_color(tip));
        if !self.is_free(u, d) {
            self.invert(u, d, c);
        }
        // Now d is free at u. The part of the fan that is still one, up to a point where d is free:
        let mut end = 0;
        while !self.is_free(self.far(fan[end], u), d) {
            end += 1;
            let color = self.colors[fan[end] as usize] as usize;
            debug_assert!(self.is_free(self.far(fan[end - 1], u), color), "the fan holds up to there");
        }
        let colors: Vec<usize> = fan[1..=end].iter().map(|&edge| self.colors[edge as usize] as usize).collect();
        for &edge in &fan[1..=end] {
            self.set(edge, None);
        }
        for (&edge, color) in fan.iter().zip(colors.into_iter().chain([d])) {
            self.set(edge, Some(color));
        }
    }

    /// Edges at u, the first without a colour, the colour of each next one free at the far point of the one before: as many as
    /// there can be.
    fn fan(&mut self, edge: u32, u: u32, v: u32) -> Vec<u32> {
        let mut fan = vec![edge];
        let mut tip = v;
        self.in_fan[v as usize] = edge;
        loop {
            let next = (0..self.palette).find_map(|color| {
                let next = self.slot(u, color);
                let fits =
                    next != UNCOLORED && self.is_free(tip, color) && self.in_fan[self.far(next, u) as usize] != edge;
                fits.then_some(next)
            });
            let Some(next) = next else { return fan };
            tip = self.far(next, u);
            self.in_fan[tip as usize] = edge;
            fan.push(next);
        }
    }

    /// Swaps two colours along the path that starts at `point` with one of `first`.
    fn invert(&mut self, point: u32, first: usize, second: usize) {
        let mut path = Vec::new();
        let (mut at, mut color) = (point, first);
        loop {
            let edge = self.slot(at, color);
            if edge == UNCOLORED {
                break;
            }
            path.push((edge, first + second - color));
            at = self.far(edge, at);
            color = first + second - color;
        }
        for &(edge, _) in &path {
            self.set(edge, None);
        }
        for (edge, color) in path {
            self.set(edge, Some(color));
        }
    }
}
