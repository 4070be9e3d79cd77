import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Option, Redacted } from "effect"
import { statSync } from "node:fs"
import { shareSecret } from "../../../src/cli/webhooks/forward/forward.ts"
import { makeOutput } from "../../../src/cli/webhooks/forward/ForwardOutput.ts"

const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

const share = (path: string) =>
  shareSecret(secret, { secret_file: Option.some(path) }, makeOutput({ json: false, print: "none" }))

layer(NodeServices.layer)("The file for a listener's secret", (it) => {
  it.effect("has it for this user alone, in place of what was there", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* fs.makeTempFileScoped()
      yield* share(path)
      assert.strictEqual(yield* fs.readFileString(path), `${Redacted.value(secret)}\n`)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    }))

  it.effect("is named with the reason where it cannot be written", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const refused = [[folder, "it is a folder"], [`${folder}/none/secret`, "there is no such folder"]] as const
      for (const [path, why] of refused) {
        const { message } = yield* Effect.flip(share(path))
        assert.strictEqual(message, `Cannot write the secret to ${path}: ${why}`)
      }
    }))
})
