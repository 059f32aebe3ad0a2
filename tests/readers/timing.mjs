// What @tracerbench/trace-model finds in the times of host.c, a file in the Trace Event Format:  node timing.mjs whole|live|killed FOLDER STEPS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { buildModel } = createRequire(import.meta.url)("@tracerbench/trace-model");
const [state, folder, steps] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const text = readFileSync(`${folder}/run.json`, "utf8");
const isWhole = text.trimEnd().endsWith("]");
assert.equal(isWhole, state === "whole");
// The format lets an array go without its end; this reader does not.
const events = JSON.parse(isWhole ? text : `${text}]`);

let last = 0;
for (const event of events) {
  for (const field of ["ph", "cat", "pid", "tid", "ts"]) assert.ok(field in event, `${state}: no ${field} in ${JSON.stringify(event).slice(0, 80)}`);
  assert.ok(event.ph === "E" || typeof event.name === "string");
  assert.ok(event.ts >= last, `${state}: time`);
  last = event.ts;
}
// an end that is not there is no slice
const open = [];
for (const event of events) {
  if (event.ph === "B") open.push(event);
  else if (event.ph === "E") open.pop();
}
const model = buildModel(events.filter((event) => !open.includes(event)));
assert.deepEqual(model.processes.map((each) => each.name), ['arm, "one"']);
assert.deepEqual(model.processes[0].threads.map((each) => each.name), ["inspection"]);
const slices = model.processes[0].threads[0].events.filter((event) => event.ph === "X");
const found = slices.filter((slice) => slice.name === "step");
assert.equal(found.length, steps, `${state}: steps`);
assert.deepEqual(found.map((slice) => slice.args.step), found.map((_, i) => i));
for (const step of found) {
  const spent = slices.filter((slice) => slice.parent === step).reduce((sum, slice) => sum + slice.duration, 0);
  assert.ok(spent > 0 && Math.abs(spent - step.duration) < 0.01, `${state}: phases of step ${step.args.step} take ${spent} of ${step.duration} us`);
}
