import { taskStatuses, todoStatuses } from "../services/tasks.ts";
import { aCount, aFlag, arrayOf, aText, aTime, eitherOf, objectOf, texts } from "./schema-parts.ts";

export const taskRecord = objectOf(
  {
    id: aText,
    title: aText,
    status: { enum: taskStatuses },
    dependsOn: texts,
    blockedBy: { ...texts, description: "Those of dependsOn that are not done yet" },
    createdAt: aTime,
    updatedAt: aTime,
  },
  { description: aText, assignee: aText, notes: aText },
);

export const backgroundWork = objectOf(
  {
    kind: { enum: ["job", "agent"] },
    id: aText,
    title: aText,
    status: { enum: taskStatuses },
    startedAt: aTime,
  },
  { endedAt: aTime, note: aText },
);

export const todoList = objectOf({
  todos: arrayOf(
    objectOf(
      { id: aText, title: aText, status: { enum: todoStatuses }, createdAt: aTime, updatedAt: aTime },
      { description: aText, assignee: aText, notes: aText },
    ),
  ),
});

const startedAgent = { id: aText, sessionId: aText, title: aText };

export const agentResult = eitherOf(
  objectOf({ ...startedAgent, isParentTold: aFlag }, { branch: aText }),
  objectOf(
    { ...startedAgent, reason: aText, text: aText, steps: aCount, calls: aCount, tokens: aCount },
    {
      branch: aText,
      problem: aText,
      work: objectOf({
        branch: aText,
        base: aText,
        hasUncommitted: aFlag,
        isKept: aFlag,
        files: arrayOf(objectOf({ path: aText, change: aText })),
        hasMoreFiles: aFlag,
      }),
    },
  ),
);
