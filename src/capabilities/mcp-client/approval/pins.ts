import { readOwnFile, updateOwnFile } from "../../../machine/locks/index.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { createLock } from "../../../shared/lock.ts";
import { defined } from "../../../shared/options/defined.ts";

export type PinVerdict = "approved" | "unapproved" | "changed" | "denied";

export type Pins = Awaited<ReturnType<typeof openPins>>;

type Change = (pins: Map<string, Pin>) => void;

/** The approvals of servers and their tools, stored where no tool can write. */
export async function openPins(file: string) {
  const inLine = createLock();
  const readPins = async () => indexPins(parsePins(await readOwnFile(file), file));
  let pins = await readPins();
  let unsaved: Change[] = [];

  const change = (apply: Change) => {
    apply(pins);
    unsaved.push(apply);
  };
  /**
   * Stores what `judge` and `forgetUndeclared` found. Other processes may have written meanwhile, so the changes are
   * applied to the file's current content.
   */
  const save = () =>
    inLine(async () => {
      if (unsaved.length === 0) return;
      const changes = unsaved;
      unsaved = [];
      const saved = await updatePinFile(file, (kept) => {
        const fresh = indexPins(kept);
        for (const apply of changes) apply(fresh);
        return [...fresh.values()];
      });
      pins = indexPins(saved);
      for (const apply of unsaved) apply(pins);
    });
  /** Reads the decisions of other processes; true if any is new. */
  const reload = () =>
    inLine(async () => {
      const before = JSON.stringify([...pins.values()]);
      pins = await readPins();
      for (const apply of unsaved) apply(pins);
      return JSON.stringify([...pins.values()]) !== before;
    });
  const decide = async (subject: PinSubject, apply: (pin: Pin) => Pin) => {
    await reload();
    const pin = pins.get(keyOf(subject));
    if (pin === undefined) throw new TypeError(`${describeSubject(subject)} does not need approval`);
    const decided = apply(pin);
    change((all) => all.set(keyOf(subject), decided));
    await save();
    return decided;
  };

  return {
    get: (subject: PinSubject) => pins.get(keyOf(subject)),
    list: (): readonly Pin[] => [...pins.values()],
    reload,
    save,
    /** Compares with the approved content; with `trustsFirst`, new content is approved at first sight. */
    judge(subject: PinSubject, seen: PinContent, { trustsFirst }: { trustsFirst: boolean }): PinVerdict {
      const judgeIn = (all: ReadonlyMap<string, Pin>) => {
        const pin = all.get(keyOf(subject)) ?? subject;
        const verdict = compare(pin, seen, trustsFirst);
        return { pin, verdict, noted: note(pin, seen, verdict) };
      };
      const { pin, verdict, noted } = judgeIn(pins);
      // Judged again on the file's content at saving time: it may have been decided meanwhile.
      if (noted !== pin) change((all) => all.set(keyOf(subject), judgeIn(all).noted));
      return verdict;
    },
    /** Forgets servers that wait for a decision but are no longer declared. */
    forgetUndeclared(declared: ReadonlySet<string>): void {
      const isLeftOver = ({ server, tool, approved, denied }: Pin) =>
        tool === undefined && approved === undefined && denied === undefined && !declared.has(server);
      if (![...pins.values()].some(isLeftOver)) return;
      change((all) => {
        for (const [key, pin] of all) if (isLeftOver(pin)) all.delete(key);
      });
    },
    /** Approves the pending content; with a hash, only if it still matches. */
    approve: (subject: PinSubject, hash?: string) =>
      decide(subject, (pin) => {
        const { pending = pin.approved } = pin;
        if (pending === undefined) throw new TypeError(`${describeSubject(subject)} does not need approval`);
        if (hash !== undefined && !pending.hash.startsWith(hash)) {
          throw new TypeError(
            `${describeSubject(subject)} has changed since you reviewed it; review it again`,
          );
        }
        return { ...subject, approved: pending };
      }),
    deny: (subject: PinSubject) =>
      decide(subject, ({ approved, pending }) => ({
        ...subject,
        // Denying pending content keeps the earlier approval; with nothing pending, it revokes the approval.
        ...defined({ approved: pending && approved }),
        denied: (pending ?? approved)?.hash ?? "",
      })),
  };
}

/** The subject's id on the command line. */
export function describeSubject({ server, tool }: PinSubject): string {
  return tool === undefined ? `mcp:${server}` : `mcp:${server}/${tool}`;
}

function compare({ approved, denied }: Pin, { hash }: PinContent, trustsFirst: boolean): PinVerdict {
  if (approved?.hash === hash) return "approved";
  if (denied === hash) return "denied";
  if (approved !== undefined) return "changed";
  return trustsFirst && denied === undefined ? "approved" : "unapproved";
}

function note(pin: Pin, seen: PinContent, verdict: PinVerdict): Pin {
  const { pending, ...decided } = pin;
  if (verdict === "approved") {
    return pin.approved !== undefined && pending === undefined ? pin : { ...decided, approved: seen };
  }
  if (verdict === "denied") return pending === undefined ? pin : decided;
  return pending?.hash === seen.hash ? pin : { ...decided, pending: seen };
}

function indexPins(pins: readonly Pin[]): Map<string, Pin> {
  return new Map(pins.map((pin) => [keyOf(pin), pin]));
}

function keyOf({ server, tool }: PinSubject): string {
  return tool === undefined ? server : `${server}\0${tool}`;
}

/** A server's configuration or a tool's definition as seen at one time. */
export interface PinContent {
  readonly hash: string;
  /** For a person to read, and for later comparison. */
  readonly text: string;
}

/** A server, or one of its tools. */
export interface PinSubject {
  readonly server: string;
  readonly tool?: string;
}

export interface Pin extends PinSubject {
  readonly approved?: PinContent;
  /** Content seen since the last decision, and not decided yet. */
  readonly pending?: PinContent;
  /** Hash of the denied content. */
  readonly denied?: string;
}

/** Changes the file atomically. `change` runs again if another process changes the file at the same time. */
async function updatePinFile(
  file: string,
  change: (pins: readonly Pin[]) => readonly Pin[],
): Promise<readonly Pin[]> {
  let pins: readonly Pin[] = [];
  const write = (text: string | undefined) => {
    pins = change(parsePins(text, file));
    return `${JSON.stringify({ version: 1, pins })}\n`;
  };
  await updateOwnFile(file, write);
  return pins;
}

const content: JsonSchema = {
  type: "object",
  properties: { hash: { type: "string" }, text: { type: "string" } },
  required: ["hash", "text"],
};

const checkFile = compileSchema({
  type: "object",
  properties: {
    version: { const: 1 },
    pins: {
      type: "array",
      items: {
        type: "object",
        properties: {
          server: { type: "string" },
          tool: { type: "string" },
          approved: content,
          pending: content,
          denied: { type: "string" },
        },
        required: ["server"],
      },
    },
  },
  required: ["version", "pins"],
});

/** Empty if there is no file. A file that cannot be read is an error, or changed tools would be approved as new. */
function parsePins(text: string | undefined, file: string): readonly Pin[] {
  if (text === undefined) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged; delete it, then approve MCP servers and tools again`, { cause });
  }
  const validation = checkFile(parsed);
  if (validation.ok) return (validation.value as { pins: readonly Pin[] }).pins;
  throw new Error(`${file} is damaged: ${validation.issues[0]?.message}`);
}
