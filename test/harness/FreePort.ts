import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** The kernel hands out ports from 32768 on. Below them, no other program takes a port before the process binds it. */
const ports = { from: 12_000, to: 32_000 }

/** Files run in several workers. Each takes every eighth port, so no two hand out the same one before it is bound. */
const lanes = 8
const first = ports.from + Number(process.env["VITEST_POOL_ID"] ?? 0) % lanes

let last = first + lanes * randomInt((ports.to - ports.from) / lanes)

const isFree = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

/** A free port of this machine. Each call returns another one. */
export const freePort: Effect.Effect<number> = Effect.gen(function*() {
  while (true) {
    last = last + lanes < ports.to ? last + lanes : first
    const port = last
    if (yield* isFree(port)) return port
  }
})
