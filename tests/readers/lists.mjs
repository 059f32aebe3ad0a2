// What test-results-parser finds in a list of tests, JUnit:  node lists.mjs FILE...
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import parser from "test-results-parser";

for (const path of process.argv.slice(2)) {
  const text = readFileSync(path, "utf8");
  const count = (pattern) => [...text.matchAll(pattern)].length;
  const result = parser.parse({ type: "junit", files: [path] });
  const tests = result.suites.flatMap((suite) => suite.cases);
  assert.ok(count(/<testcase /g) > 0, path);
  assert.equal(result.total, count(/<testcase /g), `${path}: tests`);
  assert.equal(result.failed + result.errors, count(/<(failure|error) /g), `${path}: failures`);
  assert.equal(result.skipped, count(/<skipped /g), `${path}: skipped`);
  assert.equal(result.passed, result.total - result.failed - result.errors - result.skipped, `${path}: passed`);
  assert.equal(result.status, result.failed + result.errors > 0 ? "FAIL" : "PASS", path);
  for (const each of [result, ...result.suites, ...tests])
    assert.ok(each.duration >= 0, `${path}: ${each.name} takes ${each.duration}`);
}
