import { answerTasks } from "../../../machine/child/answer-parent.ts";
import { convertPage } from "./convert-page.ts";

/** The main program of the thread that converts one page. */
answerTasks(convertPage);
