import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  openRuntime,
  type Runtime,
  type RuntimeOptions,
  type Session,
  type SessionOptions,
} from "../../src/index.ts";

/** An empty folder that goes when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestSession {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly workspace: string;
}

/** A real runtime on an empty workspace with a store in memory, closed when the test ends. */
export async function openTestSession(
  options: RuntimeOptions = {},
  session: SessionOptions = {},
): Promise<TestSession> {
  const workspace = options.workspace ?? (await temporaryFolder());
  const runtime = await openRuntime({ store: "memory:", ...options, workspace });
  onTestFinished(() => runtime.close());
  return { runtime, session: await runtime.openSession(session), workspace: runtime.workspace };
}
