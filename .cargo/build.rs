//! Completes the link line of Debian's and Ubuntu's shaderc.
//!
//! `libshaderc_combined.a` there holds shaderc's own objects only: the glslang and SPIRV-Tools archives that it calls
//! stand beside it and have to be named. Elsewhere the archive is complete, shared, or built from source, and there is
//! nothing to add.

use std::path::PathBuf;

/// In link order: each archive calls only those after it. Newer releases have dropped some of them.
const ARCHIVES: [&str; 9] = [
    "glslang",
    "MachineIndependent",
    "GenericCodeGen",
    "OSDependent",
    "OGLCompiler",
    "HLSL",
    "SPIRV",
    "SPIRV-Tools-opt",
    "SPIRV-Tools",
];

fn main() {
    println!("cargo:rerun-if-changed=.cargo/build.rs");
    println!("cargo:rerun-if-changed=glsl");
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let folder = PathBuf::from(format!("/usr/lib/{arch}-linux-gnu"));
    if !folder.join("libshaderc_combined.a").exists() {
        return;
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    for archive in ARCHIVES {
        if folder.join(format!("lib{archive}.a")).exists() {
            println!("cargo:rustc-link-arg=-l{archive}");
        }
    }
}
