// SPDX-License-Identifier: MIT OR Apache-2.0
//! HTML decks through the machine's real browser: one small deck for each promise.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use common::html::{Folder, colour_at, distinct, renderer, texts};
use deckproof_renderers::html::{BrowserOptions, HtmlRenderer};
use deckproof_renderers::{RenderError, RenderOptions, Renderer};

fn all() -> RenderOptions {
    RenderOptions::default()
}

fn with_facts() -> RenderOptions {
    RenderOptions {
        facts: true,
        ..all()
    }
}

const TOGGLE: &str = "<!doctype html><html lang=en><title>T</title><style>body{margin:0}.slide{display:none;position:fixed;inset:0;padding:60px;font-size:40px}.slide.active{display:block}</style>
<div class='slide active' style='background:#f00'>One</div><div class=slide style='background:#0f0'>Two<p class=f hidden>Later</p></div><div class=slide style='background:#00f'>Three</div>
<script>const s=[...document.querySelectorAll('.slide')];let c=0;addEventListener('keydown',e=>{if(e.key!=='ArrowRight')return;const f=s[c].querySelector('.f[hidden]');if(f){f.hidden=false;return}c=Math.min(c+1,2);s.forEach((e,k)=>e.classList.toggle('active',k===c))})</script>";

#[test]
fn stacked_slides_fill_the_canvas_one_by_one() {
    let deck = Folder::page(
        "<!doctype html><style>body{margin:0}section{height:100vh}</style><section class=slide style='background:#f00'>1</section><section class=slide style='background:#0f0'>2</section><section class=slide style='background:#00f'>3</section>",
    );
    let rendering = renderer().render(&deck.deck(), &all()).unwrap();
    assert_eq!(rendering.slide_count, 3);
    let corners: Vec<[u8; 3]> = rendering
        .slides
        .iter()
        .map(|slide| colour_at(slide, 1279, 719))
        .collect();
    assert_eq!(corners, [[255, 0, 0], [0, 255, 0], [0, 0, 255]]);
    assert!(
        rendering.explanation[0].starts_with("flow"),
        "{:?}",
        rendering.explanation
    );
}

#[test]
fn a_toggled_deck_is_shown_in_its_final_states_and_step_by_step() {
    let deck = Folder::page(TOGGLE);
    let mut renderer = renderer();
    let rendering = renderer.render(&deck.deck(), &with_facts()).unwrap();
    assert_eq!(rendering.slide_count, 3);
    let colours: Vec<[u8; 3]> = rendering
        .slides
        .iter()
        .map(|s| colour_at(s, 1200, 700))
        .collect();
    assert_eq!(colours, [[255, 0, 0], [0, 255, 0], [0, 0, 255]]);
    assert_eq!(texts(&rendering, 2), [("Two", true), ("Later", true)]);
    let options = RenderOptions {
        steps: true,
        ..all()
    };
    let steps = renderer.render(&deck.deck(), &options).unwrap();
    assert_eq!((steps.slide_count, steps.slides.len()), (3, 4));
    assert_eq!(distinct(&steps), 4);
    let shown: Vec<(u32, u32)> = steps
        .slides
        .iter()
        .filter_map(|picture| picture.step.map(|step| (step.slide, step.number)))
        .collect();
    assert_eq!(shown, [(1, 1), (2, 1), (2, 2), (3, 1)]);
}

#[test]
fn a_selection_keeps_its_numbers() {
    let deck = Folder::page(TOGGLE);
    let options = RenderOptions {
        slides: Some("2-".parse().unwrap()),
        ..all()
    };
    let rendering = renderer().render(&deck.deck(), &options).unwrap();
    let numbers: Vec<u32> = rendering.slides.iter().map(|slide| slide.index).collect();
    assert_eq!(
        (numbers.as_slice(), rendering.slide_count),
        ([2, 3].as_slice(), 3)
    );
    assert_eq!(colour_at(&rendering.slides[0], 1200, 700), [0, 255, 0]);
    let options = RenderOptions {
        slides: Some("4".parse().unwrap()),
        ..all()
    };
    let error = renderer().render(&deck.deck(), &options).unwrap_err();
    assert!(
        matches!(error, RenderError::NoSuchSlide { count: 3, .. }),
        "{error}"
    );
}

#[test]
fn clocks_randomness_and_endless_movement_give_the_same_bytes() {
    let page = "<!doctype html><style>@keyframes r{to{transform:rotate(360deg)}}b{display:inline-block;animation:r 1.3s linear infinite}</style><h1 id=t></h1><canvas id=c width=900 height=400></canvas><b>turning</b><p id=u></p>
<script>setInterval(()=>{t.textContent=new Date().toISOString()+' '+performance.now()},7);u.textContent=crypto.randomUUID()+Math.random();const g=c.getContext('2d');(function d(){g.fillRect(Math.random()*900,Math.random()*400,3,3);requestAnimationFrame(d)})()</script>";
    let deck = Folder::page(page);
    let sets: Vec<String> = (0..2)
        .map(|_| {
            let options = RenderOptions {
                twice: true,
                ..all()
            };
            let rendering = renderer().render(&deck.deck(), &options).unwrap();
            assert!(
                rendering
                    .diagnostics
                    .iter()
                    .all(|d| d.code != "not-deterministic")
            );
            assert!(rendering.identity.deterministic);
            rendering.set_sha256()
        })
        .collect();
    assert!(sets.iter().all(|set| *set == sets[0]), "{sets:?}");
}

#[test]
fn nothing_outside_of_the_folder_is_seen_and_what_was_refused_is_named() {
    let deck = Folder::page(
        "<!doctype html><body style='background:#0a0'><h1>Deck</h1><img src='../secret.svg'><img src='link.svg'><iframe src='file:///etc/passwd'></iframe><img src='http://127.0.0.1:9/x.png'><img src='none.png'><script>fetch('https://example.com/').catch(()=>{});window.open('http://127.0.0.1:9/');location.href='https://example.org/away'</script>",
    );
    deck.secret();
    let rendering = renderer().render(&deck.deck(), &with_facts()).unwrap();
    let of = |code: &str| -> Vec<String> {
        let found = rendering
            .diagnostics
            .iter()
            .filter(|remark| remark.code == code);
        found.map(|remark| remark.message.clone()).collect()
    };
    let blocked = of("blocked-request").join("\n");
    for address in [
        "file:///etc/passwd",
        "http://127.0.0.1:9/x.png",
        "https://example.com/",
        "https://example.org/away",
        "link.svg",
    ] {
        assert!(blocked.contains(address), "{address} in {blocked}");
    }
    assert_eq!(of("missing-resource"), ["none.png", "secret.svg"]);
    let facts = rendering.facts.unwrap();
    assert!(facts.slides[0].images.iter().all(|image| !image.visible));
    let html = facts.document.html.unwrap();
    assert!(
        html.remote_references
            .contains(&"http://127.0.0.1:9/x.png".to_owned())
    );
}

#[test]
fn facts_tell_what_a_viewer_can_see() {
    let deck = Folder::page("<!doctype html><html lang=de><title>Facts</title><style>body{margin:0}.slide{position:relative;width:1280px;height:720px;overflow:hidden}</style><section class=slide>
<h1>Revenue <em>grew</em><br>by  5&nbsp;%</h1><p style='opacity:0'>transparent</p><p style='color:#fff'>white on white</p><p style='position:absolute;left:2000px'>off the slide</p><p style='font-size:0'>tiny</p><p style='position:absolute;left:10px;top:400px'>covered</p><div style='position:absolute;left:0;top:380px;width:400px;height:80px;background:#eee;pointer-events:none'></div><div style='height:10px;overflow:hidden'><div style='margin-top:40px'>clipped</div></div>
<table><tr><td>cell</td></tr></table><p style='text-transform:uppercase'>shout</p><img src=dot.svg width=200 height=100><img src=dot.svg style='display:none'><aside class=notes style='display:none'>Say this</aside></section><section class=slide onclick='x()' id=a><p id=a>two</p></section>");
    deck.file("dot.svg", common::html::DOT);
    let rendering = renderer().render(&deck.deck(), &with_facts()).unwrap();
    let expected = [
        ("Revenue grew\nby 5\u{a0}%", true),
        ("transparent", false),
        ("white on white", false),
        ("off the slide", false),
        ("tiny", false),
        ("covered", false),
        ("clipped", false),
        ("cell", true),
        ("shout", true),
    ];
    assert_eq!(texts(&rendering, 1), expected);
    let facts = rendering.facts.unwrap();
    let slide = &facts.slides[0];
    let hash = deckproof_renderers::sha256_hex(common::html::DOT.as_bytes());
    let images: Vec<(&str, bool)> = slide
        .images
        .iter()
        .map(|image| (image.source.as_str(), image.visible))
        .collect();
    assert_eq!(images, [("dot.svg", true), ("dot.svg", false)]);
    assert!(
        slide
            .images
            .iter()
            .all(|image| image.sha256.as_ref() == Some(&hash))
    );
    assert_eq!(slide.images[0].rect.width, 200 * 9525);
    assert_eq!(slide.notes.as_deref(), Some("Say this"));
    assert_eq!(slide.elements[0].key, "section");
    assert!(
        slide
            .elements
            .iter()
            .any(|e| e.key == "section/table/tbody/tr/td")
    );
    assert_eq!(
        texts_of(&facts.slides[1]),
        ["two"],
        "nothing of the first slide"
    );
    let document = facts.document;
    assert_eq!(
        (document.title.as_deref(), document.language.as_deref()),
        (Some("Facts"), Some("de"))
    );
    let html = document.html.unwrap();
    assert_eq!(html.doctype.as_deref(), Some("html"));
    assert_eq!(html.inline_handlers, ["section@onclick"]);
    assert_eq!(html.duplicate_ids, ["a"]);
}

fn texts_of(slide: &deckproof_renderers::facts::SlideFacts) -> Vec<&str> {
    slide.texts.iter().map(|text| text.text.as_str()).collect()
}

#[test]
fn a_page_cannot_lie_to_the_facts() {
    let deck = Folder::page(
        "<!doctype html><h1>Truth</h1><script>JSON.stringify=()=>'[]';document.createTreeWalker=null;getComputedStyle=()=>({});Element.prototype.getBoundingClientRect=()=>({});Array.from=()=>[];Date.now=()=>0</script>",
    );
    let rendering = renderer().render(&deck.deck(), &with_facts());
    // Either the truth or a refusal, never a lie.
    if let Ok(rendering) = rendering {
        assert_eq!(texts(&rendering, 1), [("Truth", true)]);
    }
}

#[test]
fn bad_decks_are_refused_and_the_browser_lives_on() {
    let mut renderer = renderer();
    let deck = Folder::page("<p>x");
    let missing = deckproof_renderers::Deck {
        entry: "none.html".to_owned(),
        ..deck.deck()
    };
    let error = renderer.render(&missing, &all()).unwrap_err();
    assert!(matches!(error, RenderError::EntryMissing { .. }), "{error}");
    deck.file("empty.html", "");
    for entry in ["empty.html", "..", "link.svg", "../secret.svg"] {
        deck.secret();
        let bad = deckproof_renderers::Deck {
            entry: entry.to_owned(),
            ..deck.deck()
        };
        let error = renderer.render(&bad, &all()).unwrap_err();
        assert!(
            matches!(error, RenderError::BadEntry { .. }),
            "{entry}: {error}"
        );
        assert!(!error.is_infrastructure());
    }
    assert_eq!(
        renderer.render(&deck.deck(), &all()).unwrap().slide_count,
        1
    );
}

#[test]
fn a_page_that_never_ends_is_given_up_and_the_next_one_drawn() {
    let mut renderer = common::html::impatient();
    let first = renderer.process_group();
    let stuck = Folder::page("<!doctype html><h1>x</h1><script>for(;;);</script>");
    let error = renderer.render(&stuck.deck(), &all()).unwrap_err();
    assert!(matches!(error, RenderError::DeckTimeout { .. }), "{error}");
    let fine = Folder::page(TOGGLE);
    assert_eq!(
        renderer.render(&fine.deck(), &all()).unwrap().slide_count,
        3
    );
    assert_ne!(
        renderer.process_group(),
        first,
        "the spoilt browser was replaced"
    );
}

#[test]
fn reloading_dialogs_and_closing_do_not_stop_a_deck() {
    let deck = Folder::page(
        "<!doctype html><meta http-equiv=refresh content='0'><h1>Still here</h1><script>alert(1);confirm(2);onbeforeunload=e=>e.preventDefault();location.reload();window.close();print()</script>",
    );
    let rendering = renderer().render(&deck.deck(), &with_facts()).unwrap();
    assert_eq!(texts(&rendering, 1), [("Still here", true)]);
    assert!(
        rendering
            .diagnostics
            .iter()
            .any(|remark| remark.code == "dialog")
    );
}

#[test]
fn an_empty_picture_is_blank() {
    let deck = Folder::page(
        "<!doctype html><style>body{margin:0}section{height:100vh}</style><section class=slide></section><section class=slide style='font-size:60px'>Text that is seen</section>",
    );
    let rendering = renderer().render(&deck.deck(), &all()).unwrap();
    let blank: Vec<bool> = rendering.slides.iter().map(|slide| slide.blank).collect();
    assert_eq!(blank, [true, false]);
}

#[test]
fn one_page_per_slide_and_pages_that_only_a_click_leads_through() {
    let mut renderer = renderer();
    let deck = Folder::page("<h1>Index</h1>");
    deck.file("slide2.html", "<!doctype html><h1>Second</h1>");
    deck.file("slide1.html", "<!doctype html><h1>First</h1>");
    let rendering = renderer.render(&deck.deck(), &with_facts()).unwrap();
    assert_eq!(rendering.slide_count, 2);
    assert_eq!(texts(&rendering, 1), [("First", true)]);
    assert_eq!(texts(&rendering, 2), [("Second", true)]);
    let deck = Folder::page(
        "<!doctype html><body style='margin:0;height:720px'><h1 id=t>1</h1><script>let n=1;document.body.onclick=()=>{n=Math.min(n+1,4);t.textContent='Number '+n}</script>",
    );
    let rendering = renderer.render(&deck.deck(), &with_facts()).unwrap();
    assert_eq!(rendering.slide_count, 4);
    assert_eq!(texts(&rendering, 4), [("Number 4", true)]);
}

#[test]
fn a_browser_without_commanded_frames_is_used_and_says_what_it_cannot_promise() {
    let executable = std::path::PathBuf::from("/usr/lib/chromium/chromium");
    if !executable.exists() {
        println!("skipped: Debian's package chromium is absent");
        return;
    }
    let options = BrowserOptions {
        executable: Some(executable),
        ..Default::default()
    };
    let mut renderer = HtmlRenderer::new(options).unwrap();
    assert!(!renderer.identity().deterministic);
    let deck = Folder::page(TOGGLE);
    let rendering = renderer.render(&deck.deck(), &all()).unwrap();
    let colours: Vec<[u8; 3]> = rendering
        .slides
        .iter()
        .map(|s| colour_at(s, 1200, 700))
        .collect();
    assert_eq!(colours, [[255, 0, 0], [0, 255, 0], [0, 0, 255]]);
    let codes: Vec<&str> = rendering
        .diagnostics
        .iter()
        .map(|d| d.code.as_str())
        .collect();
    assert!(codes.contains(&"not-guaranteed-deterministic"), "{codes:?}");
}

#[test]
fn a_deck_cannot_tell_that_nobody_looks() {
    let deck = Folder::page(
        "<!doctype html><h1 id=t></h1><script>t.textContent=[navigator.webdriver,/Headless/.test(navigator.userAgent),navigator.languages,innerWidth,outerWidth>0].join(' ')</script>",
    );
    let rendering = renderer().render(&deck.deck(), &with_facts()).unwrap();
    assert_eq!(
        texts(&rendering, 1),
        [("false false en-US,en 1280 true", true)]
    );
}

#[test]
fn a_document_with_cards_is_one_slide_and_a_deck_of_replaced_elements_is_whole() {
    let mut renderer = renderer();
    let cards = "<div class=card style='height:400px'>A card of a page</div>".repeat(3);
    let deck = Folder::page(&format!("<!doctype html><h1>Document</h1>{cards}"));
    assert_eq!(
        renderer.render(&deck.deck(), &all()).unwrap().slide_count,
        1
    );
    let deck = Folder::page(
        "<!doctype html><style>body{margin:0}.slide{position:fixed;inset:0;font-size:50px;display:none}.on{display:block}</style><main></main><script>let c=0;function draw(){document.querySelector('main').innerHTML=['One','Two','Three'].map((t,k)=>`<div class='slide ${k===c?'on':''}'>${t}</div>`).join('')}draw();addEventListener('keydown',e=>{if(e.key==='ArrowRight'){c=Math.min(c+1,2);draw()}})</script>",
    );
    let rendering = renderer.render(&deck.deck(), &with_facts()).unwrap();
    assert_eq!(rendering.slide_count, 3);
    assert_eq!(texts(&rendering, 3), [("Three", true)]);
}
