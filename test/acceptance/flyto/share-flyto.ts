import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { CallResult, PresentedTool, Runtime, RuntimeOptions, Session } from "../../../src/index.ts";
import { openRuntimeAt } from "../../../src/open-runtime.ts";
import { type Contents, putFiles } from "../../support/open-file-session.ts";
import { nowhere, testPolicyPlaces } from "../../support/open-test-session.ts";
import { makeFolder, removeFolder } from "../../support/temporary-folder.ts";

/** One session in Flyto's names for all tests of a file; each of them uses files of its own. */
export interface SharedFlyto {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly workspace: string;
  call(name: string, input?: object): Promise<CallResult>;
  /** Writes files into the workspace. */
  put(contents: Contents): void;
  /** The absolute path of a file of the workspace, as Flyto's tools take it. */
  at(path: string): string;
}

/** Opened before the first test and closed after the last; commands need no approval and run without a sandbox. */
export function shareFlyto(options: RuntimeOptions = {}): SharedFlyto {
  let opened: { folder: string; runtime: Runtime; session: Session } | undefined;
  const get = () => opened!;
  const at = (path: string) => join(get().runtime.workspace, path);
  beforeAll(async () => {
    const folder = makeFolder();
    const runtime = await openRuntimeAt(testPolicyPlaces(nowhere), {
      store: "memory:",
      sandbox: "off",
      permissions: { mode: "auto" },
      ...options,
      dialect: "flyto",
      workspace: folder,
    });
    opened = { folder, runtime, session: await runtime.openSession() };
  });
  afterAll(async () => {
    const { folder, runtime } = get();
    await runtime.close();
    removeFolder(folder);
  });
  return {
    get runtime() {
      return get().runtime;
    },
    get session() {
      return get().session;
    },
    get workspace() {
      return get().runtime.workspace;
    },
    call: (name, input) => get().session.call(name, input),
    put: (contents) => putFiles(get().runtime.workspace, contents),
    at,
  };
}

/** A tool as the catalogue shows it. */
export function shown(session: Session, name: string): PresentedTool {
  const tool = session.tools().find((each) => each.name === name);
  if (tool === undefined) throw new Error(`the catalogue has no ${name}`);
  return tool;
}

/** Flyto's three flags of a tool. */
export function flagsOf(session: Session, name: string) {
  const { concurrencySafe, readOnly, destructive } = shown(session, name).metadata;
  return { concurrencySafe, readOnly, destructive };
}

export const reading = { concurrencySafe: true, readOnly: true, destructive: false };
export const changing = { concurrencySafe: false, readOnly: false, destructive: false };
