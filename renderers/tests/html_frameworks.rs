// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frameworks of which there is no deck at hand: pages of our own that behave as theirs do.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use common::html::{Folder, colour_at, distinct, renderer, texts};
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
fn slides_beside_each_other_in_a_full_page_section_are_slides() {
    let rendering = draw(
        "<!doctype html><style>body{margin:0;overflow:hidden;font-size:90px}.fp-section{height:720px;position:relative;overflow:hidden}.fp-slide{position:absolute;inset:0;background:#fed;visibility:hidden}.fp-slide.active{visibility:visible}#fp-nav{position:fixed;right:0;top:0;width:80px;height:80px;background:#f00}</style>
         <div id=all><div class=fp-section>One</div><div class=fp-section><div class=fp-slide>Two A</div><div class=fp-slide>Two B</div></div><div class=fp-section>Three</div></div><div id=fp-nav></div>
         <script>(()=>{const all=document.getElementById('all'),sections=[...all.children];let speed=700;const one=(list,i)=>list.forEach((e,k)=>e.classList.toggle('active',k===i));
         const move=(section,slide)=>{all.style.transition=`transform ${speed}ms`;all.style.transform=`translate3d(0,${-720*(section-1)}px,0)`;one(sections,section-1);one([...sections[section-1].querySelectorAll('.fp-slide')],slide||0)};
         window.fullpage_api={moveTo:move,setScrollingSpeed(n){speed=n}};move(1,0)})()</script>",
    );
    assert_eq!(rule(&rendering), "fullpage");
    assert_eq!(seen(&rendering), ["One", "Two A", "Two B", "Three"]);
    assert_eq!(distinct(&rendering), 4);
    assert_eq!(
        colour_at(&rendering.slides[0], 1250, 40),
        [255; 3],
        "no chrome"
    );
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

#[test]
fn reveal_shows_what_it_does_not_number_and_leaves_its_scroll_view() {
    let rendering = draw(
        "<!doctype html><style>body{margin:0;font-size:40px}section{display:none}section.present{display:block}.scroll section{display:block}</style>
         <div class=reveal><div class=slides><section>One</section><section data-visibility=uncounted>Spare</section><section>Two</section></div></div>
         <script>const all=()=>[...document.querySelectorAll('.slides section')];let scroll=true;document.body.className='scroll';all()[0].parentNode.prepend(all()[0].cloneNode(true));
         window.Reveal={getSlides:()=>all().filter(e=>!e.dataset.visibility),getIndices:s=>({h:all().indexOf(s),v:0}),configure(){},isScrollView:()=>scroll,toggleScrollView(on){scroll=on;document.body.className='';all()[0].remove()},slide(h){all().forEach((e,i)=>e.classList.toggle('present',i===h))},getCurrentSlide:()=>all().find(e=>e.classList.contains('present'))};</script>",
    );
    assert_eq!(rule(&rendering), "reveal");
    assert_eq!(seen(&rendering), ["One", "Spare", "Two"]);
}

const TOGGLE: &str = "<style>body{margin:0}section{position:absolute;inset:0;display:none;font-size:40px}section.on{display:block}</style>";

#[test]
fn a_start_page_is_no_slide() {
    let rendering = draw(&format!(
        "<!doctype html>{TOGGLE}<div id=start style='position:fixed;inset:0;z-index:2;background:#222;color:#fff'>Press a key</div><section class=slide>One</section><section class=slide>Two</section>
         <script>let c=-1;const s=[...document.querySelectorAll('section')];addEventListener('keydown',e=>{{if(e.key!=='ArrowRight')return;start.style.display='none';c=Math.min(1,c+1);s.forEach((x,i)=>x.classList.toggle('on',i===c))}})</script>"
    ));
    assert_eq!(seen(&rendering), ["One", "Two"]);
}

#[test]
fn slides_in_a_shadow_tree_are_slides() {
    let rendering = draw(
        "<!doctype html><body style='margin:0'><a-deck></a-deck><script>customElements.define('a-deck',class extends HTMLElement{connectedCallback(){const r=this.attachShadow({mode:'open'});r.innerHTML='<style>section{position:fixed;inset:0;display:none;font-size:40px}section.on{display:block}</style><section class=on>One</section><section>Two</section><section>Three</section>';const s=[...r.querySelectorAll('section')];let c=0;addEventListener('keydown',e=>{if(e.key==='ArrowRight'&&c<2)s.forEach((x,i)=>x.classList.toggle('on',i===c+1)),c++})}})</script>",
    );
    assert_eq!(rule(&rendering), "toggle");
    assert_eq!(seen(&rendering), ["One", "Two", "Three"]);
}

#[test]
fn a_stage_of_another_shape_is_shown_whole() {
    let slide = |text: &str| format!("<div class=slide><b>{text}</b><i></i></div>");
    for (hidden, script) in [
        ("block", ""),
        (
            "none",
            "<script>const s=[...document.querySelectorAll('.slide')];let c=0;const go=n=>{c=n;s.forEach((e,i)=>e.style.display=i===c?'block':'none')};go(0);addEventListener('keydown',e=>{if(e.key==='ArrowRight'&&c<1)go(c+1)})</script>",
        ),
    ] {
        let rendering = draw(&format!(
            "<!doctype html><style>body{{margin:0;background:#222}}.slide{{position:relative;width:1024px;height:768px;margin:0 auto;background:#fff;display:{hidden}}}i{{position:absolute;left:0;right:0;bottom:0;height:30px;background:#f00}}</style>{}{}{script}",
            slide("One"),
            slide("Two")
        ));
        assert_eq!(rendering.slide_count, 2);
        for picture in &rendering.slides {
            assert_eq!(colour_at(picture, 640, 715), [255, 0, 0], "its foot shows");
            assert_eq!(colour_at(picture, 640, 3), [255; 3], "and its head");
        }
    }
}

/// A deck whose entry is one page and whose slides are in a folder beside it.
fn in_a_folder(entry: &str) -> Rendering {
    let deck = Folder::page(entry);
    fs_err::create_dir(deck.deck().root.join("slides")).unwrap();
    for number in 1..=3 {
        let page = format!("<!doctype html><p style='font-size:60px'>Page {number}</p>");
        deck.file(&format!("slides/{number}.html"), &page);
    }
    let options = RenderOptions {
        facts: true,
        ..RenderOptions::default()
    };
    renderer().render(&deck.deck(), &options).unwrap()
}

#[test]
fn pages_in_a_folder_are_slides_however_the_entry_leads_to_them() {
    let pages = ["Page 1", "Page 2", "Page 3"];
    let links = "<!doctype html><a href=slides/1.html>One</a> <a href=slides/2.html>Two</a>";
    assert_eq!(seen(&in_a_folder(links)), pages);
    let led_on = "<!doctype html><meta http-equiv=refresh content='0;url=slides/1.html'>";
    assert_eq!(seen(&in_a_folder(led_on)), pages);
    let framed = in_a_folder(
        "<!doctype html><style>body{margin:0}iframe{width:100vw;height:100vh;border:0}</style><iframe id=f src=slides/1.html></iframe><script>let c=1;addEventListener('keydown',e=>{if(e.key==='ArrowRight'&&c<3)f.src=`slides/${++c}.html`})</script>",
    );
    assert_eq!((framed.slide_count, distinct(&framed)), (3, 3));
    assert!(framed.explanation.len() == 1, "{:?}", framed.explanation);
}

#[test]
fn an_entry_leads_on_once_to_each_page_and_never_in_a_circle() {
    let deck = Folder::page("<!doctype html><script>location.href='other.html'</script>");
    deck.file("other.html", "<!doctype html><p style='font-size:60px'>Other</p><script>location.href='index.html'</script>");
    let rendering = renderer()
        .render(&deck.deck(), &RenderOptions::default())
        .unwrap();
    assert_eq!(rendering.slide_count, 1);
    let blocked: Vec<&str> = rendering
        .diagnostics
        .iter()
        .filter(|remark| remark.code == "blocked-request")
        .map(|remark| remark.message.as_str())
        .collect();
    assert_eq!(blocked, ["https://deck.test/index.html (leaving the page)"]);
}
