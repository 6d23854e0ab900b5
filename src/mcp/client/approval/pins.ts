import { createLock } from "../../../shared/lock.ts";
import type { Pin, PinContent, PinSubject } from "./pin.ts";
import { readPinFile, updatePinFile } from "./pin-file.ts";

export type PinVerdict = "approved" | "unapproved" | "changed" | "denied";

/** What was approved of servers and their tools, kept where no tool writes. */
export interface Pins {
  get(subject: PinSubject): Pin | undefined;
  list(): readonly Pin[];
  /** Compares with what was approved; with `trustsFirst`, what is seen for the first time is approved by that. */
  judge(subject: PinSubject, seen: PinContent, options: { trustsFirst: boolean }): PinVerdict;
  /** Approves what is pending; with a hash, only if it is still that. */
  approve(subject: PinSubject, hash?: string): Promise<Pin>;
  deny(subject: PinSubject): Promise<Pin>;
  /** Takes in what other processes have decided; whether there is anything new. */
  reload(): Promise<boolean>;
  /** Writes down what `judge` has found out. */
  save(): Promise<void>;
}

type Change = (pins: Map<string, Pin>) => void;

export async function openPins(file: string): Promise<Pins> {
  const inLine = createLock();
  let pins = indexPins(await readPinFile(file));
  let unsaved: Change[] = [];

  const change = (apply: Change) => {
    apply(pins);
    unsaved.push(apply);
  };
  // Others may have written meanwhile, so the changes are made again on what the file holds by now.
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
  const reload = () =>
    inLine(async () => {
      const before = JSON.stringify([...pins.values()]);
      pins = indexPins(await readPinFile(file));
      for (const apply of unsaved) apply(pins);
      return JSON.stringify([...pins.values()]) !== before;
    });
  const decide = async (subject: PinSubject, apply: (pin: Pin) => Pin) => {
    await reload();
    const pin = pins.get(keyOf(subject));
    if (pin === undefined)
      throw new TypeError(`nothing of ${describeSubject(subject)} waits to be decided on`);
    const decided = apply(pin);
    change((all) => all.set(keyOf(subject), decided));
    await save();
    return decided;
  };

  return {
    get: (subject) => pins.get(keyOf(subject)),
    list: () => [...pins.values()],
    reload,
    save,
    judge(subject, seen, { trustsFirst }) {
      const judgeIn = (all: ReadonlyMap<string, Pin>) => {
        const pin = all.get(keyOf(subject)) ?? subject;
        const verdict = compare(pin, seen, trustsFirst);
        return { pin, verdict, noted: note(pin, seen, verdict) };
      };
      const { pin, verdict, noted } = judgeIn(pins);
      // Judged anew on what the file holds by then: somebody may have decided on it meanwhile.
      if (noted !== pin) change((all) => all.set(keyOf(subject), judgeIn(all).noted));
      return verdict;
    },
    approve: (subject, hash) =>
      decide(subject, (pin) => {
        const { pending = pin.approved } = pin;
        if (pending === undefined) throw new TypeError(`nothing of ${describeSubject(subject)} is pending`);
        if (hash !== undefined && !pending.hash.startsWith(hash)) {
          throw new TypeError(`${describeSubject(subject)} has changed again since; look at it once more`);
        }
        return { ...subject, approved: pending };
      }),
    deny: (subject) =>
      decide(subject, ({ approved, pending }) => ({
        ...subject,
        // No to what is pending leaves what was approved before; without anything pending it takes that back.
        ...(pending && approved && { approved }),
        denied: (pending ?? approved)?.hash ?? "",
      })),
  };
}

/** As it is written on the command line. */
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
