import type { BackgroundWork } from "../../tool/services/tasks.ts";

/** Work that goes on while no call waits for it, such as commands and sub-agents. */
export interface BackgroundSource {
  list(): Promise<readonly BackgroundWork[]>;
  cancel(id: string): Promise<void>;
}
