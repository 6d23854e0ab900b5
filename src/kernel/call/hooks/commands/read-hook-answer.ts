import { isPlainObject } from "../../../../shared/json.ts";
import { answerLimits, findJsonExcess } from "../../../../shared/json-rpc/find-json-excess.ts";
import type { ProgramEnd } from "../../../../shared/programs/run-program.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";

/** What a program said as a hook. */
export interface HookSaid {
  readonly decision?: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** An input in the caller's terms to continue with. */
  readonly written?: unknown;
  /** Text for the model, beside the result. */
  readonly context?: string;
}

/**
 * Reads a program's answer: no output means no opinion, exit code 2 denies with stderr as the reason, and anything that
 * is not understood throws, which denies too: it may have been meant as a denial. Takes the forms that other systems'
 * hooks print.
 */
export function readHookAnswer({ exitCode, stdout, stderr }: ProgramEnd): HookSaid {
  if (exitCode === 2)
    return { decision: "deny", reason: said(stderr) || said(stdout) || "it gave no reason" };
  if (exitCode !== 0) {
    const how = exitCode === null ? "it was killed by a signal" : `it exited with code ${exitCode}`;
    throw new Error(said(stderr) === "" ? how : `${how}: ${said(stderr)}`);
  }
  if (stdout.trim() === "") return {};
  const answer = parse(stdout);
  const specific = isPlainObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
  const fields = { ...answer, ...specific };
  // More than one may be given, in newer and older fields: a program that means no must not be taken for a yes.
  const given = [answer, specific]
    .flatMap(({ permissionDecision, behavior, decision }) => [permissionDecision, behavior, decision])
    .filter((each) => each !== undefined && each !== null)
    .map(readDecision);
  if (answer.continue === false) given.push("deny");
  const decision = strictestFirst.find((each) => given.includes(each));
  const reason = [fields.permissionDecisionReason, answer.stopReason, fields.reason, fields.message].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  const { additionalContext, updatedInput } = fields;
  return {
    ...(decision && { decision }),
    ...(typeof reason === "string" && { reason: reason.slice(0, maxReasonCharacters) }),
    ...(updatedInput !== undefined && { written: updatedInput }),
    ...(typeof additionalContext === "string" && additionalContext !== "" && { context: additionalContext }),
  };
}

const maxReasonCharacters = 10_000;

function said(text: string): string {
  return oneLine(text.trim(), 500);
}

function parse(text: string): Record<string, unknown> {
  const excess = findJsonExcess(text, answerLimits);
  if (excess !== undefined) throw new Error(`its answer cannot be taken: ${excess}`);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`it printed something that is not JSON: ${oneLine(text.trim(), 100)}`);
  }
  if (!isPlainObject(answer)) throw new Error("it printed JSON that is not an object");
  return answer;
}

function readDecision(given: unknown): "allow" | "ask" | "deny" {
  const known = typeof given === "string" ? decisions.get(given) : undefined;
  if (known !== undefined) return known;
  throw new Error(
    `it printed the unknown decision ${oneLine(JSON.stringify(given), 100)}; known: allow, ask, deny`,
  );
}

const strictestFirst = ["deny", "ask", "allow"] as const;

const decisions: ReadonlyMap<string, "allow" | "ask" | "deny"> = new Map([
  ["allow", "allow"],
  ["approve", "allow"],
  ["ask", "ask"],
  ["deny", "deny"],
  ["block", "deny"],
]);
