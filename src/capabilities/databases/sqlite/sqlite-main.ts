import { answerTasks } from "../../../machine/child/answer-parent.ts";
import { runSqlite } from "./run-sqlite.ts";

/** The main program of the process that runs SQLite. */
answerTasks(runSqlite);
