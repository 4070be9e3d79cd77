/** The series of an alert: it rises to `bad`, or stays at `good`. `also` has the other series in its rule. */
interface Case {
  readonly series: string
  readonly good: string
  readonly bad: string
  readonly also?: Readonly<Record<string, string>>
}

const of = (labels: string) => `{job="turma",instance="a"${labels === "" ? "" : `,${labels}`}}`
const steady = (value: number | string) => `${value}+0x120`

/** For every alert, one step a minute, over two hours. */
export const cases: Readonly<Record<string, Case>> = {
  TurmaDown: { series: `up${of("")}`, good: steady(1), bad: steady(0) },
  // A target that was removed has no samples. A target that does not answer has them.
  TurmaGone: { series: `up${of("")}`, good: steady(0), bad: "1+0x60 _x60" },
  TurmaUnavailable: { series: `turma_ready${of(`check="database"`)}`, good: steady(1), bad: steady(0) },
  TurmaDegraded: { series: `turma_ready${of(`check="limiter"`)}`, good: steady(1), bad: steady(0) },
  TurmaReplicaUnused: { series: `turma_ready${of(`check="replica"`)}`, good: steady(1), bad: steady(0) },
  TurmaReplicaBehind: {
    series: `turma_replica_behind_bytes${of("")}`,
    good: steady(64 * 1024 * 1024),
    bad: steady(64 * 1024 * 1024 + 1)
  },
  TurmaQueueStuck: {
    series: `turma_queue_oldest_seconds${of(`queue="mails"`)}`,
    good: steady(299),
    bad: steady(301)
  },
  TurmaQueueLong: { series: `turma_queue_depth${of(`queue="events"`)}`, good: steady(9_999), bad: steady(10_000) },
  TurmaWebhooksLate: {
    series: `turma_webhook_oldest_pending_seconds${of(`what="delivery"`)}`,
    good: steady(60),
    bad: steady(61)
  },
  TurmaManyEndpointsHeld: {
    series: `turma_webhook_endpoints${of(`state="held"`)}`,
    good: steady(500),
    bad: "3+0x100 20+0x20"
  },
  TurmaBillingLate: {
    series: `turma_billing_oldest_pending_seconds${of("")}`,
    good: steady(3_600),
    bad: steady(3_700)
  },
  // promtool's time begins in 1970. At every step, the last backup is as many seconds old as the first number says.
  TurmaBackupTooOld: {
    series: `turma_backup_last_success_timestamp_seconds${of("")}`,
    good: "-7140+60x120",
    bad: "-7260+60x120",
    also: { [`turma_backup_every_seconds${of("")}`]: steady(3_600) }
  },
  TurmaBackupFails: { series: `turma_backup_failures${of("")}`, good: steady(0), bad: steady(1) },
  TurmaDiskFilling: {
    series: `turma_data_disk_free_bytes${of("")}`,
    good: steady(16),
    bad: steady(14),
    also: { [`turma_data_disk_size_bytes${of("")}`]: steady(100) }
  },
  TurmaDiskNearlyFull: {
    series: `turma_data_disk_free_bytes${of("")}`,
    good: steady(6),
    bad: steady(4),
    also: { [`turma_data_disk_size_bytes${of("")}`]: steady(100) }
  },
  TurmaPoolExhausted: {
    series: `turma_database_pool_wait_seconds_total${of(`kind="exclusive"`)}`,
    good: "0+30x120",
    bad: "0+120x120"
  },
  TurmaEventLoopLate: {
    series: `turma_event_loop_delay_seconds${of(`process="1",quantile="0.99"`)}`,
    good: steady(0.2),
    bad: steady(0.3)
  },
  TurmaHeapNearlyFull: {
    series: `turma_process_heap_used_bytes${of(`process="1"`)}`,
    good: steady(89),
    bad: steady(91),
    also: { [`turma_process_heap_limit_bytes${of(`process="1"`)}`]: steady(100) }
  },
  TurmaDescriptorsNearlyUsed: {
    series: `turma_process_open_fds${of(`process="1"`)}`,
    good: steady(79),
    bad: steady(81),
    also: { [`turma_process_max_fds${of(`process="1"`)}`]: steady(100) }
  },
  TurmaErrors: {
    series: `turma_http_requests_total${of(`route="/v1/me",status="500"`)}`,
    good: "0+1x120",
    bad: "0+10x120",
    also: { [`turma_http_requests_total${of(`route="/v1/me",status="200"`)}`]: "0+200x120" }
  },
  TurmaSlow: {
    series: `turma_http_request_duration_seconds_bucket${of(`le="1"`)}`,
    good: "0+100x120",
    bad: "0+90x120",
    also: {
      [`turma_http_request_duration_seconds_bucket${of(`le="2.5"`)}`]: "0+100x120",
      [`turma_http_request_duration_seconds_bucket${of(`le="+Inf"`)}`]: "0+100x120"
    }
  },
  TurmaProcessSilent: { series: `turma_process_answered${of(`process="1"`)}`, good: steady(1), bad: steady(0) },
  TurmaMetricsIncomplete: {
    series: `turma_metrics_part_answered${of(`part="queues"`)}`,
    good: steady(1),
    bad: steady(0)
  }
}
