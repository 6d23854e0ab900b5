import { dirname, join } from "node:path";
import { vi } from "vitest";
import { createPlace, type Place } from "../e2e/open-temporary-runtime.ts";
import { type Child, startChild } from "../kernel/store/child.ts";
import { putFiles } from "../support/open-file-session.ts";
import { contents } from "./changes.ts";

const script = new URL("child-change.ts", import.meta.url);

/** How far a process came that makes one change. */
export interface Outcome {
  /** Its pid, and the id of the call that it made first, if any. */
  readonly ready: { readonly ready: number; readonly first?: string };
  /** Undefined if it was killed before it could tell. */
  readonly told: { readonly callId: string; readonly status: string; readonly count: number } | undefined;
}

/** A workspace with the contents, and its own state. */
export async function prepare(): Promise<Place> {
  const place = await createPlace();
  vi.stubEnv("XDG_STATE_HOME", join(dirname(place.workspace), "state"));
  await putFiles(place.workspace, contents);
  return place;
}

/** Has a process make the change, which a signal stops at the boundary. */
export async function startChange(
  { workspace, store }: Place,
  name: string,
  { boundary = "0", signal = "SIGKILL" }: { boundary?: string; signal?: string } = {},
): Promise<{ child: Child; ready: Outcome["ready"] }> {
  const child = startChild(script, [workspace, store, name, boundary, signal]);
  return { child, ready: JSON.parse(await child.nextLine()) };
}

export async function makeChange(place: Place, name: string, boundary: string): Promise<Outcome> {
  const { child, ready } = await startChange(place, name, { boundary });
  child.tell();
  const [line] = await child.printed();
  return { ready, told: line === undefined ? undefined : JSON.parse(line) };
}
