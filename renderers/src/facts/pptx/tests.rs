// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is read from decks made part by part.

use super::testing::{Deck, colored, frame, p, pic, solid, sp, xfrm};
use crate::facts::{Crop, Rect, SlideFacts, TextOrigin};

fn px(x: i64, y: i64, width: i64, height: i64) -> Rect {
    Rect {
        x: x * 9525,
        y: y * 9525,
        width: width * 9525,
        height: height * 9525,
    }
}

/// Texts of the slide itself, without those of master and layout, with whether they are visible.
fn texts(facts: &SlideFacts) -> Vec<(&str, bool)> {
    let own = facts
        .texts
        .iter()
        .filter(|text| !text.element.contains(':'));
    own.map(|text| (text.text.as_str(), text.visible)).collect()
}

fn style<'a>(facts: &'a SlideFacts, key: &str, property: &str) -> Option<&'a str> {
    facts
        .elements
        .iter()
        .find(|element| element.key == key)?
        .style
        .get(property)
        .map(String::as_str)
}

#[test]
fn runs_breaks_and_fields_make_one_text() {
    let paragraphs = r#"<a:p><a:r><a:t>Reve</a:t></a:r><a:r><a:rPr b="1"/><a:t>nue</a:t></a:r><a:br/><a:r><a:t>−5 %</a:t></a:r></a:p>
        <a:p><a:fld id="x" type="slidenum"><a:t>99</a:t></a:fld></a:p>"#;
    let facts = Deck::of(&sp("A", "0,0,100,100", "", "", paragraphs));
    assert_eq!(
        texts(&facts),
        [("Revenue\n−5 %\n5", true)],
        "the number is the slide's, whatever the file says"
    );
}

#[test]
fn comments_and_other_prefixes_do_not_matter() {
    let shape = sp(
        "A",
        "0,0,100,100",
        "",
        "",
        "<a:p><!-- <a:r><a:t>no</a:t></a:r> --><a:r><a:t>a<!-- x -->b</a:t></a:r></a:p>",
    );
    let shape = shape.replace("a:t>", "q:t>").replace(
        "<q:t>",
        r#"<q:t xmlns:q="http://purl.oclc.org/ooxml/drawingml/main">"#,
    );
    assert_eq!(texts(&Deck::of(&shape)), [("ab", true)]);
}

#[test]
fn placeholders_take_box_and_style_from_layout_and_master() {
    let title = sp("T", "", r#"<p:ph type="title"/>"#, "", &p("Title"));
    let body = sp("B", "", r#"<p:ph idx="1"/>"#, "", &p("Body"));
    let facts = Deck::of(&(title + &body));
    let rects: Vec<Rect> = facts
        .texts
        .iter()
        .filter(|t| !t.element.contains(':'))
        .map(|t| t.rect)
        .collect();
    assert_eq!(rects, [px(10, 20, 400, 60), px(20, 200, 500, 300)]);
    assert_eq!(style(&facts, "0", "font-size"), Some("58.67px"));
    assert_eq!(style(&facts, "0", "font-family"), Some("Georgia"));
    assert_eq!(
        (style(&facts, "0", "align"), style(&facts, "0", "bold")),
        (Some("center"), Some("true"))
    );
    assert_eq!(
        (
            style(&facts, "0", "color"),
            style(&facts, "1", "font-family")
        ),
        (Some("#000000"), Some("Calibri"))
    );
}

#[test]
fn shapes_of_master_show_and_its_placeholders_do_not() {
    let facts = Deck::of("");
    assert_eq!(facts.texts.len(), 1);
    assert_eq!(
        (
            facts.texts[0].text.as_str(),
            facts.texts[0].element.as_str()
        ),
        ("ACME", "master:2")
    );
    let bare = Deck::new()
        .slide_with(r#"showMasterSp="0""#, "", "", &[])
        .facts();
    assert!(bare.slides[0].texts.is_empty());
}

#[test]
fn what_cannot_be_seen_is_not_visible() {
    let hidden = sp("hidden", "0,0,100,20", "", "", &p("hidden"));
    let off = sp("B", "1300,0,100,20", "", "", &p("off"));
    let flat = sp("C", "0,0,100,0", "", "", &p("flat"));
    let nowhere = sp("D", "", "", "", &p("nowhere"));
    let tiny = sp(
        "E",
        "0,0,100,20",
        "",
        "",
        r#"<a:p><a:r><a:rPr sz="100"/><a:t>tiny</a:t></a:r></a:p>"#,
    );
    let clear = colored("clear", "000000").replace(
        "/></a:solidFill>",
        r#"><a:alpha val="0"/></a:srgbClr></a:solidFill>"#,
    );
    let clear = sp("F", "0,0,100,20", "", "", &clear);
    let unfilled = sp(
        "G",
        "0,0,100,20",
        "",
        "",
        "<a:p><a:r><a:rPr><a:noFill/></a:rPr><a:t>unfilled</a:t></a:r></a:p>",
    );
    let white = sp("H", "0,100,100,20", "", "", &colored("white", "FFFFFF"));
    let facts = Deck::of(&[hidden, off, flat, nowhere, tiny, clear, unfilled, white].concat());
    assert_eq!(texts(&facts).len(), 8);
    assert!(
        texts(&facts).iter().all(|(_, visible)| !visible),
        "{:?}",
        texts(&facts)
    );
}

#[test]
fn white_text_on_something_dark_is_visible() {
    let own = sp(
        "A",
        "0,0,100,20",
        "",
        &solid("000000"),
        &colored("own", "FFFFFF"),
    );
    let panel = sp("B", "0,100,300,300", "", &solid("222222"), "");
    let over = sp("C", "10,110,100,20", "", "", &colored("over", "FFFFFF"));
    assert_eq!(
        texts(&Deck::of(&[own, panel, over].concat())),
        [("own", true), ("over", true)]
    );
    let dark = format!("<p:bg><p:bgPr>{}</p:bgPr></p:bg>", solid("000000"));
    let shapes = sp("D", "0,0,100,20", "", "", &(colored("white", "FFFFFF")))
        + &sp("E", "0,50,100,20", "", "", &p("black"));
    let facts = Deck::new().slide_with("", &dark, &shapes, &[]).facts();
    assert_eq!(texts(&facts.slides[0]), [("white", true), ("black", false)]);
    assert_eq!(style(&facts.slides[0], "", "fill"), Some("#000000"));
}

#[test]
fn an_opaque_box_drawn_later_hides_what_it_covers() {
    let text = sp("A", "10,10,100,20", "", "", &p("under"));
    let cover = sp("B", "0,0,200,200", "", &solid("FFFFFF"), "");
    assert_eq!(
        texts(&Deck::of(&(text.clone() + &cover))),
        [("under", false)]
    );
    assert_eq!(
        texts(&Deck::of(&(cover.clone() + &text))),
        [("under", true)]
    );
    let ellipse = cover.replace("</p:spPr>", r#"<a:prstGeom prst="ellipse"/></p:spPr>"#);
    assert_eq!(texts(&Deck::of(&(text + &ellipse))), [("under", true)]);
}

#[test]
fn groups_place_and_hide_what_is_in_them() {
    let group = |name: &str| {
        let hidden = if name == "hidden" {
            r#" hidden="1""#
        } else {
            ""
        };
        format!(
            r#"<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="{name}"{hidden}/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="952500"
            y="952500"/><a:ext cx="1905000" cy="1905000"/><a:chOff x="0" y="0"/><a:chExt cx="952500" cy="952500"/></a:xfrm>
            </p:grpSpPr>{}</p:grpSp>"#,
            sp("A", "10,10,50,20", "", "", &p(name))
        )
    };
    let facts = Deck::of(&(group("shown") + &group("hidden")));
    assert_eq!(texts(&facts), [("shown", true), ("hidden", false)]);
    let text = facts
        .texts
        .iter()
        .find(|text| text.text == "shown")
        .unwrap();
    assert_eq!(
        (text.rect, text.element.as_str()),
        (px(120, 120, 100, 40), "0/0")
    );
}

#[test]
fn tables_are_read_cell_by_cell() {
    let cell = |text: &str, attributes: &str| {
        format!(
            "<a:tc {attributes}><a:txBody>{}</a:txBody><a:tcPr/></a:tc>",
            p(text)
        )
    };
    let table = format!(
        r#"<a:tbl><a:tblGrid><a:gridCol w="952500"/><a:gridCol w="1905000"/></a:tblGrid><a:tr h="190500">{}{}</a:tr><a:tr h="0">{}{}
        </a:tr></a:tbl>"#,
        cell("wide", r#"gridSpan="2""#),
        cell("gone", r#"hMerge="1""#),
        cell("1,234", ""),
        cell("−5", "")
    );
    let facts = Deck::of(&frame("100,100,300,40", &table));
    assert_eq!(
        texts(&facts),
        [("wide", true), ("1,234", true), ("−5", true)]
    );
    let cells: Vec<_> = facts
        .texts
        .iter()
        .filter(|text| text.origin == TextOrigin::Cell)
        .map(|text| text.rect)
        .collect();
    assert_eq!(cells[0], px(100, 100, 300, 20));
    assert_eq!(
        (cells[2].x, cells[2].y, cells[2].width),
        (200 * 9525, 120 * 9525, 200 * 9525)
    );
    let cell = facts
        .elements
        .iter()
        .find(|element| element.key == "0/row 2 column 2")
        .unwrap();
    assert_eq!(
        (cell.kind.as_str(), cell.text.as_str(), cell.rect),
        ("cell", "−5", cells[2])
    );
}

const CHART: &str = r#"<c:chartSpace NS><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>
    <c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx>
    <c:spPr><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></c:spPr><c:dLbls><c:showVal/></c:dLbls>
    <c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache></c:strRef></c:cat>
    <c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>5</c:v></c:pt><c:pt idx="1"><c:v>5</c:v></c:pt></c:numCache></c:numRef></c:val>
    </c:ser></c:barChart><c:catAx><c:delete val="0"/></c:catAx><c:valAx><c:delete val="1"/></c:valAx></c:plotArea></c:chart>
    </c:chartSpace>"#;

fn chart(text: &str) -> SlideFacts {
    let shapes = frame("0,0,400,300", r#"<c:chart r:id="c"/>"#);
    Deck::new()
        .slide(&shapes, &[("c", "chart", "../charts/c.xml")])
        .with("ppt/charts/c.xml", text)
        .facts()
        .slides
        .remove(0)
}

#[test]
fn charts_give_titles_and_data() {
    let facts = chart(CHART);
    let expected = [
        ("Sales", true),
        ("North", false),
        ("Q1", true),
        ("Q2", true),
        ("5", true),
        ("5", true),
    ];
    assert_eq!(
        texts(&facts),
        expected,
        "without a legend the series name is not printed"
    );
    assert_eq!(style(&facts, "0", "chart-type"), Some("barChart"));
    assert_eq!(style(&facts, "0", "series 1 fill"), Some("#336699"));
}

#[test]
fn a_chart_of_other_data_has_the_same_style_and_other_colours_do_not() {
    let (before, data) = (chart(CHART), chart(&CHART.replace(">5<", ">7<")));
    assert_eq!(
        style(&before, "0", "chart-style"),
        style(&data, "0", "chart-style")
    );
    assert_ne!(texts(&before), texts(&data));
    let color = chart(&CHART.replace("accent1", "tx1"));
    assert_ne!(
        style(&before, "0", "chart-style"),
        style(&color, "0", "chart-style")
    );
    assert_eq!(style(&color, "0", "series 1 fill"), Some("#000000"));
}

#[test]
fn diagrams_give_the_texts_of_their_nodes() {
    let data = r#"<dgm:dataModel NS><dgm:ptLst><dgm:pt type="doc"><dgm:t><a:p/></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>One</a:t>
        </a:r></a:p></dgm:t></dgm:pt><dgm:pt type="pres"><dgm:t><a:p><a:r><a:t>no</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>
        </dgm:dataModel>"#;
    let shapes = frame("0,0,400,300", r#"<dgm:relIds r:dm="d"/>"#);
    let deck = Deck::new()
        .slide(&shapes, &[("d", "diagramData", "../diagrams/d.xml")])
        .with("ppt/diagrams/d.xml", data);
    let facts = deck.facts();
    assert_eq!(texts(&facts.slides[0]), [("One", true)]);
    assert_eq!(facts.slides[0].elements.last().unwrap().kind, "diagram");
}

#[test]
fn pictures_have_hash_box_crop_and_visibility() {
    let crop = r#"<a:srcRect l="10000" b="-500"/>"#;
    let shapes = [
        pic("100,100,200,100", "i", crop),
        pic("1300,0,200,100", "i", ""),
        pic("0,0,10,10", "i", r#"<a:srcRect l="60000" r="40000"/>"#),
        pic("0,0,200,100", "x", ""),
        pic("0,0,200,100", "none", ""),
        sp(
            "Filled",
            "0,300,50,50",
            "",
            r#"<a:blipFill><a:blip r:embed="i"/></a:blipFill>"#,
            "",
        ),
    ];
    let links = [
        ("i", "image", "../media/my%20image.bin"),
        ("x", "image", "http://example.org/a.png"),
    ];
    let facts = Deck::new()
        .slide(&shapes.concat(), &links)
        .with("ppt/media/my image.bin", b"\xFFpicture")
        .facts();
    let images = &facts.slides[0].images;
    let hash = crate::sha256_hex(b"\xFFpicture");
    assert_eq!(
        (
            images[0].sha256.as_deref(),
            images[0].rect,
            images[0].visible
        ),
        (Some(hash.as_str()), px(100, 100, 200, 100), true)
    );
    assert_eq!(
        images[0].crop,
        Crop {
            left: 10_000,
            top: 0,
            right: 0,
            bottom: -500
        }
    );
    let visible: Vec<bool> = images.iter().map(|image| image.visible).collect();
    assert_eq!(visible, [true, false, false, false, false, true]);
    assert_eq!(
        (images[3].sha256.as_deref(), images[3].source.as_str()),
        (None, "http://example.org/a.png")
    );
}

#[test]
fn a_background_picture_is_an_image_of_the_slide() {
    let background =
        r#"<p:bg><p:bgPr><a:blipFill><a:blip r:embed="i"/></a:blipFill></p:bgPr></p:bg>"#;
    let deck = Deck::new().slide_with("", background, "", &[("i", "image", "../media/a.bin")]);
    let facts = deck.with("ppt/media/a.bin", b"\xFFx").facts();
    assert_eq!(facts.slides[0].images[0].rect, px(0, 0, 1280, 720));
    assert_eq!(facts.slides[0].images[0].element, "");
}

#[test]
fn notes_and_hidden_slides_stand_apart() {
    let notes = format!(
        "<p:notes NS><p:cSld><p:spTree>{}{}</p:spTree></p:cSld></p:notes>",
        sp("Image", "", r#"<p:ph type="sldImg"/>"#, "", &p("no")),
        sp(
            "N",
            "",
            r#"<p:ph type="body" idx="1"/>"#,
            "",
            &p("Say this.")
        )
    );
    let deck = Deck::new().slide_with(
        r#"show="0""#,
        "",
        "",
        &[("n", "notesSlide", "../notesSlides/n.xml")],
    );
    let facts = deck.with("ppt/notesSlides/n.xml", notes).facts();
    assert_eq!(facts.slides[0].notes.as_deref(), Some("Say this."));
    assert!(facts.slides[0].hidden && texts(&facts.slides[0]).is_empty());
}

#[test]
fn how_runs_are_cut_and_marked_makes_no_difference() {
    let one = sp("A", "0,0,100,20", "", "", &colored("Revenue", "336699"));
    let two = one.replace("Reve", r#"Reve</a:t></a:r><a:r><a:rPr err="1"><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></a:rPr><a:t>"#);
    let (one, two) = (Deck::of(&one), Deck::of(&two));
    assert_eq!(texts(&one), texts(&two));
    assert_eq!(
        one.elements, two.elements,
        "the theme's colour and the same colour written out are one"
    );
}

#[test]
fn each_change_of_style_is_a_named_difference() {
    let base = sp(
        "A",
        "0,0,100,20",
        "",
        &solid("111111"),
        &colored("x", "EEEEEE"),
    );
    let before = Deck::of(&base);
    for (from, to, property) in [
        ("111111", "222222", "fill"),
        ("EEEEEE", "FFFFFF", "color"),
        ("<a:rPr ", r#"<a:rPr sz="1000" "#, "font-size"),
        ("<a:rPr ", r#"<a:rPr b="1" "#, "bold"),
        ("<a:rPr ", r#"<a:rPr i="1" "#, "italic"),
        ("<a:rPr ", r#"<a:rPr u="sng" "#, "run-style"),
        (
            "</a:rPr>",
            r#"<a:latin typeface="Arial"/></a:rPr>"#,
            "font-family",
        ),
        ("<a:p>", r#"<a:p><a:pPr algn="r"/>"#, "align"),
        ("<a:p>", r#"<a:p><a:pPr lvl="1"/>"#, "paragraph-style"),
        ("<a:bodyPr/>", r#"<a:bodyPr anchor="ctr"/>"#, "text-box"),
        ("</p:spPr>", r#"<a:ln w="9525"/></p:spPr>"#, "line"),
        (
            "</p:spPr>",
            r#"<a:prstGeom prst="ellipse"/></p:spPr>"#,
            "geometry",
        ),
        (
            "</p:spPr>",
            r#"<a:effectLst><a:glow rad="1"/></a:effectLst></p:spPr>"#,
            "effects",
        ),
        ("<a:xfrm>", r#"<a:xfrm rot="60000">"#, "rotation"),
        ("<a:xfrm>", r#"<a:xfrm flipH="1">"#, "flip"),
    ] {
        assert!(base.contains(from), "{from}");
        let after = Deck::of(&base.replace(from, to));
        let (before, after) = (
            &before.elements.last().unwrap().style,
            &after.elements.last().unwrap().style,
        );
        let names: std::collections::BTreeSet<&String> =
            before.keys().chain(after.keys()).collect();
        let changed: Vec<&str> = names
            .into_iter()
            .filter(|n| before.get(*n) != after.get(*n))
            .map(String::as_str)
            .collect();
        assert_eq!(changed, [property], "{to}");
    }
}

#[test]
fn alternatives_are_read_once() {
    let choice = sp("A", "0,0,100,20", "", "", &p("choice"));
    let fallback = sp("B", "0,0,100,20", "", "", &p("fallback"));
    let known = format!(
        r#"<mc:AlternateContent><mc:Choice Requires="p">{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"#
    );
    assert_eq!(texts(&Deck::of(&known)), [("choice", true)]);
    let ink = format!(
        r#"<mc:AlternateContent><mc:Choice Requires="p"><p:contentPart/></mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"#
    );
    assert_eq!(texts(&Deck::of(&ink)), [("fallback", true)]);
}

#[test]
fn too_many_elements_are_refused() {
    let shape = format!(
        "<p:cxnSp><p:spPr>{}</p:spPr></p:cxnSp>",
        xfrm("0,0,1,1", "a:xfrm")
    );
    let package = Deck::new()
        .slide(&shape.repeat(super::MAX_ELEMENTS + 2), &[])
        .package();
    let error = super::read(&package).unwrap_err().to_string();
    assert!(
        error.contains("slide 1: more than 20000 elements"),
        "{error}"
    );
}

#[test]
fn problems_of_the_package_are_reported() {
    let facts = Deck::new()
        .slide("", &[("i", "image", "../media/absent.png")])
        .facts();
    let problems = facts.document.pptx.unwrap().problems;
    assert!(
        problems.len() == 1 && problems[0].contains("absent.png"),
        "{problems:?}"
    );
}

#[test]
fn paragraphs_that_differ_have_their_own_properties() {
    let two = colored("label", "111111") + "<a:p/>" + &colored("value", "B3261E");
    let facts = Deck::of(&sp("A", "0,0,100,100", "", "", &two));
    assert_eq!(style(&facts, "0", "color"), Some("#111111 | #B3261E"));
    assert_eq!(style(&facts, "0", "paragraph 2 color"), Some("#B3261E"));
    assert_eq!(
        style(&facts, "0", "paragraph 1 font-size"),
        None,
        "all have one size"
    );
}

#[test]
fn what_a_program_fills_in_is_a_field_wherever_it_stands() {
    let number = r#"<a:p><a:fld id="x" type="slidenum"><a:t>9</a:t></a:fld></a:p>"#;
    let footer = sp(
        "F",
        "0,0,100,20",
        r#"<p:ph type="ftr" idx="9"/>"#,
        "",
        &p("Footer"),
    );
    let boxes = [
        sp("A", "0,50,100,20", "", "", number),
        footer,
        sp("B", "0,99,100,20", "", "", &p("9")),
    ]
    .concat();
    let facts = Deck::of(&boxes);
    let own = facts
        .texts
        .iter()
        .filter(|text| !text.element.contains(':'));
    let origins: Vec<_> = own.map(|text| (text.text.as_str(), text.origin)).collect();
    assert_eq!(
        origins,
        [
            ("5", TextOrigin::Field),
            ("Footer", TextOrigin::Field),
            ("9", TextOrigin::Block)
        ]
    );
}
