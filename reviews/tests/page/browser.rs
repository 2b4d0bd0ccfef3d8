// SPDX-License-Identifier: MIT OR Apache-2.0
//! One headless Chromium over its debugging pipe, with the hands of a reviewer: mouse and keyboard.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use command_fds::{CommandFdExt as _, FdMapping};
use serde_json::{Value, json};

/// How long anything may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(60);
const EXECUTABLES: [&str; 4] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/google-chrome",
];

pub struct Browser {
    child: Child,
    commands: PipeWriter,
    answers: BufReader<PipeReader>,
    session: Option<String>,
    next_id: u64,
    /// Errors that pages reported.
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts the browser, or says that there is none.
    pub fn start(downloads: &Path) -> Option<Self> {
        let Some(executable) = EXECUTABLES.iter().find(|path| Path::new(path).exists()) else {
            println!("skipped: there is no Chromium on this machine");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let (for_browser, commands) = std::io::pipe().unwrap();
        let (answers, from_browser) = std::io::pipe().unwrap();
        let mut command = Command::new(executable);
        command
            .args(["--headless=new", "--no-sandbox", "--remote-debugging-pipe"])
            .args(["--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mapping = |parent_fd, child_fd| FdMapping {
            parent_fd,
            child_fd,
        };
        let mappings = vec![
            mapping(for_browser.into(), 3),
            mapping(from_browser.into(), 4),
        ];
        command.fd_mappings(mappings).unwrap();
        let child = command.spawn().unwrap();
        // Only the browser may hold its ends, or the end of the browser would not end the pipe.
        drop(command);
        let mut browser = Self {
            child,
            commands,
            answers: BufReader::new(answers),
            session: None,
            next_id: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        browser.open_tab(downloads);
        Some(browser)
    }

    fn open_tab(&mut self, downloads: &Path) {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call("Target.attachToTarget", attach);
        let behaviour = json!({"behavior": "allow", "downloadPath": downloads});
        self.call("Browser.setDownloadBehavior", behaviour);
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            self.call(domain, json!({}));
        }
        self.resize(1280, 800);
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sends a command and waits for its answer, which must be a good one.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.attempt(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and waits for its answer, or for what the browser has against it.
    fn attempt(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.commands.write_all(&bytes).unwrap();
        loop {
            let mut answer = self.receive();
            if answer["id"] == json!(id) {
                return match answer["error"].take() {
                    Value::Null => Ok(answer["result"].take()),
                    error => Err(error),
                };
            }
            self.hear(&answer);
        }
    }

    fn receive(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.answers.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).unwrap()
    }

    fn hear(&mut self, event: &Value) {
        let complains = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        if complains {
            self.complaints.push(event["params"].to_string());
        }
    }

    /// The value of a JavaScript expression.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", params);
        let failed = result.get("exceptionDetails");
        assert!(failed.is_none(), "{expression}: {failed:?}");
        result["result"]["value"].take()
    }

    pub fn text(&mut self, expression: &str) -> String {
        self.evaluate(expression)
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until an expression holds. While one page gives way to the next there is none to ask.
    pub fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        let params = json!({"expression": expression, "returnByValue": true});
        while !self
            .attempt("Runtime.evaluate", params.clone())
            .is_ok_and(|answer| answer["result"]["value"] == json!(true))
        {
            assert!(
                start.elapsed() < PATIENCE,
                "waited too long for {expression}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn open(&mut self, page: &Path) {
        self.open_address(&format!("file://{}", page.display()));
    }

    pub fn open_address(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        self.wait_for("document.readyState === 'complete' && typeof view === 'object'");
    }

    pub fn reload(&mut self) {
        self.evaluate("window.stale = true");
        self.call("Page.reload", json!({}));
        self.wait_for("window.stale !== true && document.readyState === 'complete'");
    }

    /// Saves what is seen as a PNG, for a person to look at.
    pub fn picture(&mut self, path: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let digits = shot["data"].as_str().unwrap();
        fs_err::write(path, STANDARD.decode(digits).unwrap()).unwrap();
    }

    /// Presses and lets go of the left button in the middle of the element with `id`, or of the
    /// label that is clicked for it.
    pub fn click(&mut self, id: &str) {
        let quoted = json!(id);
        let place = self.evaluate(&format!(
            "(() => {{ const it = byId({quoted}); \
             const seen = it.type === 'radio' ? document.querySelector(`label[for=\"${{it.id}}\"]`) : it; \
             seen.scrollIntoView({{ block: 'center' }}); const box = seen.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({"type": kind, "x": place[0], "y": place[1], "button": button, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Types a text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    pub fn press(&mut self, key: &str) {
        self.press_with(key, 0);
    }

    /// A key with modifiers: 2 is Ctrl, 8 is Shift.
    pub fn press_with(&mut self, key: &str, modifiers: u32) {
        let text = match key {
            "Enter" => Some("\r"),
            key if key.chars().count() == 1 && modifiers & 2 == 0 => Some(key),
            _ => None,
        };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "End" => 35,
            key => key.to_uppercase().chars().next().map_or(0, u32::from),
        };
        let kind = if text.is_some() {
            "keyDown"
        } else {
            "rawKeyDown"
        };
        let event = json!({"type": kind, "key": key, "text": text.unwrap_or_default(),
            "modifiers": modifiers, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", event);
        let event = json!({"type": "keyUp", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", event);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a download to be there whole, and reads it.
pub fn downloaded(path: &Path) -> Vec<u8> {
    let start = Instant::now();
    loop {
        if let Ok(bytes) = fs_err::read(path)
            && bytes.ends_with(b"\n")
        {
            return bytes;
        }
        assert!(start.elapsed() < PATIENCE, "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Where the packet and the browser's downloads are.
pub struct Desk {
    pub folder: tempfile::TempDir,
}

impl Desk {
    pub fn response(&self, id: &str) -> PathBuf {
        self.folder.path().join(format!("response-{id}.json"))
    }
}
