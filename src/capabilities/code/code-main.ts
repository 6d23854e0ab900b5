import { answerTasks } from "../../machine/child/answer-parent.ts";
import { parseCode } from "./parse-code.ts";

/** The main program of the process that parses code. */
answerTasks(parseCode);
