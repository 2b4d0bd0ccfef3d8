// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decks of no framework, each of which wants to be led through in another way.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use common::html::{Folder, renderer, texts};
use deckproof_renderers::{RenderOptions, Renderer};

/// The texts that can be seen on each slide, joined.
fn seen(html: &str) -> Vec<String> {
    let deck = Folder::page(html);
    let options = RenderOptions {
        facts: true,
        ..RenderOptions::default()
    };
    let rendering = renderer().render(&deck.deck(), &options).unwrap();
    println!("{:?}", rendering.explanation);
    (1..=rendering.slide_count)
        .map(|slide| {
            let texts = texts(&rendering, slide);
            let visible: Vec<&str> = texts
                .iter()
                .filter(|(_, visible)| *visible)
                .map(|(text, _)| *text)
                .collect();
            visible.join(" ")
        })
        .collect()
}

#[test]
fn radio_buttons_and_no_script() {
    let page = "<!doctype html><style>body{margin:0;font-size:40px}input{position:absolute;opacity:0}.slide{display:none;height:100vh}#a:checked~.one,#b:checked~.two,#c:checked~.three{display:block}</style><input type=radio name=s id=a checked><input type=radio name=s id=b><input type=radio name=s id=c><section class='slide one'>One</section><section class='slide two'>Two</section><section class='slide three'>Three</section>";
    assert_eq!(seen(page), ["One", "Two", "Three"]);
}

#[test]
fn slides_side_by_side_in_a_scrolling_box() {
    let page = "<!doctype html><style>body{margin:0;font-size:40px}main{display:flex;overflow-x:scroll;scroll-snap-type:x mandatory;scroll-behavior:smooth}section{flex:0 0 100vw;height:100vh}</style><main><section>One</section><section>Two</section><section>Three</section></main>";
    assert_eq!(seen(page), ["One", "Two", "Three"]);
}

#[test]
fn an_address_for_each_slide_and_a_link_to_the_next() {
    let page = "<!doctype html><meta charset=utf-8><body style='font-size:40px'><main></main><script>const t=['One','Two','Three'];function show(){const n=Number(location.hash.slice(2)||0);document.querySelector('main').innerHTML=`<h1>${t[n]}</h1>`+(n<2?`<a href='#/${n+1}'>→</a>`:'')}onhashchange=show;show()</script>";
    assert_eq!(seen(page), ["One →", "Two →", "Three"]);
}

#[test]
fn only_a_transform_moves_and_only_the_active_slide_shows_its_content() {
    let page = "<!doctype html><style>body{margin:0;overflow:hidden;font-size:40px}.track{display:flex;width:300vw;transition:transform .5s}.slide{width:100vw;height:100vh}.slide p{opacity:0;transition:opacity .8s .3s}.slide.active p{opacity:1}</style><div class=track><div class='slide active'><p>One</p></div><div class=slide><p>Two</p></div><div class=slide><p>Three</p></div></div><script>let c=0;const s=[...document.querySelectorAll('.slide')];addEventListener('keydown',e=>{if(e.key==='ArrowRight')c=Math.min(2,c+1);if(e.key==='Home')c=0;document.querySelector('.track').style.transform=`translateX(${-100*c}vw)`;s.forEach((e,k)=>e.classList.toggle('active',k===c))})</script>";
    assert_eq!(seen(page), ["One", "Two", "Three"]);
}

#[test]
fn what_comes_into_view_appears_and_counts_up() {
    let page = "<!doctype html><style>body{margin:0;font-size:40px}section{height:100vh}p{opacity:0;transform:translateY(40px);transition:all .6s}.in p{opacity:1;transform:none}</style><section class=slide><p>One</p></section><section class=slide><p>Grew by <b id=n>0</b></p></section><script>new IntersectionObserver(l=>l.forEach(e=>{if(!e.isIntersecting)return;e.target.classList.add('in');if(e.target.querySelector('#n')){const t0=performance.now();(function f(t){const k=Math.min(1,(performance.now()-t0)/1500);n.textContent=Math.round(42*k);if(k<1)requestAnimationFrame(f)})()}}),{threshold:.5}).observe(document.querySelectorAll('section')[0]);const o=new IntersectionObserver(l=>l.forEach(e=>{if(e.isIntersecting&&!e.target.dataset.k){e.target.dataset.k=1;e.target.classList.add('in');const t0=performance.now();(function f(){const k=Math.min(1,(performance.now()-t0)/1500);n.textContent=Math.round(42*k);if(k<1)requestAnimationFrame(f)})()}}),{threshold:.5});o.observe(document.querySelectorAll('section')[1])</script>";
    assert_eq!(seen(page), ["One", "Grew by 42"]);
}

#[test]
fn a_scrolled_deck_that_marks_what_is_in_view() {
    let page = "<!doctype html><style>body{margin:0;font-size:40px}section{height:100vh}p{opacity:0;transition:opacity .4s}.active p{opacity:1}</style><section class='slide active'><p>One</p></section><section class=slide><p>Two</p></section><section class=slide><p>Three</p></section><script>const o=new IntersectionObserver(l=>l.forEach(e=>e.target.classList.toggle('active',e.isIntersecting)),{threshold:.6});document.querySelectorAll('section').forEach(s=>o.observe(s))</script>";
    assert_eq!(seen(page), ["One", "Two", "Three"]);
}
