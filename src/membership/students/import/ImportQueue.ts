import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Cause, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { spanOf } from "../../../platform/tracing/KeptTrace.ts"
import type { CheckedRow } from "./CheckedRow.ts"
import { delayAfter, maxWholeAttempts } from "./ImportRetry.ts"
import { type Chunk, ImportsRepo } from "./ImportsRepo.ts"
import { type ChunkResult, ImportWork } from "./ImportWork.ts"
import type { Problem } from "./Problem.ts"
import { openRows, sealRows } from "./SealedRows.ts"

/** The processing of a chunk failed; the transaction that took it is rolled back. */
class ChunkDied extends Schema.TaggedError<ChunkDied>()("ChunkDied", {}) {}

/** Rolls back the transaction of a dry run. */
class DryRunDone extends Schema.TaggedError<DryRunDone>()("DryRunDone", {}) {}

/** Processes imports: each row once, by one process at a time. */
export class ImportQueue extends Context.Service<ImportQueue, {
  /** Processes one due chunk, whole or not at all; answers the number of chunks: 1 or 0. */
  readonly tick: Effect.Effect<number>
}>()("turma/membership/students/import/ImportQueue") {
  static readonly layerNoDeps = Layer.effect(
    ImportQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* ImportsRepo
      const sealing = yield* Sealing
      const work = yield* ImportWork

      /** Does the work, rolls it back, and answers its result. */
      const dryRun = Effect.fnUntraced(function*(chunk: Chunk, rows: ReadonlyArray<CheckedRow>) {
        let done: ChunkResult | undefined
        yield* work.apply(chunk, rows).pipe(
          Effect.tap((result) => Effect.sync(() => done = result)),
          Effect.andThen(new DryRunDone()),
          sql.withTransaction,
          Effect.catchTag("DryRunDone", () => Effect.void)
        )
        return done ?? (yield* Effect.die(new Error("A dry run came to nothing")))
      })

      const recordResult = Effect.fnUntraced(function*(
        { club_id, import_id }: Chunk,
        { problems, ...counts }: ChunkResult
      ) {
        const errors = yield* Effect.forEach(
          problems,
          (problem) => Effect.map(random.uuidV7(), (id) => ({ id, ...problem }))
        )
        yield* repo.addErrors(club_id, import_id, errors)
        yield* repo.count(club_id, import_id, counts)
      })

      const apply = Effect.fnUntraced(function*(chunk: Chunk) {
        const rows = yield* Effect.orDie(openRows(sealing, chunk))
        yield* recordResult(chunk, yield* chunk.dry_run ? dryRun(chunk, rows) : work.apply(chunk, rows))
      })

      /** In the trace of the request that sent the import in. */
      const perform = (chunk: Chunk) =>
        Effect.withSpan(apply(chunk), "ImportQueue.perform", {
          parent: Option.getOrUndefined(spanOf(chunk.trace)),
          kind: "consumer"
        })

      const giveUpRow = (chunk: Chunk, { line }: CheckedRow) => {
        const problem: Problem = { line, field: "row", code: "internal" }
        return recordResult(chunk, { created: 0, existing: 0, granted: 0, failed: 1, problems: [problem] })
      }

      const putBack = Effect.fnUntraced(function*(chunk: Chunk, failures: number) {
        const { club_id, import_id } = chunk
        yield* repo.addChunks(club_id, import_id, [chunk], failures)
        yield* repo.postpone(club_id, import_id, delayAfter(failures))
      })

      /** Puts back a claimed chunk as two halves. A single row fails. */
      const split = Effect.fnUntraced(function*(chunk: Chunk) {
        const { club_id, import_id, position } = chunk
        const rows = yield* openRows(sealing, chunk)
        const [only] = rows
        if (only !== undefined && rows.length === 1) return yield* giveUpRow(chunk, only)
        const middle = Math.ceil(rows.length / 2)
        const halves = yield* Effect.all([
          sealRows(sealing, { club_id, import_id, position }, rows.slice(0, middle)),
          sealRows(sealing, { club_id, import_id, position: position + middle }, rows.slice(middle))
        ])
        yield* repo.addChunks(club_id, import_id, halves, chunk.failures)
        yield* repo.postpone(club_id, import_id, Duration.seconds(1))
      })

      /** Puts a failed chunk back for later, unless another process has processed or postponed it since. */
      const postpone = Effect.fnUntraced(function*(chunk: Chunk) {
        const taken = yield* repo.takeAgain(chunk)
        if (Option.isNone(taken)) return
        const { failures } = taken.value
        if (failures + 1 < maxWholeAttempts) return yield* putBack(taken.value, failures + 1)
        // A chunk that does not open is kept, since a missing key may be configured again.
        yield* Effect.catchTag(split(taken.value), "SealBroken", () => putBack(taken.value, failures))
      })

      const takeOne = Effect.fnUntraced(function*(onTaken: (chunk: Chunk) => void) {
        const taken = yield* repo.take()
        if (Option.isNone(taken)) return 0
        onTaken(taken.value)
        yield* Effect.catchCauseIf(
          perform(taken.value),
          (cause) => !Cause.hasInterrupts(cause),
          (cause) => Effect.andThen(Effect.logError("A chunk of an import failed", cause), new ChunkDied())
        )
        return 1
      })

      const tick = Effect.gen(function*() {
        let processed: Chunk | undefined
        return yield* sql.withTransaction(takeOne((chunk) => processed = chunk)).pipe(Effect.catchTag(
          "ChunkDied",
          () => processed === undefined ? Effect.succeed(0) : Effect.as(sql.withTransaction(postpone(processed)), 1)
        ))
      }).pipe(Effect.orDie, Effect.withSpan("ImportQueue.tick"))

      return ImportQueue.of({ tick })
    })
  )

  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([ImportsRepo.layer, ImportWork.layer, NodeCrypto.layerSecureRandom]))
}
