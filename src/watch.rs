//! Watches a shader folder for saves.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

/// Editors write a file in several steps; the folder has to be quiet for this long.
const QUIET: Duration = Duration::from_millis(80);

/// Tells when something in a folder has been saved.
pub struct ShaderWatcher {
    events: Receiver<notify::Result<Event>>,
    changed: Option<Instant>,
    _watcher: RecommendedWatcher,
}

impl ShaderWatcher {
    pub fn new(folder: &Path) -> Result<Self> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).context("cannot watch files on this system")?;
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .with_context(|| format!("cannot watch {}", folder.display()))?;
        Ok(Self { events, changed: None, _watcher: watcher })
    }

    /// Whether there was a save since the last call that has settled.
    pub fn take_change(&mut self) -> bool {
        for event in self.events.try_iter() {
            match event {
                Ok(event) if event.kind.is_access() => {}
                Ok(_) => self.changed = Some(Instant::now()),
                Err(error) => log::warn!("watching the shader folder: {error}"),
            }
        }
        let settled = self.changed.is_some_and(|changed| changed.elapsed() >= QUIET);
        if settled {
            self.changed = None;
        }
        settled
    }
}
