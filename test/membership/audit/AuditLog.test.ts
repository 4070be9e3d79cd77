import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sweepAudit } from "../../../src/identity/audit/AuditEnd.ts"
import { auditLifetime, AuditLog } from "../../../src/identity/audit/AuditLog.ts"
import { ClubKeyId } from "../../../src/identity/ids/ClubKeyId.ts"
import {
  AppLayer,
  at,
  codeOf,
  enrolledStudent,
  foundClub,
  keyOf,
  listAt,
  send,
  tokenAs,
  tokenOf
} from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const key = ClubKeyId.make("018f0000-0000-7000-8000-00000000000a")
const otherKey = ClubKeyId.make("018f0000-0000-7000-8000-00000000000b")

const listed = (club: Pick<Club, "path" | "token">, query = "") =>
  Effect.map(send("GET", `${club.path}/audit-log${query}`, club), ({ json, status, text }) => {
    if (status !== 200) assert.fail(`${status} ${text}`)
    return { entries: listAt(json, "data"), next: at(json, "next_cursor") }
  })

const operations = (entries: ReadonlyArray<unknown>) => entries.map((entry) => at(entry, "operation"))

const makeFolder = (club: Pick<Club, "path">, token: string) =>
  send("POST", `${club.path}/media-folders`, { token, body: { name: "A" } })

/** Adds this many entries of the club, a second apart. Each 100th has the operation `students.remove`. */
const makeEntries = Effect.fnUntraced(function*(club: Pick<Club, "id" | "owner">, count: number, student_id?: string) {
  const sql = yield* SqlClient.SqlClient
  const from = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    insert into audit_log (club_id, id, at, user_id, operation, student_id, targets, outcome)
    select ${club.id}::uuid,
      (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7000-8000-' || substr(md5(random()::text), 1, 12))::uuid,
      ${from}::timestamptz + n * interval '1 second', ${club.owner.id}::uuid,
      case when n % 100 = 0 then 'students.remove' else 'students.update' end, ${student_id ?? null}::uuid, '{}', 'done'
    from (
      select n, lpad(to_hex(${from.getTime()}::bigint + n * 1000), 12, '0') as hex
      from generate_series(1, ${count}::int) n
    ) entry`
})

layer(AppLayer)("The audit log of a club", (it) => {
  it.effect("is listed, newest first, with who did what", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const made = yield* makeFolder(club, club.token)
      const folder = String(at(made.json, "data", "id"))
      const renamed = yield* send("PATCH", `${club.path}/media-folders/${folder}`, {
        token: club.token,
        headers: { "x-request-id": "desk-7" },
        body: { name: "B" }
      })
      assert.strictEqual(renamed.status, 200)
      const { entries, next } = yield* listed(club)
      assert.strictEqual(next, null)
      assert.deepStrictEqual(operations(entries), ["mediaFolders.update", "mediaFolders.create", "account.createClub"])
      const [entry] = entries
      assert.deepStrictEqual(entry, {
        id: String(at(entry, "id")),
        at: "1970-01-01T00:00:00.000Z",
        actor: { user_id: club.owner.id, name: club.owner.name, email: club.owner.email },
        key: null,
        operation: "mediaFolders.update",
        targets: { folderId: folder },
        student_id: null,
        created_id: null,
        request_id: "desk-7",
        outcome: "done"
      })
      assert.strictEqual(at(entries, 1, "created_id"), folder)
    }))

  it.effect("names the key by which something was done, also once it is revoked", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id, token } = yield* keyOf(club, { name: "Loja", role: undefined, scopes: ["media:write", "clubs:read"] })
      yield* makeFolder(club, token)
      const refused = yield* send("PATCH", club.path, { token, body: { name: "B" } })
      assert.strictEqual(refused.status, 403)
      yield* send("DELETE", `${club.path}/keys/${id}`, club)
      const { entries } = yield* listed(club)
      assert.deepStrictEqual(
        entries.slice(0, 4).map((entry) => [at(entry, "operation"), at(entry, "outcome"), at(entry, "key", "name")]),
        [
          ["keys.revoke", "done", undefined],
          ["clubs.update", "refused", "Loja"],
          ["mediaFolders.create", "done", "Loja"],
          ["keys.create", "done", undefined]
        ]
      )
      assert.strictEqual(at(entries, 3, "created_id"), id)
      assert.strictEqual(at(entries, 2, "key", "prefix"), token.slice(6, 14))
      assert.deepStrictEqual(operations((yield* listed(club, `?key_id=${id}`)).entries), [
        "clubs.update",
        "mediaFolders.create"
      ])
    }))

  it.effect("has the key that a terminal was given", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { json } = yield* send("POST", "/v1/auth/device", { body: { name: "A" } })
      const user_code = at(json, "data", "user_code")
      yield* send("POST", `${club.path}/keys/devices`, { token: club.token, body: { user_code, role: "viewer" } })
      const device_code = at(json, "data", "device_code")
      const redeemed = yield* send("POST", "/v1/auth/device/token", { body: { device_code } })
      const { entries } = yield* listed(club)
      assert.deepStrictEqual(operations(entries).slice(0, 2), ["devices.redeem", "keys.approveDevice"])
      assert.strictEqual(at(entries, 0, "created_id"), at(redeemed.json, "data", "id"))
    }))

  it.effect("shows who is no member any more", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const gone = yield* makeMember(club, "admin")
      yield* makeFolder(club, yield* tokenOf(gone))
      yield* send("DELETE", `${club.path}/members/${gone.id}`, club)
      const { entries } = yield* listed(club, `?user_id=${gone.id}`)
      assert.deepStrictEqual(entries.map((entry) => at(entry, "actor", "user_id")), [gone.id])
    }))

  it.effect("is narrowed by every filter, and paged", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const sql = yield* SqlClient.SqlClient
      const student = yield* enrolledStudent(club)
      const admin = yield* makeMember(club, "admin")
      yield* TestClock.adjust("1 hour")
      yield* makeFolder(club, yield* tokenOf(admin))
      yield* send("PATCH", `${club.path}/students/${student.id}`, { token: club.token, body: { name: "Bia" } })
      yield* TestClock.adjust("1 hour")
      yield* makeFolder(club, yield* tokenAs(club, "viewer"))
      yield* sql`update audit_log set key_id = ${key} where club_id = ${club.id} and operation = 'students.update'`
      const filtered: Record<string, Array<string>> = {
        [`user_id=${admin.id.toUpperCase()}`]: ["mediaFolders.create"],
        [`user_id=${student.id}`]: [],
        [`student_id=${student.id}`]: ["students.update"],
        [`key_id=${key}`]: ["students.update"],
        [`key_id=${otherKey}`]: [],
        [`key_id=${key}&user_id=${admin.id}`]: [],
        [`key_id=${otherKey}&student_id=${student.id}`]: [],
        "operation=students.update": ["students.update"],
        "outcome=refused": ["mediaFolders.create"],
        "operation=mediaFolders.create&outcome=done": ["mediaFolders.create"],
        "since=1970-01-01T02:00:00Z": ["mediaFolders.create"],
        "until=1970-01-01T01:00:00Z": ["account.createClub"],
        "since=1970-01-01T01:00:00Z&until=1970-01-01T02:00:00Z": ["students.update", "mediaFolders.create"]
      }
      for (const [filter, expected] of Object.entries(filtered)) {
        assert.deepStrictEqual(operations((yield* listed(club, `?${filter}`)).entries), expected, filter)
      }
      const paged: Array<unknown> = []
      let cursor: unknown = ""
      while (cursor !== null) {
        const { entries, next } = yield* listed(club, `?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)
        paged.push(...entries)
        cursor = next
      }
      assert.deepStrictEqual(paged, [...(yield* listed(club)).entries])
      for (const wrong of ["operation=drop", "outcome=maybe", "user_id=7", "since=yesterday", "actor=me"]) {
        assert.strictEqual((yield* send("GET", `${club.path}/audit-log?${wrong}`, club)).status, 422, wrong)
      }
      const bad = yield* send("GET", `${club.path}/audit-log?cursor=7`, club)
      assert.strictEqual(codeOf(bad), "invalid_cursor")
    }))

  it.effect("is its own, and its owners' and admins'", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const other = yield* foundClub()
      const log = yield* AuditLog
      yield* makeFolder(other, other.token)
      yield* log.countRead(other.id, key, "students.list")
      const { entries } = yield* listed(club, `?user_id=${other.owner.id}`)
      assert.deepStrictEqual(entries, [])
      assert.deepStrictEqual(operations((yield* listed(club)).entries), ["account.createClub"])
      for (const path of ["/audit-log", "/audit-log/reads"]) {
        const statusAs = (token: string) =>
          Effect.map(send("GET", `${club.path}${path}`, { token }), ({ status }) => status)
        assert.strictEqual(yield* statusAs(yield* tokenAs(club, "admin")), 200)
        for (const role of ["editor", "support", "viewer"] as const) {
          assert.strictEqual(yield* statusAs(yield* tokenAs(club, role)), 403, role)
        }
        assert.strictEqual(yield* statusAs(other.token), 403)
        assert.strictEqual(yield* statusAs((yield* enrolledStudent(club)).token), 401)
      }
      const { json } = yield* send("GET", `${club.path}/audit-log/reads`, club)
      assert.deepStrictEqual(listAt(json, "data"), [])
    }))
})

layer(AppLayer)("What keys read", (it) => {
  it.effect("is counted by operation and hour, newest first", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const log = yield* AuditLog
      const read = (by: ClubKeyId, operation: string) => log.countRead(club.id, by, operation)
      yield* Effect.replicateEffect(read(key, "students.list"), 20, { concurrency: "unbounded" })
      yield* read(key, "students.get")
      yield* TestClock.adjust("59 minutes")
      yield* read(key, "students.get")
      yield* TestClock.adjust("1 minute")
      yield* read(key, "students.list")
      yield* read(otherKey, "students.list")
      const reads = (query: string) =>
        Effect.map(
          send("GET", `${club.path}/audit-log/reads${query}`, club),
          ({ json }) =>
            listAt(json, "data").map((one) => ["key_id", "operation", "hour", "count"].map((name) => at(one, name)))
        )
      const [first, second] = ["1970-01-01T00:00:00.000Z", "1970-01-01T01:00:00.000Z"]
      const own = [
        [key, "students.list", second, 1],
        [key, "students.get", first, 2],
        [key, "students.list", first, 20]
      ]
      assert.deepStrictEqual(yield* reads(""), [[otherKey, "students.list", second, 1], ...own])
      assert.deepStrictEqual(yield* reads(`?key_id=${key}`), own)
      assert.deepStrictEqual(yield* reads("?limit=1"), [[otherKey, "students.list", second, 1]])
    }))
})

layer(AppLayer)("What many read by one key at once", (it) => {
  it.effect("is counted one after another, and holds up no other club meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const other = yield* foundClub()
      const { token } = yield* keyOf(club)
      const read = Effect.map(send("GET", `${club.path}/students`, { token }), ({ status }) => status)
      yield* read
      const reading = yield* whileHeld(
        sql`select 1 from audit_reads where club_id = ${club.id} for update`,
        Effect.gen(function*() {
          const fiber = yield* Effect.forkDetach(Effect.replicateEffect(read, 60, { concurrency: "unbounded" }))
          yield* untilBlocked(3)
          assert.strictEqual((yield* makeFolder(other, other.token)).status, 201)
          // The reads still wait, so the other club's write did not wait for them.
          assert.isUndefined(fiber.pollUnsafe())
          return fiber
        })
      )
      assert.deepStrictEqual(new Set(yield* Fiber.join(reading)), new Set([200]))
      const { json } = yield* send("GET", `${club.path}/audit-log/reads`, club)
      assert.deepStrictEqual(listAt(json, "data").map((one) => at(one, "count")), [61])
    }))
})

layer(AppLayer)("What is 90 days old", (it) => {
  it.effect("is not answered, and deleted however much it is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const log = yield* AuditLog
      const club = yield* foundClub()
      yield* TestClock.adjust(Duration.minutes(1))
      yield* makeEntries(club, 2_500)
      yield* log.countRead(club.id, key, "students.list")
      yield* TestClock.adjust(Duration.days(1))
      yield* makeFolder(club, club.token)
      yield* log.countRead(club.id, key, "students.get")
      yield* TestClock.adjust(Duration.subtract(auditLifetime, Duration.hours(12)))
      const left = Effect.all([sql`select 1 from audit_log`, sql`select 1 from audit_reads`]).pipe(Effect.map((all) =>
        all.map(({ length }) => length)
      ))
      const page = { limit: 25 }
      assert.deepStrictEqual(operations((yield* log.reads(club.id, page)).data), ["students.get"])
      assert.deepStrictEqual(operations((yield* log.list(club.id, page)).data), ["mediaFolders.create"])
      assert.deepStrictEqual(yield* left, [2_502, 2])
      yield* sweepAudit
      assert.deepStrictEqual(yield* left, [1, 1])
    }))
})

layer(AppLayer)("In a large log", (it) => {
  it.effect("a page reads few entries, and with a filter that has no index a bounded number", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const log = yield* AuditLog
      const club = yield* foundClub()
      const other = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const admin = yield* makeMember(club, "admin")
      yield* makeEntries(other, 20_000)
      yield* makeEntries({ ...club, owner: admin }, 50, student.id)
      yield* makeEntries(club, 40_000)
      yield* sql`update audit_log set key_id = ${key} where club_id = ${club.id} and student_id is not null`
      yield* sql`
        insert into users select gen_random_uuid(), 'u' || n || '@many.example', 'Many', 'unusable', now(), now()
        from generate_series(1, 20000) n`
      yield* sql`analyze`
      const page = { limit: 25 }
      const generic = sql`set local plan_cache_mode = force_generic_plan`
      const reading = (query: Parameters<typeof log.list>[1], much: number) =>
        readingMuch(Effect.andThen(generic, log.list(club.id, query)), much)
      assert.deepStrictEqual(yield* reading(page, 200), [])
      assert.deepStrictEqual(yield* reading({ ...page, student_id: student.id }, 200), [])
      assert.deepStrictEqual(yield* reading({ ...page, key_id: key }, 200), [])
      assert.deepStrictEqual(yield* reading({ ...page, user_id: admin.id }, 200), [])
      assert.deepStrictEqual(yield* reading({ ...page, user_id: admin.id, operation: "clubs.update" }, 200), [])
      assert.deepStrictEqual(yield* reading({ ...page, operation: "clubs.update" }, 10_200), [])
      assert.deepStrictEqual(yield* reading({ ...page, outcome: "refused" }, 10_200), [])
      assert.deepStrictEqual(yield* reading({ ...page, user_id: club.owner.id, key_id: key }, 200), [])
    }))

  it.effect("pages go on until what is looked for is found", () =>
    Effect.gen(function*() {
      const log = yield* AuditLog
      const club = yield* foundClub()
      yield* makeEntries(club, 25_000)
      let cursor: string | undefined
      const pages: Array<number> = []
      const found: Array<string> = []
      do {
        const page = yield* log.list(club.id, {
          limit: 100,
          operation: "account.createClub",
          ...(cursor ? { cursor } : {})
        })
        pages.push(page.data.length)
        found.push(...page.data.map(({ operation }) => operation))
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      assert.deepStrictEqual(found, ["account.createClub"])
      assert.strictEqual(pages.length, 3)
    }))
})

layer(AppLayer)("The audit log", (it) => {
  it.effect("counts by the hour what keys read of people, and nothing else", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id, token } = yield* keyOf(club)
      const made = yield* send("POST", `${club.path}/lives`, {
        token: club.token,
        body: { title: "A", starts_at: "1970-01-02T00:00:00Z" }
      })
      const paths = [
        "/students",
        "/students",
        "/assignments/submissions",
        "/gamification/ranking",
        `/lives/${at(made.json, "data", "id")}/attendances`,
        "/webhook-endpoints",
        "/courses",
        "/billing"
      ]
      for (const path of paths) {
        yield* send("GET", `${club.path}${path}`, { token })
        yield* send("GET", `${club.path}${path}`, club)
      }
      yield* TestClock.adjust("1 hour")
      yield* send("GET", `${club.path}/students`, { token })
      const { json } = yield* send("GET", `${club.path}/audit-log/reads?key_id=${id}`, club)
      assert.deepStrictEqual(
        listAt(json, "data").map((one) => [at(one, "operation"), at(one, "count"), at(one, "key_id")]),
        [
          ["students.list", 1, id],
          ["lives.attendances", 1, id],
          ["gamification.ranking", 1, id],
          ["submissions.list", 1, id],
          ["students.list", 2, id]
        ]
      )
    }))
})
