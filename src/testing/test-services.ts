import { filesService } from "../capabilities/files/files-service.ts";
import type { Workspace } from "../capabilities/files/workspace.ts";
import { questionsService } from "../capabilities/questions/questions-service.ts";
import { searchService } from "../capabilities/search/search-service.ts";
import { services } from "../capabilities.ts";
import type { CallHost } from "../kernel/call/index.ts";
import { withoutPeople } from "../kernel/people/index.ts";
import { openKept, type SessionLog } from "../kernel/session/index.ts";
import { noBlobs } from "../kernel/store/index.ts";
import type { Question } from "../tool/services/question.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { TestOptions } from "./test-options.ts";

/** Opens the services of a test: files and searches if it has a workspace, and questions. */
export async function openTestServices(
  { answers }: TestOptions,
  { workspace, log, redactor }: ServiceParts,
): Promise<CallHost["services"]> {
  const onQuestion = answers && (async (question: Question) => answers(question));
  const questionQueue = withoutPeople().questions;
  const questions = await questionsService.open({ log, redactor, onQuestion, questionQueue });
  return {
    table: services,
    opened: { questions, ...(workspace && (await openFileServices(workspace, log))) },
    missing: (name) => (name === "files" || name === "search" ? noFiles() : undefined),
  };
}

type ServiceParts = Pick<CallHost, "log" | "redactor"> & { readonly workspace: Workspace | undefined };

/** Opens the services for files, which really change them, and do not keep their old content. */
async function openFileServices(workspace: Workspace, log: SessionLog) {
  const kept = openKept({ store: { readVariables: async () => new Map() }, log }, "test");
  return {
    files: await filesService.open({ id: "test", kept, log, workspace, blobs: noBlobs }),
    search: await searchService.open({ workspace }),
  };
}

export const nowhere: CallHost["policy"]["paths"] = {
  root: "",
  floorOf: () => undefined,
  async resolve() {
    throw noFiles();
  },
};

function noFiles(): ToolError {
  return new ToolError("unavailable", "this test has no workspace", { hint: "Pass the option workspace." });
}
