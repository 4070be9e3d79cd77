// Loaded before a process with `--import`: prints the bytes it allocates between one SIGUSR2 and the next, including
// those collected meanwhile. V8 samples one allocation in every so many bytes. Over some MB that is exact to a percent
// or two.
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
