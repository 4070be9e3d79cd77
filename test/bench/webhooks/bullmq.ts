// BullMQ on Redis as its documentation shows it, with attempts and an exponential wait.
import { Worker } from "bullmq"
import { attempts } from "./attempts.ts"
import type { Job } from "./jobs.ts"
import { concurrency } from "./limits.ts"
import { carryOut, given } from "./orders.ts"

const { hostname, port } = new URL(given("REDIS_URL"))
const { make, reach } = attempts("bullmq")

const worker = new Worker<Job>("webhooks", (job) => make(job.data, job.attemptsMade + 1), {
  connection: { host: hostname, port: Number(port) },
  concurrency,
  autorun: false,
  removeOnComplete: { count: 0 }
})

await worker.waitUntilReady()
await worker.pause()
void worker.run()

await carryOut("ready", { run: () => worker.resume(), reach, stop: () => worker.pause() })
process.exit()
