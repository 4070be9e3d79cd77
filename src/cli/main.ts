#!/usr/bin/env node
// Node keeps what it compiles of what is loaded from here on: the next command then starts sooner.
await import("./keepCompiled.js")
const { runCommandLine } = await import("./commandLine.ts")

runCommandLine()
