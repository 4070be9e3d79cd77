// Before anything else is loaded.
await import("./cli/keepCompiled.js")
const { runMain } = await import("./cli/runMain.ts")
const { start } = await import("./cli/start.ts")
runMain(start)
