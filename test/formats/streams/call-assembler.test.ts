import { expect, test } from "vitest";
import { createCallAssembler } from "../../../src/capabilities/interop/index.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { anyCharacter } from "../any-character.ts";

const numRuns = fuzzRuns({ sample: 100, full: 5000 });

function assemble(chunks: readonly unknown[]) {
  const assembler = createCallAssembler();
  for (const chunk of chunks) assembler.add(chunk);
  return assembler.finish();
}

interface Piece {
  readonly call: number;
  readonly text: string;
}

/** How each vendor streams calls whose arguments come in pieces. */
const vendors = {
  openai: (names: readonly string[], pieces: readonly Piece[]) => [
    { choices: [{ index: 0, delta: { role: "assistant", content: null } }] },
    ...names.map((name, index) =>
      chatChunk({ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }),
    ),
    ...pieces.map(({ call, text }) => chatChunk({ index: call, function: { arguments: text } })),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    { choices: [], usage: { total_tokens: 5 } },
  ],
  "openai-responses": (names: readonly string[], pieces: readonly Piece[]) => [
    { type: "response.created", response: { output: [] } },
    ...names.map((name, index) => ({
      type: "response.output_item.added",
      output_index: index,
      item: { type: "function_call", id: `fc_${index}`, call_id: `call_${index}`, name, arguments: "" },
    })),
    ...pieces.map(({ call, text }) => ({
      type: "response.function_call_arguments.delta",
      item_id: `fc_${call}`,
      output_index: call,
      delta: text,
    })),
    ...names.map((_, index) => ({
      type: "response.function_call_arguments.done",
      output_index: index,
      arguments: textOf(pieces, index),
    })),
  ],
  anthropic: (names: readonly string[], pieces: readonly Piece[]) => [
    { type: "message_start", message: { role: "assistant", content: [] } },
    { type: "ping" },
    ...names.map((name, index) => ({
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: `call_${index}`, name, input: {} },
    })),
    ...pieces.map(({ call, text }) => ({
      type: "content_block_delta",
      index: call,
      delta: { type: "input_json_delta", partial_json: text },
    })),
    ...names.map((_, index) => ({ type: "content_block_stop", index })),
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ],
};

function chatChunk(call: object): object {
  return { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
}

function textOf(pieces: readonly Piece[], wanted: number): string {
  return pieces
    .filter(({ call }) => call === wanted)
    .map(({ text }) => text)
    .join("");
}

/** Inputs, and their JSON in pieces of any length, those of different calls in any order. */
const interleaved = fc
  .array(fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ maxDepth: 2 })), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((inputs) => {
    const texts = inputs.map((input) => JSON.stringify(input));
    const picks = fc.array(fc.tuple(fc.nat(texts.length - 1), fc.integer({ min: 1, max: 9 })), {
      maxLength: 60,
    });
    return picks.map((steps) => ({ inputs, pieces: cutTexts(texts, steps) }));
  });

function cutTexts(texts: readonly string[], steps: readonly (readonly [number, number])[]): Piece[] {
  const left = [...texts];
  const take = (call: number, length: number): Piece[] => {
    const text = left[call]!.slice(0, length);
    left[call] = left[call]!.slice(length);
    return text === "" ? [] : [{ call, text }];
  };
  const early = steps.flatMap(([call, length]) => take(call, length));
  return [...early, ...left.flatMap((text, call) => take(call, text.length))];
}

test.each(Object.entries(vendors))(
  "%s: interleaved pieces of any length come to the calls",
  (format, stream) => {
    fc.assert(
      fc.property(interleaved, ({ inputs, pieces }) => {
        const names = inputs.map((_, index) => `tool_${index}`);
        expect(assemble(stream(names, pieces))).toMatchObject({
          format,
          calls: inputs.map((input, index) => ({
            id: `call_${index}`,
            name: `tool_${index}`,
            input: JSON.parse(JSON.stringify(input)),
          })),
        });
      }),
      { numRuns },
    );
  },
);

test.each(Object.entries(vendors))(
  "%s: a stream that breaks off anywhere runs only complete calls",
  (_, stream) => {
    fc.assert(
      fc.property(interleaved, fc.nat(), ({ inputs, pieces }, seed) => {
        const names = inputs.map((_each, index) => `tool_${index}`);
        const chunks = stream(names, pieces);
        const { calls } = assemble(chunks.slice(0, seed % chunks.length));
        for (const [index, { input, inputProblem }] of calls.entries()) {
          if (inputProblem === undefined) expect(input).toEqual(JSON.parse(JSON.stringify(inputs[index])));
        }
      }),
      { numRuns },
    );
  },
);

test.each(Object.entries(vendors))(
  "%s: calls that were put together are answered by the session",
  async (format, stream) => {
    const { session } = await openTestSession({ tools: [echo] });
    const pieces = [
      { call: 1, text: '{"te' },
      { call: 0, text: '{"text":"a",' },
      { call: 1, text: 'xt":"b"' },
      { call: 0, text: '"times":2}' },
    ];
    const assembled = assemble(stream(["echo", "echo"], pieces));
    expect(assembled.format).toBe(format);
    const answers = JSON.stringify(await session.handle(assembled));
    expect(answers).toContain('"aa"');
    expect(answers).toContain("the arguments are cut off");
    expect(answers).toContain("call_1");
  },
);

test("calls can be shown while they are written", () => {
  const assembler = createCallAssembler();
  const start = { type: "tool_use", id: "a", name: "Write", input: {} };
  assembler.add({ type: "content_block_start", index: 0, content_block: start });
  expect(assembler.calls()).toEqual([{ id: "a", name: "Write", isComplete: false }]);
  const delta = { type: "input_json_delta", partial_json: '{"file_path":"/a","content":"half a li' };
  assembler.add({ type: "content_block_delta", index: 0, delta });
  expect(assembler.calls()).toEqual([
    { id: "a", name: "Write", input: { file_path: "/a", content: "half a li" }, isComplete: false },
  ]);
});
