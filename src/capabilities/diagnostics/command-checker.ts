import { isAbsolute, relative, resolve } from "node:path";
import type { CheckUse } from "../../kernel/services/index.ts";
import { maxDelayMs, withDeadline } from "../../shared/deadline.ts";
import { quoteWord } from "../../shared/text/quote-controls.ts";
import type { CommandOutcome } from "../../tool/services/processes.ts";
import {
  type Checker,
  type CheckerParts,
  type CheckFinding,
  findChecker,
  findingOfError,
  type Problem,
} from "./checker.ts";
import { createComparison } from "./compare-problems.ts";
import { type CheckerOptions, filesWord } from "./diagnostics-options.ts";
import { readProblems } from "./read-problems.ts";

/**
 * Runs the command once for all changes that were made before it starts: changes that come while it runs wait for the
 * next run together.
 */
export function createCommandChecker(options: CheckerOptions, { root, shell }: CheckerParts): Checker {
  const closing = new AbortController();
  const compare = createComparison({ isWhole: !options.command.includes(filesWord) });
  let running: Promise<CheckFinding> | undefined;
  let next: { readonly changed: Set<string>; readonly finding: Promise<CheckFinding> } | undefined;

  const findProblems = async (changed: readonly string[], use: CheckUse) => {
    const { timeoutMs = defaultTimeoutMs, writable = false, format } = options;
    if (format === "language-server") throw new Error("a language server is not run as a command");
    const argv = await findChecker(withFiles(options.command, changed, root), root);
    const profile = writable ? "workspace-write" : "read-only";
    return withDeadline(timeoutMs, closing.signal, async (deadline) => {
      const outcome = await shell.runConfigured(
        {
          gate: { run: (command, directory = root) => use.gate.runConfigured(command, directory, profile) },
          signal: deadline.signal,
          noted: use.noted,
        },
        argv.map(quoteWord).join(" "),
        { directory: root, backgroundAfterMs: maxDelayMs },
      );
      if (outcome.endedBy !== undefined) throw deadline.reason ?? new Error("it was stopped");
      return readOutcome(outcome, format, root);
    });
  };

  const start = (changed: ReadonlySet<string>, use: CheckUse): Promise<CheckFinding> => {
    running = findProblems([...changed], use)
      .then(({ problems, isCut }): CheckFinding => ({ ...compare(problems, changed), isCut }))
      .catch(findingOfError)
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return {
    check(changed, use) {
      if (running === undefined) return start(new Set(changed), use);
      if (next === undefined) {
        const waiting = new Set<string>();
        const finding = running.then(() => {
          next = undefined;
          return start(waiting, use);
        });
        next = { changed: waiting, finding };
      }
      for (const path of changed) next.changed.add(path);
      return next.finding;
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

const defaultTimeoutMs = 30_000;

function withFiles(command: readonly string[], changed: readonly string[], root: string): string[] {
  const names = changed.map((path) => {
    const name = relative(root, path);
    // A program would read a name with a dash as an option.
    return name.startsWith("-") ? `./${name}` : name;
  });
  return command.flatMap((word) => (word === filesWord ? names : [word]));
}

function readOutcome(
  { exitCode, stdout, stderr, omitted }: CommandOutcome,
  format: Exclude<CheckerOptions["format"], "language-server">,
  root: string,
) {
  const isJson = format.endsWith("-json");
  if (isJson && omitted.stdout > 0)
    throw new Error(`it printed more than can be read; give it the changed files only, with ${filesWord}`);
  let problems: Problem[];
  try {
    // Compilers print problems to stderr.
    problems = readProblems(format === "unix" ? `${stdout}\n${stderr}` : stdout, format);
  } catch (error) {
    throw new Error(`${toldBy(stdout, stderr, exitCode)} (${(error as Error).message})`);
  }
  if (problems.length === 0 && exitCode !== 0) throw new Error(toldBy(stdout, stderr, exitCode));
  const absolute = problems.map((problem) => ({
    ...problem,
    path: isAbsolute(problem.path) ? problem.path : resolve(root, problem.path),
  }));
  return { problems: absolute, isCut: omitted.stdout + omitted.stderr > 0 };
}

function toldBy(stdout: string, stderr: string, exitCode: number | null): string {
  const said = (stderr.trim() || stdout.trim()).slice(0, maxSaid);
  return said === "" ? `exit code ${exitCode}` : said;
}

const maxSaid = 1000;
