// What readers of JUnit find in lists of tests:  node lists.mjs FILE...
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { convertJUnitToCTRFReport } from "junit-to-ctrf";
import { parse } from "junit2json";
import parser from "test-results-parser";

const require = createRequire(import.meta.url);
const { mergeFiles } = require("junit-report-merger"), Parser = require("junitxml-to-javascript");

// what stands in the file
function facts(text) {
  const count = (pattern) => [...text.matchAll(pattern)].length;
  const own = { tests: count(/<testcase /g), failed: count(/<failure /g), errors: count(/<error /g), skipped: count(/<skipped[ />]/g) };
  return { ...own, bad: own.failed + own.errors, passed: own.tests - own.failed - own.errors - own.skipped };
}
const sum = (suites, field) => suites.reduce((all, suite) => all + (suite[field] ?? 0), 0);

function byTestResultsParser(path, wanted) {
  const result = parser.parse({ type: "junit", files: [path] });
  assert.deepEqual([result.total, result.failed + result.errors, result.skipped, result.passed], [wanted.tests, wanted.bad, wanted.skipped, wanted.passed]);
  assert.equal(result.status, wanted.bad > 0 ? "FAIL" : "PASS");
  for (const each of [result, ...result.suites, ...result.suites.flatMap((suite) => suite.cases)])
    assert.ok(each.duration >= 0, `${each.name} takes ${each.duration}`);
}

async function byJunit2json(path, wanted) {
  const { testsuite, ...all } = await parse(readFileSync(path, "utf8"));
  const cases = testsuite.flatMap((suite) => suite.testcase);
  assert.deepEqual([all.tests, all.failures, all.errors, all.skipped], [wanted.tests, wanted.failed, wanted.errors, wanted.skipped]);
  assert.deepEqual(["tests", "failures", "errors", "skipped"].map((field) => sum(testsuite, field)), [wanted.tests, wanted.failed, wanted.errors, wanted.skipped]);
  assert.deepEqual([cases.length, cases.filter((each) => each.failure || each.error).length], [wanted.tests, wanted.bad]);
  for (const each of [all, ...testsuite, ...cases]) assert.ok(each.time >= 0, `${each.name} takes ${each.time}`);
  for (const each of cases.filter((one) => one.failure)) assert.ok(each.failure[0].message && each.failure[0].inner, each.name);
}

async function byCtrf(path, wanted) {
  const { summary, tests } = (await convertJUnitToCTRFReport(path)).results;
  assert.deepEqual([summary.tests, summary.passed, summary.failed, summary.skipped, summary.other], [wanted.tests, wanted.passed, wanted.bad, wanted.skipped, 0]);
  for (const each of tests) assert.ok(each.duration >= 0 && each.name, `${each.name} takes ${each.duration}`);
}

async function byJunitxml(path, wanted) {
  const { testsuites } = await new Parser().parseXMLFile(path);
  const cases = testsuites.flatMap((suite) => suite.testCases), by = (result) => cases.filter((each) => each.result === result).length;
  assert.deepEqual([cases.length, by("succeeded"), by("failed"), by("skipped")], [wanted.tests, wanted.passed, wanted.bad, wanted.skipped]);
  for (const each of cases) assert.ok(each.duration >= 0, `${each.name} takes ${each.duration}`);
  for (const suite of testsuites) assert.ok(suite.durationSec >= 0 && suite.timestamp > 0, suite.name);
}

const paths = process.argv.slice(2), all = paths.map((path) => facts(readFileSync(path, "utf8")));
for (const [i, path] of paths.entries()) {
  assert.ok(all[i].tests > 0, path);
  for (const read of [byTestResultsParser, byJunit2json, byCtrf, byJunitxml])
    await Promise.resolve(read(path, all[i])).catch((error) => { throw new Error(`${path}, ${read.name}: ${error.message}`); });
}

// put together, they are as many
const merged = `${mkdtempSync(`${tmpdir()}/lists`)}/merged.xml`;
await mergeFiles(merged, paths);
const together = facts(readFileSync(merged, "utf8"));
for (const field of Object.keys(together)) assert.equal(together[field], sum(all, field), `junit-report-merger: ${field}`);
await byJunit2json(merged, together);
