import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, type Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { makeMailFiles } from "../../platform/mail/MailFiles.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { rows } from "../../platform/sql/Rows.ts"

const isId = Schema.is(Schema.String.check(Schema.isUUID()))
const decodeIds = rows(Schema.Struct({ id: Schema.String }))

/** Statements name at most so many people. */
const batch = 1000

/** So many looks find nothing new before everything is swept anyway. */
const looksAtMost = 60

/** So many looks sweep once somebody was removed: a mail that was on its way then may become a file a moment later. */
const sweepsAfterRemoval = 4

/** Nobody removes so many between two looks unseen: then none of these is known. */
const newest = 100

/** Files of mails about people who are not there any more, where mails are files. */
export class ForgottenMails extends Context.Service<ForgottenMails, {
  /** Deletes those about removed students, and about sign-ups that are gone. Reads the whole folder. */
  readonly sweep: Effect.Effect<void>
  /**
   * Sweeps if somebody was removed since it last did, and the next three times, and the first time and every 60th in any
   * case: for sign-ups that have expired, and for what was written or removed while nobody looked. Else it asks for little,
   * or nothing where no mail is a file.
   */
  readonly look: Effect.Effect<void>
}>()("turma/auth/ForgottenMails") {
  static readonly layerOf = (dataFolder: string) =>
    Layer.effect(
      ForgottenMails,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const files = yield* makeMailFiles(dataFolder)

        // What the database says stays said, so whoever dies on the way, or was not there, deletes them later.
        const goneOf = (ids: ReadonlyArray<string>) =>
          sql`
            select given.id from unnest(${uuids(ids)}) as given (id)
            where not exists (select from sign_ups s where s.id = given.id)
              and not exists (select from students st where st.id = given.id and st.removed_at is null)
          `.pipe(decodeIds)

        const sweep = Effect.gen(function*() {
          const ids = (yield* files.about).filter((name) => isId(name))
          for (let begin = 0; begin < ids.length; begin += batch) {
            const gone = yield* goneOf(ids.slice(begin, begin + batch))
            yield* Effect.forEach(gone, ({ id }) => files.forget(id), { discard: true })
          }
        }).pipe(Effect.orDie, Effect.withSpan("ForgottenMails.sweep"))

        // By their receipts, in no order of time: whoever commits late is news all the same.
        const removed = sql`select student_id as id from student_erasures order by erased_at desc limit ${newest}`.pipe(
          decodeIds,
          Effect.map((receipts) => new Set(receipts.map(({ id }) => id)))
        )

        let known: ReadonlySet<string> | undefined
        let looksLeft = 0
        let sweepsLeft = 0

        const look = Effect.gen(function*() {
          if (!(yield* files.exist)) return
          const [before, now] = [known, yield* removed]
          if (before !== undefined && [...now].some((id) => !before.has(id))) sweepsLeft = sweepsAfterRemoval
          if (sweepsLeft === 0 && looksLeft > 0) {
            looksLeft -= 1
            return
          }
          yield* sweep
          known = now
          sweepsLeft = Math.max(0, sweepsLeft - 1)
          looksLeft = looksAtMost - 1
        }).pipe(Effect.orDie, Effect.withSpan("ForgottenMails.look"))

        return ForgottenMails.of({ sweep, look })
      })
    ).pipe(Layer.provide(NodeServices.layer))
}

/** Looks at the start and then every so often. Any number may run. */
export const forgottenMailsLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(
    Effect.flatMap(ForgottenMails, ({ look }) =>
      repeatedly(look, { every, onFailure: "Mails about people who are gone were not deleted" }))
  ).pipe(
    Layer.provide(Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, ForgottenMails.layerOf)))
  )
