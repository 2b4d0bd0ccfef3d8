// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frameworks of which there is no deck at hand: pages of our own that behave as theirs do.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use common::html::{Folder, distinct, renderer, texts};
use deckproof_renderers::{RenderOptions, Renderer, Rendering};

fn draw(html: &str) -> Rendering {
    let deck = Folder::page(html);
    let options = RenderOptions {
        facts: true,
        ..RenderOptions::default()
    };
    let rendering = renderer().render(&deck.deck(), &options).unwrap();
    println!("{:?}", rendering.explanation);
    rendering
}

/// The visible texts of each slide, joined.
fn seen(rendering: &Rendering) -> Vec<String> {
    let slide = |number| {
        let texts = texts(rendering, number);
        let visible: Vec<&str> = texts
            .iter()
            .filter(|(_, visible)| *visible)
            .map(|(text, _)| *text)
            .collect();
        visible.join(" ")
    };
    (1..=rendering.slide_count).map(slide).collect()
}

fn rule(rendering: &Rendering) -> &str {
    rendering.explanation[0].split(':').next().unwrap()
}

#[test]
fn reveal_inside_a_bundle_is_led_by_messages() {
    let rendering = draw(
        "<!doctype html><style>body{margin:0;font-size:40px}.reveal,.slides{position:absolute;inset:0}.slides section{position:absolute;inset:0;visibility:hidden}.slides section.present{visibility:visible}.slides section.stack.present>section:not(.present){visibility:hidden}.fragment{opacity:0}.fragment.visible{opacity:1}</style>
         <div class='reveal ready'><div class=slides><section>One<p class=fragment data-fragment-index=0>Shown at last</p></section><section class=stack><section>Two A</section><section>Two B</section></section><section>Three</section></div></div>
         <script>(()=>{const top=[...document.querySelectorAll('.slides>section')];const show=(h,v,f)=>{top.forEach((s,x)=>{s.classList.toggle('present',x===h);[...s.children].filter(c=>c.tagName==='SECTION').forEach((c,y)=>c.classList.toggle('present',x===h&&y===(v||0)))});const now=top[h].querySelector(':scope>section.present')||top[h];now.querySelectorAll('.fragment').forEach(e=>e.classList.toggle('visible',Number(e.dataset.fragmentIndex)<=f))};let h=0;show(0,0,-1);
         addEventListener('message',e=>{const m=JSON.parse(e.data);if(m.method==='slide')show(...m.args)});})()</script>",
    );
    assert_eq!(rule(&rendering), "reveal-bundled");
    assert_eq!(
        seen(&rendering),
        ["One Shown at last", "Two A", "Two B", "Three"]
    );
    assert_eq!(distinct(&rendering), 4);
}

#[test]
fn a_deck_stage_element_is_asked_to_go() {
    let rendering = draw(
        "<!doctype html><style>body{margin:0;background:#222}deck-stage{display:block;position:fixed;inset:0}deck-stage>section{position:absolute;left:0;top:0;width:1920px;height:1080px;background:#fff;font-size:90px;transform-origin:0 0}</style>
         <deck-stage><section>One</section><section>Two</section><section>Three</section></deck-stage>
         <script>customElements.define('deck-stage',class extends HTMLElement{connectedCallback(){setTimeout(()=>{this.goTo(0)});addEventListener('keydown',e=>{if(e.key==='ArrowRight')this.goTo(this.at+1);if(e.key==='ArrowLeft')this.goTo(this.at-1)})}goTo(n){this.at=Math.max(0,Math.min(this.children.length-1,n));const k=Math.min(innerWidth/1920,innerHeight/1080);[...this.children].forEach((c,i)=>{c.style.transform=`scale(${k})`;c.style.visibility=i===this.at?'visible':'hidden'})}})</script>",
    );
    assert_eq!(rule(&rendering), "deck-stage");
    assert_eq!(seen(&rendering), ["One", "Two", "Three"]);
    let html = rendering.facts.unwrap().document.html.unwrap();
    let keys = html.keyboard.unwrap();
    assert_eq!((keys.forward, keys.back), (vec![1, 2, 3], 2));
}

#[test]
fn claras_stage_is_walked_through_with_its_fragments() {
    let rendering = draw(
        "<!doctype html><style>body{margin:0}.deck-stage{position:relative;width:1280px;height:720px}.slide{position:absolute;inset:0;font-size:40px;opacity:0;visibility:hidden;transition:opacity .3s}.slide.is-active{opacity:1;visibility:visible}[data-fragment]{opacity:0}[data-fragment].is-shown{opacity:1}.deck-controls{position:fixed;right:10px;bottom:10px}</style>
         <main class=deck-stage data-clara-deck-mode=stage><section class='slide is-active' id=s-one>One</section><section class=slide id=s-two>Two<p data-fragment=1>first</p><p data-fragment=2>second</p></section><section class=slide id=s-three>Three</section></main><div class=deck-controls><button>Next</button></div><aside class=notes-panel hidden>Notes</aside>
         <script>const s=[...document.querySelectorAll('.slide')];let c=0;const go=n=>{c=Math.max(0,Math.min(s.length-1,n));s.forEach((e,k)=>e.classList.toggle('is-active',k===c));location.hash=s[c].id};addEventListener('keydown',e=>{if(e.key==='ArrowRight'){const f=s[c].querySelector('[data-fragment]:not(.is-shown)');if(f)f.classList.add('is-shown');else go(c+1)}if(e.key==='ArrowLeft')go(c-1);if(e.key==='Home')go(0)})</script>",
    );
    assert_eq!(rule(&rendering), "clara");
    assert_eq!(
        seen(&rendering),
        ["One", "Two first second", "Three"],
        "and no controls"
    );
}
