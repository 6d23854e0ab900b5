import { setTimeout } from "node:timers/promises";

/** Stops this process and those of its command line, as Ctrl-Z does, and resolves when they were continued. */
export async function suspendProcess(): Promise<void> {
  process.kill(0, "SIGTSTP");
  // The timer does not run while the process is stopped. Without a shell that could continue it, the kernel does not
  // stop it.
  await setTimeout(stopMs);
}

const stopMs = 50;
