/**
 * The five systems whose tools this runtime stands in for, and the numbers of what each promises its users. A statement
 * is held by a test whose title begins with its number, as in `F20: …`; `npm run statements` writes docs/COVERAGE.md
 * from those titles.
 */
export const systems = [
  { letter: "F", name: "Flyto", statements: [...upTo("F", 75), "F8a"] },
  { letter: "P", name: "Pulse", statements: [...upTo("P", 23), "P24a", "P24b", "P24c", "P24d"] },
  { letter: "K", name: "KODE", statements: upTo("K", 43) },
  { letter: "E", name: "Eko", statements: upTo("E", 11) },
  { letter: "N", name: "internal", statements: upTo("N", 22) },
];

/** Statements that do not hold, or not in their own words, and why. */
export const notHeld: Readonly<Record<string, string>> = {
  F28: "Where the lines are long, an answer ends before, after 30,000 characters, unless the option `output` allows more.",
  F46: "Where the paths are long, an answer ends before, after 30,000 characters, unless the option `output` allows more.",
  F48: "Where the lines are long, an answer ends before, after 30,000 characters, unless the option `output` allows more.",
  F51: "Bing is not among the services: Microsoft has closed its search API.",
  F73: "There is no tool that makes tools, nor proposals that are kept for later: the agent writes the file itself.",
  P17: "In a tool's context they are called `ask` and `signal`, not `onClarificationRequest` and `abortSignal`.",
  K17: "A hook sees the input in the tool's own terms, `command` instead of `cmd`; `preToolUse` with KODE's own arguments is not there yet.",
  K24: "`attributes` and `exec` are called `traits` and `run`; KODE's own words are not accepted yet.",
  K26: "`input_schema` is called `input`; KODE's own word is not accepted yet.",
  K28: "A classic object cannot be registered by itself: `runtime.tools.register` takes what `defineTool` has made. The `prompt` and `toDescriptor` of a loader's tool are not read.",
  K29: "The trait is called `readOnly`, not `readonly`.",
  K30: "A call that was running when its process died is never run again, not even of a tool that says it is safe.",
  K33: "There is no `agent.on`; the events are read with `session.events()` and translated by `createKodeEvents`.",
  K41: "There is no `agent.on`; the events are read with `session.events()` and translated by `createKodeEvents`.",
  K42: "`access`, `mutates` and `safe` in the metadata of older tools are not read; such a tool counts as one that may do anything.",
  K43: "The list `tools` takes neither classic objects nor `new FsRead()`: the built-in tools are always there, and classic objects come from a loader.",
  N3: "There are no tools to analyze or format code.",
  N20: "A handler's context has no `service` and no `model`; it reaches the world by the services of a tool, such as `ctx.files`.",
};

function upTo(letter: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
}
