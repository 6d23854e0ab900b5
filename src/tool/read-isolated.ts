import { foreign, knownKeys, value } from "../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../shared/options/refuse-unknown-keys.ts";
import type { ToolContext } from "./tool-context.ts";
import { defaultMaxMemoryMb, type IsolatedModule } from "./traits.ts";

/** Which function of a tool runs. */
export type HandlerName = "run" | "dryRun" | "undo";

/** A call of a function of an isolated tool. */
export interface IsolatedWork {
  readonly place: IsolatedModule;
  readonly handler: HandlerName;
  /** The argument of the handler beside its context. */
  readonly given: unknown;
  /** How long it may take to stop once it was told to. */
  readonly windUpMs?: number | undefined;
}

/** Runs functions of isolated tools. */
export interface IsolatedRunner {
  /** Settles once the tool has answered, or the process is gone. */
  run(work: IsolatedWork, context: ToolContext): Promise<unknown>;
}

/** The trait `isolated` in full: the module as a URL, the tool's name there, and the limit. */
export function readIsolated(name: string, given: unknown): Required<IsolatedModule> & { module: string } {
  const declared = typeof given === "string" || given instanceof URL ? { module: given } : given;
  if (typeof declared !== "object" || declared === null) throw noModule(name);
  refuseUnknownKeys(declared, isolatedKeys, `${name}: isolated`);
  const { module, tool = name, maxMemoryMb = defaultMaxMemoryMb } = declared as IsolatedModule;
  const text = String(module ?? "");
  const url = text.startsWith("/") ? `file://${encodeURI(text).replace(/[?#]/g, encodeURIComponent)}` : text;
  if (!url.startsWith("file:")) throw noModule(name);
  if (typeof maxMemoryMb !== "number" || !(maxMemoryMb >= minMemoryMb))
    throw new TypeError(`${name}: maxMemoryMb must be a number of at least ${minMemoryMb}`);
  return { module: url, tool, maxMemoryMb };
}

const isolatedKeys = knownKeys<IsolatedModule>({ module: foreign, tool: value, maxMemoryMb: value });

// Less is not enough for Node itself.
const minMemoryMb = 32;

function noModule(name: string): TypeError {
  return new TypeError(
    `${name}: isolated must name the module that exports the tool; write isolated: import.meta.url`,
  );
}
