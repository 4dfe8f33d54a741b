// Drivers of Firefox and WebKit over their native protocols, without the builds of Playwright.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { which } from "../../scripts/run.mjs";
import { fetchFrom, freePort, hostModule, start, waitForOutput } from "./project.mjs";

/** Returns a driver of Firefox over WebDriver BiDi, or `{missing}` with the reason. */
export function firefox() {
  const program = which("firefox-esr", "firefox");
  if (!program) return { missing: "there is no Firefox; on Debian `apt-get install firefox-esr`" };
  return { open: () => orStop((started) => openFirefox(program, started)) };
}

/** Returns a driver of WebKit over WebDriver, or `{missing}` with the reason. */
export function webkit() {
  const driver = which("WebKitWebDriver");
  const browser = ["x86_64", "aarch64"]
    .map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
    .find((path) => existsSync(path));
  const display = which("Xvfb");
  if (!driver || !browser || !display) {
    return { missing: "there is no WebKit; on Debian `apt-get install webkit2gtk-driver xvfb`" };
  }
  return { open: () => orStop((started) => openWebkit(driver, browser, display, started)) };
}

/** Opens a browser; stops the started processes if that fails. */
async function orStop(open) {
  const servers = [];
  const started = async (...program) => {
    servers.push(await start(...program));
    return servers.at(-1);
  };
  try {
    return await open(started);
  } catch (error) {
    for (const server of servers) await server.stop();
    throw error;
  }
}

/**
 * Returns an open browser with one page: `goTo(url)`, and `call(code, ...texts)`, which calls a function in the page
 * with texts and returns its text.
 */
async function openFirefox(program, started) {
  const profile = mkdtempSync(join(tmpdir(), "byname-firefox-"));
  const options = ["--headless", "--no-remote", "--profile", profile];
  const server = await started(profile, program, ...options, "--remote-debugging-port=0");
  const [, address] = await waitForOutput(server, /WebDriver BiDi listening on (ws:\S+)/);
  const { default: WebSocket } = await hostModule("ws");
  const socket = new WebSocket(`${address}/session`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const waiting = new Map();
  socket.on("message", (text) => {
    const { id, result, error, message } = JSON.parse(text);
    const { resolve, reject } = waiting.get(id) ?? {};
    if (error) reject?.(new Error(`${error}: ${message}`));
    else resolve?.(result);
  });
  let last = 0;
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  const { capabilities } = await send("session.new", { capabilities: {} });
  const { contexts } = await send("browsingContext.getTree", {});
  const { context } = contexts[0];
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    goTo: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    call: async (code, ...texts) => {
      const { result, exceptionDetails } = await send("script.callFunction", {
        functionDeclaration: code,
        arguments: texts.map((value) => ({ type: "string", value })),
        awaitPromise: true,
        target: { context },
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
    close: async () => {
      socket.terminate();
      await server.stop();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

async function openWebkit(driver, browser, display, started) {
  const screen = await started("/", display, "-displayfd", "1", "-screen", "0", "800x600x24");
  const [number] = await waitForOutput(screen, /\d+/);
  const port = await freePort();
  const server = await started("/", "env", `DISPLAY=:${number}`, driver, `--port=${port}`);
  const ask = async (method, path, body) => {
    const url = `http://127.0.0.1:${port}/session${path}`;
    const options = { method, body: body && JSON.stringify(body) };
    const { value } = await (await fetchFrom(server, url, options)).json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const { sessionId, capabilities } = await ask("POST", "", {
    capabilities: {
      alwaysMatch: { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } },
    },
  });
  return {
    name: `WebKit ${capabilities.browserVersion}`,
    goTo: (url) => ask("POST", `/${sessionId}/url`, { url }),
    call: (code, ...texts) =>
      ask("POST", `/${sessionId}/execute/async`, {
        script: `const [done] = [...arguments].slice(-1);
          (${code})(...[...arguments].slice(0, -1)).then(done, (error) => done(String(error)));`,
        args: texts,
      }),
    close: async () => {
      await ask("DELETE", `/${sessionId}`).catch(() => {});
      await server.stop();
      await screen.stop();
    },
  };
}
