import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openRuntime, type Runtime } from "../../src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { sessionTools } from "./session-tools.ts";

export interface Place {
  readonly workspace: string;
  readonly store: string;
  /** Opens a runtime here, closed when the test is over. */
  open(): Promise<Runtime>;
}

/** A workspace and a store beside it, both gone when the test is over. */
export async function createPlace(): Promise<Place> {
  const folder = temporaryFolder();
  const workspace = join(folder, "workspace");
  await mkdir(workspace);
  const store = `sqlite:${join(folder, "store.sqlite")}`;
  const open = async () => {
    const runtime = await openRuntime({
      workspace,
      store,
      tools: sessionTools,
      permissions: { mode: "auto" },
    });
    onTestFinished(() => runtime.close());
    return runtime;
  };
  return { workspace, store, open };
}
