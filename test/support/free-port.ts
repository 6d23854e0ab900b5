import { once } from "node:events";
import { createServer } from "node:net";

let tried = 0;

/** A port that was free a moment ago, and of those that the system gives to nobody who does not ask for it. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    // Processes that test at the same time begin far from each other.
    const port = 10_000 + ((process.pid * 101 + tried++) % 20_000);
    const probe = createServer().listen(port, host);
    try {
      await once(probe, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") continue;
      throw error;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
