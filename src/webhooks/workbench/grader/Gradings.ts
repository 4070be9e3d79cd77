import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import { RateLimited } from "../../../identity/limits/RateLimit.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { announcementOf } from "../../../platform/jobs/Announcement.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { inTransaction } from "../../../platform/sql/Rows.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { ownText } from "../../../platform/text/Utf8.ts"
import { EndpointNotEnabled } from "../../endpoint/Endpoint.ts"
import { EndpointsRepo } from "../../endpoint/EndpointsRepo.ts"
import { ListenerPolls } from "../../endpoint/TrafficLimits.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import {
  bindingOfReport,
  type Grading,
  type GradingDetail,
  GradingId,
  gradingsPerHour,
  GradingUnderWay
} from "./Grading.ts"
import { GradingsRepo } from "./GradingsRepo.ts"
import { waitingGradings } from "./GradingWorker.ts"
import { Report } from "./Report.ts"

interface Club {
  readonly id: ClubId
  readonly organization_id: OrganizationId
}

type Refused = EndpointNotEnabled | GradingUnderWay | ListenerPolls | NotFound | RateLimited

const decodeReport = Schema.decodeEffect(Schema.fromJsonString(Schema.toCodecJson(Report)))

/** Gradings of the receivers at a club's endpoints. `NotFound`: the club has no such endpoint or grading. */
export class Gradings extends Context.Service<Gradings, {
  /** Asks for one: a worker sends the probes. */
  begin(club: Club, endpoint_id: EndpointId): Effect.Effect<Grading, Refused>
  /** Newest first. */
  list(
    club_id: ClubId,
    endpoint_id: EndpointId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Grading>, InvalidCursor | NotFound>
  get(club_id: ClubId, endpoint_id: EndpointId, id: GradingId): Effect.Effect<GradingDetail, NotFound>
}>()("turma/webhooks/workbench/grader/Gradings") {
  static readonly layerNoDeps = Layer.effect(
    Gradings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoints = yield* EndpointsRepo
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* GradingsRepo
      const sealing = yield* Sealing
      const announce = yield* announcementOf(waitingGradings)

      const begin = Effect.fn("Gradings.begin")(
        function*({ id: club_id, organization_id }: Club, endpoint_id: EndpointId): Effect.fn.Return<Grading, Refused> {
          const id = GradingId.make(yield* Effect.orDie(random.uuidV7()))
          const created_at = yield* DateTime.now
          const found = yield* repo.begin({ club_id, organization_id, endpoint_id, id }, created_at)
          if (Option.isNone(found)) return yield* new NotFound()
          const { begun, kind, recent, status } = found.value
          if (kind === "listener") return yield* new ListenerPolls()
          if (status !== "enabled") return yield* new EndpointNotEnabled()
          if (!begun) return yield* recent < gradingsPerHour ? new GradingUnderWay() : new RateLimited()
          yield* sql.afterCommit(announce)
          return { id, endpoint_id, status: "running", failure: null, grade: null, created_at, finished_at: null }
        },
        // A refusal takes back the row of the audit log with the statement: there was no deed.
        inTransaction(sql)
      )

      const list = Effect.fn("Gradings.list")(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        { cursor, limit }: PageRequest
      ) {
        const before = yield* afterCursor(cursor)
        const found = yield* repo.list(club_id, endpoint_id, { before, limit })
        if (found.length === 0 && Option.isNone(yield* endpoints.find(club_id, endpoint_id))) {
          return yield* new NotFound()
        }
        return pageOf(found, limit)
      })

      const get = Effect.fn("Gradings.get")(function*(club_id: ClubId, endpoint_id: EndpointId, id: GradingId) {
        const found = yield* repo.find(club_id, endpoint_id, id)
        if (Option.isNone(found)) return yield* new NotFound()
        const { report, ...grading } = found.value
        if (report === null) return { ...grading, report }
        const opened = yield* Effect.orDie(sealing.open(report, bindingOfReport(id)))
        return { ...grading, report: yield* Effect.orDie(decodeReport(ownText(opened))) }
      })

      return Gradings.of({ begin, list, get })
    })
  )

  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([EndpointsRepo.layer, GradingsRepo.layer, PooledRandomLayer]))
}
