import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { postmasterOf } from "../../harness/Postmaster.ts"
import { runTurma, startTurma } from "../../harness/Turma.ts"
import { source } from "./Installation.ts"

// Takes long: each verification makes a database server.

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const until = <A, E, R>(look: Effect.Effect<A | undefined, E, R>) =>
  Effect.repeat(Effect.delay(look, "20 millis"), { until: (found): found is A => found !== undefined })

/** An installation with a backup, and the content of its folder of verifications. */
const stand = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const from = yield* source
  yield* from.make
  const folder = `${from.env.DATA_DIR}/verifying`
  const names = Effect.orElseSucceed(fs.readDirectory(folder), () => [])
  const command = { args: ["src/cli/main.ts", "backups", "verify", from.archive], env: from.env }
  return { folder, names, command }
})

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true })("A verification that is killed", (it) => {
  it.effect(
    "leaves neither a server nor a folder, and the next sweeps what a dead machine left, but nothing that goes on",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const { command, folder, names } = yield* stand
        for (const when of ["running", "being made"] as const) {
          const verifying = yield* startTurma(command)
          const server = Effect.map(names, ([name]) =>
            name === undefined ? undefined : when === "running" ? postmasterOf(`${folder}/${name}/postgres`) : 0)
          const pid = yield* until(server)
          yield* verifying.end("SIGKILL")
          yield* until(Effect.map(names, (left) =>
            left.length === 0 ? true : undefined))
          yield* until(Effect.sync(() =>
            pid > 0 && isAlive(pid) ? undefined : true
          ))
        }

        const [own, other, old] = [hostname(), "another-host", "gone-host"].map((host) => `${host}-${randomUUID()}`)
        yield* Effect.forEach([own, other, old], (name) =>
          fs.makeDirectory(`${folder}/${name}/postgres`, { recursive: true }))
        const yesterday = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { hours: 25 }))
        yield* fs.utimes(`${folder}/${old}`, yesterday, yesterday)
        const both = yield* Effect.all([runTurma(command), runTurma(command)], { concurrency: 2 })
        for (const { code, stderr } of both) {
          assert.strictEqual(code, 0, stderr)
        }
        assert.deepStrictEqual(yield* names, [other])
      })
  )
})
