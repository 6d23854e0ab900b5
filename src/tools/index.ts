import type { AnyTool } from "../tool/define-tool.ts";
import fileList from "./file/list.ts";
import fileRead from "./file/read.ts";

/** The tools that every runtime has. */
export const builtinTools: readonly AnyTool[] = [fileRead, fileList];
