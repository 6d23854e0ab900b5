import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Runtime, RuntimeOptions, Session, SessionOptions } from "../../src/index.ts";
import type { PolicyPlaces } from "../../src/kernel/policy/scopes/policy-places.ts";
import { openRuntimeAt } from "../../src/open-runtime.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export { temporaryFolder };

/** A folder that is not there, and that not even root can make. */
export const nowhere = "/sys/nonexistent";

/** Policy files in a folder of the test's own, in place of those of the machine and of whoever runs the test. */
export function testPolicyPlaces(folder: string): PolicyPlaces {
  return {
    managed: join(folder, "etc", "policy.json"),
    user: join(folder, "config", "policy.json"),
    trust: join(folder, "config", "trust.json"),
  };
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
  policyFiles: PolicyPlaces = testPolicyPlaces(nowhere),
): Promise<TestSession> {
  const workspace = options.workspace ?? temporaryFolder();
  const runtime = await openRuntimeAt(policyFiles, { store: "memory:", ...options, workspace });
  onTestFinished(() => runtime.close());
  return { runtime, session: await runtime.openSession(session), workspace: runtime.workspace };
}
