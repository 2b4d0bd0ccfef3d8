// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signatures in the format of `ssh-keygen -Y sign`, by ed25519 keys.
//!
//! A signature says who stands behind a response or a summary; the hashes say that nothing changed. The
//! keys that a signature is held against are brought by whoever verifies, never found in the evidence.
//! (Format: PROTOCOL.sshsig and PROTOCOL.key of OpenSSH.)

mod wire;

use std::io::Read;
use std::path::{Path, PathBuf};

use deckproof_packets::tree::{TreeError, open_regular};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256, Sha512};

use self::wire::{MAX_TEXT, Reader, armoured, decoded, put, unarmoured};

/// What a reviewer signs: the response, byte for byte.
pub const RESPONSE: &str = "deckproof.response.v1";
/// What whoever ran the experiment signs: summary.json, byte for byte.
pub const SUMMARY: &str = "deckproof.summary.v1";

const MAGIC: &[u8] = b"SSHSIG";
const ARMOUR: &str = "SSH SIGNATURE";
const KEY_ARMOUR: &str = "OPENSSH PRIVATE KEY";
const KEY_TYPE: &str = "ssh-ed25519";
/// Most keys that somebody brings.
const MAX_KEYS: usize = 10_000;

/// A key or a signature that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// A file does not hold what it should.
    #[error("`{}`: found {found}, expected {expected}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// The file is a link or a special file.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Where the signature of a file lies: beside it, with `.sig` after its name, as ssh-keygen has it.
#[must_use]
pub fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".sig");
    PathBuf::from(name)
}

fn fault(path: &Path, found: impl Into<String>, expected: &'static str) -> SigningError {
    SigningError::File {
        path: path.to_owned(),
        found: found.into(),
        expected,
    }
}

/// A small file, no link.
///
/// # Errors
/// When it is none, or too long.
pub fn read(path: &Path) -> Result<Vec<u8>, SigningError> {
    let mut bytes = Vec::new();
    let limit = MAX_TEXT * 16;
    open_regular(path)?
        .take(limit as u64 + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Err(fault(path, "more than 1 MiB", "keys or a signature"));
    }
    Ok(bytes)
}

/// Signs `message` with the private key in the file `key`, under a name that keeps signatures of one kind
/// from passing for another.
///
/// # Errors
/// When the file is no unencrypted ed25519 key of OpenSSH.
pub fn sign(key: &Path, namespace: &str, message: &[u8]) -> Result<String, SigningError> {
    let expected = "an ed25519 private key of OpenSSH without a passphrase; sign with `ssh-keygen -Y \
                    sign` where the key has one";
    let bytes = unarmoured(&read(key)?, KEY_ARMOUR);
    let signing = bytes.as_deref().and_then(private_key);
    let signing = signing.ok_or_else(|| fault(key, "no such key", expected))?;
    let hash = Sha512::digest(message);
    let signature = signing.sign(&signed_data(namespace, "sha512", &hash));
    let mut blob = MAGIC.to_vec();
    blob.extend_from_slice(&1_u32.to_be_bytes());
    put(&mut blob, &public_blob(&signing.verifying_key()));
    for field in [namespace.as_bytes(), b"", b"sha512"] {
        put(&mut blob, field);
    }
    let mut own = Vec::new();
    put(&mut own, KEY_TYPE.as_bytes());
    put(&mut own, &signature.to_bytes());
    put(&mut blob, &own);
    Ok(armoured(&blob, ARMOUR))
}

fn public_blob(key: &VerifyingKey) -> Vec<u8> {
    let mut blob = Vec::new();
    put(&mut blob, KEY_TYPE.as_bytes());
    put(&mut blob, key.as_bytes());
    blob
}

fn signed_data(namespace: &str, algorithm: &str, hash: &[u8]) -> Vec<u8> {
    let mut data = MAGIC.to_vec();
    for field in [namespace.as_bytes(), b"", algorithm.as_bytes(), hash] {
        put(&mut data, field);
    }
    data
}

/// The one key in an `openssh-key-v1` file without a passphrase.
fn private_key(bytes: &[u8]) -> Option<SigningKey> {
    let mut file = Reader(bytes);
    file.literal(b"openssh-key-v1\0")?;
    let (cipher, derivation, _) = (file.string()?, file.string()?, file.string()?);
    let plain = (cipher, derivation) == (b"none".as_slice(), b"none".as_slice());
    if !plain || file.number()? != 1 {
        return None;
    }
    file.string()?;
    let mut keys = Reader(file.string()?);
    file.end()?;
    let same = keys.number()? == keys.number()?;
    if !same || keys.string()? != KEY_TYPE.as_bytes() {
        return None;
    }
    let public = keys.string()?;
    let (seed, rest) = keys.string()?.split_first_chunk::<32>()?;
    let key = SigningKey::from_bytes(seed);
    (rest == public && key.verifying_key().as_bytes() == public).then_some(key)
}

/// A signature as it was read, not yet held against any key.
#[derive(Debug, Clone)]
pub struct Signed {
    key: VerifyingKey,
    namespace: String,
    algorithm: String,
    signature: Signature,
}

impl Signed {
    /// Reads an armoured signature; `None` when it is none by an ed25519 key.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let blob = unarmoured(text, ARMOUR)?;
        let mut blob = Reader(&blob);
        blob.literal(MAGIC)?;
        if blob.number()? != 1 {
            return None;
        }
        let key = public_key(blob.string()?)?;
        let namespace = std::str::from_utf8(blob.string()?).ok()?.to_owned();
        // What is reserved means nothing yet, so there must be nothing in it.
        let reserved = blob.string()?;
        let algorithm = std::str::from_utf8(blob.string()?).ok()?.to_owned();
        let mut own = Reader(blob.string()?);
        blob.end()?;
        if !reserved.is_empty() || own.string()? != KEY_TYPE.as_bytes() {
            return None;
        }
        let signature = Signature::from_slice(own.string()?).ok()?;
        own.end()?;
        Some(Self {
            key,
            namespace,
            algorithm,
            signature,
        })
    }

    /// Whether it signs `message` under this name, by the key that it carries. That alone says nothing
    /// about whose key that is.
    #[must_use]
    pub fn is_of(&self, namespace: &str, message: &[u8]) -> bool {
        let hash: Vec<u8> = match self.algorithm.as_str() {
            "sha512" => Sha512::digest(message).to_vec(),
            "sha256" => Sha256::digest(message).to_vec(),
            _ => return false,
        };
        let data = signed_data(namespace, &self.algorithm, &hash);
        self.namespace == namespace && self.key.verify_strict(&data, &self.signature).is_ok()
    }
}

fn public_key(blob: &[u8]) -> Option<VerifyingKey> {
    let mut blob = Reader(blob);
    if blob.string()? != KEY_TYPE.as_bytes() {
        return None;
    }
    let bytes: &[u8; 32] = blob.string()?.try_into().ok()?;
    blob.end()?;
    VerifyingKey::from_bytes(bytes).ok()
}

/// Keys that somebody brings, and whose they are.
#[derive(Debug, Clone)]
pub struct Keys(Vec<(String, VerifyingKey)>);

impl Keys {
    /// Reads a file of `WHO ssh-ed25519 KEY [comment]` lines, as ssh's `allowed_signers`. WHO is a
    /// reviewer's id, in double quotes when it has a space, or `*` for anybody; without it, anybody.
    ///
    /// # Errors
    /// When a line is none of these, or there is no key at all.
    pub fn open(path: &Path) -> Result<Self, SigningError> {
        let bytes = read(path)?;
        let expected = "lines such as `\"R. Meier\" ssh-ed25519 AAAA…`";
        let text = std::str::from_utf8(&bytes).map_err(|_| fault(path, "no text", expected))?;
        let mut keys = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let found = || format!("line {number} of another form");
            keys.push(signer(line).ok_or_else(|| fault(path, found(), expected))?);
            if keys.len() > MAX_KEYS {
                return Err(fault(path, "more than 10000 keys", "fewer"));
            }
        }
        if keys.is_empty() {
            return Err(fault(path, "no key", expected));
        }
        Ok(Self(keys))
    }

    /// Whether `signed` is by a key of `who`; `None` asks for any key at all.
    #[must_use]
    pub fn hold(&self, signed: &Signed, who: Option<&str>) -> bool {
        let of =
            |owner: &str| owner == "*" || who.is_none_or(|who| who.eq_ignore_ascii_case(owner));
        let mut keys = self.0.iter();
        keys.any(|(owner, key)| *key == signed.key && of(owner))
    }
}

fn signer(line: &str) -> Option<(String, VerifyingKey)> {
    let (who, rest) = match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None if line.starts_with(KEY_TYPE) => ("*", line),
        None => line.split_once(char::is_whitespace)?,
    };
    let mut words = rest.split_ascii_whitespace();
    if words.next()? != KEY_TYPE || who.is_empty() {
        return None;
    }
    Some((who.to_owned(), public_key(&decoded(words.next()?)?)?))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use base64::Engine as _;

    /// Writes a key pair made of `seed` and gives the private key's path and the public key's line.
    pub(crate) fn key_pair(folder: &Path, seed: u8) -> (PathBuf, String) {
        let key = SigningKey::from_bytes(&[seed; 32]);
        let public = public_blob(&key.verifying_key());
        let mut secret = vec![0, 0, 0, 9, 0, 0, 0, 9];
        put(&mut secret, KEY_TYPE.as_bytes());
        put(&mut secret, key.verifying_key().as_bytes());
        put(&mut secret, &key.to_keypair_bytes());
        put(&mut secret, b"test");
        secret.extend((1_u8..).take(secret.len().next_multiple_of(8) - secret.len()));
        let mut file = b"openssh-key-v1\0".to_vec();
        for field in [b"none".as_slice(), b"none", b""] {
            put(&mut file, field);
        }
        file.extend_from_slice(&1_u32.to_be_bytes());
        put(&mut file, &public);
        put(&mut file, &secret);
        let path = folder.join(format!("key-{seed}"));
        fs_err::write(&path, armoured(&file, KEY_ARMOUR)).unwrap();
        let digits = base64::engine::general_purpose::STANDARD.encode(public);
        (path, format!("ssh-ed25519 {digits} test"))
    }

    #[test]
    fn a_signature_holds_for_its_message_name_and_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (key, public) = key_pair(folder.path(), 1);
        let (_, other) = key_pair(folder.path(), 2);
        let text = sign(&key, RESPONSE, b"a response").unwrap();
        let signed = Signed::read(text.as_bytes()).unwrap();
        assert!(signed.is_of(RESPONSE, b"a response"));
        assert!(!signed.is_of(RESPONSE, b"another response"));
        assert!(!signed.is_of(SUMMARY, b"a response"));
        let keys = |lines: &str| {
            let path = folder.path().join("keys");
            fs_err::write(&path, lines).unwrap();
            Keys::open(&path).unwrap()
        };
        let named = keys(&format!("# ours\n\"R. Meier\" {public}\nother {other}\n"));
        assert!(named.hold(&signed, Some("r. meier")));
        assert!(!named.hold(&signed, Some("other")));
        assert!(named.hold(&signed, None));
        assert!(keys(&public).hold(&signed, Some("anybody")));
        assert!(!keys(&other).hold(&signed, None));
    }

    #[test]
    fn bent_signatures_and_keys_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let (key, public) = key_pair(folder.path(), 1);
        let text = sign(&key, RESPONSE, b"a response").unwrap();
        let blob = unarmoured(text.as_bytes(), ARMOUR).unwrap();
        for at in 0..blob.len() {
            let mut bent = blob.clone();
            bent[at] ^= 1;
            let signed = Signed::read(armoured(&bent, ARMOUR).as_bytes());
            assert!(
                !signed.is_some_and(|one| one.is_of(RESPONSE, b"a response")),
                "byte {at}"
            );
            assert!(
                Signed::read(armoured(&blob[..at], ARMOUR).as_bytes()).is_none(),
                "{at}"
            );
        }
        assert!(Signed::read(b"").is_none());
        let path = folder.path().join("keys");
        for lines in [
            "",
            "who",
            "who ssh-rsa AAAA",
            "\"who ssh-ed25519 AAAA",
            "ssh-ed25519 !",
        ] {
            fs_err::write(&path, lines).unwrap();
            assert!(Keys::open(&path).is_err(), "{lines}");
        }
        fs_err::write(&path, public).unwrap();
        assert!(sign(&path, RESPONSE, b"x").is_err());
    }

    #[test]
    fn ssh_keygen_and_we_read_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let run = |arguments: &[&str]| {
            let mut command = std::process::Command::new("ssh-keygen");
            command.args(arguments).current_dir(folder.path()).output()
        };
        let made = run(&["-q", "-t", "ed25519", "-N", "", "-f", "key"]);
        if made.is_err() {
            eprintln!("skipped: there is no ssh-keygen on this machine");
            return;
        }
        let message = folder.path().join("response.json");
        fs_err::write(&message, "a response").unwrap();
        for hash in ["hashalg=sha512", "hashalg=sha256"] {
            let words = [
                "-Y",
                "sign",
                "-n",
                RESPONSE,
                "-O",
                hash,
                "-f",
                "key",
                "response.json",
            ];
            assert!(run(&words).unwrap().status.success());
            let theirs = fs_err::read(folder.path().join("response.json.sig")).unwrap();
            assert!(
                Signed::read(&theirs)
                    .unwrap()
                    .is_of(RESPONSE, b"a response")
            );
            fs_err::remove_file(folder.path().join("response.json.sig")).unwrap();
        }
        let ours = sign(&folder.path().join("key"), RESPONSE, b"a response").unwrap();
        fs_err::write(folder.path().join("ours.sig"), ours).unwrap();
        let public = fs_err::read_to_string(folder.path().join("key.pub")).unwrap();
        fs_err::write(folder.path().join("signers"), format!("me {public}")).unwrap();
        let words = [
            "-Y", "verify", "-n", RESPONSE, "-f", "signers", "-I", "me", "-s", "ours.sig",
        ];
        let checked = std::process::Command::new("ssh-keygen")
            .args(words)
            .current_dir(folder.path())
            .stdin(fs_err::File::open(&message).unwrap().into_parts().0)
            .output()
            .unwrap();
        assert!(checked.status.success(), "{checked:?}");
    }
}
