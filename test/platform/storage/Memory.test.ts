import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { startArguments } from "../../harness/ScriptArguments.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { startApi } from "../../harness/Turma.ts"
import { foundAt, mebibyte, roundTrip } from "./Club.ts"

// Takes long: it moves a large file through a small process.

const gibibyte = 1024 * mebibyte

/** The service as `npm start` runs it, with a club in it. */
const startClub = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const smtp = yield* startSmtp()
  const { pid, url } = yield* startApi({
    args: startArguments,
    env: {
      DATA_DIR: yield* fs.makeTempDirectoryScoped({ prefix: "turma-large-" }),
      DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SMTP_URL: Redacted.value(smtp.url),
      RATE_LIMIT_WRITES: "1000"
    }
  })
  return { pid, ...(yield* foundAt(url, smtp.received)) }
})

const memoryOf = (pid: number, line: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024

/** The most memory of the process during `work`, and its growth since the start of `work`, in bytes. */
const peakDuring = Effect.fnUntraced(function*<A, E, R>(pid: number, work: Effect.Effect<A, E, R>) {
  // The kernel resets the highest value here (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
  const before = memoryOf(pid, "VmRSS")
  const found = yield* work
  const peak = memoryOf(pid, "VmHWM")
  return { found, peak, growth: peak - before }
})

layer(NodeServices.layer, { excludeTestServices: true })("A file of 1 GiB", (it) => {
  it.effect(
    "is uploaded, confirmed and downloaded within 32 MiB of memory",
    () =>
      Effect.gen(function*() {
        const club = yield* startClub
        // Small files come first, twice, so that late loading, compiling and heap growth do not count.
        const many = Effect.forEach(Array.from({ length: 8 }), () => roundTrip(club, 64 * mebibyte))
        yield* many
        const small = yield* peakDuring(club.pid, many)
        const isSmall = ({ growth, peak }: { readonly growth: number; readonly peak: number }) =>
          growth < 32 * mebibyte && peak - small.peak < 32 * mebibyte
        const large = peakDuring(club.pid, roundTrip(club, gibibyte))
        const first = yield* large
        // The heap may also grow by itself in one round, but not in both if no memory grows with the file.
        const rounds = isSmall(first) ? [first] : [first, yield* large]
        for (const { found } of rounds) assert.deepStrictEqual(found, [204, "ready", gibibyte])
        assert.isTrue(rounds.some(isSmall), JSON.stringify({ small, rounds }))
      })
  )
})
