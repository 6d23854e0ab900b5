import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Lets a few clients run at a time. The suite starts the clients of all scenarios at once, and forty programs that load at
 * the same moment would all take longer than the limit for connecting.
 */
export async function openTurnstile(atOnce) {
  const waiting = [];
  let inside = 0;
  const letIn = () => {
    while (inside < atOnce && waiting.length > 0) {
      inside += 1;
      waiting.shift().write("come in\n");
    }
  };
  const server = createServer((socket) => {
    waiting.push(socket);
    socket.on("error", () => {});
    // A client that was killed also closes its socket.
    socket.on("close", () => {
      const place = waiting.indexOf(socket);
      if (place === -1) inside -= 1;
      else waiting.splice(place, 1);
      letIn();
    });
    socket.resume();
    letIn();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: server.address().port, close: () => server.close() };
}
