//! Every colour of the picture. Values are sRGB, 8 bits a channel, and reach the screen as they are.

use std::sync::OnceLock;

use crate::constraint::Group;

/// Behind everything.
pub const BACKGROUND: [u8; 3] = [0x14, 0x16, 0x1b];
pub(super) const GROUND: [u8; 3] = [0x4a, 0x51, 0x5e];
pub(super) const CLOTH_FRONT: [u8; 3] = [0x4c, 0x55, 0x66];
pub(super) const CLOTH_BACK: [u8; 3] = [0x66, 0x58, 0x50];
pub(super) const PIN: [u8; 3] = [0xff, 0xff, 0xff];
pub(super) const PIN_EDGE: [u8; 3] = [0x10, 0x12, 0x16];
/// Of a constraint that has no colour yet, and of one that has just lost the colour that it chose.
pub const UNCOLORED: [u8; 3] = [0x8a, 0x90, 0x9a];
pub const CONFLICT: [u8; 3] = [0xff, 0x2d, 0x2d];
pub(super) const CURSOR: [u8; 3] = [0xff, 0xff, 0xff];

/// Batches with a colour of their own; beyond, colours come again.
pub const LEN: usize = 256;

/// The colours of the first batches.
///
/// Found by exchange from random starts, for normal vision and full protanopia, deuteranopia and tritanopia (Machado,
/// Oliveira, Fernandes 2009) at once. First the smallest CIELAB distance of any two was made as large as it got, then by
/// small moves the smallest CIEDE2000 difference, which counts saturated colours for less: any two are at least 23.3 apart
/// by the one and 12.0 by the other. Background and cloth are at least 19 and 14 away. The order puts contrasts side by
/// side: a grid's threads along one direction take two batches that follow one another.
const FIRST: [[u8; 3]; 12] = [
    [11, 149, 255],
    [235, 147, 17],
    [117, 255, 238],
    [239, 72, 160],
    [200, 255, 173],
    [218, 15, 15],
    [203, 187, 253],
    [84, 73, 255],
    [248, 244, 62],
    [184, 35, 164],
    [219, 175, 161],
    [99, 142, 88],
];

/// The colour of a batch.
pub fn color(batch: usize) -> [u8; 3] {
    static TABLE: OnceLock<Vec<[u8; 3]>> = OnceLock::new();
    TABLE.get_or_init(table)[batch % LEN]
}

/// The first colours, then each time the one farthest in Oklab from all that are taken.
fn table() -> Vec<[u8; 3]> {
    let levels = (0..=255u8).step_by(15);
    let candidates: Vec<[u8; 3]> = levels
        .clone()
        .flat_map(|r| {
            levels.clone().flat_map({
                let levels = levels.clone();
                move |g| levels.clone().map(move |b| [r, g, b])
            })
        })
        .filter(|rgb| (0.5..0.95).contains(&oklab(*rgb)[0]))
        .collect();
    let places: Vec<[f32; 3]> = candidates.iter().map(|rgb| oklab(*rgb)).collect();
    let mut nearest = vec![f32::INFINITY; candidates.len()];
    let take = |rgb: [u8; 3], nearest: &mut [f32]| {
        let place = oklab(rgb);
        for (distance, other) in nearest.iter_mut().zip(&places) {
            let off: f32 = place.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
            *distance = distance.min(off);
        }
    };
    let mut table = FIRST.to_vec();
    [BACKGROUND, CLOTH_FRONT, CLOTH_BACK].iter().chain(&FIRST).for_each(|rgb| take(*rgb, &mut nearest));
    while table.len() < LEN {
        let farthest =
            (0..candidates.len()).max_by(|a, b| nearest[*a].total_cmp(&nearest[*b])).expect("there are candidates");
        table.push(candidates[farthest]);
        take(candidates[farthest], &mut nearest);
    }
    table
}

/// The colour of a group of constraints.
pub fn group_color(group: Group) -> [u8; 3] {
    match group {
        Group::Weft => FIRST[0],
        Group::Warp => FIRST[1],
        Group::Shear => FIRST[4],
        Group::Bend => FIRST[6],
        Group::Edge => FIRST[0],
    }
}

/// The colour of a strain, from −1 for the shortest that the scale knows over 0 at rest to 1 for the longest: blue over
/// near-white to orange, which stay apart for colour-blind eyes.
pub fn strain_color(t: f32) -> [u8; 3] {
    const SHORTENED: [u8; 3] = [0x2a, 0x7d, 0xff];
    const AT_REST: [u8; 3] = [0xe4, 0xe6, 0xea];
    const STRETCHED: [u8; 3] = [0xff, 0x6a, 0x00];
    let t = t.clamp(-1.0, 1.0);
    let end = if t < 0.0 { SHORTENED } else { STRETCHED };
    std::array::from_fn(|channel| {
        let (from, to) = (f32::from(AT_REST[channel]), f32::from(end[channel]));
        (from + (to - from) * t.abs()).round() as u8
    })
}

/// Of threads that are not looked at.
pub(super) fn faint() -> [f32; 4] {
    let [r, g, b, _] = rgba([0x9a, 0xa3, 0xb2]);
    [r, g, b, 0.22]
}

/// As a shader takes it.
pub(super) fn rgba(rgb: [u8; 3]) -> [f32; 4] {
    let [r, g, b] = rgb.map(|channel| f32::from(channel) / 255.0);
    [r, g, b, 1.0]
}

/// Ottosson 2020, "A perceptual color space for image processing".
fn oklab(rgb: [u8; 3]) -> [f32; 3] {
    let [r, g, b] = rgb.map(|channel| {
        let value = f32::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}
