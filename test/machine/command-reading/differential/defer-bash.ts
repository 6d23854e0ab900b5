import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { registerHooks } from "node:module";
import { promisify } from "node:util";
import type { Verdict } from "../../../../src/kernel/policy/verdict.ts";

/** The texts that bash would have been asked about, of a verdict that is looked for in bulk. */
export const deferredTexts = new AsyncLocalStorage<string[]>();
const standIn = new URL("deferred-syntax.ts", import.meta.url).href;
let isDeferred = false;

/**
 * Most of the time of a verdict is taken by a bash that checks the syntax, and all that it can do is to turn a yes into a
 * question. Where this is in place, it is asked about many commands at once, and only about those that get a yes.
 */
export function deferBash(): void {
  isDeferred = true;
  registerHooks({
    resolve(specifier, context, next) {
      const isMeant = specifier.endsWith("/bash-oracle.ts") && context.parentURL !== standIn;
      return isMeant ? next(standIn, context) : next(specifier, context);
    },
  });
}

/** The runtime's verdicts; where bash complains, the runtime is asked once more, with a bash of its own. */
export async function judgeInBulk(
  commands: readonly string[],
  judge: (command: string) => Promise<Verdict>,
): Promise<Verdict[]> {
  if (!isDeferred) return Promise.all(commands.map(judge));
  const found = await Promise.all(
    commands.map(async (command) => {
      const texts: string[] = [];
      return { command, texts, verdict: await deferredTexts.run(texts, () => judge(command)) };
    }),
  );
  const allowed = found.filter(({ verdict }) => verdict.decision === "allow");
  const accepted = await findAccepted(allowed.flatMap(({ texts }) => texts));
  return Promise.all(
    found.map(({ command, texts, verdict }) => {
      const isSure = verdict.decision !== "allow" || texts.every((text) => accepted.has(text));
      return isSure ? verdict : judge(command);
    }),
  );
}

/** Those that bash takes without a word, each asked about as the runtime does. */
async function findAccepted(texts: readonly string[]): Promise<Set<string>> {
  const asked = [...new Set(texts)].filter((text) => !text.includes("\0") && text.length < maxLength);
  if (asked.length === 0) return new Set();
  const { stdout } = await promisify(execFile)("/bin/bash", ["--norc", "-c", askAboutAll, "bash", ...asked], {
    cwd: "/",
    env: { LC_ALL: "C.UTF-8" },
  });
  const answers = stdout.split("\n");
  return new Set(asked.filter((_, at) => answers[at] === "accepted"));
}

const askAboutAll = `for text; do
  if complaint=$(/bin/bash --norc --noprofile -n -c -- "$text" 2>&1 >/dev/null) && [ -z "$complaint" ]
  then echo accepted; else echo refused; fi
done`;
const maxLength = 2_000;
