import { kode } from "../../kernel/dialects/tables/kode.ts";
import type { KodeBuiltin } from "./kode-types.ts";

/** The built-in tools by the names of their classes: `new FsRead()` is `fs_read`. */
function builtinClass(name: string): new () => KodeBuiltin {
  return class implements KodeBuiltin {
    readonly name = name;
    readonly isBuiltin = true;
  };
}

export const FsRead = builtinClass("fs_read");
export const FsWrite = builtinClass("fs_write");
export const FsEdit = builtinClass("fs_edit");
export const FsGlob = builtinClass("fs_glob");
export const FsGrep = builtinClass("fs_grep");
export const FsMultiEdit = builtinClass("fs_multi_edit");
export const BashRun = builtinClass("bash_run");
export const BashLogs = builtinClass("bash_logs");
export const BashKill = builtinClass("bash_kill");
export const TodoRead = builtinClass("todo_read");
export const TodoWrite = builtinClass("todo_write");

const listed = (...names: string[]) => names.map((name): KodeBuiltin => ({ name, isBuiltin: true }));

/** Groups of built-in tools, to register or to list. */
export const builtin = {
  fs: () => listed("fs_read", "fs_write", "fs_edit", "fs_glob", "fs_grep", "fs_multi_edit"),
  bash: () => listed("bash_run", "bash_logs", "bash_kill"),
  todo: () => listed("todo_read", "todo_write"),
};

export const builtinNames: ReadonlySet<string> = new Set(Object.values(kode.tools).map(({ name }) => name));
