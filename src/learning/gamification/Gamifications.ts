import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type Array as Arr, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { type Gamification, type GamificationPatch, rulesOf } from "./Gamification.ts"
import { defaultLevels, defaultRules } from "./GamificationDefaults.ts"
import { GamificationRepo, type GamificationRow } from "./GamificationRepo.ts"
import { type LadderError, LevelId, type LevelInput, planLadder, validateLevels } from "./Ladder.ts"

const gamificationOf = ({ enabled, levels, ranking_visible, rules }: GamificationRow): Gamification => ({
  enabled,
  ranking_visible,
  rules: rulesOf(rules),
  levels
})

/** The point rules of a club and its ladder of levels (contract, Gamification). */
export class Gamifications extends Context.Service<Gamifications, {
  /** The defaults of a new club, everything on, in the caller's transaction if there is one. */
  open(club_id: ClubId, locale: string): Effect.Effect<void>
  /** One statement. */
  read(club_id: ClubId): Effect.Effect<Gamification>
  patch(club_id: ClubId, patch: GamificationPatch): Effect.Effect<Gamification>
  /**
   * Replaces the whole ladder (contract, Endpoints, rule 1). Of several at once the last one wins. Two statements, and
   * two more for each concurrent replacement. Fields outside the ladder are answered as they were read, at one moment.
   */
  replaceLevels(club_id: ClubId, sent: ReadonlyArray<LevelInput>): Effect.Effect<Gamification, LadderError>
}>()("turma/learning/gamification/Gamifications") {
  static readonly layer = Layer.effect(
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

      const read = (club_id: ClubId): Effect.Effect<Gamification> => Effect.map(repo.read(club_id), gamificationOf)

      const patch = Effect.fn("Gamifications.patch")(
        (club_id: ClubId, patch: GamificationPatch) =>
          sql.withTransaction(Effect.andThen(repo.update(club_id, patch), read(club_id))),
        Effect.orDie
      )

      // This ends, because each failed try means that another request has succeeded.
      const replaceWith = Effect.fnUntraced(function*(
        club_id: ClubId,
        valid: Arr.NonEmptyReadonlyArray<LevelInput>,
        ids: Arr.NonEmptyReadonlyArray<LevelId>
      ): Effect.fn.Return<Gamification, LadderError> {
        const current = yield* repo.read(club_id)
        const levels = yield* Effect.fromResult(planLadder(current.levels, valid, ids))
        const replaced = yield* repo.replaceLevels(club_id, current.ladder_version, levels)
        return replaced ? gamificationOf({ ...current, levels }) : yield* replaceWith(club_id, valid, ids)
      })

      const replaceLevels = Effect.fnUntraced(function*(
        club_id: ClubId,
        sent: ReadonlyArray<LevelInput>
      ) {
        // Validates before it makes ids and reads anything, so a wrong request costs little.
        const valid = yield* Effect.fromResult(validateLevels(sent))
        const ids = yield* Effect.forEach(valid, ({ id }) => id === undefined ? newId : Effect.succeed(id))
        return yield* replaceWith(club_id, valid, ids)
      })

      return Gamifications.of({ open, read, patch, replaceLevels })
    })
  ).pipe(Layer.provide([GamificationRepo.layer, NodeCrypto.layerSecureRandom]))
}
