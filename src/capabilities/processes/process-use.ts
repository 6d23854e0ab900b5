import type { Gate } from "../../kernel/policy/gate.ts";
import type { ServiceCall } from "../../kernel/services/service.ts";
import type { OutputStream } from "./command/running-command.ts";

/** How one call uses processes. */
export interface ProcessUse {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** The values that stand in the place of their names in its commands. */
  readonly secrets?: ReadonlyMap<string, string> | undefined;
  /** Decides on a command before it starts, and returns the bounds it runs in. */
  readonly gate: Pick<Gate, "run">;
  /** Asks whether a command stopped by its sandbox may run again in a wider one. */
  readonly requestEscalation: ServiceCall["requestEscalation"];
  readonly onLines: (stream: OutputStream, text: string) => void;
  /** Gets the sandbox the command was started in, or the reason why there is none. */
  readonly onStart: (sandbox: string) => void;
  /** Gets the paths that a command has left for other programs to run. */
  readonly onPlanted: (paths: readonly string[]) => void;
}
