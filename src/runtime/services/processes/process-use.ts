import type { SandboxProfile } from "../../sandbox/sandbox.ts";
import type { OutputStream } from "./command/running-command.ts";

/** How one call uses processes. */
export interface ProcessUse {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly onLines: (stream: OutputStream, text: string) => void;
  /** Decides on a command before it starts, and says in which bounds; refuses by throwing. */
  readonly admit: (command: string, directory: string | undefined) => Promise<Bounds>;
  /** Its sandbox stopped it: asks whether it may run again in a wider one. Who let it, if anybody did. */
  readonly offerMore: (profile: SandboxProfile, why: string) => Promise<string | undefined>;
  /** It has been started in a sandbox, or in none and why. */
  readonly onStart: (sandbox: string) => void;
}

export interface Bounds {
  readonly profile: SandboxProfile;
  /** Absolute; where it was decided that the command runs. */
  readonly directory: string;
  /** Absolute; what others may not touch, outside the workspace or sensitive, and this command was let. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly category?: string;
}
