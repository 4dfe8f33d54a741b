// A proxy for a server that cuts, holds or delays the data that the server sends.

import { connect, createServer } from "node:net";

/**
 * Starts a proxy of a port of 127.0.0.1. `proxy.mode` applies to all connections: `pass`, `hold`
 * (nothing is forwarded) or `slow` (10 ms for each chunk). `{cut: n}` ends the connection after n
 * further bytes of the server.
 */
export function startProxy(port) {
  const sockets = new Set();
  const proxy = { mode: "pass", sent: 0 };
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", async (chunk) => {
      proxy.sent += chunk.length;
      const { mode } = proxy;
      if (mode === "hold") return;
      if (mode === "slow") {
        upstream.pause();
        await new Promise((resolve) => setTimeout(resolve, 10));
        upstream.resume();
      }
      if (mode.cut === undefined) {
        client.write(chunk);
        return;
      }
      client.write(chunk.subarray(0, mode.cut));
      mode.cut -= chunk.length;
      if (mode.cut <= 0) client.end();
      if (mode.cut <= 0) end();
    });
  });
  proxy.stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      proxy.port = server.address().port;
      resolve(proxy);
    });
  });
}
