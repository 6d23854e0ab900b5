import { setTimeout as wait } from "node:timers/promises";
import type { SourceProblem, VersionedTool } from "../../kernel/registry/index.ts";
import { cleanText } from "../../shared/text/clean-text.ts";
import { catalogueTools } from "./catalogue/catalogue-tools.ts";
import { createServerCatalogue } from "./catalogue/server-catalogue.ts";
import { createServerTools } from "./offered/server-tools.ts";
import { createToolMaker, unavailableTool } from "./offered/tool-maker.ts";
import {
  type ConfiguredServer,
  createServerLaunch,
  type LaunchOptions,
  stillConnecting,
} from "./server-launch.ts";
import { couldBeToolOf } from "./server-names.ts";

export type ServerSource = ReturnType<typeof createServerSource>;

/** An MCP server as a source of tools. `onCatalogue` is called when its resources or prompts may have changed. */
export function createServerSource(
  server: ConfiguredServer,
  use: LaunchOptions & { readonly onCatalogue: () => void },
) {
  const { name, options } = server;
  const id = `mcp server ${name}`;
  let change = Promise.withResolvers<void>();
  let tellRegistry = () => {};
  let stopped = false;
  const onCatalogue = () => {
    forget();
    use.onCatalogue();
  };
  const onChange = () => {
    change.resolve();
    change = Promise.withResolvers();
    tellRegistry();
    onCatalogue();
  };
  const launch = createServerLaunch(server, use, {
    onTools: async (listed, offers) => {
      await tools.update([...listed, ...catalogueTools(offers)]);
      onChange();
    },
    onCatalogue,
    onState: onChange,
  });
  const tools = createServerTools(name, options, { pins: use.pins, makeTool: createToolMaker(name, launch) });
  const { catalogue, forget } = createServerCatalogue(name, { tools, link: launch.running });
  const status = () => launch.status(tools.list().length);

  return {
    id,
    layer: "mcp" as const,
    server: name,
    status,
    catalogue,
    /** Who may still change the status: the server while it is connecting, or the person who signs in. */
    waitsFor(): "server" | "person" | undefined {
      if (stopped) return undefined;
      if (status().status === "connecting") return "server";
      const state = launch.link()?.state();
      return state?.status === "unavailable" && state.next === "sign-in" ? "person" : undefined;
    },
    /** Connects to the server, unless this was asked for before. */
    want: launch.want,
    /** Resolves at the server's next change of any kind. */
    changed: () => change.promise,
    tools(): VersionedTool[] {
      const { status: now, reason = stillConnecting } = status();
      const isAway = now !== "running";
      const shortReason = cleanText(reason).split("\n")[0]?.slice(0, maxReasonCharacters) ?? "";
      const away = { reason: shortReason, refuse: () => launch.refuse(shortReason) };
      return tools.list().map(({ tool, isDisabled, hash }) => ({
        tool: isAway && !isDisabled ? unavailableTool(tool, away) : tool,
        group: name,
        versionOf: () => hash,
      }));
    },
    problems(): SourceProblem[] {
      const { status: now, reason } = status();
      const others = tools.problems().map((problem) => ({ source: id, ...problem }));
      if (reason === undefined) return others;
      return [{ source: id, subject: name, message: `${now}: ${reason}`, severity: "warning" }, ...others];
    },
    absenceOf(tool: string) {
      if (!couldBeToolOf(name, tool)) return undefined;
      launch.want();
      const { status: now, reason = now === "connecting" ? stillConnecting : now } = status();
      return now === "running" ? undefined : launch.refuse(reason);
    },
    async start(notify: () => void): Promise<void> {
      tellRegistry = notify;
      await launch.judge();
      // A slower server is offered once it is connected; the runtime does not wait for it.
      await Promise.race([launch.connect(), wait(startWaitMs, undefined, { ref: false })]);
    },
    /** Called after a person approved or denied the server or its tools. */
    async onDecision(): Promise<void> {
      if ((await launch.judge()) === "approved") {
        await tools.judgeAgain();
        void launch.connect();
      } else await launch.disconnect();
      onChange();
    },
    async stop(): Promise<void> {
      stopped = true;
      change.resolve();
      await launch.stop();
    },
  };
}

const startWaitMs = 5_000;
const maxReasonCharacters = 200;
