import { createNameTest } from "../../../../shared/glob/name-test.ts";
import { fencedText } from "../../../../shared/markdown/fenced-text.ts";
import type { CallOutcome } from "../../call-outcome.ts";
import type { EventHook, HookCall, Hooks, PermissionHook } from "../hooks.ts";
import {
  checkHookCommands,
  type HookCommand,
  type HookCommands,
  type HookEvent,
  noticedEvents,
} from "./hook-command.ts";
import { type HookSaid, readHookAnswer } from "./read-hook-answer.ts";

/** Where programs run as hooks, and whose programs are not found by name. */
export interface HookPlace {
  readonly root: string;
  /** A tool's canonical name, whatever dialect's name is given. */
  readonly canonicalName: (name: string) => string;
}

/** Programs as hooks of the same kinds as functions. */
export function commandHooks(commands: HookCommands, place: HookPlace): Hooks {
  // Those of a plugin, which may come at any time.
  checkHookCommands(commands);
  const each = (event: HookEvent) =>
    (commands[event] ?? []).map((hook) => ({
      hook,
      isFor: matcherOf(hook, place),
      ask: asker(event, hook, place),
    }));
  const eventHooks = noticedEvents.flatMap((event) =>
    each(event).map(
      ({ ask }): EventHook =>
        async (notice) => {
          if (notice.event !== event) return;
          const { event: _event, signal, sessionId, ...about } = notice;
          const { decision, reason } = await ask({ session_id: sessionId, ...about }, signal);
          if (decision === "deny") return { decision, reason: reason ?? "" };
          if (decision === "ask") throw new Error("it wants somebody to be asked; it can only deny here");
        },
    ),
  );
  return {
    beforeCall: each("PreToolUse").map(({ isFor, ask }) => async (call) => {
      if (!isFor(call)) return;
      const { decision, reason = "", written } = await ask(aboutCall(call), call.signal);
      // Asking about the input that it did not want would be worse than either.
      if (decision === "ask" && written !== undefined)
        throw new Error("it asks and changes the input in one answer; it can do one of them");
      // An allow is no more than silence here: it must not outweigh anything else that is asked.
      if (decision === "deny" || decision === "ask") return { decision, reason };
      if (written !== undefined) return { decision: "rewrite", written };
    }),
    afterCall: each("PostToolUse").map(({ isFor, ask }) => async (call, outcome) => {
      if (!isFor(call)) return;
      return addToResult(outcome, await ask({ ...aboutCall(call), ...aboutOutcome(outcome) }, call.signal));
    }),
    permission: each("PermissionRequest").map(
      ({ hook, isFor, ask }): PermissionHook =>
        async (call, { reason: why }) => {
          if (!isFor(call)) return;
          const about = { ...aboutCall(call), reason: why };
          const { decision, reason = "", written } = await ask(about, call.signal);
          if (decision === "deny") return { decision, reason };
          // The hook approves another call than the one that would run.
          if (written !== undefined) throw new Error("only PreToolUse can change the input");
          if (decision === "allow" && hook.mayApprove) return { decision, reason };
        },
    ),
    event: eventHooks,
  };
}

type Asker = (about: object, signal: AbortSignal) => Promise<HookSaid>;

function asker(event: HookEvent, { command, timeoutMs = 60_000 }: HookCommand, { root }: HookPlace): Asker {
  return async (about, signal) => {
    const { runProgram } = await import("../../../../shared/programs/run-program.ts");
    const input = `${JSON.stringify({ hook_event_name: event, cwd: root, ...about })}\n`;
    const options = { cwd: root, untrusted: [root], input, timeoutMs, maxOutputBytes, signal };
    return readHookAnswer(await runProgram(command, options));
  };
}

// As much as a decision may reasonably need, with an input of a megabyte in it.
const maxOutputBytes = 4 * 2 ** 20;

function aboutCall({ callId, sessionId, caller, tool, name, input, written }: HookCall): object {
  return {
    session_id: sessionId,
    call_id: callId,
    caller,
    tool_name: name,
    tool_input: written,
    canonical_name: tool,
    canonical_input: input,
  };
}

function aboutOutcome({ status, text, error }: CallOutcome): object {
  return { tool_response: text, status, ...(error && { error }) };
}

function addToResult({ text }: CallOutcome, { decision, reason, context }: HookSaid) {
  const added = [decision === "deny" ? reason : undefined, context].filter((part) => part !== undefined);
  if (added.length === 0) return undefined;
  // It may repeat a text that the call has read, which could pass for the text that we add below.
  const said = `A hook adds:\n${fencedText(added.join("\n\n"))}`;
  return { decision: "update", text: [text, said].join("\n\n") } as const;
}

function matcherOf({ matcher }: HookCommand, { canonicalName }: HookPlace): (call: HookCall) => boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return () => true;
  const named = matcher.split("|").map((name) => name.trim());
  const matches = createNameTest([...named, ...named.map(canonicalName)]);
  return ({ tool, name }) => matches(tool) || matches(name);
}
