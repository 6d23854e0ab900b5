import type { Server } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = ReturnType<typeof limitConnections>;

/**
 * Limits a server's connections per peer. Connections without a proven identity share one limit. Where a limit is
 * exceeded, the oldest connection of the same peer is closed, and not the newest refused: connections that are opened
 * and then left alone cannot shut out other clients.
 */
export function limitConnections(
  server: Server,
  { maxStrangers, maxPerPeer }: { maxStrangers: number; maxPerPeer: number },
) {
  const strangers = new Set<Socket>();
  const peers = new Map<string, Set<Socket>>();
  const owners = new WeakMap<Socket, string>();

  const forget = (socket: Socket) => {
    strangers.delete(socket);
    const peer = owners.get(socket);
    const own = peer === undefined ? undefined : peers.get(peer);
    if (own?.delete(socket) && own.size === 0) peers.delete(peer!);
  };
  server.on("connection", (socket) => {
    socket.once("close", () => forget(socket));
    // Without a listener, a connection that breaks would end the process.
    socket.on("error", () => {});
    strangers.add(socket);
    closeOldest(strangers, maxStrangers);
  });
  return {
    /** Says whose connection it is, once a request on it has shown that. */
    assign(socket: Socket, peer: string): void {
      if (socket.destroyed || owners.get(socket) === peer) return;
      forget(socket);
      owners.set(socket, peer);
      const own = peers.get(peer) ?? new Set();
      peers.set(peer, own.add(socket));
      closeOldest(own, maxPerPeer);
    },
  };
}

function closeOldest(sockets: Set<Socket>, max: number): void {
  if (sockets.size <= max) return;
  const [oldest] = sockets;
  sockets.delete(oldest!);
  oldest!.destroy();
}
