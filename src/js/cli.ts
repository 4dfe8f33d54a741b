#!/usr/bin/env node
import process from "node:process";
import { runCli } from "./cli/main.js";

const { stdout, stderr, code } = await runCli(process.argv.slice(2));
if (stderr !== "") process.stderr.write(`${stderr}\n`);
if (stdout !== "") process.stdout.write(`${stdout}\n`);
process.exitCode = code;
