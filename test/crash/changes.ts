import type { CallResult, Session } from "../../src/index.ts";
import type { Contents } from "../support/open-file-session.ts";

/** One way to change files. */
export interface Change {
  /** What is done first, and completely. */
  readonly first?: (session: Session) => Promise<CallResult>;
  /** What may be killed at any instant. */
  readonly make: (session: Session, first: CallResult | undefined) => Promise<CallResult>;
}

export const contents: Contents = {
  "a.txt": "one\n",
  "b.txt": "two\n",
  "c.txt": "three\n",
  "n.ipynb": JSON.stringify({
    cells: [{ cell_type: "code", id: "a", metadata: {}, outputs: [], execution_count: null, source: "1" }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
  ".gitignore": "x\n",
  "from/1.txt": "from 1\n",
  "from/deep/2.txt": "from 2\n",
  "to/1.txt": "to 1\n",
  "to/3.txt": "to 3\n",
};

const multiEdit = call("file_multi_edit", {
  edits: [
    { path: "a.txt", old_string: "one", new_string: "eins" },
    { path: "b.txt", old_string: "two", new_string: "zwei" },
    { path: "c.txt", old_string: "three", new_string: "drei" },
  ],
});

const patch = call("file_patch", {
  patch: [
    "*** Begin Patch",
    "*** Add File: new/deep/p.txt",
    "+p",
    "*** Update File: a.txt",
    "@@",
    "-one",
    "+eins",
    "*** Update File: b.txt",
    "*** Move to: moved/b.txt",
    "@@",
    "-two",
    "+zwei",
    "*** Delete File: c.txt",
    "*** End Patch",
  ].join("\n"),
});

const deleteFolder = call("file_delete", { path: "from", recursive: true });

/** Every built-in tool that changes files, in each of the ways that take other steps. */
export const changes: Readonly<Record<string, Change>> = {
  "write to a new folder": { make: call("file_write", { path: "x/y/new.txt", content: "new" }) },
  "write over a file": { make: call("file_write", { path: "a.txt", content: "mine" }) },
  edit: { make: call("file_edit", { path: "a.txt", old_string: "one", new_string: "eins" }) },
  "multi edit": { make: multiEdit },
  patch: { make: patch },
  notebook: { make: call("file_notebook", { path: "n.ipynb", cell_id: "a", new_source: "2" }) },
  gitignore: { make: call("file_gitignore", { action: "add", patterns: ["y"] }) },
  "make folders": { make: call("file_mkdir", { path: "x/y/z", recursive: true }) },
  "move a file": { make: call("file_move", { source: "a.txt", destination: "x/moved.txt" }) },
  "move onto a file": { make: call("file_move", { source: "a.txt", destination: "b.txt", overwrite: true }) },
  "move a folder": { make: call("file_move", { source: "from", destination: "x/moved" }) },
  "move onto a folder": { make: call("file_move", { source: "from", destination: "to", overwrite: true }) },
  "copy a file": { make: call("file_copy", { source: "a.txt", destination: "x/copy.txt" }) },
  "copy onto a file": { make: call("file_copy", { source: "a.txt", destination: "b.txt", overwrite: true }) },
  "copy a folder": { make: call("file_copy", { source: "from", destination: "x/copy" }) },
  "copy onto a folder": { make: call("file_copy", { source: "from", destination: "to", overwrite: true }) },
  "delete a file": { make: call("file_delete", { path: "a.txt" }) },
  "delete a folder": { make: deleteFolder },
  "undo an edit": {
    first: call("file_edit", { path: "a.txt", old_string: "one", new_string: "eins" }),
    make: (session, first) => session.undo(first!.callId, { id: "killed" }),
  },
  "undo a multi edit": {
    first: multiEdit,
    make: (session, first) => session.undo(first!.callId, { id: "killed" }),
  },
  "undo a patch": { first: patch, make: (session, first) => session.undo(first!.callId, { id: "killed" }) },
  "undo the delete of a folder": {
    first: deleteFolder,
    make: (session, first) => session.undo(first!.callId, { id: "killed" }),
  },
  "redo a patch": {
    async first(session) {
      const done = await patch(session);
      await session.undo(done.callId);
      return done;
    },
    make: (session, first) => session.redo(first!.callId, { id: "killed" }),
  },
};

function call(tool: string, input: unknown): (session: Session) => Promise<CallResult> {
  return (session) => session.call(tool, input);
}
