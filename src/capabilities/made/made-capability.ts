import { allDialectNames } from "../../kernel/dialects/index.ts";
import { plainDecision, type WaitingKind } from "../../kernel/people/index.ts";
import { capability } from "../../kernel/runtime/index.ts";
import { existsNow } from "../../machine/locks/index.ts";
import { labelRows, markRows, narrowColumns } from "../../shared/text/mark-rows.ts";
import type { Caller } from "../../tool/caller.ts";
import type { MadeToolStatus } from "../../tool/services/made.ts";
import { madeRecordsFile, madeToolsFolder } from "./made-places.ts";
import { madeService } from "./made-service.ts";
import type { MadeTools, MadeToolsParts } from "./made-tools.ts";
import create from "./tools/tool/create.ts";

declare module "../../kernel/runtime/runtime.ts" {
  interface Runtime {
    /** The tools that agents have made for the project, and those that need approval. */
    readonly madeTools: RuntimeMadeTools;
  }
}

/** For the person who decides on the tools that agents make. */
export interface RuntimeMadeTools {
  list(): Promise<readonly MadeToolStatus[]>;
  /** Approves a proposal, after it was checked; rejects if it has changed since the id was shown. */
  approve(id: string): Promise<void>;
  /** Denies a proposal. */
  deny(id: string, why?: string): Promise<void>;
  /** Takes the approval of a tool back, in every process; agents cannot propose this version again. */
  revoke(id: string, why?: string): Promise<void>;
}

/** Tools that agents make. */
export const madeCapability = capability({
  name: "made",
  services: { made: madeService },
  tools: [create],
  async open({ workspace, projectFolder, registry, redactor, builtinTools, options, caller }) {
    const madeTools = await openMadeToolsIfAny({
      ...{ root: workspace.root, stateFolder: projectFolder, registry, redactor },
      impersonated: findImpersonated(builtinTools.map(({ name }) => name)),
      isSandboxOff: options.sandbox === "off",
    });
    const made = peoplesView(madeTools, caller);
    return {
      beforeSearch: madeTools.refresh,
      waiting: [waitingTools(made)],
      session: async ({ id, proposals }) => ({
        services: { made: await madeService.open({ id, proposals, madeTools }) },
      }),
      members: () => ({ madeTools: made }),
    };
  },
});

function peoplesView({ list, approve, deny, revoke }: MadeTools, { kind, name }: Caller): RuntimeMadeTools {
  const by = `${kind} ${name}`;
  return {
    list,
    approve: (id) => approve(id, by),
    deny: (id, why) => deny(id, by, why),
    revoke: (id, why) => revoke(id, by, why),
  };
}

/** The project's made tools. Where there are none yet, their code is loaded with the first one that is proposed. */
async function openMadeToolsIfAny(parts: MadeToolsParts): Promise<MadeTools> {
  let opening: Promise<MadeTools> | undefined;
  const open = () => {
    opening ??= import("./made-tools.ts").then(({ openMadeTools }) => openMadeTools(parts));
    return opening;
  };
  const places = [madeRecordsFile(parts.stateFolder), madeToolsFolder(parts.root)];
  const openIfAny = async () => (opening !== undefined || places.some(existsNow) ? open() : undefined);
  await openIfAny();
  return {
    propose: async (tool, by) => (await open()).propose(tool, by),
    list: async () => (await openIfAny())?.list() ?? [],
    approve: async (id, by) => (await open()).approve(id, by),
    deny: async (id, by, why) => (await open()).deny(id, by, why),
    revoke: async (id, by, why) => (await open()).revoke(id, by, why),
    refresh: async () => (await openIfAny())?.refresh(),
    forgetSession: async (id) => (await opening)?.forgetSession(id),
  };
}

/**
 * Finds the built-in tool that a name could be taken for, in any dialect: a name with the same letters, in any case and
 * with its words joined in any way. This is stricter than for tools that people write, who choose their names
 * knowingly.
 */
function findImpersonated(builtIn: readonly string[]): (name: string) => string | undefined {
  let known: ReadonlyMap<string, string> | undefined;
  return (name) => {
    known ??= new Map(
      [...builtIn.map((each) => [each, each] as const), ...allDialectNames()].map(([as, tool]) => [
        fold(as),
        tool,
      ]),
    );
    const reserved = reservedPrefixes.find((prefix) => name.startsWith(prefix));
    return reserved === undefined ? known.get(fold(name)) : `of the prefix ${reserved}`;
  };
}

const reservedPrefixes = ["mcp_", "internal_"];

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Tools that agents have made, and new versions of them. */
export function waitingTools(made: Pick<RuntimeMadeTools, "list" | "approve" | "deny">): WaitingKind {
  return {
    name: "tool",
    takes: "decision",
    async list({ columns = narrowColumns } = {}) {
      const proposed = (await made.list()).filter(({ status }) => status === "proposed");
      return proposed.map(({ id, madeBy, text }) => ({
        id,
        title: "made tool",
        // An agent wrote it, or a repository brings it.
        text: [...labelRows("made by:", madeBy, columns), ...markRows(text.trimEnd(), columns)].join("\n"),
      }));
    },
    async settle(id, said) {
      const { decision, note } = plainDecision(said, untilNextVersion);
      await (decision === "allow" ? made.approve(id) : made.deny(id, note));
    },
  };
}

const untilNextVersion = "a tool is approved until it changes, so its answer takes neither session nor stop";
