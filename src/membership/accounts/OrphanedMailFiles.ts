import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, type Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { makeMailFiles } from "../../platform/mail/MailFiles.ts"
import { Uuid } from "../../platform/schema/brandedId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { rows } from "../../platform/sql/Rows.ts"

const isId = Schema.is(Uuid)
const decodeIds = rows(Schema.Struct({ id: Schema.String }))

/** The most ids in one statement. */
const batch = 1000

/** The number of checks without a new removal before a check sweeps everything anyway. */
const checksPerSweep = 12

/** The number of checks that sweep after a removal: a mail in flight may become a file a moment later. */
const sweepsAfterRemoval = 4

/**
 * The number of receipts that a check compares. After more removals than this between two checks all of them are new.
 */
const newestReceipts = 100

/** If mails are files, deletes the files of mails about removed people. */
export class OrphanedMailFiles extends Context.Service<OrphanedMailFiles, {
  /** Deletes those about removed students and about sign-ups that no longer exist. Reads the whole folder. */
  readonly sweep: Effect.Effect<void>
  /**
   * Sweeps on the check after a removal and on the next three. Also sweeps on the first and every twelfth check, for
   * expired sign-ups and for files from a time when no process checked. Other checks cost little, or nothing if mails
   * are not files.
   */
  readonly check: Effect.Effect<void>
}>()("turma/membership/accounts/OrphanedMailFiles") {
  static readonly layerOf = (dataFolder: string) =>
    Layer.effect(
      OrphanedMailFiles,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const files = yield* makeMailFiles(dataFolder)

        // The database keeps saying who is removed, so after a crash the files are deleted later.
        const orphanedOf = (ids: ReadonlyArray<string>) =>
          sql`
            select given.id from unnest(${uuids(ids)}) as given (id)
            where not exists (select from sign_ups s where s.id = given.id)
              and not exists (select from students st where st.id = given.id and st.removed_at is null)
          `.pipe(decodeIds)

        const sweep = Effect.gen(function*() {
          const ids = (yield* files.about).filter((name) => isId(name))
          for (let begin = 0; begin < ids.length; begin += batch) {
            const orphaned = yield* orphanedOf(ids.slice(begin, begin + batch))
            yield* Effect.forEach(orphaned, ({ id }) => files.forget(id), { discard: true })
          }
        }).pipe(Effect.orDie, Effect.withSpan("OrphanedMailFiles.sweep"))

        // Compared as a set and not by time, so that a removal that commits late is new all the same.
        const removed =
          sql`select student_id as id from student_erasures order by erased_at desc limit ${newestReceipts}`.pipe(
            decodeIds,
            Effect.map((receipts) => new Set(receipts.map(({ id }) => id)))
          )

        let known: ReadonlySet<string> | undefined
        let checksLeft = 0
        let sweepsLeft = 0

        const check = Effect.gen(function*() {
          if (!(yield* files.exist)) return
          const [before, now] = [known, yield* removed]
          if (before !== undefined && [...now].some((id) => !before.has(id))) sweepsLeft = sweepsAfterRemoval
          if (sweepsLeft === 0 && checksLeft > 0) {
            checksLeft -= 1
            return
          }
          yield* sweep
          known = now
          sweepsLeft = Math.max(0, sweepsLeft - 1)
          checksLeft = checksPerSweep - 1
        }).pipe(Effect.orDie, Effect.withSpan("OrphanedMailFiles.check"))

        return OrphanedMailFiles.of({ sweep, check })
      })
    ).pipe(Layer.provide(NodeServices.layer))
}

/** Checks at the start and then at each interval. Any number may run. */
export const orphanedMailFilesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.flatMap(OrphanedMailFiles, ({ check }) =>
    repeatedly(check, { every, onFailure: "Mails about removed people were not deleted" })))
    .pipe(Layer.provide(Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, OrphanedMailFiles.layerOf))))
