//! Shader text: embedded in the binary or read from a folder, with `#include`, checked by shaderc.
//!
//! shaderc compiles each shader to SPIR-V, which gives diagnostics with file and line and what [`super::reflect`] reads.
//! The driver gets shaderc's preprocessed text, since OpenGL 4.5 does not promise to take SPIR-V.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use include_dir::{Dir, include_dir};
use shaderc::{CompileOptions, EnvVersion, IncludeCallbackResult, ShaderKind, TargetEnv};

use super::reflect::Reflection;

static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/glsl");

/// What is wrong with a shader, with its file and, where there is one, the line.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ShaderError {
    #[error("cannot read shader {path}: {reason}")]
    Read { path: String, reason: String },
    /// shaderc's diagnostics, one a line, each with file and line.
    #[error("{log}")]
    Compile { log: String },
    /// The driver's message about text that shaderc took.
    #[error("{path}: the driver says: {log}")]
    Link { path: String, log: String },
    #[error("{path}: {reason}")]
    Layout { path: String, reason: String },
}

/// The stage of a shader, from its file's ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Compute,
    Vertex,
    Fragment,
}

impl Stage {
    /// `.comp`, `.vert` or `.frag`; `None` for what is only included.
    pub fn of(path: &str) -> Option<Self> {
        match Path::new(path).extension()?.to_str()? {
            "comp" => Some(Self::Compute),
            "vert" => Some(Self::Vertex),
            "frag" => Some(Self::Fragment),
            _ => None,
        }
    }
}

/// A shader that shaderc has taken.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Text for the driver: includes and macros resolved.
    pub text: String,
    pub reflection: Reflection,
}

/// Where shaders come from.
pub struct Shaders {
    /// `None`: those embedded in the binary.
    folder: Option<PathBuf>,
    compiler: shaderc::Compiler,
}

impl Shaders {
    /// The shaders embedded in the binary.
    pub fn embedded() -> Self {
        Self::new(None)
    }

    /// The shaders in `folder`, laid out as `glsl/` is.
    pub fn in_folder(folder: &Path) -> Result<Self, ShaderError> {
        let shaders = Self::new(Some(folder.to_owned()));
        for file in files() {
            shaders.read(&file)?;
        }
        Ok(shaders)
    }

    fn new(folder: Option<PathBuf>) -> Self {
        let compiler = shaderc::Compiler::new().expect("shaderc starts unless memory is out");
        Self { folder, compiler }
    }

    /// The folder they are read from, if they are not the embedded ones.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The text of `path`, which is relative to `glsl/`.
    pub fn read(&self, path: &str) -> Result<String, ShaderError> {
        match &self.folder {
            Some(folder) => std::fs::read_to_string(folder.join(path)).map_err(|error| ShaderError::Read {
                path: folder.join(path).display().to_string(),
                reason: error.to_string(),
            }),
            None => EMBEDDED.get_file(path).and_then(|file| file.contents_utf8()).map(str::to_owned).ok_or_else(|| {
                ShaderError::Read { path: path.into(), reason: "no such file among the embedded ones".into() }
            }),
        }
    }

    /// Compiles `path` with `defines`, each a name and a value.
    pub fn compile(&self, path: &str, defines: &[(&str, u32)]) -> Result<Compiled, ShaderError> {
        let kind = match Stage::of(path) {
            Some(Stage::Compute) => ShaderKind::Compute,
            Some(Stage::Vertex) => ShaderKind::Vertex,
            Some(Stage::Fragment) => ShaderKind::Fragment,
            None => return Err(ShaderError::Read { path: path.into(), reason: "it has no stage of its own".into() }),
        };
        let source = self.read(path)?;
        // The driver numbers its source strings: a file's number is its place in this list.
        let files = Rc::new(RefCell::new(vec![path.to_owned()]));
        let mut options = CompileOptions::new().expect("shaderc starts unless memory is out");
        options.set_target_env(TargetEnv::OpenGL, EnvVersion::OpenGL4_5 as u32);
        // Names and unused members are what the reflection compares.
        options.set_optimization_level(shaderc::OptimizationLevel::Zero);
        for (name, value) in defines {
            options.add_macro_definition(name, Some(&value.to_string()));
        }
        let seen = files.clone();
        options.set_include_callback(move |name, _kind, _from, _depth| -> IncludeCallbackResult {
            let content = self.read(name).map_err(|error| error.to_string())?;
            let mut seen = seen.borrow_mut();
            if !seen.iter().any(|file| file == name) {
                seen.push(name.to_owned());
            }
            Ok(shaderc::ResolvedInclude { resolved_name: name.to_owned(), content })
        });
        let failed = |error: shaderc::Error| ShaderError::Compile { log: diagnostics(&error) };
        let binary = self.compiler.compile_into_spirv(&source, kind, path, "main", Some(&options)).map_err(failed)?;
        let text = self.compiler.preprocess(&source, path, "main", Some(&options)).map_err(failed)?.as_text();
        let reflection =
            Reflection::of(binary.as_binary()).map_err(|reason| ShaderError::Layout { path: path.into(), reason })?;
        Ok(Compiled { text: for_driver(&text, &files.borrow()), reflection })
    }
}

/// Every shader file, relative to `glsl/`, includes among them.
pub fn files() -> Vec<String> {
    fn walk(folder: &Dir, into: &mut Vec<String>) {
        into.extend(folder.files().filter_map(|file| file.path().to_str()).map(|path| path.replace('\\', "/")));
        folder.dirs().for_each(|inner| walk(inner, into));
    }
    let mut files = Vec::new();
    walk(&EMBEDDED, &mut files);
    files.sort();
    files
}

/// shaderc's messages without its count of them.
fn diagnostics(error: &shaderc::Error) -> String {
    match error {
        shaderc::Error::CompilationError(_, log) => log.trim_end().to_owned(),
        other => other.to_string(),
    }
}

/// Makes shaderc's preprocessed text into GLSL that a driver takes: no include directive, and source numbers for names.
fn for_driver(text: &str, files: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.contains("GL_GOOGLE_include_directive") {
            // An empty line keeps the numbering.
        } else if let Some((number, name)) = line.strip_prefix("#line ").and_then(|rest| rest.split_once(' ')) {
            let name = name.trim().trim_matches('"');
            let index = files.iter().position(|file| file == name).unwrap_or(0);
            out.push_str(&format!("#line {number} {index}"));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_text_numbers_files_and_drops_the_include_extension() {
        let files = ["a.comp".to_owned(), "common/b.glsl".to_owned()];
        let text = "#version 450\n#extension GL_GOOGLE_include_directive : enable\n#line 3 \"common/b.glsl\"\nint x;\n";
        assert_eq!(for_driver(text, &files), "#version 450\n\n#line 3 1\nint x;\n");
    }
}
