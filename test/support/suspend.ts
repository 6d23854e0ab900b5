import { DatabaseSync } from "node:sqlite";

/** Suspends a process, but not while it writes to the store: then others would wait for it until they give up. */
export function suspend(pid: number, store: string): void {
  const database = new DatabaseSync(store.replace("sqlite:", ""), { timeout: 100 });
  for (;;) {
    process.kill(pid, "SIGSTOP");
    try {
      database.exec("BEGIN IMMEDIATE; ROLLBACK");
      database.close();
      return;
    } catch {
      process.kill(pid, "SIGCONT");
    }
  }
}
