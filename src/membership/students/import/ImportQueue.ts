import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Cause, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { backOff } from "../../../platform/jobs/BackOff.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { openRows, sealRows } from "./Chunks.ts"
import { type Chunk, ImportsRepo } from "./ImportsRepo.ts"
import { type Done, ImportWork } from "./ImportWork.ts"
import type { Problem } from "./Problem.ts"
import type { CheckedRow } from "./Row.ts"

/** As often a chunk is tried whole. After that it is halved at each failure, until one row is found to be the reason. */
export const patience = 5

/** 1 second after the first failure, then four times as long each time, at most 5 minutes. */
export const delayAfter = backOff({ first: "1 second", longest: "5 minutes", factor: 4 })

/** The work on a chunk died; the transaction that took it is undone. */
class ChunkDied extends Schema.TaggedError<ChunkDied>()("ChunkDied", {}) {}

/** What a dry run found out, on its way out of a transaction that is undone. */
class Rehearsed extends Schema.TaggedError<Rehearsed>()("Rehearsed", {}) {}

/** Works through the imports: each row once, by one process at a time. */
export class ImportQueue extends Context.Service<ImportQueue, {
  /** Does one chunk that is due, whole or not at all; says how many there were: 1 or 0. */
  readonly tick: Effect.Effect<number>
}>()("turma/students/ImportQueue") {
  static readonly layerNoDeps = Layer.effect(
    ImportQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* ImportsRepo
      const sealing = yield* Sealing
      const work = yield* ImportWork

      /** The same work, undone: what it came to is all that is left of it. */
      const rehearse = Effect.fnUntraced(function*(chunk: Chunk, rows: ReadonlyArray<CheckedRow>) {
        let done: Done | undefined
        yield* work.apply(chunk, rows).pipe(
          Effect.tap((result) => Effect.sync(() => done = result)),
          Effect.andThen(new Rehearsed()),
          sql.withTransaction,
          Effect.catchTag("Rehearsed", () => Effect.void)
        )
        return done ?? (yield* Effect.die(new Error("A dry run came to nothing")))
      })

      const settle = Effect.fnUntraced(function*({ club_id, import_id }: Chunk, { problems, ...counts }: Done) {
        const errors = yield* Effect.forEach(
          problems,
          (problem) => Effect.map(random.uuidV7(), (id) => ({ id, ...problem }))
        )
        yield* repo.addErrors(club_id, import_id, errors)
        yield* repo.count(club_id, import_id, counts)
      })

      const perform = Effect.fn("ImportQueue.perform")(function*(chunk: Chunk) {
        const rows = yield* Effect.orDie(openRows(sealing, chunk))
        yield* settle(chunk, yield* chunk.dry_run ? rehearse(chunk, rows) : work.apply(chunk, rows))
      })

      const refuse = (chunk: Chunk, { line }: CheckedRow) => {
        const problem: Problem = { line, field: "row", code: "internal" }
        return settle(chunk, { created: 0, existing: 0, granted: 0, failed: 1, problems: [problem] })
      }

      const putBack = Effect.fnUntraced(function*(chunk: Chunk, failures: number) {
        const { club_id, import_id } = chunk
        yield* repo.addChunks(club_id, import_id, [chunk], failures)
        yield* repo.rest(club_id, import_id, delayAfter(failures))
      })

      /** The halves of a chunk that was taken, for later; a single row is given up. */
      const halve = Effect.fnUntraced(function*(chunk: Chunk) {
        const { club_id, import_id, position } = chunk
        const rows = yield* openRows(sealing, chunk)
        const [only] = rows
        if (only !== undefined && rows.length === 1) return yield* refuse(chunk, only)
        const middle = Math.ceil(rows.length / 2)
        const halves = yield* Effect.all([
          sealRows(sealing, { club_id, import_id, position }, rows.slice(0, middle)),
          sealRows(sealing, { club_id, import_id, position: position + middle }, rows.slice(middle))
        ])
        yield* repo.addChunks(club_id, import_id, halves, chunk.failures)
        yield* repo.rest(club_id, import_id, Duration.seconds(1))
      })

      /** Unless somebody else has done or put back the chunk since. */
      const postpone = Effect.fnUntraced(function*(chunk: Chunk) {
        const taken = yield* repo.takeAgain(chunk)
        if (Option.isNone(taken)) return
        const { failures } = taken.value
        if (failures + 1 < patience) return yield* putBack(taken.value, failures + 1)
        // A key that is missing today may be back tomorrow: what does not open is kept.
        yield* Effect.catchTag(halve(taken.value), "SealBroken", () => putBack(taken.value, failures))
      })

      const takeOne = Effect.fnUntraced(function*(keep: (chunk: Chunk) => void) {
        const taken = yield* repo.take()
        if (Option.isNone(taken)) return 0
        keep(taken.value)
        yield* Effect.catchCauseIf(
          perform(taken.value),
          (cause) => !Cause.hasInterrupts(cause),
          (cause) => Effect.andThen(Effect.logError("A chunk of an import failed", cause), new ChunkDied())
        )
        return 1
      })

      const tick = Effect.gen(function*() {
        let held: Chunk | undefined
        return yield* sql.withTransaction(takeOne((chunk) => held = chunk)).pipe(
          Effect.catchTag(
            "ChunkDied",
            () => held === undefined ? Effect.succeed(0) : Effect.as(sql.withTransaction(postpone(held)), 1)
          )
        )
      }).pipe(Effect.orDie, Effect.withSpan("ImportQueue.tick"))

      return ImportQueue.of({ tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([ImportsRepo.layer, ImportWork.layer, NodeCrypto.layerSecureRandom])
  )
}
