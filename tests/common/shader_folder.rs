//! A copy of `glsl/` in a folder, for tests that edit it.

use tartan::gpu::Shaders;
use tartan::gpu::source::files;

/// A copy of `glsl/` with `edit` applied to one of its files.
pub fn with(path: &str, edit: impl Fn(String) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shaders = Shaders::embedded();
    for file in files() {
        let text = shaders.read(&file).expect("it is embedded");
        let text = if file == path { edit(text) } else { text };
        let to = folder.path().join(&file);
        std::fs::create_dir_all(to.parent().expect("it is in the folder")).expect("a folder");
        std::fs::write(to, text).expect("a file");
    }
    folder
}
