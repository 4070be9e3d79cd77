// graphile-worker on PostgreSQL with the settings for throughput of its documentation
// (https://worker.graphile.org/docs/performance): it fetches and completes jobs in batches.
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
    connectionString: given("DATABASE_URL"),
    noHandleSignals: true,
    preset: {
      worker: {
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0
      }
    },
    logger: new Logger(() => () => undefined),
    taskList: { deliver: (payload, { job }) => make(payload, job.attempts) }
  })
}

await carryOut("ready", { run: start, reach, stop: () => runner?.stop() })
process.exit()
