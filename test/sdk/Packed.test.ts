import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { listening } from "../harness/Listening.ts"
import { run } from "../harness/Programs.ts"
import { denoIn, sharedProject, withoutRegistry } from "../packages/Packed.ts"

// The SDK as its users have it: packed, installed into an empty project, and run by Deno.

const program = `
import { createTurma } from "turma-sdk"
const turma = createTurma({ baseUrl: process.argv[2] })
const { data } = await turma.health.live()
console.log(data.status)
`

describe.skipIf(withoutRegistry)("turma-sdk in an empty project", () => {
  let shared = ""

  beforeAll(async () => {
    shared = await sharedProject()
  })

  // packages/Sdk.test.ts runs it on Node.
  it.effect("runs in Deno", () =>
    Effect.gen(function*() {
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end("{\"data\":{\"status\":\"ok\"}}")
      })
      const port = yield* listening(server)
      const { stdout } = yield* Effect.promise(async () => {
        const folder = await mkdtemp(join(shared, "deno-"))
        await writeFile(join(folder, "program.mjs"), program)
        const args = ["run", "--no-prompt", "--allow-net=127.0.0.1", "program.mjs", `http://127.0.0.1:${port}`]
        return run(denoIn(shared), args, { cwd: folder })
      })
      assert.strictEqual(stdout, "ok\n")
    }))
})
