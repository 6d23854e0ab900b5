import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { analyse } from "scslre";
import { expect, test } from "vitest";
import { cpuMs } from "../support/cpu-ms.ts";
import { casesOf } from "../support/fuzz.ts";
import { attacksOn } from "./expression-attacks.ts";
import { findExpressions } from "./find-expressions.ts";
import { projectFolder } from "./project-files.ts";

/**
 * Expressions that look as if they could take more than linear time, and why they do not. `npm run` has no part in this
 * list: whoever adds to it has looked.
 */
const looksSlow: Readonly<Record<string, string>> = {
  "faces/acp/prompt-commands.ts: /^\\/([\\w-]+)(?:\\s+([\\s\\S]*))?$/":
    "begins at one place, and its end matches anything after a blank",
  "agent/models/scripted-model.ts: /\\s*\\S+\\s*$|\\s*\\S+/g":
    "splits the script that the author of a test wrote",
  "faces/cli/talk/slash/slash-commands.ts: /^(\\S+)\\s+([\\s\\S]+)$/":
    "its end matches anything, so nothing is tried again",
  "faces/cli/talk/talk.ts: /^\\/(\\S*)\\s*([\\s\\S]*)$/":
    "its end matches anything, so nothing is tried again",
  "faces/interop/streams/repair-json.ts: /^```[a-z0-9]*\\s*(.*)$/is":
    "its end matches anything, so nothing is tried again",
  "kernel/dialects/tool-form.ts: /^\\$\\.([^.[]+)(.*)$/s":
    "its end matches anything, so nothing is tried again",
  "machine/command-reading/glob-problem.ts: /\\[!?\\^?\\]?[^\\]]*\\]/g":
    "used on a text that ends with the bracket, so that every start matches",
  "kernel/policy/rules/same-meaning.ts: /^--|=.*$/gs": "matches at the first equals sign",
  "machine/sandbox/bubblewrap/masks.ts: /^\\S+: (?:\\S+ +){6}(.+)$/gm":
    "used on a table that the kernel writes",
  "capabilities/files/diff/file-lines.ts: /(?<line>[^\\r\\n]*)(?:\\r\\n?|\\n)|[^\\r\\n]+$/g":
    "one of the two matches wherever a line begins",
  "capabilities/files/patch/whole-hunk.ts: /[^\\n]*\\n|[^\\n]+$/g":
    "one of the two matches wherever a line begins",
  "capabilities/web/page/read-page.ts: /^\\s{0,40}(`{3,}|~{3,})(.*)$/s":
    "its end matches anything, so nothing is tried again",
  "shared/json-schema/readings/convert-value.ts: /\\.?0+$/": "used on texts of at most 40 digits",
  'systems/migrate/moves/flyto-move.ts: /func \\(\\w* ?\\*?(\\w+)\\) Name\\(\\) string\\s*\\{\\s*return\\s+(?:"([^"\\n]*)"|`([^`]*)`)?/g':
    "used on the user's own sources, which they ask to have moved",
  "shared/notebook/edit-notebook.ts: /[^\\n]*\\n|[^\\n]+$/g": "one of the two matches wherever a line begins",
};

/** Expressions that take more than linear time, and why their texts are short. */
const limited: Readonly<Record<string, string>> = {
  "kernel/policy/rules/path-matcher.ts: /(?:\\/\\*\\*)+$/":
    "used on a pattern, which has at most 4,096 characters",
  "kernel/policy/rules/path-readings.ts: /^(.+?)(?:\\/\\*\\*)+\\/\\*$/s":
    "used on a pattern, which has at most 4,096 characters",
};

/** Where expressions are put together, of what, and why that cannot be slow. */
const composed: Readonly<Record<string, string>> = {
  "agent/step/take-step.ts": "words of ours, one of them",
  "capabilities/files/edit/find-match.ts": "a class of characters",
  "capabilities/files/edit/line-folds.ts": "single characters and a class, one of them",
  "capabilities/files/fit/fit-typography.ts": "a class of characters",
  "capabilities/files/fit/typography.ts": "classes of characters",
  "capabilities/worktrees/registrations.ts": "a name of ours, escaped, and digits at its end",
  "faces/interop/streams/partial-arguments.ts": "a pattern of ours with another flag",
  "machine/command-reading/languages/awk-program.ts": "names of ours, one of them",
  "machine/sandbox/recognize-denial.ts": "words of ours, one of them",
  "shared/glob/name-test.ts": "one repetition between two anchors",
  "shared/json-schema/checks/compile-pattern.ts":
    "the pattern of a schema that the author of a tool wrote; those of MCP servers are taken out before",
  "shared/secrets/mask-named-values.ts":
    "names of ours, and repetitions that are limited or followed by nothing",
  "shared/secrets/redact.ts": "the literals next to it, one of them",
  "shared/text/clean-text.ts": "a class of characters",
  "shared/text/escape-controls.ts": "a class of characters",
  "shared/text/look-alikes/show-look-alikes.ts":
    "classes of characters, one of them, or repeated without anything after",
  "shared/text/plain-text.ts": "three literals next to it, one of them",
};

/** Read once for all tests. */
const expressions = readExpressions();

async function readExpressions() {
  const folder = join(projectFolder, "src");
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith(".ts")).sort();
  return Promise.all(
    files.map(async (file) => ({
      file,
      ...findExpressions(file, await readFile(join(folder, file), "utf8")),
    })),
  );
}

test("every expression that could take more than linear time is listed with its reason", async () => {
  const files = await expressions;
  const slow = files.flatMap(({ file, literals }) =>
    literals
      .filter(({ pattern: source, flags }) => analyse({ source, flags }).reports.length > 0)
      .map(({ pattern, flags }) => `${file}: /${pattern}/${flags}`),
  );
  expect([...new Set(slow)].sort()).toEqual(Object.keys(looksSlow).sort());
  expect(files.flatMap(({ file, composed: found }) => (found.length > 0 ? file : []))).toEqual(
    Object.keys(composed),
  );
}, 120_000);

test("no expression takes more than linear time for a text that is made against it", async () => {
  const files = await expressions;
  const literals = files.flatMap(({ file, literals: found }) =>
    found.map(({ pattern, flags }) => [`${file}: /${pattern}/${flags}`, new RegExp(pattern, flags)] as const),
  );
  const slow = [...new Map(literals)].filter(
    ([name, expression]) => !Object.hasOwn(looksSlow, name) && !isKnown(name) && isSlow(expression),
  );
  expect(slow.map(([name]) => name)).toEqual(Object.keys(limited).filter((name) => !isKnown(name)));
  const examples = { sample: [/could not open .*\/trees\//], full: [/\$\{a(?::-[^}]*)?\}/] };
  for (const example of casesOf(examples)) expect(isSlow(example)).toBe(true);
  expect([/^could not open .*\/trees\//, /"[^"]*"/].map(isSlow)).toEqual([false, false]);
}, 120_000);

/** Measuring what is slow takes longest, so that those which are listed are measured in full runs only. */
function isKnown(name: string): boolean {
  return casesOf({ sample: Object.keys(limited), full: [] }).includes(name);
}

function isSlow(expression: RegExp): boolean {
  return attacksOn(expression).some((unit) =>
    ["", "\u0001"].some((end) => growsTooFast(expression, unit, end)),
  );
}

/**
 * Its time grows by far more than three times with three times the text; a time that is only long would say more about
 * the machine. Some systems count processor time in steps of 4 ms, beside which only a long time says anything.
 */
function growsTooFast(expression: RegExp, unit: string, end: string): boolean {
  const msFor = (length: number) => {
    const text = unit.repeat(length / unit.length) + end;
    return cpuMs(() => void text.replace(new RegExp(expression, expression.flags), ""));
  };
  // Never mind how fast it grows.
  if (leastOf(() => msFor(2000), hopelessMs) > hopelessMs) return true;
  // What is quadratic takes longer, however often it is run.
  if (leastOf(() => msFor(16_000), unnoticedMs) <= unnoticedMs) return false;
  let length = 4000;
  let ms = leastOf(() => msFor(length));
  while (ms < worthMeasuringMs && length < maxLength) {
    length *= 2;
    ms = leastOf(() => msFor(length));
  }
  const most = ms * maxGrowth;
  return ms >= worthMeasuringMs && leastOf(() => msFor(length * 3), most) > most;
}

/** Of two runs, or one if that is no longer: the other was held up by something else. */
function leastOf(measure: () => number, enough = 0): number {
  const ms = measure();
  return ms > enough ? Math.min(ms, measure()) : ms;
}

const hopelessMs = 100;
const unnoticedMs = 2;
const worthMeasuringMs = 12;
/** What takes next to no time for so long a text is not quadratic. */
const maxLength = 128_000;
/** Linear would be 3 times, quadratic 9 times. */
const maxGrowth = 5;

test("what takes more than linear time is found", () => {
  const found = (expression: RegExp) =>
    analyse({ source: expression.source, flags: expression.flags }).reports.length > 0;
  expect([/a+$/, /^\s*b/m, /(a|a)*b/, /^a*a*$/, /\(.*\)$/s].map(found)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect([/^a+$/, /a+/, /[ab]/, /^(?:ab)*$/].map(found)).toEqual([false, false, false, false]);
  const source = "const a = /x+$/; const b = new RegExp(`y`); // /no+$/";
  expect(findExpressions("a.ts", source)).toEqual({
    literals: [{ pattern: "x+$", flags: "" }],
    composed: ["new RegExp(`y`)"],
  });
});
