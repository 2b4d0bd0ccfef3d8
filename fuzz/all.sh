#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs every target for some seconds each, one after the other, on one core at the lowest priority.
set -u
cd "$(dirname "$0")" || exit 2
seconds=${1:-600}
found=0
for target in package presentation slide layout_master theme table_styles chart chartex diagram emf wmf picture; do
    echo "$target: $seconds s"
    mkdir -p "corpus/$target"
    nice -n 19 cargo +nightly fuzz run --sanitizer none "$target" "corpus/$target" -- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=1500 -max_len=98304 -print_final_stats=1 || found=1
done
exit $found
