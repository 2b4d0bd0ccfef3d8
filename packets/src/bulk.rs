// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file read into memory whole. Half of the time that a large one takes is the kernel's, which
//! clears the memory and copies the bytes, and two threads share that.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Below this many bytes a thread costs more than it saves.
const WORTH_A_THREAD: usize = 2 << 20;

/// The content of a regular file of at most `limit` bytes.
///
/// # Errors
/// Any error of the file system; [`io::ErrorKind::InvalidInput`] when it is no regular file;
/// [`io::ErrorKind::FileTooLarge`] beyond the limit; [`io::ErrorKind::InvalidData`] when its size
/// changes meanwhile.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // A pipe would be waited for as soon as it is opened.
    regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    let found = metadata.len();
    let length = usize::try_from(found).ok().filter(|_| found <= limit);
    let Some(length) = length else {
        let problem = format!("found {found} bytes, expected at most {limit}");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    };
    let mut bytes = vec![0; length];
    fill(&file, &mut bytes)?;
    if file.read_at(&mut [0], found)? > 0 {
        return Err(changed());
    }
    Ok(bytes)
}

fn regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let problem = "expected a regular file";
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

fn fill(file: &File, bytes: &mut [u8]) -> io::Result<()> {
    let exactly = |bytes: &mut [u8], at: usize| {
        let read = file.read_exact_at(bytes, at as u64);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => changed(),
            _ => error,
        })
    };
    if bytes.len() < WORTH_A_THREAD {
        return exactly(bytes, 0);
    }
    let middle = bytes.len() / 2;
    let (first, second) = bytes.split_at_mut(middle);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| exactly(second, middle));
        let first = exactly(first, 0);
        let second = second.join();
        first.and(second.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn changed() -> io::Error {
    let problem = "its size changed while it was read";
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_bytes_of_files_of_every_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [
            0,
            1,
            WORTH_A_THREAD - 1,
            WORTH_A_THREAD,
            WORTH_A_THREAD * 2 + 7,
        ] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            assert!(read(&path, length as u64).unwrap() == bytes, "{length}");
        }
    }

    #[test]
    fn refuses_what_is_too_large_or_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        let kind = |path: &Path, limit| read(path, limit).unwrap_err().kind();
        assert_eq!(kind(&path, 3), io::ErrorKind::FileTooLarge);
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        for other in [folder.path(), &pipe] {
            assert_eq!(kind(other, 3), io::ErrorKind::InvalidInput);
        }
        assert_eq!(
            kind(&folder.path().join("none"), 3),
            io::ErrorKind::NotFound
        );
    }

    #[test]
    fn tells_a_file_that_ends_early() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        let error = fill(&File::open(&path).unwrap(), &mut [0; 5]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
