//! When to step: a fixed Δt against a frame rate that varies.

/// Time owed to the simulation. The frame rate decides how many steps a frame takes, never how long a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    owed: f64,
}

/// The most time that a frame makes up for, s. Beyond it the clock runs slower than the wall's.
const CATCH_UP: f64 = 1.0 / 10.0;

/// The time that steps may take of a frame, s, so that the window stays responsive.
const BUDGET: f64 = 1.0 / 40.0;

impl Clock {
    /// How many steps of `dt` to take `elapsed` seconds after the last call, when a step takes `cost` seconds to compute. A
    /// slow machine takes fewer and drops the rest: simulated time then passes slower.
    pub fn steps(&mut self, elapsed: f64, dt: f64, cost: f64) -> u32 {
        self.owed = (self.owed + elapsed).min(CATCH_UP.max(dt));
        let due = (self.owed / dt).floor();
        self.owed -= due * dt;
        let affordable = if cost > 0.0 { (BUDGET / cost).floor().max(1.0) } else { due };
        due.min(affordable) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f64 = 1.0 / 60.0;

    #[test]
    fn any_frame_rate_takes_the_same_steps_in_a_second() {
        for fps in [30, 59, 60, 75, 144, 240] {
            let mut clock = Clock::default();
            let steps: u32 = (0..10 * fps).map(|_| clock.steps(1.0 / f64::from(fps), DT, 0.0)).sum();
            assert!((599..=600).contains(&steps), "{steps} steps in 10 s at {fps} fps");
        }
    }

    #[test]
    fn a_stall_is_not_made_up_for() {
        let mut clock = Clock::default();
        assert!(clock.steps(100.0, DT, 0.0) <= 6);
        assert!(clock.steps(0.0, DT, 0.0) == 0);
    }

    #[test]
    fn a_slow_machine_slows_the_clock() {
        let mut clock = Clock::default();
        let steps: u32 = (0..50).map(|_| clock.steps(0.1, DT, 0.1)).sum();
        assert_eq!(steps, 50, "one step a frame, though six are due in each");
    }

    #[test]
    fn a_long_step_is_taken_whole() {
        let mut clock = Clock::default();
        let steps: u32 = (0..10).map(|_| clock.steps(0.05, 0.1, 0.0)).sum();
        assert_eq!(steps, 5);
    }
}
