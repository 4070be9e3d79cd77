import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ConversationId, ConversationStatus } from "../../../src/conversation/support/Conversation.ts"
import { StudentConversations } from "../../../src/conversation/support/StudentConversations.ts"
import { type InboxRequest, SupportInbox } from "../../../src/conversation/support/SupportInbox.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { makeMember, makeStudent } from "../../harness/Makers.ts"
import { checkMarks } from "./Marks.ts"

const Step = Schema.Struct({
  who: Schema.Literals([0, 1, 2]),
  does: Schema.Literals(["open", "open", "say", "say", "say", "reply", "read", "status", "assign", "leave", "return"]),
  which: Schema.Literals([0, 1, 2, 3, 4]),
  status: ConversationStatus
})
type Step = typeof Step.Type

/** The expected state. */
interface Talk {
  readonly id: ConversationId
  readonly student: number
  status: ConversationStatus
  assignee: number | undefined
  count: number
}
interface Member {
  staff: boolean
  /** True if messages count for them. */
  listens: boolean
  readonly unread: Map<string, number>
}

const openWorld = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* foundClub()
  yield* sql`update members set role = 'viewer' where club_id = ${club.id}`
  const users = [yield* makeMember(club, "owner"), yield* makeMember(club, "admin"), yield* makeMember(club, "support")]
  const students = yield* Effect.replicateEffect(makeStudent(club), 3)
  const members = users.map((): Member => ({ staff: true, listens: false, unread: new Map() }))
  // The latest activity first.
  const talks: Array<Talk> = []
  return { club, users, students, members, talks }
})
type World = Effect.Success<typeof openWorld>

/** Applies a message to the expected state. Without a writer it is the student's. */
const written = ({ members, talks }: World, talk: Talk, writer?: number) => {
  talks.splice(0, talks.length, talk, ...talks.filter((other) => other !== talk))
  talk.count += 1
  if (writer === undefined) talk.status = "open"
  for (const [index, member] of members.entries()) {
    if (member.staff && !member.listens) member.unread.clear()
    member.listens = member.staff
    if (!member.staff) continue
    const before = member.unread.get(talk.id) ?? 0
    member.unread.set(talk.id, index === writer ? 0 : writer === undefined ? before + 1 : before)
  }
}

const takeIn = Effect.fnUntraced(function*(world: World) {
  const sql = yield* SqlClient.SqlClient
  const own = yield* StudentConversations
  const inbox = yield* SupportInbox
  const { club, members, students, talks, users } = world
  const viewerOf = (index: number) => ({
    role: "student" as const,
    club_id: club.id,
    student_id: (students[index] ?? assert.fail()).id,
    now: new Date(0)
  })
  return Effect.fnUntraced(function*({ does, status, which, who }: Step) {
    const member = members[who] ?? assert.fail()
    const user = users[who] ?? assert.fail()
    const writer = { role: "staff" as const, club_id: club.id, user_id: user.id }
    const move = Effect.fnUntraced(function*(role: "viewer" | "support", staff: boolean) {
      yield* sql`update members set role = ${role} where club_id = ${club.id} and user_id = ${user.id}`
      member.staff = staff
    })
    if (does === "open") {
      const { id } = yield* own.open(viewerOf(who), { subject: "Boleto", body: "Não chegou" })
      return written(world, { id, student: who, status: "open", assignee: undefined, count: 0 })
    }
    if (does === "leave") return yield* move("viewer", false)
    if (does === "return") return yield* move("support", true)
    const talk = talks[which]
    if (talk === undefined) return
    switch (does) {
      case "say":
        yield* own.write(viewerOf(talk.student), talk.id, "E agora?")
        return written(world, talk)
      case "reply":
        if (!member.staff) return
        yield* inbox.write(writer, talk.id, "Já vejo")
        return written(world, talk, who)
      case "read":
        yield* inbox.read(writer, talk.id)
        member.unread.set(talk.id, 0)
        return
      case "status":
        talk.status = status
        yield* inbox.patch(writer, talk.id, { status })
        return
      case "assign":
        talk.assignee = member.staff ? who : undefined
        yield* inbox.patch(writer, talk.id, { assignee_user_id: member.staff ? user.id : null })
    }
  })
})

const optional = <Value>(values: ReadonlyArray<Value>) => [undefined, ...values]

/** Asserts that every list agrees with the expected state, in pages of two. */
const check = Effect.fnUntraced(function*({ club, members, talks, users }: World) {
  const inbox = yield* SupportInbox
  const allOf = Effect.fnUntraced(function*(user_id: (typeof users)[number]["id"], asked: Partial<InboxRequest>) {
    const found: Array<unknown> = []
    let cursor: string | undefined
    do {
      const page = yield* inbox.list(
        { role: "staff", club_id: club.id, user_id },
        { ...asked, limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      )
      for (const { assignee, id, messages_count, status, unread_count } of page.data) {
        found.push([id, status, assignee?.id ?? null, messages_count, unread_count])
      }
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return found
  })
  for (const [index, member] of members.entries()) {
    const user = users[index] ?? assert.fail()
    const unreadOf = ({ id }: Talk) => member.listens ? member.unread.get(id) ?? 0 : 0
    const assigneeOf = ({ assignee }: Talk) => assignee !== undefined && members[assignee]?.staff ? assignee : undefined
    for (const status of optional(ConversationStatus.literals)) {
      for (const unread of optional([true, false])) {
        for (const assignee of optional([0, 2])) {
          const expected = talks.filter((talk) =>
            (status === undefined || talk.status === status)
            && (unread === undefined || (unreadOf(talk) > 0) === unread)
            && (assignee === undefined || assigneeOf(talk) === assignee)
          ).map((talk) => {
            const looksAfter = assigneeOf(talk)
            const id = looksAfter === undefined ? null : users[looksAfter]?.id
            return [talk.id, talk.status, id, talk.count, unreadOf(talk)]
          })
          const found = yield* allOf(user.id, {
            ...(status === undefined ? {} : { status }),
            ...(unread === undefined ? {} : { unread: unread ? "true" : "false" }),
            ...(assignee === undefined ? {} : { assignee_user_id: (users[assignee] ?? assert.fail()).id })
          })
          assert.deepStrictEqual(found, expected, JSON.stringify({ index, status, unread, assignee }))
        }
      }
    }
  }
})

layer(AppLayer)("Whatever students and the staff do one after another,", (it) => {
  it.effect.prop(
    "every list of every member is what is unread to them, of that status, assigned to that person",
    {
      parts: Schema.Array(Schema.Array(Step).check(Schema.isBetweenLength(3, 16))).check(Schema.isBetweenLength(1, 3))
    },
    Effect.fnUntraced(function*({ parts }) {
      const world = yield* openWorld
      const take = yield* takeIn(world)
      for (const steps of parts) {
        yield* Effect.forEach(steps, take, { discard: true })
        yield* check(world)
        yield* checkMarks(world.club)
      }
    }),
    { arbitrary: { runs: 25 } }
  )
})
