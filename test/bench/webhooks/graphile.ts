// graphile-worker on PostgreSQL, with what its page on performance recommends: jobs are fetched and completed in batches.
import { Logger, run, type Runner } from "graphile-worker"
import { attempts } from "./attempts.ts"
import type { Job } from "./jobs.ts"
import { concurrency } from "./limits.ts"
import { carryOut, given } from "./orders.ts"

declare global {
  namespace GraphileWorker {
    interface Tasks {
      deliver: Job
    }
  }
}

const { make, reach } = attempts("graphile")
let runner: Runner | undefined

const start = async () => {
  runner = await run({
    preset: {
      worker: {
        connectionString: given("DATABASE_URL"),
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        localQueue: { size: concurrency + 1 },
        completeJobBatchDelay: 250,
        failJobBatchDelay: 250
      }
    },
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    taskList: { deliver: (payload, { job }) => make(payload, job.attempts) }
  })
}

await carryOut("ready", { run: start, reach, stop: () => runner?.stop() })
process.exit()
