// Loaded before a process with `--import`: how many bytes it allocates between one SIGUSR2 and the next, what was collected
// meanwhile included. V8 notes one allocation in every so many bytes, which is exact to a percent or two over some MB.
import { Session } from "node:inspector"

const samplingInterval = 8192

interface Node {
  readonly selfSize: number
  readonly children: ReadonlyArray<Node>
}

const total = ({ children, selfSize }: Node): number => children.reduce((sum, child) => sum + total(child), selfSize)

const session = new Session()
session.connect()
let sampling = false

process.on("SIGUSR2", () => {
  if (sampling) {
    session.post("HeapProfiler.stopSampling", (_, { profile }) => {
      process.stdout.write(`allocated ${total(profile.head)} bytes\n`)
    })
  } else {
    const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
    session.post("HeapProfiler.startSampling", { samplingInterval, ...collected }, () => {
      process.stdout.write("allocations are counted\n")
    })
  }
  sampling = !sampling
})
