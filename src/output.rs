//! Files that are written whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A file to write later, whose place was tried when it was named.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Tries whether the file can be written, and leaves nothing behind; the error is a sentence.
    pub fn new(path: &Path) -> Result<Self, String> {
        if path.is_dir() {
            return Err(format!("cannot write {}: it is a folder", path.display()));
        }
        // What a link points to is written, and the link stays.
        let output = Self { path: path.canonicalize().unwrap_or_else(|_| path.to_owned()) };
        let tried = if output.is_device() { output.device().map(drop) } else { output.temporary().map(drop) };
        tried.map_err(|error| output.explain(&error))?;
        Ok(output)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file beside its place and moves it there; a device is written to as it is.
    pub fn write(&self, content: &[u8]) -> Result<(), String> {
        let written = if self.is_device() {
            self.device().and_then(|mut device| device.write_all(content))
        } else {
            self.temporary().and_then(|mut file| {
                file.write_all(content)?;
                file.persist(&self.path).map(drop).map_err(|error| error.error)
            })
        };
        written.map_err(|error| self.explain(&error))
    }

    /// A device or a pipe: it is written to, where a file would be replaced.
    fn is_device(&self) -> bool {
        self.path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    }

    fn device(&self) -> std::io::Result<std::fs::File> {
        std::fs::OpenOptions::new().write(true).open(&self.path)
    }

    fn temporary(&self) -> std::io::Result<tempfile::NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        // Readable as any file that a program writes, and not for its owner alone.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.prefix(".tartan-").tempfile_in(folder)
    }

    fn explain(&self, error: &std::io::Error) -> String {
        match (error.kind(), self.path.parent()) {
            (std::io::ErrorKind::NotFound, Some(folder)) if !folder.is_dir() => {
                format!("cannot write {}: there is no folder {}", self.path.display(), folder.display())
            }
            (kind, _) => format!("cannot write {}: {kind}", self.path.display()),
        }
    }
}

/// Prints to standard output. A reader that has gone, as `head` does, is no error.
pub fn print(text: impl std::fmt::Display) -> std::io::Result<()> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// A PNG of `image`.
pub fn png(image: &image::RgbaImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture in memory is encoded");
    bytes.into_inner()
}
