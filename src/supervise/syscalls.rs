// SPDX-License-Identifier: MIT OR Apache-2.0
//! The third wall around an agent: calls of the kernel that neither namespaces nor Landlock see.
//!
//! A virtual machine's socket to its host (vsock) belongs to no network namespace, a terminal can be typed into by
//! whoever holds it, and io_uring makes sockets without the call that is watched here. No deck needs any of them.
//! What is refused looks like a kernel that was built without it, which programs are prepared for.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

/// The families of sockets that an agent may make: within the machine, the two of the internet, and the kernel's
/// own, by which programs list interfaces.
const FAMILIES: [i32; 4] = [
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];
/// Requests that put characters into a terminal's input.
const TYPING: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];
/// Calls that are refused whatever they are for.
const REFUSED: [i64; 9] = [
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];
/// What the other numbering of calls on 64-bit PCs adds to a number.
#[cfg(target_arch = "x86_64")]
const OTHER_NUMBERS: &[i64] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const OTHER_NUMBERS: &[i64] = &[0];

/// Why the calls could not be shut off.
#[derive(Debug, thiserror::Error)]
pub(super) enum SyscallError {
    #[error("the filter of system calls cannot be built: {0}")]
    Build(#[from] BackendError),
    #[error("the kernel refused the filter of system calls: {0}")]
    Apply(#[from] seccompiler::Error),
}

/// Shuts these calls off for the calling thread and whatever it starts from now on.
pub(super) fn restrict() -> Result<(), SyscallError> {
    Ok(seccompiler::apply_filter(&program()?)?)
}

fn program() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for more in OTHER_NUMBERS {
        // A call without a rule of its own is refused as it is.
        rules.extend(REFUSED.map(|call| (call + more, Vec::new())));
        rules.insert(libc::SYS_socket + more, vec![other_family()?]);
        let typing = TYPING.map(|request| one(1, SeccompCmpOp::Eq, request));
        rules.insert(
            libc::SYS_ioctl + more,
            typing.into_iter().collect::<Result<_, _>>()?,
        );
    }
    let refuse = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()
}

fn other_family() -> Result<SeccompRule, BackendError> {
    let others = FAMILIES.map(|family| {
        let family = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    });
    SeccompRule::new(others.into_iter().collect::<Result<_, _>>()?)
}

fn one(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value)?;
    SeccompRule::new(vec![condition])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Whether a Python program succeeds when it is started by a thread with these calls shut off.
    fn works(python: &str) -> bool {
        let python = python.to_owned();
        let starter = std::thread::spawn(move || {
            restrict().unwrap();
            Command::new("python3").args(["-c", &python]).output()
        });
        let output = starter.join().unwrap().unwrap();
        output.status.success()
    }

    #[test]
    fn leaves_ordinary_sockets_and_terminals() {
        assert!(works(
            "import socket, pty, os, fcntl, termios\n\
             for family in [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK]: \
             socket.socket(family, socket.SOCK_RAW if family == 16 else socket.SOCK_STREAM)\n\
             socket.socketpair()\n\
             import subprocess; subprocess.run(['true'], check=True)"
        ));
    }

    #[test]
    fn refuses_the_ways_past_other_walls() {
        for python in [
            "import socket; socket.socket(40, socket.SOCK_STREAM)",
            "import socket; socket.socket(17, socket.SOCK_RAW)",
            "import socket; socket.socket(38, socket.SOCK_SEQPACKET)",
            "import ctypes; assert ctypes.CDLL(None).syscall(425, 1, bytes(120)) >= 0",
            "import pty, fcntl, termios; m, s = pty.openpty(); fcntl.ioctl(s, 0x5412, b'x')",
        ] {
            assert!(!works(python), "{python}");
        }
    }
}
