import { findSandbox, type Sandbox } from "../../../machine/sandbox/index.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { createRedactor } from "../../../shared/secrets/redact.ts";
import { createStrayGuard } from "../../../shared/stray-rejections.ts";
import { takenNamesOf } from "../../dialects/index.ts";
import {
  homeNames,
  openPolicyScopes,
  type PolicyPlaces,
  policyFolder,
  protectedNames,
  sensitiveNames,
} from "../../policy/index.ts";
import { createRegistry } from "../../registry/index.ts";
import { joinTools } from "../builtin-tools.ts";
import type { Capability } from "../capability.ts";
import { openCapabilities } from "../open-capabilities.ts";
import { findNetworkState } from "../places/network-folder.ts";
import { openPlaces, type Places } from "../places/open-places.ts";
import { createMetricsRecorder } from "../runtime-metrics.ts";
import type { RuntimeOptions } from "../runtime-options.ts";
import { addSources, silentLogger } from "./add-sources.ts";
import { openDialects, runtimeDialect } from "./open-dialects.ts";

/** The capabilities, policy files and options that a runtime is opened with. */
export interface RuntimePlan {
  readonly capabilities: readonly Capability[];
  readonly policyFiles: PolicyPlaces;
  readonly options: RuntimeOptions;
}

/** The parts of the kernel and the capabilities, opened for a runtime; no session is open yet. */
export type AssembledRuntime = Awaited<ReturnType<typeof assembleRuntime>>;

/** Opens the parts of a runtime. `closers` gets all that has to be closed, also if it fails. */
export async function assembleRuntime(
  { capabilities, policyFiles, options }: RuntimePlan,
  closers: (() => Promise<void>)[],
) {
  const builtin = joinTools(capabilities);
  const own = runtimeDialect(options, builtin);
  const spoken = [own];
  const strays = createStrayGuard();
  closers.push(async () => strays.close());
  const places = await openPlaces(options, policyFolder(policyFiles));
  closers.push(places.close);
  const metrics = createMetricsRecorder(places.store);
  const network = await warnOfNetwork(places, options);
  const registry = createRegistry({ takenName: takenNamesOf(spoken) });
  closers.push(registry.close);
  const pluginHooks = await addSources(registry, { builtin: builtin.tools, dialect: own }, options);
  const opening = {
    ...places,
    ...{ options, registry, builtinTools: builtin.tools },
    redactor: createRedactor(options.secrets),
    sandbox: sandboxFor(places, options),
    caller: options.caller ?? ({ kind: "code", name: "toolwright" } as const),
  };
  const { parts, lacking } = await openCapabilities(capabilities, opening, closers);
  const beforeSearch = async () => {
    await Promise.all(parts.map((part) => part.beforeSearch?.()));
  };
  const dialects = openDialects({ builtin, registry, spoken, options, beforeSearch });
  const policySource = await openPolicyScopes({
    places: policyFiles,
    root: places.workspace.root,
    given: options.permissions ?? {},
    names: dialects.names,
  });
  const { readTool } = builtin.roles;
  const dialect = own.name;
  return {
    ...opening,
    ...{ capabilities, policyFiles, parts, lacking, readTool, places, network },
    ...{ strays, metrics, dialect, dialects, policySource, pluginHooks },
  };
}

async function warnOfNetwork({ stateFolder }: Places, { logger = silentLogger, store }: RuntimeOptions) {
  const network = await findNetworkState(stateFolder, store);
  if (network !== undefined) logger.warn(`${network.found}; ${network.advice}`);
  return network;
}

export function extraRootsOf({ workspace }: RuntimeOptions): readonly string[] {
  return typeof workspace === "object" ? (workspace.extraRoots ?? []) : [];
}

/** The sandbox for commands in a workspace, which may also read the `readable` folders. */
export function sandboxFor(
  { workspace, ownFolders, stateFolder, codePaths }: Places,
  options: RuntimeOptions,
  readable: readonly string[] = [],
): () => Promise<Sandbox> {
  const { sandbox: mode = "auto", logger = silentLogger } = options;
  const roots = { root: workspace.root, extraRoots: extraRootsOf(options) };
  // The worktree of a sub-agent is in one of our folders; of that one, it sees nothing else anyway.
  const hidden = ownFolders.filter((folder) => relativeInside(folder, workspace.root) === undefined);
  return findSandbox(
    {
      ...{ mode, roots, readable, hidden: [stateFolder, ...hidden] },
      ...{ protectedNames, homeNames, sensitiveNames, codePaths },
      findPublic: workspace.publicFiles.list,
    },
    { logger },
  );
}
