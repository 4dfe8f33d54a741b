// Parts of Node that the command line uses. The types of Node would change those of the page.
declare module "node:fs" {
  export function readFileSync(path: string | number): Uint8Array;
  export function writeFileSync(path: string, text: string): void;
}

declare module "node:path" {
  export function resolve(path: string): string;
}

declare module "node:url" {
  export function pathToFileURL(path: string): URL;
  export function fileURLToPath(url: URL): string;
}

declare module "node:util" {
  export interface ParseArgsConfig {
    args: string[];
    options: { [name: string]: { type: "string" | "boolean" } };
    allowPositionals: boolean;
  }
  export function parseArgs(config: ParseArgsConfig): {
    values: { [name: string]: string | boolean | undefined };
    positionals: string[];
  };
}

declare module "node:process" {
  interface Output {
    write(text: string): void;
  }
  const process: {
    argv: string[];
    stdin: AsyncIterable<Uint8Array>;
    stdout: Output;
    stderr: Output;
    exitCode: number;
  };
  export default process;
}
