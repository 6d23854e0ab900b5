import type { AdoptedSystem } from "./adopted-systems.ts";

interface OddTest extends Pick<AdoptedSystem, "result"> {
  /** Aborted once the call has been answered, so that nothing goes on for ever. */
  readonly answered: AbortSignal;
}

export interface OddBehaviour {
  readonly what: string;
  /** How the call may end. */
  readonly ends: readonly ("done" | "failed" | "timed-out")[];
  act(args: Record<string, unknown>, context: unknown, test: OddTest): unknown;
}

const never = () => new Promise<never>(() => {});
const throwing = (thrown: unknown) => () => {
  throw thrown;
};

function circle(): object {
  const loop: Record<string, unknown> = { a: 1 };
  loop.loop = loop;
  return loop;
}

function withFailingGetter(): object {
  return Object.defineProperty({}, "trap", {
    enumerable: true,
    get() {
      throw undefined;
    },
  });
}

/** Throws whenever it is looked at. */
function untouchable(): object {
  const refuse = () => {
    throw new Error("do not touch");
  };
  return new Proxy({}, { get: refuse, getPrototypeOf: refuse, has: refuse, ownKeys: refuse });
}

function withThen(value: unknown): object {
  // biome-ignore lint/suspicious/noThenProperty: that is what is odd about it
  return Object.fromEntries([["then", value]]);
}

const thrown: Readonly<Record<string, unknown>> = {
  "nothing at all": undefined,
  null: null,
  "a word": "broken",
  "an empty word": "",
  "a number": 7,
  "a symbol": Symbol("odd"),
  "a frozen error": Object.freeze(new Error("frozen")),
  "an error without a message": new Error(""),
  "an error whose message is no text": Object.assign(new Error("x"), { message: 5 }),
  "an object": { reason: "unknown" },
  "an object without a prototype": Object.create(null),
  "an object that cannot be made a text": { toString: throwing("no text") },
  "a proxy that cannot be touched": untouchable(),
  "a function": () => {},
  "a result that says so": { isError: true, content: circle() },
};

const notJson: Readonly<Record<string, () => unknown>> = {
  "a circle": circle,
  "a big integer": () => 1n,
  "a map": () => new Map([["a", 1]]),
  "a set in a list": () => [new Set([1])],
  "a getter that throws": withFailingGetter,
  "a proxy that cannot be touched": untouchable,
  "a `toJSON` that throws": () => ({ toJSON: throwing("no JSON") }),
  "a promise in an object": () => ({ later: Promise.resolve(1) }),
};

/** What tools of others do, meant or not. */
export const oddBehaviours: readonly OddBehaviour[] = [
  ...Object.entries(thrown).flatMap(([what, value]): OddBehaviour[] => [
    { what: `throws ${what}`, ends: ["failed"], act: throwing(value) },
    { what: `rejects with ${what}`, ends: ["failed"], act: () => Promise.reject(value) },
  ]),
  ...Object.entries(notJson).flatMap(([what, make]): OddBehaviour[] => [
    { what: `returns ${what}`, ends: ["failed"], act: () => make() },
    {
      what: `returns ${what} among its data`,
      ends: ["failed"],
      act: (_a, _c, { result }) => result("x", { odd: make() }),
    },
  ]),
  // JSON has a text for it, but not every system takes a result of that kind.
  { what: "returns a date", ends: ["done", "failed"], act: () => new Date(0) },
  { what: "returns a function", ends: ["failed"], act: () => () => {} },
  { what: "returns nothing", ends: ["done", "failed"], act: () => undefined },
  { what: "returns null", ends: ["done", "failed"], act: () => null },
  { what: "returns a `then` that is no method", ends: ["done", "failed"], act: () => withThen(5) },
  { what: "returns a `then` that throws", ends: ["failed"], act: () => withThen(throwing("no then")) },
  { what: "returns a `then` that never answers", ends: ["timed-out"], act: () => withThen(() => {}) },
  { what: "never ends", ends: ["timed-out"], act: never },
  {
    what: "goes on in spite of its signal",
    ends: ["timed-out"],
    act: async (_args, _context, { answered }) => {
      while (!answered.aborted) await new Promise(setImmediate);
    },
  },
  {
    what: "returns more than anybody reads",
    ends: ["done"],
    act: (_a, _c, { result }) => result("line of text\n".repeat(100_000)),
  },
  {
    what: "changes its arguments",
    ends: ["done"],
    act: (args, _c, { result }) => {
      args.text = "changed";
      args.more = circle();
      return result("ok");
    },
  },
  {
    what: "changes its context and all that is in it",
    ends: ["done"],
    act: (_a, context, { result }) => {
      vandalise(context, new Set());
      return result("ok");
    },
  },
];

/** Overwrites whatever can be overwritten, as far as it can be reached; what cannot be read or written stays. */
function vandalise(value: unknown, seen: Set<unknown>, depth = 0): void {
  if (typeof value !== "object" || value === null || seen.has(value) || depth > 4) return;
  if (value === globalThis || value instanceof AbortSignal) return;
  seen.add(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isOwnClass = prototype !== null && prototype !== Object.prototype && prototype !== Array.prototype;
  for (const owner of isOwnClass ? [value, prototype as object] : [value]) {
    for (const key of Reflect.ownKeys(owner)) {
      if (key === "constructor") continue;
      try {
        vandalise(Reflect.get(value, key), seen, depth + 1);
      } catch {
        // Out of reach.
      }
      Reflect.defineProperty(owner, key, { value: "vandalised", configurable: true });
      Reflect.set(owner, key, "vandalised");
    }
  }
}
