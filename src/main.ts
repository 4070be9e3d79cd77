import { keepCompiled } from "./cli/keepCompiled.ts"

// Before anything else is loaded.
keepCompiled()
const { runMain } = await import("./cli/runMain.ts")
const { start } = await import("./cli/start.ts")
runMain(start)
