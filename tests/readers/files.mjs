// What @mcap/core, h5wasm and Foxglove's own schemas find in the traces of host.c:  node files.mjs whole|live|killed FOLDER STEPS <JSON of files.py
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import schemas from "@foxglove/schemas/jsonschema.js";
import Ajv from "ajv";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import * as h5wasm from "h5wasm/node";

const [state, folder, steps] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const wanted = JSON.parse(readFileSync(0, "utf8"));
const world = 'arm, "one"';
const names = ["Handgelenk \u00fc", 'elbow; "left", 2', "=shoulder"];
const topics = ["Handgelenk", "elbow_left_2", "shoulder", "steps"].map((name) => `/kinetostat/arm_one/${name}`);
const scene = ["transforms", "forces", "bodies"].map((name) => `/kinetostat/arm_one/${name}`);
const text = new TextDecoder();

function compare(forces, what) {
  names.forEach((name, joint) => {
    const own = wanted.force.filter((_, i) => wanted.joint[i] === joint);
    assert.deepEqual(forces.get(topics[joint]), own, `${state}, ${what}: forces of ${name}`);
  });
  assert.equal(forces.get(topics[names.length]).length, steps, `${state}, ${what}: steps`);
}

function gather(messages) {
  const forces = new Map(topics.map((topic) => [topic, []]));
  for (const [topic, message] of messages)
    forces.get(topic)?.push(JSON.parse(text.decode(message.data)).engine_fx);
  return forces;
}

// --- MCAP, in order: whole or not
function stream(bytes) {
  const reader = new McapStreamReader();
  const channels = new Map(), messages = [];
  reader.append(bytes);
  for (let record; (record = reader.nextRecord()); ) {
    if (record.type === "Channel") channels.set(record.id, record.topic);
    if (record.type === "Message") messages.push([channels.get(record.channelId), record]);
  }
  return { messages, isDone: reader.done() };
}

const file = readFileSync(`${folder}/run.mcap`);
const whole = stream(file);
assert.equal(whole.isDone, state === "whole");
compare(gather(whole.messages), "MCAP in order");

// --- MCAP by its indexes
const open = (bytes) =>
  McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (at, length) => new Uint8Array(bytes.subarray(Number(at), Number(at + length))),
    },
  });

async function messagesOf(reader, options) {
  const out = [];
  for await (const message of reader.readMessages(options))
    out.push([reader.channelsById.get(message.channelId).topic, message]);
  return out;
}

// --- Scenes, by the schemas that Foxglove publishes
function checkScenes(messages, reader) {
  const ajv = new Ajv({ strict: false });
  const byTopic = { transforms: "FrameTransforms", forces: "SceneUpdate", bodies: "SceneUpdate" };
  const seen = { transforms: 0, forces: 0, bodies: 0 };
  const checks = Object.fromEntries(Object.entries(byTopic).map(([name, schema]) => [name, ajv.compile(schemas[schema])]));
  for (const channel of reader.channelsById.values()) {
    const schema = byTopic[channel.topic.split("/").at(-1)];
    if (schema) assert.equal(reader.schemasById.get(channel.schemaId).name, `foxglove.${schema}`);
  }
  for (const [topic, message] of messages) {
    const name = topic.split("/").at(-1);
    if (!checks[name]) continue;
    const value = JSON.parse(text.decode(message.data));
    assert(checks[name](value), `${topic}: ${JSON.stringify(checks[name].errors)}`);
    assert.equal((value.transforms ?? value.entities).length, 3, topic);
    seen[name]++;
  }
  assert.deepEqual(seen, { transforms: steps, forces: steps, bodies: 1 });
}

if (state === "whole") {
  const reader = await open(file);
  assert.equal(reader.statistics.messageCount, BigInt(6 * steps + 1)); // bodies: once
  const channels = [...topics, ...scene, "/kinetostat/arm_one/motors", "/kinetostat/arm_one/pairs"]; // no joint has a motor, and there is no pair: channels without messages
  assert.deepEqual([...reader.channelsById.values()].map((c) => c.topic).sort(), channels.sort());
  for (const schema of reader.schemasById.values()) assert.equal(JSON.parse(text.decode(schema.data)).type, "object");
  const all = await messagesOf(reader, {});
  compare(gather(all), "MCAP by indexes");
  checkScenes(all, reader);
  compare(gather((await messagesOf(reader, { reverse: true })).reverse()), "MCAP by indexes, from behind");
  const window = { topics: [topics[1]], startTime: 100_000_000n, endTime: 200_000_000n };
  assert.equal((await messagesOf(reader, window)).length, 21, "MCAP: 0.1 to 0.2 s in steps of 5 ms");
  for (let length = file.length - 1; length > 0; length -= 9973) {
    const part = stream(file.subarray(0, length));
    assert.equal(part.isDone, false);
    if (length > file.length - 1000) assert.equal(part.messages.length, 6 * steps + 1, "MCAP without its end");
  }
} else await assert.rejects(open(file), "MCAP without an end");

// --- HDF5
await h5wasm.ready;
const archive = new h5wasm.File(`${folder}/run.h5`, state === "whole" ? "r" : "Sr");
const column = (name) => Array.from(archive.get(`world1/${name}`).value);
assert.equal(archive.get("world1").attrs.name.value, world);
assert.deepEqual(column("joints/name"), names);
assert.equal(column("steps/time").length, steps);
const force = archive.get("world1/reactions/engine_force");
assert.deepEqual(force.shape, [3 * steps, 3]);
assert.deepEqual(Array.from(force.value).filter((_, i) => i % 3 === 0), wanted.force, `${state}: forces in HDF5`);
archive.close();
