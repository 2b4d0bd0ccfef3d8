// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is measured on rendered HTML decks: what does not fit, what overlaps, what is hard to read,
//! where keys lead, and who is shown what. Each measure on a deck with the fault and on one without.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use common::html::{Folder, renderer};
use deckproof_renderers::facts::{KeyboardFacts, OverflowKind, SlideFacts};
use deckproof_renderers::{RenderOptions, Renderer, Rendering};

const STYLE: &str = "<!doctype html><html lang=en><title>T</title><style>body{margin:0;font:24px/1.4 Arial}.slide{position:relative;width:1280px;height:720px;overflow:hidden;box-sizing:border-box;padding:60px;background:#fff;color:#111}h1{margin:0;font-size:60px}</style>";

fn draw(body: &str) -> Rendering {
    let deck = Folder::page(&format!("{STYLE}{body}"));
    let options = RenderOptions {
        facts: true,
        ..RenderOptions::default()
    };
    let rendering = renderer().render(&deck.deck(), &options).unwrap();
    println!("{:?} {:?}", rendering.explanation, rendering.diagnostics);
    rendering
}

fn slides(rendering: Rendering) -> Vec<SlideFacts> {
    rendering.facts.unwrap().slides
}

/// Kinds and texts of what does not fit on a slide, from 0.
fn overflows(slides: &[SlideFacts], at: usize) -> Vec<(OverflowKind, &str)> {
    let found = slides[at].overflows.iter();
    found.map(|one| (one.kind, one.text.as_str())).collect()
}

#[test]
fn what_does_not_fit_is_named_and_what_bleeds_on_purpose_is_not() {
    let items = "<li>An item of a list that is too long</li>".repeat(30);
    let slides = slides(draw(&format!(
        "<section class=slide><h1>Fine</h1><p>All of it is seen.</p><div style='position:absolute;right:-200px;bottom:-200px;width:500px;height:500px;border-radius:50%;background:#def'></div><img src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"400\"><rect width=\"400\" height=\"400\" fill=\"teal\"/></svg>' style='position:absolute;left:-90px;bottom:-90px'><div style='position:absolute;left:-4000px'>for screen readers</div><div style='display:inline-block;padding:4px 12px;background:#124;color:#fff;border-radius:9px;line-height:1'>Pill</div></section>
         <section class=slide><h1 style='white-space:nowrap'>A headline that is far too long for its slide and is cut at the edge</h1></section>
         <section class=slide><ul>{items}</ul></section>
         <section class=slide><div style='width:300px;height:80px;background:#cde;line-height:30px'>Much more text than the card of this size can hold, so that it runs out of it at the bottom</div></section>
         <section class=slide><div style='width:600px;height:200px;overflow:auto'><div style='height:190px'>Seen</div><p>Not seen</p></div><div style='width:200px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>A sentence that ends in dots</div></section>"
    )));
    assert_eq!(overflows(&slides, 0), []);
    let headline = overflows(&slides, 1);
    assert!(
        matches!(headline.as_slice(), [(OverflowKind::Cut, text)] if text.starts_with("A headline")),
        "{headline:?}"
    );
    let list = overflows(&slides, 2);
    assert!(
        list.iter().any(|(kind, _)| *kind == OverflowKind::OffSlide) && list.len() > 8,
        "{list:?}"
    );
    let card = overflows(&slides, 3);
    assert!(
        matches!(card.as_slice(), [(OverflowKind::LeavesBox, _)]),
        "{card:?}"
    );
    let kinds: Vec<OverflowKind> = overflows(&slides, 4)
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert!(
        kinds.contains(&OverflowKind::Scrolls) && kinds.contains(&OverflowKind::Cut),
        "{kinds:?}"
    );
}

#[test]
fn texts_that_lie_on_each_other_are_named_whatever_the_page_says_of_them() {
    let slides = slides(draw(
        "<section class=slide><h1 style='line-height:1'>Two lines of a headline that stand close to each other</h1><p style='margin:0;line-height:1'>Text right below</p></section>
         <section class=slide><p style='position:absolute;left:100px;top:100px;font-size:40px'>The first label</p><p aria-hidden=true data-allow-overlap data-layer=decorative style='position:absolute;left:180px;top:112px;font-size:40px'>Another one</p></section>",
    ));
    assert_eq!(slides[0].overlaps, []);
    assert_eq!(slides[1].overlaps.len(), 1, "{:?}", slides[1].overlaps);
    assert_eq!(slides[1].overlaps[0].first, "The first label");
}

#[test]
fn contrast_is_that_of_the_pixels() {
    let slides = slides(draw(
        "<section class=slide><p>Black</p><p style='color:#777'>Grey</p><p style='color:rgba(0,0,0,.3)'>Thin</p></section>
         <section class=slide style='background:linear-gradient(90deg,#012,#024);color:#fff'><p>White on a gradient</p><p style='color:#135'>Dark on a gradient</p></section>
         <section class=slide><p style='opacity:.35'>Faded</p><div style='position:relative'><p>Under a veil</p><div style='position:absolute;inset:0;background:rgba(255,255,255,.85)'></div></div></section>",
    ));
    let of = |slide: usize| -> Vec<u32> {
        let texts = slides[slide].texts.iter();
        texts
            .map(|text| text.legibility.map_or(0, |shown| shown.contrast))
            .collect()
    };
    let first = of(0);
    assert!(
        first[0] > 1700 && (440..460).contains(&first[1]) && first[2] < 300,
        "{first:?}"
    );
    let second = of(1);
    assert!(second[0] > 1200 && second[1] < 200, "{second:?}");
    let third = of(2);
    assert!(third[0] < 300 && third[1] < 300, "{third:?}");
    assert_eq!(slides[0].texts[0].legibility.unwrap().size, 2400);
}

fn keys(rendering: &Rendering) -> KeyboardFacts {
    let facts = rendering.facts.as_ref().unwrap();
    facts
        .document
        .html
        .as_ref()
        .unwrap()
        .keyboard
        .clone()
        .unwrap()
}

/// A deck of three slides of which a script shows one.
fn toggled(script: &str) -> String {
    let slide = |text: &str| {
        format!("<div class=slide style='position:fixed;inset:0;display:none'>{text}</div>")
    };
    let slides: String = ["One", "Two<p class=f hidden>Later</p>", "Three"]
        .map(slide)
        .concat();
    format!(
        "{slides}<script>const s=[...document.querySelectorAll('.slide')];let c=0;function show(n){{c=Math.max(0,Math.min(2,n));s.forEach((e,k)=>e.style.display=k===c?'block':'none')}}show(0);{script}</script>"
    )
}

const ARROWS: &str = "addEventListener('keydown',e=>{if(e.key==='ArrowRight'){const f=s[c].querySelector('.f[hidden]');if(f){f.hidden=false;return}show(c+1)}if(e.key==='ArrowLeft')show(c-1)});";

#[test]
fn keys_are_pressed_as_a_person_does() {
    let good = keys(&draw(&toggled(ARROWS)));
    assert_eq!(
        (good.key.as_deref(), good.forward.as_slice(), good.back),
        (Some("ArrowRight"), [1, 2, 3].as_slice(), 2)
    );
    assert!(good.changed.is_empty(), "{good:?}");
    let scrolled = keys(&draw(
        "<section class=slide>One</section><section class=slide>Two</section><section class=slide>Three</section>",
    ));
    assert_eq!(
        (scrolled.forward.as_slice(), scrolled.back),
        ([1, 2, 3].as_slice(), 2),
        "the browser's own keys: {scrolled:?}"
    );
    let clicked = keys(&draw(&toggled("onclick=()=>show(c+1)")));
    assert_eq!((clicked.key, clicked.forward), (None, vec![1]));
    let one_way = keys(&draw(&toggled(
        "addEventListener('keydown',e=>{if(e.key==='PageDown')show(c+1)})",
    )));
    assert_eq!(
        (one_way.key.as_deref(), one_way.forward.len(), one_way.back),
        (Some("PageDown"), 3, 0)
    );
}

/// Codes of remarks about differences, with their slides.
fn differences(html: &str) -> Vec<(Option<u32>, String)> {
    let deck = Folder::page(&format!("{STYLE}{html}"));
    let options = RenderOptions {
        facts: true,
        viewers: true,
        ..RenderOptions::default()
    };
    let rendering = renderer().render(&deck.deck(), &options).unwrap();
    assert!(rendering.compared.viewers && rendering.compared.twice);
    let codes = [
        "not-deterministic",
        "differs-by-viewer",
        "changes-with-time",
    ];
    let remarks = rendering.diagnostics.into_iter();
    remarks
        .filter(|remark| codes.contains(&remark.code.as_str()))
        .map(|remark| (remark.slide, remark.code))
        .collect()
}

#[test]
fn a_deck_that_shows_a_program_something_else_is_found() {
    for tell in [
        "navigator.webdriver",
        "/Headless/.test(navigator.userAgent)",
        "navigator.plugins.length===0",
        "!window.chrome",
        "outerWidth===0||outerHeight<innerHeight",
        "screen.width!==1280",
        "navigator.languages.length<2",
        "!(navigator.userAgentData&&navigator.userAgentData.brands.length)",
    ] {
        let deck = toggled(&format!(
            "{ARROWS}if({tell})s[1].firstChild.nodeValue='For programs';"
        ));
        assert_eq!(
            differences(&deck),
            [(Some(2), "differs-by-viewer".to_owned())],
            "{tell}"
        );
    }
}

#[test]
fn a_deck_that_shows_something_else_later_or_to_real_keys_is_found_and_a_clock_is_not() {
    let swap = "s[1].firstChild.nodeValue='Quite another claim'";
    for late in [
        format!("setTimeout(()=>{{{swap}}},2900);"),
        format!("addEventListener('keydown',e=>{{if(e.isTrusted){swap}}});"),
    ] {
        let found = differences(&toggled(&format!("{ARROWS}{late}")));
        assert_eq!(found, [(Some(2), "changes-with-time".to_owned())], "{late}");
    }
    let clock = "setInterval(()=>{s[1].firstChild.nodeValue=new Date().toISOString()},100);";
    assert_eq!(differences(&toggled(&format!("{ARROWS}{clock}"))), []);
}

#[test]
fn a_deck_that_is_another_one_each_time_is_found() {
    let worker = "const w=new Worker(URL.createObjectURL(new Blob(['postMessage(Math.random())'])));w.onmessage=e=>{s[1].firstChild.nodeValue='Number '+e.data};";
    let found = differences(&toggled(&format!("{ARROWS}{worker}")));
    assert_eq!(found, [(Some(2), "not-deterministic".to_owned())]);
}

#[test]
fn a_page_cannot_see_who_draws_it() {
    let rendering = draw(
        "<section class=slide><p id=t></p></section><script>t.textContent=[typeof deckproofClock,typeof deckproofDeck,Object.getOwnPropertyNames(window).filter(n=>/proof|cdc_|\\$c/i.test(n)).length,navigator.webdriver,navigator.plugins.length,outerHeight>=innerHeight,/native code/.test(setTimeout),/native code/.test(Math.random),/native code/.test(Function.prototype.toString)].join(' ')</script>",
    );
    let slides = slides(rendering);
    assert_eq!(
        slides[0].texts[0].text,
        "undefined undefined 0 false 5 true true true true"
    );
}
