import { allDialectNames } from "../../kernel/dialects/index.ts";
import { plainDecision, type WaitingKind } from "../../kernel/people/index.ts";
import { capability } from "../../kernel/runtime/index.ts";
import { existsNow } from "../../machine/locks/index.ts";
import { labelRows, markRows, narrowColumns } from "../../shared/text/mark-rows.ts";
import type { MadeToolStatus } from "../../tool/services/made.ts";
import { madeRecordsFile, madeToolsFolder } from "./made-places.ts";
import { type MadeServiceParts, madeService } from "./made-service.ts";
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
    const root = workspace.root;
    const parts: MadeToolsParts = {
      ...{ root, stateFolder: projectFolder, registry, redactor },
      impersonated: findImpersonated(builtinTools.map(({ name }) => name)),
      isSandboxOff: options.sandbox === "off",
    };
    let opening: Promise<MadeTools> | undefined;
    /** Opens the project's made tools. Where there are none yet, their code is loaded with the first one that is proposed. */
    const open = () => {
      opening ??= import("./made-tools.ts").then(({ openMadeTools }) => openMadeTools(parts));
      return opening;
    };
    const places = [madeRecordsFile(projectFolder), madeToolsFolder(root)];
    const openIfAny = async () => (opening !== undefined || places.some(existsNow) ? open() : undefined);
    await openIfAny();
    const by = `${caller.kind} ${caller.name}`;
    const madeTools: RuntimeMadeTools = {
      list: async () => (await openIfAny())?.list() ?? [],
      approve: async (id) => (await open()).approve(id, by),
      deny: async (id, why) => (await open()).deny(id, by, why),
      revoke: async (id, why) => (await open()).revoke(id, by, why),
    };
    const made: MadeServiceParts["madeTools"] = {
      propose: async (tool, proposer) => (await open()).propose(tool, proposer),
      forgetSession: async (id) => (await opening)?.forgetSession(id),
    };
    return {
      beforeSearch: async () => (await openIfAny())?.refresh(),
      waiting: [waitingTools(madeTools)],
      session: async ({ id, proposals }) => ({
        services: { made: await madeService.open({ id, proposals, madeTools: made }) },
      }),
      members: () => ({ madeTools }),
    };
  },
});

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
