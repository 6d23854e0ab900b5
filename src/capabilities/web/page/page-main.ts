import { parentPort, workerData } from "node:worker_threads";
import { convertPage } from "./convert-page.ts";

/** The main program of the thread that converts one page. */
parentPort?.postMessage(await convertPage(workerData));
