# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes statistics.json: figures of independent implementations for the tests in ../statistics.rs.

Run once, with the versions that the file names; the tests need neither Python nor this script.
"""
import itertools, json, random, sys
from fractions import Fraction

import krippendorff, numpy as np, scipy, sklearn, statsmodels
from scipy import optimize, stats
from scipy.stats._resampling import BootstrapResult
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from importlib.metadata import version

rng = random.Random(20260714)
out = {"versions": {n: version(n) for n in ("numpy", "scipy", "statsmodels", "scikit-learn", "krippendorff")},
       "python": sys.version.split()[0], "tables": {}}


def table(name, source, rows):
    assert len(rows) >= 20, name
    out["tables"][name] = {"source": source, "rows": rows}


counts = [(0, 0), (1, 0), (0, 1), (5, 5), (9, 1), (300, 260), (50, 80), (1000, 1100)]
counts += [(rng.randrange(40), rng.randrange(40)) for _ in range(16)]
table("sign", "scipy.stats.binomtest(w, w + l, 0.5).pvalue, two-sided and alternative='greater'", [
    [w, l, stats.binomtest(w, w + l, .5).pvalue if w + l else 1.0,
     stats.binomtest(w, w + l, .5, alternative="greater").pvalue if w + l else 1.0] for w, l in counts])
table("mcnemar", "statsmodels mcnemar([[0, b], [c, 0]], exact=True).pvalue; mid-p = that minus the binomial mass at min(b, c)", [
    [b, c, mcnemar([[0, b], [c, 0]], exact=True).pvalue,
     min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, .5) - stats.binom.pmf(min(b, c), b + c, .5))]
    for b, c in counts if b + c and b != c])
table("clopper_pearson", "scipy.stats.binomtest(k, n).proportion_ci(level, method='exact')", [
    [k, n, level, *stats.binomtest(k, n).proportion_ci(level, method="exact")]
    for k, n, level in [(0, 5, .95), (5, 5, .95), (0, 1, .9), (1, 1, .99), (250, 500, .95)] +
    [(rng.randrange(n + 1), n, rng.choice([.9, .95, .99])) for n in [rng.randrange(1, 90) for _ in range(20)]]])

# Wilcoxon: scipy's exact distribution without ties; all sign flips with ties and zeros.
def flips(ranks, signs):
    sums = [sum(r for r, s in zip(ranks, c) if s) for c in itertools.product([0, 1], repeat=len(ranks))]
    w = sum(r for r, s in zip(ranks, signs) if s)
    low = sum(x <= w for x in sums); high = sum(x >= w for x in sums)
    return min(1.0, 2 * min(low, high) / len(sums))

rows = []
for _ in range(14):
    n = rng.randrange(3, 30)
    d = [m * rng.choice([-1, 1, 1]) for m in rng.sample(range(1, 90), n)]
    rows.append([d, "drop", stats.wilcoxon(d, method="exact").pvalue])
for zeros in ["drop", "pratt"]:
    for _ in range(10):
        d = [rng.randrange(-3, 5) for _ in range(rng.randrange(4, 13))]
        kept = d if zeros == "pratt" else [x for x in d if x]
        ranks = stats.rankdata([abs(x) for x in kept])
        pairs = [(r, x > 0) for r, x in zip(ranks, kept) if x]
        rows.append([d, zeros, flips([p[0] for p in pairs], [p[1] for p in pairs]) if pairs else 1.0])
big = [rng.randrange(-60, 80) or 1 for _ in range(450)]
rows.append([big, "drop", stats.wilcoxon(big, method="approx", correction=False).pvalue])
table("wilcoxon", "scipy.stats.wilcoxon(d, method='exact'); with ties all sign flips over scipy.stats.rankdata; the last method='approx'", rows)

def stat(x, axis=-1):
    return np.sum(x, axis=axis)

rows = []
for _ in range(22):
    d = [rng.choice([rng.randrange(-5, 7), rng.randrange(-400, 700)]) or 1 for _ in range(rng.randrange(3, 13))]
    r = stats.permutation_test((np.array(d, dtype=float),), stat, permutation_type="samples", n_resamples=np.inf, alternative="two-sided")
    rows.append([d, float(r.pvalue)])
table("sign_flip", "scipy.stats.permutation_test((d,), sum, permutation_type='samples', n_resamples=inf)", rows)

rows = []
for _ in range(22):
    d = [rng.randrange(-50, 80) / 4 for _ in range(rng.randrange(1, 20))]
    walsh = [(a + b) / 2 for i, a in enumerate(d) for b in d[i:]]
    rows.append([d, float(np.median(walsh))])
table("hodges_lehmann", "numpy.median of all Walsh averages", rows)

rows = []
for _ in range(22):
    n = rng.randrange(9, 25)
    data = np.array([rng.gauss(0, 1) ** 3 for _ in range(n)])
    level = rng.choice([.9, .95])
    reps = np.array([np.mean(rng.choices(list(data), k=n)) for _ in range(99)])
    jack = [float(np.mean(np.delete(data, i))) for i in range(n)]
    given = BootstrapResult(confidence_interval=None, bootstrap_distribution=reps, standard_error=None)
    r = stats.bootstrap((data,), np.mean, n_resamples=0, bootstrap_result=given, confidence_level=level, method="BCa")
    rows.append([float(np.mean(data)), [float(x) for x in reps], jack, level,
                 float(r.confidence_interval.low), float(r.confidence_interval.high)])
table("bca", "scipy.stats.bootstrap((data,), numpy.mean, n_resamples=0, bootstrap_result=replicates, method='BCa')", rows)

rows = []
for _ in range(22):
    pairs = [[[rng.randrange(1000, 9000), rng.randrange(1000, 9000)] for _ in range(rng.randrange(1, 4))] for _ in range(rng.randrange(1, 7))]
    flat = [p for c in pairs for p in c]
    rows.append([pairs, float(stats.gmean([p[0] for p in flat]) / stats.gmean([p[1] for p in flat]))])
table("geometric_ratio", "scipy.stats.gmean(candidate) / scipy.stats.gmean(baseline)", rows)

rows = []
for _ in range(24):
    p = [rng.choice([rng.random(), rng.random() ** 4, 0.03]) for _ in range(rng.randrange(1, 9))]
    rows.append([p, [float(x) for x in multipletests(p, method="holm")[1]]])
table("holm", "statsmodels multipletests(p, method='holm')[1]", rows)

rows = []
while len(rows) < 24:
    n = rng.randrange(4, 30)
    a = [rng.randrange(1, 6) for _ in range(n)]
    b = [x if rng.random() < .6 else rng.randrange(1, 6) for x in a]
    if len(set(a + b)) < 2: continue
    rows.append([a, b] + [float(cohen_kappa_score(a, b, weights=w)) for w in (None, "linear", "quadratic")])
table("cohen_kappa", "sklearn.metrics.cohen_kappa_score(a, b, weights=None|'linear'|'quadratic')", rows)

rows = []
while len(rows) < 24:
    units = []
    for _ in range(rng.randrange(3, 15)):
        centre = rng.randrange(1, 6)
        units.append([min(5, max(1, centre + rng.choice([0, 0, 0, 1, -1, 3]))) if rng.random() < .8 else None for _ in range(4)])
    data = np.array([[np.nan if x is None else x for x in u] for u in units]).T
    values = {x for u in units if sum(y is not None for y in u) > 1 for x in u if x is not None}
    if len(values) < 2: continue
    rows.append([[[x for x in u if x is not None] for u in units]] +
                [float(krippendorff.alpha(reliability_data=data, level_of_measurement=l)) for l in ("nominal", "ordinal", "interval")])
table("krippendorff", "krippendorff.alpha(reliability_data, level_of_measurement='nominal'|'ordinal'|'interval')", rows)

rows = []
for n, alpha, power in [(6, .05, .8), (10, .05, .8), (20, .05, .9), (50, .05, .8), (100, .01, .8)] + \
        [(rng.randrange(6, 120), .05, rng.choice([.8, .9])) for _ in range(17)]:
    k = next(k for k in range((n + 1) // 2, n + 1) if 2 * stats.binom.sf(k - 1, n, .5) <= alpha)
    rows.append([n, alpha, power, optimize.brentq(lambda p: stats.binom.sf(k - 1, n, p) - power, .5, 1 - 1e-15, xtol=1e-15, rtol=1e-14)])
table("detectable_win", "scipy: smallest k with 2 * binom.sf(k - 1, n, .5) <= alpha; brentq of binom.sf(k - 1, n, p) = power", rows)
rows = []
for _ in range(22):
    n, sd, alpha, power = rng.randrange(1, 200), rng.random(), rng.choice([.05, .01]), rng.choice([.8, .9])
    rows.append([n, sd, alpha, power, float(np.exp(-(stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)) * sd / np.sqrt(n)))])
table("detectable_ratio", "exp(-(norm.ppf(1 - alpha/2) + norm.ppf(power)) * sd / sqrt(n))", rows)

ps = [1e-300, 1e-20, 1e-9, .001, .025, .3, .5, .7, .975, .999] + [rng.random() for _ in range(14)]
table("normal", "scipy.stats.norm.ppf(p) and norm.cdf of it", [[p, float(stats.norm.ppf(p)), float(stats.norm.cdf(stats.norm.ppf(p)))] for p in ps])

# Blinding: the papers' formulas over exact fractions, on 3 x 2 tables [right, wrong, unknown] per arm.
def bang(c, w, d):
    n = c + w + d; p, q = Fraction(c, n), Fraction(w, n)
    return float(p - q), float((p * (1 - p) + q * (1 - q) + 2 * p * q) / n) ** .5

def james(first, second):
    n = sum(first) + sum(second)
    # rows: guess first, guess second, unknown; columns: arm first, arm second
    x = [[Fraction(first[0], n), Fraction(second[1], n)], [Fraction(first[1], n), Fraction(second[0], n)], [Fraction(first[2], n), Fraction(second[2], n)]]
    dk = sum(x[2]); w = [[0, Fraction(1, 2)], [Fraction(1, 2), 0]]
    if dk == 1: return 1.0
    do = sum(w[i][j] * x[i][j] for i in (0, 1) for j in (0, 1)) / (1 - dk)
    de = sum(w[i][j] * sum(x[i]) * (x[0][j] + x[1][j]) for i in (0, 1) for j in (0, 1)) / (1 - dk) ** 2
    k = (do - de) / de if de else 0
    return float((1 + dk + (1 - dk) * k) / 2)

arms = [([82, 25, 170], [29, 27, 83])] + [([rng.randrange(30), rng.randrange(30), rng.randrange(1, 30)], [rng.randrange(30), rng.randrange(30), rng.randrange(30)]) for _ in range(22)]
table("blinding", "formulas of Bang 2004 and James 1996 over fractions; row 1 is the CRISP trial, published as James 0.75, Bang 0.21 and 0.01", [
    [list(a), list(b), *bang(*a), james(a, b)] for a, b in arms])

with open(__file__.replace("make.py", "statistics.json"), "w") as f:
    f.write("{\n")
    f.write(f' "versions": {json.dumps(out["versions"])},\n "python": {json.dumps(out["python"])},\n "tables": {{\n')
    for i, (name, t) in enumerate(out["tables"].items()):
        body = ",\n   ".join(json.dumps(r) for r in t["rows"])
        f.write(("" if i == 0 else ",\n") + f'  {json.dumps(name)}: {{"source": {json.dumps(t["source"])}, "rows": [\n   {body}]}}')
    f.write("\n }\n}\n")
print({k: len(t["rows"]) for k, t in out["tables"].items()})
