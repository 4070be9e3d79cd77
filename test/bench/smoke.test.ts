import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { withFiles } from "../harness/Files.ts"

const smoke = join(import.meta.dirname, "smoke.ts")

/** Runs the check in a project with these benchmarks. */
const check = (scripts: Readonly<Record<string, string>>) =>
  withFiles(
    { "package.json": JSON.stringify({ scripts }) },
    (folder) =>
      new Promise<{ code: number; output: string }>((resolve) => {
        const child = execFile(
          process.execPath,
          [smoke],
          { cwd: folder },
          (_, output) => resolve({ code: child.exitCode ?? -1, output })
        )
      })
  )

it("runs each benchmark of package.json on as little as it can, and fails if one does", async () => {
  const works = "test \"$BENCH_TINY\" = true"
  const all = await check({ "bench:works": works, "start": "exit 3" })
  assert.strictEqual(all.code, 0, all.output)
  assert.include(all.output, "1 of 1 run")

  const some = await check({ "bench:works": works, "bench:broken": "echo no such route; exit 3" })
  assert.strictEqual(some.code, 1, some.output)
  assert.match(some.output, /bench:broken ended with 3:\nno such route/)
  assert.include(some.output, "1 of 2 run")

  const none = await check({ start: "exit 0" })
  assert.strictEqual(none.code, 1, none.output)
})
