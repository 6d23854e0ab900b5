import { parentPort, workerData } from "node:worker_threads";
import { answerTextTask } from "./text-task.ts";

/** The main program of the thread that works on one long text. */
parentPort?.postMessage(await answerTextTask(workerData));
