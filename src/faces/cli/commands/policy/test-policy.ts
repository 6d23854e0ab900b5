import {
  type Mode,
  type PolicyExample,
  type PolicyFile,
  PolicyFileError,
  type PolicyPlaces,
  type PolicyRule,
  parseRule,
  type RuleList,
  type RuleNames,
} from "../../../../kernel/policy/index.ts";
import type { RuntimeOptions } from "../../../../kernel/runtime/index.ts";
import { openRuleNames } from "../../../../open-runtime.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type ExitCode, exitCodes, type Invocation, UsageError } from "../../command.ts";
import { asUsage } from "../../open/as-usage.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import { withRuntimeAt } from "../../open/with-runtime.ts";
import { policyFilesFor, rootOf, withTrusted } from "./policy-files.ts";

interface TestOutcome {
  readonly file: string;
  readonly line: number;
  /** The test, such as `Bash(git push *) matches git push`. */
  readonly test: string;
  readonly passed: boolean;
  readonly found: string;
}

/** Tries the examples beside rules, each rule alone, and the tests, with the whole policy. */
export async function testPolicy({ arguments: named, flags, output }: Invocation): Promise<ExitCode> {
  const given = await optionsFromFlags(flags);
  const root = await rootOf(given);
  const options: RuntimeOptions = { ...given, workspace: root, store: "memory:", mcpServers: "off" };
  const outcomes: TestOutcome[] = [];
  for (const file of await policyFilesFor(named, root)) {
    if (file instanceof PolicyFileError) throw new UsageError(file.message);
    outcomes.push(...(await tryExamples(file, options)), ...(await tryTests(file, options, root)));
  }
  const failed = outcomes.filter(({ passed }) => !passed);
  if (flags.json) await output.writeJson(outcomes);
  else {
    for (const { file, line, test, found } of failed)
      await output.write(`${escapeLine(`${file}:${line}: ${test}: ${found}`)}\n`);
    await output.tell(`${outcomes.length - failed.length} of ${countOf(outcomes.length, "test")} passed`);
  }
  return failed.length > 0 ? exitCodes.failed : exitCodes.done;
}

async function tryExamples(file: PolicyFile, options: RuntimeOptions): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  const { names, close } = await asUsage(() => openRuleNames(options));
  try {
    for (const list of ["deny", "ask", "allow"] as const) {
      for (const rule of file[list].filter(({ examples }) => examples !== undefined))
        outcomes.push(...(await tryRule(rule, { file, list, names, options })));
    }
  } finally {
    await close();
  }
  return outcomes;
}

interface RuleTrial {
  readonly file: PolicyFile;
  readonly list: RuleList;
  readonly names: RuleNames;
  readonly options: RuntimeOptions;
}

// These places have no policy file, so that the rule is alone.
const nowhere: PolicyPlaces = {
  managed: "/dev/null/policy.json",
  user: "/dev/null/policy.json",
  trust: "/dev/null/trust.json",
  project: "/dev/null/policy.json",
};

async function tryRule(
  { text, line, examples = {} }: PolicyRule,
  { file, list, names, options }: RuleTrial,
): Promise<TestOutcome[]> {
  // In these modes, only the rule can lead to its decision.
  const mode: Mode = list === "allow" ? "ask" : "auto";
  const permissions = { mode, [list]: [text] };
  const callOf = await createCalls(text, { list, names });
  const tried = [...(examples.match ?? []), ...(examples.not ?? [])];
  const verdicts = await judge(nowhere, { ...options, permissions }, tried.map(callOf));
  return verdicts.map(({ decision, decidedBy }, index) => {
    const example = tried[index];
    const shown = typeof example === "string" ? example : JSON.stringify(example);
    const isMeant = index < (examples.match ?? []).length;
    const isMatched = decidedBy === `rule ${list}: ${text}` && decision === list;
    return {
      file: file.path,
      line,
      test: `${text} ${isMeant ? "matches" : "does not match"} ${shown}`,
      passed: isMatched === isMeant,
      found: isMatched ? "it matches" : "it does not match",
    };
  });
}

/** Makes the calls that examples stand for: a command, or a path that is read or written. */
async function createCalls(
  text: string,
  { list, names }: { list: RuleList; names: RuleNames },
): Promise<(example: PolicyExample) => ExampleCall> {
  const rule = await asUsage(() => parseRule(text, { where: "", names, isAllowing: list === "allow" }));
  const tool = /^[^(]*/.exec(text)![0].trim();
  return (example) => {
    if (typeof example !== "string") return example;
    if (rule.matchesCommand !== undefined) return { tool, input: { command: example } };
    if (rule.matchesPath === undefined)
      throw new UsageError(
        `an example of ${text} must be a call, as in { "tool": …, "input": … }; received ${JSON.stringify(example)}`,
      );
    if (rule.action === "write") return { tool: "file_write", input: { path: example, content: "" } };
    return { tool: rule.action === "read" ? "file_read" : tool, input: { path: example } };
  };
}

async function tryTests(file: PolicyFile, options: RuntimeOptions, root: string): Promise<TestOutcome[]> {
  if (file.tests.length === 0) return [];
  return withTrusted({ root, file: file.path }, async (places) => {
    const outcomes: TestOutcome[] = [];
    for (const { tool, input, expect, mode, line } of file.tests) {
      const permissions = { ...options.permissions, ...defined({ mode }) };
      const [verdict] = await judge(places, { ...options, permissions }, [{ tool, input }]);
      const { decision, reason } = verdict!;
      outcomes.push({
        file: file.path,
        line,
        test: `${expect} ${tool} ${JSON.stringify(input ?? {})}`,
        passed: decision === expect,
        found: `${decision}: ${reason}`,
      });
    }
    return outcomes;
  });
}

type ExampleCall = Exclude<PolicyExample, string>;

/** The verdicts on calls by the policy at these places. */
function judge(places: PolicyPlaces, options: RuntimeOptions, calls: readonly ExampleCall[]) {
  return withRuntimeAt(places, options, async (runtime) => {
    const session = await runtime.openSession();
    return Promise.all(calls.map(({ tool, input }) => asUsage(() => session.explain(tool, input))));
  });
}
