#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../../../src/mesh/mod.rs"]
mod mesh;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = mesh::read_bytes(bytes, mesh::Format::Obj, "fuzzed") {
        let _ = mesh::import(&source, "fuzzed", &mesh::ImportOptions::default());
    }
});
