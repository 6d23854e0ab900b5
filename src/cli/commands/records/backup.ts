import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "../../command.ts";
import { exitCodes } from "../../exit-code.ts";
import { withStore } from "../../open/with-store.ts";
import { UsageError } from "../../usage-error.ts";

export default {
  usage: "<file>",
  minArguments: 1,
  maxArguments: 1,
  flags: ["force"],
  example: "records.sqlite",
  note: "Copies the store as it is at one moment, while others go on using it.",

  async run({ arguments: [name = ""], flags, output }) {
    const file = resolve(name);
    const isThere = (await lstat(file).catch(() => undefined)) !== undefined;
    if (isThere && !flags.force) throw new UsageError(`${name} exists; choose another name, or add --force`);
    return withStore(flags, async (store) => {
      if (store.backUp === undefined) throw new UsageError("a store in memory cannot be backed up");
      await store.backUp(file);
      await output.tell(`backed up to ${file}`);
      return exitCodes.done;
    });
  },
} satisfies Command;
