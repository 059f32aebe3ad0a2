#!/bin/sh
# @tracerbench/trace-model cannot read trace events that have no category.
#
# Package:   @tracerbench/trace-model 8.0.0 (npm)
# Expected:  a reader of the Trace Event Format takes an event without "cat": ui.perfetto.dev and chrome://tracing do, and the format's own
#            short examples of "E" events have none.
# Behaviour: buildModel ends with a TypeError, "Cannot read properties of undefined (reading 'split')", of which no event is named. With a
#            category in each event, "E" events too, it reads the file.
# Output:    without: Cannot read properties of undefined (reading 'split'); with: 1 slice of 5 us
# Source:    dist/util/split-cat.js: cat.split(",") of each event.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts @tracerbench/trace-model@8.0.0 >npm.log 2>&1 || { cat npm.log; exit 1; }

cat >read.cjs <<'END'
const { buildModel } = require("@tracerbench/trace-model");
const events = [
  { ph: "M", pid: 1, tid: 1, ts: 0, name: "process_name", args: { name: "one" } },
  { ph: "B", pid: 1, tid: 1, ts: 1, name: "step" },
  { ph: "E", pid: 1, tid: 1, ts: 6 },
];
for (const word of ["without", "with"]) {
  try {
    const model = buildModel(events.map((each) => (word === "with" ? { ...each, cat: "steps" } : each)));
    const slices = model.processes[0].threads[0].events.filter((each) => each.ph === "X");
    console.log(`${word}: ${slices.length} slice of ${slices[0].duration} us`);
  } catch (error) {
    console.log(`${word}: ${error.message}`);
  }
}
END
node read.cjs | tee out
printf '%s\n' "without: Cannot read properties of undefined (reading 'split')" 'with: 1 slice of 5 us' | cmp -s - out ||
    { echo "changed: events without a category"; exit 1; }
echo "as described"
