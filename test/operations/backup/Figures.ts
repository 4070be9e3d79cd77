import { Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** This process's metrics of backups, without the common start of their names. */
export const figures = Effect.map(
  PrometheusMetrics.format(),
  (text) =>
    Object.fromEntries([...text.matchAll(/^turma_backup_(\w+) (\S+)$/gm)].map((
      [, name = "", value]
    ) => [name, Number(value)]))
)
