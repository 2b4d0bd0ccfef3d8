// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an auditor looks for: who drew the pictures, what they remarked, every hash, and last what
//! the figures do not say.

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_renderers::{Diagnostic, RendererIdentity};

use super::Report;
use super::page::{Page, grouped};
use super::pictures::is_unblinded;
use crate::experiment::records::{Artifact, RenderSet};
use crate::summary::{ArmFigures, CaseFigures};
use crate::verify::{TrialHistory, VerifyError};
use crate::words::counted;

/// Most diagnostics shown of one deck.
const MOST_DIAGNOSTICS: usize = 40;

/// What renderers remarked on the decks of one cell.
pub(super) fn diagnostics(
    page: &mut Page,
    report: &Report<'_>,
    (case, arm): (&CaseFigures, &ArmFigures),
) -> Result<(), VerifyError> {
    let history = &report.verified.history;
    page.raw("<h5>Renderer diagnostics</h5>\n");
    if let Some(baseline) = history.baselines.get(&(case.case.clone(), arm.arm.clone())) {
        remarks(page, report, "baseline", &baseline.render)?;
    }
    for trial in &arm.trials {
        let judged = history
            .trials
            .get(&trial.trial)
            .and_then(|one| one.judged.as_ref());
        if let Some(render) = judged.and_then(|judged| judged.render.as_ref()) {
            remarks(page, report, &format!("candidate {}", trial.trial), render)?;
        }
    }
    Ok(())
}

fn remarks(
    page: &mut Page,
    report: &Report<'_>,
    name: &str,
    render: &RenderSet,
) -> Result<(), VerifyError> {
    let bytes = report
        .verified
        .experiment
        .store()
        .get(&render.diagnostics.sha256)?;
    let file = format!("the diagnostics {}", render.diagnostics.sha256);
    let all: Vec<Diagnostic> = json::read(&file, &bytes)?;
    let drawn = format!(
        "{name}, drawn by {} {}",
        render.renderer.name, render.renderer.version
    );
    if all.is_empty() {
        page.tag("p class=\"quiet\"", format!("{drawn}: none"));
        return Ok(());
    }
    page.raw("<details><summary>")
        .text(format!("{drawn}: {}", counted(all.len(), "remark")));
    page.raw("</summary><ul>");
    for one in all.iter().take(MOST_DIAGNOSTICS) {
        let place = one
            .slide
            .map_or_else(|| "deck".to_owned(), |slide| format!("slide {slide}"));
        page.raw("<li>")
            .text(place)
            .raw(" <code>")
            .text(&one.code)
            .raw("</code> ");
        page.text(&one.message).raw("</li>");
    }
    if let Some(rest) = all
        .len()
        .checked_sub(MOST_DIAGNOSTICS)
        .filter(|rest| *rest > 0)
    {
        page.tag(
            "li class=\"quiet\"",
            format!(
                "and {rest} more in the object {}",
                render.diagnostics.sha256
            ),
        );
    }
    page.raw("</ul></details>\n");
    Ok(())
}

/// Who drew the pictures and who ran the agents.
pub(super) fn renderers(page: &mut Page, report: &Report<'_>) {
    let identities = &report.summary.identities;
    page.raw("<section id=\"renderers\"><h2>Renderers and programs</h2>\n");
    identities
        .renderers
        .iter()
        .for_each(|one| renderer(page, one));
    page.table(&["arm", "host", "version", "program"]);
    for program in &identities.programs {
        page.raw("<tr>")
            .tag("td", program.arm.as_str())
            .tag("td", &program.host);
        page.tag("td", program.version.as_deref().unwrap_or("not stated"));
        hash_or(page, program.sha256.as_ref(), "no file");
        page.raw("</tr>\n");
    }
    page.end_table().raw("</section>\n");
}

fn renderer(page: &mut Page, one: &RendererIdentity) {
    page.raw("<div class=\"renderer\"><h3>")
        .text(&one.name)
        .raw(" ");
    page.tag("small", &one.version).raw("</h3>\n");
    page.table(&["what", "sha256"]);
    for (name, hash) in [
        ("identity", &one.sha256()),
        ("executable", &one.executable_sha256),
        ("fonts", &one.fonts_sha256),
    ] {
        page.raw("<tr>").tag("td", name).raw("<td><code>");
        page.text(hash).raw("</code></td></tr>\n");
    }
    page.end_table();
    let promised = if one.deterministic {
        "It promises"
    } else {
        "It does not promise"
    };
    let said = format!(
        "{promised} the same bytes on every run. {}:",
        counted(one.flags.len(), "flag")
    );
    page.raw("<details><summary>")
        .text(said)
        .raw("</summary><p>");
    for flag in &one.flags {
        page.tag("code", flag).raw(" ");
    }
    page.raw("</p></details></div>\n");
}

fn hash_or(page: &mut Page, hash: Option<&Sha256Hex>, missing: &str) {
    match hash {
        Some(hash) => page.hash("td", hash),
        None => page.tag("td class=\"quiet\"", missing),
    };
}

/// Every hash that the verdict hangs on.
pub(super) fn trail(page: &mut Page, report: &Report<'_>) {
    page.raw("<section id=\"audit\"><h2>Audit trail</h2>\n");
    page.tag("p class=\"quiet\"", "Everything below was hashed again, and every picture decoded again, before this report was written.");
    heads(page, report);
    trials(page, report);
    baselines(page, report);
    packets(page, report);
    reviews(page, report);
    inputs(page, report);
    page.raw("</section>\n");
}

fn heads(page: &mut Page, report: &Report<'_>) {
    let (verified, summary) = (report.verified, report.summary);
    let (plan, history) = (&verified.experiment.plan, &verified.history);
    page.table(&["what", "sha256"]);
    let mut row = |what: String, hash: &Sha256Hex| {
        page.raw("<tr>")
            .tag("td", what)
            .hash("td", hash)
            .raw("</tr>\n");
    };
    let records = summary.journal.records;
    row(
        format!("last of {} of the journal", counted(records, "record")),
        &summary.journal.head,
    );
    row("suite.toml".to_owned(), &plan.suite_sha256);
    row("lock of the suite".to_owned(), &plan.lock_sha256);
    row("plan as prepared".to_owned(), &history.prepared.plan_sha256);
    if let Some(drawn) = &history.drawn {
        row("plan with the commitments".to_owned(), drawn);
    }
    for skill in &verified.experiment.lock.skills {
        row(
            format!("skill {} {}", skill.id, skill.version),
            &skill.tree_sha256,
        );
    }
    page.end_table();
    let version = format!("Prepared by deckproof {}.", summary.identities.deckproof);
    let counts = verified.counts;
    page.tag(
        "p class=\"quiet\"",
        format!(
            "{version} In the store: {}, of them {}.",
            counted(counts.objects, "object"),
            counted(counts.pictures, "picture")
        ),
    );
}

/// The hashes that would tell a reviewer which side is which.
fn side(
    page: &mut Page,
    unblinded: bool,
    artifact: Option<&Sha256Hex>,
    render: Option<&RenderSet>,
) {
    if !unblinded {
        page.raw(
            "<td class=\"quiet\" colspan=\"2\">held back until every required review is in</td>",
        );
        return;
    }
    hash_or(page, artifact, "no deck");
    hash_or(page, render.map(|render| &render.sha256), "no pictures");
}

fn trials(page: &mut Page, report: &Report<'_>) {
    page.raw("<h3>Trials</h3>\n");
    page.table(&[
        "trial",
        "task tree",
        "prompt",
        "event log",
        "deck",
        "pictures",
    ]);
    for planned in &report.verified.experiment.plan.trials {
        let history = report.verified.history.trials.get(&planned.id);
        let counted = history.and_then(TrialHistory::counted);
        page.raw("<tr>").tag("td", planned.id.to_string());
        page.hash("td", &planned.task_tree_sha256)
            .hash("td", &planned.prompt_sha256);
        hash_or(
            page,
            counted.map(|(_, ended, _)| &ended.run.events.sha256),
            "none",
        );
        let artifact = counted.and_then(|(_, ended, _)| match &ended.artifact {
            Artifact::Stored(artifact) => Some(&artifact.tree_sha256),
            Artifact::Missing | Artifact::Refused(_) => None,
        });
        let render = counted.and_then(|(_, _, judged)| judged.render.as_ref());
        side(
            page,
            is_unblinded(report, &planned.id.case, &planned.id.arm),
            artifact,
            render,
        );
        page.raw("</tr>\n");
    }
    page.end_table();
}

fn baselines(page: &mut Page, report: &Report<'_>) {
    page.raw("<h3>Baselines</h3>\n");
    page.table(&["case", "arm", "deck", "pictures"]);
    for ((case, arm), baseline) in &report.verified.history.baselines {
        page.raw("<tr>")
            .tag("td", case.as_str())
            .tag("td", arm.as_str());
        let artifact = Some(&baseline.artifact.tree_sha256);
        side(
            page,
            is_unblinded(report, case, arm),
            artifact,
            Some(&baseline.render),
        );
        page.raw("</tr>\n");
    }
    page.end_table();
}

fn packets(page: &mut Page, report: &Report<'_>) {
    let (plan, history) = (&report.verified.experiment.plan, &report.verified.history);
    page.raw("<h3>Packets</h3>\n");
    page.table(&["packet", "commitment", "packet.json", "candidate was"]);
    for commitment in &plan.commitments {
        page.raw("<tr><td><code>")
            .text(commitment.packet.as_str())
            .raw("</code></td>");
        page.hash("td", &commitment.commitment);
        hash_or(page, history.packets.get(&commitment.packet), "not written");
        let mut compared = report.summary.comparisons.iter();
        let compared = compared.find(|one| one.packet == commitment.packet);
        let shown = compared.filter(|one| is_unblinded(report, &one.trial.case, &one.trial.arm));
        let told = shown.and_then(|one| Some((one.candidate_label?, &one.trial)));
        let said = told.map_or_else(
            || "held back until every required review is in".to_owned(),
            |(label, trial)| format!("{label} of {trial}"),
        );
        page.tag("td", said).raw("</tr>\n");
    }
    page.end_table();
}

fn reviews(page: &mut Page, report: &Report<'_>) {
    page.raw("<h3>Reviews</h3>\n");
    page.table(&["review", "packet", "file"]);
    for review in &report.verified.history.reviews {
        page.raw("<tr><td><code>")
            .text(review.file.as_str())
            .raw("</code></td><td><code>");
        page.text(review.packet.as_str())
            .raw("</code></td>")
            .hash("td", &review.sha256);
        page.raw("</tr>\n");
    }
    page.end_table();
}

fn inputs(page: &mut Page, report: &Report<'_>) {
    let files = &report.verified.experiment.lock.files;
    page.raw("<details><summary>")
        .text(format!("{} sealed", counted(files.len(), "input file")));
    page.raw("</summary>\n")
        .table(&["file", "#bytes", "sha256"]);
    for file in files {
        page.raw("<tr>")
            .tag("td", file.path.as_str())
            .tag("td class=\"n\"", grouped(file.bytes));
        page.hash("td", &file.sha256).raw("</tr>\n");
    }
    page.end_table().raw("</details>\n");
}

/// The last words.
pub(super) fn limits(page: &mut Page, report: &Report<'_>) {
    page.raw("<section id=\"limits\"><h2>What these figures are not entitled to say</h2>\n<ul>");
    for limit in &report.summary.not_entitled_to_say {
        page.tag("li", limit);
    }
    page.raw("</ul></section>\n");
}
