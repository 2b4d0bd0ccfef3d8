// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the browser is started: its switches, its environment, and how far it is shut in.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::executable::{Executable, Kind};
use crate::watchdog::MemoryLimits;

/// The user that the browser runs as when Deckproof runs as root: `nobody`.
pub const NOBODY: u32 = 65_534;

/// Whether we are root and may hand processes to [`NOBODY`]. Where a user namespace knows no such
/// user, as in some containers, root runs them as itself.
#[must_use]
pub fn may_become_nobody() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map");
    rustix::process::geteuid().is_root() && map.is_ok_and(|map| knows(&map, NOBODY))
}

/// Whether a map of users, lines of first, first outside and count, has a user in it.
fn knows(map: &str, user: u32) -> bool {
    let number = |field: Option<&str>| field.and_then(|field| field.parse::<u32>().ok());
    map.lines().any(|line| {
        let mut fields = line.split_whitespace();
        let (first, count) = (number(fields.next()), number(fields.nth(1)));
        first.zip(count).is_some_and(|(first, count)| {
            user.checked_sub(first).is_some_and(|place| place < count)
        })
    })
}

/// How far the browser is shut in, best first. Interception of every request comes on top of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// An empty network namespace, and Chromium's own sandbox on.
    NetnsSandbox,
    /// An empty network namespace; pages run without Chromium's sandbox.
    Netns,
    /// Chromium's sandbox; the network is closed by switches alone.
    Sandbox,
    /// Nothing but interception and switches.
    FetchOnly,
}

impl Isolation {
    /// All levels, best first.
    pub const ALL: [Self; 4] = [
        Self::NetnsSandbox,
        Self::Netns,
        Self::Sandbox,
        Self::FetchOnly,
    ];

    /// The name used in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NetnsSandbox => "netns+sandbox",
            Self::Netns => "netns",
            Self::Sandbox => "sandbox",
            Self::FetchOnly => "fetch-only",
        }
    }

    fn namespace(self) -> bool {
        matches!(self, Self::NetnsSandbox | Self::Netns)
    }

    fn sandbox(self) -> bool {
        matches!(self, Self::NetnsSandbox | Self::Sandbox)
    }
}

/// What to start, and how.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The executable.
    pub executable: Executable,
    /// A fontconfig file to use in place of the machine's; it must be readable by everyone.
    pub fontconfig: Option<PathBuf>,
    /// The levels to try, in this order.
    pub isolation: Vec<Isolation>,
    /// When the browser is ended for using too much memory.
    pub memory: MemoryLimits,
    /// Switches beyond the fixed ones.
    pub extra_switches: Vec<String>,
}

impl LaunchOptions {
    /// The usual way to start `executable`.
    #[must_use]
    pub fn new(executable: Executable) -> Self {
        Self {
            executable,
            fontconfig: None,
            isolation: Isolation::ALL.to_vec(),
            memory: MemoryLimits::default(),
            extra_switches: Vec::new(),
        }
    }
}

/// Switches that may change pixels, or what a page can reach. They are part of the identity.
pub(crate) const SWITCHES: &[&str] = &[
    // Drawing.
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--disable-skia-runtime-opts",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-device-scale-factor=1",
    // However many cores there are.
    "--num-raster-threads=2",
    "--lang=en-US",
    // Time: nothing runs slower because it is not looked at.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    // One renderer process for each deck, frames included, so that interception sees them all.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateSandboxedIframes,IsolateOrigins,site-per-process,Translate,\
     MediaRouter,OptimizationHints,AutofillServerCommunication,InterestFeedContentSuggestions,\
     CertificateTransparencyComponentUpdater,DialMediaRouteProvider,BackForwardCache,\
     NetworkServiceSandbox,PaintHolding,LazyFrameLoading",
    // Reaching nothing.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--block-new-web-contents",
    // A deck must not learn that nobody is looking.
    "--disable-blink-features=AutomationControlled",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-notifications",
    "--disable-sync",
    "--no-pings",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    // Leaving nothing behind.
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// Every switch for this executable but those of the transport and of isolation.
pub(crate) fn switches(options: &LaunchOptions) -> Vec<String> {
    let kind: &[&str] = match options.executable.kind {
        Kind::HeadlessShell => &["--deterministic-mode"],
        Kind::Full => &[
            "--headless=new",
            "--enable-features=CDPScreenshotNewSurface",
        ],
    };
    let fixed = SWITCHES
        .iter()
        .chain(kind)
        .map(|switch| (*switch).to_owned());
    fixed
        .chain(options.extra_switches.iter().cloned())
        .collect()
}

/// The whole command line for a level, wrappers first.
pub(crate) fn command_line(
    options: &LaunchOptions,
    level: Isolation,
    root: bool,
    profile: &Path,
) -> Vec<OsString> {
    let mut line: Vec<OsString> = shut_in(level, root).iter().map(OsString::from).collect();
    line.push(options.executable.path.clone().into());
    line.extend(switches(options).into_iter().map(OsString::from));
    let mut data = OsString::from("--user-data-dir=");
    data.push(profile.join("data"));
    line.push(data);
    line.push("--remote-debugging-pipe".into());
    if !level.sandbox() {
        line.push("--no-sandbox".into());
    }
    line.push("about:blank".into());
    line
}

/// The words to put before a command line so that it runs at a level: in an empty network
/// namespace where the level has one, and as an unprivileged user when `root` says that we are root.
#[must_use]
pub fn shut_in(level: Isolation, root: bool) -> Vec<String> {
    let namespace: &[&str] = match (level.namespace(), root) {
        (true, true) => &["unshare", "--net", "--"],
        // An ordinary user gets a network namespace together with a user namespace.
        (true, false) => &["unshare", "--map-current-user", "--net", "--"],
        (false, _) => &[],
    };
    let user = root.then(|| {
        let (uid, gid) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
        let rest = ["--clear-groups", "--no-new-privs", "--"].map(str::to_owned);
        ["setpriv".to_owned(), uid, gid].into_iter().chain(rest)
    });
    namespace
        .iter()
        .map(|word| (*word).to_owned())
        .chain(user.into_iter().flatten())
        .collect()
}

/// The whole environment of the browser: nothing of ours is handed down.
pub(crate) fn environment(profile: &Path, fontconfig: Option<&Path>) -> Vec<(String, OsString)> {
    let mut variables: Vec<(String, OsString)> = vec![
        ("PATH".into(), "/usr/sbin:/usr/bin:/sbin:/bin".into()),
        ("HOME".into(), profile.into()),
        ("TMPDIR".into(), profile.join("tmp").into()),
        ("XDG_CONFIG_HOME".into(), profile.join("config").into()),
        ("XDG_CACHE_HOME".into(), profile.join("cache").into()),
        ("XDG_RUNTIME_DIR".into(), profile.join("tmp").into()),
        ("DBUS_SESSION_BUS_ADDRESS".into(), "disabled:".into()),
        ("LC_ALL".into(), "C.UTF-8".into()),
        ("TZ".into(), "UTC".into()),
    ];
    if let Some(file) = fontconfig {
        variables.push(("FONTCONFIG_FILE".into(), file.into()));
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(level: Isolation, root: bool) -> Vec<String> {
        let executable = Executable {
            path: "/x/shell".into(),
            kind: Kind::HeadlessShell,
        };
        command_line(
            &LaunchOptions::new(executable),
            level,
            root,
            Path::new("/p"),
        )
        .into_iter()
        .map(|word| word.into_string().unwrap())
        .collect()
    }

    #[test]
    fn root_never_runs_the_browser_as_root() {
        for level in Isolation::ALL {
            let line = words(level, true);
            let setpriv = line.iter().position(|word| word == "setpriv").unwrap();
            assert!(setpriv < line.iter().position(|word| word == "/x/shell").unwrap());
            assert!(line.contains(&"--reuid=65534".to_owned()));
        }
    }

    #[test]
    fn a_map_of_users_tells_who_is_known() {
        assert!(knows("         0          0 4294967295\n", NOBODY));
        assert!(!knows("         0          0          1\n", NOBODY));
        assert!(knows("0 1000 1\n1 100000 65536\n", NOBODY));
        assert!(!knows("nonsense", NOBODY) && !knows("", NOBODY));
    }

    #[test]
    fn each_level_has_what_its_name_says() {
        for root in [true, false] {
            for level in Isolation::ALL {
                let line = words(level, root);
                let sandbox = !line.contains(&"--no-sandbox".to_owned());
                assert_eq!(
                    line.contains(&"unshare".to_owned()),
                    level.name().contains("netns")
                );
                assert_eq!(sandbox, level.name().contains("sandbox"));
            }
        }
    }

    #[test]
    fn the_environment_is_made_not_inherited() {
        let names: Vec<String> = environment(Path::new("/p"), None)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert!(!names.contains(&"FONTCONFIG_FILE".to_owned()));
        assert!(names.contains(&"HOME".to_owned()));
    }
}
