import { start } from "./cli/processes/start.ts"
import { runMain } from "./cli/runMain.ts"

runMain(start)
