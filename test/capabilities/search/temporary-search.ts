import { onTestFinished } from "vitest";
import type { Workspace } from "../../../src/capabilities/files/workspace.ts";
import { searchService } from "../../../src/capabilities/search/search-service.ts";
import type { SeenFile, Visibility } from "../../../src/kernel/policy/gate.ts";
import { unguardedGate } from "../../../src/kernel/policy/gate.ts";
import type { ServiceCall } from "../../../src/kernel/services/service.ts";
import { Deadline } from "../../../src/shared/deadline.ts";
import { temporaryWorkspace } from "../files/temporary-workspace.ts";

interface TestSearchOptions {
  readonly mayShow?: (file: SeenFile) => boolean;
  /** What becomes of a file that may not be shown. Default: it is withheld. */
  readonly otherwise?: Visibility;
}

/** A workspace with these files and a search that shows all of them. */
export async function temporarySearch(
  contents: Record<string, string | Uint8Array> = {},
  options: TestSearchOptions = {},
) {
  const place = await temporaryWorkspace(contents);
  return { ...place, search: await openSearch(place.workspace, options) };
}

export async function openSearch(
  workspace: Workspace,
  { mayShow = () => true, otherwise = "withheld" }: TestSearchOptions = {},
) {
  const service = await searchService.open({ workspace });
  onTestFinished(() => service.close?.());
  const gate = {
    ...unguardedGate(workspace),
    visibility: () => (file: SeenFile) => (mayShow(file) ? ("shown" as const) : otherwise),
  };
  return service.forCall(gate, { deadline: new Deadline() } as ServiceCall);
}
