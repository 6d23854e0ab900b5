import { setTimeout as wait } from "node:timers/promises";
import type { SourceProblem, ToolSource, VersionedTool } from "../../kernel/registry/tool-source.ts";
import { cleanText } from "../../shared/text/clean-text.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { launchContent } from "./approval/launch-content.ts";
import type { Pins, PinVerdict } from "./approval/pins.ts";
import { createCatalogueLists } from "./catalogue/catalogue-lists.ts";
import { catalogueTools, getPromptTool, readResourceTool } from "./catalogue/catalogue-tools.ts";
import { cleanCompletion } from "./catalogue/clean-entries.ts";
import type { McpCatalogue } from "./catalogue/mcp-catalogue.ts";
import { checkServerOptions } from "./check-server-options.ts";
import type { TransportOptions } from "./connection/create-transport.ts";
import { createServerLink, type ServerLink } from "./connection/server-link.ts";
import { expandOptions } from "./expand-options.ts";
import { createServerTools } from "./offered/server-tools.ts";
import { createToolMaker, unavailableTool } from "./offered/tool-maker.ts";
import { couldBeToolOf } from "./offered/tool-names.ts";
import { isStdio, type McpServerOptions } from "./server-options.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

/** A configured server and where its configuration comes from. */
export interface ConfiguredServer {
  readonly name: string;
  /** As written, with `${VARIABLES}` not expanded yet. */
  readonly options: McpServerOptions;
  /** Servers from code or the command line are trusted; those from the workspace need a person's approval first. */
  readonly origin: "options" | "project";
}

export interface McpServerStatus {
  readonly name: string;
  readonly origin: ConfiguredServer["origin"];
  readonly status: "disabled" | "unapproved" | "idle" | "connecting" | "running" | "unavailable" | "closed";
  readonly reason?: string;
  readonly tools: number;
}

/** An MCP server as a source of tools. */
export interface ServerSource extends ToolSource {
  readonly server: string;
  status(): McpServerStatus;
  catalogue(): McpCatalogue;
  /** What may still change its status by itself: the server that is connecting, or a person who signs in. */
  waitsFor(): "server" | "person" | undefined;
  /** Connects to it, unless that was asked for already. */
  want(): void;
  /** Resolves at its next change of any kind. */
  changed(): Promise<void>;
  /** Called after a person approved or denied the server or its tools. */
  onDecision(): Promise<void>;
  start(onChange: () => void): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerSourceOptions extends Omit<TransportOptions, "sdk"> {
  readonly pins: Pins;
  /** Where sign-in credentials are stored. */
  readonly credentialFolder: string;
  /** When to connect; `when-needed` leaves the server idle until its first use. */
  readonly start: "at-once" | "when-needed";
  /** Called when its resources or prompts may be others. */
  readonly onCatalogue: () => void;
  /** Called when the first server is connected. */
  readonly loadSdk: () => Promise<TransportOptions["sdk"]>;
}

export function createServerSource(server: ConfiguredServer, use: ServerSourceOptions): ServerSource {
  const { name, options, origin } = server;
  const { pins } = use;
  const id = `mcp server ${name}`;
  const isEnabled = options.enabled !== false;
  let link: ServerLink | undefined;
  // With its variables expanded, once it was connected.
  let started = options;
  let signIn: SignIn | undefined;
  let failure: string | undefined;
  let verdict: PinVerdict = "unapproved";
  let change = Promise.withResolvers<void>();
  let tellRegistry = () => {};
  let stopped = false;
  let isWanted = use.start === "at-once";
  const onChange = () => {
    change.resolve();
    change = Promise.withResolvers();
    tellRegistry();
    onCatalogue();
  };
  const { forget, ...lists } = createCatalogueLists(async (kind) => {
    if (link === undefined) throw notStarted(name, stillConnecting);
    return link.list(kind);
  });
  const onCatalogue = () => {
    forget();
    use.onCatalogue();
  };
  const tools = createServerTools(name, options, {
    pins,
    makeTool: createToolMaker(name, { started: () => started, link: () => link }),
  });

  /** Nothing is started or connected before this approves it. */
  const judgeLaunch = async () => {
    const seen = launchContent(options, { showsValues: origin === "project" });
    const judge = () => pins.judge({ server: name }, seen, { trustsFirst: origin === "options" });
    judge();
    await pins.save();
    // Saving also reads what other processes have decided since.
    verdict = judge();
  };
  const askToSignIn = (url: URL) =>
    link?.waitForPerson(`sign-in required: open ${url} in a browser on this machine`);
  const mayConnect = () => link === undefined && verdict === "approved" && isEnabled && isWanted && !stopped;
  const connect = async () => {
    if (!mayConnect()) return;
    const sdk = await use.loadSdk();
    const opened = signIn ?? (await openSignInFor(server, use, askToSignIn));
    // Meanwhile the server may have been connected or denied, or the runtime closed.
    if (!mayConnect()) {
      if (opened !== signIn) opened?.close();
      return;
    }
    signIn = opened;
    started = expandOptions(options, use.environment);
    checkServerOptions(name, started);
    link = createServerLink(name, started, {
      ...use,
      sdk,
      ...(signIn && { signIn }),
      onTools: async (listed, offers) => {
        await tools.update([...listed, ...catalogueTools(offers)]);
        onChange();
      },
      onCatalogue,
      onState: () => onChange(),
    });
    await link.start();
  };
  const tryConnect = async () => {
    try {
      await connect();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      onChange();
    }
  };

  const status = (): McpServerStatus => {
    const about = { name, origin, tools: tools.list().length };
    if (!isEnabled) return { ...about, status: "disabled" };
    if (verdict !== "approved") return { ...about, status: "unapproved", reason: refusalOf(name, verdict) };
    if (!isWanted) return { ...about, status: "idle" };
    if (failure !== undefined) return { ...about, status: "unavailable", reason: failure };
    const state = link?.state() ?? { status: stopped ? ("closed" as const) : ("connecting" as const) };
    return { ...about, ...("reason" in state && { reason: state.reason }), status: state.status };
  };
  const want = () => {
    if (isWanted) return;
    isWanted = true;
    void tryConnect();
  };
  const provide = (): VersionedTool[] => {
    const { status: now, reason = stillConnecting } = status();
    const isAway = now !== "running";
    const shortReason = cleanText(reason).split("\n")[0]?.slice(0, maxReasonCharacters) ?? "";
    const away = { reason: shortReason, refuse: () => link?.refuse() ?? notStarted(name, shortReason) };
    return tools.list().map(({ tool, isDisabled, hash }) => ({
      tool: isAway && !isDisabled ? unavailableTool(tool, away) : tool,
      group: name,
      versionOf: () => hash,
    }));
  };
  const problems = (): SourceProblem[] => {
    const { status: now, reason } = status();
    const own =
      reason === undefined
        ? []
        : [{ subject: name, message: `${now}: ${reason}`, severity: "warning" as const }];
    return [...own, ...tools.problems()].map((problem) => ({ source: id, ...problem }));
  };

  return {
    id,
    layer: "mcp",
    server: name,
    status,
    catalogue() {
      const readTool = tools.nameOf(readResourceTool);
      const promptTool = tools.nameOf(getPromptTool);
      return {
        server: name,
        ...(readTool !== undefined && { readTool }),
        ...(promptTool !== undefined && { promptTool }),
        complete: async ({ of, argument, others }) => {
          if (link === undefined) throw notStarted(name, stillConnecting);
          const ref =
            "prompt" in of
              ? ({ type: "ref/prompt", name: of.prompt } as const)
              : ({ type: "ref/resource", uri: of.uriTemplate } as const);
          const context = others === undefined ? {} : { context: { arguments: { ...others } } };
          return cleanCompletion(await link.complete({ ref, argument, ...context }));
        },
        owns: (tool) => tools.list().some((each) => each.tool.name === tool),
        ...lists,
      };
    },
    waitsFor() {
      if (stopped) return undefined;
      if (status().status === "connecting") return "server";
      const state = link?.state();
      return state?.status === "unavailable" && state.next === "sign-in" ? "person" : undefined;
    },
    want,
    changed: () => change.promise,
    tools: provide,
    problems,
    absenceOf(tool) {
      if (!couldBeToolOf(name, tool)) return undefined;
      want();
      const { status: now, reason = now === "connecting" ? stillConnecting : now } = status();
      if (now === "running") return undefined;
      return link?.refuse() ?? notStarted(name, reason);
    },
    async start(notify) {
      tellRegistry = notify;
      await judgeLaunch();
      // A slower server is offered once it is connected; the runtime does not wait for it.
      await Promise.race([tryConnect(), wait(startWaitMs, undefined, { ref: false })]);
    },
    async onDecision() {
      await judgeLaunch();
      if (verdict === "approved") {
        await tools.judgeAgain();
        void tryConnect();
      } else {
        const last = link;
        link = undefined;
        await last?.close();
      }
      onChange();
    },
    async stop() {
      stopped = true;
      change.resolve();
      await link?.close();
      signIn?.close();
    },
  };
}

const stillConnecting = "it is still connecting";
const startWaitMs = 5_000;
const maxReasonCharacters = 200;

async function openSignInFor(
  { name, options }: ConfiguredServer,
  { credentialFolder, environment }: ServerSourceOptions,
  onAsk: (url: URL) => void,
): Promise<SignIn | undefined> {
  if (isStdio(options) || options.signIn === undefined) return undefined;
  const { openSignIn } = await import("./sign-in/sign-in.ts");
  const { url } = expandOptions(options, environment) as typeof options;
  const own = options.signIn === true ? {} : options.signIn;
  return openSignIn(own, { server: name, url, folder: credentialFolder, onAsk });
}

function notStarted(server: string, reason: string): ToolError {
  return new ToolError("unavailable", `the MCP server ${server} is not available: ${reason}`);
}

function refusalOf(server: string, verdict: PinVerdict): string {
  const hint = `review it with \`toolwright approvals\`, allow it with \`toolwright approve mcp:${server}\``;
  if (verdict === "denied") return `it was denied; ${hint}`;
  if (verdict === "changed") return `its configuration has changed since it was approved; ${hint}`;
  return `it is not approved yet; ${hint}`;
}
