import { connect } from "node:net";

const loopbacks = ["127.0.0.1", "::1"];
const maxConnectMs = 1000;

/** Whether something on this machine accepts connections on the port, over IPv4 or IPv6. */
export async function isPortOpen(port: number, signal: AbortSignal): Promise<boolean> {
  const answers = await Promise.all(loopbacks.map((host) => canConnect(host, { port, signal })));
  return answers.includes(true);
}

function canConnect(host: string, { port, signal }: { port: number; signal: AbortSignal }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal, timeout: maxConnectMs });
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => answer(true));
    socket.once("timeout", () => answer(false));
    socket.on("error", () => answer(false));
  });
}
