#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The usual way to judge a pair of seed records: one Python process, `json`, and plain checks.

A stand-in to measure against, written for this benchmark from the rules alone. It validates what the
rules ask, unblinds the reviews, and prints the summary, the same bytes as Deckproof's; it is as quick
as straightforward Python is, with no check that the rules do not ask for.

usage: reference_way.py SUITE.json RUNS.json     the summary on stdout, seconds of processor time on stderr
"""
import hashlib
import json
import sys
import time
from datetime import datetime
from pathlib import PurePosixPath

FORMATS = ("HTML", "PPTX")
HEX = set("0123456789abcdef")


def must(holds, what):
    if not holds:
        raise ValueError(what)


def text(value, what):
    must(isinstance(value, str) and value.strip(), what)
    return value.strip()


def digest(value, what):
    value = text(value, what).lower()
    must(len(value) == 64 and set(value) <= HEX, what)
    return value


def count(value, what, least=1):
    must(isinstance(value, int) and not isinstance(value, bool) and value >= least, what)
    return value


def number(value, what):
    must(not isinstance(value, bool), what)
    value = float(value)
    must(value == value and abs(value) != float("inf"), what)
    return value


def unique(values, what, least=1):
    must(isinstance(values, list), what)
    names = [text(value, what) for value in values]
    must(len(names) >= least and len(set(names)) == len(names), what)
    return names


def lines_hash(lines):
    return hashlib.sha256("".join(f"{name}\0{sha}\n" for name, sha in lines).encode()).hexdigest()


def cell(item):
    return text(item["case_id"], "case_id"), text(item["format"], "format").upper()


def manifest(value, what, least):
    must(value["algorithm"] == "sha256", what)
    files = {}
    for item in value["files"]:
        path = text(item["path"], what)
        if least:
            must(not path.startswith("/") and ".." not in PurePosixPath(path).parts, what)
        must(path not in files, what)
        files[path] = digest(item["sha256"], what)
    must(len(files) >= least, what)
    must(digest(value["manifest_sha256"], what) == lines_hash(sorted(files.items())), what)
    return value["manifest_sha256"]


def identities(value):
    must(set(value) == {"clara", "presentations"}, "identity")
    wanted = {
        "clara": ("skill_sha256", "plugin_manifest_sha256", "runtime_tree_sha256"),
        "presentations": ("skill_sha256", "skill_tree_sha256"),
    }
    read = {}
    for name, keys in wanted.items():
        read[name] = {"version": text(value[name]["version"], "version")}
        read[name].update({key: digest(value[name][key], key) for key in keys})
    return read


def read_suite(suite):
    must(suite["schema_version"] == "clara.html_deck_benchmark_suite.v1", "schema")
    text(suite["suite_id"], "suite_id")
    must(suite["baseline_limitations"]["raw_prior_jsonl_available"] is False, "limitations")
    must(suite["controls"] and all(v is True for v in suite["controls"].values()), "controls")
    gates = set(unique(suite["mechanical_gates"], "gates"))
    judging = suite["semantic_judgement"]
    unique(judging["dimensions"], "dimensions")
    required = set(unique(judging["required_reviewer_types"], "types"))
    optional = set(unique(judging["optional_reviewer_types"], "types", 0))
    must(required | optional <= {"human", "model"} and not required & optional, "types")
    must(number(judging["score_min"], "scale") < number(judging["score_max"], "scale"), "scale")
    cases = {}
    for case in suite["cases"]:
        name = text(case["id"], "id")
        must(name not in cases and case["mode"] in ("create", "revise"), "case")
        for key in ("fixture_subdirectory", "instruction_file", "spec_file"):
            text(case[key], key)
        source = manifest(case["source_manifest"], "source", 1)
        evidence = manifest(case["baseline_evidence"], "evidence", 0)
        formats = [text(one, "format").upper() for one in case["required_formats"]]
        must(sorted(formats) == list(FORMATS), "formats")
        must(set(case["required_checks_by_format"]) == set(FORMATS), "checks")
        checks = {f: unique(case["required_checks_by_format"][f], "checks") for f in FORMATS}
        must(all(set(names) <= gates for names in checks.values()), "checks")
        cases[name] = {"mode": case["mode"], "source": source, "evidence": evidence, "checks": checks}
    recorded = suite["recorded_baseline"]
    text(recorded["model"], "model")
    text(recorded["reasoning_effort"], "effort")
    baseline = {}
    for run in recorded["runs"]:
        must(cell(run) not in baseline, "baseline")
        baseline[cell(run)] = run
        for key in ("duration_ms", "total_tokens", "tool_calls"):
            count(run[key], key)
        digest(run["artifact_sha256"], "artifact")
        digest(run["render_set_sha256"], "render set")
        must(run["artifact_validation"] == "pass", "validation")
    must(set(baseline) == {(c, f) for c in cases for f in FORMATS}, "baseline matrix")
    targets = suite["candidate_targets"]
    must(targets["quality_regression_allowed"] is False, "targets")
    must(0 <= number(targets["minimum_html_median_improvement_percent"], "targets") <= 100, "targets")
    limits = targets["format_ratio_limits_by_mode"]
    must(set(limits) == {case["mode"] for case in cases.values()}, "limits")
    for limit in limits.values():
        must(number(limit["total_tokens_max"], "limit") > 0 and number(limit["duration_max"], "limit") > 0, "limit")
    return cases, baseline


def read_evidence(suite, cases, evidence):
    must(evidence["producer"] == "run_clara_deck_benchmark.py", "producer")
    canonical = json.dumps(suite, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    must(evidence["suite_fingerprint_sha256"] == hashlib.sha256(canonical.encode()).hexdigest(), "fingerprint")
    text(evidence["codex_cli_version"], "version")
    identity = identities(evidence["candidate_skill_identity"])
    must(identity == identities(suite["candidate_skill_identity"]), "identity")
    paths = evidence["candidate_skill_paths"]
    must(PurePosixPath(paths["clara_root"]).name == identity["clara"]["version"], "path")
    must(identity["presentations"]["version"] in PurePosixPath(paths["presentations_root"]).parts, "path")
    must(evidence["baseline_evidence_manifests"] == {c: case["evidence"] for c, case in cases.items()}, "evidence")
    mappings = {}
    for mapping in evidence["review_packet_mappings"]:
        must(cell(mapping) not in mappings, "mapping")
        mappings[cell(mapping)] = mapping
        must({mapping["candidate_label"], mapping["baseline_label"]} == {"A", "B"}, "labels")
        text(mapping["packet_id"], "packet")
        for key in ("prompt", "source_requirements", "candidate_render_set", "baseline_render_set"):
            digest(mapping[key + "_sha256"], key)
    return identity, mappings


def moment(value):
    found = datetime.fromisoformat(text(value, "time").replace("Z", "+00:00"))
    must(found.tzinfo is not None, "time")
    return found


def read_run(run, case, form, identity):
    for key in ("duration_ms", "total_tokens", "input_tokens", "output_tokens", "tool_calls"):
        count(run[key], key)
    cached = count(run["cached_input_tokens"], "cached", 0)
    must(run["total_tokens"] == run["input_tokens"] + run["output_tokens"], "total")
    must(cached <= run["input_tokens"], "cached")
    must(run["noncached_input_plus_output_tokens"] == run["input_tokens"] - cached + run["output_tokens"], "noncached")
    count(run["process_exit_code"], "exit", -(1 << 31))
    who = run["execution_identity"]
    text(who["model"], "model")
    text(who["reasoning_effort"], "effort")
    must(who["enforced_by"] == "codex_cli_explicit_override", "identity")
    must(who["skill_identity"] == identity["clara" if form == "HTML" else "presentations"], "identity")
    protocol = run["protocol"]
    must(protocol["ephemeral"] is True, "ephemeral")
    for key in ("isolated_workdir", "output_root", "thread_id"):
        text(protocol[key], key)
    for key in ("prompt", "normalized_prompt", "source_manifest", "sealed_task_manifest", "event_log"):
        digest(protocol[key + "_sha256"], key)
    must(protocol["sealed_task_verified_before_after"] is True, "sealed")
    must(protocol["source_manifest_verified"] is True, "source")
    must(protocol["read_audit"] in ("pass", "fail"), "audit")
    span = moment(protocol["started_at"]), moment(protocol["completed_at"])
    must(span[0] < span[1], "time")
    must(protocol["source_manifest_sha256"] == case["source"], "source")
    artifact = run["artifact"]
    text(artifact["path"], "path")
    digest(artifact["sha256"], "artifact")
    count(artifact["bytes"], "bytes")
    lines = []
    for at, slide in enumerate(artifact["rendered_slides"], 1):
        text(slide["path"], "path")
        text(slide["renderer"], "renderer")
        for key in ("bytes", "width", "height"):
            count(slide[key], key)
        lines.append((at, digest(slide["sha256"], "slide")))
    must(digest(artifact["render_set_sha256"], "render set") == lines_hash(lines), "render set")
    must(set(run["checks"]) == set(case["checks"][form]), "checks")
    must(all(isinstance(value, bool) for value in run["checks"].values()), "checks")
    return span


def controls(suite, cases, runs, spans):
    protocol = {key: run["protocol"] for key, run in runs.items()}
    recorded = suite["recorded_baseline"]
    same = (recorded["model"], recorded["reasoning_effort"])
    pairs = [((c, "HTML"), (c, "PPTX")) for c in cases]
    inside = all(
        PurePosixPath(p["output_root"]).is_relative_to(PurePosixPath(p["isolated_workdir"])) for p in protocol.values()
    )
    return {
        "fresh_ephemeral_runs": inside
        and len({p["isolated_workdir"] for p in protocol.values()}) == len(runs)
        and len({p["thread_id"] for p in protocol.values()}) == len(runs),
        "same_model_and_reasoning_effort": all(
            (r["execution_identity"]["model"], r["execution_identity"]["reasoning_effort"]) == same for r in runs.values()
        ),
        "concurrent_format_runs": all(spans[h][0] < spans[p][1] and spans[p][0] < spans[h][1] for h, p in pairs),
        "prompts_differ_only_by_target_format": all(
            protocol[h]["normalized_prompt_sha256"] == protocol[p]["normalized_prompt_sha256"]
            and protocol[h]["prompt_sha256"] != protocol[p]["prompt_sha256"]
            for h, p in pairs
        ),
        "no_prior_run_or_opposite_format_reads": all(p["read_audit"] == "pass" for p in protocol.values()),
        "same_source_package": True,
        "sealed_inputs_immutable": True,
    }


def judge_reviews(suite, baseline, runs, mappings, reviews):
    rules = suite["semantic_judgement"]
    names, low, high = set(rules["dimensions"]), float(rules["score_min"]), float(rules["score_max"])
    allowed = rules["required_reviewer_types"] + rules["optional_reviewer_types"]
    builders = {run["protocol"]["thread_id"] for run in runs.values()}
    threads, seen, failures = set(), set(), []
    for review in reviews:
        must("dimensions" not in review and "overall_non_regression" not in review, "unblinded")
        key = cell(review)
        run, mapping, old, reviewer = runs[key], mappings[key], baseline[key], review["reviewer"]
        kind = text(reviewer["type"], "type")
        must(kind in allowed, "type")
        text(reviewer["id"], "id")
        thread = text(reviewer["thread_id"], "thread")
        must(thread not in builders, "thread")
        if kind == "model":
            text(reviewer["model"], "model")
            must(thread not in threads, "thread")
            threads.add(thread)
        else:
            must(reviewer.get("model") in (None, ""), "model")
        must((key, kind) not in seen, "twice")
        seen.add((key, kind))
        must(review["review_packet_id"] == mapping["packet_id"], "packet")
        must(review["review_prompt_sha256"] == mapping["prompt_sha256"], "prompt")
        must(review["source_requirements_sha256"] == mapping["source_requirements_sha256"], "requirements")
        must(review["candidate_artifact_sha256"] == run["artifact"]["sha256"], "artifact")
        must(review["baseline_artifact_sha256"] == old["artifact_sha256"], "artifact")
        must(review["candidate_render_set_sha256"] == mapping["candidate_render_set_sha256"], "render set")
        must(review["baseline_render_set_sha256"] == mapping["baseline_render_set_sha256"], "render set")
        labels = review["scores_by_label"]
        must(set(labels) == {"A", "B"}, "labels")
        for scores in labels.values():
            must(set(scores) == names, "dimensions")
            for judgement in scores.values():
                must(low <= number(judgement["score"], "score") <= high, "score")
                must(isinstance(judgement["pass"], bool), "pass")
                text(judgement["rationale"], "rationale")
        text(review["overall_rationale"], "rationale")
        new, old = labels[mapping["candidate_label"]], labels[mapping["baseline_label"]]
        if any(new[n]["pass"] is not True or new[n]["score"] < old[n]["score"] for n in names):
            failures.append(f"{key[0]}:{key[1]}:{kind}_semantic_regression")
    for key in runs:
        for kind in rules["required_reviewer_types"]:
            if (key, kind) not in seen:
                failures.append(f"{key[0]}:{key[1]}:missing_{kind}_review")
    return sorted(failures)


def saved(old, new):
    return round((old - new) / old * 100, 1)


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return round(values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2, 1)


def figures(run, old, required, failed):
    sound = not failed and not run["process_exit_code"]
    return {
        "duration_ms": run["duration_ms"],
        "total_tokens": run["total_tokens"],
        "output_tokens": run["output_tokens"],
        "noncached_input_plus_output_tokens": run["noncached_input_plus_output_tokens"],
        "tool_calls": run["tool_calls"],
        "token_improvement_vs_baseline_percent": saved(old["total_tokens"], run["total_tokens"]),
        "duration_improvement_vs_baseline_percent": saved(old["duration_ms"], run["duration_ms"]),
        "artifact_sha256": run["artifact"]["sha256"],
        "artifact_validation": "pass" if sound else "fail",
        "required_checks": required,
        "failed_checks": failed,
    }


def summarize(suite, document):
    cases, baseline = read_suite(suite)
    must(document["schema_version"] == "clara.html_deck_benchmark_runs.v1", "schema")
    must(document["suite_id"] == suite["suite_id"], "suite_id")
    identity, mappings = read_evidence(suite, cases, document["protocol_evidence"])
    runs, spans = {}, {}
    for run in document["runs"]:
        must(cell(run) not in runs, "run")
        runs[cell(run)] = run
    must(set(runs) == set(baseline) == set(mappings), "matrix")
    for key, run in runs.items():
        spans[key] = read_run(run, cases[key[0]], key[1], identity)
        must(mappings[key]["candidate_render_set_sha256"] == run["artifact"]["render_set_sha256"], "packet")
    held = controls(suite, cases, runs, spans)
    must(set(held) == set(suite["controls"]), "controls")
    semantic = judge_reviews(suite, baseline, runs, mappings, document["semantic_reviews"])
    mechanical, comparisons = [], {}
    targets = suite["candidate_targets"]
    checks = {"protocol_controls": all(held.values()), "semantic_non_regression": not semantic}
    for name, case in cases.items():
        sides = {}
        for form in FORMATS:
            run = runs[name, form]
            failed = sorted(check for check, passed in run["checks"].items() if not passed)
            if failed or run["process_exit_code"]:
                mechanical.append(f"{name}:{form}")
            sides[form] = figures(run, baseline[name, form], case["checks"][form], failed)
        keys = {
            "duration_ms": "duration_ratio",
            "total_tokens": "total_tokens_ratio",
            "output_tokens": "output_tokens_ratio",
            "noncached_input_plus_output_tokens": "noncached_input_plus_output_tokens_ratio",
            "tool_calls": "tool_calls_ratio",
        }
        ratios = {what: round(sides["HTML"][key] / sides["PPTX"][key], 4) for key, what in keys.items()}
        comparisons[name] = {"mode": case["mode"], **sides, "html_to_pptx": ratios}
        limit = targets["format_ratio_limits_by_mode"][case["mode"]]
        most = float(limit["total_tokens_max"]), float(limit["duration_max"])
        checks[case["mode"] + "_token_ratio"] = ratios["total_tokens_ratio"] <= most[0]
        checks[case["mode"] + "_duration_ratio"] = ratios["duration_ratio"] <= most[1]
    checks["mechanical_quality"] = not mechanical
    least = float(targets["minimum_html_median_improvement_percent"])
    medians = {}
    for what in ("token", "duration"):
        each = [one["HTML"][f"{what}_improvement_vs_baseline_percent"] for one in comparisons.values()]
        medians[what] = median(each)
        checks[f"html_median_{what}_improvement"] = medians[what] >= least
    return {
        "schema_version": "clara.html_deck_benchmark_summary.v1",
        "suite_id": suite["suite_id"],
        "result": "pass" if all(checks.values()) else "fail",
        "protocol_controls": held,
        "failed_controls": sorted(name for name, truth in held.items() if not truth),
        "mechanical_failures": mechanical,
        "semantic_failures": semantic,
        "quality_failures": sorted(mechanical + semantic),
        "html_median_improvement": {
            "tokens_percent": medians["token"],
            "duration_percent": medians["duration"],
        },
        "comparisons": comparisons,
        "target_checks": checks,
    }


def main():
    suite, runs = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    summary = summarize(suite, runs)
    print(json.dumps(summary, indent=2, sort_keys=True, ensure_ascii=False))
    print(f"{time.process_time():.6f}", file=sys.stderr)
    return 0 if summary["result"] == "pass" else 1


if __name__ == "__main__":
    sys.exit(main())
