import type { SandboxStatus } from "../../machine/sandbox/sandbox.ts";
import type { SystemOptions } from "./system-options.ts";

export interface SystemParts {
  readonly workspace: { readonly root: string };
  readonly sandbox: () => Promise<SandboxStatus>;
  readonly systemOptions?: SystemOptions | undefined;
}
