import { stripTypeScriptTypes } from "node:module";
import { Socket } from "node:net";

// The program inside the sandbox. Whatever a made tool does to it, the other side judges every message as if the tool
// itself had sent it. It imports nothing of ours: no other file of the package is visible here.

/** What a process in the room `machine/child` is sent, as far as it concerns a guest. */
type Received =
  | { readonly ask: number; readonly name: "load"; readonly given: GuestModule }
  | { readonly ask: number; readonly name: "call"; readonly given: unknown }
  | {
      readonly answer: number;
      readonly value?: unknown;
      readonly failure?: { code: string; message: string };
    };

interface GuestModule {
  readonly code: string;
  readonly isTypeScript: boolean;
  readonly uses: readonly string[];
}

type Run = (input: unknown, context: object) => unknown;

const socket = new Socket({ fd: 3, readable: true, writable: true });
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let run: Run | undefined;
let context: object = {};
let uses = 0;

let rest = "";
socket.setEncoding("utf8");
socket.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void receive(JSON.parse(line));
});
socket.on("close", () => process.exit());

function send(message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

async function receive(message: Received): Promise<void> {
  if (!("ask" in message)) return settle(message);
  const { ask: answer } = message;
  try {
    const value = message.name === "load" ? await load(message.given) : await run!(message.given, context);
    send({ answer, value: value ?? null });
  } catch (error) {
    send({ answer, failure: error instanceof Error ? error.message : String(error) });
  }
}

async function load({ code, isTypeScript, uses }: GuestModule): Promise<void> {
  const plain = isTypeScript ? stripTypeScriptTypes(code) : code;
  const module = await import(`data:text/javascript;base64,${Buffer.from(plain).toString("base64")}`);
  if (typeof module.default !== "function")
    throw new TypeError("the module has no function as its default export");
  run = module.default;
  context = createContext(uses);
}

function createContext(names: readonly string[]): object {
  const services: Record<string, Record<string, unknown>> = {};
  for (const name of names) {
    const [service = "", method = ""] = name.split(".");
    services[service] ??= {};
    services[service][method] = (...given: unknown[]) => ask(name, given);
  }
  return services;
}

function ask(name: string, given: readonly unknown[]): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>();
  waiting.set(++uses, answer);
  send({ ask: uses, name, given });
  return answer.promise;
}

function settle({ answer, value, failure }: Extract<Received, { answer: number }>): void {
  const asked = waiting.get(answer);
  waiting.delete(answer);
  if (failure === undefined) asked?.resolve(value);
  else asked?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
}
