import { randomUUIDv7 } from "node:crypto"
import postgres from "postgres"
import type { Job } from "./jobs.ts"
import { given } from "./orders.ts"
import { post } from "./post.ts"

/**
 * Posts a job's delivery and then records the result. One prepared statement writes both rows: they exist together or
 * not at all, for one round trip and one commit.
 */
export const attempts = (schema: string) => {
  const sql = postgres(given("DATABASE_URL"), {
    max: 10,
    connection: { search_path: schema },
    onnotice: () => undefined
  })
  const waiting: Array<readonly [target: number, resolve: () => void]> = []
  let finished = 0

  const make = async ({ body, delivery_id, event_id, url }: Job, number: number) => {
    const started_at = new Date()
    const { milliseconds, status, text } = await post(url, event_id, body)
    await sql`
      with attempt as (
        insert into attempts (id, delivery_id, number, started_at, duration_ms, status_code, response_body)
        values (${randomUUIDv7()}, ${delivery_id}, ${number}, ${started_at}, ${milliseconds}, ${status},
          ${text.slice(0, 2048)})
      )
      update deliveries
      set status = ${status < 300 ? "succeeded" : "pending"}, attempts_count = ${number}, last_status_code = ${status},
        finished_at = ${new Date()}
      where id = ${delivery_id}`
    if (status >= 300) throw new Error(`Answered ${status}`)
    finished += 1
    for (const [target, resolve] of waiting) if (target <= finished) resolve()
  }

  /** Ends once the process has recorded this many results since its start. */
  const reach = async (target: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push([target, resolve])
    if (target <= finished) resolve()
    await promise
    waiting.length = 0
  }

  return { make, reach }
}
