import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, type Duration, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeMailFiles } from "../mail/MailFiles.ts"
import { uuids } from "../sql/Arrays.ts"
import { databaseSettings } from "../sql/DatabaseSettings.ts"

const isId = Schema.is(Schema.String.check(Schema.isUUID()))
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** Statements name at most so many people. */
const batch = 1000

/** Files of mails about people who are not there any more, where mails are files. */
export class ForgottenMails extends Context.Service<ForgottenMails, {
  /** Deletes those about removed students, and about sign-ups that are gone. */
  readonly sweep: Effect.Effect<void>
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
          `.pipe(Effect.flatMap(decodeIds))

        const sweep = Effect.gen(function*() {
          const ids = (yield* files.about).filter((name) => isId(name))
          for (let begin = 0; begin < ids.length; begin += batch) {
            const gone = yield* goneOf(ids.slice(begin, begin + batch))
            yield* Effect.forEach(gone, ({ id }) => files.forget(id), { discard: true })
          }
        }).pipe(Effect.orDie, Effect.withSpan("ForgottenMails.sweep"))

        return ForgottenMails.of({ sweep })
      })
    ).pipe(Layer.provide(NodeServices.layer))
}

/** Sweeps at the start and then every so often. Any number may run. */
export const forgottenMailsLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.flatMap(ForgottenMails, ({ sweep }) =>
    sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("Mails about people who are gone were not deleted", cause)),
      Effect.repeat(Schedule.spaced(every)),
      Effect.forkScoped
    ))).pipe(
      Layer.provide(Layer.unwrap(Effect.map(databaseSettings.DATA_DIR.read, ForgottenMails.layerOf)))
    )
