import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { EndpointsRepo } from "../../endpoint/EndpointsRepo.ts"
import { percentile } from "../../engine/dispatch/Durations.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import type { EndpointSeries, SeriesWindow, WebhookSeries } from "./Series.ts"
import { SeriesRepo } from "./SeriesRepo.ts"
import { type Steps, stepsOf } from "./Steps.ts"

/** A club and its time zone. */
interface TimedClub {
  readonly id: ClubId
  readonly time_zone: string
}

const nothing = { succeeded: 0, failed: 0, given_up: 0, durations: [] }

/** A point for each step, even without attempts. */
const pointsOf = <Counted extends { readonly step: number | null }, Point>(
  { starts }: Steps,
  counted: ReadonlyArray<Counted>,
  point: (at: DateTime.Utc, counted: Counted | undefined) => Point
): ReadonlyArray<Point> => {
  const byStep = new Map(counted.map((one) => [one.step, one]))
  return starts.map((at, step) => point(at, byStep.get(step)))
}

/** The results of endpoints' attempts, step by step, counted at their end. */
export class SeriesReads extends Context.Service<SeriesReads, {
  /** `NotFound`: this club has no such endpoint. */
  of(club: TimedClub, id: EndpointId, window: SeriesWindow): Effect.Effect<WebhookSeries, NotFound>
  /** Of every endpoint of the club, oldest first. */
  all(club: TimedClub, window: SeriesWindow): Effect.Effect<ReadonlyArray<EndpointSeries>>
}>()("turma/webhooks/history/series/SeriesReads") {
  static readonly layer = Layer.effect(
    SeriesReads,
    Effect.gen(function*() {
      const endpoints = yield* EndpointsRepo
      const repo = yield* SeriesRepo

      const ofOne = Effect.fn("SeriesReads.of")(function*(club: TimedClub, id: EndpointId, window: SeriesWindow) {
        const now = yield* DateTime.now
        const steps = stepsOf(window, now, club.time_zone)
        const [endpoint, counted] = yield* Effect.all([
          endpoints.find(club.id, id),
          repo.read({ club_id: club.id, endpoint_id: id }, steps)
        ], { concurrency: "unbounded" })
        if (Option.isNone(endpoint)) return yield* new NotFound()
        const points = pointsOf(steps, counted, (at, one) => {
          const { durations, failed, given_up, succeeded } = one ?? nothing
          const [p50_ms, p95_ms] = [percentile(durations, 0.5), percentile(durations, 0.95)]
          return { at, succeeded, failed, given_up, attempts: succeeded + failed, p50_ms, p95_ms }
        })
        return { from: steps.starts[0] ?? now, until: now, step: steps.step, points }
      })

      const all = Effect.fn("SeriesReads.all")(function*(club: TimedClub, window: SeriesWindow) {
        const steps = stepsOf(window, yield* DateTime.now, club.time_zone)
        const byEndpoint = Map.groupBy(yield* repo.readAll(club.id, steps), ({ endpoint_id }) => endpoint_id)
        return Array.from(byEndpoint, ([endpoint_id, counted]) => ({
          endpoint_id,
          points: pointsOf(steps, counted, (at, one) => ({
            at,
            succeeded: one?.succeeded ?? 0,
            failed: one?.failed ?? 0
          }))
        }))
      })

      return SeriesReads.of({ of: ofOne, all })
    })
  ).pipe(Layer.provide([EndpointsRepo.layer, SeriesRepo.layer]))
}
