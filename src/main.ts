import { keepCompiled } from "./cli/keepCompiled.ts"

// Before anything else is loaded.
keepCompiled()
const { runMain } = await import("./cli/runMain.ts")
const { serve } = await import("./cli/serve.ts")
runMain(serve)
