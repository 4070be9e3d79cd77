import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../clubs/Club.ts"
import { defaultLevels, defaultRules } from "./Defaults.ts"
import { type Gamification, type GamificationPatch, rulesOf } from "./Gamification.ts"
import { GamificationRepo } from "./GamificationRepo.ts"
import { judgeLevels, type LadderError, LevelId, type LevelInput, planLadder } from "./Ladder.ts"

/** What a club pays points for and the ladder that they climb (contract, Gamification). */
export class Gamifications extends Context.Service<Gamifications, {
  /** The defaults of a new club, everything on, in the caller's transaction if there is one. */
  open(club_id: ClubId, locale: string): Effect.Effect<void>
  /** One statement. */
  read(club_id: ClubId): Effect.Effect<Gamification>
  patch(club_id: ClubId, patch: GamificationPatch): Effect.Effect<Gamification>
  /** The whole ladder (contract, Endpoints, rule 1). Of several at once, each leaves its own until the next. */
  replaceLevels(club_id: ClubId, sent: ReadonlyArray<LevelInput>): Effect.Effect<Gamification, LadderError>
}>()("turma/gamification/Gamifications") {
  static readonly layerNoDeps = Layer.effect(
    Gamifications,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* GamificationRepo
      const random = yield* SecureRandom.SecureRandom
      const newId = Effect.map(random.uuidV7(), (id) => LevelId.make(id))

      const open = Effect.fn("Gamifications.open")(function*(club_id: ClubId, locale: string) {
        const levels = yield* Effect.forEach(
          defaultLevels(locale),
          (level) => Effect.map(newId, (id) => ({ ...level, id }))
        )
        yield* repo.insert(club_id, defaultRules, levels)
      })

      const read = Effect.fnUntraced(function*(club_id: ClubId): Effect.fn.Return<Gamification> {
        const row = yield* repo.read(club_id)
        return { ...row, rules: rulesOf(row.rules) }
      })

      const patch = Effect.fn("Gamifications.patch")(
        (club_id: ClubId, patch: GamificationPatch) =>
          sql.withTransaction(Effect.andThen(repo.update(club_id, patch), read(club_id))),
        Effect.orDie
      )

      const replaceLevels = Effect.fn("Gamifications.replaceLevels")(function*(
        club_id: ClubId,
        sent: ReadonlyArray<LevelInput>
      ) {
        // Before ids are made and a connection and the ladder are taken: a wrong request costs nobody else anything.
        const judged = yield* Effect.fromResult(judgeLevels(sent))
        const newIds = yield* Effect.forEach(judged, () => newId)
        const replace = Effect.gen(function*() {
          yield* repo.lock(club_id)
          const current = yield* read(club_id)
          const levels = yield* Effect.fromResult(planLadder(current.levels, judged, newIds))
          yield* repo.replaceLevels(club_id, levels)
          return { ...current, levels }
        })
        return yield* sql.withTransaction(replace)
      }, Effect.catchTag("SqlError", Effect.die))

      return Gamifications.of({ open, read, patch, replaceLevels })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([GamificationRepo.layer, NodeCrypto.layerSecureRandom])
  )
}
