import { capability } from "../../kernel/runtime/index.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import { questionsOptions, questionsService } from "./questions-service.ts";
import ask from "./tools/user/ask.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Answers a tool's question for the person: with a text, or with an object if the question has `fields`. */
    readonly onQuestion?: QuestionHandler;
  }
}

/** Questions of tools to a person. */
export const questionsCapability = capability({
  name: "questions",
  options: questionsOptions,
  services: { questions: questionsService },
  tools: [ask],
  open: ({ options: { onQuestion } }) => ({
    async session({ log, redactor, questions: { queue, onWaiting } }) {
      const parts = { log, redactor, onQuestion, questionQueue: queue, onWaiting };
      return { services: { questions: await questionsService.open(parts) } };
    },
  }),
});
