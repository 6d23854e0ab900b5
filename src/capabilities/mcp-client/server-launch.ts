import { sha256 } from "../../shared/crypto.ts";
import { isPlainObject } from "../../shared/json.ts";
import { mapValues } from "../../shared/options/option.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { PinContent, Pins, PinVerdict } from "./approval/pins.ts";
import { checkServerOptions } from "./check-server-options.ts";
import type { TransportOptions } from "./connection/create-transport.ts";
import { loadClientSdk } from "./connection/load-client-sdk.ts";
import { createServerLink, type LinkOptions, type ServerLink } from "./connection/server-link.ts";
import { expandOptions } from "./expand-options.ts";
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

export interface LaunchOptions extends Omit<TransportOptions, "sdk"> {
  readonly pins: Pins;
  /** Where sign-in credentials are stored. */
  readonly credentialFolder: string;
  /** When to connect; `when-needed` leaves the server idle until its first use. */
  readonly start: "at-once" | "when-needed";
}

type LaunchListener = Pick<LinkOptions, "onTools" | "onCatalogue" | "onState">;

/** Decides whether a server may be started, and holds the connection to it. */
export function createServerLaunch(server: ConfiguredServer, use: LaunchOptions, listener: LaunchListener) {
  const { name, options, origin } = server;
  const isEnabled = options.enabled !== false;
  let link: ServerLink | undefined;
  let started = options;
  let signIn: SignIn | undefined;
  let failure: string | undefined;
  let verdict: PinVerdict = "unapproved";
  let stopped = false;
  let isWanted = use.start === "at-once";

  /** Makes the error that says why a call cannot be made now. */
  const refuse = (reason: string) =>
    link?.refuse() ?? new ToolError("unavailable", `the MCP server ${name} is not available: ${reason}`);
  const askToSignIn = (url: URL) =>
    link?.waitForPerson(`sign-in required: open ${url} in a browser on this machine`);
  const mayConnect = () => link === undefined && verdict === "approved" && isEnabled && isWanted && !stopped;
  const connectIfAllowed = async () => {
    if (!mayConnect()) return;
    const sdk = await loadClientSdk();
    const opened = signIn ?? (await openSignInFor(server, use, askToSignIn));
    // Meanwhile the server may have been connected or denied, or the runtime closed.
    if (!mayConnect()) {
      if (opened !== signIn) opened?.close();
      return;
    }
    signIn = opened;
    started = expandOptions(options, use.environment);
    checkServerOptions(name, started);
    link = createServerLink(name, started, { ...use, ...listener, sdk, signIn });
    await link.start();
  };
  /** Connects to the server, if it is approved, wanted and not connected yet. A failure is in the status. */
  const connect = async () => {
    try {
      await connectIfAllowed();
    } catch (error) {
      failure = describeThrown(error);
      listener.onState();
    }
  };

  return {
    status(tools: number): McpServerStatus {
      const about = { name, origin, tools };
      if (!isEnabled) return { ...about, status: "disabled" };
      if (verdict !== "approved") return { ...about, status: "unapproved", reason: refusalOf(name, verdict) };
      if (!isWanted) return { ...about, status: "idle" };
      if (failure !== undefined) return { ...about, status: "unavailable", reason: failure };
      const state = link?.state() ?? { status: stopped ? ("closed" as const) : ("connecting" as const) };
      return { ...about, ...("reason" in state && { reason: state.reason }), status: state.status };
    },
    /** The server's options; once the server was connected, with their variables expanded. */
    started: () => started,
    /** The connection. Undefined until the server is connected for the first time, and after a person denied it. */
    link: () => link,
    /** The connection. Throws where `link` would be undefined. */
    running(): ServerLink {
      if (link === undefined) throw refuse(stillConnecting);
      return link;
    },
    refuse,
    /** Compares the server's configuration with the approved one. The server is started only after this has approved it. */
    async judge(): Promise<PinVerdict> {
      const seen = launchContent(options, { showsValues: origin === "project" });
      const judge = () => use.pins.judge({ server: name }, seen, { trustsFirst: origin === "options" });
      judge();
      await use.pins.save();
      // Saving also reads what other processes have decided since.
      verdict = judge();
      return verdict;
    },
    connect,
    want(): void {
      if (isWanted) return;
      isWanted = true;
      void connect();
    },
    async disconnect(): Promise<void> {
      const last = link;
      link = undefined;
      await last?.close();
    },
    async stop(): Promise<void> {
      stopped = true;
      await link?.close();
      signIn?.close();
    },
  };
}

export const stillConnecting = "it is still connecting";

async function openSignInFor(
  { name, options }: ConfiguredServer,
  { credentialFolder, environment }: LaunchOptions,
  onAsk: (url: URL) => void,
): Promise<SignIn | undefined> {
  if (isStdio(options) || options.signIn === undefined) return undefined;
  const { openSignIn } = await import("./sign-in/sign-in.ts");
  const { url } = expandOptions(options, environment) as typeof options;
  const own = options.signIn === true ? {} : options.signIn;
  return openSignIn(own, { server: name, url, folder: credentialFolder, onAsk });
}

function refusalOf(server: string, verdict: PinVerdict): string {
  const hint = `review it with \`toolwright approvals\`, allow it with \`toolwright approve mcp:${server}\``;
  if (verdict === "denied") return `it was denied; ${hint}`;
  if (verdict === "changed") return `its configuration has changed since it was approved; ${hint}`;
  return `it is not approved yet; ${hint}`;
}

/**
 * A server's configuration, to be approved and compared. Values from code may be secrets and are shown only as a hash;
 * values from a file must be visible to the person who approves them.
 */
export function launchContent(
  options: McpServerOptions,
  { showsValues }: { showsValues: boolean },
): PinContent {
  const text = JSON.stringify(
    isStdio(options)
      ? {
          command: options.command,
          args: options.args ?? [],
          env: showsValues ? sortEntries(options.env) : hideValues(options.env),
          passEnvironment: (options.passEnvironment ?? []).toSorted(),
          cwd: options.cwd ?? ".",
          // Without them, rules on paths bind its tools no longer.
          paths: showsValues ? options.paths : undefined,
        }
      : {
          url: options.url,
          type: options.type ?? "http",
          headers: showsValues ? sortEntries(options.headers) : Object.keys(options.headers ?? {}).sort(),
          signIn:
            showsValues && isPlainObject(options.signIn) ? options.signIn : options.signIn !== undefined,
          issuer: typeof options.signIn === "object" ? options.signIn.issuer : undefined,
          oauth: showsValues ? options.oauth : options.oauth?.issuer,
          paths: showsValues ? options.paths : undefined,
        },
    undefined,
    2,
  );
  return { text, hash: sha256(text) };
}

function sortEntries(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hideValues(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return sortEntries(mapValues(values, (value) => `sha256 ${sha256(value)}`));
}
