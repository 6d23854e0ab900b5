/** Lives beside a file until it is killed: `<file>`. */
import { openLives } from "../../../src/machine/locks/process-lives.ts";

const [file = ""] = process.argv.slice(2);
const lives = openLives(file);
console.log(lives.own);
process.stdin.once("data", () => console.log(lives.own));
