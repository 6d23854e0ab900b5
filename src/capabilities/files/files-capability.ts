import { join } from "node:path";
import type { OpenReading } from "../../kernel/definitions/index.ts";
import { capability, type RuntimePart } from "../../kernel/runtime/index.ts";
import { createPathLocks } from "./change/path-locks.ts";
import { filesOptions, filesService } from "./files-service.ts";
import { readHashes } from "./freshness-pool.ts";
import { lockFilesIn, openIntentLog } from "./intents/intent-log.ts";
import { findLost } from "./intents/lost-work.ts";
import copy from "./tools/file/copy.ts";
import remove from "./tools/file/delete.ts";
import edit from "./tools/file/edit.ts";
import gitignore from "./tools/file/gitignore.ts";
import list from "./tools/file/list.ts";
import mkdir from "./tools/file/mkdir.ts";
import move from "./tools/file/move.ts";
import multiEdit from "./tools/file/multi-edit.ts";
import notebook from "./tools/file/notebook.ts";
import patch from "./tools/file/patch.ts";
import read from "./tools/file/read.ts";
import write from "./tools/file/write.ts";
import { createWorkspace, openReading } from "./workspace.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Refuses to overwrite a file that the session has not read. */
    readonly requireReadBeforeWrite?: boolean;
  }
}

declare module "../../kernel/runtime/opening.ts" {
  interface RuntimeOffers {
    /** Opens the files of a workspace outside any call, to read them. */
    readonly openReading?: OpenReading;
  }
}

/** Reading and changing files, and taking changes back: those of a call, and those that a crash has interrupted. */
export const filesCapability = capability({
  name: "files",
  options: filesOptions,
  services: { files: filesService },
  kept: [readHashes],
  tools: [read, write, edit, multiEdit, patch, notebook, list, mkdir, move, copy, remove, gitignore],
  roles: {
    readTool: read.name,
    // `Read(secrets/**)` covers every read, and `Edit(docs/**)` every change, by any tool or command.
    ruleSubjects: {
      [read.name]: "read",
      ...Object.fromEntries([write, edit, multiEdit, patch, notebook].map(({ name }) => [name, "write"])),
    },
  },
  doctor: { locks: async (intentFolder) => lockFilesIn(intentFolder) },
  open(runtime): RuntimePart {
    const { intentFolder, lives, stateFolder } = runtime;
    const { durability, requireReadBeforeWrite } = runtime.options;
    const intents = openIntentLog(intentFolder, { lives, blobs: join(stateFolder, "blobs"), durability });
    const locks = createPathLocks();
    return {
      offers: { openReading },
      lost: findLost(runtime, intents),
      async session(session) {
        const files = await filesService.open({
          ...session,
          workspace: createWorkspace(session.workspace, locks),
          ...{ intents, requireReadBeforeWrite },
          watchFiles: session.given.watchFiles,
        });
        const { listTree, revert, diff } = files;
        return { services: { files }, listTree, undo: { revert, diff, settle: intents.forget } };
      },
      close: async () => intents.close(),
    };
  },
});
