import { probeBubblewrap } from "../../src/machine/sandbox/open-sandbox.ts";

/** Why commands run without a sandbox on this machine; undefined if they have one. For what is then said or decided. */
export const noSandbox = (await probeBubblewrap()).reason;

/** What the command line says on any machine: without the notes that there is no sandbox, where there is none. */
export function withoutSandboxNotes(said: string): string {
  if (noSandbox === undefined) return said;
  const notes = [
    `Note: commands run WITHOUT a sandbox: ${noSandbox}`,
    `Note: the command ran without a sandbox (none: ${noSandbox})`,
  ];
  return notes.reduce((rest, note) => rest.replace(`${note}\r\n`, "").replace(`${note}\n`, ""), said);
}
