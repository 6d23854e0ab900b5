import { methodKeys, type OpenService, type Service } from "../../kernel/services/service.ts";
import { foreign } from "../../shared/options/known-keys.ts";
import { inCode } from "../../shared/options/option.ts";
import type { Answer, Question, QuestionHandler } from "../../tool/services/question.ts";
import type { AskOptions, ToolContext } from "../../tool/tool-context.ts";
import { askQuestion, type QuestionsParts } from "./ask-question.ts";

export const questionsOptions = { onQuestion: inCode<QuestionHandler>() };

/** Lets a tool ask the person a question. */
export const questionsService: Service<"questions", QuestionsParts, OpenService<"questions">> = {
  offers: "asking questions",
  // The question is checked where it is asked.
  keys: methodKeys<"questions">({ ask: [1, { signal: foreign }] }, { ask: [0, foreign] }),
  open: (parts) => ({
    forCall(_gate, call) {
      const ask = async (given: string | Question, options: AskOptions = {}): Promise<Answer> => {
        const question = typeof given === "string" ? { text: given } : given;
        return askQuestion(question, options, { ...parts, call });
      };
      // Safe: the answer has been checked against the question.
      return { ask: ask as ToolContext["ask"] };
    },
  }),
};
