import type { Gate } from "../../policy/gate.ts";
import type { ServiceCall } from "../service.ts";
import type { OutputStream } from "./command/running-command.ts";

/** How one call uses processes. */
export interface ProcessUse {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Decides on a command before it starts, and says in which bounds it runs. */
  readonly gate: Pick<Gate, "run">;
  /** Its sandbox stopped it: asks whether it may run again in a wider one. */
  readonly requestEscalation: ServiceCall["requestEscalation"];
  readonly onLines: (stream: OutputStream, text: string) => void;
  /** It has been started in a sandbox, or in none and why. */
  readonly onStart: (sandbox: string) => void;
}
