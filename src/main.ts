import { runMain } from "./cli/runMain.ts"
import { start } from "./cli/start.ts"

runMain(start)
