import { answerTasks } from "../../../machine/child/index.ts";
import { performTextTask } from "./text-task.ts";

/** The main program of the thread that works on one long text. */
answerTasks(performTextTask);
