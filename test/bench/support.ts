// npm run bench:support: the cost of a page of the support inbox in a club of 100 000 conversations and 10 members.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Layer, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import type { StaffWriter } from "../../src/conversation/authors/Viewer.ts"
import { MessageReader } from "../../src/conversation/support/MessageReader.ts"
import { MessageWriter } from "../../src/conversation/support/MessageWriter.ts"
import { StudentConversations } from "../../src/conversation/support/StudentConversations.ts"
import { type InboxRequest, SupportInbox } from "../../src/conversation/support/SupportInbox.ts"
import { ClubId } from "../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../src/identity/ids/StudentId.ts"
import { UserId } from "../../src/identity/ids/UserId.ts"
import { StudentLocks } from "../../src/identity/students/StudentLocks.ts"
import { Mailer } from "../../src/platform/mail/Mailer.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { fillCrowd, hardCrowds } from "../conversation/support/Crowd.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { sized } from "./sized.ts"
import { met, percentile, table } from "./webhooks/tables.ts"

/** Milliseconds. */
const aim = 20

const size = sized(100_000, 200)
const staff = 10

/** Rounds that do not count: caches fill, and connections prepare statements. */
const warmUp = sized(20, 1)

const idOf = (digit: number, number: number) => `00000000-0000-7000-${digit}000-${String(number).padStart(12, "0")}`

const members = Array.from({ length: staff }, (_, n) => UserId.make(idOf(9, n)))
const [me = UserId.make(idOf(9, 0)), assignee = me, newcomer = me] = members
const studentId = idOf(8, 1)

const lists: ReadonlyArray<readonly [string, InboxRequest]> = ([
  ["all", {}],
  ["unread", { unread: "true" }],
  ["read", { unread: "false" }],
  ["closed", { status: "closed" }],
  ["closed, unread", { status: "closed", unread: "true" }],
  ["closed, read", { status: "closed", unread: "false" }],
  ["assigned", { assignee_user_id: assignee }],
  ["assigned, unread", { assignee_user_id: assignee, unread: "true" }],
  ["assigned, read", { assignee_user_id: assignee, unread: "false" }],
  ["assigned, open, unread", { assignee_user_id: assignee, status: "open", unread: "true" }],
  ["assigned, open, read", { assignee_user_id: assignee, status: "open", unread: "false" }]
] as const).map(([name, asked]) => [name, { limit: 25, ...asked }])

/** A club for each crowd. The newest member joined when half of its messages existed. */
const seed = Effect.fn("seed")(function*() {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(yield* DateTime.now)
  for (const [n, id] of members.entries()) {
    yield* sql`
      insert into users (id, email, name, password_hash, verified_at, created_at)
      values (${id}, ${`${n}@user.example`}, 'Ana Souza', 'unusable', ${at}, ${at})`
  }
  return yield* Effect.forEach(Object.entries(hardCrowds), ([name, crowd], n) =>
    Effect.gen(function*() {
      const club_id = ClubId.make(idOf(8, n))
      yield* sql`
        insert into clubs (id, organization_id, name, slug, time_zone, locale, sign_up_open, created_at)
        values (${club_id}, gen_random_uuid(), 'Club', ${`club-${n}`}, 'UTC', 'en', true, ${at})`
      yield* sql`
        insert into members (club_id, user_id, role, created_at)
        select ${club_id}::uuid, id, 'support', ${at} from users`
      yield* sql`
        insert into students (club_id, id, email, name, created_at)
        values (${club_id}, ${studentId}, 'bia@student.example', 'Bia Lima', ${at})`
      yield* fillCrowd({ club_id, student_id: studentId, assignee, size, members, ...crowd })
      yield* sql`
        update support_inboxes set since = ${size / 2} where club_id = ${club_id} and user_id = ${newcomer}`
      return { name, club_id }
    }))
}, Effect.orDie)

/**
 * The same question in plain SQL: conversations from the latest on, each with the member's mark. Answers only the ids.
 */
const plain = Effect.fnUntraced(function*({ club_id, user_id }: StaffWriter, request: InboxRequest) {
  const sql = yield* SqlClient.SqlClient
  const { assignee_user_id, status, unread } = request
  return yield* sql`
    select c.id from support_conversations c
    left join support_marks m on m.club_id = c.club_id and m.conversation_id = c.id and m.user_id = ${user_id}
      and m.activity > (select since from support_inboxes where club_id = ${club_id} and user_id = ${user_id})
    where c.club_id = ${club_id}
      and ${status === undefined ? sql`true` : sql`c.status = ${status}`}
      and ${assignee_user_id === undefined ? sql`true` : sql`c.assignee_user_id = ${assignee_user_id}`}
      and ${unread === undefined ? sql`true` : sql`(coalesce(m.unread, 0) > 0) = ${unread === "true"}`}
    order by c.activity desc limit 26`
}, Effect.orDie)

const timed = Effect.fnUntraced(function*<A, R>(work: Effect.Effect<A, never, R>, rounds: number) {
  yield* Effect.replicateEffect(work, Math.min(warmUp, rounds))
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    yield* work
    times.push(performance.now() - started)
  }
  return [percentile(times, 0.5), percentile(times, 0.99)] as const
})

/** Checks that both ways answer the same conversations. */
const sameIds = Effect.fnUntraced(function*(member: StaffWriter, request: InboxRequest) {
  const inbox = yield* SupportInbox
  const { data } = yield* Effect.orDie(inbox.list(member, request))
  const theirs = (yield* plain(member, request)).slice(0, request.limit).map((row) => row["id"])
  if (data.length !== theirs.length || data.some(({ id }, n) => id !== theirs[n])) {
    return yield* Effect.die(new Error(`Not the same: ${JSON.stringify(request)}`))
  }
})

const measureLists = Effect.fn("measureLists")(function*(member: StaffWriter, rounds: number) {
  const inbox = yield* SupportInbox
  const rows: Array<ReadonlyArray<string>> = []
  for (const [name, request] of lists) {
    yield* sameIds(member, request)
    const ours = yield* timed(Effect.orDie(inbox.list(member, request)), rounds)
    const theirs = yield* timed(plain(member, request), Math.ceil(rounds / 10))
    rows.push([name, ...[...ours, ...theirs].map((time) => time.toFixed(2)), met(ours[1] <= aim)])
  }
  return table(["list", "p50", "p99", "plain p50", "plain p99", `p99 ≤ ${aim}`], rows)
})

/** The cost of a message that raises the mark of each member, and of a read. */
const measureWrites = Effect.fn("measureWrites")(function*(member: StaffWriter, rounds: number) {
  const inbox = yield* SupportInbox
  const own = yield* StudentConversations
  const { club_id } = member
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const student = { role: "student", club_id, student_id: yield* studentIn(club_id), now } as const
  const { id } = yield* Effect.orDie(own.open(student, { subject: "A", body: "B" }))
  const writes = {
    "a student's message": own.write(student, id, "B"),
    "a member's message": inbox.write(member, id, "B"),
    "a read": inbox.read(member, id)
  }
  const rows = yield* Effect.forEach(
    Object.entries(writes),
    ([name, work]) =>
      Effect.map(timed(Effect.orDie(work), rounds), (times) => [name, ...times.map((time) => time.toFixed(2))])
  )
  return table(["write", "p50", "p99"], rows)
})

const studentIn = Effect.fnUntraced(function*(club_id: ClubId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Effect.orDie(sql<{ id: StudentId }>`select id from students where club_id = ${club_id}`)
  return row === undefined ? yield* Effect.die(new Error("No student")) : row.id
})

/** Room to fill tables fast. All other settings have their defaults. */
const roomy = { fsync: "off", max_wal_size: "16GB", maintenance_work_mem: "512MB" }

const measure = Effect.fn("measure")(function*({ rounds }: { readonly rounds: number }) {
  yield* Console
    .log(`Milliseconds of ${rounds} pages of 25 conversations, one at a time; the plain way ten times fewer.`)
  const { database } = yield* newDatabase(roomy)
  const DatabaseLayer = Layer.effectDiscard(migrate())
    .pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 3 })))
  const SupportLayer = Layer.mergeAll(SupportInbox.layer, StudentConversations.layer).pipe(
    Layer.provide([MessageWriter.layer, MessageReader.layer]),
    Layer.provide([Mailer.layer, StudentLocks.layer]),
    Layer.provide(Sealing.layerKeys(Redacted.make(new Uint8Array(32)))),
    Layer.provideMerge(DatabaseLayer)
  )
  yield* Effect.gen(function*() {
    const clubs = yield* seed()
    for (const { club_id, name } of clubs) {
      for (const [who, user_id] of [["a member", me], ["who came when half was written", newcomer]] as const) {
        yield* Console.log(`\n${name}, ${who}\n`)
        yield* Console.log(yield* measureLists({ role: "staff", club_id, user_id }, rounds))
      }
    }
    const [club] = clubs
    if (club === undefined) return
    yield* Console.log("\nWithout fsync\n")
    yield* Console.log(yield* measureWrites({ role: "staff", club_id: club.club_id, user_id: me }, rounds))
  }).pipe(Effect.provide(SupportLayer))
}, Effect.scoped)

Command.make("bench:support", {
  rounds: Flag.Int("rounds").pipe(
    Flag.withDefault(sized(200, 1)),
    Flag.withDescription("Pages of each kind that are timed")
  )
}, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
