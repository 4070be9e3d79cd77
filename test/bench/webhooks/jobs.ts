/** The payload of a job in the other queues. */
export interface Job {
  readonly delivery_id: string
  readonly event_id: string
  readonly url: string
  readonly body: string
}

/** The tables that a project needs to record webhooks beside a queue: the least that shows the result of each. */
export const tables = (schema: string): ReadonlyArray<string> => [
  `create schema if not exists ${schema}`,
  `create table if not exists ${schema}.deliveries (
    id uuid primary key, event_id uuid not null, url text not null, status text not null,
    attempts_count integer not null default 0, last_status_code integer, created_at timestamptz not null,
    finished_at timestamptz
  )`,
  `create table if not exists ${schema}.attempts (
    id uuid primary key, delivery_id uuid not null references ${schema}.deliveries (id), number integer not null,
    started_at timestamptz not null, duration_ms integer not null, status_code integer, error text, response_body text
  )`,
  `create index if not exists attempts_delivery_idx on ${schema}.attempts (delivery_id)`
]
