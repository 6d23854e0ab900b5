import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, UsageError } from "../../command.ts";
import { withStore } from "../../open/with-store.ts";

export default {
  usage: "<file>",
  arguments: [1, 1],
  flags: ["force"],
  example: "records.sqlite",
  note: "Copies the store as it is at one moment, while others go on using it.",

  async run({ arguments: [name = ""], flags, output }) {
    const file = resolve(name);
    const found = await lstat(file).catch(() => undefined);
    if (found && !flags.force) throw new UsageError(`${name} exists; choose another name, or add --force`);
    // The backup would replace it, even a device of the system.
    if (found?.isFile() === false) throw new UsageError(`${name} is not a regular file`);
    await withStore(flags, async (store) => {
      if (store.maintenance.backUp === undefined)
        throw new UsageError("a store in memory cannot be backed up");
      await store.maintenance.backUp(file).catch((error: unknown) => {
        throw new UsageError(`cannot write ${name}: ${describeCause(error)}`);
      });
      await output.tell(`backed up to ${file}`);
    });
  },
} satisfies Command;

/** Describes an error without its path: that is the name of a draft, and the person gave another name. */
function describeCause(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code?.startsWith("E") && message.startsWith(`${code}: `)
    ? message.replace(/, \w+ '.*$/s, "")
    : message;
}
