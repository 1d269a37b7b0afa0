//! GPU time by label, from timestamp queries that are read once they are there: nobody waits for them.

use std::collections::VecDeque;
use std::rc::Rc;

use glow::HasContext;

use super::Gl;

/// A run of labelled spans, each from its mark to the next one. Every span is a debug group of the same name.
pub struct Timeline<L> {
    gl: Rc<Gl>,
    spare: Vec<glow::Query>,
    open: Vec<(L, glow::Query)>,
    /// Closed runs, oldest first, each with the timestamp of its end.
    closed: VecDeque<(Vec<(L, glow::Query)>, glow::Query)>,
}

impl<L: Copy> Timeline<L> {
    pub fn new(gl: &Rc<Gl>) -> Self {
        Self { gl: gl.clone(), spare: Vec::new(), open: Vec::new(), closed: VecDeque::new() }
    }

    /// Ends the span before, if there is one, and starts a span.
    pub fn mark(&mut self, label: L, name: &str) {
        if !self.open.is_empty() {
            unsafe { self.gl.pop_debug_group() };
        }
        unsafe { self.gl.push_debug_group(glow::DEBUG_SOURCE_APPLICATION, 0, name) };
        let query = self.stamp();
        self.open.push((label, query));
    }

    /// Ends the run.
    pub fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        unsafe { self.gl.pop_debug_group() };
        let end = self.stamp();
        self.closed.push_back((std::mem::take(&mut self.open), end));
    }

    /// The oldest run whose times have arrived: milliseconds of each span, in order.
    pub fn take_arrived(&mut self) -> Option<Vec<(L, f64)>> {
        let (_, end) = self.closed.front()?;
        if unsafe { self.gl.get_query_parameter_u32(*end, glow::QUERY_RESULT_AVAILABLE) } == 0 {
            return None;
        }
        self.take_oldest()
    }

    /// The oldest run, waiting for it.
    pub fn take_oldest(&mut self) -> Option<Vec<(L, f64)>> {
        let (spans, end) = self.closed.pop_front()?;
        let read = |query| unsafe { self.gl.get_query_parameter_u64(query, glow::QUERY_RESULT) };
        let stamps: Vec<u64> = spans.iter().map(|(_, query)| *query).chain([end]).map(read).collect();
        let times = spans.iter().zip(stamps.windows(2));
        let times = times.map(|((label, _), pair)| (*label, pair[1].saturating_sub(pair[0]) as f64 * 1e-6)).collect();
        self.spare.extend(spans.iter().map(|(_, query)| *query).chain([end]));
        Some(times)
    }

    fn stamp(&mut self) -> glow::Query {
        unsafe {
            let query =
                self.spare.pop().unwrap_or_else(|| self.gl.create_query().expect("OpenGL 4.5 creates query names"));
            self.gl.query_counter(query, glow::TIMESTAMP);
            // Mesa's software driver puts the query into the picture that it collects, while it runs dispatches at once: without
            // a flush the time is taken after the dispatch that follows.
            if self.gl.is_software() {
                self.gl.flush();
            }
            query
        }
    }
}

impl<L> Drop for Timeline<L> {
    fn drop(&mut self) {
        let open = self.open.iter().map(|(_, query)| *query);
        let closed = self.closed.iter().flat_map(|(spans, end)| spans.iter().map(|(_, query)| *query).chain([*end]));
        for query in self.spare.iter().copied().chain(open).chain(closed) {
            unsafe { self.gl.delete_query(query) };
        }
    }
}
