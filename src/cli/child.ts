// What the supervisor starts: the service, as one of several processes.
import { supervised } from "./processes/supervised.ts"
import { runMain } from "./runMain.ts"
import { serve } from "./serve.ts"

runMain(supervised(serve))
