import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { programFile } from "../../support/programs/program-file.ts";

export interface FolderReport {
  readonly answers: Record<string, unknown>;
  readonly problems: string[];
}

/** Watches a tool folder in a Node process of its own. */
export function openFolderProcess(folder: string) {
  const script = programFile(new URL("child-report-folder.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ["pipe", "pipe", "pipe"] });
  const errors: string[] = [];
  child.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const close = async (): Promise<number | null> => {
    child.stdin.end();
    const [exitCode] = await exited;
    return exitCode;
  };
  onTestFinished(async () => {
    await close();
  });
  return {
    close,
    /** The next report that is as wanted; one save may be told in several steps. */
    async reportWhere(isWanted: (report: FolderReport) => boolean): Promise<FolderReport> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`the process ended: ${errors.join("")}`);
        const report: FolderReport = JSON.parse(value);
        if (isWanted(report)) return report;
      }
    },
  };
}
