import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { firstOr, one, rows } from "../../platform/sql/Rows.ts"
import { Agent, type AgentId, type AgentPatch, defaultAgent } from "./Agent.ts"

const decodeAgents = rows(Agent)
const decodeAgent = one(Agent)
const decodePatched = firstOr(Agent, () => new NotFound())

/** The agents of clubs: the name, switch and limits of a club's assistant. Every club has one. */
export class Agents extends Context.Service<Agents, {
  /** The agent of a new club, in the caller's transaction if there is one. */
  open(club_id: ClubId, locale: string): Effect.Effect<void>
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Agent>, InvalidCursor>
  read(club_id: ClubId): Effect.Effect<Agent>
  patch(club_id: ClubId, id: AgentId, patch: AgentPatch): Effect.Effect<Agent, NotFound>
}>()("turma/assistant/agents/Agents") {
  static readonly layer = Layer.effect(
    Agents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql`id, name, enabled, daily_limit, monthly_budget, created_at`

      const open = Effect.fn("Agents.open")(function*(club_id: ClubId, locale: string) {
        const id = yield* random.uuidV7()
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`insert into agents ${sql.insert({ club_id, id, ...defaultAgent(locale), created_at })}`
      }, Effect.orDie)

      const list = Effect.fn("Agents.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = Option.getOrNull(yield* afterCursor(cursor))
        const rows = yield* sql`
            select ${columns} from agents where club_id = ${club_id} and (${after}::uuid is null or id > ${after}::uuid)
            order by id limit ${limit + 1}`.pipe(decodeAgents)
        return pageOf(rows, limit)
      })

      const read = Effect.fn("Agents.read")(function*(club_id: ClubId) {
        return yield* sql`select ${columns} from agents where club_id = ${club_id}`.pipe(decodeAgent)
      })

      const patch = Effect.fn("Agents.patch")(function*(
        club_id: ClubId,
        id: AgentId,
        { daily_limit, enabled, monthly_budget, name }: AgentPatch
      ) {
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update agents set
                name = coalesce(${name ?? null}, name),
                enabled = coalesce(${enabled ?? null}::boolean, enabled),
                daily_limit = coalesce(${daily_limit ?? null}::int, daily_limit),
                monthly_budget =
                  case when ${monthly_budget !== undefined} then ${monthly_budget ?? null}::int else monthly_budget end
              where club_id = ${club_id} and id = ${id}
              returning ${columns}`
        ).pipe(decodePatched)
      })

      return Agents.of({ open, list, read, patch })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
