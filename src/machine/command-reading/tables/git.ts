import { checkGit } from "../git/check-git.ts";
import { defineProgram } from "../program.ts";

export const gitProgram = defineProgram({
  names: ["git"],
  category: "general",
  hasNoOptions: true,
  needsSettings: true,
  operands: "checked",
  check: checkGit,
});
