//! A headless browser, driven over pipes: no port is opened for it.

use std::{
    collections::HashMap,
    path::Path,
    process::Stdio,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use base64::Engine as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::unix::pipe,
    process::{Child, Command},
    sync::oneshot,
};

const FLAGS: &[&str] = &[
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-dev-shm-usage",
    "--disable-popup-blocking",
    "--disable-features=Translate,MediaRouter,OptimizationHints,HttpsUpgrades",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--window-size=1280,800",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP evil.test 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1",
];

type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>;

/// A browser that ends with the test.
pub(crate) struct Browser {
    _child: Child,
    _folder: TempDir,
    to: tokio::sync::Mutex<pipe::Sender>,
    waiting: Waiting,
    next: AtomicU64,
}

impl Browser {
    /// Starts `chromium`, or what `TAGLINE_TEST_CHROMIUM` names.
    #[expect(clippy::disallowed_methods, reason = "the one thing a test of the browser is told")]
    pub(crate) async fn start() -> Self {
        let program = std::env::var("TAGLINE_TEST_CHROMIUM").unwrap_or("chromium".to_owned());
        let folder = tempfile::tempdir().unwrap();
        let (down, up) = (folder.path().join("down"), folder.path().join("up"));
        for path in [&down, &up] {
            let mode = rustix::fs::Mode::from_raw_mode(0o600);
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0)
                .unwrap();
        }
        let to = pipe::OpenOptions::new().read_write(true).open_sender(&down).unwrap();
        let from = pipe::OpenOptions::new().read_write(true).open_receiver(&up).unwrap();
        // The browser reads from descriptor 3 and writes to 4, which only a shell can give it.
        let mut command = Command::new("sh");
        command.args(["-c", r#"down=$1 up=$2; shift 2; exec "$@" 3<"$down" 4>"$up""#, "sh"]);
        command.arg(&down).arg(&up).arg(&program).args(FLAGS);
        if rustix::process::getuid().is_root() {
            command.arg("--no-sandbox");
        }
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.arg("about:blank").stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
        let waiting = Waiting::default();
        tokio::spawn(read(from, Arc::clone(&waiting)));
        let to = tokio::sync::Mutex::new(to);
        Self { _child: child, _folder: folder, to, waiting, next: AtomicU64::new(1) }
    }

    async fn send(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, answer);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.lock().await.write_all(&bytes).await.unwrap();
        // Where nothing answers, chromium is not installed; `cargo xtask browser` does it.
        let answer = tokio::time::timeout(Duration::from_secs(60), answered).await;
        let answer = answer.unwrap().unwrap();
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// A new page at this address.
    pub(crate) async fn page(&self, address: &str) -> Page<'_> {
        let target = self.send(None, "Target.createTarget", json!({ "url": "about:blank" })).await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.send(None, "Target.attachToTarget", attach).await;
        let session = session["sessionId"].as_str().unwrap().to_owned();
        let page = Page { browser: self, session };
        for domain in ["Page", "Runtime", "Accessibility"] {
            page.send(&format!("{domain}.enable"), json!({})).await;
        }
        let count = "window.violations = []; addEventListener('securitypolicyviolation', \
            (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`), true);";
        let source = json!({ "source": count });
        page.send("Page.addScriptToEvaluateOnNewDocument", source).await;
        page.send("Page.navigate", json!({ "url": address })).await;
        page
    }
}

async fn read(mut from: pipe::Receiver, waiting: Waiting) {
    let (mut rest, mut buffer) = (Vec::new(), vec![0; 65_536]);
    while let Ok(n) = from.read(&mut buffer).await {
        rest.extend_from_slice(&buffer[..n]);
        while let Some(end) = rest.iter().position(|byte| *byte == 0) {
            let message: Value = serde_json::from_slice(&rest[..end]).unwrap();
            rest.drain(..=end);
            let waits = message["id"].as_u64().and_then(|id| waiting.lock().unwrap().remove(&id));
            if let Some(waits) = waits {
                let _ = waits.send(message);
            }
        }
    }
}

/// A page of a browser.
pub(crate) struct Page<'a> {
    browser: &'a Browser,
    session: String,
}

impl Page<'_> {
    async fn send(&self, method: &str, params: Value) -> Value {
        self.browser.send(Some(&self.session), method, params).await
    }

    /// What the expression gives; promises are waited for.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let answer = self.send("Runtime.evaluate", params).await;
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until the expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        for _ in 0..1_500 {
            let params = json!({ "expression": expression, "returnByValue": true });
            let answer = self.send("Runtime.evaluate", params).await;
            if answer["result"]["value"] == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let text = self.value("document.body?.innerText ?? ''").await;
        assert_eq!(text, expression, "the page never came to this");
    }

    pub(crate) async fn click(&self, selector: &str) {
        self.until(&format!("!!document.querySelector({})", json!(selector))).await;
        self.value(&format!("document.querySelector({}).click()", json!(selector))).await;
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        let expression = format!("document.querySelector({}).innerText", json!(selector));
        self.value(&expression).await.as_str().unwrap_or_default().to_owned()
    }

    /// Blocked by the page's policy so far.
    pub(crate) async fn violations(&self) -> Vec<String> {
        let all = self.value("window.violations").await;
        all.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn dark(&self) {
        let features = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
        self.send("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    pub(crate) async fn picture(&self, path: &Path) {
        let picture = self.send("Page.captureScreenshot", json!({})).await;
        let data = picture["data"].as_str().unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// What a screen reader can use and has no name for.
    pub(crate) async fn nameless(&self) -> Vec<String> {
        let tree = self.send("Accessibility.getFullAXTree", json!({})).await;
        let controls = ["button", "textbox", "combobox", "link", "log", "navigation"];
        let nodes = tree["nodes"].as_array().unwrap().iter();
        let shown = nodes.filter(|node| node["ignored"] == json!(false));
        let role = |node: &Value| node["role"]["value"].as_str().unwrap_or_default().to_owned();
        shown
            .filter(|node| controls.contains(&role(node).as_str()))
            .filter(|node| node["name"]["value"].as_str().unwrap_or_default().is_empty())
            .map(|node| node.to_string())
            .collect()
    }
}
