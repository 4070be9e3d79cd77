import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { one } from "../../platform/sql/Rows.ts"
import { Gamification, type GamificationPatch, RuleAction, type RulePatch } from "./Gamification.ts"
import type { Level } from "./Ladder.ts"

const GamificationRow = Schema.Struct({
  ...Gamification.fields,
  rules: Schema.Array(Schema.Struct({ action: RuleAction, points: Schema.Int })),
  ladder_version: Schema.Int
})
/** `rules` are only those with a row, in no order. `ladder_version` counts the replacements of the levels. */
export type GamificationRow = typeof GamificationRow.Type

const decodeRow = one(GamificationRow)

/** The levels of the club that the fragment names, from lowest to highest, as one JSON value. */
export const ladderColumn = (sql: SqlClient.SqlClient, club_id: Statement.Fragment) =>
  sql`(
    select json_agg(json_build_object('id', l.id, 'name', l.name, 'min_points', l.min_points) order by l.min_points)
    from levels l where l.club_id = ${club_id}
  )`

/**
 * The levels of the club from lowest to highest, as two arrays: `levels` has the JSON of each, and `bounds` its
 * `min_points`. `levelAt` reads them as `ladder`: for many rows, an array costs less to search than a table.
 */
export const levelArrays = (sql: SqlClient.SqlClient, club_id: ClubId) =>
  sql`
    select array_agg(row_to_json(level)::text order by level.min_points) as levels,
      array_agg(level.min_points::bigint order by level.min_points) as bounds
    from (select l.id, l.name, l.min_points from levels l where l.club_id = ${club_id}) level`

/** The JSON of the level of a total, a `bigint`, as `standingOf` finds it. */
export const levelAt = (sql: SqlClient.SqlClient, total: Statement.Fragment) =>
  sql`ladder.levels[greatest(width_bucket(${total}, ladder.bounds), 1)]`

/** The tables `gamification`, `gamification_rules` and `levels`. A club always has a row in the first. */
export class GamificationRepo extends Context.Service<GamificationRepo, {
  /** With everything on. In the caller's transaction if there is one, like every write here. */
  insert(club_id: ClubId, rules: ReadonlyArray<RulePatch>, levels: ReadonlyArray<Level>): Effect.Effect<void>
  /** One statement. */
  read(club_id: ClubId): Effect.Effect<GamificationRow>
  /** Locks the club's row itself. */
  update(club_id: ClubId, patch: GamificationPatch): Effect.Effect<void>
  /**
   * Replaces the levels if `ladder_version` is still the club's. Otherwise another request has replaced them since the
   * read: answers `false` and changes nothing. One statement, which locks the club's row itself.
   */
  replaceLevels(club_id: ClubId, ladder_version: number, levels: ReadonlyArray<Level>): Effect.Effect<boolean>
}>()("turma/learning/gamification/GamificationRepo") {
  static readonly layer = Layer.effect(
    GamificationRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const newRules = (club_id: ClubId, rules: ReadonlyArray<RulePatch>) =>
        sql`
          insert into gamification_rules (club_id, action, points)
          select ${club_id}::uuid, sent.action, sent.points
          from unnest(
            ${rules.map(({ action }) => action)}::text[], ${rules.map(({ points }) => points)}::int[]
          ) as sent (action, points)`

      const newLevels = (club_id: ClubId, levels: ReadonlyArray<Level>) =>
        sql`
          insert into levels (club_id, id, name, min_points)
          select ${club_id}::uuid, sent.id, sent.name, sent.min_points
          from unnest(
            ${levels.map(({ id }) => id)}::uuid[],
            ${levels.map(({ name }) => name)}::text[],
            ${levels.map(({ min_points }) => min_points)}::int[]
          ) as sent (id, name, min_points)`

      const insert = Effect.fn("GamificationRepo.insert")(function*(
        club_id: ClubId,
        rules: ReadonlyArray<RulePatch>,
        levels: ReadonlyArray<Level>
      ) {
        yield* sql`
          with opened as (
            insert into gamification (club_id, enabled, ranking_visible) values (${club_id}, true, true)
          ), ruled as (${newRules(club_id, rules)})
          ${newLevels(club_id, levels)}`
      }, Effect.orDie)

      const read = (club_id: ClubId) =>
        sql`
          select g.enabled, g.ranking_visible, g.ladder_version,
            coalesce((
              select json_agg(json_build_object('action', r.action, 'points', r.points))
              from gamification_rules r where r.club_id = g.club_id
            ), '[]') as rules,
            ${ladderColumn(sql, sql`g.club_id`)} as levels
          from gamification g where g.club_id = ${club_id}`.pipe(decodeRow)

      const update = Effect.fn("GamificationRepo.update")(function*(club_id: ClubId, patch: GamificationPatch) {
        yield* audited((audit) =>
          sql`
            ${audit.with}
            update gamification set
              enabled = coalesce(${patch.enabled ?? null}::boolean, enabled),
              ranking_visible = coalesce(${patch.ranking_visible ?? null}::boolean, ranking_visible)
            where club_id = ${club_id}`
        )
        if (patch.rules === undefined || patch.rules.length === 0) return
        yield* sql`
          ${newRules(club_id, patch.rules)}
          on conflict (club_id, action) do update set points = excluded.points`
      }, Effect.orDie)

      // After waiting for a plain lock, a statement would go on with the levels from before the wait. This update looks
      // at the newest version of the row. With another number it changes nothing. With the same number, the levels that
      // it has read are still the ladder.
      const replaceLevels = Effect.fnUntraced(function*(
        club_id: ClubId,
        ladder_version: number,
        levels: ReadonlyArray<Level>
      ) {
        const replaced = yield* audited((audit) =>
          sql`
            with ${audit.before} replaced as (
              update gamification set ladder_version = ladder_version + 1
              where club_id = ${club_id} and ladder_version = ${ladder_version}
              returning club_id
            ), gone as (
              delete from levels
              where club_id = ${club_id} and id <> all(${levels.map(({ id }) => id)}::uuid[])
                and exists (select from replaced)
            ), upserted as (
              ${newLevels(club_id, levels)}
              where exists (select from replaced)
              on conflict (club_id, id) do update set name = excluded.name, min_points = excluded.min_points
            )
            select club_id from replaced`
        )
        return replaced.length > 0
      }, Effect.orDie)

      return GamificationRepo.of({ insert, read, update, replaceLevels })
    })
  )
}
