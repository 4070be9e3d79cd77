import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, FileSystem, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import postgres from "postgres"
import { inject } from "vitest"
import { clockAhead } from "../harness/ClockAhead.ts"
import { operations } from "../harness/Document.ts"
import { isEndless } from "../harness/Endless.ts"
import { eventually } from "../harness/Eventually.ts"
import { emptyDatabaseUrl } from "../harness/Postgres.ts"
import { startReceiver } from "../harness/Receiver.ts"
import { caFile } from "../harness/Tls.ts"
import { ask, post, postCounted, runTurma, startApi } from "../harness/Turma.ts"
import { owner, student, waiting } from "./ClubDay.ts"
import { isPackaged, unpackRelease } from "./Release.ts"
import { keptDatabase, keptVersions, key } from "./Restored.ts"
import { listAt, mailsTo, textAt, visitorOf } from "./Visitor.ts"

/** Tables that stay empty in 0.2.0 after a club's days, and why. */
const emptyIn02 = new Map([
  ["answer_streams", "what is there of an answer while it is being written"],
  ["billing_changes", "Stripe alone"],
  ["billing_checkouts", "Stripe alone"],
  ["billing_claims", "Stripe alone"],
  ["billing_events", "Stripe alone"],
  ["clock_sweeps", "the embedded database alone"],
  ["media_moves", "files of versions before the first release"],
  ["purchase_aliases", "Stripe alone"],
  ["webhook_notices", "an endpoint that has failed for hours"],
  ["webhook_recovery_moves", "what a recovery has moved, until it is sent"]
])

/** Exceptions for the database of each version: every kept database has an entry. */
const particular = new Map([
  ["0.2.0", {
    empty: emptyIn02,
    // Migration 0035 added this key of comments without checking old rows.
    unfinished: ["comments_answers_id_fkey"]
  }]
])

/** Tables with fewer rows after the work has ended, and why. */
const emptied = new Map([
  ["course_losses", "the students of the course were looked at"],
  ["credential_requests", "the mail was sent"],
  ["event_outbox", "the facts became messages"],
  ["mails", "they were sent"],
  ["material_queue", "it was read"],
  ["removed_files", "they were removed"],
  ["student_import_chunks", "the list was read"],
  ["webhook_previous_secrets", "a secret's time was over"],
  ["idempotency_keys", "a day was over"],
  ["address_mails", "an hour was over"],
  ["device_logins", "a code lives for some minutes"],
  ["one_time_tokens", "a link has an end"],
  ["webhook_inboxes", "an inbox lives for an hour"],
  ["webhook_inbox_requests", "an inbox lives for an hour"]
])

const Rows = Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Unknown }))

/** The columns `name` and `value` of a statement's rows, as a map. */
const select = Effect.fnUntraced(function*(statement: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(sql.unsafe(statement), Schema.decodeUnknownEffect(Rows))
  return new Map(rows.map(({ name, value }) => [name, value]))
})

/** Number of rows of each table. */
const countRows = Effect.gen(function*() {
  const tables = yield* select(`
    select relname as name, null as value from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const counts = [...tables.keys()].map((name) => `select '${name}' as name, count(*)::int as value from ${name}`)
  return yield* select(counts.join(" union all "))
})

/** Work that waits for workers, by its table. A course's students have a second look by design, a minute later. */
const waits = `
  select name, value from (values
    ('mails', (select count(*) from mails)),
    ('event_outbox', (select count(*) from event_outbox)),
    ('credential_requests', (select count(*) from credential_requests)),
    ('student_imports', (select count(*) from student_imports where due_at is not null)),
    ('inbound_events', (select count(*) from inbound_events where due_at is not null)),
    ('messages', (select count(*) from messages where status = 'generating')),
    ('course_losses', (select count(*) from course_losses where rounds = 0)),
    ('material_queue', (select count(*) from material_queue)),
    ('removed_files', (select count(*) from removed_files)),
    ('webhook_gradings', (select count(*) from webhook_gradings where due_at is not null)),
    ('webhook_recoveries', (select count(*) from webhook_recoveries where due_at is not null)),
    ('webhook_deliveries', (
      select count(*) from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.status = 'pending' and e.kind = 'https'
    ))
  ) as waits (name, value)
  where value > 0`

/** The pending events of each endpoint. */
const owed = `
  select regexp_replace(e.url, '.*/', '/') as name, json_agg(d.event_id::text order by d.event_id) as value
  from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
  where e.kind = 'https' and d.status = 'pending'
  group by 1`

/** Constraints and indexes that PostgreSQL has not validated. */
const invalid = `
  select conname::text as name, null as value from pg_constraint where not convalidated
  union all select indexrelid::regclass::text, null from pg_index where not indisvalid`

/** Restores a dump. The database's time is so many milliseconds ahead; the service asks it for no other time. */
const restore = (url: Redacted.Redacted, dump: string, ahead: number) =>
  Effect.promise(async () => {
    const client = postgres(Redacted.value(url), { max: 1, onnotice: () => {} })
    const name = new URL(Redacted.value(url)).pathname.slice(1)
    await client.unsafe(dump).simple()
    await client.unsafe(`
      create schema moved;
      create function moved.clock_timestamp() returns timestamptz language sql
        as $$ select pg_catalog.clock_timestamp() + ${ahead} * interval '1 millisecond' $$;
      alter database ${name} set search_path = public, moved, pg_catalog`).simple()
    await client.end()
  })

/** Every list and page of a club whose path has no parameter except the club's id. */
const routes = operations
  .filter(({ method, path }) => method === "GET" && /^\/v1\/clubs\/\{clubId\}[^{]*$/.test(path) && !isEndless(path))
  .map(({ path }) => path.replace("/v1/clubs/{clubId}", ""))

/** A route's answer: the ids on all pages, and the last status. */
const readRoute = Effect.fnUntraced(function*(base: string, path: string, token: string) {
  const ids: Array<string> = []
  let cursor = ""
  do {
    const query = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`
    const answer = yield* ask(`${base}${path}${query}`, { headers: { authorization: `Bearer ${token}` } })
    if (answer.status !== 200) return { status: answer.status, ids }
    const page = Object(answer.json)
    if (Array.isArray(page.data)) ids.push(...page.data.map((one: unknown) => String(Object(one).id)))
    cursor = path !== "/events" && typeof page.next_cursor === "string" ? page.next_cursor : ""
  } while (cursor !== "")
  return { status: 200, ids }
})

const readRoutes = Effect.fnUntraced(function*(base: string, tokens: Readonly<Record<"owner" | "student", string>>) {
  const found = new Map<string, Effect.Success<ReturnType<typeof readRoute>>>()
  for (const path of routes) {
    const token = path.startsWith("/classroom") ? tokens.student : tokens.owner
    found.set(path, yield* readRoute(base, path, token))
  }
  return found
})

const signIn = (url: string, path: string, body: object) =>
  Effect.map(postCounted(`${url}${path}/sign-in`, body), ({ json }) => textAt(json, "data", "access_token"))

/** Signs in the club's founder and a student. */
const enter = Effect.fnUntraced(function*(url: string) {
  const token = yield* signIn(url, "/v1/auth/admin", owner)
  const me = visitorOf(url)("/v1", token)
  const clubId = textAt(yield* me.call("GET", "/me"), "data", "organizations", 0, "organization_id")
  const tokens = { owner: token, student: yield* signIn(url, "/v1/auth", { club_id: clubId, ...student }) }
  return { base: `/v1/clubs/${clubId}`, tokens }
})

/** An old version that serves and writes while this one migrates and starts, and its routes' first answers. */
const serveBeside = Effect.fnUntraced(function*(version: string, env: Record<string, string>) {
  const old = yield* startApi({ ...(yield* unpackRelease(version)), env: { ...env, ROLE: "api" } })
  const entered = yield* enter(old.url)
  const { base, tokens } = entered
  const was = yield* readRoutes(`${old.url}${base}`, tokens)
  const load = { emails: Array<string>(), wrong: Array<string>(), isOver: false }
  const one = Effect.gen(function*() {
    const email = `student${load.emails.length}@example.com`
    load.emails.push(email)
    const answer = yield* post(`${old.url}${base}/students`, { name: "Iris", email }, tokens.owner)
    if (answer.status !== 201) load.wrong.push(`${answer.status} ${answer.text}`)
  })
  const loading = yield* Effect.forkScoped(Effect.repeat(Effect.delay(one, "30 millis"), { until: () => load.isOver }))
  const end = Effect.gen(function*() {
    load.isOver = true
    yield* Fiber.join(loading)
    assert.deepStrictEqual(load.wrong, [])
    assert.isAbove(load.emails.length, 3)
    assert.strictEqual((yield* old.end()).code, 0)
  })
  return { entered, was, end }
})

layer(NodeServices.layer, { excludeTestServices: true })("The database of a version", (it) => {
  it.effect.each(keptVersions())(
    "%s is upgraded, keeps what it has, and all that waited is done once",
    (version) =>
      Effect.gen(function*() {
        const { empty, unfinished } = particular.get(version) ??
          assert.fail(`Say here what is particular to ${version}`)
        const fs = yield* FileSystem.FileSystem
        const receiver = yield* startReceiver()
        const kept = keptDatabase(version, receiver.url)
        // Three hours later retries are due and holds have ended.
        const ahead = kept.left + Duration.toMillis("3 hours") - Date.now()
        const url = yield* emptyDatabaseUrl
        yield* restore(url, kept.sql, ahead)
        const database = PgClient.layer({ url, maxConnections: 2 })
        const read = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
          Effect.provide(effect, database, { local: true })

        assert.deepStrictEqual([...(yield* read(select(invalid))).keys()], unfinished)
        // Until 0.2.0 an endpoint could be signed by its key alone.
        yield* read(SqlClient.SqlClient.use((sql) =>
          sql`
          update webhook_endpoints set signing = 'ed25519' where signing = 'both'`
        ))
        const before = yield* read(countRows)
        assert.deepStrictEqual(
          [...before].flatMap(([name, count]) => count === 0 ? [name] : []).toSorted(),
          [...empty.keys()]
        )
        const waited = yield* read(select(waits))
        for (
          const queue of ["mails", "event_outbox", "student_imports", "inbound_events", "messages"]
        ) assert.isTrue(waited.has(queue), queue)
        const owes = yield* read(select(owed))
        assert.includeMembers([...owes.keys()], ["/scheduled", "/held", "/paused"])

        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-upgrade-" })
        const env = {
          ...clockAhead(0),
          CLOCK_AHEAD: `${ahead}`,
          APP_SECRET_KEY: key,
          BILLING_PROVIDER: "local",
          DATABASE_POOL: "5",
          DATABASE_URL: Redacted.value(url),
          DATA_DIR: folder,
          RATE_LIMIT_CREDENTIALS: "100000",
          RATE_LIMIT_WRITES: "100000",
          REDIS_URL: inject("redisUrl"),
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
          WEBHOOK_ASSEMBLE_DELAY: "200 millis",
          WEBHOOK_EXTRA_CA_FILE: yield* caFile(receiver.ca)
        }
        const beside = isPackaged(version) ? Option.some(yield* serveBeside(version, env)) : Option.none()
        const migrated = yield* runTurma({ args: ["src/cli/main.ts", "migrate"], env })
        assert.strictEqual(migrated.code, 0, migrated.stderr)
        const current = yield* startApi({ env })
        if (Option.isSome(beside)) yield* beside.value.end
        const { base, tokens } = Option.isSome(beside) ? beside.value.entered : yield* enter(current.url)

        // All waiting work ends.
        const club = visitorOf(current.url)(base, tokens.owner)
        for (const endpoint of listAt(yield* club.call("GET", "/webhook-endpoints"), "data")) {
          if (textAt(endpoint, "status") !== "paused") continue
          yield* club.call("PATCH", `/webhook-endpoints/${textAt(endpoint, "id")}`, { status: "enabled" })
        }
        yield* eventually(Effect.delay(read(select(waits)), "200 millis"), ({ size }) => size === 0)
        assert.lengthOf(yield* mailsTo(folder, waiting.invited), 1)
        assert.lengthOf(yield* mailsTo(folder, student.email), 1)
        const bought = yield* read(select(`
        select s.email as name, count(distinct p.id)::int + count(distinct e.id)::int as value
        from students s join purchases p on p.student_id = s.id join enrollments e on e.student_id = s.id
        where s.email in ('${waiting.buyer}') group by 1`))
        assert.deepStrictEqual(bought, new Map([[waiting.buyer, 2]]))
        const imported = listAt(yield* club.call("GET", `/students?search=${waiting.imported}`), "data")
        assert.lengthOf(imported, 1)

        // Each pending delivery came once, under its old id.
        const came = Map.groupBy(receiver.requests, ({ path }) => path)
        for (const [path, events] of owes) {
          const ids = (came.get(path) ?? []).map(({ headers }) => headers["webhook-id"])
          assert.includeMembers<unknown>(ids, [...listAt(events)], path)
          assert.lengthOf(new Set(ids), ids.length, path)
        }
        const signings = yield* read(select("select signing as name, null as value from webhook_endpoints"))
        assert.sameMembers([...signings.keys()], ["hmac", "both"])
        const sold = (came.get("/fine") ?? []).filter(({ body }) =>
          textAt(JSON.parse(body.toString()), "type") === "purchase.paid"
        )
        assert.lengthOf(sold, 1)
        assert.match(`${sold[0]?.headers["webhook-signature"]}`, /^v1,\S+(?: v1,\S+)* v1a,/)

        // All earlier rows still exist.
        const is = yield* readRoutes(`${current.url}${base}`, tokens)
        for (const [path, { ids, status }] of Option.match(beside, { onNone: () => [], onSome: ({ was }) => was })) {
          // The old version does not have every route of this one.
          if (status === 404) continue
          assert.deepStrictEqual([path, is.get(path)?.status], [path, status])
          assert.includeMembers([...is.get(path)?.ids ?? []], ids, path)
        }
        const after = yield* read(countRows)
        for (const [table, count] of before) {
          if (!emptied.has(table)) assert.isAtLeast(Number(after.get(table)), Number(count), table)
        }
        assert.deepStrictEqual([...(yield* read(select(invalid))).keys()], [])
        assert.strictEqual((yield* current.end()).code, 0)
      })
  )
})
