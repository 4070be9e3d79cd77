import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { runTurma } from "../../harness/Turma.ts"

/** Makes or restores a backup by the command in a separate process. Asserts that it succeeds. */
export const turma = (command: "backup" | "restore", file: string, env: Record<string, string>) =>
  Effect.tap(
    runTurma({ args: ["src/cli/main.ts", command, file], env }),
    ({ code, stderr }) => Effect.sync(() => assert.strictEqual(code, 0, stderr))
  )
