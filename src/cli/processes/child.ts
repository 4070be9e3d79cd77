// What the supervisor starts: the service, as one of several processes.
import { runMain } from "../runMain.ts"
import { serve } from "../serve.ts"
import { supervised } from "./supervised.ts"

runMain(supervised(serve))
