//! A camera that turns about a point.

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::constraint::{DistanceConstraint, Group};
use crate::scene::CameraPose;

/// Field of view along the shorter side of the picture, radians.
const FIELD_OF_VIEW: f32 = 0.66;
/// Nearest and farthest distance that is drawn, m.
const NEAR_FAR: [f32; 2] = [0.02, 60.0];
/// Of the eye from the target, m.
const DISTANCE: std::ops::RangeInclusive<f32> = 0.1..=30.0;
/// Turn for each pixel dragged, radians.
const TURN: f32 = 0.006;
/// Short of looking straight up or down, where the vertical is lost.
const PITCH_LIMIT: f32 = 1.5;

/// Where the picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point looked at, m.
    pub target: Vec3,
    /// From the target to the eye, m.
    pub distance: f32,
    /// Turn about the vertical axis from +z, radians.
    pub yaw: f32,
    /// Rise above the horizon, radians.
    pub pitch: f32,
}

impl Camera {
    pub fn new(pose: CameraPose) -> Self {
        Self { target: pose.target, distance: pose.distance, yaw: pose.yaw, pitch: pose.pitch }
    }

    /// Turns about the target, as a drag by `delta` pixels turns what is seen.
    pub fn orbit(&mut self, delta: Vec2) {
        self.yaw -= delta.x * TURN;
        self.pitch = (self.pitch + delta.y * TURN).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    }

    /// Moves the target so that the point under the cursor stays under it, dragged by `delta` pixels.
    pub fn pan(&mut self, delta: Vec2, viewport: Vec2) {
        let metres = self.metres_per_pixel(viewport) * self.distance;
        let (right, up) = self.right_and_up();
        self.target += (up * delta.y - right * delta.x) * metres;
    }

    /// Comes nearer by a tenth for each notch.
    pub fn zoom(&mut self, notches: f32) {
        self.distance = (self.distance * 0.9f32.powf(notches)).clamp(*DISTANCE.start(), *DISTANCE.end());
    }

    pub fn eye(&self) -> Vec3 {
        self.target + self.toward_eye() * self.distance
    }

    /// From world to clip space, for a viewport of this size in pixels.
    pub fn view_projection(&self, viewport: Vec2) -> Mat4 {
        let aspect = viewport.x.max(1.0) / viewport.y.max(1.0);
        let [near, far] = NEAR_FAR;
        let projection = glam::camera::rh::proj::opengl::perspective(2.0 * slope(viewport).atan(), aspect, near, far);
        projection * glam::camera::rh::view::look_at_mat4(self.eye(), self.target, Vec3::Y)
    }

    /// The pixel of a point, from the top left; `None` behind the eye.
    pub fn project(&self, point: Vec3, viewport: Vec2) -> Option<Vec2> {
        let clip = self.view_projection(viewport) * point.extend(1.0);
        let ndc = clip.truncate() / clip.w;
        (clip.w > NEAR_FAR[0]).then(|| Vec2::new(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * viewport)
    }

    /// The particle to take at the cursor: the nearest one within `radius` pixels; of those about as near, the front one.
    pub fn pick(&self, positions: &[Vec4], cursor: Vec2, viewport: Vec2, radius: f32) -> Option<u32> {
        let eye = self.eye();
        // A metre behind counts as much as this many pixels beside.
        let depth_weight = radius / self.distance;
        (0u32..)
            .zip(positions)
            .filter_map(|(particle, position)| {
                let point = position.truncate();
                let off = self.project(point, viewport)?.distance(cursor);
                (off <= radius).then(|| (particle, off + depth_weight * point.distance(eye)))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(particle, _)| particle)
    }

    /// The constraint to take at the cursor, by its index: the nearest ribbon within `radius` pixels; of those about as near,
    /// the front one. A bending constraint is drawn as an arc.
    pub fn pick_constraint(
        &self,
        positions: &[Vec4],
        constraints: &[DistanceConstraint],
        cursor: Vec2,
        viewport: Vec2,
        radius: f32,
        ribbon_width: f32,
    ) -> Option<u32> {
        let eye = self.eye();
        let depth_weight = radius / self.distance;
        let projected: Vec<Option<Vec2>> =
            positions.iter().map(|position| self.project(position.truncate(), viewport)).collect();
        (0u32..)
            .zip(constraints)
            .filter_map(|(index, constraint)| {
                let [a, b] = constraint.particles.map(|particle| particle as usize);
                let off = ribbon_distance(projected[a]?, projected[b]?, constraint, cursor, ribbon_width);
                let depth = (0.5 * (positions[a] + positions[b])).truncate().distance(eye);
                (off <= radius).then_some((index, off + depth_weight * depth))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(index, _)| index)
    }

    /// The point under the cursor in the plane through `through` that faces the camera.
    pub fn drag_point(&self, cursor: Vec2, viewport: Vec2, through: Vec3) -> Vec3 {
        let depth = (self.eye() - through).dot(self.toward_eye());
        let off = (cursor - 0.5 * viewport) * self.metres_per_pixel(viewport) * depth;
        let (right, up) = self.right_and_up();
        self.eye() - self.toward_eye() * depth + right * off.x - up * off.y
    }

    /// Width of a pixel one metre in front of the eye, m.
    fn metres_per_pixel(&self, viewport: Vec2) -> f32 {
        2.0 * slope(viewport) / viewport.y.max(1.0)
    }

    fn toward_eye(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    fn right_and_up(&self) -> (Vec3, Vec3) {
        let toward_eye = self.toward_eye();
        let right = Vec3::Y.cross(toward_eye).normalize();
        (right, toward_eye.cross(right))
    }
}

/// Rise of the line of sight at the top edge. A picture higher than wide shows more above and below, and loses nothing at
/// its sides; one like a slit does.
fn slope(viewport: Vec2) -> f32 {
    let aspect = viewport.x.max(1.0) / viewport.y.max(1.0);
    (0.5 * FIELD_OF_VIEW).tan() / aspect.clamp(0.1, 1.0)
}

/// How far `cursor` is from the middle line of a constraint's ribbon, pixels, y down. The bow is that of `constraint.vert`
/// where the cloth faces the camera.
fn ribbon_distance(a: Vec2, b: Vec2, constraint: &DistanceConstraint, cursor: Vec2, ribbon_width: f32) -> f32 {
    let span = a.distance(b).max(1e-3);
    let along = (b - a) / span;
    let across = Vec2::new(along.y, -along.x);
    let t = ((cursor - a).dot(along) / span).clamp(0.0, 1.0);
    let bow = match constraint.group {
        Group::Bend => (0.81 * ribbon_width + 0.8).min(0.26 * 0.5 * span),
        _ => 0.0,
    };
    let bow = if constraint.side { bow } else { -bow };
    let s = 2.0 * t - 1.0;
    cursor.distance(a.lerp(b, t) + across * bow * (1.0 - s * s * s * s))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWPORT: Vec2 = Vec2::new(900.0, 700.0);

    fn camera() -> Camera {
        Camera { target: Vec3::new(0.1, 0.9, -0.2), distance: 2.0, yaw: 0.7, pitch: 0.3 }
    }

    #[test]
    fn the_target_is_in_the_middle() {
        let middle = camera().project(camera().target, VIEWPORT).expect("in front");
        assert!(middle.distance(0.5 * VIEWPORT) < 0.01, "{middle}");
        assert_eq!(camera().project(camera().eye() * 2.0 - camera().target, VIEWPORT), None, "behind the eye");
    }

    #[test]
    fn a_dragged_point_comes_out_under_the_cursor() {
        for viewport in [VIEWPORT, Vec2::new(300.0, 700.0)] {
            for through in [Vec3::ZERO, Vec3::new(0.5, 1.3, 0.4)] {
                for cursor in [Vec2::new(10.0, 20.0), Vec2::new(800.0, 650.0)] {
                    let point = camera().drag_point(cursor, viewport, through);
                    assert!(camera().project(point, viewport).expect("in front").distance(cursor) < 0.05);
                }
            }
        }
    }

    #[test]
    fn a_narrow_picture_loses_nothing_at_its_sides() {
        let beside = camera().target + camera().right_and_up().0 * 0.5;
        let across = |viewport| camera().project(beside, viewport).expect("in front").x / viewport.x;
        assert!((across(Vec2::splat(800.0)) - across(Vec2::new(400.0, 800.0))).abs() < 1e-4);
    }

    #[test]
    fn a_pan_keeps_the_target_under_the_cursor() {
        let (mut moved, delta) = (camera(), Vec2::new(37.0, -21.0));
        let target = moved.target;
        moved.pan(delta, VIEWPORT);
        assert!(moved.project(target, VIEWPORT).expect("in front").distance(0.5 * VIEWPORT + delta) < 0.05);
    }

    #[test]
    fn the_front_particle_is_picked_and_none_out_of_reach() {
        let camera = camera();
        let behind = (camera.target - camera.toward_eye() * 0.5).extend(1.0);
        // A pixel or so off, and in front.
        let front = (camera.target + Vec3::Y * 0.002).extend(1.0);
        let positions = [behind, front, Vec4::new(5.0, 5.0, 5.0, 1.0)];
        assert_eq!(camera.pick(&positions, 0.5 * VIEWPORT, VIEWPORT, 10.0), Some(1));
        assert_eq!(camera.pick(&positions, Vec2::ZERO, VIEWPORT, 10.0), None);
    }

    #[test]
    fn any_drag_and_any_size_keep_the_matrix_finite() {
        let mut camera = camera();
        camera.orbit(Vec2::splat(1e6));
        assert!(camera.pitch < std::f32::consts::FRAC_PI_2, "it tips over");
        camera.zoom(-1e4);
        for size in [Vec2::ZERO, Vec2::ONE, Vec2::new(1.0, 4000.0)] {
            assert!(camera.view_projection(size).is_finite());
        }
    }
}
