import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Finding } from "../../kernel/runtime/finding.ts";
import { findRipgrep } from "../../machine/ripgrep/find-ripgrep.ts";
import { defined } from "../../shared/options/defined.ts";
import type { ToolError } from "../../tool/tool-error.ts";

/** Whether ripgrep can be started, which searches need. */
export async function checkRipgrep(): Promise<Finding> {
  try {
    const path = await findRipgrep();
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: 5000 });
    return { check: "ripgrep", mark: "ok", found: `${stdout.split("\n")[0]} (${path})` };
  } catch (error) {
    const { message, hint } = error as ToolError;
    return { check: "ripgrep", mark: "fail", found: message, ...defined({ advice: hint }) };
  }
}
