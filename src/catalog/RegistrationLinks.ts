import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../clubs/Club.ts"

/** Codes that let a person sign up in a club, a closed one too. A code of another club is no code. */
export class RegistrationLinks extends Context.Service<RegistrationLinks, {
  /** Whether the code would be taken now. */
  usable(club_id: ClubId, code: string): Effect.Effect<boolean>
  /** Counts one use; false if the code is unknown, expired or used up. Two racing for the last use: one gets it. */
  use(club_id: ClubId, code: string): Effect.Effect<boolean>
}>()("turma/catalog/RegistrationLinks") {
  static readonly layer = Layer.effect(
    RegistrationLinks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const live = (club_id: ClubId, code: string, now: Date) =>
        sql`
          club_id = ${club_id} and code = ${code}
            and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > ${now})
        `

      const usable = Effect.fn("RegistrationLinks.usable")(function*(club_id: ClubId, code: string) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return (yield* sql`select id from registration_links where ${live(club_id, code, now)}`).length > 0
      }, Effect.orDie)

      const use = Effect.fn("RegistrationLinks.use")(function*(club_id: ClubId, code: string) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const used = yield* sql`
          update registration_links set uses = uses + 1 where ${live(club_id, code, now)} returning id
        `
        return used.length > 0
      }, Effect.orDie)

      return RegistrationLinks.of({ usable, use })
    })
  )
}
