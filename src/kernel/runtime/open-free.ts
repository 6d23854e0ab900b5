import { isSessionBusy } from "../session/index.ts";
import type { Runtime } from "./runtime.ts";
import type { Session, SessionOptions } from "./session.ts";

/** Opens the session, or, while another process has it, the first that is free of `<id>-2`, `<id>-3` and so on. */
export async function openFree(
  runtime: Pick<Runtime, "openSession">,
  { id, ...options }: SessionOptions & { readonly id: string },
): Promise<Session> {
  for (let number = 1; ; number++) {
    try {
      return await runtime.openSession({ id: number === 1 ? id : `${id}-${number}`, ...options });
    } catch (error) {
      if (!isSessionBusy(error) || number === maxTries) throw error;
    }
  }
}

const maxTries = 100;
