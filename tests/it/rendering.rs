// SPDX-License-Identifier: MIT OR Apache-2.0
//! `deckproof render` as a tool of its own.

use std::fs;

use crate::support::{html_deck, run};

#[test]
fn one_deck_gives_numbered_pictures_and_one_line_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    let out = folder.path().join("out");
    let ran = run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--json",
    ])
    .expect(0);
    let line: serde_json::Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(line["slides"][0]["width"], 1280);
    assert_eq!(line["slides"][0]["height"], 720);
    let bytes = fs::read(out.join("slide-001.png")).unwrap();
    assert!(!deckproof_renderers::png::is_blank(
        &deckproof_renderers::png::decode_strict(&bytes).unwrap()
    ));
}

#[test]
fn a_deck_that_fails_is_named_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.html");
    let bad = folder.path().join("bad.pptx");
    fs::write(&good, html_deck("One")).unwrap();
    fs::write(&bad, "this is no package").unwrap();
    let out = folder.path().join("out");
    let ran = run([
        "render",
        bad.to_str().unwrap(),
        good.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ])
    .expect(1);
    assert_eq!(ran.stderr.matches("bad.pptx").count(), 1, "{}", ran.stderr);
    assert!(out.join("good/slide-001.png").is_file());
    assert!(!out.join("bad").exists());
}

#[test]
fn what_is_no_deck_is_said_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "notes").unwrap();
    let out = folder.path().join("out");
    for (deck, code) in [
        (text.to_str().unwrap(), 1),
        (folder.path().to_str().unwrap(), 1),
        ("/nowhere.pptx", 2),
    ] {
        run(["render", deck, "--out", out.to_str().unwrap()]).expect(code);
        assert!(!out.exists());
    }
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--slides",
        "0",
    ])
    .expect(2);
}

/// Runs the program with more in front, such as a wrapper that shuts it in.
fn wrapped(words: &[&str]) -> (Option<i32>, String) {
    let program = crate::support::program();
    let (first, rest) = words.split_first().unwrap();
    let words = rest.iter().map(|word| match *word {
        "DECKPROOF" => program.get_program().to_owned(),
        word => word.into(),
    });
    let ran = std::process::Command::new(first)
        .args(words)
        .output()
        .unwrap();
    (
        ran.status.code(),
        String::from_utf8_lossy(&ran.stderr).into_owned(),
    )
}

#[test]
fn a_full_disk_is_said_and_no_half_picture_stays() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    // A file system of one page, seen by this one process alone; what is left there is counted last.
    let script = "mount -t tmpfs -o size=4k none \"$1\" || exit 77; \"$0\" render \"$2\" --out \"$1\"; code=$?; ls -A \"$1\" | sed 's/^/left: /' >&2; exit $code";
    let (code, said) = wrapped(&[
        "unshare",
        "--mount",
        "sh",
        "-c",
        script,
        "DECKPROOF",
        out.to_str().unwrap(),
        deck.to_str().unwrap(),
    ]);
    if code == Some(77) || said.contains("unshare") {
        println!("skipped: no file system can be mounted here: {said}");
        return;
    }
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("slide-001.png") && said.contains("No space left"),
        "{said}"
    );
    assert!(!said.contains("left: "), "{said}");
}

#[test]
fn a_folder_that_may_not_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("deck");
    fs::create_dir(&deck).unwrap();
    fs::write(deck.join("index.html"), html_deck("One")).unwrap();
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    fs::set_permissions(&deck, closed).unwrap();
    let out = folder.path().join("out");
    let page = deck.join("index.html");
    let render = [
        "DECKPROOF",
        "render",
        page.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    // Root may read everything, unless it gives that up.
    let plain = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"];
    let (code, said) = wrapped(&[plain.as_slice(), &render].concat());
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&deck, open).unwrap();
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("index.html") && said.contains("ermission denied"),
        "{said}"
    );
    assert!(!out.exists());
}

#[test]
fn a_slide_that_the_deck_has_not_got_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    let out = folder.path().join("out");
    let (deck, to) = (deck.to_str().unwrap(), out.to_str().unwrap());
    let ran = run(["render", deck, "--out", to, "--slides", "1,9"]).expect(1);
    assert!(
        ran.stderr.contains("1,9") && ran.stderr.contains("has 1"),
        "{}",
        ran.stderr
    );
    assert!(!out.exists());
}

#[test]
fn a_second_opinion_says_how_far_the_engines_differ() {
    let folder = tempfile::tempdir().unwrap();
    let decks =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("renderers/pptx/tests/agents/decks");
    let deck = decks.join("py_cards.pptx");
    let out = folder.path().join("out");
    let ran = run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--second-opinion",
        "--json",
    ])
    .expect(0);
    let line: serde_json::Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    let opinion = &line["second_opinion"];
    assert_eq!(opinion["renderer"]["name"], "libreoffice");
    let slide = &opinion["slides"][0];
    let (whole, block) = (&slide["ssim"], &slide["worst_block"]);
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    assert!(number(whole) > 0.5 && number(whole) < 1.0, "{opinion}");
    assert!(number(&block["ssim"]) < number(whole), "{opinion}");
    assert_eq!(
        (&block["width"], &block["height"]),
        (&80.into(), &80.into())
    );
    assert!(
        ran.stderr.contains("worst block 80x80 at"),
        "{}",
        ran.stderr
    );
    let second = fs::read(out.join("second-opinion/slide-001.png")).unwrap();
    deckproof_renderers::png::decode_strict(&second).unwrap();
}

#[test]
fn html_decks_have_no_second_engine() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    let out = folder.path().join("out");
    let ran = run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--second-opinion",
    ])
    .expect(1);
    assert!(ran.stderr.contains("--second-opinion"), "{}", ran.stderr);
}

#[test]
fn a_deck_that_does_not_keep_still_or_to_one_face_falls_short() {
    let folder = tempfile::tempdir().unwrap();
    let say = "<script>const say=text=>{const p=document.createElement('p');p.style='position:fixed;left:100px;top:600px';p.textContent=text;document.body.append(p)};";
    let worker = "new Worker(URL.createObjectURL(new Blob(['postMessage(Math.random())']))).onmessage=e=>say(e.data)";
    let faces = "if(navigator.webdriver)say('For programs')";
    for (asked, script, expected) in [
        ("--twice", worker, "not-deterministic"),
        ("--viewers", faces, "differs-by-viewer"),
    ] {
        let (deck, out) = (folder.path().join("index.html"), folder.path().join(asked));
        let page = html_deck("One").replace("</body>", &format!("{say}{script}</script></body>"));
        fs::write(&deck, page).unwrap();
        let (deck, out) = (deck.to_str().unwrap(), out.to_str().unwrap());
        run(["render", deck, "--out", out]).expect(0);
        let ran = run(["render", deck, "--out", out, asked]).expect(1);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}
