import { type Context, Effect, Metric } from "effect"
import { type PhaseName, phaseNames } from "../../model/AttemptPhases.ts"
import type { SendResult } from "../../send/Sender.ts"

const attempts = (outcome: string) =>
  Metric.counter("turma_webhook_attempts_total", {
    description: "Attempts that have ended, by outcome: accepted, or why not",
    incremental: true,
    attributes: { outcome }
  })

// One metric a series: making the series' key costs more than counting. Outcomes are few.
const series = new Map<string, ReturnType<typeof attempts>>()

const seriesOf = (outcome: string) => {
  const known = series.get(outcome)
  if (known !== undefined) return known
  const made = attempts(outcome)
  series.set(outcome, made)
  return made
}

/** Counts what was not sent because too many attempts were in flight to the receiver's address. */
export const putOffs = Metric.counter("turma_webhook_attempts_put_off_total", {
  description: "Attempts that waited because WEBHOOK_TARGET_CONCURRENCY were in flight to the receiver's address",
  incremental: true
})

const seconds = Metric.histogram("turma_webhook_attempt_duration_seconds", {
  description: "Time from the start of an attempt to its end",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
})

const phase = (name: PhaseName) =>
  Metric.histogram("turma_webhook_attempt_phase_seconds", {
    description: "How long a phase of an attempt took",
    boundaries: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    attributes: { phase: name.replace("_ms", "") }
  })

const phaseSeconds = phaseNames.map((name) => ({ name, metric: phase(name) }))

const batches = (what: string) =>
  Metric.histogram("turma_webhook_batch_size", {
    description: "Lanes or attempts that shared a statement",
    boundaries: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    attributes: { what }
  })

const batchSizes = { take: batches("take"), settle: batches("settle"), release: batches("release") }

/** Counts how many lanes or attempts shared a statement. */
export const recordBatch = (what: keyof typeof batchSizes, size: number): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    batchSizes[what].updateUnsafe(size, fiber.context)
    return Effect.void
  })

/** Counts one attempt that has ended. */
export const recordAttempt = (result: SendResult, millis: number, context: Context.Context<never>): void => {
  seriesOf(result.error ?? "accepted").updateUnsafe(1, context)
  seconds.updateUnsafe(millis / 1000, context)
  if (result.phases === null) return
  for (const { metric, name } of phaseSeconds) {
    const took = result.phases[name]
    if (took !== null) metric.updateUnsafe(took / 1000, context)
  }
}
