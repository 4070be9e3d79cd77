import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runTurma } from "../harness/Turma.ts"

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A process whose secrets are in files",
  (it) => {
    it.effect("ends at the start with a line for each that cannot be used", () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* runTurma({
          env: {
            DATABASE_URL: "postgres://turma:hunter2@127.0.0.1/turma",
            DATABASE_URL_FILE: "/etc/hostname",
            APP_SECRET_KEY_FILE: "/nowhere/key"
          }
        })
        assert.strictEqual(code, 2)
        assert.strictEqual(stdout, "")
        assert.deepStrictEqual(stderr.trimEnd().split("\n").toSorted(), [
          "turma: APP_SECRET_KEY_FILE: cannot use the file /nowhere/key (ENOENT)",
          "turma: DATABASE_URL and DATABASE_URL_FILE are both set: set one of them"
        ])
      }))
  }
)
