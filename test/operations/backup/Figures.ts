import { Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** What the metrics of this process say of backups, without their common beginning. */
export const figures = Effect.map(
  PrometheusMetrics.format(),
  (text) =>
    Object.fromEntries([...text.matchAll(/^turma_backup_(\w+) (\S+)$/gm)].map((
      [, name = "", value]
    ) => [name, Number(value)]))
)
