import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { commandModule } from "../harness/CommandModule.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { blocks, guide, marked } from "./Guides.ts"

it.live("runs every command of the guide to keys", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const DATA_DIR = yield* postgresFolder()
    const service = yield* startApi({ env: { DATA_DIR } })
    yield* service.end()
    const commands = blocks(marked(guide("keys"), "keys", "/keys"), "sh").join("\n")
      .replaceAll("npx turma", `node ${commandModule}`)
    const { code, stderr, stdout } = yield* runTurma({
      program: "bash",
      args: ["-euo", "pipefail", "-c", commands],
      env: { DATA_DIR }
    })
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^No process runs$/m)
    assert.match(stdout, /"step":"seal"/)
    assert.strictEqual((yield* fs.readFileString(`${DATA_DIR}/app-secret-key`)).split("\n").length, 2)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
