import { answerTasks } from "../../machine/child/answer-parent.ts";
import { readSource } from "./read-source.ts";

/** The main program of the process that parses a project's files. */
answerTasks(readSource);
