import { runMain } from "./cli/runMain.ts"
import { serve } from "./cli/serve.ts"

runMain(serve)
