import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { spawn } from "node:child_process"
import { cleanUpIfWeDie } from "../../../src/operations/backup/CleanUp.ts"

// Takes long: the shell waits ten seconds for a server that does not end.
layer(NodeServices.layer, { excludeTestServices: true })(
  "What cleans up after a verification",
  (it) => {
    it.effect("ends no group of processes, whatever the file of the server says", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = `${yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })}/own`
        const bystander = yield* Effect.acquireRelease(
          Effect.sync(() => spawn("sleep", ["60"], { detached: true, stdio: "ignore" })),
          (process) => Effect.sync(() => process.kill("SIGKILL"))
        )
        yield* fs.makeDirectory(`${folder}/postgres/cluster`, { recursive: true })
        yield* fs.writeFileString(`${folder}/postgres/cluster/postmaster.pid`, `-${bystander.pid}\n`)
        const shell = yield* cleanUpIfWeDie(folder)
        shell.stdin.end()
        yield* Effect.repeat(Effect.delay(fs.exists(folder), "100 millis"), { while: (isThere) => isThere })
        assert.isNull(bystander.exitCode)
        assert.isNull(bystander.signalCode)
      }))
  }
)
