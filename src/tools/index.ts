import type { AnyTool } from "../tool/define-tool.ts";
import fileList from "./file/list.ts";
import fileRead from "./file/read.ts";
import searchGlob from "./search/glob.ts";
import searchGrep from "./search/grep.ts";

/** The tools that every runtime has. */
export const builtinTools: readonly AnyTool[] = [fileRead, fileList, searchGlob, searchGrep];
