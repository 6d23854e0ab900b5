import { expect, test } from "vitest";
import { type AnswerParty, connectPeer, type Message, type Peer } from "../../../src/machine/child/peer.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";

/** Two sides, each of which gets a copy of what the other sends, a moment later. */
function connect(answers: { left?: AnswerParty; right?: AnswerParty }) {
  const sent: Message[] = [];
  const refuse = () => {
    throw new Error("was asked");
  };
  const side = (other: () => Peer, answer: AnswerParty = refuse) =>
    connectPeer({
      answer,
      send(message) {
        sent.push(message);
        const copy = structuredClone(message);
        setImmediate(() => other().receive(copy));
      },
    });
  const left: Peer = side(() => right, answers.left);
  const right: Peer = side(() => left, answers.right);
  return { left, right, sent };
}

test("both sides ask at once, and each question gets its own answer or error", async () => {
  const { left, right } = connect({
    left: async (name) => `left knows ${name}`,
    right: async (name, given) => {
      if (given === "wrong") throw new ToolError("conflict", "it is", { hint: "Do not." });
      return [name, given, await right.ask("more", null)];
    },
  });
  const answers = Promise.all([left.ask("a", 1), left.ask("b", new Date(0))]);
  await expect(left.ask("c", "wrong")).rejects.toMatchObject({ code: "conflict", hint: "Do not." });
  expect(await answers).toEqual([
    ["a", 1, "left knows more"],
    ["b", new Date(0), "left knows more"],
  ]);
  expect([left.isWaiting, right.isWaiting]).toEqual([false, false]);
});

test("a question that is withdrawn stops the work on it, and a patient one still gets what comes of it", async () => {
  const stopped: unknown[] = [];
  const { left } = connect({
    right: (name, _given, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped.push((signal.reason as Error).message);
          if (name === "partly") resolve("so far");
          else reject(signal.reason);
        });
      }),
  });
  const reason = new Error("enough");
  for (const [name, isPatient, outcome] of [
    ["at once", false, reason],
    ["patiently", true, reason],
    ["partly", true, "so far"],
  ] as const) {
    const caller = new AbortController();
    const asked = left.ask(name, null, { signal: caller.signal, isPatient }).catch((error) => error);
    setImmediate(() => caller.abort(reason));
    expect(await asked, name).toBe(outcome);
  }
  expect(stopped).toEqual(["enough", "enough", "enough"]);
});

test("a value that cannot be sent is refused where it is given, and the rest goes on", async () => {
  const { left } = connect({ right: (name) => (name === "function" ? () => 1 : name) });
  expect(() => left.ask("a", { nested: () => 1 })).toThrow("the input cannot be sent between processes");
  await expect(left.ask("function", null)).rejects.toThrow("the answer to function cannot be sent");
  expect(await left.ask("b", null)).toBe("b");
});

test("a message that answers nothing or says nothing is refused, and a closed side rejects", async () => {
  const { left, sent } = connect({});
  for (const message of [{}, { answer: 1, value: 1 }, { answer: "1" }, { ask: 1 }, { ask: "1", name: "x" }])
    expect([message, left.receive(message)]).toEqual([message, false]);
  expect(sent).toEqual([]);
  const open = left.ask("a", null);
  left.close(new Error("it is gone"));
  await expect(open).rejects.toThrow("it is gone");
  await expect(left.ask("b", null)).rejects.toThrow("it is gone");
  expect(sent.length).toBe(1);
});
