import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { keptKinds } from "../../../../capabilities.ts";
import type { WorkspacePaths } from "../../../../kernel/policy/index.ts";
import { importLog, type Store, StoreError } from "../../../../kernel/store/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type Command, UsageError } from "../../command.ts";
import { withStore } from "../../open/with-store.ts";

export default {
  usage: "<file>",
  arguments: [1, 1],
  example: "session.jsonl",
  note: "Adds a session that `toolwright export` has printed, if its chain of hashes holds and no session has its id.",
  isForPerson: true,

  async run({ arguments: [file = ""], flags, output }) {
    const importFrom = async (store: Store, { root }: WorkspacePaths) => {
      const lines = createInterface({ input: createReadStream(file, "utf8") });
      const { id, events } = await importLog({ store, workspace: root, kinds: keptKinds }, lines).catch(
        (error: Error) => {
          if (error instanceof StoreError || "code" in error)
            throw new UsageError(`${file}: ${error.message}`);
          throw error;
        },
      );
      await output.tell(`imported session ${escapeLine(id)} with ${countOf(events, "event")}`);
    };
    await withStore(flags, importFrom, { isToWrite: true });
  },
} satisfies Command;
