import { defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

/** What starts programs, takes long or looks at what was built. */
const slow = [
  "test/acceptance/flyto/tool-create.test.ts",
  "test/architecture/{api-report,package,start}.test.ts",
  "test/cli/*.test.ts",
  "test/cli/commands/**",
  "test/cli/talk/{talk,tmux}.test.ts",
  "test/cli/display/resume-command.test.ts",
  "test/{conformance,e2e}/**",
  "test/agent/sub-agents/**",
  "test/mcp/client/*.test.ts",
  "test/mcp/client/{call,sign-in}/**",
  "test/mcp/server/**",
  "test/runtime/{made,sandbox,worktrees}/**",
  "test/runtime/policy/commands/{command-corpus,mutation-fuzz}.test.ts",
  "test/runtime/policy/commands/differential/**",
  "test/runtime/services/{processes,search}/**",
  "test/runtime/services/files/{kill-writer,race,revert,write-race}.test.ts",
  "test/runtime/services/files/images/**",
  "test/runtime/services/tasks/task-list.test.ts",
  "test/runtime/shell-syntax/bash-*.test.ts",
  "test/runtime/store/{durability,many-processes}.test.ts",
  "test/tools/{search,shell}/**",
];

export default defineConfig({ test: { ...everything.test, exclude: slow } });
